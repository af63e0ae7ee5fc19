//! A planar two-link arm: mass matrix, bias force, free acceleration and energies of the crate beside the closed forms, then one
//! second of its fall.
//!
//! `cargo run --example two_link_arm`

#[path = "two_link_arm/arm.rs"]
mod arm;

use arm::{ARM, bias, constants, energies, free_acceleration, mass_matrix};
use delassus::dynamics::{kinetic_energy, potential_energy};
use delassus::model::{Model, Smooth};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};
use nalgebra::Vector2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two bodies, two configuration numbers, two dofs; no contacts and no constraint rows.
    let model = Model::<f64, 2, 2, 2>::new(&ARM, &mut Smooth::filled(0.0))?;
    let mut work = Workspace::<f64, 2, 2, 0, 0>::filled(0.0);
    let budget = Budget::new(0, 0.0); // nothing to solve
    let mut state = model.state();
    (state.configuration, state.velocity) = ([0.6, -0.4], Vector2::new(1.0, -0.5));
    let (q, v) = (state.configuration, [1.0, -0.5]);

    model.forward(&state, &Input::none(), &budget, &mut work)?;
    let [a, b, c] = constants();
    println!("Two-link arm: A = {a:.6}, B = {b:.6}, C = {c:.6} kg m²; q = {q:?} rad, v = {v:?} rad/s");
    println!("{:>26} {:>22} {:>22}", "", "crate", "closed form");
    let show = |name: &str, ours: f64, closed: f64| println!("{name:>26} {ours:22.15} {closed:22.15}");
    let (columns, expected) = (work.mass().columns(), mass_matrix(q));
    show("M11, kg m²", columns[0][0], expected[0][0]);
    show("M12", columns[1][0], expected[0][1]);
    show("M22", columns[1][1], expected[1][1]);
    show("c1, N m", work.bias_force()[0], bias(q, v)[0]);
    show("c2", work.bias_force()[1], bias(q, v)[1]);
    show("a1, rad/s²", work.acceleration()[0], free_acceleration(q, v)[0]);
    show("a2", work.acceleration()[1], free_acceleration(q, v)[1]);
    let potential =
        |work: &Workspace<f64, 2, 2, 0, 0>| potential_energy(model.tree(), work.kinematics(), &model.gravity());
    show("potential energy, J", potential(&work), energies(q, v)[0]);
    show("kinetic energy", kinetic_energy(model.tree(), work.kinematics(), &state.velocity), energies(q, v)[1]);

    println!("\nOne second of its fall, semi-implicit Euler at 5 ms");
    println!("{:>6} {:>10} {:>10} {:>12}", "t, s", "q1, rad", "q2, rad", "energy, J");
    for tick in 0..=200 {
        if tick % 40 == 0 {
            model.forward(&state, &Input::none(), &budget, &mut work)?;
            let energy = potential(&work) + kinetic_energy(model.tree(), work.kinematics(), &state.velocity);
            println!(
                "{:6.2} {:10.5} {:10.5} {energy:12.6}",
                state.time, state.configuration[0], state.configuration[1]
            );
        }
        model.step(&mut state, &Input::none(), &budget, &mut work)?;
    }
    Ok(())
}
