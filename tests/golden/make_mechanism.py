#!/usr/bin/env python3
"""Writes mechanism.txt: small random mechanisms and what MuJoCo 3.10.0 makes of them, for tests/mechanism/golden.rs.

usage: python3 make_mechanism.py > mechanism.txt        (needs mujoco==3.10.0 and numpy; nothing else of the crate does)

Each model is drawn here as plain numbers, written as MJCF for MuJoCo and as lines of words and numbers for the test, so the test
needs no reader of MJCF. A line is a word and its numbers, all digits given:

  model NAME / option gravity[3] step eulerdamp refsafe diagexact spring damper warmstart
  body parent pos[3] quat[4] mass ipos[3] inertia[3] iquat[4] gravcomp         parent -1: world
  joint body kind pos[3] axis[3] ref springref stiffness[3] damping[3] armature frictionloss solref[2] solimp[5]
        limited range[2] margin solref[2] solimp[5]                            kind 0 free, 1 ball, 2 slide, 3 hinge
  site body pos[3] quat[4]
  connect|weld|connectsites|weldsites|coupling ...  then solref[2] solimp[5]
  qpos, qvel, applied / wrench body force[3] torque[3]
  weights (per body translation, rotation), dofweights, meaninertia, xpos, mass (lower triangle), bias, passive, smooth,
  energy (potential, kinetic), row type pos margin vel K B imp R aref force J[nv], constraint, acceleration
  after STEPS qpos qvel
"""
import numpy as np
import mujoco

assert mujoco.__version__ == "3.10.0", mujoco.__version__
FREE, BALL, SLIDE, HINGE = range(4)
WORD = {FREE: "free", BALL: "ball", SLIDE: "slide", HINGE: "hinge"}
SOFT = ([0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0])


def text(x):
    return " ".join(repr(float(v)) for v in np.atleast_1d(x))


class Draw:
    def __init__(self, seed):
        self.r = np.random.default_rng(seed)

    def vector(self, size=0.3):
        return [round(float(v), 3) for v in self.r.uniform(-size, size, 3)]

    def quat(self):
        q = self.r.normal(size=4)
        return [float(v) for v in q / np.linalg.norm(q)]

    def number(self, low, high):
        return round(float(self.r.uniform(low, high)), 3)

    def soft(self):
        solref = [[0.03, 0.8], [-900.0, -30.0], [0.003, 1.2]][self.r.integers(3)]
        return (solref, [self.number(0.3, 0.9), self.number(0.9, 0.99), self.number(0.01, 0.3), self.number(0.2, 0.8), [1.0, 2.0, 3.5][self.r.integers(3)]])


class Mechanism:
    def __init__(self, name, seed, **option):
        self.name, self.d = name, Draw(seed)
        self.option = dict(gravity=[0.5, -1.0, -9.81], step=0.002, eulerdamp=1, refsafe=1, diagexact=0, spring=1, damper=1, warmstart=1)
        self.option.update(option)
        self.bodies, self.joints, self.sites, self.equalities = [], [], [], []

    def body(self, parent, kinds, **more):
        d = self.d
        mass, (a, b, c) = d.number(0.5, 2.0), d.r.uniform(0.01, 0.1, 3)
        body = dict(parent=parent, pos=d.vector(), quat=d.quat(), mass=mass, ipos=d.vector(0.1),
                    inertia=[round(float(v) * mass, 6) for v in (b + c, a + c, a + b)], iquat=d.quat(), gravcomp=0.0)
        body.update({k: v for k, v in more.items() if k in body})
        index = len(self.bodies)
        self.bodies.append(body)
        for kind in kinds:
            single = kind in (SLIDE, HINGE)
            joint = dict(body=index, kind=kind, pos=d.vector(0.1) if kind != FREE else [0.0] * 3, axis=d.vector(1.0) if single else [0.0, 0.0, 1.0],
                         ref=0.0, springref=0.0, stiffness=[0.0] * 3, damping=[0.0] * 3, armature=0.0, frictionloss=0.0, fsoft=SOFT,
                         range=None, margin=0.0, lsoft=SOFT)
            self.joints.append(joint)
        return index

    def each(self, kinds, **more):
        """Numbers of all joints of some kinds; a callable is drawn anew for each."""
        for joint in self.joints:
            if joint["kind"] in kinds:
                for k, v in more.items():
                    joint[k] = v(joint) if callable(v) else v

    def site(self, body):
        self.sites.append(dict(body=body, pos=self.d.vector(), quat=self.d.quat()))
        return len(self.sites) - 1

    def mjcf(self):
        o = self.option
        flags = "".join(f' {k}="disable"' for k in ("eulerdamp", "refsafe", "spring", "damper", "warmstart") if not o[k])
        flags += ' energy="enable"' + (' diagexact="enable"' if o["diagexact"] else "")
        out = [f'<mujoco><compiler angle="radian" autolimits="true"/><option timestep="{o["step"]}" gravity="{text(o["gravity"])}" '
               f'solver="Newton" tolerance="0" iterations="200" ls_iterations="200" jacobian="dense"><flag{flags}/></option><worldbody>']
        for index, site in enumerate(self.sites):
            if site["body"] < 0:
                out.append(f'<site name="s{index}" pos="{text(site["pos"])}" quat="{text(site["quat"])}"/>')

        def emit(index):
            b = self.bodies[index]
            out.append(f'<body name="b{index}" pos="{text(b["pos"])}" quat="{text(b["quat"])}" gravcomp="{b["gravcomp"]}">'
                       f'<inertial pos="{text(b["ipos"])}" quat="{text(b["iquat"])}" mass="{b["mass"]}" diaginertia="{text(b["inertia"])}"/>')
            for number, j in enumerate(self.joints):
                if j["body"] != index:
                    continue
                s = (f'<joint name="j{number}" type="{WORD[j["kind"]]}" stiffness="{text(j["stiffness"])}" damping="{text(j["damping"])}" armature="{j["armature"]}" '
                     f'frictionloss="{j["frictionloss"]}" solreffriction="{text(j["fsoft"][0])}" solimpfriction="{text(j["fsoft"][1])}" margin="{j["margin"]}" '
                     f'solreflimit="{text(j["lsoft"][0])}" solimplimit="{text(j["lsoft"][1])}"')
                if j["kind"] != FREE:
                    s += f' pos="{text(j["pos"])}"'
                if j["kind"] in (SLIDE, HINGE):
                    s += f' axis="{text(j["axis"])}" ref="{j["ref"]}" springref="{j["springref"]}"'
                if j["range"]:
                    s += f' range="{text(j["range"])}"'
                out.append(s + "/>")
            for number, site in enumerate(self.sites):
                if site["body"] == index:
                    out.append(f'<site name="s{number}" pos="{text(site["pos"])}" quat="{text(site["quat"])}"/>')
            for child, b in enumerate(self.bodies):
                if b["parent"] == index:
                    emit(child)
            out.append("</body>")

        for index, b in enumerate(self.bodies):
            if b["parent"] < 0:
                emit(index)
        out.append("</worldbody><equality>")
        for e in self.equalities:
            soft = f'solref="{text(e["soft"][0])}" solimp="{text(e["soft"][1])}"'
            name = [None if v < 0 else v for v in e["partners"]]
            pair = lambda tag, letter: " ".join(f'{tag}{i + 1}="{letter}{v}"' for i, v in enumerate(name) if v is not None)
            kind = e["kind"]
            if kind == "connect":
                out.append(f'<connect {pair("body", "b")} anchor="{text(e["anchor"])}" {soft}/>')
            elif kind == "connectsites":
                out.append(f'<connect {pair("site", "s")} {soft}/>')
            elif kind == "weld":
                pose = f'relpose="{text(e["relpose"])}"' if e["relpose"] else ""
                out.append(f'<weld {pair("body", "b")} anchor="{text(e["anchor"])}" {pose} torquescale="{e["scale"]}" {soft}/>')
            elif kind == "weldsites":
                out.append(f'<weld {pair("site", "s")} torquescale="{e["scale"]}" {soft}/>')
            else:
                out.append(f'<joint {pair("joint", "j")} polycoef="{text(e["poly"])}" {soft}/>')
        return "".join(out) + "</equality></mujoco>"

    def write(self, q_size=0.4, v_size=1.0):
        # Depth first, as MuJoCo numbers bodies: the models below are drawn in that order.
        m = mujoco.MjModel.from_xml_string(self.mjcf())
        assert [m.body(i + 1).name for i in range(len(self.bodies))] == [f"b{i}" for i in range(len(self.bodies))]
        o = self.option
        print("model", self.name)
        print("option", text(o["gravity"]), o["step"], *(o[k] for k in ("eulerdamp", "refsafe", "diagexact", "spring", "damper", "warmstart")))
        for b in self.bodies:
            print("body", b["parent"], text(b["pos"]), text(b["quat"]), b["mass"], text(b["ipos"]), text(b["inertia"]), text(b["iquat"]), b["gravcomp"])
        for j in self.joints:
            print("joint", j["body"], j["kind"], text(j["pos"]), text(j["axis"]), j["ref"], j["springref"], text(j["stiffness"]), text(j["damping"]),
                  j["armature"], j["frictionloss"], text(j["fsoft"][0]), text(j["fsoft"][1]), int(j["range"] is not None),
                  text(j["range"] or [0, 0]), j["margin"], text(j["lsoft"][0]), text(j["lsoft"][1]))
        for s in self.sites:
            print("site", s["body"], text(s["pos"]), text(s["quat"]))
        for e in self.equalities:
            more = {"connect": lambda: text(e["anchor"]), "connectsites": lambda: "", "weldsites": lambda: e["scale"], "coupling": lambda: text(e["poly"]),
                    "weld": lambda: f'{text(e["anchor"])} {int(bool(e["relpose"]))} {text(e["relpose"] or [0] * 7)} {e["scale"]}'}[e["kind"]]()
            print(e["kind"], *e["partners"], more, text(e["soft"][0]), text(e["soft"][1]))
        d = mujoco.MjData(m)
        r = self.d.r
        mujoco.mj_integratePos(m, d.qpos, r.uniform(-q_size, q_size, m.nv), 1.0)
        d.qvel[:] = r.uniform(-v_size, v_size, m.nv)
        d.qfrc_applied[:] = r.uniform(-1, 1, m.nv)
        body = len(self.bodies) - 1
        d.xfrc_applied[body + 1] = r.uniform(-2, 2, 6)
        print("qpos", text(d.qpos)), print("qvel", text(d.qvel)), print("applied", text(d.qfrc_applied))
        print("wrench", body, text(d.xfrc_applied[body + 1]))
        print("weights", text(m.body_invweight0[1:].ravel())), print("dofweights", text(m.dof_invweight0)), print("meaninertia", text(m.stat.meaninertia))
        mujoco.mj_forward(m, d)
        full = np.zeros((m.nv, m.nv))
        try:
            mujoco.mj_fullM(m, d, full)
        except TypeError:
            mujoco.mj_fullM(m, full, d.qM)
        print("xpos", text(d.xpos[1:].ravel()))
        print("mass", text([full[i, k] for i in range(m.nv) for k in range(i + 1)]))
        print("bias", text(d.qfrc_bias)), print("passive", text(d.qfrc_passive)), print("smooth", text(d.qacc_smooth)), print("energy", text(d.energy))
        jac = d.efc_J.reshape(d.nefc, m.nv) if d.nefc else np.zeros((0, m.nv))
        for i in range(d.nefc):
            print("row", d.efc_type[i], text([d.efc_pos[i], d.efc_margin[i], d.efc_vel[i], *d.efc_KBIP[i][:3], d.efc_R[i], d.efc_aref[i], d.efc_force[i]]), text(jac[i]))
        print("constraint", text(d.qfrc_constraint)), print("acceleration", text(d.qacc))
        for step in range(1, 101):
            mujoco.mj_step(m, d)
            if step in (1, 10, 100):
                print("after", step, text(d.qpos), text(d.qvel))
        assert not any(w.number for w in d.warning), self.name


def tree(name, seed, several=(SLIDE, BALL, SLIDE), **option):
    """Six bodies, two roots, every kind of joint, several in one body, one body without."""
    m = Mechanism(name, seed, **option)
    m.body(-1, [FREE])
    m.body(0, [HINGE, SLIDE])
    m.body(1, [BALL])
    m.body(0, [])
    m.body(3, several)
    m.body(-1, [HINGE])
    return m


def main():
    m = tree("smooth", 1)
    m.each((SLIDE, HINGE), ref=lambda j: m.d.number(-0.5, 0.5), armature=lambda j: m.d.number(0.0, 0.1))
    m.each((BALL,), armature=0.02)
    m.bodies[2]["gravcomp"], m.bodies[3]["gravcomp"] = 0.6, 1.0
    m.write()

    for name, option in [("springs", {}), ("springs_explicit", dict(eulerdamp=0)), ("springs_off", dict(spring=0)), ("dampers_off", dict(damper=0)),
                         ("both_off", dict(spring=0, damper=0))]:
        s = tree(name, 2, **option)
        s.each((FREE, BALL), stiffness=lambda j: [s.d.number(1, 9), s.d.number(0, 2), s.d.number(0, 3)])
        s.each((SLIDE, HINGE), stiffness=lambda j: [s.d.number(1, 9), s.d.number(-1, 1), s.d.number(0, 3)], springref=lambda j: s.d.number(-0.4, 0.4),
               ref=lambda j: s.d.number(-0.3, 0.3))
        s.each(range(4), damping=lambda j: [s.d.number(0.05, 0.5), s.d.number(0, 0.2), s.d.number(0, 0.1)])
        s.bodies[4]["gravcomp"] = 0.5
        s.write()

    for name, option in [("limits", {}), ("limits_exact", dict(diagexact=1)), ("limits_unsafe", dict(refsafe=0, warmstart=0))]:
        t = tree(name, 3, **option)
        t.each((SLIDE, HINGE), range=lambda j: [-t.d.number(0.02, 0.2), t.d.number(0.02, 0.2)], ref=lambda j: t.d.number(-0.05, 0.05))
        t.each((BALL,), range=lambda j: [0.0, t.d.number(0.05, 0.2)], armature=0.02)
        t.each((BALL, SLIDE, HINGE), margin=lambda j: t.d.number(0.0, 0.1), lsoft=lambda j: t.d.soft())
        t.each(range(4), frictionloss=lambda j: t.d.number(0.05, 0.5), fsoft=lambda j: t.d.soft(), damping=[0.1, 0.0, 0.0])
        t.write()

    for name, option in [("equalities", {}), ("equalities_exact", dict(diagexact=1))]:
        # No slide behind the ball joint: there mj_jacDot moves the ball's anchor with the slide, and J'v is no derivative of J v.
        e = tree(name, 4, (SLIDE, SLIDE, BALL), **option)
        e.each((BALL, SLIDE, HINGE), damping=[0.3, 0.0, 0.0], armature=0.05)
        e.each((HINGE,), ref=lambda j: e.d.number(-0.3, 0.3))
        s = [e.site(2), e.site(4), e.site(-1)]
        add = lambda **k: e.equalities.append(dict(soft=e.d.soft(), **k))
        add(kind="connect", partners=[2, 5], anchor=e.d.vector())
        add(kind="weld", partners=[4, 2], anchor=e.d.vector(0.1), relpose=None, scale=0.7)
        add(kind="coupling", partners=[1, 2], poly=[0.05, 0.8, -0.5, 0.3, 0.2])
        add(kind="coupling", partners=[5, -1], poly=[0.1, 1.0, 0.0, 0.0, 0.0])
        add(kind="connectsites", partners=[s[0], s[2]])
        add(kind="weldsites", partners=[s[1], s[2]], scale=1.3)
        add(kind="weld", partners=[1, -1], anchor=e.d.vector(0.1), relpose=e.d.vector() + e.d.quat(), scale=0.2)
        e.write(q_size=0.1)

    # Bodies of X-20's shortcut beside ones that just miss it.
    w = Mechanism("sliders", 6)
    plain = dict(ipos=[0.0] * 3, iquat=[1.0, 0.0, 0.0, 0.0])
    for axes, more in [([[0.0, 0.0, 2.0]], plain), ([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]], plain), ([[0.6, 0.8, 0.0]], plain), ([[0.0, 1.0, 0.0]], {})]:
        w.body(-1, [SLIDE] * len(axes), **more)
        for joint, axis in zip(w.joints[-len(axes):], axes):
            joint.update(axis=axis, pos=[0.0] * 3, armature=0.3, range=[-0.05, 0.05], frictionloss=0.2)
    w.body(-1, [])
    w.body(4, [SLIDE], **plain)
    w.joints[-1].update(axis=[0.0, 1.0, 0.0], pos=[0.0] * 3, range=[-0.05, 0.05])
    w.write()


main()
