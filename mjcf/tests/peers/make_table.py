#!/usr/bin/env python3
"""Make table.md: what the command does with every model file of the packages gymnasium and dm-control, beside MuJoCo.

usage: make_table.py            (needs the packages mujoco==3.10.0, numpy, gymnasium and dm-control, and cargo)

Each file is one of
  agrees    sizes, accelerations, constraint forces in a random state, and the states after 1, 10 and 100 steps are MuJoCo's;
  sensitive the states are not from some step on, but there MuJoCo's own change as much when the start is 1e-9 aside: the motion
            hangs on its last digit;
  DIFFERS   they are not;
  refused   with a reason that names an element and its line; that the element is there, and that the model as MuJoCo compiled it
            has what the reason speaks of, is checked;
  no model  MuJoCo refuses the file as well: a part to be included, or not meant to be read;
  loads     MuJoCo misses the file of a mesh or texture that is only drawn, which is not looked for here.
Exit status 1 if any differs, fails, or is refused for a reason that is not found to be true.
"""
import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

import mujoco
import numpy as np

assert mujoco.__version__ == "3.10.0", mujoco.__version__
HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = {"gymnasium": 14, "dm_control": 65}
STEPS = [1, 10, 100]
GEOM = mujoco.mjtGeom
UNKNOWN_SHAPES = (GEOM.mjGEOM_HFIELD, GEOM.mjGEOM_ELLIPSOID, GEOM.mjGEOM_CYLINDER, GEOM.mjGEOM_MESH, GEOM.mjGEOM_SDF)


def command():
    """The built command."""
    build = ["cargo", "build", "--release", "-p", "delassus-mjcf", "--bin", "delassus", "--message-format=json"]
    out = subprocess.run(build, cwd=HERE, stdout=subprocess.PIPE, check=True, text=True).stdout
    messages = [json.loads(line) for line in out.splitlines()]
    return [m["executable"] for m in messages if m.get("executable")][-1]


DELASSUS = command()


def run(*arguments):
    return subprocess.run([DELASSUS, *arguments], capture_output=True, text=True, timeout=300)


def state(m, rng):
    """A random state near the reference, and controls."""
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.05 * rng.normal(size=m.nv), 1.0)
    d.qvel[:] = 0.2 * rng.normal(size=m.nv)
    d.ctrl[:] = 0.2 * rng.normal(size=m.nu)
    return d


SLIP = 1e-9
SLIPS = 6


def roll(m, d, slip):
    """The states after STEPS, the start being so far aside."""
    d = d.__copy__()
    mujoco.mj_integratePos(m, d.qpos, slip, 1.0)
    d.qvel[:] += slip
    states = []
    for n in range(1, STEPS[-1] + 1):
        mujoco.mj_step(m, d)
        if n in STEPS:
            states.append(np.concatenate([d.qpos, d.qvel]))
    return states


def off(found, wanted):
    """Largest difference against the largest number, at least 1."""
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    if found.shape != wanted.shape:
        return np.inf
    return float(np.abs(found - wanted).max(initial=0) / np.abs(wanted).max(initial=1))


def agreement(path, m):
    """(kind, text of the figures)"""
    if m.opt.solver == mujoco.mjtSolver.mjSOL_NEWTON:  # both to the last digit
        m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = 0, 200, 100
    exact = m.opt.solver == mujoco.mjtSolver.mjSOL_NEWTON
    rng = np.random.default_rng(1)
    d = state(m, rng)
    start = d.__copy__()
    mujoco.mj_forward(m, d)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        content = {"qpos": start.qpos.tolist(), "qvel": start.qvel.tolist()}
        if m.nu:
            content["ctrl"] = start.ctrl.tolist()
        json.dump(content, f)
        f.flush()
        forward = run("forward", path, "--state", f.name)
        motion = run("simulate", path, "--state", f.name, "--checkpoints", ",".join(map(str, STEPS)))
    for answer in (forward, motion):
        if answer.returncode:
            return "DIFFERS", answer.stderr.strip()
    forward, points = json.loads(forward.stdout), json.loads(motion.stdout)["checkpoints"]
    acceleration = off(forward["acceleration"], d.qacc)
    force = off(forward["constraint_force"], d.qfrc_constraint)
    states = roll(m, start, np.zeros(m.nv))
    slipped = [roll(m, start, SLIP * rng.normal(size=m.nv)) for _ in range(SLIPS)]
    # The same last digits may differ: what a slip of SLIP does, and where that is much, that it does as much.
    kind = "agrees" if acceleration < (1e-7 if exact else 1e-3) and len(forward["rows"]) == d.nefc else "DIFFERS"
    errors = []
    for k, (wanted, point) in enumerate(zip(states, points)):
        error = off(point["qpos"] + point["qvel"], wanted)
        aside = max(off(other[k], wanted) for other in slipped)
        # After a step that hangs on the last digit, later ones are other motions.
        if kind == "agrees" and error >= (1e-8 if exact else 1e-3) + min(aside, 1e-4):
            kind = "sensitive" if aside > 1e-4 and error < 3 * aside else "DIFFERS"
        errors.append(error)
    figures = [acceleration, force, *errors]
    rows = f"{len(forward['rows'])} rows" + ("" if len(forward["rows"]) == d.nefc else f", MuJoCo has {d.nefc}")
    return kind, "; ".join([rows, *(f"{x:.0e}" for x in figures)])


def can_touch(m, geom):
    """Whether the geom meets the filters of any other (the same body, a parent that is not the world, bits)."""
    weld = m.body_weldid[m.geom_bodyid]
    parent = m.body_weldid[m.body_parentid[weld]]
    bits = (m.geom_contype[geom] & m.geom_conaffinity) | (m.geom_conaffinity[geom] & m.geom_contype)
    kin = (weld != 0) & (weld[geom] != 0) & ((parent == weld[geom]) | (weld == parent[geom]))
    return bool(((bits != 0) & (weld != weld[geom]) & ~kin).any())


def is_true(reason, path, m):
    """Whether the file has the element at the line, and the compiled model what the reason speaks of."""
    place = re.search(r"(\S+\.xml):(\d+): <(\w+)", reason)
    if place:
        file, line, tag = place.groups()
        with open(file, encoding="utf-8") as f:
            lines = f.read().split("\n")
        if f"<{tag}" not in lines[int(line) - 1]:
            return False
    unknown = [g for g in range(m.ngeom) if m.geom_type[g] in tuple(map(int, UNKNOWN_SHAPES))]
    named = re.search(r'<geom name="([^"]+)">: \w+ [\w ]+ that can touch', reason)
    touching = [g for g in unknown if can_touch(m, g) and (not named or m.geom(g).name == named.group(1))]
    size = f"{m.nbody - 1} bodies and {m.nv} degrees of freedom"
    facts = [
        (r"actuator", m.nu > 0),
        (r"tendon", m.ntendon > 0),
        (r"that can touch", bool(touching)),
        (r"inertia of a mesh", m.nmesh > 0),
        (r"actuators of kind", bool((m.actuator_dyntype != 0).any() or (m.actuator_biastype > 1).any())),
        (r"mocap", m.nmocap > 0),
        (r"density|viscosity|wind|fluid", m.opt.density > 0 or m.opt.viscosity > 0 or bool((m.geom_fluid[:, 0] > 0).any())),
        (r"degrees of freedom", size in reason),
        (r"boxes", int((m.geom_type == GEOM.mjGEOM_BOX).sum()) >= 2),
        (r"plugin", m.nplugin > 0),
        (r"skin|flex", m.nskin > 0 or m.nflex > 0),
    ]
    matches = [fact for pattern, fact in facts if re.search(pattern, reason)]
    return bool(place or re.search(r"degrees of freedom", reason)) and (any(matches) or not matches and bool(place))


def one_line(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def row(path, root):
    """(kind, cells of the table)"""
    name = os.path.relpath(path, root)
    shorten = lambda text: one_line(text).replace(root + os.sep, "").replace(os.path.dirname(name) + os.sep, "")
    found = json.loads(run("inspect", path, "--json").stdout)
    try:
        m = mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        kind = "no model"
        if found["supported"]:  # what is only drawn need not be there
            kind = "loads" if "Error opening file" in str(error) else "DIFFERS"
        return kind, [name, "", "", kind, f"MuJoCo: {shorten(error)[:90]}"]
    sizes = [str(m.nbody - 1), str(m.nv)]
    if not found["supported"]:
        kind = "refused" if is_true(found["reason"], path, m) else "REFUSED WITHOUT CAUSE"
        return kind, [name, *sizes, kind, shorten(found["reason"])]
    if [found["sizes"][k] for k in ("bodies", "dofs")] != [m.nbody - 1, m.nv]:
        return "DIFFERS", [name, *sizes, "DIFFERS", f"{found['sizes']}"]
    kind, text = agreement(path, m)
    return kind, [name, *sizes, kind, shorten(text)]


def main():
    lines, counts = [], {}
    for package, expected in PACKAGES.items():
        folder = os.path.dirname(importlib.util.find_spec(package).origin)
        root = os.path.dirname(folder)
        paths = sorted(os.path.join(d, f) for d, _, files in os.walk(folder) for f in files if f.endswith(".xml"))
        if len(paths) != expected:
            print(f"note: {package} has {len(paths)} model files here, {expected} when this was written", file=sys.stderr)
        for path in paths:
            kind, cells = row(path, root)
            counts[kind] = counts.get(kind, 0) + 1
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    versions = {name: importlib.metadata.version(name) for name in ("gymnasium", "dm-control", "mujoco")}
    head = [
        "# The model files of gymnasium and dm-control",
        "",
        "Made by `make_table.py`, which says what the words mean, with " + ", ".join(f"{k} {v}" for k, v in versions.items()) + ".",
        "Figures: rows in a random state; then differences from MuJoCo, relative to the largest number: acceleration, constraint force, and",
        "the states after 1, 10 and 100 steps.",
        "",
        ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())),
        "",
        "| file | bodies | dofs | | figures or reason |",
        "|---|---|---|---|---|",
    ]
    with open(os.path.join(HERE, "table.md"), "w", encoding="utf-8") as f:
        f.write("\n".join(head + lines) + "\n")
    print(counts)
    return int(any(kind.isupper() for kind in counts))


if __name__ == "__main__":
    sys.exit(main())
