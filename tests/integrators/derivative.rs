//! D of velocity-implicit steps: the derivative of the bias force and of all smooth forces by differences on random trees of
//! all joint types, and the factor of M − h D against a general one.

use delassus::description::{Body, Description, Integrator, Joint, JointKind};
use delassus::dynamics::{DynamicsWorkspace, add_bias_derivative, bias_force, mass_matrix};
use delassus::integrator::{ImplicitFactor, SingularStep};
use delassus::kinematics::Kinematics;
use delassus::mass::MassMatrix;
use delassus::model::{Model, State};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};
use nalgebra::{SMatrix, SVector};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::scene::description;

const NB: usize = 12;
const NQ: usize = 64;
const NV: usize = 52;

/// What a tree is drawn from: for each body the parent's share, the joints' choice and numbers in [−1, 1].
pub type Draw = Vec<(f64, usize, [f64; 32])>;

pub fn draws(bodies: core::ops::RangeInclusive<usize>) -> impl Strategy<Value = Draw> {
    prop::collection::vec((0.0..1.0f64, 0usize..10, proptest::array::uniform32(-1.0..1.0f64)), bodies)
}

/// The joints of a body by choice; a free joint only under the world.
fn kinds(choice: usize, root: bool) -> &'static [JointKind] {
    use JointKind::{Ball, Free, Hinge, Slide};
    match choice {
        0 if root => &[Free],
        0 | 1 => &[Hinge],
        2 => &[Slide],
        3 => &[Ball],
        4 => &[Hinge, Hinge],
        5 => &[Slide, Hinge],
        6 => &[Ball, Slide],
        7 => &[Slide, Slide, Ball],
        8 => &[Hinge, Slide],
        _ => &[],
    }
}

/// A tree with dampers, springs and armature, and a state that is nowhere special.
pub fn tree<const NQ: usize, const NV: usize>(
    draw: &Draw,
    integrator: Integrator,
) -> (&'static Description<'static, f64>, State<f64, NQ, NV>) {
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    let (mut configuration, mut velocity) = (Vec::new(), Vec::<f64>::new());
    for (index, (parent, choice, x)) in draw.iter().enumerate() {
        let parent = (parent * (index + 1) as f64) as usize;
        let parent = (parent > 0).then(|| parent as u16 - 1);
        let (a, b) = (0.2 + x[0].abs(), 0.2 + x[1].abs());
        bodies.push(Body {
            parent,
            position: [x[2], x[3], x[4]],
            orientation: [1.5, x[5], x[6], x[7]],
            center: [0.5 * x[8], 0.5 * x[9], 0.5 * x[10]],
            inertia_orientation: [1.5, x[11], x[12], x[13]],
            ..Body::<f64>::new(0.3 + x[14].abs(), [a, b, (a - b).abs() + x[15].abs() * (a + b - (a - b).abs())])
        });
        for (number, kind) in kinds(*choice, parent.is_none()).iter().enumerate() {
            let y = |k: usize| x[16 + (5 * number + k) % 16];
            joints.push(Joint {
                axis: [y(0), y(1), 1.2],
                position: [y(2), y(3), y(4)],
                stiffness: [2.0, y(1), 0.3],
                damping: [y(5).abs(), y(6).abs(), y(7).abs()],
                armature: 0.1 * y(8).abs(),
                ..Joint::<f64>::new(*kind, index as u16)
            });
            match kind {
                JointKind::Free => configuration.extend([y(0), y(1), y(2), 1.3, y(3), y(4), y(5)]),
                JointKind::Ball => configuration.extend([1.3, y(0), y(1), y(2)]),
                JointKind::Hinge | JointKind::Slide => configuration.push(y(9)),
            }
            velocity.extend((0..kind.dofs()).map(|k| 2.0 * y(10 + k)));
        }
    }
    let whole = description(bodies, joints, [1.0, -2.0, -9.81], 0.01, integrator);
    let mut state = State::<f64, NQ, NV>::filled(0.0);
    state.configuration.iter_mut().zip(configuration).for_each(|(slot, q)| *slot = q);
    state.velocity.iter_mut().zip(velocity).for_each(|(slot, v)| *slot = v);
    (whole, state)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// c is quadratic in v, so a central difference of any width is exact but for rounding.
    #[test]
    fn the_derivative_of_the_bias_force_is_its_central_difference(draw in draws(1..=12)) {
        let (whole, state) = tree::<NQ, NV>(&draw, Integrator::Euler);
        let mut work = Box::new(Workspace::<f64, NB, NV, 0, 0>::filled(0.0));
        let model = Model::<f64, NB, NQ, NV>::new(whole, &mut work.smooth).unwrap();
        let mut kinematics = Box::new(Kinematics::<f64, NB, NV>::filled(0.0));
        let mut dynamics = DynamicsWorkspace::<f64, NB>::filled(0.0);
        let mut mass = Box::new(MassMatrix::<f64, NV>::filled(0.0));
        kinematics.place(model.tree(), &state.configuration).unwrap();
        let mut force = |v: &SVector<f64, NV>| {
            let mut force = SVector::from_element(0.0);
            kinematics.move_at(model.tree(), v).unwrap();
            bias_force(model.tree(), &kinematics, &model.gravity(), &mut dynamics, &mut force);
            force
        };
        let mut differences = vec![];
        for j in 0..model.dof_count() {
            let mut unit = SVector::from_element(0.0);
            unit[j] = 1.0;
            differences.push((force(&(state.velocity + unit)) - force(&(state.velocity - unit))) * 0.5);
        }
        kinematics.move_at(model.tree(), &state.velocity).unwrap();
        mass_matrix(model.tree(), &kinematics, &mut dynamics, &mut mass).unwrap();
        let mut rows = [[0.0; NV]; NV];
        add_bias_derivative(model.tree(), &kinematics, &state.velocity, &dynamics, 1.0, &mut rows);
        let scale = differences.iter().fold(1.0, |scale: f64, column| scale.max(column.amax()));
        for i in 0..NV {
            for j in 0..NV {
                let expected = differences.get(j).map_or(0.0, |column| column[i]);
                prop_assert!((rows[i][j] - expected).abs() < 1e-13 * scale, "({i}, {j}): {} {expected}", rows[i][j]);
            }
        }
    }

    /// S15-52: (M − h D)(v₊ − v) = h × force with D = ∂(M a_u)/∂v by differences. Their step is 1e-5, and the dampers' |v| v has a
    /// kink, so the bound is what the width leaves: 1e-8 of the largest force.
    #[test]
    fn an_implicit_step_solves_its_equation(draw in draws(1..=12)) {
        let (whole, state) = tree::<NQ, NV>(&draw, Integrator::Implicit);
        let mut work = Box::new(Workspace::<f64, NB, NV, 0, 1>::filled(0.0));
        let model = Model::<f64, NB, NQ, NV>::new(whole, &mut work.smooth).unwrap();
        let budget = Budget::new(1, 0.0);
        let mut force = |v: &SVector<f64, NV>| {
            let moved = State { velocity: *v, ..state };
            model.forward(&moved, &Input::none(), &budget, &mut work).unwrap();
            work.passive_force() - work.bias_force()
        };
        let here = force(&state.velocity);
        let mut after = state;
        let mut differences = vec![];
        for j in 0..model.dof_count() {
            let mut unit = SVector::from_element(0.0);
            unit[j] = 1e-5;
            differences.push((force(&(state.velocity + unit)) - force(&(state.velocity - unit))) * 5e4);
        }
        model.step(&mut after, &Input::none(), &budget, &mut work).unwrap();
        let change = after.velocity - state.velocity;
        let mut left = work.mass().times(&change) - here * 0.01;
        for (j, column) in differences.iter().enumerate() {
            left -= column * (0.01 * change[j]);
        }
        prop_assert!(left.amax() < 1e-8 * here.amax().max(1.0), "{} of {}", left.amax(), here.amax());
    }

    /// The pivot-free factor against Gauss with partial pivoting, dense and by chains.
    #[test]
    fn the_unsymmetric_factor_solves(
        numbers in proptest::array::uniform32(-1.0..1.0f64),
        more in proptest::array::uniform32(-1.0..1.0f64),
        chains in proptest::bool::ANY,
    ) {
        // Dofs 0 − 1 − 2, and two branches 3 − 4 and 5 − 6 on dof 1.
        const PARENTS: [Option<u8>; 7] = [None, Some(0), Some(1), Some(1), Some(3), Some(1), Some(5)];
        let related = |i: usize, j: usize| {
            let above = |mut of: usize, other: usize| {
                while let Some(parent) = PARENTS[of] {
                    of = usize::from(parent);
                    if of == other { return true; }
                }
                false
            };
            i == j || above(i, j) || above(j, i)
        };
        let mut mass = MassMatrix::<f64, 7>::filled(0.0);
        if chains {
            mass.set_parents(&PARENTS).unwrap();
        }
        let entry = |i: usize, j: usize| if chains && !related(i, j) { 0.0 } else { numbers[(i.min(j) * 7 + i.max(j)) % 32] };
        let entries = SMatrix::<f64, 7, 7>::from_fn(|i, j| if i == j { 5.0 } else { 0.8 * entry(i, j) });
        mass.set(&entries).unwrap();
        let change = SMatrix::<f64, 7, 7>::from_fn(|i, j| if chains && !related(i, j) { 0.0 } else { more[(i * 7 + j) % 32] });
        let right = SVector::<f64, 7>::from_fn(|i, _| numbers[31 - i]);
        let mut factor = ImplicitFactor::filled(0.0);
        let mut x = right;
        let add = |rows: &mut [[f64; 7]; 7]| {
            for i in 0..7 {
                for j in 0..7 {
                    rows[i][j] += change[(i, j)];
                }
            }
        };
        factor.solve_changed(&mass, false, add, &mut x).unwrap();
        let general = (entries + change).lu().solve(&right).unwrap();
        prop_assert!((x - general).amax() < 1e-13 * general.amax().max(1.0), "{x} {general}");
    }
}

/// A pivot of zero is an error with the culprit's number, and the vector stays.
#[test]
fn a_singular_step_is_refused() {
    let mut mass = MassMatrix::<f64, 2>::filled(0.0);
    let mut factor = ImplicitFactor::filled(0.0);
    let mut x = SVector::from([1.0, 2.0]);
    assert_eq!(factor.solve_changed(&mass, false, |_| (), &mut x), Err(SingularStep { dof: 1 }));
    mass.set(&SMatrix::identity()).unwrap();
    assert_eq!(factor.solve_changed(&mass, false, |rows| rows[0][0] = 0.0, &mut x), Err(SingularStep { dof: 0 }));
    assert_eq!(factor.solve_changed(&mass, false, |rows| rows[1][1] = f64::NAN, &mut x), Err(SingularStep { dof: 1 }));
    assert_eq!(x, SVector::from([1.0, 2.0]));
}
