//! The ball thrown along the plane (WORKED W15-90 … W15-99b) by the general machinery and by the closed form of two forces, and one
//! against the other.

use super::common::{Number, close};
use super::contact_trace::{MARGIN, MASS, RADIUS, Record, SOLIMP, SOLREF, Throw, closed, machinery};
use super::machine::near;
use delassus::scalar::literal;
use delassus::softness::{Softness, StepRules};

fn both<T: Number>(throw: &Throw) -> [Vec<Record>; 2] {
    [machinery::trace::<T>(throw).unwrap(), closed::trace::<T>(throw).unwrap()]
}

fn peak(records: &[Record]) -> (usize, Record) {
    let mut best = (0, records[0]);
    for (k, record) in records.iter().enumerate() {
        if record.force[0] > best.1.force[0] {
            best = (k, *record);
        }
    }
    best
}

fn end(records: &[Record]) -> [f64; 4] {
    let last = records.last().unwrap();
    [last.position[0], last.position[1], last.velocity[0], last.velocity[1]]
}

#[test]
fn w15_91_to_97_and_9a_9b_the_standard_throw() {
    fn check<T: Number>(bound: f64) {
        for records in both::<T>(&Throw::STANDARD) {
            assert_eq!(records.len(), 401); // W15-9a
            let first = records.iter().position(|record| record.force[0] > 0.0).unwrap();
            let record = records[first];
            assert_eq!(first, 56); // W15-91
            close(&[record.position[1], record.velocity[1]], &[0.208_581, -2.7468], bound);
            close(&record.force, &[611.896_489_137_392, -156.899_639_536_842], bound); // W15-92
            assert_eq!(peak(&records), (56, record)); // W15-93, W15-9b
            let [x, z, vx, vz] = end(&records);
            close(&[x, z], &[0.228_082_696_614_551, 0.219_563_043_931_622], bound); // W15-94
            // W15-94: both velocities die away; what is left is the rounding of z times K, a few ulps of it in a step.
            assert!(vx.abs() < 1e-3 * bound && vz.abs() < bound);
            let force = records[400].force;
            close(&[force[0]], &[19.62], bound); // W15-95
            close(&[z - RADIUS], &[0.019_563_043_931_621_8], 20.0 * bound); // W15-96
            // W15-97: −K d(e) e = R(e) m g at the end.
            let softness = Softness::from_mujoco(SOLREF, SOLIMP).unwrap();
            let gains = softness.gains(&StepRules::new(Throw::STANDARD.step));
            let error = z - RADIUS - MARGIN;
            let point = softness.impedance().at(error);
            let weight = point.regularizer(1.0 / MASS).unwrap() * MASS * 9.81;
            close(&[-gains.stiffness * point.value() * error, weight], &[1.089_421_935_213_56; 2], 1e3 * bound);
        }
    }
    check::<f64>(1e-11);
    check::<f32>(2e-4);
}

#[test]
fn w15_98_without_friction_the_horizontal_velocity_stays() {
    fn check<T: Number>() {
        for records in both::<T>(&Throw { friction: 0.0, ..Throw::STANDARD }) {
            let speed: f64 = literal::<T>(0.8).into();
            for record in records {
                assert_eq!([record.velocity[0], record.force[1]], [speed, 0.0]);
            }
        }
    }
    check::<f64>();
    check::<f32>();
}

#[test]
fn w15_99a_and_99b_other_steps() {
    fn check<T: Number>(bound: f64) {
        for (step, place, force) in [
            (0.001, [0.229_784_208_388_73, 0.219_563_043_931_622], 536.397_745_819_679), // W15-99a
            // W15-99b: the time constant is lifted to 0.04 s.
            (0.02, [0.224, 0.218_267_175_436_962], 333.344),
        ] {
            for records in both::<T>(&Throw { step, ..Throw::STANDARD }) {
                let [x, z, vx, vz] = end(&records);
                close(&[x, z], &place, bound);
                assert!(vx.abs() < bound && vz.abs() < bound.max(1e-10), "{vx} {vz}");
                close(&[peak(&records).1.force[0]], &[force], bound);
            }
        }
    }
    check::<f64>(1e-11);
    check::<f32>(1e-3);
}

/// W15-90 against the closed form: one solves three rows by Newton's method, the other two forces by cases. Their roundings enter
/// through z times K, and the motion forgets them: a state is off by ulps of a metre, a force by ulps of the strike of 612 N.
#[test]
fn w15_90_the_machinery_and_the_closed_form_agree_to_ulps() {
    fn check<T: Number>(state_bound: f64, force_bound: f64) {
        let ulp: f64 = T::default_epsilon().into();
        for (step, friction) in [(0.005, 0.6), (0.001, 0.6), (0.02, 0.6), (0.005, 0.0), (0.005, 1e-3), (0.005, 5.0)] {
            let [machinery, closed] = both::<T>(&Throw { step, friction, ..Throw::STANDARD });
            let (mut state, mut force) = (0.0f64, 0.0f64);
            for (a, b) in machinery.iter().zip(&closed) {
                for k in 0..2 {
                    state = state.max((a.position[k] - b.position[k]).abs()).max((a.velocity[k] - b.velocity[k]).abs());
                    force = force.max((a.force[k] - b.force[k]).abs());
                }
            }
            let force = force / peak(&closed).1.force[0];
            println!("step {step}, friction {friction}: state {:.1} ulps, force {:.1} ulps", state / ulp, force / ulp);
            assert!(state <= state_bound * ulp && force <= force_bound * ulp);
        }
    }
    check::<f64>(16.0, 16.0);
    check::<f32>(16.0, 16.0);
}

/// W15-67: among 40 random blocks none has a better point on a fine grid of the cone than the candidates' best.
#[test]
fn w15_67_the_candidates_of_the_closed_form_hold_the_minimum() {
    let mut noise = super::draw::Noise(67);
    for _ in 0..40 {
        let h = noise.milli(100, 3000);
        let [bn, bt] = [noise.milli(-5000, 2000), noise.milli(-5000, 5000)];
        let friction = noise.milli(100, 1500);
        let value = |[n, t]: [f64; 2]| 0.5 * h * (n * n + t * t) + bn * n + bt * t;
        let found = closed::best(h, [bn, bt], friction);
        assert!(found[0] >= 0.0 && found[1].abs() <= friction * found[0] * (1.0 + f64::EPSILON));
        let size = 2.0 * (bn.abs() + bt.abs()) / h;
        for i in 0..=200 {
            let normal = size * f64::from(i) / 200.0;
            for k in -100..=100 {
                let other = [normal, friction * normal * f64::from(k) / 100.0];
                assert!(value(found) <= value(other) + 1e-12 * (1.0 + value(other).abs()));
            }
        }
        // The gradient at the best point is in the dual cone and orthogonal to the point.
        let [gn, gt] = [h * found[0] + bn, h * found[1] + bt];
        near(&[found[0] * gn + found[1] * gt], &[0.0], 1e-11);
        assert!(gn >= friction * gt.abs() - 1e-11);
    }
}
