#!/usr/bin/env bash
# How long a newcomer waits from a robot's MJCF file to firmware in which it stands, run in QEMU:   bash benches/newcomer.sh
#
# A copy of the checkout with an empty target folder; packages that cargo has fetched before are not fetched again. Ends with status 1
# unless the robot stands at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
unset RUSTFLAGS CARGO_TARGET_DIR
. benches/target/tools.sh
chip_tools
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git ls-files -z | xargs -0 cp --parents -t "$folder"
cd "$folder"
export CARGO_TARGET_DIR=$folder/target
images=$CARGO_TARGET_DIR/$target/release
begin=$SECONDS
last=$SECONDS
step() { printf 'newcomer %-62s %4d s\n' "$1" $((SECONDS - last)); last=$SECONDS; }

cargo build --quiet --release --package delassus-mjcf
step "build the command delassus"
"$CARGO_TARGET_DIR/release/delassus" inspect examples/models/quadruped_stand.xml >inspected
step "inspect quadruped_stand.xml"
"$CARGO_TARGET_DIR/release/delassus" generate examples/models/quadruped_stand.xml -o robot.rs
diff robot.rs examples/robots/quadruped_model.rs >/dev/null || fail "the committed source of the quadruped is stale"
cp robot.rs examples/robots/quadruped_model.rs
step "generate robot.rs"
firmware build --quiet --release --manifest-path examples/firmware/Cargo.toml --bin quadruped_stand
step "build the firmware, core included"
# Its exit status says whether the robot ended upright, at its height and still.
emulate cortex-m4 mps2-an386 "$images/quadruped_stand" >log
step "run 3,000 ticks in QEMU: it stands"
printf 'newcomer %-62s %4d s\n' "from the model to standing firmware" $((SECONDS - begin))
