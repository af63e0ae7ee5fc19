//! WORKED examples of contacts, their softness and their forces, each from a description through the model.

use super::common::close;
use super::machine::{Machine, Scene, Vector, ball, free, near, slide};
use delassus::constraint::RowFact;
use delassus::description::{Body, Equality, EqualityKind, FrictionCone, Joint, Pair, Shape, SoftnessNumbers};
use delassus::rows::{Kind, Rule};
use delassus::softness::Softness;

/// The ball's softness: solref (0.02, 1), solimp (0.9, 0.95, 0.02, 0.5, 2).
const SHARED: SoftnessNumbers<f64> = SoftnessNumbers { solref: [0.02, 1.0], solimp: [0.9, 0.95, 0.02, 0.5, 2.0] };
/// Height and velocity of the shared state.
const HEIGHT: f64 = 0.19;
const VELOCITY: [f64; 3] = [0.8, 0.0, -0.1];
const SIX: [f64; 5] = [0.6, 0.6, 0.005, 1e-4, 1e-4];

/// m = 2, radius 0.2, margin 0.02, h = 0.005, touching the plane by an explicit pair.
fn touching(cone: FrictionCone, condim: u8, friction: [f64; 5], joints: &[Joint<f64>]) -> Scene {
    let mut scene = Scene::ground(0.005, cone);
    scene.body(ball(2.0, 0.2, [0.0; 3]), joints, Shape::Sphere { radius: 0.2 });
    let (margin, gap, friction_solref) = (0.02, 0.0, [0.0; 2]);
    scene.pairs.push(Pair { geoms: [0, 1], condim, friction, margin, gap, softness: SHARED, friction_solref });
    scene
}

fn slides() -> [Joint<f64>; 3] {
    [slide([1.0, 0.0, 0.0]), slide([0.0, 1.0, 0.0]), slide([0.0, 0.0, 1.0])]
}

/// Forward at the shared state, of which the spin is given for a free ball.
fn at_state<R>(scene: &Scene, spin: [f64; 5], look: impl FnOnce(&mut Machine<'_>, &[RowFact<f64>]) -> R) -> R {
    let description = scene.description();
    let mut machine = Machine::new(&description);
    let [vx, vy, wx, wy, wz] = spin;
    machine.state.configuration[2] = HEIGHT;
    let velocity = [vx, vy, VELOCITY[2], wx, wy, wz];
    for (k, v) in velocity.into_iter().take(machine.model.dof_count()).enumerate() {
        machine.state.velocity[k] = v;
    }
    let facts = machine.facts();
    look(&mut machine, &facts)
}

const SLIDING: [f64; 5] = [0.8, 0.0, 0.0, 0.0, 0.0];
const SPINNING: [f64; 5] = [0.8, 0.5, 1.0, 2.0, 3.0];

fn jacobian(machine: &Machine<'_>) -> Vec<Vec<f64>> {
    let dofs = machine.model.dof_count();
    machine.work.rows().rows().iter().map(|row| row.jacobian()[..dofs].to_vec()).collect()
}

fn references(machine: &Machine<'_>) -> Vec<f64> {
    machine.work.rows().rows().iter().map(|row| row.reference()).collect()
}

fn regularizers(machine: &Machine<'_>) -> Vec<f64> {
    machine.work.rows().rows().iter().map(|row| row.regularizer()).collect()
}

#[test]
fn w11_20_to_23_38_29_and_30_frame_velocities_and_power() {
    let scene = touching(FrictionCone::Elliptic, 3, SIX, &slides());
    at_state(&scene, SLIDING, |machine, facts| {
        let contact = machine.work.contacts()[0];
        let frame: Vec<f64> = contact.frame.iter().flat_map(|axis| axis.iter().copied()).collect();
        assert_eq!(frame, [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0]); // W11-20: t2 = n × t1; W11-22
        close(contact.position.as_slice(), &[0.0, 0.0, -0.005], 1e-15); // W11-38
        let velocity: Vec<f64> = facts.iter().map(|fact| fact.velocity).collect();
        assert_eq!(velocity, [-0.1, 0.0, -0.8]); // W11-23
        let [n, y, minus_x] = velocity[..] else { panic!("three rows") };
        assert_eq!([n, -minus_x, y], [-0.1, 0.8, 0.0]); // W11-21, t1 = x
        // W11-29, W11-30: f = (20, −4, 1) along (z, x, y) is (20, 1, 4) along this frame; its power from both sides.
        let force = [20.0, 1.0, 4.0];
        let rows: f64 = force.iter().zip(&velocity).map(|(f, v)| f * v).sum();
        let generalized = machine.work.rows().generalized_force(&force);
        close(&[rows, machine.state.velocity.dot(&generalized)], &[-5.2; 2], 1e-15);
    });
}

#[test]
fn w11_31_to_36_w12_75_and_w12_86_edges_and_dimensions() {
    let scene = touching(FrictionCone::Pyramidal, 3, SIX, &slides());
    at_state(&scene, SLIDING, |machine, facts| {
        let edges = jacobian(machine).concat();
        close(&edges, &[0.0, 0.6, 1.0, 0.0, -0.6, 1.0, -0.6, 0.0, 1.0, 0.6, 0.0, 1.0], 1e-15); // W11-32
        let velocity: Vec<f64> = facts.iter().map(|fact| fact.velocity).collect();
        close(&velocity, &[-0.1, -0.1, -0.58, 0.38], 1e-15); // W11-31 in the engine's order
        for fact in facts {
            close(&[fact.position], &[-0.01], 1e-14); // W11-34
            assert_eq!(fact.margin, 0.02);
            close(&[fact.gains.stiffness, fact.gains.damping], &[2_770.083_102_493_07, 105.263_157_894_737], 1e-13);
        }
        // W12-86, and W11-33: the edge against the slide pushes alone.
        close(&references(machine)[2..3], &[140.0], 1e-14);
        close(machine.work.row_forces(), &[0.0, 0.0, 212.265_093_664_241, 0.0], 1e-13);
        let found = machine.work.contact_force(0).unwrap();
        close(&found.force, &[212.265_093_664_241, 0.0, 127.359_056_198_544], 1e-13);
    });
    at_state(&touching(FrictionCone::Elliptic, 3, SIX, &slides()), SLIDING, |_, facts| {
        let stored: Vec<f64> = facts.iter().flat_map(|fact| [fact.position, fact.margin]).collect();
        close(&stored, &[-0.01, 0.02, 0.0, 0.0, 0.0, 0.0], 1e-14); // W11-35
    });
    // W12-75: a pyramid has no ears for solreffriction.
    let mut scene = touching(FrictionCone::Pyramidal, 3, SIX, &slides());
    scene.pairs[0].friction_solref = [0.05, 1.0];
    at_state(&scene, SLIDING, |_, facts| {
        for fact in facts {
            close(&[fact.gains.stiffness, fact.gains.damping], &[2_770.083_102_493_07, 105.263_157_894_737], 1e-13);
        }
    });
    // W11-36
    let count = |cone, condim| at_state(&touching(cone, condim, SIX, &free()), SLIDING, |m, _| m.work.rows().len());
    assert_eq!([1, 3, 4, 6].map(|condim| count(FrictionCone::Elliptic, condim)), [1, 3, 4, 6]);
    assert_eq!([1, 3, 4, 6].map(|condim| count(FrictionCone::Pyramidal, condim)), [1, 4, 6, 10]);
}

#[test]
fn w11_37_39_and_50_six_rows_of_a_free_ball() {
    at_state(&touching(FrictionCone::Elliptic, 6, SIX, &free()), SLIDING, |machine, _| {
        let expected = [
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.195, 0.0, 0.0],
            [-1.0, 0.0, 0.0, 0.0, 0.195, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, -1.0, 0.0, 0.0],
        ];
        close(&jacobian(machine).concat(), &expected.concat(), 1e-15); // W11-37
        close(&machine.model.inverse_weight(Some(0)), &[0.5, 31.25], 1e-14); // W11-50
    });
    // W11-39: three slides do not turn, so spin and rolling have rows without effect, and solvers pass them by.
    at_state(&touching(FrictionCone::Elliptic, 6, SIX, &slides()), SLIDING, |machine, _| {
        assert!(jacobian(machine)[3..].iter().flatten().all(|x| *x == 0.0));
        assert!(machine.work.contact_force(0).unwrap().torque.iter().all(|x| *x == 0.0));
        close(&machine.work.acceleration().as_slice()[..3], &[-62.788_014_705_882_3, 0.0, 94.836_691_176_470_6], 1e-12);
    });
}

#[test]
fn w11_51_and_52_exact_and_mean_diagonal_of_a_corner() {
    for (exact, expected) in [(true, [1.969_248_242_062_65, 0.722_710_845_940_763]), (false, [0.5, 0.5])] {
        let mut scene = Scene::ground(0.002, FrictionCone::Elliptic);
        let inertia = [0.52, 0.40, 0.20].map(|x: f64| 2.0 * x / 12.0);
        scene.body(Body::<f64>::new(2.0, inertia), &free(), Shape::Box { half_sizes: [0.1, 0.2, 0.3] });
        scene.options.flags.exact_diagonal = exact;
        let description = scene.description();
        let mut machine = Machine::new(&description);
        machine.state.configuration[..7].copy_from_slice(&[0.0, 0.0, 0.25, 0.9, 0.2, 0.3, 0.1]);
        let facts = machine.facts();
        let scales: Vec<f64> = regularizers(&machine)
            .iter()
            .zip(&facts)
            .map(|(r, fact)| r * fact.impedance.value() / (1.0 - fact.impedance.value()))
            .step_by(3) // the normal rows of two contacts of dimension 3
            .collect();
        close(&scales, &expected, 1e-12);
    }
}

#[test]
fn w11_53_to_55_58_and_59_a_mixed_model_with_a_contact() {
    let mut scene = Scene::ground(0.002, FrictionCone::Elliptic);
    let joints = [Joint { friction_loss: 1.0, range: Some([-1.0, 1.0]), ..slides()[0] }, slides()[1], slides()[2]];
    scene.body(ball(1.0, 0.1, [0.0; 3]), &joints, Shape::Sphere { radius: 0.1 });
    let kind = EqualityKind::Coupling { joint: 1, leader: None, polynomial: [0.0, 1.0, 0.0, 0.0, 0.0] };
    scene.equalities.push(Equality::<f64>::new(kind));
    let description = scene.description();
    let mut machine = Machine::new(&description);
    machine.state.configuration[..3].copy_from_slice(&[1.1, 0.02, 0.09]);
    machine.state.velocity = Vector::from_fn(|k, _| [0.4, -0.3, -0.2].get(k).copied().unwrap_or(0.0));
    machine.forward(&super::machine::thorough());
    let rows = machine.work.rows().rows();
    let kinds: Vec<Kind> = rows.iter().map(|row| row.kind()).collect();
    let contact = Kind::ContactElliptic;
    // W11-53, W11-54 without the two rows of the tendon.
    assert_eq!(kinds, [Kind::Equality, Kind::JointFriction, Kind::JointLimit, contact, contact, contact]);
    assert_eq!(machine.work.first_row(0), Some(3)); // W11-55
    // W11-58: a = a_u + M⁻¹ Jᵀ f, M = 1; W11-59: each force is its row's answer to J a − a_ref, the contact's its cone's.
    let forces = machine.work.row_forces();
    let expected = machine.work.free_acceleration() + machine.work.rows().generalized_force(forces);
    near(machine.work.acceleration().as_slice(), expected.as_slice(), 1e-12);
    let z = |k: usize| Vector::from(*rows[k].jacobian()).dot(machine.work.acceleration()) - rows[k].reference();
    for (k, row) in rows.iter().enumerate().take(3) {
        let answer = -z(k) / row.regularizer();
        let allowed = match row.rule() {
            Rule::Interval { loss } => answer.clamp(-loss, loss),
            Rule::NonNegative => answer.max(0.0),
            _ => answer,
        };
        near(&[forces[k]], &[allowed], 1e-9);
    }
    let cone = *machine.work.rows().cones()[0].cone();
    near(&forces[3..6], &cone.force(&cone.point(&[z(3), z(4), z(5)]))[..3], 1e-9);
    assert!(forces[3] > 0.0);
}

/// A ball on a vertical slide and a plane without friction, let go at its margin.
fn resting(mass: f64, softness: SoftnessNumbers<f64>) -> Scene {
    let mut scene = touching(FrictionCone::Elliptic, 1, SIX, &[slide([0.0, 0.0, 1.0])]);
    scene.bodies[0] = ball(mass, 0.2, [0.0; 3]);
    scene.pairs[0].softness = softness;
    scene
}

fn settled(scene: &Scene) -> (f64, f64) {
    let description = scene.description();
    let mut machine = Machine::new(&description);
    machine.state.configuration[0] = 0.22;
    for _ in 0..2000 {
        machine.step();
    }
    assert!(machine.state.velocity[0].abs() < 1e-12);
    (machine.state.configuration[0], machine.work.row_forces()[0])
}

#[test]
fn w12_60_to_63b_equilibria_are_where_a_ball_comes_to_rest() {
    let constant = SoftnessNumbers { solimp: [0.95, 0.95, 0.02, 0.5, 2.0], ..SHARED };
    let (height, force) = settled(&resting(2.0, constant));
    near(&[height - 0.22, force], &[-0.000_196_2, 19.62], 1e-12); // W12-60
    for (mass, weight) in [(2.0, 19.62), (5.0, 49.05)] {
        let (height, force) = settled(&resting(mass, SHARED));
        near(&[height - 0.22], &[-0.000_436_956_068_378_151], 1e-13); // W12-61, W12-63
        near(&[height - 0.2, height], &[0.019_563_043_931_621_9, 0.219_563_043_931_622], 1e-13); // W12-62
        near(&[force], &[weight], 1e-11);
        let softness = Softness::from_mujoco(SHARED.solref, SHARED.solimp).unwrap();
        near(&[softness.impedance().at(height - 0.22).value()], &[0.900_047_732_651_423], 1e-12);
    }
    // W12-63b: 1 kg with 1 kg of armature, Â = 1 and A = ½, falling freely at 9.81 m/s².
    let mut scene = resting(1.0, constant);
    scene.joints[0].armature = 1.0;
    scene.options.gravity[2] *= 2.0;
    near(&[settled(&scene).0 - 0.22], &[-0.000_392_4], 1e-13);
}

#[test]
fn w12_64_and_65_the_force_at_rest_crosses_the_weight_at_the_equilibrium() {
    let scene = resting(2.0, SHARED);
    let description = scene.description();
    let mut machine = Machine::new(&description);
    let mut at = |error: f64| {
        machine.state.configuration[0] = 0.22 - 0.000_436_956_068_378_151 + error;
        machine.forward(&super::machine::thorough());
        (machine.work.row_forces()[0], machine.work.acceleration()[0])
    };
    near(&[at(0.0).0], &[19.62], 1e-11); // W12-64
    assert!(at(-1e-4).1 > 0.0 && at(1e-4).1 < 0.0); // W12-65
}

#[test]
fn w12_70_and_76_connect_and_weld_share_one_impedance() {
    let mut scene = Scene::new(0.002, FrictionCone::Elliptic);
    scene.body(ball(1.0, 0.1, [0.0; 3]), &slides(), Shape::Sphere { radius: 0.1 });
    let kind = EqualityKind::Connect { bodies: [Some(0), None], anchor: [0.0; 3] };
    scene.equalities.push(Equality { softness: SHARED, ..Equality::<f64>::new(kind) });
    let description = scene.description();
    let mut machine = Machine::new(&description);
    machine.state.configuration[..3].copy_from_slice(&[0.006, 0.0, 0.008]);
    machine.state.velocity = Vector::from_fn(|k, _| [0.1, 0.2, 0.0].get(k).copied().unwrap_or(0.0));
    let facts = machine.facts();
    for fact in &facts {
        near(&[fact.impedance.value(), fact.impedance.slope()], &[0.925, 5.0], 1e-13);
    }
    near(&references(&machine), &[-25.900_277_008_310_3, -21.052_631_578_947_4, -20.498_614_958_448_8], 1e-13); // W12-70

    let mut scene = Scene::new(0.002, FrictionCone::Elliptic);
    scene.body(ball(1.0, 0.1, [0.0; 3]), &free(), Shape::Sphere { radius: 0.1 });
    let kind = EqualityKind::Weld { bodies: [None, Some(0)], anchor: [0.0; 3], relative_pose: None, torque_scale: 0.4 };
    scene.equalities.push(Equality { softness: SHARED, ..Equality::<f64>::new(kind) });
    let description = scene.description();
    let mut machine = Machine::new(&description);
    let (sine, cosine) = 0.01f64.sin_cos();
    machine.state.configuration[..7].copy_from_slice(&[0.002, 0.0, 0.003, cosine, 0.0, sine, 0.0]);
    let facts = machine.facts();
    assert_eq!(facts.len(), 6);
    for fact in &facts {
        near(&[fact.impedance.value()], &[0.907_249_866_668_444], 1e-13); // W12-76
    }
}

#[test]
fn w12_72_and_74_references_of_friction_rows() {
    let mut scene = touching(FrictionCone::Elliptic, 3, SIX, &slides());
    at_state(&scene, SLIDING, |machine, facts| {
        // W12-72 with the engine's t2 = −x.
        near(&references(machine), &[89.473_684_210_526_3, 0.0, 84.210_526_315_789_5], 1e-13);
        assert_eq!([facts[1].gains.stiffness, facts[2].gains.stiffness], [0.0; 2]);
    });
    for (solref, damping) in [
        ([0.0, 0.0], 105.263_157_894_737),     // W12-74a
        ([0.05, 1.0], 42.105_263_157_894_7),   // W12-74b
        ([0.001, 1.0], 210.526_315_789_474),   // W12-74c
        ([-50.0, -8.0], 8.421_052_631_578_95), // W12-74d
        ([0.05, -1.0], 105.263_157_894_737),   // W12-74e
    ] {
        scene.pairs[0].friction_solref = solref;
        at_state(&scene, SLIDING, |machine, facts| {
            let numbers = |fact: &RowFact<f64>| [fact.gains.stiffness, fact.gains.damping];
            near(&numbers(&facts[0]), &[2_770.083_102_493_07, 105.263_157_894_737], 1e-13);
            near(&numbers(&facts[1]), &[0.0, damping], 1e-13);
            // What the rows were made with, not only what was told of them.
            near(&references(machine)[2..], &[0.8 * damping], 1e-13);
        });
    }
}

#[test]
fn w12_73_dry_friction_of_a_slide() {
    let mut scene = Scene::new(0.002, FrictionCone::Elliptic);
    let joint = Joint { friction_loss: 3.0, ..slide([1.0, 0.0, 0.0]) };
    scene.body(ball(1.0, 0.1, [0.0; 3]), &[joint], Shape::Sphere { radius: 0.1 });
    let description = scene.description();
    let mut machine = Machine::new(&description);
    machine.state.velocity[0] = 0.3;
    let gains = machine.facts()[0].gains;
    near(&[gains.stiffness, gains.damping], &[0.0, 105.263_157_894_737], 1e-13);
    near(&references(&machine), &[-31.578_947_368_421_1], 1e-13);
    near(machine.work.row_forces(), &[-3.0], 1e-14);
}

#[test]
fn w12_80_to_84_regularizers_of_both_cones() {
    // W12-80a, W12-81a and W12-80b, W12-81b; W12-82 and W12-83 a and b.
    let plain = [1.0 / 38.0, 378.947_368_421_053, 947_368.421_052_632];
    let fifth = [0.005_263_157_894_736_84, 75.789_473_684_210_5, 189_473.684_210_526];
    for (ratio, tangents, friction, product, edge, diagonal) in [
        (1.0, plain, 0.6, 0.009_473_684_210_526_32, 0.025_768_421_052_631_6, 0.4896),
        (5.0, fifth, 0.268_328_157_299_975, 0.001_894_736_842_105_26, 0.005_153_684_210_526_31, 0.097_92),
    ] {
        let mut scene = touching(FrictionCone::Elliptic, 6, SIX, &free());
        scene.options.impedance_ratio = ratio;
        at_state(&scene, SLIDING, |machine, _| {
            let found = regularizers(machine);
            let [sliding, spin, rolling] = tangents;
            for (found, expected) in found.iter().zip([1.0 / 38.0, sliding, sliding, spin, rolling, rolling]) {
                close(&[*found], &[expected], 1e-12);
            }
            for (r, mu) in found[1..].iter().zip(SIX) {
                close(&[r * mu * mu], &[product], 1e-12);
            }
            close(&[machine.work.rows().cones()[0].cone().regularized_friction()], &[friction], 1e-14);
        });
        let mut scene = touching(FrictionCone::Pyramidal, 3, SIX, &free());
        scene.options.impedance_ratio = ratio;
        at_state(&scene, SLIDING, |machine, facts| {
            close(&regularizers(machine), &[edge; 4], 1e-12);
            let d = facts[0].impedance.value();
            close(&[edge * d / (1.0 - d)], &[diagonal], 1e-12);
            let first = regularizers(machine)[0] / (2.0 * friction * friction) * d / (1.0 - d);
            close(&[first], &[0.68], 1e-12); // W12-84
        });
    }
}

#[test]
fn w12_85_forces_and_accelerations_of_the_shared_state() {
    at_state(&touching(FrictionCone::Elliptic, 3, SIX, &slides()), SLIDING, |machine, _| {
        let [force, ..] = machine.wrench(0);
        close(force.as_slice(), &[-125.576_029_411_765, 0.0, 209.293_382_352_941], 1e-12);
        let acceleration = machine.work.acceleration();
        close(&acceleration.as_slice()[..3], &[-62.788_014_705_882_3, 0.0, 94.836_691_176_470_6], 1e-12);
    });
}

#[test]
fn w15_64_one_anisotropic_contact_of_dimension_four() {
    for (ratio, expected) in [
        (1.0, [194.540_193_729_943, -41.591_915_294_926_7, 21.897_150_560_689_6, -3.329_446_247_405_08]), // W15-64a
        (5.0, [197.212_199_331_091, -41.635_592_259_650_6, 21.979_458_992_119_9, -3.388_779_778_793_72]), // W15-64b
    ] {
        let mut scene = touching(FrictionCone::Elliptic, 4, [0.6, 0.3, 0.02, 1e-4, 1e-4], &free());
        scene.options.impedance_ratio = ratio;
        at_state(&scene, SPINNING, |machine, _| {
            let found = machine.work.contact_force(0).unwrap();
            let [n, t1, t2] = found.force;
            close(&[n, t1, t2, found.torque[0]], &expected, 1e-10);
            assert_eq!(found.torque[1..], [0.0; 2]);
        });
    }
}

/// The engine's forces of the ten edges: MuJoCo 3.10.0, Newton, tolerance 0.
#[test]
fn w15_65_ten_edges_of_a_free_ball() {
    at_state(&touching(FrictionCone::Pyramidal, 6, SIX, &free()), SPINNING, |machine, _| {
        let expected = [
            0.0,
            69.515_102_240_551_64,
            41.104_703_699_261_1,
            0.0,
            0.0,
            64.974_746_465_135_55,
            4.269_959_458_552_918,
            7.070_337_772_542_825,
            5.092_318_010_688_825_5,
            6.247_979_220_406_944,
        ];
        close(machine.work.row_forces(), &expected, 1e-10);
        for (row, force) in machine.work.rows().rows().iter().zip(machine.work.row_forces()) {
            let z = Vector::from(*row.jacobian()).dot(machine.work.acceleration()) - row.reference();
            let w = z + row.regularizer() * force;
            assert!(*force >= 0.0 && w >= -1e-10 && (force * w).abs() < 1e-9, "{force} {w}");
        }
    });
}
