//! The kernel door: a mass matrix, rows and a solver, from numbers of any bits.

use delassus::mass::{BodyInertia, MassMatrix};
use delassus::rows::{DiagonalScale, Kind, RowContext, RowInput, Rows, Rule};
use delassus::softness::{Softness, StepRules};
use delassus::solver::{
    ActiveSetWorkspace, Budget, ConjugateGradientWorkspace, DelassusWorkspace, Measure, NewtonWorkspace,
    NoslipWorkspace, Preconditioner, ProjectionWorkspace, Report, Scale, SolverError, SweepWorkspace, Update, Variant,
    active_set, answer, conjugate_gradient, error_bound, gauss_projection, newton, noslip, projected_gauss_seidel,
    projected_gauss_seidel_with_delassus, soft_projection,
};
use nalgebra::{Matrix3, SMatrix, SVector};

use crate::judge::{allowed, told};
use crate::numbers::{Bytes, Float};

const NV: usize = 4;
const NR: usize = 12;
const NC: usize = 3;

type Mass<T> = MassMatrix<T, NV>;
type Contacts<T> = Rows<T, NV, NR, NC>;

const KINDS: [Kind; 8] = [
    Kind::Equality,
    Kind::JointFriction,
    Kind::TendonFriction,
    Kind::JointLimit,
    Kind::TendonLimit,
    Kind::ContactFrictionless,
    Kind::ContactPyramidal,
    Kind::ContactElliptic,
];

/// No panic, no hang; typed errors, or answers that are finite and allowed; the same bits from used memory.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    if bytes.yes() { problem::<f64>(&mut bytes) } else { problem::<f32>(&mut bytes) }
}

fn mass<T: Float>(bytes: &mut Bytes<'_>) -> Mass<T> {
    let mut mass = Mass::filled(T::zero());
    if bytes.byte() < 40 {
        // Mostly before the child, as they must be.
        let parents: [Option<u8>; NV] = std::array::from_fn(|k| {
            bytes.maybe(|b| b.byte()).filter(|p| k > 0 || *p > 250).map(|p| if p < 250 { p % k as u8 } else { p })
        });
        let _ = mass.set_parents(&parents[..NV - usize::from(bytes.byte() == 255)]);
    }
    let made = match bytes.below(4) {
        0 => {
            let entries: SMatrix<T, NV, NV> = SMatrix::from_fn(|_, _| bytes.number());
            mass.set(&SMatrix::from_fn(|i, j| entries[(i.min(j), i.max(j))]))
        }
        1 => {
            let bodies: [BodyInertia<T, NV>; 2] = std::array::from_fn(|_| BodyInertia {
                mass: bytes.positive(),
                inertia: Matrix3::from_diagonal_element(bytes.positive()),
                linear: SMatrix::from_fn(|_, _| bytes.number()),
                angular: SMatrix::from_fn(|_, _| bytes.number()),
            });
            mass.set_from_bodies(&bodies, &bytes.positive_vector())
        }
        2 => mass.set(&SMatrix::from_diagonal(&bytes.positive_vector::<T, NV>())),
        _ => {
            // B Bᵀ + diagonal, symmetric in every bit
            let b: SMatrix<T, NV, NV> = SMatrix::from_fn(|_, _| bytes.number());
            let own: SVector<T, NV> = bytes.positive_vector();
            let entry = |i: usize, j: usize| (0..NV).fold(T::zero(), |sum, k| sum + b[(i, k)] * b[(j, k)]);
            mass.set(&SMatrix::from_fn(|i, j| entry(i.min(j), i.max(j)) + if i == j { own[i] } else { T::zero() }))
        }
    };
    if made.is_err() {
        assert!(!mass.is_ready());
        mass.set(&SMatrix::identity()).expect("the unit matrix");
    }
    assert!(mass.amplification() >= T::one());
    mass
}

fn softness<T: Float>(bytes: &mut Bytes<'_>) -> Softness<T> {
    if bytes.yes() {
        return Softness::default();
    }
    Softness::from_mujoco(bytes.numbers(), bytes.numbers()).unwrap_or_default()
}

/// Adds one block, or is refused and leaves all as it was.
fn block<T: Float>(bytes: &mut Bytes<'_>, kind: Kind, mass: &Mass<T>, rows: &mut Contacts<T>) {
    let before = (rows.len(), rows.cones().len());
    let context = RowContext {
        rules: StepRules { step: bytes.positive(), refsafe: bytes.yes(), guard_direct: bytes.yes() },
        impedance_ratio: bytes.positive(),
    };
    let soft = softness(bytes);
    let jacobians: [SVector<T, NV>; 6] = std::array::from_fn(|_| bytes.vector());
    let inputs: Vec<RowInput<'_, T, NV>> = jacobians
        .iter()
        .map(|jacobian| RowInput {
            jacobian,
            residual: bytes.number(),
            velocity: bytes.number(),
            curvature: bytes.number(),
            scale: if bytes.yes() { DiagonalScale::Exact } else { DiagonalScale::Given(bytes.positive()) },
        })
        .collect();
    let count = bytes.among(&[1usize, 2, 3, 3, 4, 5, 6, 6]);
    let mu: [T; 5] = bytes.positives();
    let frictions = &mu[..if bytes.byte() < 240 { count - 1 } else { 5 }];
    let finished = bytes.byte() < 100;
    let made = match kind {
        Kind::ContactElliptic if finished => {
            let references: [T; 6] = bytes.numbers();
            let ratio = bytes.positive();
            rows.finished_elliptic(&jacobians[..count], &references[..count], bytes.positive(), frictions, ratio)
        }
        Kind::ContactElliptic => {
            let own = bytes.maybe(softness);
            let own = own.as_ref().map(|own| own.reference());
            rows.elliptic(mass, &context, &soft, own, &inputs[..count], frictions)
        }
        Kind::ContactPyramidal => rows.pyramid(mass, &context, &soft, &inputs[..count], frictions),
        _ if finished => {
            let rule = match kind {
                Kind::Equality => Rule::Free,
                Kind::JointFriction | Kind::TendonFriction => Rule::Interval { loss: bytes.positive() },
                _ => Rule::NonNegative,
            };
            let regularizer = if bytes.byte() < 8 { T::zero() } else { bytes.positive() };
            rows.finished(kind, rule, &jacobians[0], bytes.number(), regularizer)
        }
        Kind::Equality => rows.equality(mass, &context, &soft, &inputs[..count]),
        Kind::JointFriction | Kind::TendonFriction => {
            rows.friction_loss(mass, &context, &soft, kind, &inputs[0], bytes.positive())
        }
        _ => rows.one_sided(mass, &context, &soft, kind, &inputs[0]),
    };
    if made.is_err() {
        assert_eq!((rows.len(), rows.cones().len()), before);
    }
    assert!(rows.rows().iter().all(|row| row.regularizer() >= T::zero() && row.regularizer().is_finite()));
}

/// Twice into the same memory: the same bits, and an answer that is allowed.
fn judged<T: Float, W>(
    (mass, free, rows): (&Mass<T>, &SVector<T, NV>, &Contacts<T>),
    mut work: W,
    mut solve: impl FnMut(&mut W) -> Result<Report<T>, SolverError>,
    view: impl Fn(&W) -> (&SVector<T, NV>, &[T]),
) -> Option<Vec<T>> {
    let mut first: Option<Vec<u64>> = None;
    for _ in 0..2 {
        let report = solve(&mut work).ok()?;
        told(&report);
        let (acceleration, force) = view(&work);
        allowed(rows, force, acceleration.as_slice());
        if let Ok(bound) = error_bound(mass, free, rows, acceleration, force) {
            assert!(bound.radius() >= T::zero() && bound.radius().is_finite());
        }
        let bits: Vec<u64> = acceleration.iter().chain(force).map(|x| x.to_bits()).collect();
        if let Some(first) = &first {
            assert_eq!(first, &bits, "used memory changes the answer");
        }
        first = Some(bits);
    }
    Some(view(&work).1.to_vec())
}

fn problem<T: Float>(bytes: &mut Bytes<'_>) {
    let mass = mass::<T>(bytes);
    let mut rows = Contacts::with_cones();
    // Mostly in the order that rows must have.
    let mut rank = 0;
    for _ in 0..bytes.below(7) {
        rank = if bytes.byte() < 230 { rank + bytes.below(KINDS.len() - rank) } else { bytes.below(KINDS.len()) };
        block(bytes, KINDS[rank], &mass, &mut rows);
    }
    let free: SVector<T, NV> = bytes.vector();
    let warm: Option<SVector<T, NV>> = bytes.maybe(|b| b.vector());
    let warm = warm.as_ref();
    let budget = Budget {
        iterations: bytes.among(&[0, 1, 2, 3, 5, 10, 30]),
        line_search: bytes.among(&[0, 1, 4, 20, 200]),
        tolerance: if bytes.yes() { T::zero() } else { bytes.positive() },
        measure: bytes.among(&[Measure::Engine, Measure::ForceCorrection, Measure::DualityGap]),
        line_search_tolerance: bytes.positive(),
        scale: if bytes.yes() { Scale::MassTrace } else { Scale::Fixed(bytes.positive()) },
    };
    let variant = Variant {
        update: bytes.among(&[Update::HagerZhang, Update::PolakRibiere]),
        preconditioner: bytes.among(&[Preconditioner::Mass, Preconditioner::Diagonal, Preconditioner::None]),
    };
    let zero = T::zero();
    let problem = (&mass, &free, &rows);
    let forces = [
        judged(
            problem,
            NewtonWorkspace::filled(zero),
            |w| newton(&mass, &free, &rows, warm, &budget, w),
            |w| (w.acceleration(), w.force()),
        ),
        judged(
            problem,
            ConjugateGradientWorkspace::filled(zero),
            |w| conjugate_gradient(&mass, &free, &rows, warm, variant, &budget, w),
            |w| (w.acceleration(), w.force()),
        ),
        judged(
            problem,
            ActiveSetWorkspace::filled(zero),
            |w| active_set(&mass, &free, &rows, warm, &budget, w),
            |w| (w.acceleration(), w.force()),
        ),
        judged(
            problem,
            SweepWorkspace::filled(zero),
            |w| projected_gauss_seidel(&mass, &free, &rows, warm, &budget, w),
            |w| (w.acceleration(), w.force()),
        ),
        judged(
            problem,
            DelassusWorkspace::filled(zero),
            |w| projected_gauss_seidel_with_delassus(&mass, &free, &rows, warm, &budget, w),
            |w| (w.acceleration(), w.force()),
        ),
    ];
    for force in forces.iter().flatten() {
        judged(
            problem,
            NoslipWorkspace::filled(zero),
            |w| noslip(&mass, &free, &rows, force, &budget, w),
            |w| (w.acceleration(), w.force()),
        );
    }
    let mut work = ProjectionWorkspace::filled(zero);
    for hard in [false, true] {
        let solved = if hard {
            gauss_projection(&mass, &free, &rows, &mut work)
        } else {
            soft_projection(&mass, &free, &rows, &mut work)
        };
        if solved.is_ok() {
            assert!(work.acceleration().iter().chain(work.multiplier()).all(|x| x.is_finite()));
        }
    }
    let mut force = [zero; NR];
    // At an acceleration of one's own a force may overflow: this door says what the law says.
    let _ = answer(&rows, &free, &mut force);
}
