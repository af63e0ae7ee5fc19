//! Small problems on which solvers are compared by instructions: P2 the block stack, P12 well conditioned, P12C with more rows
//! than dofs; all rows one-sided. P12E: four elliptic contacts on 6 dofs.

pub use super::problem_data::{P2, P12, P12C, P12E};
use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::solver::{
    ActiveSetWorkspace, Budget, ConjugateGradientWorkspace, DelassusWorkspace, Measure, NewtonWorkspace, Report,
    SolverError, SweepWorkspace, Variant, active_set, conjugate_gradient, newton, projected_gauss_seidel,
    projected_gauss_seidel_with_delassus,
};
use nalgebra::{SMatrix, SVector};

/// M, J, R, b = J a_u − a_ref, and the exact forces.
pub struct Problem<const NV: usize, const NR: usize> {
    pub mass: [[f32; NV]; NV],
    pub jacobian: [[f32; NV]; NR],
    pub regularizer: [f32; NR],
    pub offset: [f32; NR],
    pub force: [f32; NR],
}

/// Memory of one solve by any method.
pub struct Memory<const NV: usize, const NR: usize, const NC: usize> {
    pub mass: MassMatrix<f32, NV>,
    pub rows: Rows<f32, NV, NR, NC>,
    pub newton: NewtonWorkspace<f32, NV, NR>,
    pub active_set: ActiveSetWorkspace<f32, NV, NR>,
    pub gradients: ConjugateGradientWorkspace<f32, NV, NR>,
    pub sweeps: SweepWorkspace<f32, NV, NR>,
    pub delassus: DelassusWorkspace<f32, NV, NR>,
}

impl<const NV: usize, const NR: usize, const NC: usize> Memory<NV, NR, NC> {
    pub const fn new() -> Self {
        Self {
            mass: MassMatrix::filled(0.0),
            rows: Rows::with_cones(),
            newton: NewtonWorkspace::filled(0.0),
            active_set: ActiveSetWorkspace::filled(0.0),
            gradients: ConjugateGradientWorkspace::filled(0.0),
            sweeps: SweepWorkspace::filled(0.0),
            delassus: DelassusWorkspace::filled(0.0),
        }
    }
}

/// The solvers that are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    Newton,
    ActiveSet,
    ConjugateGradient,
    Sweeps,
    SweepsWithDelassus,
}

impl Method {
    pub const ALL: [Self; 5] =
        [Self::Newton, Self::ActiveSet, Self::ConjugateGradient, Self::Sweeps, Self::SweepsWithDelassus];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::ActiveSet => "active_set",
            Self::ConjugateGradient => "conjugate_gradient",
            Self::Sweeps => "sweeps",
            Self::SweepsWithDelassus => "sweeps_with_delassus",
        }
    }
}

/// What each may spend: Newton, the active set and the gradients to the engine's tolerance, the sweeps until no force changes by more than 1e-5 N, at most 100.
pub fn budget(method: Method) -> Budget<f32> {
    match method {
        Method::Newton | Method::ActiveSet => Budget { line_search: 100, ..Budget::new(20, 1e-6) },
        Method::ConjugateGradient => Budget { line_search: 300, ..Budget::new(100, 1e-6) },
        _ => Budget { measure: Measure::ForceCorrection, ..Budget::new(100, 1e-5) },
    }
}

/// M and rows from their numbers: checked, factored, stored.
pub fn prepare<const NV: usize, const NR: usize, const NC: usize>(
    problem: &Problem<NV, NR>,
    memory: &mut Memory<NV, NR, NC>,
) -> Result<(), SolverError> {
    memory.mass.set(&SMatrix::from_array_storage(nalgebra::ArrayStorage(problem.mass)))?;
    memory.rows.clear();
    if NC > 0 {
        let rows = problem.jacobian.chunks_exact(3).zip(problem.regularizer.chunks_exact(3));
        for ((jacobian, regularizer), offset) in rows.zip(problem.offset.chunks_exact(3)) {
            let ([a, b, c], [r, ..], [x, y, z]) = (jacobian, regularizer, offset) else { continue };
            let contact = [*a, *b, *c].map(|j| SVector::from_array_storage(nalgebra::ArrayStorage([j])));
            let _ = memory.rows.finished_elliptic(&contact, &[-x, -y, -z], *r, &[0.7, 0.7], 1.0);
        }
        return Ok(());
    }
    for ((jacobian, regularizer), offset) in problem.jacobian.iter().zip(problem.regularizer).zip(problem.offset) {
        let jacobian = SVector::from_array_storage(nalgebra::ArrayStorage([*jacobian]));
        // With a_u = 0, a_ref = −b. The numbers are finite and fit.
        let _ = memory.rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &jacobian, -offset, regularizer);
    }
    Ok(())
}

/// Solves at the free acceleration `free`.
pub fn solve<const NV: usize, const NR: usize, const NC: usize>(
    memory: &mut Memory<NV, NR, NC>,
    method: Method,
    free: &SVector<f32, NV>,
    warm_start: Option<&SVector<f32, NV>>,
) -> Result<Report<f32>, SolverError> {
    let Memory { mass, rows, newton: primal, active_set: active, gradients, sweeps, delassus } = memory;
    let budget = budget(method);
    match method {
        Method::Newton => newton(mass, free, rows, warm_start, &budget, primal),
        Method::ActiveSet => active_set(mass, free, rows, warm_start, &budget, active),
        Method::ConjugateGradient => {
            conjugate_gradient(mass, free, rows, warm_start, Variant::default(), &budget, gradients)
        }
        Method::Sweeps => projected_gauss_seidel(mass, free, rows, warm_start, &budget, sweeps),
        Method::SweepsWithDelassus => {
            projected_gauss_seidel_with_delassus(mass, free, rows, warm_start, &budget, delassus)
        }
    }
}

impl<const NV: usize, const NR: usize, const NC: usize> Memory<NV, NR, NC> {
    pub fn force(&self, method: Method) -> &[f32] {
        match method {
            Method::Newton => self.newton.force(),
            Method::ActiveSet => self.active_set.force(),
            Method::ConjugateGradient => self.gradients.force(),
            Method::Sweeps => self.sweeps.force(),
            Method::SweepsWithDelassus => self.delassus.force(),
        }
    }

    pub fn acceleration(&self, method: Method) -> SVector<f32, NV> {
        match method {
            Method::Newton => *self.newton.acceleration(),
            Method::ActiveSet => *self.active_set.acceleration(),
            Method::ConjugateGradient => *self.gradients.acceleration(),
            Method::Sweeps => *self.sweeps.acceleration(),
            Method::SweepsWithDelassus => *self.delassus.acceleration(),
        }
    }

    /// Largest error of a force beside the largest force.
    pub fn error(&self, method: Method, exact: &[f32; NR]) -> f32 {
        let (mut worst, mut scale) = (0.0f32, 1e-30f32);
        for (f, e) in self.force(method).iter().zip(exact) {
            let error = (f - e).abs();
            worst = if error > worst { error } else { worst };
            scale = if e.abs() > scale { e.abs() } else { scale };
        }
        worst / scale
    }
}

/// Free accelerations of the warm start: 1 % of gravity in every dof, as from one tick to the next.
pub fn disturbed<const NV: usize>() -> SVector<f32, NV> {
    SVector::repeat(0.1)
}

/// Every problem by every method, cold, then warm.
pub fn run(record: &mut impl FnMut(f32)) {
    one(&P2, &mut Memory::<2, 2, 0>::new(), record);
    one(&P12, &mut Memory::<12, 12, 0>::new(), record);
    one(&P12C, &mut Memory::<6, 12, 0>::new(), record);
    one(&P12E, &mut Memory::<6, 12, 4>::new(), record);
}

/// One problem by every method.
pub fn one<const NV: usize, const NR: usize, const NC: usize>(
    problem: &Problem<NV, NR>,
    memory: &mut Memory<NV, NR, NC>,
    record: &mut impl FnMut(f32),
) {
    for method in Method::ALL {
        if prepare(problem, memory).is_err() {
            record(f32::NAN);
            continue;
        }
        let mut warm_start = None;
        for free in [SVector::repeat(0.0), disturbed()] {
            match solve(memory, method, &free, warm_start.as_ref()) {
                Ok(report) => {
                    for f in memory.force(method) {
                        record(*f);
                    }
                    for a in memory.acceleration(method).iter() {
                        record(*a);
                    }
                    record(f32::from(report.iterations));
                }
                Err(_) => record(f32::NAN),
            }
            warm_start = Some(memory.acceleration(method));
        }
    }
}
