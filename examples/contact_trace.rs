//! A ball thrown along a soft plane: falls, strikes, slides and comes to rest. By the general machinery and by the closed form of two
//! forces, in f64 and f32, as a table. The picture of it is in the gallery (`--example gallery`).
//!
//! `cargo run --release --example contact_trace`

#[path = "contact_trace/mod.rs"]
mod contact_trace;

use contact_trace::{Record, Throw, closed, machinery};

/// Largest difference of state and of force.
fn difference(a: &[Record], b: &[Record]) -> (f64, f64) {
    let (mut state, mut force) = (0.0f64, 0.0f64);
    for (a, b) in a.iter().zip(b) {
        for k in 0..2 {
            state = state.max((a.position[k] - b.position[k]).abs()).max((a.velocity[k] - b.velocity[k]).abs());
            force = force.max((a.force[k] - b.force[k]).abs());
        }
    }
    (state, force)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let throw = Throw::STANDARD;
    let wide = machinery::trace::<f64>(&throw)?;
    let narrow = machinery::trace::<f32>(&throw)?;
    let (closed_wide, closed_narrow) = (closed::trace::<f64>(&throw)?, closed::trace::<f32>(&throw)?);
    println!(
        "{:>6} {:>11} {:>11} {:>11} {:>11} {:>13}",
        "t s", "x m", "gap m", "normal N", "tangent N", "normal f32 N"
    );
    for (record, single) in wide.iter().zip(&narrow).step_by(20) {
        let [x, _] = record.position;
        let [normal, tangent] = record.force;
        println!(
            "{:6.2} {x:11.6} {:11.6} {normal:11.4} {tangent:11.4} {:13.4}",
            record.time,
            record.gap(),
            single.force[0]
        );
    }
    println!("\nlargest difference {:>28} {:>14}", "of states", "of forces N");
    for (name, a, b) in [
        ("machinery against closed form, f64", &wide, &closed_wide),
        ("machinery against closed form, f32", &narrow, &closed_narrow),
        ("f32 against f64, machinery", &narrow, &wide),
        ("f32 against f64, closed form", &closed_narrow, &closed_wide),
    ] {
        let (state, force) = difference(a, b);
        println!("{name:36} {state:10.2e} {force:14.2e}");
    }
    Ok(())
}
