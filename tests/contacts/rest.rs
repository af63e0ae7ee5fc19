//! Bodies at rest and in motion as mechanics has them: weight, rolling, a heavy load on a light body, contacts and limits, noslip; and
//! contacts whose rows move nothing.

use super::machine::{Machine, NB, NC, NR, NV, Scene, ball, free, near, slide, thorough};
use super::scenes::double;
use delassus::description::{Body, Description, FrictionCone, Integrator, Joint, Shape};
use delassus::model::Model;
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, DelassusWorkspace, Measure, NewtonWorkspace, Stop, SweepWorkspace,
};
use delassus::tick::{Input, Method, WithNoslip, Workspace};
use nalgebra::Vector3;

/// A box let go a little askew comes to rest, stays there, and its four corners carry its weight.
#[test]
fn a_box_at_rest_stays_at_rest_on_its_weight() {
    for integrator in [Integrator::Euler, Integrator::RungeKutta, Integrator::Implicit, Integrator::ImplicitFast] {
        for cone in [FrictionCone::Elliptic, FrictionCone::Pyramidal] {
            let mut description = double::BOX;
            (description.options.integrator, description.options.cone) = (integrator, cone);
            let mut machine = Machine::new(&description);
            machine.state.configuration[2] = 0.302;
            machine.state.configuration[4] = 0.004;
            for _ in 0..1500 {
                machine.step();
            }
            let rest = machine.state.configuration;
            for _ in 0..500 {
                machine.step();
                assert!(machine.state.velocity.amax() < 1e-6, "{}", machine.state.velocity.amax());
            }
            near(&machine.state.configuration[..7], &rest[..7], 1e-6);
            assert_eq!(machine.work.contacts().len(), 4);
            let normal: f64 = (0..4).map(|k| machine.work.contact_force(k).unwrap().force[0]).sum();
            near(&[normal], &[2.0 * 9.81], 1e-6);
            let sum = (0..4).fold(Vector3::zeros(), |sum, k| sum + machine.wrench(k)[0]);
            near(sum.as_slice(), &[0.0, 0.0, 19.62], 1e-6);
        }
    }
}

/// A ball set down sliding at v₀ without spin rolls in the end, ω = v/r with v = 5/7 v₀: friction does not change the angular momentum
/// about the contact point, m v r + ⅖ m r² ω. What is lost to softness is the depth of the contact beside r.
#[test]
fn a_sliding_ball_ends_rolling_at_five_sevenths() {
    for cone in [FrictionCone::Elliptic, FrictionCone::Pyramidal] {
        let mut scene = Scene::ground(0.002, cone);
        scene.body(ball(2.0, 0.2, [0.0, 0.0, 0.2]), &free(), Shape::Sphere { radius: 0.2 }).friction[0] = 0.3;
        scene.geoms[0].friction[0] = 0.3;
        let description = scene.description();
        let mut machine = Machine::new(&description);
        machine.state.velocity[0] = 1.4;
        for _ in 0..1000 {
            machine.step();
        }
        let arm = machine.state.configuration[2] + machine.work.contacts()[0].distance.abs() * 0.5;
        let velocity = machine.work.kinematics().velocity(Some(0));
        let (v, omega) = (machine.state.velocity[0], velocity.angular.y);
        println!("{cone:?}: v {v}, ω r {}", omega * 0.2);
        near(&[v], &[1.0], 1e-3);
        near(&[omega * arm], &[v], 2e-3);
        // Rolling on costs nothing.
        for _ in 0..1000 {
            machine.step();
        }
        near(&[machine.state.velocity[0]], &[v], 1e-9);
        assert!(machine.state.velocity[1].abs() < 1e-12);
    }
}

/// S11-34, X-21, X-22: a limit of a slide and a contact along it, with the same softness and the same inverse weight, are one row.
#[test]
fn a_limit_pushes_as_a_contact_does() {
    let soft = delassus::description::SoftnessNumbers { solref: [0.03, 0.7], solimp: [0.5, 0.9, 0.01, 0.4, 3.0] };
    let mut contact = Scene::ground(0.002, FrictionCone::Elliptic);
    let geom = contact.body(ball(2.0, 0.2, [0.0; 3]), &[slide([0.0, 0.0, 1.0])], Shape::Sphere { radius: 0.2 });
    (geom.condim, geom.priority, geom.softness, geom.margin) = (1, 1, soft, 0.01);
    let mut limit = Scene::new(0.002, FrictionCone::Elliptic);
    let joint = Joint { range: Some([0.2, 100.0]), margin: 0.01, limit_softness: soft, ..slide([0.0, 0.0, 1.0]) };
    limit.body(ball(2.0, 0.2, [0.0; 3]), &[joint], Shape::Sphere { radius: 0.2 });
    let (contact, limit) = (contact.description(), limit.description());
    let (mut a, mut b) = (Machine::new(&contact), Machine::new(&limit));
    let mut pushed = 0;
    for machine in [&mut a, &mut b] {
        machine.state.configuration[0] = 0.3;
    }
    for _ in 0..1000 {
        a.step();
        b.step();
        assert_eq!(a.work.row_forces().len(), b.work.row_forces().len());
        near(a.work.row_forces(), b.work.row_forces(), 1e-12);
        near(&a.state.configuration[..1], &b.state.configuration[..1], 1e-14);
        pushed += a.work.row_forces().len();
    }
    assert!(pushed > 500);
    near(a.work.row_forces(), &[19.62], 1e-9);
}

/// 100 kg on 0.1 kg: both are held, and Newton needs no more than a few iterations for it in any step.
#[test]
fn a_heavy_ball_rests_on_a_light_one() {
    let mut scene = Scene::ground(0.002, FrictionCone::Elliptic);
    for (mass, height) in [(0.1, 0.1), (100.0, 0.3)] {
        scene.body(ball(mass, 0.1, [0.0, 0.0, height]), &[slide([0.0, 0.0, 1.0])], Shape::Sphere { radius: 0.1 });
    }
    // The light ball's contact is as soft as a light ball wants it: at the usual impedance it would give way by 0.2 m.
    for geom in &mut scene.geoms {
        geom.softness.solimp = [0.9999, 0.9999, 0.001, 0.5, 2.0];
    }
    let description = scene.description();
    let mut machine = Machine::new(&description);
    let mut most = 0;
    for _ in 0..5000 {
        let budget = Budget::new(20, 1e-10);
        let report = machine.model.step(&mut machine.state, &Input::none(), &budget, &mut machine.work).unwrap();
        assert!(report.solver.stop != Stop::BudgetSpent);
        most = most.max(report.solver.iterations);
    }
    let normal = |k: usize| machine.work.contact_force(k).unwrap().force[0];
    println!("{most} iterations at most; {} N and {} N, state {:?}", normal(0), normal(1), machine.position());
    near(&[normal(0), normal(1)], &[100.1 * 9.81, 100.0 * 9.81], 1e-6);
    assert!(most <= 6 && machine.state.velocity.amax() < 1e-9);
}

/// How far a box creeps down a slope of 0.3 within half a second, friction 1 holding it.
fn creep<S: Method<f64, NV, NR, NC>>(cone: FrictionCone, solver: S) -> f64 {
    let mut description = double::BOX;
    description.options.cone = cone;
    description.options.gravity = [9.81 * 0.3f64.sin(), 0.0, -9.81 * 0.3f64.cos()];
    let mut work = Box::new(Workspace::<f64, NB, NV, NC, NR, S>::with_solver(0.0, solver));
    let model: Box<Model<'_, f64, NB, 35, NV>> = Box::new(Model::new(&description, &mut work.smooth).unwrap());
    let mut state = model.state();
    // On a broad face: 0.6 m along x.
    state.configuration[..7].copy_from_slice(&[0.0, 0.0, 0.1, 0.5f64.sqrt(), 0.0, 0.5f64.sqrt(), 0.0]);
    let mut start = 0.0;
    for k in 0..750 {
        if k == 500 {
            start = state.configuration[0];
        }
        model.step(&mut state, &Input::none(), &Budget::new(50, 1e-10), &mut work).unwrap();
        for (k, contact) in work.contacts().iter().enumerate() {
            let [n, a, b] = work.contact_force(k).unwrap().force;
            assert!(a.hypot(b) <= 1.5 * contact.friction[0] * n + 1e-9);
        }
    }
    state.configuration[0] - start
}

/// X-17 through the tick: what softness lets creep, noslip holds.
#[test]
fn noslip_stops_the_creep_on_a_slope() {
    for cone in [FrictionCone::Elliptic, FrictionCone::Pyramidal] {
        let plain = creep(cone, NewtonWorkspace::filled(0.0));
        let pass = Budget { iterations: 100, ..Budget::new(100, 1e-14) };
        let held = creep(cone, WithNoslip::filled(0.0, NewtonWorkspace::filled(0.0), pass));
        println!("{cone:?}: {plain:e} m, {held:e} m with noslip");
        assert!(plain > 1e-4, "{plain}");
        assert!(held.abs() < 1e-3 * plain, "{held}");
    }
}

/// a capsule that meets a wall end-on has t1 = x, and where the wall's normal is x, t2 = 0: a row that moves nothing. Solvers
/// pass it by, whatever the cone and dimension, and agree on the others.
#[test]
fn rows_that_move_nothing_break_no_solver() {
    fn solved<S: Method<f64, NV, NR, NC>>(
        description: &Description<'_, f64>,
        solver: S,
        budget: &Budget<f64>,
    ) -> Vec<f64> {
        let mut work = Box::new(Workspace::<f64, NB, NV, NC, NR, S>::with_solver(0.0, solver));
        let model: Box<Model<'_, f64, NB, 35, NV>> = Box::new(Model::new(description, &mut work.smooth).unwrap());
        let mut state = model.state();
        for (k, v) in [-0.5, 0.3, 0.2, 0.4, -0.3, 0.2].into_iter().enumerate() {
            state.velocity[k] = v;
        }
        model.forward(&state, &Input::none(), budget, &mut work).unwrap();
        assert!(work.contacts().iter().any(|c| c.frame[2] == Vector3::zeros()));
        let zero = work.rows().rows().iter().any(|row| row.jacobian().iter().all(|x| *x == 0.0));
        // In a pyramid the edge is left without its tangent; condim 1 has no tangents.
        let tangents = description.geoms.iter().all(|geom| geom.condim > 1);
        assert!(zero || !tangents || description.options.cone == FrictionCone::Pyramidal);
        assert!(work.row_forces().iter().all(|f| f.is_finite()) && work.row_forces().iter().any(|f| *f > 0.0));
        for k in 0..work.contacts().len() {
            assert!(work.contact_force_in_world(k).unwrap().force[0] >= 0.0);
        }
        work.acceleration().as_slice()[..6].to_vec()
    }
    // z becomes x, without rounding.
    let across = [0.5; 4];
    for cone in [FrictionCone::Elliptic, FrictionCone::Pyramidal] {
        for condim in [1, 3, 4, 6] {
            for exact in [false, true] {
                let mut scene = Scene::ground(0.002, cone);
                scene.options.flags.exact_diagonal = exact;
                scene.geoms[0].orientation = across;
                scene.geoms[0].condim = condim;
                let body = Body { position: [0.29, 0.0, 0.0], ..Body::<f64>::new(1.0, [0.01, 0.01, 0.004]) };
                let geom = scene.body(body, &free(), Shape::Capsule { radius: 0.1, half_length: 0.2 });
                (geom.orientation, geom.condim) = (across, condim);
                let description = scene.description();
                let forces = Budget { measure: Measure::ForceCorrection, ..Budget::new(5000, 1e-13) };
                let newton = solved(&description, NewtonWorkspace::filled(0.0), &thorough());
                let gradients = Budget { line_search: 4000, ..Budget::new(500, 0.0) };
                near(&solved(&description, ConjugateGradientWorkspace::filled(0.0), &gradients), &newton, 1e-6);
                near(&solved(&description, SweepWorkspace::filled(0.0), &forces), &newton, 1e-6);
                near(&solved(&description, DelassusWorkspace::filled(0.0), &forces), &newton, 1e-6);
            }
        }
    }
}
