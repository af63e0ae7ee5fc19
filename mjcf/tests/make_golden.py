#!/usr/bin/env python3
"""Compile models/*.xml with MuJoCo 3.10.0; write what the reader must find to golden/*.json and how the models move to motion/*.json.

usage: make_golden.py        (needs the packages mujoco==3.10.0 and numpy)
"""
import glob
import json
import os

import mujoco
import numpy as np

assert mujoco.__version__ == "3.10.0", mujoco.__version__
HERE = os.path.dirname(os.path.abspath(__file__))
FIELDS = {
    "body": "parentid pos quat ipos iquat mass inertia gravcomp",
    "jnt": "type bodyid pos axis stiffness stiffnesspoly range limited margin solref solimp actfrclimited actfrcrange actgravcomp",
    "dof": "jntid damping dampingpoly armature frictionloss solref solimp",
    "geom": "type bodyid contype conaffinity condim priority size pos quat friction solmix solref solimp margin gap",
    "site": "bodyid pos quat",
    "eq": "type obj1id obj2id objtype active0 solref solimp data",
    "pair": "geom1 geom2 dim friction solref solreffriction solimp margin gap",
    "tendon": "num stiffness stiffnesspoly damping dampingpoly lengthspring armature frictionloss limited range margin"
              " actfrclimited actfrcrange solref_lim solimp_lim solref_fri solimp_fri",
    "wrap": "type objid prm",
    "actuator": "trntype trnid gear gaintype gainprm biastype biasprm ctrllimited ctrlrange forcelimited forcerange"
                " damping dampingpoly armature",
}
COUNTS = {"body": "nbody", "jnt": "njnt", "dof": "nv", "geom": "ngeom", "site": "nsite", "eq": "neq", "pair": "npair",
          "tendon": "ntendon", "actuator": "nu"}
ACCESS = {"body": "body", "jnt": "joint", "geom": "geom", "site": "site", "eq": "equality", "pair": "pair",
          "tendon": "tendon", "actuator": "actuator"}


def words(kind, prefix):
    return {int(v): k[len(prefix):].lower() for k, v in kind.__members__.items() if k.startswith(prefix)}


def compiled(m):
    out = {}
    for part, names in FIELDS.items():
        if part in ("tendon", "wrap", "actuator") and not getattr(m, "n" + part if part != "actuator" else "nu"):
            continue
        out[part] = {n: np.array(getattr(m, f"{part}_{n}")).tolist() for n in names.split()}
        if part in ACCESS:
            out[part]["name"] = [getattr(m, ACCESS[part])(i).name for i in range(getattr(m, COUNTS[part]))]
    out["qpos0"] = m.qpos0.tolist()
    out["qpos_spring"] = m.qpos_spring.tolist()
    out["exclude_signature"] = m.exclude_signature.tolist()
    out["key"] = {n: np.array(getattr(m, f"key_{n}")).tolist() for n in "time qpos qvel ctrl".split()}
    out["key"]["name"] = [m.key(i).name for i in range(m.nkey)]
    o = m.opt
    out["opt"] = {n: np.array(getattr(o, n)).tolist() for n in (
        "timestep gravity impratio iterations tolerance ls_iterations ls_tolerance noslip_iterations noslip_tolerance jacobian").split()}
    out["opt"]["integrator"] = words(mujoco.mjtIntegrator, "mjINT_")[o.integrator]
    out["opt"]["cone"] = words(mujoco.mjtCone, "mjCONE_")[o.cone]
    out["opt"]["solver"] = words(mujoco.mjtSolver, "mjSOL_")[o.solver]
    out["opt"]["disable"] = [w for b, w in words(mujoco.mjtDisableBit, "mjDSBL_").items() if o.disableflags & b]
    out["opt"]["enable"] = [w for b, w in words(mujoco.mjtEnableBit, "mjENBL_").items() if o.enableflags & b]
    return out


STEPS = [1, 10, 100]


def roll(m, q, v, u):
    """The states after STEPS."""
    d = mujoco.MjData(m)
    d.qpos[:], d.qvel[:], d.ctrl[:] = q, v, u
    states = []
    for n in range(1, STEPS[-1] + 1):
        mujoco.mj_step(m, d)
        if n in STEPS:
            states.append(np.concatenate([d.qpos, d.qvel]))
    return states


def motion(m):
    """A random state near the reference, its acceleration, the states after some steps, and how a slip of the start grows."""
    rng = np.random.default_rng(1)
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.2 * rng.normal(size=m.nv), 1.0)
    for j in range(m.njnt):
        if m.jnt_limited[j] and m.jnt_type[j] in (2, 3):
            a = m.jnt_qposadr[j]
            d.qpos[a] = np.clip(d.qpos[a], m.jnt_range[j][0] - 0.01, m.jnt_range[j][1] + 0.01)
    d.qvel[:] = 0.5 * rng.normal(size=m.nv)
    d.ctrl[:] = rng.normal(size=m.nu)
    q, v, u = d.qpos.copy(), d.qvel.copy(), d.ctrl.copy()
    mujoco.mj_forward(m, d)
    inertia = np.zeros(m.nv)
    mujoco.mj_mulM(m, d, inertia, d.qacc)
    states, slipped = roll(m, q, v, u), roll(m, q, v + 1e-9 * rng.normal(size=m.nv), u)
    return {
        "state": {"qpos": q.tolist(), "qvel": v.tolist(), **({"ctrl": u.tolist()} if m.nu else {})},
        "rows": int(d.nefc),
        "acceleration": d.qacc.tolist(),
        "constraint_force": d.qfrc_constraint.tolist(),
        "residual": float(np.abs(inertia - d.qfrc_smooth - d.qfrc_constraint).max()),
        "steps": STEPS,
        "states": [s.tolist() for s in states],
        "growth": [float(np.abs(a - b).max() / 1e-9) for a, b in zip(states, slipped)],
    }


def write(folder, name, content):
    with open(os.path.join(HERE, folder, name + ".json"), "w") as f:
        lines = []
        for part, value in content.items():
            if isinstance(value, dict):
                inner = ",\n".join(f'  "{k}": {json.dumps(v)}' for k, v in value.items())
                lines.append(f' "{part}": {{\n{inner}\n }}')
            else:
                lines.append(f' "{part}": {json.dumps(value)}')
        f.write("{\n" + ",\n".join(lines) + "\n}\n")


# The README's line for robots in URDF.
mujoco.mj_saveLastXML(os.path.join(HERE, "models", "from_urdf.xml"), mujoco.MjModel.from_xml_path(os.path.join(HERE, "models", "parts", "arm.urdf")))
for path in sorted(glob.glob(os.path.join(HERE, "models", "*.xml"))):
    model = mujoco.MjModel.from_xml_path(path)
    name = os.path.splitext(os.path.basename(path))[0]
    write("golden", name, compiled(model))
    if model.nv and not name.startswith("options"):  # they are there for their options alone
        write("motion", name, motion(model))
    print(name, model.nbody, "bodies", model.nv, "dofs")
