#!/usr/bin/env bash
# What the five robots cost on the emulated Cortex-M4F:   bash benches/target/run.sh [--check | --accept | --fit]
#
#   results.csv           opt-level 3: flash with logging, RAM of workspace, model and state, stack of a tick below its caller, and
#                         instructions of all ticks of the run (the examples say how many; 3,000 at least)
#   results_balanced.csv  the same at opt-level 2 with bounds on inlining and unrolling (examples/firmware/balanced.toml)
#   results_small.csv     the same at opt-level s
#   flash.csv             flash by profile, with and without logging
#   rooms.csv             instructions by room of the kernel over all ticks of the run, and the divisions, square roots, pairs of sine and
#                         cosine, powers and arctangents among them
# --check  fails where a figure exceeds budgets.csv by more than 3 %, or what is promised.     --accept  makes the figures the budgets.
# --fit    fits the upper bounds of the solvers anew (fit.py, a minute) and prints their formulas; nothing else. Wants numpy and scipy.
set -euo pipefail
cd "$(dirname "$0")/../.."
unset RUSTFLAGS
. benches/target/tools.sh
chip_tools
mkdir -p target
out=benches/target
header=example,flash_bytes,ram_bytes,stack_bytes,instructions_min,instructions_median,instructions_max
bins=$(printf -- '--bin %s ' $robots)
if [ "${1:-}" = --fit ]; then
  SAMPLES=1 firmware build --quiet --release --manifest-path examples/firmware/Cargo.toml --bin worst_case
  emulate cortex-m4 mps2-an386 "$images/worst_case" | ${PYTHON:-python3} $out/fit.py examples/scenes/worst_coefficients.rs
  cargo fmt
  exit
fi
flash() { arm-none-eabi-size "$1" | awk 'NR == 2 { print $1 + $2 }'; }

echo example,profile,with_logging,without_logging >$out/flash.csv
for profile in release balanced small; do
  table=$out/results_$profile.csv
  if [ $profile = release ]; then table=$out/results.csv; fi
  # shellcheck disable=SC2086
  DEFMT_LOG=off firmware build --quiet $(profile_options $profile) --profile $profile --manifest-path examples/firmware/Cargo.toml $bins
  declare -A silent
  for robot in $robots; do silent[$robot]=$(flash "$images/../$profile/$robot"); done
  # shellcheck disable=SC2086
  firmware build --quiet $(profile_options $profile) --profile $profile --manifest-path examples/firmware/Cargo.toml $bins
  echo $header >$table
  for robot in $robots; do
    image=$images/../$profile/$robot
    emulate cortex-m4 mps2-an386 "$image" >target/log
    grep -q 'counted true' target/log || fail "$robot: not every tick was counted"
    awk -v flash="$(flash "$image")" '/^budget / { print $2 "," flash "," $4 "," $6 "," $10 "," $11 "," $12 }' target/log >>$table
    echo "$robot,$profile,$(flash "$image"),${silent[$robot]}" >>$out/flash.csv
  done
done
# What is executed does not depend on the machine's load, only on the images: with --check the other tables are enough.
# shellcheck disable=SC2086
if [ "${1:-}" != --check ]; then
  need gcc gcc libc6-dev
  gcc -O2 -shared -fPIC -o target/blocks.so $out/blocks.c
  # shellcheck disable=SC2086
  python3 $out/rooms.py "$print" target/blocks.so "$images" $robots >$out/rooms.csv
fi
for table in results results_balanced results_small flash rooms; do
  say "$table.csv"; column -s, -t $out/$table.csv
done

current() {
  sed "1d; s/^/release,/" $out/results.csv; sed "1d; s/^/balanced,/" $out/results_balanced.csv; sed "1d; s/^/small,/" $out/results_small.csv
}
case ${1:-} in
  --accept) { echo profile,$header; current; } >$out/budgets.csv ;;
  --check)
    current | awk -F, -v OFS=, '
      NR == FNR { if (FNR == 1) { for (k = 3; k <= NF; k++) name[k] = $k } else { for (k = 3; k <= NF; k++) budget[$1, $2, k] = $k }; next }
      { seen++; for (k = 3; k <= NF; k++) if (!(($1, $2, k) in budget) || $k > 1.03 * budget[$1, $2, k] + 4) {
          print $2 " (" $1 "): " name[k] " " $k ", budget " budget[$1, $2, k]; bad = 1 } }
      END { exit bad || seen != 15 }' $out/budgets.csv - || fail "a figure is over its budget; if that is meant: benches/target/run.sh --accept"
    # What docs/budget.md promises, whatever the budgets are: flash, RAM, stack, median and longest tick below these.
    awk -F, '
      NR == FNR { for (k = 3; k <= 7; k++) most[$1, $2, k] = $k; next }
      ($1, $2, 3) in most { seen++; for (k = 3; k <= 7; k++) if (most[$1, $2, k] != "" && $(k < 6 ? k : k + 1) >= most[$1, $2, k]) {
          print "promised less: " $0; bad = 1 } }
      END { exit bad || seen != 3 }' - <(current) <<'PROMISED' || fail "a promise of docs/budget.md is broken"
release,haptic_wall,12288,,,,1500
release,arm_limits,,,,,40000
balanced,quadruped_stand,65536,24576,4096,150000,400000
PROMISED
    ;;
  "") ;;
  *) fail "there are: --check --accept --fit" ;;
esac
