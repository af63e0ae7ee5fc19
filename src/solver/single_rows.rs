//! Rows of a single dof take short ways through the whole kernel. Here every method answers the same rows twice, once by those, once by
//! the sums over all dofs: not a bit may differ.

use std::fmt::Debug;
use std::string::String;
use std::{format, vec::Vec};

use nalgebra::{SMatrix, SVector};
use proptest::prelude::*;

use super::*;
use crate::mass::MassMatrix;
use crate::rows::{DiagonalScale, Kind, Row, RowContext, RowInput, Rows, Rule, SingleInput};
use crate::scalar::{Real, literal};
use crate::softness::Softness;

const NR: usize = 28;
const NC: usize = 2;

/// Numbers from a seed: an xorshift generator.
struct Source(u64);

impl Source {
    /// In [0, 1).
    fn share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn signed<T: Real>(&mut self, size: f64) -> T {
        literal(size * (2.0 * self.share() - 1.0))
    }

    fn below(&mut self, end: usize) -> usize {
        (self.share() * end as f64) as usize
    }

    fn vector<T: Real, const NV: usize>(&mut self, size: f64) -> SVector<T, NV> {
        SVector::from_fn(|_, _| self.signed(size))
    }

    /// A Jacobian: of one dof, of some, of none.
    fn jacobian<T: Real, const NV: usize>(&mut self) -> SVector<T, NV> {
        let mut jacobian = SVector::from_element(T::zero());
        match self.below(8) {
            0..5 => jacobian[self.below(NV)] = self.signed(2.0),
            5 => {
                jacobian[self.below(NV)] = self.signed(2.0);
                jacobian[self.below(NV)] = self.signed(2.0);
            }
            6 if self.below(4) == 0 => {}
            _ => jacobian = self.vector(2.0),
        }
        jacobian
    }

    /// Symmetric and positive definite; without coupling, a chain's, or a tree's by its parents.
    fn mass<T: Real, const NV: usize>(&mut self) -> MassMatrix<T, NV> {
        let mut mass = MassMatrix::filled(T::zero());
        let coupled = self.below(4) > 0;
        let root = SMatrix::<f64, NV, NV>::from_fn(|_, _| if coupled { 2.0 * self.share() - 1.0 } else { 0.0 });
        let entries = root * root.transpose() + SMatrix::identity() * (0.1 + self.share());
        if self.below(3) == 0 {
            let parents: Vec<_> = (0..NV).map(|k| (k > 0).then(|| self.below(k) as u8)).collect();
            assert_eq!(mass.set_parents(&parents), Ok(()));
        }
        // What the parents cut off may cost definiteness: a heavier diagonal brings it back.
        let heavier = (0..8).find(|turn| {
            let entries = entries + SMatrix::identity() * (f64::from(*turn) * NV as f64);
            mass.set(&entries.map(literal::<T>)).is_ok()
        });
        assert!(heavier.is_some());
        mass
    }

    fn rows<T: Real, const NV: usize>(&mut self, only_equalities: bool) -> Rows<T, NV, NR, NC> {
        let mut rows = Rows::with_cones();
        let groups = [
            (Kind::Equality, Rule::Free),
            (Kind::JointFriction, Rule::Interval { loss: literal(self.share()) }),
            (Kind::TendonFriction, Rule::Interval { loss: literal(3.0 * self.share()) }),
            (Kind::JointLimit, Rule::NonNegative),
            (Kind::TendonLimit, Rule::NonNegative),
            (Kind::ContactFrictionless, Rule::NonNegative),
            (Kind::ContactPyramidal, Rule::NonNegative),
        ];
        for (kind, rule) in groups.into_iter().take(if only_equalities { 1 } else { 7 }) {
            // Pyramids come in pairs.
            let count = if kind == Kind::ContactPyramidal { 2 * self.below(2) } else { self.below(5) };
            for _ in 0..count {
                let (jacobian, reference) = (self.jacobian(), self.signed(20.0));
                let regularizer = literal(10f64.powf(-4.0 * self.share()));
                assert_eq!(rows.finished(kind, rule, &jacobian, reference, regularizer), Ok(()));
            }
        }
        if !only_equalities && self.below(2) == 0 {
            let jacobians: [SVector<T, NV>; 3] = core::array::from_fn(|_| self.vector(1.0));
            let reference: [T; 3] = core::array::from_fn(|_| self.signed(10.0));
            assert_eq!(
                rows.finished_elliptic(&jacobians, &reference, literal(0.01), &[literal(0.7); 2], T::one()),
                Ok(())
            );
        }
        rows
    }
}

struct Seen(String);

impl Seen {
    /// Shortest decimals that read back as the same number, the sign of zero with them.
    fn note(&mut self, what: &str, value: &impl Debug) {
        self.0 += &format!("{what}: {value:?}\n");
    }
}

/// What all methods say of a problem.
fn answers<T: Real, const NV: usize>(
    mass: &MassMatrix<T, NV>,
    free: &SVector<T, NV>,
    warm: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
) -> String {
    let mut seen = Seen(String::new());
    let mut newton_work = NewtonWorkspace::<T, NV, NR>::filled(T::zero());
    let mut gradients = ConjugateGradientWorkspace::<T, NV, NR>::filled(T::zero());
    let mut sweeps = SweepWorkspace::<T, NV, NR>::filled(T::zero());
    let mut formed = DelassusWorkspace::<T, NV, NR>::filled(T::zero());
    for (iterations, measure) in [(0, Measure::Engine), (1, Measure::ForceCorrection), (40, Measure::DualityGap)] {
        let budget = Budget { measure, ..Budget::new(iterations, literal(1e-9)) };
        for warm in [None, Some(warm)] {
            let work = &mut newton_work;
            seen.note("newton", &newton(mass, free, rows, warm, &budget, work));
            seen.note("is", &(work.acceleration(), work.force()));
            seen.note("again", &newton_again(mass, &(free * literal::<T>(1.25)), rows, &budget, work));
            seen.note("is", &(work.acceleration(), work.force()));
            let variant = Variant::default();
            seen.note("gradients", &conjugate_gradient(mass, free, rows, warm, variant, &budget, &mut gradients));
            seen.note("are", &(gradients.acceleration(), gradients.force()));
            seen.note("sweeps", &projected_gauss_seidel(mass, free, rows, warm, &budget, &mut sweeps));
            seen.note("are", &(sweeps.acceleration(), sweeps.force()));
            let report = projected_gauss_seidel_with_delassus(mass, free, rows, warm, &budget, &mut formed);
            seen.note("with A", &report);
            seen.note("is", &(formed.acceleration(), formed.force()));
        }
    }
    let mut pass = NoslipWorkspace::<T, NV, NR>::filled(T::zero());
    let (a, f) = (*newton_work.acceleration(), newton_work.force());
    seen.note("bound", &error_bound(mass, free, rows, &a, f));
    seen.note("generalized", &rows.generalized_force(f));
    seen.note("noslip", &noslip(mass, free, rows, f, &Budget::new(5, T::zero()), &mut pass));
    seen.note("is", &(pass.acceleration(), pass.force()));
    let mut force = [T::zero(); NR];
    seen.note("answer", &(answer(rows, warm, &mut force), force));
    let (primal, dual) =
        (measure::primal_objective(mass, free, rows, warm), measure::dual_objective(mass, free, rows, f));
    seen.note("objectives", &(primal, dual));
    let mut operator = Delassus::<T, NR>::filled(T::zero());
    seen.note("A", &operator.form(mass, rows));
    seen.note("is", &operator);
    let mut projection = ProjectionWorkspace::<T, NV, NR>::filled(T::zero());
    seen.note("soft", &soft_projection(mass, free, rows, &mut projection));
    seen.note("is", &(projection.acceleration(), projection.multiplier()));
    seen.note("hard", &gauss_projection(mass, free, rows, &mut projection));
    seen.note("is", &(projection.acceleration(), projection.multiplier()));
    seen.0
}

fn both_ways<T: Real, const NV: usize>(seed: u64) {
    let mut source = Source(seed | 1);
    for only_equalities in [false, true] {
        let (mass, rows) = (source.mass::<T, NV>(), source.rows::<T, NV>(only_equalities));
        let (free, warm) = (source.vector(20.0), source.vector(20.0));
        let mut simple = rows.clone();
        simple.forget_singles();
        let (short, long) = (answers(&mass, &free, &warm, &rows), answers(&mass, &free, &warm, &simple));
        for (short, long) in short.lines().zip(long.lines()) {
            assert_eq!(short, long);
        }
    }
}

/// The row of a joint's limit or friction, by its own door, and the same by the door for rows of any kind.
fn doors<T: Real, const NV: usize>(seed: u64) {
    let mut source = Source(seed | 1);
    let (mass, context) = (source.mass::<T, NV>(), RowContext::new(literal(0.002)));
    let softness = Softness::<T>::default();
    let mut jacobian = SVector::from_element(T::zero());
    let (dof, entry) = (source.below(NV), if source.below(2) == 0 { T::one() } else { -T::one() });
    jacobian[dof] = entry;
    let scales = [DiagonalScale::Exact, DiagonalScale::Given(literal(0.1 + source.share()))];
    for scale in scales {
        let (velocity, residual, loss) = (source.signed(3.0), source.signed(2e-3), literal(source.share()));
        let single = |residual| SingleInput { dof, entry, residual, velocity, scale };
        let input = RowInput { scale, ..RowInput::new(&jacobian, residual, velocity) };
        let (mut short, mut long) = (Rows::<T, NV, 2>::new(), Rows::<T, NV, 2>::new());
        let rule = Rule::Interval { loss };
        assert_eq!(short.add_single(&mass, &context, &softness, Kind::JointFriction, rule, &single(T::zero())), Ok(()));
        assert_eq!(
            short.add_single(&mass, &context, &softness, Kind::JointLimit, Rule::NonNegative, &single(residual)),
            Ok(())
        );
        assert_eq!(long.friction_loss(&mass, &context, &softness, Kind::JointFriction, &input, loss), Ok(()));
        assert_eq!(long.one_sided(&mass, &context, &softness, Kind::JointLimit, &input), Ok(()));
        let known = |row: &Row<T, NV>| row.single() == (NV > 3).then_some((dof, entry));
        assert!(short.rows().iter().chain(long.rows()).all(known));
        short.forget_singles();
        long.forget_singles();
        let numbers = |row: &Row<T, NV>| format!("{row:?}");
        assert!(short.rows().iter().map(numbers).eq(long.rows().iter().map(numbers)), "{short:?} {long:?}");
    }
}

proptest! {
    #[test]
    fn rows_of_one_dof_give_the_bits_of_dense_rows(seed in any::<u64>()) {
        both_ways::<f64, 2>(seed);
        both_ways::<f32, 4>(seed);
        both_ways::<f64, 5>(seed);
        both_ways::<f32, 9>(seed);
        both_ways::<f64, 16>(seed);
    }

    #[test]
    fn a_joints_own_row_is_that_of_the_door_for_all(seed in any::<u64>()) {
        doors::<f32, 1>(seed);
        doors::<f64, 4>(seed);
        doors::<f32, 9>(seed);
    }

    /// Beside an overflow the sums over all dofs are NaN where the short ones are not; both must end, and what is called an answer is finite.
    #[test]
    fn an_overflow_ends_as_an_error_or_in_finite_numbers(seed in any::<u64>(), power in 15..38) {
        let mut source = Source(seed | 1);
        let (mass, rows) = (source.mass::<f32, 4>(), source.rows::<f32, 4>(false));
        let size = 10f64.powi(power);
        let (free, warm) = (source.vector(size), source.vector(size));
        let budget = Budget::new(40, 1e-9);
        let mut work = NewtonWorkspace::<f32, 4, NR>::filled(0.0);
        let mut sweeps = SweepWorkspace::<f32, 4, NR>::filled(0.0);
        let mut gradients = ConjugateGradientWorkspace::<f32, 4, NR>::filled(0.0);
        for warm in [None, Some(&warm)] {
            if newton(&mass, &free, &rows, warm, &budget, &mut work).is_ok() {
                prop_assert!(work.acceleration().iter().chain(work.force()).all(|x| x.is_finite()));
            }
            if projected_gauss_seidel(&mass, &free, &rows, warm, &budget, &mut sweeps).is_ok() {
                prop_assert!(sweeps.acceleration().iter().chain(sweeps.force()).all(|x| x.is_finite()));
            }
            if conjugate_gradient(&mass, &free, &rows, warm, Variant::default(), &budget, &mut gradients).is_ok() {
                prop_assert!(gradients.acceleration().iter().chain(gradients.force()).all(|x| x.is_finite()));
            }
        }
    }
}
