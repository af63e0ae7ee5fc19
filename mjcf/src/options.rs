//! `<option>` and its flags.

use delassus::description::{Flags, FrictionCone, Integrator, Options};

use crate::compiler::set;
use crate::element::Element;
use crate::error::Result;

/// The method that finds the constraint forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverMethod {
    /// Newton's method on the primal problem.
    Newton,
    /// Conjugate gradients on the primal problem.
    ConjugateGradient,
    /// Projected Gauss–Seidel on the dual problem.
    GaussSeidel,
}

/// How MuJoCo would store Jacobians; no result depends on it here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JacobianStorage {
    /// Dense.
    Dense,
    /// Sparse.
    Sparse,
    /// Dense below 60 degrees of freedom.
    Auto,
}

/// Options that concern the solver and not the mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverOptions {
    /// Which method.
    pub method: SolverMethod,
    /// Most iterations.
    pub iterations: usize,
    /// Relative improvement or gradient at which to stop.
    pub tolerance: f64,
    /// Most evaluations of a line search.
    pub line_search_iterations: usize,
    /// Gradient of a line search at which to stop.
    pub line_search_tolerance: f64,
    /// Most sweeps of the pass against slip; 0 for no pass.
    pub noslip_iterations: usize,
    /// Improvement at which that pass stops.
    pub noslip_tolerance: f64,
    /// How Jacobians are stored.
    pub jacobian: JacobianStorage,
    /// Solve independent groups of bodies apart from each other.
    pub islands: bool,
    /// Scale of tolerances from `<statistic meaninertia>`; `None`: computed.
    pub mean_inertia: Option<f64>,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self {
            method: SolverMethod::Newton,
            iterations: 100,
            tolerance: 1e-8,
            line_search_iterations: 50,
            line_search_tolerance: 0.01,
            noslip_iterations: 0,
            noslip_tolerance: 1e-6,
            jacobian: JacobianStorage::Auto,
            islands: true,
            mean_inertia: None,
        }
    }
}

/// MuJoCo's defaults.
pub(crate) fn defaults() -> Options<f64> {
    Options {
        gravity: [0.0, 0.0, -9.81],
        step: 0.002,
        integrator: Integrator::Euler,
        cone: FrictionCone::Pyramidal,
        impedance_ratio: 1.0,
        flags: Flags::DEFAULT,
    }
}

/// What concerns other things than the supported ones: other collision routines, overrides (refused by their flag), sleeping
/// (likewise), magnetometers; disabled groups of actuators are refused where there are actuators.
const WITHOUT_EFFECT: &[&str] = &[
    "actuatorgroupdisable",
    "ccd_iterations",
    "ccd_tolerance",
    "magnetic",
    "o_friction",
    "o_margin",
    "o_solimp",
    "o_solref",
    "sdf_initpoints",
    "sdf_iterations",
    "sleep_tolerance",
];

const ATTRIBUTES: &[&str] = &[
    "timestep",
    "gravity",
    "integrator",
    "cone",
    "impratio",
    "solver",
    "iterations",
    "tolerance",
    "ls_iterations",
    "ls_tolerance",
    "noslip_iterations",
    "noslip_tolerance",
    "jacobian",
    "density",
    "viscosity",
    "wind",
];

/// Reads an `<option>` over what earlier ones said.
pub(crate) fn apply(e: &Element, options: &mut Options<f64>, solver: &mut SolverOptions) -> Result<()> {
    e.allow(&[WITHOUT_EFFECT, ATTRIBUTES])?;
    for name in ["density", "viscosity"] {
        if e.numbers::<1>(name)?.is_some_and(|[x]| x != 0.0) {
            return Err(e.unsupported(format!("a fluid ({name}) is not supported"), "write 0 or remove the attribute"));
        }
    }
    e.numbers::<3>("wind")?;
    e.set("timestep", &mut options.step)?;
    if !(options.step > 0.0) {
        return Err(e.invalid("timestep must be positive").remedy("correct it"));
    }
    set(&mut options.gravity, e.numbers("gravity")?);
    let integrators = [
        ("Euler", Integrator::Euler),
        ("RK4", Integrator::RungeKutta),
        ("implicit", Integrator::Implicit),
        ("implicitfast", Integrator::ImplicitFast),
    ];
    set(&mut options.integrator, e.word("integrator", &integrators)?);
    let cones = [("pyramidal", FrictionCone::Pyramidal), ("elliptic", FrictionCone::Elliptic)];
    set(&mut options.cone, e.word("cone", &cones)?);
    e.set("impratio", &mut options.impedance_ratio)?;
    let methods =
        [("PGS", SolverMethod::GaussSeidel), ("CG", SolverMethod::ConjugateGradient), ("Newton", SolverMethod::Newton)];
    set(&mut solver.method, e.word("solver", &methods)?);
    let storages =
        [("dense", JacobianStorage::Dense), ("sparse", JacobianStorage::Sparse), ("auto", JacobianStorage::Auto)];
    set(&mut solver.jacobian, e.word("jacobian", &storages)?);
    for (name, slot) in [
        ("iterations", &mut solver.iterations),
        ("ls_iterations", &mut solver.line_search_iterations),
        ("noslip_iterations", &mut solver.noslip_iterations),
    ] {
        if let Some(count) = e.integer(name)? {
            *slot = usize::try_from(count)
                .map_err(|_| e.invalid(format!("attribute \"{name}\" is negative")).remedy("write 0 or more"))?;
        }
    }
    e.set("tolerance", &mut solver.tolerance)?;
    e.set("ls_tolerance", &mut solver.line_search_tolerance)?;
    e.set("noslip_tolerance", &mut solver.noslip_tolerance)?;
    let mut flagged = false;
    for child in &e.children {
        match child.tag.as_str() {
            "flag" if std::mem::replace(&mut flagged, true) => {
                return Err(child.invalid("a second flag element").remedy("keep one"));
            }
            "flag" => flags(child, &mut options.flags, &mut solver.islands)?,
            _ => return Err(child.unknown()),
        }
    }
    Ok(())
}

/// Flags that say what is reported, how fast it goes, or what happens to sensors.
/// `autoreset`: this crate reports a state that is not finite as an error instead.
const FLAGS_WITHOUT_EFFECT: &[&str] = &["autoreset", "energy", "fwdinv", "midphase", "multiccd", "nativeccd", "sensor"];

/// Flags that change the answer in a way which this crate does not know.
const UNSUPPORTED_FLAGS: &[&str] = &["invdiscrete", "override", "sleep"];

fn flags(e: &Element, flags: &mut Flags, islands: &mut bool) -> Result<()> {
    let words = [("disable", false), ("enable", true)];
    for (name, slot) in [
        ("refsafe", &mut flags.refsafe),
        ("diagexact", &mut flags.exact_diagonal),
        ("eulerdamp", &mut flags.euler_damping),
        ("warmstart", &mut flags.warm_start),
        ("constraint", &mut flags.constraint),
        ("equality", &mut flags.equality),
        ("frictionloss", &mut flags.friction_loss),
        ("limit", &mut flags.limit),
        ("contact", &mut flags.contact),
        ("gravity", &mut flags.gravity),
        ("spring", &mut flags.spring),
        ("damper", &mut flags.damper),
        ("filterparent", &mut flags.filter_parent),
        ("actuation", &mut flags.actuation),
        ("clampctrl", &mut flags.clamp_control),
        ("island", islands),
    ] {
        set(slot, e.word(name, &words)?);
    }
    for (name, _) in &e.attributes {
        let (name, on) = (name.as_str(), e.word(name, &words)?);
        if UNSUPPORTED_FLAGS.contains(&name) && on == Some(true) {
            return Err(e.unsupported(format!("flag {name} is not supported"), "remove it"));
        }
    }
    e.allow(&[
        &[
            "refsafe",
            "diagexact",
            "eulerdamp",
            "warmstart",
            "constraint",
            "equality",
            "frictionloss",
            "limit",
            "contact",
            "gravity",
            "spring",
            "damper",
            "filterparent",
            "actuation",
            "clampctrl",
            "island",
        ],
        FLAGS_WITHOUT_EFFECT,
        UNSUPPORTED_FLAGS,
    ])?;
    e.childless()
}
