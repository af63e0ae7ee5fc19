#!/usr/bin/env python3
"""Writes contacts.txt: random contact scenes and what MuJoCo 3.10.0 makes of them, for tests/contacts/golden.rs.

usage: python3 make_contacts.py [scenes] [first seed] > contacts.txt      (needs mujoco==3.10.0 and numpy)

A scene is drawn from its seed alone, here and in tests/contacts/draw.rs, by the same integers (SplitMix64) over the same powers of ten,
so the file holds only seeds and answers. Scenes of more than 16 contacts or 96 rows are left out, and such as make MuJoCo warn.

    scene SEED contacts rows
    sums  twelve numbers: over contacts c weighted by w(c): distance, position, normal and t1, parameters, force; over rows r weighted
          by w(r): position, margin, K, B, d and d', velocity, ln R, a_ref; J.       w(i) = ((37 i + 11) mod 101 + 1) / 101;
          of the k-th number of several, w(i + k)
    acceleration  qacc
    after STEPS qpos qvel

Newton to the last digit: tolerance 0, 500 iterations, ls_tolerance 1e-6 (X-56).
"""
import sys

import mujoco
import numpy as np

assert mujoco.__version__ == "3.10.0", mujoco.__version__
MASK = (1 << 64) - 1
PLANE, SPHERE, CAPSULE, BOX = range(4)
SHAPE = ["plane", "sphere", "capsule", "box"]
FREE, BALL, SLIDE, HINGE = range(4)
WORD = ["free", "ball", "slide", "hinge"]
STEPS = 30


class Noise:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        x = self.state
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
        return x ^ (x >> 31)

    def below(self, count):
        return self.bits() % count

    def among(self, values):
        return values[self.below(len(values))]

    def milli(self, low, high):
        """A multiple of 0.001."""
        return (low + self.below(high - low + 1)) / 1000.0

    def vector(self, size):
        return [self.milli(-size, size) for _ in range(3)]

    def quaternion(self):
        q = [self.below(19) - 9.0 for _ in range(4)]
        return q if any(q) else [1.0, 0.0, 0.0, 0.0]

    def softness(self):
        solref = self.among([[0.02, 1.0], [0.05, 0.4], [0.008, 1.5], [-900.0, -40.0]])
        solimp = [self.milli(500, 900), self.milli(900, 990), self.milli(1, 50), self.milli(200, 800), self.among([1.0, 2.0, 3.0])]
        return solref, solimp


def geom(n, body, shape):
    g = dict(body=body, shape=shape)
    g["size"] = [n.milli(50, 150) for _ in range([0, 1, 2, 3][shape])]
    g["pos"] = n.vector(50)
    g["quat"] = [20.0, n.below(5) - 2.0, n.below(5) - 2.0, 0.0] if shape == PLANE else n.quaternion()
    g["condim"] = n.among([1, 3, 4, 6])
    g["priority"] = n.among([0, 0, 0, 1])
    g["friction"] = [n.among([1e-5, 0.01, 0.3, 0.6, 1.0, 3.0, 10.0]), n.among([1e-5, 0.005, 0.05, 0.5]), n.among([1e-5, 0.0001, 0.01, 0.2])]
    g["solmix"] = n.milli(100, 3000)
    g["margin"], g["gap"] = n.milli(0, 20), n.among([0.0, 0.0, 0.01])
    g["solref"], g["solimp"] = n.softness()
    return g


def draw(seed):
    n = Noise(seed)
    s = dict(cone=n.below(2), impratio=n.among([0.1, 0.5, 1.0, 1.0, 5.0, 100.0]), step=n.among([0.001, 0.002, 0.005]),
             integrator=n.below(4), exact=int(n.below(4) == 0), bodies=[], joints=[], qpos=[], qvel=[])
    s["geoms"] = [geom(n, -1, PLANE)]
    if n.below(3) == 0:
        s["geoms"].append(geom(n, -1, n.among([SPHERE, CAPSULE, BOX])))
    for k in range(2 + n.below(4)):
        child = k > 0 and n.below(5) < 2
        pos = n.vector(250)
        pos[2] = pos[2] if child else n.milli(50, 250)
        quat, mass, a, b, c = n.quaternion(), n.milli(300, 3000), n.milli(5, 50), n.milli(5, 50), n.milli(5, 50)
        s["bodies"].append(dict(parent=k - 1 if child else -1, pos=pos, quat=quat, mass=mass, ipos=n.vector(50),
                                inertia=[(b + c) * mass, (a + c) * mass, (a + b) * mass]))
        kinds = n.among([[HINGE], [SLIDE], [BALL], [SLIDE, HINGE]]) if child else n.among([[FREE], [FREE], [FREE], [HINGE], [SLIDE, SLIDE, HINGE], [BALL]])
        for kind in kinds:
            j = dict(body=k, kind=kind, pos=n.vector(50), axis=[n.below(9) - 4.0, n.below(9) - 4.0, 5.0], damping=n.among([0.0, 0.0, 0.3]),
                     loss=n.among([0.0, 0.0, 0.2]), range=n.below(3) == 0, armature=n.among([0.0, 0.05]))
            if kind == FREE:
                j.update(pos=[0.0] * 3, damping=0.0, loss=0.0, armature=0.0)
            s["joints"].append(j)
            if kind == FREE:
                norm = np.sqrt(sum(x * x for x in quat))
                s["qpos"] += pos + [x / norm for x in quat]
            elif kind == BALL:
                s["qpos"] += [1.0, 0.0, 0.0, 0.0]
            else:
                s["qpos"].append(n.milli(-300, 300))
            s["qvel"] += [n.milli(-1000, 1000) for _ in range([6, 3, 1, 1][kind])]
        s["geoms"].append(geom(n, k, n.among([SPHERE, CAPSULE, BOX])))
    return s


def text(x):
    return " ".join(repr(float(v)) for v in np.atleast_1d(x))


def mjcf(s):
    flags = '<flag midphase="disable"' + (' diagexact="enable"' if s["exact"] else "") + "/>"
    out = [f'<mujoco><compiler angle="radian" autolimits="false"/><option timestep="{s["step"]}" cone="{["pyramidal", "elliptic"][s["cone"]]}" '
           f'impratio="{s["impratio"]}" integrator="{["Euler", "RK4", "implicit", "implicitfast"][s["integrator"]]}" solver="Newton" '
           f'tolerance="0" iterations="500" ls_tolerance="1e-6" ls_iterations="500" jacobian="dense">{flags}</option><worldbody>']

    def geoms(body):
        for g in s["geoms"]:
            if g["body"] != body:
                continue
            # Boxes do not meet boxes: there is no routine for them.
            bits = "2 1" if g["shape"] == BOX else "1 3"
            size = "1 1 1" if g["shape"] == PLANE else text(g["size"])
            out.append(f'<geom type="{SHAPE[g["shape"]]}" size="{size}" pos="{text(g["pos"])}" quat="{text(g["quat"])}" condim="{g["condim"]}" '
                       f'contype="{bits[0]}" conaffinity="{bits[2]}" priority="{g["priority"]}" friction="{text(g["friction"])}" solmix="{g["solmix"]}" '
                       f'margin="{g["margin"]}" gap="{g["gap"]}" solref="{text(g["solref"])}" solimp="{text(g["solimp"])}" mass="0"/>')

    def emit(k):
        b = s["bodies"][k]
        out.append(f'<body pos="{text(b["pos"])}" quat="{text(b["quat"])}"><inertial pos="{text(b["ipos"])}" mass="{b["mass"]}" diaginertia="{text(b["inertia"])}"/>')
        for j in s["joints"]:
            if j["body"] == k:
                more = "" if j["kind"] == FREE else (f'pos="{text(j["pos"])}" axis="{text(j["axis"])}" damping="{j["damping"]}" frictionloss="{j["loss"]}" '
                                                     f'armature="{j["armature"]}"')
                if j["range"] and j["kind"] in (SLIDE, HINGE):
                    more += ' limited="true" range="-0.2 0.25"'
                out.append(f'<joint type="{WORD[j["kind"]]}" {more}/>')
        geoms(k)
        if k + 1 < len(s["bodies"]) and s["bodies"][k + 1]["parent"] == k:
            emit(k + 1)
        out.append("</body>")

    geoms(-1)
    for k, b in enumerate(s["bodies"]):
        if b["parent"] < 0:
            emit(k)
    return "".join(out) + "</worldbody></mujoco>"


def weight(i):
    return ((37 * i + 11) % 101 + 1) / 101


def weighted(rows):
    return sum(weight(i + k) * float(x) for i, row in enumerate(rows) for k, x in enumerate(np.atleast_1d(row)))


def numbers(x):
    return " ".join("%.12g" % (float(v) + 0.0) for v in np.atleast_1d(x))


def answer(seed):
    s = draw(seed)
    m = mujoco.MjModel.from_xml_string(mjcf(s))
    d = mujoco.MjData(m)
    assert (m.nq, m.nv) == (len(s["qpos"]), len(s["qvel"]))
    d.qpos[:], d.qvel[:] = s["qpos"], s["qvel"]
    mujoco.mj_forward(m, d)
    if not 0 < d.ncon <= 16 or not 0 < d.nefc <= 96:
        return None
    contacts, forces = list(d.contact), []
    for i in range(d.ncon):
        force = np.zeros(6)
        mujoco.mj_contactForce(m, d, i, force)
        forces.append(force)
    out = [f"scene {seed} {d.ncon} {d.nefc}"]
    k = d.efc_KBIP
    sums = [weighted([c.dist for c in contacts]), weighted([c.pos for c in contacts]), weighted([c.frame[:6] for c in contacts]),
            weighted([[*c.geom, c.dim, *c.friction, *c.solref, *c.solimp, c.includemargin] for c in contacts]), weighted(forces),
            weighted([[p, g] for p, g in zip(d.efc_pos, d.efc_margin)]), weighted(k[:, 0]), weighted(k[:, 1]), weighted(k[:, 2:4]), weighted(d.efc_vel),
            weighted([[np.log(r), a] for r, a in zip(d.efc_R, d.efc_aref)]), weighted(d.efc_J.reshape(d.nefc, m.nv))]
    out += ["sums " + numbers(sums), "acceleration " + numbers(d.qacc)]
    for _ in range(STEPS):
        mujoco.mj_step(m, d)
        if d.ncon > 16 or d.nefc > 96:
            return None
    out.append(f"after {STEPS} " + numbers([*d.qpos, *d.qvel]))
    return None if any(w.number for w in d.warning) else out


def main():
    scenes, seed = (int(sys.argv[1]) if len(sys.argv) > 1 else 300), (int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    while scenes:
        lines = answer(seed)
        if lines:
            print("\n".join(lines))
            scenes -= 1
        seed += 1


main()
