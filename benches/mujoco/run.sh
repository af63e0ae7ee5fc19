#!/usr/bin/env bash
# The kernel beside MuJoCo 3.10.0, DAQP and Clarabel on the same models and states, single thread, in one run.
#
#   bash benches/mujoco/run.sh [FOLDER]     FOLDER: models, states and dual problems; ../shared/bench beside the clone if not given
#
#   FAST=1      few, short batches: shows that it works, and its figures are no more than that
#   ONLY=text   only states whose file name contains the text
#   CORE=n      the processor it is pinned to (1)
#   COUNT=0     no instruction counts
#   OUTPUT=dir  where the tables go; beside this script if not given
#   PROFILE=quick  built in a third of the time, and slower
#   RUSTFLAGS   how ours is built; with AVX if not given, as MuJoCo's library is. Results do not depend on it.
#
# Needs Rust, gcc, Python with venv, and valgrind for the counts. Installs the peers from PyPI into target/peers. Writes:
#   results.csv  whole calls         stages.csv  kinematics, mass matrix, bias       qp.csv  the constraint problem alone
#   floor.csv    bare dense algebra  growth.csv, growth.svg  cost against size                    summary.md  what they say
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
output=${OUTPUT:-$PWD}
profile=${PROFILE:-release}
bench=${1:-$root/../shared/bench}
fast=${FAST:+--fast}

say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

[ -d "$bench/models" ] && [ -d "$bench/states" ] && [ -d "$bench/qp" ] || fail "no models, states and qp in $bench"
bench=$(cd "$bench" && pwd)
for tool in cargo gcc python3; do command -v "$tool" >/dev/null || fail "$tool is not installed"; done

built=$root/target/peers
peers=$built/installed
mkdir -p "$peers" "$output"
say "peers: MuJoCo 3.10.0 and the C sources of DAQP 0.11.0"
[ -x "$peers/venv/bin/python" ] || python3 -m venv "$peers/venv"
"$peers/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps mujoco==3.10.0
mujoco=$(echo "$peers"/venv/lib/python3*/site-packages/mujoco)
daqp=$peers/daqp-0.11.0/csrc
if [ ! -d "$daqp" ]; then
  "$peers/venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary daqp --dest "$peers" daqp==0.11.0
  tar -xzf "$peers/daqp-0.11.0.tar.gz" -C "$peers"
fi
counting=${COUNT:-1}
if [ ! -e /usr/include/valgrind/callgrind.h ]; then
  [ "$counting" = 0 ] || fail "valgrind is not installed; COUNT=0 goes without instruction counts"
  counting=0
fi
marks=$([ "$counting" = 0 ] && echo -DWITHOUT_CALLGRIND || true)
# shellcheck disable=SC2086
gcc -O3 -w -shared -fPIC $marks -I"$mujoco/include" -I"$daqp/include" peers.c "$daqp"/src/*.c -o "$peers/libpeers.so" \
  "$mujoco/libmujoco.so.3.10.0" -Wl,-rpath,"$mujoco" -lm

say "ours"
export RUSTFLAGS=${RUSTFLAGS:--C target-feature=+avx}
cargo build --quiet --profile "$profile" --target-dir "$built"
program=$built/$profile/delassus-peers
problems=(--peers "$peers/libpeers.so" --bench "$bench" --only "${ONLY:-}")

counts=()
if [ "$counting" != 0 ]; then
  say "instructions per call, by callgrind"
  count() {
    rm -rf "$built/dumps" && mkdir "$built/dumps"
    valgrind --tool=callgrind --callgrind-out-file="$built/dumps/out" "$1" count "${problems[@]}" 2>"$built/valgrind.log"
  }
  if ! count "$program"; then
    grep -q 'unhandled instruction' "$built/valgrind.log" || { tail -5 "$built/valgrind.log"; fail "valgrind"; }
    say "this valgrind lacks an instruction of AVX: ours counted without AVX, which for matrices of 8 dofs and more is a higher count"
    RUSTFLAGS='' cargo build --quiet --profile "$profile" --target-dir "$built/plain"
    count "$built/plain/$profile/delassus-peers" || { tail -5 "$built/valgrind.log"; fail "valgrind"; }
  fi
  "$program" counts "$built/dumps" >"$built/counts.csv"
  [ -s "$built/counts.csv" ] || fail "no instruction counts"
  counts=(--counts "$built/counts.csv")
fi

say "times"
pinned() { if command -v taskset >/dev/null; then taskset -c "${CORE:-1}" "$@"; else "$@"; fi; }
# shellcheck disable=SC2086
pinned "$program" compare "${problems[@]}" "${counts[@]}" --output "$output" $fast
say "growth"
# shellcheck disable=SC2086
pinned "$program" growth --output "$output" $fast
"$program" summary --output "$output"
say "written to $output: results.csv qp.csv stages.csv floor.csv growth.csv growth.svg summary.md"
