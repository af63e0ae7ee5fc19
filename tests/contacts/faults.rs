//! What is refused, and what happens where there is no room.

use super::draw::mechanism;
use super::machine::{Machine, Scene, Wide, ball, free, thorough};
use delassus::description::{Body, FrictionCone, Geom, Integrator, Shape};
use delassus::model::Model;
use delassus::solver::Budget;
use delassus::tick::{Input, TickError, Workspace};

fn bits(state: &Wide) -> Vec<u64> {
    let numbers = state.configuration.iter().chain(state.velocity.iter()).chain(state.warm_start.iter());
    numbers.chain([&state.time]).map(|x| x.to_bits()).collect()
}

/// A number that is none ends the tick with its name, before collision; the state stays, and the memory serves on.
#[test]
fn a_state_that_is_not_finite_is_refused_with_contacts_about() {
    for integrator in [Integrator::Euler, Integrator::RungeKutta, Integrator::Implicit, Integrator::ImplicitFast] {
        let mut scene = Scene::ground(0.002, FrictionCone::Elliptic);
        scene.options.integrator = integrator;
        scene.body(ball(2.0, 0.2, [0.0, 0.0, 0.19]), &free(), Shape::Sphere { radius: 0.2 });
        let description = scene.description();
        let mut machine = Machine::new(&description);
        let good = machine.state;
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for index in 0..13usize {
                machine.state = good;
                match index.checked_sub(7) {
                    None => machine.state.configuration[index] = bad,
                    Some(dof) => machine.state.velocity[dof] = bad,
                }
                let before = bits(&machine.state);
                let answer = machine.model.step(&mut machine.state, &Input::none(), &thorough(), &mut machine.work);
                assert!(matches!(answer, Err(TickError::State(_))), "{answer:?}");
                assert_eq!(bits(&machine.state), before);
            }
        }
        machine.state = good;
        machine.step();
        let mut fresh = Machine::new(&description);
        fresh.step();
        assert_eq!(bits(&machine.state), bits(&fresh.state));
    }
}

/// two boxes run as long as they are apart; where they meet the tick says so, every time, and the state stays.
#[test]
fn two_boxes_that_meet_end_the_tick_and_leave_the_state() {
    for integrator in [Integrator::Euler, Integrator::RungeKutta, Integrator::Implicit, Integrator::ImplicitFast] {
        let mut scene = Scene::ground(0.002, FrictionCone::Pyramidal);
        scene.options.integrator = integrator;
        let shape = Shape::Box { half_sizes: [0.1; 3] };
        for height in [0.1, 0.5] {
            let body = Body { position: [0.0, 0.0, height], ..Body::<f64>::new(1.0, [0.01; 3]) };
            scene.body(body, &free(), shape);
        }
        let description = scene.description();
        let mut machine = Machine::new(&description);
        let met = (0..1000).find_map(|_| {
            let before = bits(&machine.state);
            let answer = machine.model.step(&mut machine.state, &Input::none(), &thorough(), &mut machine.work);
            answer.err().map(|error| (error, before))
        });
        let (error, before) = met.expect("the upper box falls on the lower");
        assert_eq!(error, TickError::Boxes { geoms: [1, 2] });
        assert_eq!(bits(&machine.state), before);
        // 0.2 m of fall from rest take 0.202 s.
        assert!((machine.state.time - (0.4f64 / 9.81).sqrt()).abs() < 0.01, "{}", machine.state.time);
        let again = machine.model.step(&mut machine.state, &Input::none(), &thorough(), &mut machine.work);
        assert_eq!(again.err(), Some(error));
        assert_eq!(bits(&machine.state), before);
    }
}

/// Five balls, each deeper in the plane than the last, their contacts with rows of dimension 3: what stays where NC or NR is too small.
fn kept<const NC: usize, const NR: usize>() -> (Vec<u16>, Vec<f64>, u16) {
    let mut scene = Scene::ground(0.002, FrictionCone::Elliptic);
    for k in 0..5 {
        // Depths in the order 0, 3, 1, 4, 2.
        let depth = 0.002 * (1.0 + f64::from(k * 3 % 5));
        scene.body(ball(1.0, 0.1, [f64::from(k), 0.0, 0.1 - depth]), &free(), Shape::Sphere { radius: 0.1 });
    }
    let description = scene.description();
    let mut work = Box::new(Workspace::<f64, 5, 30, NC, NR>::filled(0.0));
    let model = Model::<f64, 5, 35, 30>::new(&description, &mut work.smooth).unwrap();
    let report = model.forward(&model.state(), &Input::none(), &Budget::new(50, 0.0), &mut work).unwrap();
    let with_rows: Vec<usize> = (0..work.contacts().len()).filter(|k| work.first_row(*k).is_some()).collect();
    for k in 0..work.contacts().len() {
        assert_eq!(work.contact_force(k).unwrap().force[0] > 0.0, with_rows.contains(&k));
    }
    assert!(work.acceleration().iter().all(|a| a.is_finite()));
    assert!(work.contact_force(work.contacts().len()).is_none());
    let geoms = with_rows.iter().map(|k| work.contacts()[*k].geoms[1]).collect();
    let normals = with_rows.iter().map(|k| work.contact_force(*k).unwrap().force[0]).collect();
    (geoms, normals, report.dropped_contacts)
}

#[test]
fn without_room_the_deepest_contacts_push_and_the_others_are_counted() {
    let (all, normals, dropped) = kept::<5, 15>();
    assert_eq!((&all[..], dropped), (&[1, 2, 3, 4, 5][..], 0));
    // The k-th deepest by both capacities: geoms 4, 2, 5, 3, 1.
    let rank = [4u16, 2, 5, 3, 1];
    let check = |(geoms, forces, dropped): (Vec<u16>, Vec<f64>, u16), count: usize| {
        let mut expected = rank[..count].to_vec();
        expected.sort_unstable();
        assert_eq!((&geoms, usize::from(dropped)), (&expected, 5 - count));
        // The balls do not know of each other: who stays pushes as before.
        for (geom, force) in geoms.iter().zip(&forces) {
            let full = normals[usize::from(*geom) - 1];
            assert!((force - full).abs() < 1e-12 * full);
        }
    };
    check(kept::<4, 15>(), 4);
    check(kept::<2, 15>(), 2);
    check(kept::<5, 14>(), 4);
    check(kept::<5, 6>(), 2);
    check(kept::<5, 2>(), 0);
    check(kept::<3, 7>(), 2);
}

/// Random scenes in a list of three contacts and eight rows: never an error, never a force that is none, and as many as there are.
#[test]
fn small_lists_stay_finite_in_random_scenes() {
    for seed in 1..150 {
        let drawn = mechanism(seed);
        let mut scene = drawn.scene.clone();
        // Limits and dry friction come first and have no policy of dropping.
        for joint in &mut scene.joints {
            (joint.range, joint.friction_loss) = (None, 0.0);
        }
        let description = scene.description();
        let mut whole = Machine::new(&description);
        drawn.start(&mut whole);
        let mut work = Box::new(Workspace::<f64, 6, 30, 3, 8>::filled(0.0));
        let full = whole.model.forward(&whole.state, &Input::none(), &thorough(), &mut whole.work).unwrap();
        if full.dropped_contacts > 0 {
            continue;
        }
        let report = whole.model.forward(&whole.state, &Input::none(), &thorough(), &mut work).unwrap();
        let rows = |has: &dyn Fn(usize) -> bool, count: usize| (0..count).filter(|k| has(*k)).count();
        let had = rows(&|k| whole.work.first_row(k).is_some(), whole.work.contacts().len());
        let has = rows(&|k| work.first_row(k).is_some(), work.contacts().len());
        // Contacts that are listed without rows need a place in the list only.
        assert!(has <= had && had - has <= usize::from(report.dropped_contacts));
        assert!(work.acceleration().iter().chain(work.row_forces()).all(|x| x.is_finite()));
    }
}

/// A plane that no body can leave and a body without geoms: nothing to find, nothing to solve.
#[test]
fn nothing_to_touch() {
    let mut scene = Scene::new(0.002, FrictionCone::Elliptic);
    scene.geoms.push(Geom::<f64>::new(None, Shape::Plane));
    scene.bodies.push(Body::<f64>::new(1.0, [0.1; 3]));
    scene.joints.extend(free());
    let description = scene.description();
    let mut machine = Machine::new(&description);
    machine.step();
    assert!(machine.work.contacts().is_empty() && machine.work.rows().is_empty());
    assert_eq!(machine.state.velocity[2], -9.81 * 0.002);
}
