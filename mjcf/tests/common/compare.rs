//! A mechanism as read beside the numbers of MuJoCo's compiler.
//!
//! Tolerance: 1e-10 of the largest number of a field (at least of 1e-3). Both sides compute in f64 with the same formulas and
//! differ in the order of a few operations. Principal axes come from a loop that stops at 1e-12; it is copied, so they
//! agree far below the 1e-6 that an exact eigensolver would leave; the tensor that they stand for is compared at 1e-9.

use delassus::description::{EqualityKind, FrictionCone, Integrator, JointKind, Shape, TendonPath, Transmission};
use delassus::model::{Model, Smooth};
use delassus::spatial::{Quaternion, turned_inertia};
use delassus::tendon::TendonConstants;
use delassus_mjcf::{JacobianStorage, Mechanism, SolverMethod};
use nalgebra::Vector3;
use serde_json::Value;

const TOLERANCE: f64 = 1e-10;

/// Collects differences, so that a failure shows all of them.
pub struct Comparison<'a> {
    golden: &'a Value,
    pub faults: Vec<String>,
    pub compared: usize,
}

fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(flat).collect(),
        Value::Bool(b) => vec![f64::from(u8::from(*b))],
        Value::Null => Vec::new(),
        other => vec![other.as_f64().unwrap_or_else(|| panic!("{other} is no number"))],
    }
}

impl<'a> Comparison<'a> {
    pub fn new(golden: &'a Value) -> Self {
        Self { golden, faults: Vec::new(), compared: 0 }
    }

    fn entry(&self, part: &str, field: &str, index: usize) -> Option<&'a Value> {
        self.golden.get(part)?.get(field)?.get(index)
    }

    fn fault(&mut self, text: String) {
        self.faults.push(text);
    }

    fn numbers(&mut self, part: &str, field: &str, index: usize, found: &[f64]) {
        let Some(value) = self.entry(part, field, index) else { return };
        self.list(&format!("{part}_{field}[{index}]"), &flat(value), found);
    }

    fn list(&mut self, what: &str, wanted: &[f64], found: &[f64]) {
        self.compared += 1;
        let scale = wanted.iter().fold(1e-3f64, |s, x| s.max(x.abs()));
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * scale;
        if wanted.len() != found.len() || !wanted.iter().zip(found).all(near) {
            self.fault(format!("{what}: {found:?}, MuJoCo has {wanted:?}"));
        }
    }

    /// The same rotation, whatever the sign.
    fn quaternion(&mut self, part: &str, field: &str, index: usize, found: &[f64; 4]) {
        let Some(value) = self.entry(part, field, index) else { return };
        let wanted = flat(value);
        let sign = wanted.iter().zip(found).map(|(a, b)| a * b).sum::<f64>().signum();
        self.list(&format!("{part}_{field}[{index}]"), &wanted, &found.map(|x| x * sign));
    }

    fn count(&mut self, part: &str, field: &str, found: usize) {
        let wanted = self.golden.get(part).and_then(|p| p.get(field)).and_then(Value::as_array).map_or(0, Vec::len);
        self.compared += 1;
        if wanted != found {
            self.fault(format!("{found} of {part}, MuJoCo has {wanted}"));
        }
    }

    fn name(&mut self, part: &str, index: usize, found: &str) {
        let Some(value) = self.entry(part, "name", index) else { return };
        // A converted file may number what has no name.
        if value.as_str() != Some(found) {
            self.fault(format!("{part} {index} is called \"{found}\", in MuJoCo {value}"));
        }
    }
}

impl Comparison<'_> {
    /// Damping and armature that actuators bring to a joint (transmission 0) or a tendon (3): MuJoCo keeps them apart.
    fn drives(&self, transmission: f64, target: usize) -> ([f64; 3], f64) {
        let (mut damping, mut armature) = ([0.0; 3], 0.0);
        let part = |field: &str, k: usize| self.entry("actuator", field, k).map(flat).unwrap_or_default();
        for k in 0.. {
            let kind = part("trntype", k);
            if kind.is_empty() {
                break;
            }
            if kind[0] == transmission && part("trnid", k)[0] == target as f64 {
                let gear = part("gear", k)[0];
                let own = [part("damping", k), part("dampingpoly", k)].concat();
                for (sum, b) in damping.iter_mut().zip(own) {
                    *sum += gear * gear * b;
                }
                armature += gear * gear * part("armature", k)[0];
            }
        }
        (damping, armature)
    }
}

fn body_id(body: Option<u16>) -> f64 {
    body.map_or(0.0, |b| f64::from(b) + 1.0)
}

/// Compares everything that the golden file has.
pub fn compare<'g>(mechanism: &Mechanism, golden: &'g Value) -> Comparison<'g> {
    let mut c = Comparison::new(golden);
    bodies(&mut c, mechanism);
    joints(&mut c, mechanism);
    let kept = geoms(&mut c, mechanism);
    sites(&mut c, mechanism);
    equalities(&mut c, mechanism);
    tendons(&mut c, mechanism);
    actuators(&mut c, mechanism);
    pairs(&mut c, mechanism, &kept);
    options(&mut c, mechanism);
    keyframes(&mut c, mechanism);
    c
}

fn bodies(c: &mut Comparison<'_>, m: &Mechanism) {
    c.count("body", "pos", m.lists.bodies.len() + 1);
    for (i, b) in m.lists.bodies.iter().enumerate() {
        let k = i + 1;
        c.name("body", k, &m.labels.bodies[i]);
        c.numbers("body", "parentid", k, &[body_id(b.parent)]);
        c.numbers("body", "pos", k, &b.position);
        c.quaternion("body", "quat", k, &b.orientation);
        c.numbers("body", "mass", k, &[b.mass]);
        c.numbers("body", "ipos", k, &b.center);
        c.quaternion("body", "iquat", k, &b.inertia_orientation);
        c.numbers("body", "inertia", k, &b.inertia);
        c.numbers("body", "gravcomp", k, &[b.gravity_compensation]);
        let (Some(q), Some(inertia)) = (c.entry("body", "iquat", k), c.entry("body", "inertia", k)) else { continue };
        let (q, inertia) = (flat(q), flat(inertia));
        let wanted = turned_inertia(&Quaternion([q[0], q[1], q[2], q[3]]), &Vector3::from_column_slice(&inertia));
        let found = turned_inertia(&Quaternion(b.inertia_orientation), &Vector3::from(b.inertia));
        if (wanted - found).amax() > 1e-9 * wanted.amax() {
            c.fault(format!("inertia tensor of body {k}: {found}, MuJoCo has {wanted}"));
        }
    }
}

fn joints(c: &mut Comparison<'_>, m: &Mechanism) {
    c.count("jnt", "type", m.lists.joints.len());
    c.count("dof", "damping", m.lists.dofs());
    let (mut dof, mut coordinate) = (0, 0);
    for (i, j) in m.lists.joints.iter().enumerate() {
        c.name("jnt", i, &m.labels.joints[i]);
        let kind = match j.kind {
            JointKind::Free => 0.0,
            JointKind::Ball => 1.0,
            JointKind::Slide => 2.0,
            JointKind::Hinge => 3.0,
        };
        c.numbers("jnt", "type", i, &[kind]);
        c.numbers("jnt", "bodyid", i, &[f64::from(j.body) + 1.0]);
        c.numbers("jnt", "pos", i, &j.position);
        c.numbers("jnt", "axis", i, &j.axis);
        c.numbers("jnt", "stiffness", i, &j.stiffness[..1]);
        c.numbers("jnt", "stiffnesspoly", i, &j.stiffness[1..]);
        c.numbers("jnt", "limited", i, &[f64::from(u8::from(j.range.is_some()))]);
        if let Some(range) = j.range {
            c.numbers("jnt", "range", i, &range);
        }
        c.numbers("jnt", "margin", i, &[j.margin]);
        c.numbers("jnt", "solref", i, &j.limit_softness.solref);
        c.numbers("jnt", "solimp", i, &j.limit_softness.solimp);
        c.numbers("jnt", "actfrclimited", i, &[f64::from(u8::from(j.actuator_force_range.is_some()))]);
        if let Some(range) = j.actuator_force_range {
            c.numbers("jnt", "actfrcrange", i, &range);
        }
        c.numbers("jnt", "actgravcomp", i, &[f64::from(u8::from(j.actuator_compensates_gravity))]);
        for _ in 0..j.kind.dofs() {
            c.numbers("dof", "jntid", dof, &[i as f64]);
            let (damping, armature) = c.drives(0.0, i);
            c.numbers("dof", "damping", dof, &[j.damping[0] - damping[0]]);
            c.numbers("dof", "dampingpoly", dof, &[j.damping[1] - damping[1], j.damping[2] - damping[2]]);
            c.numbers("dof", "armature", dof, &[j.armature - armature]);
            c.numbers("dof", "frictionloss", dof, &[j.friction_loss]);
            c.numbers("dof", "solref", dof, &j.friction_softness.solref);
            c.numbers("dof", "solimp", dof, &j.friction_softness.solimp);
            dof += 1;
        }
        if matches!(j.kind, JointKind::Hinge | JointKind::Slide) {
            let spring = c.golden.get("qpos_spring").and_then(|q| q.get(coordinate)).map(flat);
            if let Some(spring) = spring {
                c.list(&format!("qpos_spring of joint {i}"), &spring, &[j.spring_reference]);
            }
        }
        coordinate += j.kind.coordinates();
    }
    if let Some(reference) = c.golden.get("qpos0") {
        c.list("qpos0", &flat(reference), &m.reference_configuration());
    }
}

/// Compares the geoms of known shapes; returns MuJoCo's ids of them.
fn geoms(c: &mut Comparison<'_>, m: &Mechanism) -> Vec<usize> {
    let types = c.golden.get("geom").and_then(|g| g.get("type")).map(flat).unwrap_or_default();
    let known = |t: &f64| [0.0, 2.0, 3.0, 6.0].contains(t);
    let kept: Vec<usize> = types.iter().enumerate().filter(|(_, t)| known(t)).map(|(k, _)| k).collect();
    if kept.len() != m.lists.geoms.len() {
        c.fault(format!("{} geoms, MuJoCo has {} of known shapes", m.lists.geoms.len(), kept.len()));
        return kept;
    }
    for (i, (g, &k)) in m.lists.geoms.iter().zip(&kept).enumerate() {
        c.name("geom", k, &m.labels.geoms[i]);
        let (kind, size) = match g.shape {
            Shape::Plane => (0.0, None),
            Shape::Sphere { radius } => (2.0, Some([radius, 0.0, 0.0])),
            Shape::Capsule { radius, half_length } => (3.0, Some([radius, half_length, 0.0])),
            Shape::Box { half_sizes } => (6.0, Some(half_sizes)),
        };
        c.numbers("geom", "type", k, &[kind]);
        if let Some(size) = size {
            c.numbers("geom", "size", k, &size);
        }
        c.numbers("geom", "bodyid", k, &[body_id(g.body)]);
        c.numbers("geom", "pos", k, &g.position);
        c.quaternion("geom", "quat", k, &g.orientation);
        c.numbers("geom", "contype", k, &[f64::from(g.contype as i32)]);
        c.numbers("geom", "conaffinity", k, &[f64::from(g.conaffinity as i32)]);
        c.numbers("geom", "condim", k, &[f64::from(g.condim)]);
        c.numbers("geom", "priority", k, &[f64::from(g.priority)]);
        c.numbers("geom", "friction", k, &g.friction);
        c.numbers("geom", "solmix", k, &[g.solmix]);
        c.numbers("geom", "margin", k, &[g.margin]);
        c.numbers("geom", "gap", k, &[g.gap]);
        c.numbers("geom", "solref", k, &g.softness.solref);
        c.numbers("geom", "solimp", k, &g.softness.solimp);
    }
    kept
}

fn sites(c: &mut Comparison<'_>, m: &Mechanism) {
    c.count("site", "pos", m.lists.sites.len());
    for (i, s) in m.lists.sites.iter().enumerate() {
        c.name("site", i, &m.labels.sites[i]);
        c.numbers("site", "bodyid", i, &[body_id(s.body)]);
        c.numbers("site", "pos", i, &s.position);
        c.quaternion("site", "quat", i, &s.orientation);
    }
}

fn equalities(c: &mut Comparison<'_>, m: &Mechanism) {
    const BODY: f64 = 1.0;
    const NEITHER: f64 = 0.0;
    const SITE: f64 = 6.0;
    c.count("eq", "type", m.lists.equalities.len());
    for (i, e) in m.lists.equalities.iter().enumerate() {
        c.name("eq", i, &m.labels.equalities[i]);
        let data = c.entry("eq", "data", i).map(flat).unwrap_or_default();
        let (kind, object, first, second) = match e.kind {
            EqualityKind::Connect { bodies, anchor } => {
                c.list(&format!("anchor of equality {i}"), &data[..3], &anchor);
                (0.0, BODY, body_id(bodies[0]), body_id(bodies[1]))
            }
            EqualityKind::ConnectSites { sites } => (0.0, SITE, f64::from(sites[0]), f64::from(sites[1])),
            EqualityKind::Weld { bodies, anchor, relative_pose, torque_scale } => {
                c.list(&format!("anchor of equality {i}"), &data[..3], &anchor);
                if let Some((position, orientation)) = relative_pose {
                    c.list(&format!("position of weld {i}"), &data[3..6], &position);
                    c.list(&format!("orientation of weld {i}"), &data[6..10], &orientation);
                }
                c.list(&format!("torque scale of weld {i}"), &data[10..11], &[torque_scale]);
                (1.0, BODY, body_id(bodies[0]), body_id(bodies[1]))
            }
            EqualityKind::WeldSites { sites, torque_scale } => {
                c.list(&format!("torque scale of weld {i}"), &data[10..11], &[torque_scale]);
                (1.0, SITE, f64::from(sites[0]), f64::from(sites[1]))
            }
            EqualityKind::Coupling { joint, leader, polynomial } => {
                c.list(&format!("polynomial of coupling {i}"), &data[..5], &polynomial);
                (2.0, NEITHER, f64::from(joint), leader.map_or(-1.0, f64::from))
            }
            EqualityKind::TendonCoupling { tendon, leader, polynomial } => {
                c.list(&format!("polynomial of coupling {i}"), &data[..5], &polynomial);
                (3.0, NEITHER, f64::from(tendon), leader.map_or(-1.0, f64::from))
            }
        };
        c.numbers("eq", "type", i, &[kind]);
        c.numbers("eq", "objtype", i, &[object]);
        c.numbers("eq", "obj1id", i, &[first]);
        c.numbers("eq", "obj2id", i, &[second]);
        c.numbers("eq", "active0", i, &[f64::from(u8::from(e.active))]);
        c.numbers("eq", "solref", i, &e.softness.solref);
        c.numbers("eq", "solimp", i, &e.softness.solimp);
    }
}

fn tendons(c: &mut Comparison<'_>, m: &Mechanism) {
    c.count("tendon", "armature", m.lists.tendons.len());
    // Where springs are relaxed is the kernel's to find out where the file does not say it.
    let description = m.lists.description();
    let mut constants = vec![TendonConstants::filled(0.0); m.lists.tendons.len()];
    if !m.lists.tendons.is_empty() {
        let mut smooth = Box::new(Smooth::<f64, 32, 8>::filled(0.0));
        Model::<f64, 32, 14, 8>::with_tendons(&description, &mut smooth, &mut constants).unwrap();
    }
    let mut wrap = 0;
    for (i, t) in m.lists.tendons.iter().enumerate() {
        c.name("tendon", i, &m.labels.tendons[i]);
        let (damping, armature) = c.drives(3.0, i);
        c.numbers("tendon", "stiffness", i, &t.stiffness[..1]);
        c.numbers("tendon", "stiffnesspoly", i, &t.stiffness[1..]);
        c.numbers("tendon", "damping", i, &[t.damping[0] - damping[0]]);
        c.numbers("tendon", "dampingpoly", i, &[t.damping[1] - damping[1], t.damping[2] - damping[2]]);
        c.numbers("tendon", "lengthspring", i, &constants[i].spring_length);
        c.numbers("tendon", "armature", i, &[t.armature - armature]);
        c.numbers("tendon", "frictionloss", i, &[t.friction_loss]);
        c.numbers("tendon", "margin", i, &[t.margin]);
        for (limited, field, range) in
            [("limited", "range", t.range), ("actfrclimited", "actfrcrange", t.actuator_force_range)]
        {
            c.numbers("tendon", limited, i, &[f64::from(u8::from(range.is_some()))]);
            if let Some(range) = range {
                c.numbers("tendon", field, i, &range);
            }
        }
        for (kind, softness) in [("lim", t.limit_softness), ("fri", t.friction_softness)] {
            c.numbers("tendon", &format!("solref_{kind}"), i, &softness.solref);
            c.numbers("tendon", &format!("solimp_{kind}"), i, &softness.solimp);
        }
        let parts: Vec<[f64; 3]> = match t.path {
            TendonPath::Joints { first, count } => {
                let parts = &m.lists.tendon_joints[usize::from(first)..usize::from(first + count)];
                parts.iter().map(|part| [1.0, f64::from(part.joint), part.coefficient]).collect()
            }
            TendonPath::Sites { first, count } => {
                let sites = &m.lists.tendon_sites[usize::from(first)..usize::from(first + count)];
                sites.iter().map(|site| [3.0, f64::from(*site), 0.0]).collect()
            }
        };
        c.numbers("tendon", "num", i, &[parts.len() as f64]);
        for [kind, object, coefficient] in parts {
            c.numbers("wrap", "type", wrap, &[kind]);
            c.numbers("wrap", "objid", wrap, &[object]);
            c.numbers("wrap", "prm", wrap, &[coefficient]);
            wrap += 1;
        }
    }
}

fn actuators(c: &mut Comparison<'_>, m: &Mechanism) {
    const AFFINE: f64 = 1.0;
    c.count("actuator", "gear", m.lists.actuators.len());
    for (i, a) in m.lists.actuators.iter().enumerate() {
        c.name("actuator", i, &m.labels.actuators[i]);
        let (kind, target) = match a.transmission {
            Transmission::Joint(joint) => (0.0, joint),
            Transmission::Tendon(tendon) => (3.0, tendon),
        };
        // A single-axis joint in the parent's frame is the same thing.
        let found = c.entry("actuator", "trntype", i).map(flat).unwrap_or_default();
        c.numbers("actuator", "trntype", i, &[if found == [1.0] { 1.0 } else { kind }]);
        c.numbers("actuator", "trnid", i, &[f64::from(target), -1.0]);
        c.numbers("actuator", "gear", i, &a.gear);
        for (term, found, beyond) in [("gain", a.gain, 1), ("bias", a.bias, 0)] {
            // What MuJoCo does not use is left out here.
            let kind = c.entry("actuator", &format!("{term}type"), i).map(flat).unwrap_or_default();
            let numbers = c.entry("actuator", &format!("{term}prm"), i).map(flat).unwrap_or_default();
            if let ([kind], [first, second, third, ..]) = (&kind[..], &numbers[..]) {
                let used = if *kind == AFFINE { 3 } else { beyond };
                let wanted: Vec<f64> = [*first, *second, *third].into_iter().take(used).collect();
                c.list(&format!("actuator_{term}prm[{i}]"), &wanted, &found[..used]);
                c.list(&format!("unused {term} of actuator {i}"), &vec![0.0; 3 - used], &found[used..]);
            }
        }
        for (limited, field, range) in
            [("ctrllimited", "ctrlrange", a.control_range), ("forcelimited", "forcerange", a.force_range)]
        {
            c.numbers("actuator", limited, i, &[f64::from(u8::from(range.is_some()))]);
            if let Some(range) = range {
                c.numbers("actuator", field, i, &range);
            }
        }
    }
}

fn pairs(c: &mut Comparison<'_>, m: &Mechanism, kept: &[usize]) {
    c.count("pair", "dim", m.lists.pairs.len());
    for (i, p) in m.lists.pairs.iter().enumerate() {
        c.name("pair", i, &m.labels.pairs[i]);
        let id = |g: u16| kept.get(usize::from(g)).map_or(f64::NAN, |k| *k as f64);
        c.numbers("pair", "geom1", i, &[id(p.geoms[0])]);
        c.numbers("pair", "geom2", i, &[id(p.geoms[1])]);
        c.numbers("pair", "dim", i, &[f64::from(p.condim)]);
        c.numbers("pair", "friction", i, &p.friction);
        c.numbers("pair", "solref", i, &p.softness.solref);
        c.numbers("pair", "solimp", i, &p.softness.solimp);
        c.numbers("pair", "solreffriction", i, &p.friction_solref);
        c.numbers("pair", "margin", i, &[p.margin]);
        c.numbers("pair", "gap", i, &[p.gap]);
    }
    let signatures: Vec<f64> = m.lists.excludes.iter().map(|[a, b]| body_id(*a) * 65536.0 + body_id(*b)).collect();
    let wanted = c.golden.get("exclude_signature").map(flat).unwrap_or_default();
    c.list("exclude_signature", &wanted, &signatures);
}

fn options(c: &mut Comparison<'_>, m: &Mechanism) {
    let Some(opt) = c.golden.get("opt") else { return };
    let (o, s) = (&m.lists.options, &m.solver);
    for (field, found) in [
        ("timestep", vec![o.step]),
        ("gravity", o.gravity.to_vec()),
        ("impratio", vec![o.impedance_ratio]),
        ("iterations", vec![s.iterations as f64]),
        ("tolerance", vec![s.tolerance]),
        ("ls_iterations", vec![s.line_search_iterations as f64]),
        ("ls_tolerance", vec![s.line_search_tolerance]),
        ("noslip_iterations", vec![s.noslip_iterations as f64]),
        ("noslip_tolerance", vec![s.noslip_tolerance]),
        (
            "jacobian",
            vec![match s.jacobian {
                JacobianStorage::Dense => 0.0,
                JacobianStorage::Sparse => 1.0,
                JacobianStorage::Auto => 2.0,
            }],
        ),
    ] {
        if let Some(wanted) = opt.get(field) {
            c.list(field, &flat(wanted), &found);
        }
    }
    let integrator = match o.integrator {
        Integrator::Euler => "euler",
        Integrator::RungeKutta => "rk4",
        Integrator::Implicit => "implicit",
        Integrator::ImplicitFast => "implicitfast",
    };
    let cone = match o.cone {
        FrictionCone::Pyramidal => "pyramidal",
        FrictionCone::Elliptic => "elliptic",
    };
    let method = match s.method {
        SolverMethod::Newton => "newton",
        SolverMethod::ConjugateGradient => "cg",
        SolverMethod::GaussSeidel => "pgs",
    };
    for (field, found) in [("integrator", integrator), ("cone", cone), ("solver", method)] {
        let wanted = opt[field].as_str().unwrap_or_default().to_lowercase();
        if wanted != found {
            c.fault(format!("{field} is {found}, in MuJoCo {wanted}"));
        }
    }
    let f = &o.flags;
    let has = |list: &str, word: &str| {
        opt[list]
            .as_array()
            .is_some_and(|l| l.iter().any(|w| w.as_str().unwrap_or_default().eq_ignore_ascii_case(word)))
    };
    for (word, on) in [
        ("refsafe", f.refsafe),
        ("eulerdamp", f.euler_damping),
        ("warmstart", f.warm_start),
        ("constraint", f.constraint),
        ("equality", f.equality),
        ("frictionloss", f.friction_loss),
        ("limit", f.limit),
        ("contact", f.contact),
        ("gravity", f.gravity),
        ("spring", f.spring),
        ("damper", f.damper),
        ("filterparent", f.filter_parent),
        ("actuation", f.actuation),
        ("clampctrl", f.clamp_control),
        ("island", s.islands),
    ] {
        if has("disable", word) == on {
            c.fault(format!("flag {word} is {on}"));
        }
    }
    if has("enable", "diagexact") != f.exact_diagonal {
        c.fault(format!("flag diagexact is {}", f.exact_diagonal));
    }
}

fn keyframes(c: &mut Comparison<'_>, m: &Mechanism) {
    c.count("key", "qpos", m.keyframes.len());
    for (i, k) in m.keyframes.iter().enumerate() {
        c.name("key", i, &k.name);
        c.numbers("key", "time", i, &[k.time]);
        c.numbers("key", "qpos", i, &k.configuration);
        c.numbers("key", "qvel", i, &k.velocity);
        c.numbers("key", "ctrl", i, &k.control);
    }
}
