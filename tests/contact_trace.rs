//! The ball thrown along the plane (WORKED W15-90 … W15-99b), by the scene that also runs on the chip. f64 to 1e-9 over 400 ticks of
//! a motion that forgets its past, the impact amplifying rounding by less than 100; f32 to 2e-4.

#[path = "../examples/scenes/mod.rs"]
mod scenes;

mod common;

use common::{Number, close};
use scenes::ball_friction::{self, Memory};
use scenes::ball_normal::{self, State};

/// Every state and the force found there; the last force is recomputed from the last state.
fn trace<T: Number>() -> Vec<(State<T>, [T; 3])> {
    let softness = ball_normal::softness().unwrap();
    let mut memory = Memory::filled(T::zero());
    let mut state = ball_normal::start(0.6, 0.0);
    let mut records = Vec::new();
    for _ in 0..400 {
        let before = state;
        let tick = ball_friction::step(&mut memory, &softness, &mut state).unwrap();
        records.push((before, tick.force));
    }
    let last = ball_friction::forward(&mut memory, &softness, &state).unwrap();
    records.push((state, last.force));
    records
}

#[test]
fn w15_91_to_96_and_9a_9b_the_contact_trace() {
    fn check<T: Number>(bound: f64) {
        let records = trace::<T>();
        assert_eq!(records.len(), 401); // w15_9a
        let first = records.iter().position(|(_, f)| f[0] > T::zero()).unwrap();
        assert_eq!(first, 56); // w15_91
        let (state, force) = records[first];
        close(&[state.position.z, state.velocity.z], &[0.208_581, -2.7468], bound);
        close(&force[..2], &[611.896_489_137_392, -156.899_639_536_842], bound); // w15_92
        let peak = records.iter().map(|(_, f)| f[0].into()).fold(0.0, f64::max);
        assert_eq!(peak, force[0].into()); // w15_93, w15_9b
        let (state, force) = records[400];
        close(&[state.position.x, state.position.z], &[0.228_082_696_614_551, 0.219_563_043_931_622], bound); // w15_94
        assert!(state.velocity.amax().into() < 1e-3 * bound.sqrt());
        close(&[force[0]], &[19.62], bound); // w15_95
        close(&[state.position.z.into() - 0.2], &[0.019_563_043_931_621_8], 20.0 * bound); // w15_96
    }
    check::<f64>(1e-9);
    check::<f32>(2e-4);
}
