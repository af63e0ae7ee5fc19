//! The implicit midpoint rule of a free rigid body (S15-66, X-87): it keeps the energy of a spinning body, which no explicit
//! treatment of ω × I ω does.

use nalgebra::Vector3;

use crate::scalar::{Real, larger, literal, norm};
use crate::spatial::{Quaternion, inner};

/// Newton steps at most, and halvings of each.
const ITERATIONS: usize = 100;
const HALVINGS: usize = 20;

/// A free body, its joint's velocity, and the generalized force on the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeBody<T> {
    /// \[kg\]
    pub mass: T,
    /// Principal moments of inertia about the centre of mass \[kg m²\].
    pub inertia: [T; 3],
    /// Principal axes in the body's frame.
    pub inertia_orientation: Quaternion<T>,
    /// r: centre of mass in the body's frame \[m\].
    pub center: Vector3<T>,
    /// Body to world.
    pub orientation: Quaternion<T>,
    /// Velocity of the origin, world axes \[m/s\].
    pub linear: Vector3<T>,
    /// ω, body axes \[rad/s\].
    pub angular: Vector3<T>,
    /// F: all but gravity, world axes \[N\].
    pub force: Vector3<T>,
    /// τ: torque about the origin, body axes, all but gravity's \[N m\].
    pub torque: Vector3<T>,
    /// \[m/s²\]
    pub gravity: Vector3<T>,
}

/// The linear part of a midpoint step, where the centre of mass is off the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearStep<T> {
    /// Velocity of the origin after the step, world axes \[m/s\].
    pub after: Vector3<T>,
    /// The velocity that moves the position \[m/s\].
    pub moving: Vector3<T>,
}

/// What a midpoint step makes of a free body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MidpointStep<T> {
    /// ω_m, body axes: turns the body \[rad/s\].
    pub middle: Vector3<T>,
    /// ω₊ = 2 ω_m − ω \[rad/s\].
    pub angular: Vector3<T>,
    /// The linear part, or `None` where the centre of mass *is* the origin, so that rotation does not act on it.
    pub linear: Option<LinearStep<T>>,
}

impl<T: Real> FreeBody<T> {
    /// One step of h \[s\].
    ///
    /// (2/h) I (ω_m − ω) + ω_m × I ω_m = τ − r × f in principal axes, f = Rᵀ F; off the origin also
    /// ((2/h) 1 + \[ω_m\]×) V_m = f/m + Rᵀ g + (2/h) V for the velocity V = Rᵀ v + ω × r of the centre of mass in body axes.
    pub fn midpoint(&self, step: T) -> MidpointStep<T> {
        let (two, half) = (literal::<T>(2.0), step * literal(0.5));
        let force = self.orientation.conjugate().rotate(&self.force);
        let to_principal = self.inertia_orientation.conjugate();
        let torque = to_principal.rotate(&(self.torque - self.center.cross(&force)));
        let rate = to_principal.rotate(&self.angular);
        let middle = self.inertia_orientation.rotate(&middle_rate(&Vector3::from(self.inertia), &rate, &torque, step));
        let angular = middle * two - self.angular;
        if self.center.iter().all(|r| *r == T::zero()) {
            return MidpointStep { middle, angular, linear: None };
        }
        let linear = self.orientation.conjugate().rotate(&self.linear);
        let gravity = self.orientation.conjugate().rotate(&self.gravity);
        let known = (force / self.mass + gravity) * half + linear + self.angular.cross(&self.center);
        // (1 + [u]×) x = b  ⟹  x = (b − u × b + u (u·b)) / (1 + u·u)
        let u = middle * half;
        let center_velocity = (known - u.cross(&known) + u * inner(&u, &known)) / (T::one() + inner(&u, &u));
        let turned = self.orientation.step(&middle, step);
        let after = turned.rotate(&((center_velocity - middle.cross(&self.center)) * two - linear));
        let moving = (self.linear + after) * literal::<T>(0.5);
        MidpointStep { middle, angular, linear: Some(LinearStep { after, moving }) }
    }
}

/// ω_m in principal axes, by Newton from the old rate; a step is halved until the residual falls, and where it does not fall any
/// more the search ends.
fn middle_rate<T: Real>(inertia: &Vector3<T>, rate: &Vector3<T>, torque: &Vector3<T>, step: T) -> Vector3<T> {
    let double_rate = literal::<T>(2.0) / step;
    let momentum = |w: &Vector3<T>| inertia.component_mul(w);
    let residual = |w: &Vector3<T>| momentum(&(w - rate)) * double_rate + w.cross(&momentum(w)) - torque;
    let size = |x: &Vector3<T>| norm(x.as_slice());
    let tolerance = larger(literal(1e-13), T::default_epsilon() * literal(4.0));
    let half = step * literal(0.5);
    let [a, b, c] = [inertia.x, inertia.y, inertia.z];
    // By the triangle inequality of moments of inertia each of these is at most 1.
    let spread = Vector3::new((c - b) / a, (a - c) / b, (b - a) / c) * half;
    let mut middle = *rate;
    let mut left = residual(&middle);
    for _ in 0..ITERATIONS {
        let height = size(&left);
        if height < tolerance * (T::one() + double_rate * size(&momentum(&middle))) {
            break;
        }
        // The derivative's rows, each divided by its diagonal entry (2/h) I_k.
        let (x, y, z) = (middle.x, middle.y, middle.z);
        let rows = [
            Vector3::new(T::one(), z * spread.x, y * spread.x),
            Vector3::new(z * spread.y, T::one(), x * spread.y),
            Vector3::new(y * spread.z, x * spread.z, T::one()),
        ];
        let scaled = Vector3::new(left.x / a, left.y / b, left.z / c) * -half;
        let mut change = solve_three(&rows, &scaled);
        let mut fell = false;
        for _ in 0..HALVINGS {
            let trial = middle + change;
            let there = residual(&trial);
            if size(&there) < height {
                (middle, left, fell) = (trial, there, true);
                break;
            }
            change *= literal::<T>(0.5);
        }
        if !fell {
            break;
        }
    }
    middle
}

/// x of three equations, row · x = b, by Cramer's rule; not finite where they are singular.
fn solve_three<T: Real>([p, q, r]: &[Vector3<T>; 3], b: &Vector3<T>) -> Vector3<T> {
    let first = q.cross(r);
    (first * b.x + r.cross(p) * b.y + p.cross(q) * b.z) / inner(p, &first)
}
