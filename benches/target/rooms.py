"""Instructions of a tick by room of the kernel: every block of code that the emulator executes in a whole run, put down to the source
file that its instructions come from.

    python3 rooms.py DEFMT-PRINT PLUGIN FOLDER-OF-IMAGES ROBOT...   > rooms.csv      (the plugin is blocks.c)

All ticks of each run count, pushes, limits, grasps and broken sensors among them; start-up and what the example itself does do not. An
instruction belongs to the innermost function of the kernel that is not mere arithmetic (`arithmetic`: what of scalar, spatial, libm and
copies is called, not inlined); the factor and its solves are a column of their own, because M and Newton's Hessian share them. Divisions
are executed vdiv.f32; roots, powers and arctangents are calls into libm; of each pair of sine and cosine, which is inlined, the one
product of its reduced angle with itself is counted.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

ROOMS = ["kinematics", "mass", "factor", "bias", "rows", "solve", "integrate", "tick", "arithmetic"]
EXTRAS = ["divisions", "roots", "sine_pairs", "powers", "arctangents"]
WHERE = {
    "kinematics": "kinematics", "mass": "mass", "dynamics/composite": "mass", "dynamics/inertia": "mass", "mass/factor": "factor", "mass/tiles": "factor",
    "dynamics": "bias", "forces": "bias", "tendon": "bias", "constraint": "rows", "rows": "rows", "softness": "rows",
    "collision": "rows", "solver": "solve", "cone": "solve", "integrator": "integrate", "tick/step": "integrate",
}
EMULATOR = ["qemu-system-arm", "-cpu", "cortex-m4", "-machine", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
            "-semihosting-config", "enable=on,target=native", "-icount", "shift=8,sleep=off"]


def room(frames):
    """None: the example's own code, start-up and log."""
    arithmetic = False
    for file in frames:
        if re.search(r"libm|compiler.builtins|/src/(scalar|spatial)\.rs", file):
            arithmetic = True
        found = re.search(r"/src/(\w+)/(\w+)\.rs", file)
        if not found or "library/" in file or "registry" in file:
            continue
        if "examples" in file:
            return None
        if found.group(1) == "model":
            continue  # a number that another room reads; the model's own checks come before the run
        return WHERE.get("/".join(found.groups())) or WHERE.get(found.group(1)) or "tick"
    return "arithmetic" if arithmetic else None


def instructions(image):
    """Of each address its mnemonic, and the files and lines that it comes from, the innermost first."""
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
    return listed, {int(a, 16): frames.splitlines() for a, frames in zip(blocks[::2], blocks[1::2])}


def symbols(image):
    text = subprocess.run(["arm-none-eabi-nm", "-C", image], capture_output=True, text=True, check=True).stdout
    return {line.split(" ", 2)[2]: int(line.split()[0], 16) & ~1 for line in text.splitlines() if line[0] != " "}


def executed(image, printer, plugin):
    """How often each address is executed in the whole run, how many ticks the run has, and what the chip's own counter says of one."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "blocks")
        command = [*EMULATOR, "-kernel", image, "-plugin", f"{plugin},out={path}"]
        frames = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        counts = collections.Counter()
        with open(path, encoding="ascii") as blocks:
            for times, *addresses in map(str.split, blocks):
                for address in addresses:
                    counts[int(address, 16)] += int(times)
    text = subprocess.run([printer, "-e", image], input=frames, capture_output=True, check=True).stdout.decode()
    ticks, mean = re.search(r"budget .* ticks (\d+) counted true mean (\d+)", text).groups()
    return counts, int(ticks), int(mean)


def squared_angle():
    """Where in scalar.rs a reduced angle is multiplied with itself."""
    path = os.path.join(os.path.dirname(__file__), "../../src/scalar.rs")
    with open(path, encoding="utf-8") as source:
        return next(f"/src/scalar.rs:{number}" for number, line in enumerate(source, 1) if "let z = r * r;" in line)


def main(printer, plugin, folder, robots):
    print("example,ticks,counted," + ",".join(ROOMS + EXTRAS))
    square = squared_angle()
    for robot in robots:
        image = os.path.join(folder, robot)
        listed, frames = instructions(image)
        known = symbols(image)
        counts, ticks, mean = executed(image, printer, plugin)
        sums = collections.Counter()
        for address, times in counts.items():
            sums[room(frames.get(address, []))] += times
        inside = sum(sums[r] for r in ROOMS) / ticks
        if not 0.8 * mean < inside < 1.02 * mean:
            sys.exit(f"{robot}: {inside:.0f} instructions a tick in rooms, {mean} counted by the chip")
        calls = lambda part: sum(counts[a] for name, a in known.items() if part in name and a in counts)
        once = lambda mnemonic: sum(times for a, times in counts.items() if listed.get(a) == mnemonic)
        pairs = sum(times for a, times in counts.items()
                    if listed.get(a) == "vmul.f32" and any(re.search(square + r"\b", frame) for frame in frames.get(a, [])))
        extra = [once("vdiv.f32"), calls("libm::math::sqrt::sqrtf"), pairs, calls("math::powf::powf"), calls("atan2f::atan2f")]
        print(",".join([robot, str(ticks), str(mean)] + [f"{n / ticks:.0f}" for n in [sums[r] for r in ROOMS]] + [f"{n / ticks:.1f}" for n in extra]),
              flush=True)


main(sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3], sys.argv[4:])
