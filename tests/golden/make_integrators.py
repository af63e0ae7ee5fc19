#!/usr/bin/env python3
"""Writes integrators.txt: small models and what MuJoCo 3.10.0 makes of them with each integrator, for tests/integrators/engine.rs.

    python make_integrators.py > integrators.txt        (needs mujoco==3.10.0)

One thing a line, the first word says what:
  model NAME, then options, body, joint, equality lines: the compiled numbers in the layout of delassus::description;
  start:  configuration and velocity;
  steps INTEGRATOR COUNT: configuration and velocity after COUNT steps from the start, then the acceleration that is
  reported (qacc) and the one that is saved (qacc_warmstart).
The solver is run to its end (no tolerance), so that what is compared is the integrator.
"""
import mujoco
import numpy as np

FREE = '<joint type="free" {}/>'
SPIN = '<inertial pos="{}" mass="1.5" diaginertia="0.2 0.5 0.4" quat="0.9 0.1 -0.3 0.2"/>'
DAMPED = 'damping="0.1 0.05 0.02"'


def world(bodies, rest="", flags="", option=""):
    return f"""<mujoco><compiler angle="radian"/><option timestep="0.005" iterations="200" tolerance="0" {option}>
    <flag contact="disable" {flags}/></option><worldbody>{bodies}</worldbody>{rest}</mujoco>"""


def free(center, joint="", inside="", position="0.3 -0.2 1"):
    return f'<body pos="{position}" quat="0.8 0.2 -0.4 0.4">{FREE.format(joint)}{SPIN.format(center)}{inside}</body>'


def link(joints, inside="", position="0.1 0.05 -0.4", mass=0.7, extra=""):
    inertial = f'<inertial pos="0.05 -0.1 -0.2" mass="{mass}" diaginertia="0.03 0.02 0.025" quat="0.8 0.3 0.1 -0.2"/>'
    return f'<body pos="{position}" quat="0.95 0.1 0.2 -0.1" {extra}>{joints}{inertial}{inside}</body>'


HINGE = '<joint type="hinge" axis="0.2 1 0.1" pos="0 0.02 0.1" stiffness="3 0.5 0.2" damping="0.2 0.1 0.05" armature="0.01"/>'
SLIDE = '<joint type="slide" axis="1 0.3 0.2" stiffness="40 5 60" damping="1 0.3 0.1" springref="0.05" ref="0.1"/>'
BALL = '<joint type="ball" pos="0 0 0.1" stiffness="2 0.4 0.1" damping="0.1 0.02 0.05" armature="0.02"/>'
LIMITED = '<joint type="hinge" axis="0 1 0" limited="true" range="-0.3 0.35" margin="0.02" damping="0.05"/>'
DRY = '<joint type="hinge" axis="1 0 0" frictionloss="0.4" damping="0.05"/>'
PLAIN = '<joint type="hinge" axis="0 1 0.3"/>'
MASSLESS = '<body pos="0.1 0 0"><inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/></body>'
HEAVY = '<body pos="0.1 0 0"><inertial pos="0 0 0" mass="0.2" diaginertia="0.001 0.001 0.001"/></body>'
ARM = link(HINGE, link(SLIDE + HINGE, link(BALL)))
STIFF = link('<joint type="hinge" axis="0 1 0" damping="5 1 2"/>', link('<joint type="hinge" axis="1 0 0" damping="8"/>'))

MODELS = {
    "free_aligned": world(free("0 0 0", DAMPED)),
    "free_offset": world(free("0.1 -0.05 0.2", DAMPED)),
    "free_springy": world(free("0 0 0", 'stiffness="5 1 2" damping="0.3"')),
    "free_armature": world(free("0.02 0 0.1", 'armature="0.05"')),
    "free_no_gravity": world(free("0.1 -0.05 0.2"), flags='gravity="disable"'),
    "free_compensated": world(free("0.1 0 0").replace("<body ", '<body gravcomp="0.7" ', 1)),
    "free_massless_child": world(free("0 0 0", inside=MASSLESS) + free("0 0 0", inside=HEAVY, position="2 0 0")),
    "free_held": world(free("0 0 0") + free("0 0 0", position="3 0 0"),
                       '<equality><connect body1="1" anchor="0.1 0 0"/></equality>'.replace('"1"', '"held"')).replace(
                           "<body ", '<body name="held" ', 1),
    "free_dry": world(free("0 0 0", 'frictionloss="0.2"')),
    "free_above_a_hinge": world(free("0 0 0", inside=link(PLAIN))),
    "arm": world(ARM),
    "arm_no_euler_damping": world(ARM, flags='eulerdamp="disable"'),
    "arm_no_damper": world(ARM, flags='damper="disable"'),
    "arm_no_spring": world(ARM, flags='spring="disable"'),
    "arm_no_passive": world(ARM, flags='spring="disable" damper="disable"'),
    "stiff": world(STIFF, option=""),
    "tree": world(free("0.1 0 0.05", DAMPED, inside=link(HINGE, link(BALL, position="0.3 0 0.1")) + link(SLIDE))),
    "limits": world(link(LIMITED, link(DRY, link(LIMITED)))),
    "coupled": world(
        link('<joint name="a" type="hinge" axis="0 1 0"/>', link('<joint name="b" type="hinge" axis="0 1 0" damping="0.2"/>')),
        '<equality><joint joint1="b" joint2="a" polycoef="0.1 -0.5 0.2 0 0"/></equality>'),
    "welded": world(
        link(BALL, extra='name="first"') + link(BALL, position="0.5 0 -0.4", extra='name="second"'),
        '<equality><weld body1="first" body2="second" solref="0.05 1" torquescale="0.7"/></equality>'),
}

INTEGRATORS = {"Euler": 0, "RungeKutta": 1, "Implicit": 2, "ImplicitFast": 3}


def number(x):
    x = float(x)
    return "0" if x == 0 else repr(x)[:-2] if repr(x).endswith(".0") else repr(x)


def line(*things):
    words = []
    for thing in things:
        words += [thing] if isinstance(thing, str) else [number(x) for x in np.ravel(thing)]
    print(" ".join(words))


def describe(model):
    disable = model.opt.disableflags
    on = lambda bit: 0 if disable & int(bit) else 1
    bits = mujoco.mjtDisableBit
    flags = [on(b) for b in (bits.mjDSBL_EULERDAMP, bits.mjDSBL_GRAVITY, bits.mjDSBL_SPRING, bits.mjDSBL_DAMPER)]
    line("options", model.opt.timestep, model.opt.gravity, flags)
    for b in range(1, model.nbody):
        line("body", model.body_parentid[b] - 1, model.body_pos[b], model.body_quat[b], model.body_mass[b],
             model.body_ipos[b], model.body_inertia[b], model.body_iquat[b], model.body_gravcomp[b])
    for j in range(model.njnt):
        dof, q = model.jnt_dofadr[j], model.jnt_qposadr[j]
        single = model.jnt_type[j] >= 2
        line("joint", model.jnt_bodyid[j] - 1, model.jnt_type[j], model.jnt_pos[j], model.jnt_axis[j],
             model.qpos0[q] if single else 0, model.qpos_spring[q] if single else 0,
             model.jnt_stiffness[j], model.jnt_stiffnesspoly[j], model.dof_damping[dof], model.dof_dampingpoly[dof],
             model.dof_armature[dof], model.dof_frictionloss[dof], model.jnt_limited[j], model.jnt_range[j],
             model.jnt_margin[j])
    for e in range(model.neq):
        kind = {0: "connect", 1: "weld", 2: "coupling"}[int(model.eq_type[e])]
        ends = [model.eq_obj1id[e], model.eq_obj2id[e]]
        if kind != "coupling":
            ends = [ends[0] - 1, ends[1] - 1]
        data = model.eq_data[e]
        data = {"connect": data[:3], "weld": [*data[:3], data[10]], "coupling": data[:5]}[kind]
        line("equality", kind, ends, model.eq_solref[e], data)


def start(model, seed):
    random = np.random.default_rng(seed)
    data = mujoco.MjData(model)
    data.qpos += random.uniform(-0.15, 0.15, model.nq)
    for j in range(model.njnt):
        if model.jnt_type[j] < 2:
            q = model.jnt_qposadr[j] + (3 if model.jnt_type[j] == 0 else 0)
            data.qpos[q:q + 4] /= np.linalg.norm(data.qpos[q:q + 4])
    data.qvel += random.uniform(-2, 2, model.nv)
    return data.qpos.copy(), data.qvel.copy()


print(f"# MuJoCo {mujoco.__version__}, by make_integrators.py")
for seed, (name, text) in enumerate(MODELS.items()):
    model = mujoco.MjModel.from_xml_string(text)
    line("model", name)
    describe(model)
    qpos, qvel = start(model, seed)
    line("start", qpos, qvel)
    for integrator, code in INTEGRATORS.items():
        model.opt.integrator = code
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:] = qpos, qvel
        for count in range(1, 101):
            mujoco.mj_step(model, data)
            if count in (1, 10, 100):
                line("steps", integrator, count, data.qpos, data.qvel, data.qacc, data.qacc_warmstart)
