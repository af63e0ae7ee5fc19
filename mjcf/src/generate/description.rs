//! The lists of a description as statics. What is as in MuJoCo's defaults is left to a base value.

use delassus::description::{
    Actuator, Body, Description, Equality, EqualityKind, Flags, Geom, Joint, Pair, Shape, Site, SoftnessNumbers,
    Tendon, TendonPath,
};

use super::Scalar;
use super::text::{Text, one_line};
use crate::mechanism::Mechanism;

/// Writes fields that differ from a base.
struct Fields<'t> {
    text: &'t mut Text,
    scalar: Scalar,
}

impl Fields<'_> {
    fn raw(&mut self, name: &str, value: impl std::fmt::Display) {
        self.text.line(format!("{name}: {value},"));
    }

    fn changed<V: PartialEq + std::fmt::Display>(&mut self, name: &str, value: V, base: V) {
        if value != base {
            self.raw(name, value);
        }
    }

    fn number(&mut self, name: &str, value: f64, base: f64) {
        if value != base {
            self.raw(name, self.scalar.number(value));
        }
    }

    fn numbers(&mut self, name: &str, values: &[f64], base: &[f64]) {
        if values != base {
            self.text.array(&format!("{name}: "), &self.scalar.numbers(values), ",");
        }
    }

    fn range(&mut self, name: &str, range: &Option<[f64; 2]>) {
        if let Some(range) = range {
            self.text.array(&format!("{name}: Some("), &self.scalar.numbers(range), "),");
        }
    }

    fn softness(&mut self, name: &str, value: &SoftnessNumbers<f64>) {
        if *value == SoftnessNumbers::<f64>::DEFAULT {
            return;
        }
        let scalar = self.scalar;
        self.text.block(format!("{name}: SoftnessNumbers {{"), "},", |text| {
            text.array("solref: ", &scalar.numbers(&value.solref), ",");
            text.array("solimp: ", &scalar.numbers(&value.solimp), ",");
        });
    }
}

fn option(index: Option<u16>) -> String {
    index.map_or("None".to_owned(), |index| format!("Some({index})"))
}

/// A name for a comment.
fn called<'a>(labels: &'a [String], index: usize, kind: &str) -> String {
    let name = labels.get(index).map_or("", |label: &'a String| label.as_str());
    if name.is_empty() { format!("{kind} {index}") } else { one_line(name) }
}

/// `DESCRIPTION` and its lists.
pub(super) fn write(text: &mut Text, mechanism: &Mechanism, scalar: Scalar) {
    let (lists, labels, name) = (&mechanism.lists, &mechanism.labels, scalar.name());
    text.line("/// The mechanism.");
    text.line("#[allow(clippy::approx_constant, clippy::needless_update)] // the numbers are the model's");
    text.block(
        format!("pub static DESCRIPTION: delassus::description::Description<'static, {name}> = {{"),
        "};",
        |text| {
            text.line("use delassus::description::*;");
            text.line("");
            let step = scalar.number(lists.options.step);
            text.line(format!("const EMPTY: Description<'static, {name}> = Description::<{name}>::empty({step});"));
            for (used, base) in [
                (!lists.bodies.is_empty(), format!("const BODY: Body<{name}> = Body::<{name}>::new(0.0, [0.0; 3]);")),
                (!lists.joints.is_empty(), format!("const JOINT: Joint<{name}> = Joint::<{name}>::hinge(0);")),
                (
                    !lists.geoms.is_empty(),
                    format!("const GEOM: Geom<{name}> = Geom::<{name}>::new(None, Shape::Plane);"),
                ),
                (!lists.tendons.is_empty(), tendon_base(name)),
                (!lists.actuators.is_empty(), actuator_base(name)),
            ] {
                if used {
                    text.line(base);
                }
            }
            list(text, "BODIES", &format!("Body<{name}>"), &lists.bodies, |text, index, item| {
                body(&mut Fields { text, scalar }, item, &called(&labels.bodies, index, "body"));
            });
            list(text, "JOINTS", &format!("Joint<{name}>"), &lists.joints, |text, index, item| {
                joint(&mut Fields { text, scalar }, item, &called(&labels.joints, index, "joint"));
            });
            list(text, "SITES", &format!("Site<{name}>"), &lists.sites, |text, index, item| {
                site(&mut Fields { text, scalar }, item, &called(&labels.sites, index, "site"));
            });
            list(text, "GEOMS", &format!("Geom<{name}>"), &lists.geoms, |text, index, item| {
                geom(&mut Fields { text, scalar }, item, &called(&labels.geoms, index, "geom"));
            });
            list(text, "PAIRS", &format!("Pair<{name}>"), &lists.pairs, |text, index, item| {
                pair(&mut Fields { text, scalar }, item, &called(&labels.pairs, index, "pair"));
            });
            list(text, "EXCLUDES", "[Option<u16>; 2]", &lists.excludes, |text, _, [a, b]| {
                text.line("// these two do not collide");
                text.line(format!("[{}, {}],", option(*a), option(*b)));
            });
            list(text, "EQUALITIES", &format!("Equality<{name}>"), &lists.equalities, |text, index, item| {
                equality(&mut Fields { text, scalar }, item, &called(&labels.equalities, index, "equality"));
            });
            list(text, "TENDONS", &format!("Tendon<{name}>"), &lists.tendons, |text, index, item| {
                tendon(&mut Fields { text, scalar }, item, &called(&labels.tendons, index, "tendon"));
            });
            list(text, "TENDON_JOINTS", &format!("TendonJoint<{name}>"), &lists.tendon_joints, |text, _, part| {
                text.line(format!("// {}", called(&labels.joints, usize::from(part.joint), "joint")));
                text.block("TendonJoint {", "},", |text| {
                    text.line(format!("joint: {},", part.joint));
                    text.line(format!("coefficient: {},", scalar.number(part.coefficient)));
                });
            });
            if !lists.tendon_sites.is_empty() {
                let head = format!("static TENDON_SITES: [u16; {}] = ", lists.tendon_sites.len());
                text.array(&head, &lists.tendon_sites.iter().map(u16::to_string).collect::<Vec<_>>(), ";");
            }
            list(text, "ACTUATORS", &format!("Actuator<{name}>"), &lists.actuators, |text, index, item| {
                actuator(&mut Fields { text, scalar }, item, &called(&labels.actuators, index, "actuator"));
            });
            text.block("Description {", "}", |text| {
                for (field, list, used) in [
                    ("bodies", "BODIES", !lists.bodies.is_empty()),
                    ("joints", "JOINTS", !lists.joints.is_empty()),
                    ("sites", "SITES", !lists.sites.is_empty()),
                    ("geoms", "GEOMS", !lists.geoms.is_empty()),
                    ("pairs", "PAIRS", !lists.pairs.is_empty()),
                    ("excludes", "EXCLUDES", !lists.excludes.is_empty()),
                    ("equalities", "EQUALITIES", !lists.equalities.is_empty()),
                    ("tendons", "TENDONS", !lists.tendons.is_empty()),
                    ("tendon_joints", "TENDON_JOINTS", !lists.tendon_joints.is_empty()),
                    ("tendon_sites", "TENDON_SITES", !lists.tendon_sites.is_empty()),
                    ("actuators", "ACTUATORS", !lists.actuators.is_empty()),
                ] {
                    if used {
                        text.line(format!("{field}: &{list},"));
                    }
                }
                options(text, mechanism, scalar);
                text.line("..EMPTY");
            });
        },
    );
}

fn list<I>(text: &mut Text, name: &str, kind: &str, items: &[I], mut item: impl FnMut(&mut Text, usize, &I)) {
    if items.is_empty() {
        return;
    }
    text.block(format!("static {name}: [{kind}; {}] = [", items.len()), "];", |text| {
        for (index, one) in items.iter().enumerate() {
            item(text, index, one);
        }
    });
}

fn body(fields: &mut Fields<'_>, body: &Body<f64>, name: &str) {
    let base = Body::<f64>::new(0.0, [0.0; 3]);
    let scalar = fields.scalar;
    fields.text.line(format!("// {name}"));
    fields.text.block("Body {", "},", |text| {
        let mut fields = Fields { text, scalar };
        fields.raw("parent", option(body.parent));
        fields.raw("mass", scalar.number(body.mass));
        fields.numbers("position", &body.position, &base.position);
        fields.numbers("orientation", &body.orientation, &base.orientation);
        fields.numbers("center", &body.center, &base.center);
        fields.numbers("inertia", &body.inertia, &base.inertia);
        fields.numbers("inertia_orientation", &body.inertia_orientation, &base.inertia_orientation);
        fields.number("gravity_compensation", body.gravity_compensation, base.gravity_compensation);
        fields.text.line("..BODY");
    });
}

fn joint(fields: &mut Fields<'_>, joint: &Joint<f64>, name: &str) {
    let base = Joint::<f64>::hinge(0);
    let scalar = fields.scalar;
    fields.text.line(format!("// {name}"));
    fields.text.block("Joint {", "},", |text| {
        let mut fields = Fields { text, scalar };
        fields.raw("body", joint.body);
        fields.raw("kind", format!("JointKind::{:?}", joint.kind));
        fields.numbers("position", &joint.position, &base.position);
        fields.numbers("axis", &joint.axis, &base.axis);
        fields.number("reference", joint.reference, base.reference);
        fields.number("spring_reference", joint.spring_reference, base.spring_reference);
        fields.numbers("stiffness", &joint.stiffness, &base.stiffness);
        fields.numbers("damping", &joint.damping, &base.damping);
        fields.number("armature", joint.armature, base.armature);
        fields.number("friction_loss", joint.friction_loss, base.friction_loss);
        fields.softness("friction_softness", &joint.friction_softness);
        fields.range("range", &joint.range);
        fields.number("margin", joint.margin, base.margin);
        fields.softness("limit_softness", &joint.limit_softness);
        fields.range("actuator_force_range", &joint.actuator_force_range);
        fields.changed("actuator_compensates_gravity", joint.actuator_compensates_gravity, false);
        fields.text.line("..JOINT");
    });
}

fn site(fields: &mut Fields<'_>, site: &Site<f64>, name: &str) {
    let scalar = fields.scalar;
    fields.text.line(format!("// {name}"));
    fields.text.block("Site {", "},", |text| {
        let mut fields = Fields { text, scalar };
        fields.raw("body", option(site.body));
        fields.numbers("position", &site.position, &[]);
        fields.numbers("orientation", &site.orientation, &[]);
    });
}

fn geom(fields: &mut Fields<'_>, geom: &Geom<f64>, name: &str) {
    let base = Geom::<f64>::new(None, Shape::Plane);
    let scalar = fields.scalar;
    fields.text.line(format!("// {name}"));
    fields.text.block("Geom {", "},", |text| {
        let mut fields = Fields { text, scalar };
        fields.raw("body", option(geom.body));
        shape(&mut fields, &geom.shape);
        fields.numbers("position", &geom.position, &base.position);
        fields.numbers("orientation", &geom.orientation, &base.orientation);
        fields.changed("contype", geom.contype, base.contype);
        fields.changed("conaffinity", geom.conaffinity, base.conaffinity);
        fields.changed("condim", geom.condim, base.condim);
        fields.changed("priority", geom.priority, base.priority);
        fields.numbers("friction", &geom.friction, &base.friction);
        fields.number("solmix", geom.solmix, base.solmix);
        fields.number("margin", geom.margin, base.margin);
        fields.number("gap", geom.gap, base.gap);
        fields.softness("softness", &geom.softness);
        fields.text.line("..GEOM");
    });
}

fn shape(fields: &mut Fields<'_>, shape: &Shape<f64>) {
    let scalar = fields.scalar;
    match shape {
        Shape::Plane => fields.raw("shape", "Shape::Plane"),
        Shape::Sphere { radius } => fields.text.literal("shape: Shape::Sphere {", "m", "},", |text| {
            text.line(format!("radius: {},", scalar.number(*radius)));
        }),
        Shape::Capsule { radius, half_length } => fields.text.literal("shape: Shape::Capsule {", "m", "},", |text| {
            text.line(format!("radius: {},", scalar.number(*radius)));
            text.line(format!("half_length: {},", scalar.number(*half_length)));
        }),
        Shape::Box { half_sizes } => fields.text.literal("shape: Shape::Box {", "m", "},", |text| {
            text.array("half_sizes: ", &scalar.numbers(half_sizes), ",");
        }),
    }
}

fn pair(fields: &mut Fields<'_>, pair: &Pair<f64>, name: &str) {
    let scalar = fields.scalar;
    fields.text.line(format!("// {name}"));
    fields.text.block("Pair {", "},", |text| {
        let [a, b] = pair.geoms;
        let mut fields = Fields { text, scalar };
        fields.raw("geoms", format!("[{a}, {b}]"));
        fields.raw("condim", pair.condim);
        fields.numbers("friction", &pair.friction, &[]);
        fields.raw("margin", scalar.number(pair.margin));
        fields.raw("gap", scalar.number(pair.gap));
        softness_in_full(fields.text, scalar, &pair.softness);
        fields.numbers("friction_solref", &pair.friction_solref, &[]);
    });
}

/// The base of tendons; its path is never used.
fn tendon_base(scalar: &str) -> String {
    format!("const TENDON: Tendon<{scalar}> = Tendon::<{scalar}>::new(TendonPath::Joints {{ first: 0, count: 0 }});")
}

/// The base of actuators; its transmission is never used.
fn actuator_base(scalar: &str) -> String {
    format!("const ACTUATOR: Actuator<{scalar}> = Actuator::<{scalar}>::motor(Transmission::Joint(0));")
}

fn tendon(fields: &mut Fields<'_>, tendon: &Tendon<f64>, name: &str) {
    let base = Tendon::<f64>::new(tendon.path);
    let scalar = fields.scalar;
    fields.text.line(format!("// {name}"));
    fields.text.block("Tendon {", "},", |text| {
        let (kind, first, count) = match tendon.path {
            TendonPath::Joints { first, count } => ("Joints", first, count),
            TendonPath::Sites { first, count } => ("Sites", first, count),
        };
        text.literal(format!("path: TendonPath::{kind} {{"), "a stretch of the list", "},", |text| {
            text.line(format!("first: {first},"));
            text.line(format!("count: {count},"));
        });
        let mut fields = Fields { text, scalar };
        fields.numbers("stiffness", &tendon.stiffness, &base.stiffness);
        fields.numbers("damping", &tendon.damping, &base.damping);
        fields.range("spring_length", &tendon.spring_length);
        fields.number("armature", tendon.armature, base.armature);
        fields.number("friction_loss", tendon.friction_loss, base.friction_loss);
        fields.softness("friction_softness", &tendon.friction_softness);
        fields.range("range", &tendon.range);
        fields.number("margin", tendon.margin, base.margin);
        fields.softness("limit_softness", &tendon.limit_softness);
        fields.range("actuator_force_range", &tendon.actuator_force_range);
        fields.text.line("..TENDON");
    });
}

fn actuator(fields: &mut Fields<'_>, actuator: &Actuator<f64>, name: &str) {
    let base = Actuator::<f64>::motor(actuator.transmission);
    let scalar = fields.scalar;
    fields.text.line(format!("// {name}"));
    fields.text.block("Actuator {", "},", |text| {
        let mut fields = Fields { text, scalar };
        fields.raw("transmission", format!("Transmission::{:?}", actuator.transmission));
        fields.numbers("gear", &actuator.gear, &base.gear);
        fields.numbers("gain", &actuator.gain, &base.gain);
        fields.numbers("bias", &actuator.bias, &base.bias);
        fields.range("control_range", &actuator.control_range);
        fields.range("force_range", &actuator.force_range);
        fields.text.line("..ACTUATOR");
    });
}

/// Where there is no base to leave the default to.
fn softness_in_full(text: &mut Text, scalar: Scalar, softness: &SoftnessNumbers<f64>) {
    if *softness == SoftnessNumbers::<f64>::DEFAULT {
        text.line(format!("softness: SoftnessNumbers::<{}>::DEFAULT,", scalar.name()));
    } else {
        Fields { text, scalar }.softness("softness", softness);
    }
}

fn equality(fields: &mut Fields<'_>, equality: &Equality<f64>, name: &str) {
    let scalar = fields.scalar;
    fields.text.line(format!("// {name}"));
    fields.text.block("Equality {", "},", |text| {
        equality_kind(&mut Fields { text, scalar }, &equality.kind);
        text.line(format!("active: {},", equality.active));
        softness_in_full(text, scalar, &equality.softness);
    });
}

fn equality_kind(fields: &mut Fields<'_>, kind: &EqualityKind<f64>) {
    let scalar = fields.scalar;
    match kind {
        EqualityKind::Connect { bodies: [a, b], anchor } => {
            let comment = "anchor in the first body's frame";
            fields.text.literal("kind: EqualityKind::Connect {", comment, "},", |text| {
                text.line(format!("bodies: [{}, {}],", option(*a), option(*b)));
                text.array("anchor: ", &scalar.numbers(anchor), ",");
            });
        }
        EqualityKind::ConnectSites { sites: [a, b] } => {
            fields.text.literal("kind: EqualityKind::ConnectSites {", "first and second", "},", |text| {
                text.line(format!("sites: [{a}, {b}],"));
            });
        }
        EqualityKind::Weld { bodies: [a, b], anchor, relative_pose, torque_scale } => {
            let comment = "anchor in the second body's frame";
            fields.text.literal("kind: EqualityKind::Weld {", comment, "},", |text| {
                text.line(format!("bodies: [{}, {}],", option(*a), option(*b)));
                text.array("anchor: ", &scalar.numbers(anchor), ",");
                match relative_pose {
                    None => text.line("relative_pose: None,"),
                    Some((position, orientation)) => text.block("relative_pose: Some((", ")),", |text| {
                        text.line("// position and orientation");
                        text.array("", &scalar.numbers(position), ",");
                        text.array("", &scalar.numbers(orientation), ",");
                    }),
                }
                text.line(format!("torque_scale: {},", scalar.number(*torque_scale)));
            });
        }
        EqualityKind::WeldSites { sites: [a, b], torque_scale } => {
            fields.text.literal("kind: EqualityKind::WeldSites {", "first and second", "},", |text| {
                text.line(format!("sites: [{a}, {b}],"));
                text.line(format!("torque_scale: {},", scalar.number(*torque_scale)));
            });
        }
        EqualityKind::TendonCoupling { tendon, leader, polynomial } => {
            let comment = "the tendon follows the leader's polynomial";
            fields.text.literal("kind: EqualityKind::TendonCoupling {", comment, "},", |text| {
                text.line(format!("tendon: {tendon},"));
                text.line(format!("leader: {},", option(*leader)));
                text.array("polynomial: ", &scalar.numbers(polynomial), ",");
            });
        }
        EqualityKind::Coupling { joint, leader, polynomial } => {
            let comment = "the joint follows the leader's polynomial";
            fields.text.literal("kind: EqualityKind::Coupling {", comment, "},", |text| {
                text.line(format!("joint: {joint},"));
                text.line(format!("leader: {},", option(*leader)));
                text.array("polynomial: ", &scalar.numbers(polynomial), ",");
            });
        }
    }
}

fn options(text: &mut Text, mechanism: &Mechanism, scalar: Scalar) {
    let options = &mechanism.lists.options;
    let base = Description::<f64>::empty(options.step).options;
    if *options == base {
        return;
    }
    text.literal("options: Options {", "gravity in m/s^2", "},", |text| {
        let mut fields = Fields { text, scalar };
        fields.numbers("gravity", &options.gravity, &base.gravity);
        if options.integrator != base.integrator {
            fields.raw("integrator", format!("Integrator::{:?}", options.integrator));
        }
        if options.cone != base.cone {
            fields.raw("cone", format!("FrictionCone::{:?}", options.cone));
        }
        fields.number("impedance_ratio", options.impedance_ratio, base.impedance_ratio);
        flags(fields.text, &options.flags);
        text.line("..EMPTY.options");
    });
}

fn flags(text: &mut Text, flags: &Flags) {
    let base = Flags::DEFAULT;
    if *flags == base {
        return;
    }
    text.literal("flags: Flags {", "what differs", "},", |text| {
        let mut fields = Fields { text, scalar: Scalar::Single };
        fields.changed("refsafe", flags.refsafe, base.refsafe);
        fields.changed("exact_diagonal", flags.exact_diagonal, base.exact_diagonal);
        fields.changed("euler_damping", flags.euler_damping, base.euler_damping);
        fields.changed("warm_start", flags.warm_start, base.warm_start);
        fields.changed("constraint", flags.constraint, base.constraint);
        fields.changed("equality", flags.equality, base.equality);
        fields.changed("friction_loss", flags.friction_loss, base.friction_loss);
        fields.changed("limit", flags.limit, base.limit);
        fields.changed("contact", flags.contact, base.contact);
        fields.changed("gravity", flags.gravity, base.gravity);
        fields.changed("spring", flags.spring, base.spring);
        fields.changed("damper", flags.damper, base.damper);
        fields.changed("actuation", flags.actuation, base.actuation);
        fields.changed("clamp_control", flags.clamp_control, base.clamp_control);
        fields.changed("filter_parent", flags.filter_parent, base.filter_parent);
        text.line("..Flags::DEFAULT");
    });
}
