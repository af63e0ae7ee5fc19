//! The closed form (S15-67 … S15-70): two unknown forces with the same regularizer, so that H = (1/m + R) I, and the best point of the
//! cone is among a handful of candidates.

use delassus::scalar::{Real, literal};
use delassus::softness::{Softness, SoftnessError, StepRules};

use super::{GRAVITY, MARGIN, MASS, RADIUS, Record, SOLIMP, SOLREF, Throw};

/// The best of inside point, apex and the two edges of \|f_t\| ≤ μ f_n for ½ h (f_n² + f_t²) + b_n f_n + b_t f_t (S15-69).
pub fn best<T: Real>(h: T, [bn, bt]: [T; 2], friction: T) -> [T; 2] {
    let inside = [-bn / h, -bt / h];
    if inside[0] >= T::zero() && inside[1].abs() <= friction * inside[0] {
        return inside;
    }
    let mut best = [T::zero(); 2];
    let mut lowest = T::zero();
    for slope in [friction, -friction] {
        let normal = -(bn + slope * bt) / (h * (T::one() + slope * slope));
        if normal > T::zero() {
            let value = -literal::<T>(0.5) * h * (T::one() + slope * slope) * normal * normal;
            if value < lowest {
                (lowest, best) = (value, [normal, slope * normal]);
            }
        }
    }
    best
}

/// The motion, one record a state.
pub fn trace<T: Real + Into<f64>>(throw: &Throw) -> Result<Vec<Record>, SoftnessError> {
    let softness = Softness::from_mujoco(SOLREF.map(literal::<T>), SOLIMP.map(literal::<T>))?;
    let step = literal::<T>(throw.step);
    let gains = softness.gains(&StepRules::new(step));
    let (mass, gravity) = (literal::<T>(MASS), literal::<T>(GRAVITY));
    let mut position = [T::zero(), literal(throw.height)];
    let mut velocity = [literal(throw.speed), T::zero()];
    let mut records = Vec::new();
    for k in 0..=throw.steps() {
        let distance = position[1] - literal(RADIUS);
        let mut force = [T::zero(); 2];
        if distance < literal(MARGIN) {
            let residual = distance - literal(MARGIN);
            let point = softness.impedance().at(residual);
            let regularizer = point.regularizer(T::one() / mass)?;
            let normal = -gains.damping * velocity[1] - gains.stiffness * point.value() * residual;
            let tangent = -gains.damping * velocity[0];
            force = best(T::one() / mass + regularizer, [-gravity - normal, -tangent], literal(throw.friction));
        }
        records.push(Record {
            time: k as f64 * throw.step,
            position: position.map(Into::into),
            velocity: velocity.map(Into::into),
            force: force.map(Into::into),
        });
        velocity[0] += step * force[1] / mass;
        velocity[1] += step * (force[0] / mass - gravity);
        position[0] += step * velocity[0];
        position[1] += step * velocity[1];
    }
    Ok(records)
}
