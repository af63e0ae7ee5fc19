"""Instructions of a tick by room of the kernel: every block of code that the emulator executes, put down to the source file that its
instructions come from.

    python3 rooms.py FOLDER-OF-IMAGES ROBOT...   > rooms.csv

Over the first ticks of each run, start-up excluded. An instruction belongs to the innermost function of the kernel that is not mere
arithmetic (`arithmetic`: what of scalar, spatial, libm and copies is called, not inlined); the factor and its solves are a column of their own, because M and Newton's Hessian share them. Divisions are
executed vdiv.f32; roots, powers and arctangents are calls into libm. Sine and cosine are this crate's own, inlined, once a hinge and tick.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

ROOMS = ["kinematics", "mass", "factor", "bias", "rows", "solve", "integrate", "tick", "arithmetic"]
WHERE = {
    "kinematics": "kinematics", "mass": "mass", "dynamics/composite": "mass", "dynamics/inertia": "mass", "mass/factor": "factor",
    "dynamics": "bias", "forces": "bias", "tendon": "bias", "constraint": "rows", "rows": "rows", "softness": "rows",
    "collision": "rows", "solver": "solve", "cone": "solve", "integrator": "integrate", "tick/step": "integrate",
}
LINES = 5_000_000  # of the emulator's log


def room(frames):
    """None: the example's own code, start-up and log."""
    arithmetic = False
    for file in frames:
        if re.search(r"libm|compiler_builtins|/src/(scalar|spatial)\.rs", file):
            arithmetic = True
        found = re.search(r"/src/(\w+)/(\w+)\.rs", file)
        if not found or "library/" in file or "registry" in file:
            continue
        if "examples" in file or found.group(1) == "model":
            return None
        return WHERE.get("/".join(found.groups())) or WHERE.get(found.group(1)) or "tick"
    return "arithmetic" if arithmetic else None


def instructions(image):
    text = subprocess.run(["arm-none-eabi-objdump", "-d", image], capture_output=True, text=True, check=True).stdout
    listed = {}
    for line in text.splitlines():
        found = re.match(r"\s+([0-9a-f]+):\s+(?:[0-9a-f]{4,8} ?)+\s+(\S+)", line)
        if found:
            listed[int(found.group(1), 16)] = found.group(2)
    asked = "\n".join(hex(a) for a in listed)
    command = ["arm-none-eabi-addr2line", "-i", "-a", "-e", image]
    said = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout
    blocks = re.split(r"^0x([0-9a-f]+)\n", said, flags=re.M)[1:]
    rooms = {int(a, 16): room(frames.splitlines()) for a, frames in zip(blocks[::2], blocks[1::2])}
    return listed, rooms


def symbols(image):
    text = subprocess.run(["arm-none-eabi-nm", "-C", image], capture_output=True, text=True, check=True).stdout
    return {line.split(" ", 2)[2]: int(line.split()[0], 16) & ~1 for line in text.splitlines() if line[0] != " "}


def executed(image):
    """How often each address is executed, start-up included."""
    path = os.path.join(tempfile.mkdtemp(), "log")
    os.mkfifo(path)
    emulator = subprocess.Popen(
        ["qemu-system-arm", "-cpu", "cortex-m4", "-machine", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
         "-semihosting-config", "enable=on,target=native", "-icount", "shift=8,sleep=off", "-kernel", image,
         "-d", "exec,nochain", "-singlestep", "-D", path],
        stdout=subprocess.DEVNULL)
    counts = collections.Counter()
    with open(path, encoding="ascii", errors="replace") as log:
        for number, line in enumerate(log):
            found = re.match(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", line)
            if found:
                counts[int(found.group(1), 16)] += 1
            if number >= LINES:
                break
    emulator.kill()
    emulator.wait()
    return counts


def main(folder, robots):
    print("example,ticks," + ",".join(ROOMS) + ",divisions,roots,powers,arctangents")
    for robot in robots:
        if robot == "haptic_wall":
            continue  # it has no frames to count ticks by, and no rooms but rows and solve
        image = os.path.join(folder, robot)
        listed, rooms = instructions(image)
        known = symbols(image)
        counts = executed(image)
        ticks = ticks_of(listed, known, counts, robot)
        sums = collections.Counter()
        for address, times in counts.items():
            sums[rooms.get(address)] += times
        calls = lambda part: sum(counts[a] for name, a in known.items() if part in name and a in counts)
        divisions = sum(times for a, times in counts.items() if listed.get(a) == "vdiv.f32")
        extra = [divisions, calls("libm::math::sqrt::sqrtf"), calls("math::powf::powf"), calls("atan2f::atan2f")]
        print(",".join([robot, str(ticks)] + [f"{n / ticks:.0f}" for n in [sums[r] for r in ROOMS]] + [f"{n / ticks:.1f}" for n in extra]))


def ticks_of(listed, known, counts, robot):
    steps = [a for name, a in known.items() if "Kinematics" in name and "::place" in name]
    placed = sum(counts[a] for a in steps)
    return max(1, placed // (2 if robot == "arm_limits" else 1))


main(sys.argv[1], sys.argv[2:])
