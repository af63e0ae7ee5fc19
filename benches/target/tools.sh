# What `.ci/run` and `benches/target/run.sh` share: building for the chip and running images in the emulator. Sourced, from the root.

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

# need COMMAND-OR-FILE PACKAGE...: installs the packages unless the command or file is there.
need() {
  local what=$1; shift
  if command -v "$what" >/dev/null || [ -e "$what" ]; then return; fi
  command -v apt-get >/dev/null || fail "$what is missing; install: $*"
  [ -n "${updated:-}" ] || { apt-get update -qq; updated=1; }
  apt-get install -y -qq --no-install-recommends "$@" >/dev/null
  command -v "$what" >/dev/null || [ -e "$what" ] || fail "$what is still missing after installing $*"
}

target=thumbv7em-none-eabihf
images=${CARGO_TARGET_DIR:-examples/firmware/target}/$target/release

# firmware_for TARGET ARGUMENTS: cargo for a chip, by an installed target or else by Debian's compiler with its library sources.
firmware_for() {
  local chip=$1; shift
  if rustup target list --installed 2>/dev/null | grep -qx "$chip"; then
    cargo "$@" --target "$chip"
  else
    local linker; linker=CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$chip")_LINKER
    env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 "$linker=$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld" \
      cargo "$@" -Zbuild-std=core --target "$chip"
  fi
}

# firmware ARGUMENTS: the same for the Cortex-M4F.
firmware() { firmware_for "$target" "$@"; }

# firmware_clippy: lints of the firmware as it is built for the Cortex-M4F; Debian packs the lints of its compiler.
firmware_clippy() {
  if rustup target list --installed 2>/dev/null | grep -qx "$target"; then
    (cd examples/firmware && cargo clippy --target "$target" -- -D warnings)
  else
    need /usr/bin/cargo-clippy rust-web-clippy
    (cd examples/firmware && RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo-clippy clippy -Zbuild-std=core --target "$target" -- -D warnings)
  fi
}

# profiles: release is opt-level 3, small is s, balanced is 2 with bounds on inlining and unrolling.
profile_options() { if [ "$1" = balanced ]; then echo --config examples/firmware/balanced.toml; fi; }

# emulate CPU MACHINE IMAGE: runs it and prints its decoded log; its exit status counts.
emulate() {
  local raw; raw=$(mktemp)
  timeout 300 qemu-system-arm -cpu "$1" -machine "$2" -nographic -monitor none -serial none \
    -semihosting-config enable=on,target=native -icount shift=8,sleep=off -kernel "$3" >"$raw" || fail "$3 on $1: status $?"
  "$print" -e "$3" --show-skipped-frames <"$raw" | sed -n 's/^INFO *//p'
  rm -f "$raw"
}

# chip_tools: emulator, binary tools, compiler and log decoder.
chip_tools() {
  need qemu-system-arm qemu-system-arm
  need arm-none-eabi-nm binutils-arm-none-eabi
  if ! rustup target list --installed 2>/dev/null | grep -qx "$target"; then
    need /usr/bin/rustc rustc-web; need /usr/lib/rustlib/src/rust/library/core/src/lib.rs rust-web-src
  fi
  print=$(command -v defmt-print || true)
  if [ -z "$print" ]; then
    print=$PWD/target/tools/bin/defmt-print
    [ -x "$print" ] || cargo install --quiet defmt-print --version 1.2.0 --locked --root target/tools
  fi
}

robots="haptic_wall arm_limits four_bar gripper quadruped_stand"

# symbols IMAGE: fails on software double precision, an allocator, or RAM beyond MEMORY, COUNTS and the 64 bytes of log and peripherals.
forbidden='__(aeabi_(d|cd)[a-z0-9]+|aeabi_[a-z0-9]*2d|[a-z]+df[23]|rust_alloc|rg_alloc|rdl_alloc)$|[ _](malloc|free)$'
symbols() {
  if arm-none-eabi-nm "$1" | grep -E "$forbidden"; then fail "forbidden symbols in $1"; fi
  local ram own
  ram=$(arm-none-eabi-size "$1" | awk 'NR == 2 { print $2 + $3 }')
  own=$(arm-none-eabi-nm -S --radix=d -C "$1" | awk '/::(MEMORY|COUNTS)$/ { sum += $2 } END { print sum + 0 }')
  [ "$own" -gt 0 ] && [ $((ram - own)) -le 64 ] || fail "a hidden static in $1: $ram bytes of RAM, $own of MEMORY and COUNTS"
}
