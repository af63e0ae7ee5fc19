//! Rows of W11 that need no contact: limits, connect, weld, couplings, kinds and order, optimality, inverse weights.

use super::build::{Mechanism, free, hinge, slide, sphere};
use super::rig::{NQ, NV, Rig, Vector, Wide, near};
use delassus::constraint::{Hooks, Place, Scene};
use delassus::description::{Body, Equality, EqualityKind, Joint, SoftnessNumbers};
use delassus::forces::Wrench;
use delassus::rows::{Kind, Rows, RowsError, Rule};
use delassus::tick::Input;
use nalgebra::Vector3;

const ROOM: usize = super::rig::NR;

/// K = B = 0: a_ref is the curvature term alone.
fn still<T>(equality: &mut Equality<T>)
where
    T: From<f32>,
{
    equality.softness.solref = [T::from(0.0), T::from(0.0)];
}

fn references(rig: &Rig<'_>) -> Vec<f64> {
    rig.work.rows().rows().iter().map(|row| row.reference()).collect()
}

/// One hinge with range (−0.3, 0.4) and margin 0.1, or other numbers.
fn limited(range: [f64; 2], margin: f64) -> Mechanism<f64> {
    let mut mechanism = Mechanism::floating();
    mechanism.body(sphere(1.0, 0.2));
    mechanism.joint(Joint { range: Some(range), margin, ..hinge([0.0, 0.0, 1.0]) });
    mechanism
}

#[test]
fn w11_03_to_06_limit_rows() {
    let mechanism = limited([-0.3, 0.4], 0.1);
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    for (q, sign) in [(-0.25, 1.0), (0.35, -1.0)] {
        state.configuration[0] = q;
        let facts = rig.facts(&state, &Input::none());
        assert_eq!(facts.len(), 1);
        near(&[facts[0].position, facts[0].margin], &[0.05, 0.1], 1e-15);
        assert_eq!(rig.work.rows().rows()[0].jacobian()[0], sign);
        assert_eq!(rig.work.rows().rows()[0].kind(), Kind::JointLimit);
        // W11-06: the force pushes back inside.
        assert!(rig.acceleration()[0] * sign > 0.0);
    }
    state.configuration[0] = 0.0;
    assert!(rig.facts(&state, &Input::none()).is_empty()); // W11-05
}

#[test]
fn w11_06b_a_limit_acts_strictly_below_its_margin() {
    let mechanism = limited([-0.5, 0.5], 0.25);
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    for (q, rows) in [(-0.25, 0), (-0.250_000_000_1, 1), (0.25, 0), (0.250_000_000_1, 1)] {
        state.configuration[0] = q;
        assert_eq!(rig.facts(&state, &Input::none()).len(), rows, "{q}");
    }
}

/// Both sides of a range that is narrower than its margins: two rows, lower before upper; ref is not taken off.
#[test]
fn x_53_limits_compare_the_stored_coordinate_lower_before_upper() {
    let mut mechanism = limited([0.9, 1.3], 0.3);
    mechanism.joints[0].reference = 5.0;
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    assert_eq!(state.configuration[0], 5.0);
    state.configuration[0] = 1.1;
    let facts = rig.facts(&state, &Input::none());
    near(&[facts[0].position, facts[1].position], &[0.2, 0.2], 1e-14);
    let signs: Vec<f64> = rig.work.rows().rows().iter().map(|row| row.jacobian()[0]).collect();
    assert_eq!(signs, [1.0, -1.0]);
}

/// The distance of two sliders as a coupling.
#[test]
fn w11_07_distance_of_two_sliders() {
    let mut mechanism = Mechanism::floating();
    for mass in [2.0, 1.0] {
        mechanism.body(sphere(mass, 0.1));
        mechanism.joint(slide([1.0, 0.0, 0.0]));
    }
    mechanism.equality(EqualityKind::Coupling { joint: 1, leader: Some(0), polynomial: [0.7, 1.0, 0.0, 0.0, 0.0] });
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    state.configuration[1] = 1.0;
    let facts = rig.facts(&state, &Input::none());
    near(&[facts[0].position], &[0.3], 1e-15);
    assert_eq!(rig.work.rows().rows()[0].jacobian()[..2], [-1.0, 1.0]);
}

#[test]
fn w11_08_rod_at_its_right_end() {
    let mut mechanism = Mechanism::floating();
    mechanism.body(sphere(1.0, 0.1));
    mechanism.joint(hinge([0.0, 0.0, 1.0]));
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    state.velocity[0] = 2.0 / 1.6;
    rig.at(&state);
    let p = Vector3::new(1.6, 0.0, 0.0);
    let (v, bend) = (rig.kinematics.point_velocity(Some(0), &p), rig.kinematics.point_bias_acceleration(Some(0), &p));
    near(&[v.dot(&v), bend.x, p.dot(&bend) + v.dot(&v)], &[4.0, -2.5, 0.0], 1e-15);
}

/// The two free bodies of W11-10 … W11-17. In the reference pose body 1's point (0.05, 0.02, 0.03) lies on body 2's (−0.2, 0.1, 0.07).
fn pair() -> Mechanism<f64> {
    let mut mechanism = Mechanism::floating();
    mechanism.body(sphere(1.0, 0.2));
    mechanism.joint(free());
    mechanism.body(Body { position: [0.25, -0.08, -0.04], ..sphere(1.0, 0.2) });
    mechanism.joint(free());
    mechanism
}

fn pair_state(rig: &Rig<'_>) -> Wide {
    let mut state = rig.model.state();
    let q = [0.1, 0.2, 0.3, 0.9, 0.1, 0.2, -0.3, 0.5, -0.1, 0.2, 0.7, 0.3, -0.2, 0.1];
    let v = [0.5, -0.2, 0.1, 1.0, 2.0, -1.0, -0.3, 0.4, 0.2, -0.5, 0.7, 1.5];
    state.configuration[..14].copy_from_slice(&q);
    state.velocity.fixed_rows_mut::<12>(0).copy_from_slice(&v);
    state
}

const ANCHORS: [[f64; 3]; 2] = [[0.05, 0.02, 0.03], [-0.2, 0.1, 0.07]];

fn connected() -> Mechanism<f64> {
    let mut mechanism = pair();
    still(mechanism.equality(EqualityKind::Connect { bodies: [Some(0), Some(1)], anchor: ANCHORS[0] }));
    mechanism
}

fn welded() -> Mechanism<f64> {
    let mut mechanism = pair();
    let relative_pose = Some((ANCHORS[0], [0.8, -0.1, 0.5, 0.3]));
    let bodies = [Some(0), Some(1)];
    still(mechanism.equality(EqualityKind::Weld { bodies, anchor: ANCHORS[1], relative_pose, torque_scale: 0.7 }));
    mechanism
}

fn site_forms() -> Mechanism<f64> {
    let mut mechanism = pair();
    let turn = [0.8, -0.1, 0.5, 0.3].map(|x: f64| x / 0.99f64.sqrt());
    for (body, position, orientation) in [(0, ANCHORS[0], turn), (1, ANCHORS[1], [1.0, 0.0, 0.0, 0.0])] {
        mechanism.sites.push(delassus::description::Site { body: Some(body), position, orientation });
    }
    still(mechanism.equality(EqualityKind::ConnectSites { sites: [0, 1] }));
    still(mechanism.equality(EqualityKind::WeldSites { sites: [0, 1], torque_scale: 0.7 }));
    mechanism
}

const RESIDUAL: [f64; 6] = [
    -0.108_031_746_031_746,
    0.269_206_349_206_349,
    0.112_507_936_507_937,
    0.004_546_931_061_506_32,
    0.528_353_389_347_033,
    -0.204_611_897_767_784,
];
const VELOCITY: [f64; 6] = [
    0.791_031_746_031_746,
    -0.430_206_349_206_349,
    -0.050_507_936_507_936_5,
    1.377_720_111_636_41,
    -0.119_766_164_160_076,
    -0.440_597_619_859_961,
];
const REFERENCE: [f64; 6] = [
    0.610_503_675_856_307,
    -0.408_544_945_697_577,
    0.412_256_975_772_765,
    -0.085_038_978_177_821_8,
    2.187_435_321_603_92,
    -1.179_417_080_716_47,
];

/// W11-10 … W11-15 by bodies and by sites: residual, J v, and −J̇v as the whole reference.
#[test]
fn w11_10_to_15_connect_and_weld_between_free_bodies() {
    for (mechanism, expected) in [(connected(), vec![0, 1, 2]), (welded(), vec![0, 1, 2, 3, 4, 5])] {
        check_pair(&mechanism, &expected);
    }
    check_pair(&site_forms(), &[0, 1, 2, 0, 1, 2, 3, 4, 5]);
}

fn check_pair(mechanism: &Mechanism<f64>, expected: &[usize]) {
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let state = pair_state(&rig);
    let facts = rig.facts(&state, &Input::none());
    let pick = |x: [f64; 6]| expected.iter().map(|k| x[*k]).collect::<Vec<f64>>();
    near(&facts.iter().map(|fact| fact.position).collect::<Vec<_>>(), &pick(RESIDUAL), 1e-14);
    near(&facts.iter().map(|fact| fact.velocity).collect::<Vec<_>>(), &pick(VELOCITY), 1e-14);
    near(&references(&rig), &pick(REFERENCE), 1e-14);
    assert!(facts.iter().all(|fact| fact.gains.stiffness == 0.0 && fact.gains.damping == 0.0));
}

/// W11-10J, W11-13J, W11-16, W11-17: the rows' J against difference quotients of the residual, dof by dof; J v's rate along the
/// motion against the curvature.
#[test]
fn w11_16_and_17_jacobian_and_curvature_by_difference_quotients() {
    for mechanism in [connected(), welded()] {
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = pair_state(&rig);
        rig.facts(&state, &Input::none());
        let (rows, wanted) = (rig.work.rows().rows().to_vec(), references(&rig));
        let h = 1e-5;
        for k in 0..rig.dofs() {
            let unit = Wide { velocity: Vector::from_fn(|i, _| f64::from(i == k)), ..state };
            let [after, before] = [h, -h].map(|t| {
                let moved = rig.moved(&unit, &Vector::zeros(), t);
                rig.facts(&moved, &Input::none())
            });
            for (row, (after, before)) in rows.iter().zip(after.iter().zip(&before)) {
                let slope = (after.position - before.position) / (2.0 * h);
                assert!((slope - row.jacobian()[k]).abs() < 1e-9, "dof {k}: {slope} {}", row.jacobian()[k]);
            }
        }
        let [after, before] = [h, -h].map(|t| {
            let moved = rig.moved(&state, &Vector::zeros(), t);
            rig.facts(&moved, &Input::none())
        });
        let rate: Vec<f64> = after.iter().zip(&before).map(|(a, b)| -(a.velocity - b.velocity) / (2.0 * h)).collect();
        near(&rate, &wanted, 1e-8);
    }
}

/// ℓ sin(θ/2) and (ℓ/2) cos(θ/2) about the axis; past half a turn both change sign instead of taking the short way.
#[test]
fn w11_18_weld_rotation_keeps_its_sign() {
    let mut mechanism = Mechanism::floating();
    mechanism.body(sphere(1.0, 0.2));
    mechanism.joint(hinge([1.0, 0.0, 0.0]));
    let kind = EqualityKind::Weld { bodies: [Some(0), None], anchor: [0.0; 3], relative_pose: None, torque_scale: 0.4 };
    mechanism.equality(kind);
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    for (angle, residual, slope) in [
        (0.02, 0.003_999_933_334_166_67, 0.199_990_000_083_333),
        (350f64.to_radians(), 0.034_862_297_099_063_3, -0.199_238_939_618_349), // W11-18b
    ] {
        state.configuration[0] = angle;
        let facts = rig.facts(&state, &Input::none());
        near(&[facts[3].position, rig.work.rows().rows()[3].jacobian()[0]], &[residual, slope], 1e-12);
        assert_eq!(facts.len(), 6);
    }
    // At 350° the row pulls on to the full turn.
    assert!(rig.acceleration()[0] > 0.0);
}

#[test]
fn w11_19_a_quadratic_coupling_has_no_curvature_term() {
    let mut mechanism = Mechanism::floating();
    for _ in 0..2 {
        mechanism.body(sphere(1.0, 0.1));
        mechanism.joint(slide([1.0, 0.0, 0.0]));
    }
    let polynomial = [0.0, 1.0, 3.0, 0.0, 0.0];
    still(mechanism.equality(EqualityKind::Coupling { joint: 0, leader: Some(1), polynomial }));
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    state.configuration[..2].copy_from_slice(&[0.1, 0.2]);
    state.velocity.fixed_rows_mut::<2>(0).copy_from_slice(&[0.5, 2.0]);
    let facts = rig.facts(&state, &Input::none());
    let row = rig.work.rows().rows()[0];
    near(&[facts[0].position, row.jacobian()[0], row.jacobian()[1], row.reference()], &[-0.22, 1.0, -2.2, 0.0], 1e-15);
}

/// A ball of 2 kg that translates, three rows of the caller's own along n, t₁, t₂.
struct ThreeRows;

impl Hooks<f64, 12, NQ, NV, ROOM, 0> for ThreeRows {
    fn rows(
        &mut self,
        place: Place,
        _: &Scene<'_, '_, f64, 12, NQ, NV>,
        rows: &mut Rows<f64, NV, ROOM, 0>,
    ) -> Result<(), RowsError> {
        if place == Place::Equality {
            // a_ref = J a + R f for the wanted f, so that f is the answer.
            for (axis, (wanted, force)) in [2, 0, 1].into_iter().zip([(0.19, 20.0), (-2.0, -4.0), (0.5, 1.0)]) {
                let jacobian = Vector::from_fn(|k, _| f64::from(k == axis));
                rows.finished(Kind::Equality, Rule::Free, &jacobian, wanted + 0.5 * force, 0.5)?;
            }
        }
        Ok(())
    }
}

#[test]
fn w11_24_to_30_forces_accelerations_and_power_of_three_rows() {
    let mut mechanism = Mechanism::new();
    mechanism.body(sphere(2.0, 0.2));
    for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        mechanism.joint(slide(axis));
    }
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    state.velocity.fixed_rows_mut::<3>(0).copy_from_slice(&[0.8, 0.0, -0.1]);
    let budget = super::rig::thorough();
    rig.model.forward_with(&state, &Input::none(), &budget, &mut rig.work, &mut ThreeRows).unwrap();
    let (force, a) = (*rig.work.constraint_force(), rig.acceleration());
    near(&force.as_slice()[..3], &[-4.0, 1.0, 20.0], 1e-13); // W11-24
    near(&a.as_slice()[..3], &[-2.0, 0.5, 0.19], 1e-13); // W11-25
    let rows = rig.work.rows().rows();
    let product =
        |x: &Vector| rows.iter().map(|row| super::rig::Vector::from(*row.jacobian()).dot(x)).collect::<Vec<_>>();
    let mut response = force;
    rig.work.mass().solve(&mut response).unwrap();
    near(&product(&a), &[0.19, -2.0, 0.5], 1e-13); // W11-28
    near(&product(&(rig.work.free_acceleration() + response)), &[0.19, -2.0, 0.5], 1e-13); // W11-26, W11-27
    let forces = &rig.work.solver.force()[..3];
    let power: f64 = forces.iter().zip(product(&state.velocity)).map(|(f, v)| f * v).sum();
    near(&[power, state.velocity.dot(&force)], &[-5.2, -5.2], 1e-13); // W11-29, W11-30
}

/// The mixed model of W11-53 without tendons and ball contact.
fn mixed() -> Mechanism<f64> {
    let mut mechanism = Mechanism::new();
    mechanism.body(sphere(1.0, 0.1));
    mechanism.joint(Joint { friction_loss: 1.0, range: Some([-1.0, 1.0]), ..slide([1.0, 0.0, 0.0]) });
    mechanism.joint(slide([0.0, 1.0, 0.0]));
    mechanism.joint(slide([0.0, 0.0, 1.0]));
    mechanism.equality(EqualityKind::Coupling { joint: 1, leader: None, polynomial: [0.0, 1.0, 0.0, 0.0, 0.0] });
    mechanism
}

fn mixed_state(rig: &Rig<'_>) -> Wide {
    let mut state = rig.model.state();
    state.configuration[..2].copy_from_slice(&[1.1, 0.02]);
    state.velocity.fixed_rows_mut::<3>(0).copy_from_slice(&[0.4, -0.3, -0.2]);
    state
}

#[test]
fn w11_53_to_59_kinds_in_order_smooth_force_and_optimality() {
    let mechanism = mixed();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let state = mixed_state(&rig);
    let mut applied = Vector::zeros();
    applied.fixed_rows_mut::<3>(0).copy_from_slice(&[1.0, 2.0, 3.0]);
    let wrench = Wrench { body: 0, force: [0.5, 0.25, -0.75], torque: [0.0; 3] };
    rig.forward(&state, &Input { wrenches: &[wrench], ..Input::force(applied) });
    let rows = rig.work.rows().rows();
    let kinds: Vec<Kind> = rows.iter().map(|row| row.kind()).collect();
    assert_eq!(kinds, [Kind::Equality, Kind::JointFriction, Kind::JointLimit]); // W11-53, W11-54
    near(&rig.work.free_acceleration().as_slice()[..3], &[1.5, 2.25, -7.56], 1e-14); // W11-57: m = 1
    // W11-58: a = a_u + M⁻¹ Jᵀ f; W11-59: each force is what its rule makes of −(J a − a_ref)/R.
    let forces = rig.work.solver.force();
    let mut expected = *rig.work.free_acceleration();
    for (row, force) in rows.iter().zip(forces) {
        expected += Vector::from(*row.jacobian()) * *force;
    }
    near(rig.acceleration().as_slice(), expected.as_slice(), 1e-12);
    for (row, force) in rows.iter().zip(forces) {
        let answer = (row.reference() - Vector::from(*row.jacobian()).dot(&rig.acceleration())) / row.regularizer();
        let allowed = match row.rule() {
            Rule::Interval { loss } => answer.clamp(-loss, loss),
            Rule::NonNegative => answer.max(0.0),
            _ => answer,
        };
        near(&[*force], &[allowed], 1e-9);
    }
    // Friction gives all it has against the limit, which presses.
    assert!(forces[1].abs() == 1.0 && forces[2] > 0.0);
}

#[test]
fn w11_50_and_5a_inverse_weights() {
    let mut mechanism = Mechanism::new();
    mechanism.body(sphere(2.0, 0.2));
    mechanism.joint(free());
    mechanism.body(sphere(2.0, 0.2));
    mechanism.joint(slide([0.0, 0.0, 1.0]));
    // Its inertia is given in turned axes: no shortcut, a third of 1/(m + armature).
    mechanism.body(Body { inertia_orientation: [0.6, 0.8, 0.0, 0.0], ..sphere(2.0, 0.2) });
    mechanism.joint(Joint { armature: 0.5, ..slide([0.0, 0.0, 1.0]) });
    // The identity at another length is still the identity.
    mechanism.body(Body { inertia_orientation: [-3.0, 0.0, 0.0, 0.0], ..sphere(2.0, 0.2) });
    mechanism.joint(Joint { armature: 0.5, ..slide([0.0, -2.0, 0.0]) });
    mechanism.body(sphere(4.0, 0.2));
    // A slider with a body welded on is none any more; nor is one that stands on something that moves; one on a fixed body is.
    mechanism.body(sphere(2.0, 0.2));
    mechanism.joint(slide([0.0, 0.0, 1.0]));
    mechanism.body(Body { parent: Some(5), ..sphere(1.0, 0.2) });
    mechanism.body(Body { parent: Some(4), ..sphere(2.0, 0.2) });
    mechanism.joint(slide([0.0, 0.0, 1.0]));
    let description = mechanism.description();
    let rig = Rig::new(&description);
    near(&rig.model.inverse_weight(Some(0)), &[0.5, 31.25], 1e-14); // W11-50
    near(&rig.model.inverse_weight(Some(1)), &[0.5, 0.0], 1e-15); // W11-5a
    near(&rig.model.inverse_weight(Some(2)), &[1.0 / 7.5, 0.0], 1e-15);
    near(&rig.model.inverse_weight(Some(3)), &[0.5, 0.0], 1e-15);
    near(&rig.model.inverse_weight(Some(5)), &[1.0 / 9.0, 0.0], 1e-15);
    near(&rig.model.inverse_weight(Some(6)), &[1.0 / 9.0, 0.0], 1e-15);
    near(&rig.model.inverse_weight(Some(7)), &[0.5, 0.0], 1e-15);
    assert_eq!(rig.model.inverse_weight(Some(4)), [0.0; 2]); // fixed to the world
    assert_eq!(rig.model.inverse_weight(None), [0.0; 2]);
    let dofs: Vec<f64> = (0..12).map(|dof| rig.model.dof_inverse_weight(dof)).collect();
    near(&dofs, &[0.5, 0.5, 0.5, 31.25, 31.25, 31.25, 0.5, 0.4, 0.5, 1.0 / 3.0, 0.5, 0.0], 1e-13);
    let default = SoftnessNumbers::<f64>::DEFAULT;
    assert_eq!((default.solref, default.solimp), ([0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0]));
}
