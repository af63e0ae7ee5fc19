//! The main job: the block stack and the ball's normal row, in f64 and in f32, with the hashes that the chip must reproduce.
//!
//! `cargo run --release --example scenes`

#[path = "scenes/mod.rs"]
mod scenes;

use delassus::solver::Budget;
use scenes::{Hash, ball_friction, ball_normal, collision, contacts, mechanisms, primitives, problems, sizes, stack};

fn hashed(name: &str, run: impl FnOnce(&mut dyn FnMut(f32))) {
    let mut hash = Hash::new();
    run(&mut |x| hash.add(x));
    println!("scene {name} {:016x} {}", hash.value, hash.count);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "Block stack: two blocks of 1 kg, soft contacts (R = 0.1), an upward pull on the upper block, g = 10 m/s²"
    );
    println!(
        "{:>8} {:>24} {:>24} {:>22} {:>5}",
        "pull N", "force f64 N", "acceleration f64 m/s²", "force f32 N", "iter"
    );
    let (mut wide, mut narrow) = (stack::Memory::filled(0.0f64), stack::Memory::filled(0.0f32));
    for pull in [0.0, 5.0, 10.0, 12.5, 15.0] {
        let a = stack::solve(&mut wide, stack::Method::Newton, pull, 0.1, None, &Budget::new(10, 1e-10))?;
        let b = stack::solve(&mut narrow, stack::Method::Newton, pull as f32, 0.1, None, &Budget::new(10, 1e-7))?;
        println!(
            "{pull:8.1} ({:10.6}, {:10.6}) ({:10.6}, {:10.6}) ({:9.5}, {:9.5}) {:>5}",
            a.force[0], a.force[1], a.acceleration[0], a.acceleration[1], b.force[0], b.force[1], a.iterations
        );
    }

    println!("\nBall of 2 kg on a soft plane, normal row only: the worked instant, then dropped from 0.6 m");
    let soft = ball_normal::softness::<f64>()?;
    let mut memory = ball_normal::Memory::filled(0.0f64);
    let mut state = ball_normal::start(0.19, -0.1);
    let tick = ball_normal::forward(&mut memory, &soft, &state).map_err(|e| format!("{e:?}"))?;
    println!("a_ref = {:.4} m/s²   R = {:.6} 1/kg   force = {:.3} N", tick.reference, tick.regularizer, tick.force);
    let soft32 = ball_normal::softness::<f32>()?;
    let mut memory32 = ball_normal::Memory::filled(0.0f32);
    let mut state32 = ball_normal::start(0.6, 0.0);
    state = ball_normal::start(0.6, 0.0);
    println!("{:>6} {:>14} {:>14} {:>12}", "t s", "height f64 m", "height f32 m", "force N");
    for tick in 0..=400 {
        let found = ball_normal::forward(&mut memory, &soft, &state).map_err(|e| format!("{e:?}"))?;
        if tick % 40 == 0 {
            let t = f64::from(tick) * ball_normal::STEP;
            println!("{t:6.2} {:14.9} {:14.9} {:12.4}", state.position.z, state32.position.z, found.force);
        }
        ball_normal::step(&mut memory, &soft, &mut state).map_err(|e| format!("{e:?}"))?;
        ball_normal::step(&mut memory32, &soft32, &mut state32).map_err(|e| format!("{e:?}"))?;
    }

    println!("\nHashes of the f32 runs; the chip prints the same lines");
    primitives::run(&mut |name, hash| println!("scene {name} {:016x} {}", hash.value, hash.count));
    hashed("stack", |record| stack::run(&mut stack::Memory::filled(0.0), &mut |x| record(x)));
    hashed("ball_normal", |record| ball_normal::run(&mut ball_normal::Memory::filled(0.0), &mut |x| record(x)));
    hashed("ball_friction", |record| ball_friction::run(&mut ball_friction::Memory::filled(0.0), &mut |x| record(x)));
    hashed("collision", |record| collision::run(&mut collision::List::new(), &mut |x| record(x)));
    hashed("problems", |record| problems::run(&mut |x| record(x)));
    hashed("arm", |record| mechanisms::run_arm(&mut mechanisms::ArmMemory::filled(0.0), &mut |x| record(x)));
    hashed("linkage", |record| {
        mechanisms::run_linkage(&mut mechanisms::LinkageMemory::filled(0.0), &mut |x| record(x))
    });
    hashed("box", |record| contacts::run_box(&mut contacts::BoxMemory::filled(0.0), &mut |x| record(x)));
    hashed("ball", |record| contacts::run_ball(&mut contacts::BallMemory::filled(0.0), &mut |x| record(x)));
    hashed("quadruped", |record| {
        contacts::run_quadruped(&mut contacts::QuadrupedMemory::filled(0.0), &mut |x| record(x))
    });
    hashed("solvers", |record| sizes::run(&mut |x| record(x)));
    Ok(())
}
