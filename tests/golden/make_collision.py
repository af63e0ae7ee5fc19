"""Asks MuJoCo 3.10.0 for the contacts that tests/collision compares with.

    python make_collision.py poses  [cases a pair] [seed] > collision_poses.txt
    python make_collision.py scenes [scenes]       [seed] > collision_scenes.txt

poses: one geom of the world and one of a free body, every pair of shapes, half of the poses random, half degenerate
(coincident centres, parallel axes, flat faces, touching exactly). Lengths are multiples of 1/1024 and degenerate orientations
are turns whose matrices hold only 0 and 1, so that both sides compute the degenerate ones without rounding and take the same
side of every tie.

    shape shape, sizes of both, margin gap, position and quaternion of both [1/1024; quaternions to be normalised],
    contacts, then for each: distance, position, normal, and first tangent for plane-capsule and sphere-sphere

scenes: several bodies in trees, random filters, priorities, softness, explicit pairs and excludes. Contacts of two boxes are
left out of the answer. Gaps only where no body has two geoms (X-68).

    scene bodies geoms pairs excludes filterparent
    body parent group position quaternion       (-1: the world; the pose in the world)
    geom body shape sizes position quaternion contype conaffinity condim priority friction*3 solmix margin gap solref*2 solimp*5
    pair geom geom condim friction*5 margin gap solref*2 solimp*5 solreffriction*2
    exclude body body
    boxes how many contacts of two boxes were left out
    contact geom geom distance position normal tangent dim friction*5 solref*2 solreffriction*2 solimp*5 includemargin
"""

import random
import sys

import mujoco
import numpy as np

SHAPES = ["plane", "sphere", "capsule", "box"]
SIZES = {"plane": 0, "sphere": 1, "capsule": 2, "box": 3}
PAIRS = [("plane", "sphere"), ("plane", "capsule"), ("plane", "box"), ("sphere", "sphere"), ("sphere", "capsule"),
         ("sphere", "box"), ("capsule", "capsule"), ("capsule", "box")]
UNIT = 1.0 / 1024.0
EXACT = ([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)] +
         [(1, x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


def number(x):
    """12 digits behind the point, and no -0."""
    return "%.13g" % (round(float(x), 12) + 0.0)


def unit(q):
    q = np.array(q, float)
    return q / np.sqrt(q @ q)


def turned(q, v):
    out = np.zeros(3)
    mujoco.mju_rotVecQuat(out, np.array(v, float), unit(q))
    return out


def pose_case(rng, one, two, degenerate):
    sizes = [[rng.randint(20, 300) for _ in range(SIZES[s])] for s in (one, two)]
    reach = sum(sum(s) for s in sizes)
    margin, gap = (rng.choice([0, 0, 16, 64]), rng.choice([0, 0, 32]))
    p1 = [rng.randint(-1024, 1024) for _ in range(3)]
    if degenerate:
        q1, q2 = rng.choice(EXACT), rng.choice(EXACT)
        if rng.random() < 0.5:
            q2 = q1
        # along one or two axes of the first, by sums of sizes, so that surfaces and ends meet exactly
        steps = [0] + [s for part in sizes for s in part] + [sum(part) for part in sizes] + [reach, margin + gap]
        offset = [0, 0, 0]
        for axis in rng.sample(range(3), rng.choice([0, 1, 1, 2, 3])):
            offset[axis] = rng.choice([-1, 1]) * (rng.choice(steps) + rng.choice([0, 0, 0, rng.choice(steps)]))
        p2 = [p + o for p, o in zip(p1, offset)]
    else:
        q1, q2 = ([rng.randint(-99, 99) for _ in range(4)] for _ in range(2))
        if not any(q1) or not any(q2):
            q1, q2 = (1, 0, 0, 0), (1, 2, 3, 4)
        direction = np.array([rng.gauss(0, 1) for _ in range(3)])
        direction /= np.linalg.norm(direction)
        if one == "plane":
            direction = turned(q1, (0, 0, 1)) * rng.choice([-1, 1, 1, 1])
        p2 = [p + round(float(d)) for p, d in zip(p1, direction * reach * rng.uniform(0.0, 0.75))]
    return sizes, margin, gap, p1, q1, p2, q2


def pose_model(one, two):
    plain = {"plane": "1 1 1", "sphere": "1", "capsule": "1 1", "box": "1 1 1"}
    return mujoco.MjModel.from_xml_string(f"""<mujoco><option><flag midphase="disable"/></option><worldbody>
        <geom type="{one}" size="{plain[one]}"/><body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <geom type="{two}" size="{plain[two]}"/></body></worldbody></mujoco>""")


def bound(shape, size):
    return {"plane": 0.0, "sphere": sum(size), "capsule": sum(size), "box": float(np.linalg.norm(size))}[shape]


def poses(cases, seed):
    rng = random.Random(seed)
    for one, two in PAIRS:
        m = pose_model(one, two)
        d = mujoco.MjData(m)
        m.geom_sameframe[0] = 0
        for case in range(cases):
            sizes, margin, gap, p1, q1, p2, q2 = pose_case(rng, one, two, case % 2 == 1)
            for g, (shape, size) in enumerate(((one, sizes[0]), (two, sizes[1]))):
                size = [x * UNIT for x in size]
                if shape != "plane":
                    m.geom_size[g] = (size + [0, 0, 0])[:3]
                m.geom_rbound[g] = bound(shape, size)
            m.geom_margin[0], m.geom_gap[0] = margin * UNIT, gap * UNIT
            m.geom_pos[0], m.geom_quat[0] = [x * UNIT for x in p1], unit(q1)
            d.qpos[:3], d.qpos[3:] = [x * UNIT for x in p2], unit(q2)
            mujoco.mj_fwdPosition(m, d)
            words = [one, two, *map(str, sizes[0] + sizes[1] + [margin, gap, *p1, *q1, *p2, *q2]), str(d.ncon)]
            for c in d.contact[:d.ncon]:
                assert list(c.geom) == [0, 1]
                words += [number(x) for x in (c.dist, *c.pos, *c.frame[:3])]
                if (one, two) in (("plane", "capsule"), ("sphere", "sphere")):
                    words += [number(x) for x in c.frame[3:6]]
            print(*words)


def text(values):
    return " ".join(repr(float(v)) if isinstance(v, float) else str(v) for v in values)


def softness(rng):
    solref = rng.choice([[0.02, 1.0], [round(rng.uniform(0.005, 0.1), 3), round(rng.uniform(0.2, 2), 2)],
                         [-float(rng.randint(100, 9000)), -float(rng.randint(1, 90))]])
    solimp = [round(rng.uniform(0.5, 0.9), 3), round(rng.uniform(0.9, 0.99), 3), round(rng.uniform(1e-4, 0.01), 4),
              round(rng.uniform(0.1, 0.9), 2), float(rng.randint(1, 4))]
    return solref, rng.choice([solimp, [0.9, 0.95, 0.001, 0.5, 2.0]])


def friction(rng, count):
    scale = [1.0, 0.01, 0.001] if count == 3 else [1.0, 1.0, 0.01, 0.001, 0.001]
    return [rng.choice([0.0, round(s * rng.uniform(0.1, 2), 6), round(s * rng.uniform(0.1, 2), 6)]) for s in scale]


def scene(rng, single):
    bodies, path = [], [-1]
    for i in range(rng.randint(2, 6)):
        parent = rng.choice(path)
        path = path[: path.index(parent) + 1] + [i]
        bodies.append({"parent": parent, "joint": rng.random() < 0.65,
                       "pos": [round(rng.uniform(-0.2, 0.2), 3) for _ in range(3)]})
    geoms = []
    for body in range(-1, len(bodies)):
        for _ in range(1 if single else rng.randint(0 if body >= 0 else 1, 3)):
            shape = rng.choice(SHAPES if body < 0 else SHAPES[1:])
            solref, solimp = softness(rng)
            geoms.append({"body": body, "shape": shape, "size": [round(rng.uniform(0.05, 0.25), 3) for _ in range(SIZES[shape])],
                          "pos": [round(rng.uniform(-0.15, 0.15), 3) for _ in range(3)],
                          "quat": [float(rng.randint(-9, 9)) for _ in range(3)] + [float(rng.randint(1, 9))],
                          "contype": rng.choice([1, 1, 1, 0, 2, 3]), "conaffinity": rng.choice([1, 1, 1, 0, 2, 3]),
                          "condim": rng.choice([1, 3, 4, 6]), "priority": rng.choice([0, 0, 0, 1, -1]),
                          "friction": friction(rng, 3), "solmix": rng.choice([1.0, 1.0, 0.0, round(rng.uniform(0, 3), 2), 1e-16]),
                          "margin": rng.choice([0.0, 0.01, 0.05]), "gap": rng.choice([0.0, 0.05, 0.1]) if single else 0.0,
                          "solref": solref, "solimp": solimp})
    still = [True] * (len(bodies) + 1)  # the last stands for -1
    for i, b in enumerate(bodies):
        still[i] = not b["joint"] and still[b["parent"]]
    pairs = []
    for _ in range(rng.choice([0, 2, 5])):
        a, b = rng.sample(range(len(geoms)), 2) if len(geoms) > 1 else (0, 0)
        both = [geoms[a]["body"], geoms[b]["body"]]
        if a == b or all(still[x] for x in both) or any({a, b} == set(p["geoms"]) for p in pairs):
            continue
        if geoms[a]["shape"] == geoms[b]["shape"] == "box":
            continue
        solref, solimp = softness(rng)
        pairs.append({"geoms": [a, b], "condim": rng.choice([1, 3, 4, 6]), "friction": friction(rng, 5),
                      "margin": rng.choice([0.0, 0.1]), "gap": 0.0, "solref": solref, "solimp": solimp,
                      "solreffriction": rng.choice([[0.0, 0.0], [0.03, 0.7]])})
    excludes = [rng.sample(range(-1, len(bodies)), 2) for _ in range(rng.choice([0, 0, 1, 2]))]
    excludes = [e for i, e in enumerate(excludes) if not any(set(e) == set(f) for f in excludes[:i])]
    return bodies, geoms, pairs, excludes, rng.random() < 0.7


def scene_xml(bodies, geoms, pairs, excludes, filter_parent):
    def attributes(pairs_of):
        return " ".join(f'{k}="{text(v if isinstance(v, list) else [v])}"' for k, v in pairs_of)

    def inside(body):
        out = ""
        for i, g in enumerate(geoms):
            if g["body"] == body:
                size = g["size"] or [1.0, 1.0, 1.0]
                keys = ("pos", "quat", "contype", "conaffinity", "condim", "priority", "friction", "solmix", "margin", "gap",
                        "solref", "solimp")
                out += f'<geom name="g{i}" type="{g["shape"]}" size="{text(size)}" {attributes((k, g[k]) for k in keys)}/>'
        for i, b in enumerate(bodies):
            if b["parent"] == body:
                joint = ('<joint type="free"/>' if body < 0 else '<joint type="ball"/>') if b["joint"] else ""
                out += f'<body name="b{i}" pos="{text(b["pos"])}">{joint}<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{inside(i)}</body>'
        return out

    name = lambda b: "world" if b < 0 else f"b{b}"
    contact = "".join(f'<pair geom1="g{p["geoms"][0]}" geom2="g{p["geoms"][1]}" ' + attributes(
        (k, p[k]) for k in ("condim", "friction", "margin", "gap", "solref", "solimp", "solreffriction")) + "/>" for p in pairs)
    contact += "".join(f'<exclude body1="{name(a)}" body2="{name(b)}"/>' for a, b in excludes)
    flag = "enable" if filter_parent else "disable"
    return (f'<mujoco><compiler autolimits="true"/><option><flag filterparent="{flag}"/></option><worldbody>{inside(-1)}</worldbody>'
            f"<contact>{contact}</contact></mujoco>")


def scenes(count, seed):
    rng = random.Random(seed)
    written = 0
    while written < count:
        parts = scene(rng, written % 2 == 0)
        bodies, geoms, pairs, excludes, filter_parent = parts
        m = mujoco.MjModel.from_xml_string(scene_xml(*parts))
        d = mujoco.MjData(m)
        for j in range(m.njnt):
            at = m.jnt_qposadr[j]
            if m.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
                d.qpos[at:at + 3] = [rng.uniform(-0.2, 0.2) for _ in range(3)]
                at += 3
            d.qpos[at:at + 4] = unit([rng.gauss(0, 1) for _ in range(4)])
        mujoco.mj_fwdPosition(m, d)
        if d.ncon < 2:
            continue
        written += 1
        print("scene", len(bodies), len(geoms), len(pairs), len(excludes), int(filter_parent))
        for i in range(1, m.nbody):
            print("body", m.body_parentid[i] - 1, m.body_weldid[i] - 1, text([float(x) for x in (*d.xpos[i], *d.xquat[i])]))
        for g in geoms:
            print("geom", g["body"], g["shape"], text([*g["size"], *g["pos"], *g["quat"], g["contype"], g["conaffinity"], g["condim"],
                  g["priority"], *g["friction"], g["solmix"], g["margin"], g["gap"], *g["solref"], *g["solimp"]]))
        for p in pairs:
            print("pair", text([*p["geoms"], p["condim"], *p["friction"], p["margin"], p["gap"], *p["solref"], *p["solimp"],
                  *p["solreffriction"]]))
        for e in excludes:
            print("exclude", *e)
        kept = [c for c in d.contact[:d.ncon] if not all(geoms[g]["shape"] == "box" for g in c.geom)]
        print("boxes", d.ncon - len(kept))
        for c in kept:
            print("contact", *c.geom, *map(number, (c.dist, *c.pos, *c.frame[:6])), c.dim,
                  *map(number, (*c.friction, *c.solref, *c.solreffriction, *c.solimp, c.includemargin)))


if __name__ == "__main__":
    assert mujoco.__version__ == "3.10.0", mujoco.__version__
    what, count, seed = sys.argv[1], int((sys.argv + [""] * 2)[2] or 0), int((sys.argv + [""] * 3)[3] or 1)
    print(f"# made by make_collision.py {what} {count or 'default'} {seed} with MuJoCo {mujoco.__version__}")
    poses(count or 240, seed) if what == "poses" else scenes(count or 40, seed)
