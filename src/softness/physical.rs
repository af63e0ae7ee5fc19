//! Physical units for a softness: spring, damper, static depth, settling time.
//!
//! One row of effective mass m = 1/A with Â = A and constant impedance d has R = (1-d)/(d m). With D = 1/R = m d/(1-d) its soft relation
//! R f = -B u - K d r - J a reads
//!
//! ```text
//! f = -k r - b u - D J a,      k = D K d [N/m],   b = D B [N s/m],   D = m d/(1-d) [kg]
//! ```
//!
//! a spring, a damper, and an added inertia D that slows the answer to a load down: m + D = m/(1-d). At rest a load F sinks to F/k, and
//! the recovery r'' + d B r' + K d² r = 0 (S12-18) has damping b/(m+D) and stiffness k/(m+D).
//! Backwards, with K = κ/d², B = β/d of the direct format at d = d_w: κ = k (1-d)/m, β = b (1-d)/m.
//!
//! All of it is exact for one independent row whose impedance is constant where it moves. Rows coupled through A, an Â that is not A,
//! friction, and the sloping part of an impedance curve make it a local estimate; [`Validity`] says which.

use super::settling::{CRITICAL, settling_time};
use super::{Impedance, Reference, Softness, SoftnessError, StepRules, impedance};
use crate::scalar::{Real, literal, square_root};

/// Largest κ \[1/s²\] and β \[1/s\] a wanted spring or damper may need: K and B then stay in the range of single precision.
const LARGEST_DIRECT: f64 = 1e22;

/// Whether other rows act on the same degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Coupling {
    /// No other active row has a coupling term with this one in A, there is no friction on it, and Â = A = 1/m.
    Independent,
    /// Anything else.
    Coupled,
}

/// How far the physical numbers can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Validity {
    /// Exact: an independent row, with an impedance that is constant at and around the residual.
    Exact,
    /// Tangent numbers at the residual, for an estimate: the row is coupled, or its impedance changes as it moves.
    LocalEstimate,
}

/// What a soft row is in the units of a spring and a damper, at one residual.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PhysicalSoftness<T> {
    /// k = D K d \[N/m\].
    pub stiffness: T,
    /// b = D B \[N s/m\].
    pub damping: T,
    /// D = m d/(1-d) \[kg\].
    pub added_inertia: T,
    /// m \[kg\], as given.
    pub effective_mass: T,
    /// d at the residual.
    pub impedance: T,
    /// Whether these numbers are the row, or a picture of it.
    pub validity: Validity,
}

impl<T: Real> PhysicalSoftness<T> {
    /// F/k \[m\]: how deep a steady load F \[N\] sinks; `None` without stiffness.
    ///
    /// With an impedance curve this is right only if the depth comes out where the curve has the same value;
    /// [`Softness::equilibrium`] solves for it.
    pub fn static_depth(&self, load: T) -> Option<T> {
        let depth = load / self.stiffness;
        depth.is_finite().then_some(depth)
    }

    /// Undamped frequency of the recovery, √(k/(m+D)) \[rad/s\].
    pub fn natural_frequency(&self) -> T {
        square_root(self.stiffness / (self.effective_mass + self.added_inertia))
    }

    /// Damping ratio of the recovery, b/(2 √(k (m+D))); `None` without stiffness.
    pub fn damping_ratio(&self) -> Option<T> {
        let inertia = self.effective_mass + self.added_inertia;
        let ratio = self.damping / (literal::<T>(2.0) * square_root(self.stiffness) * square_root(inertia));
        ratio.is_finite().then_some(ratio)
    }

    /// Time \[s\] after which a pressed row, let go at rest, stays within 2 % of its starting distance; `None` if it never does.
    ///
    /// The exact last crossing for damping ratios above 1/64, the envelope below.
    pub fn settling_time(&self) -> Option<T> {
        let inertia = self.effective_mass + self.added_inertia;
        settling_time(self.stiffness / inertia, self.damping / inertia)
    }
}

impl<T: Real> Softness<T> {
    /// The direct `solref` for a wanted spring k \[N/m\] and damper b \[N s/m\] at effective mass m \[kg\].
    ///
    /// Exact where the impedance is d_w; take [`Impedance::constant`] to have it everywhere. The choice of d is free: it only sets the
    /// added inertia m d/(1-d). The direct format is not touched by `refsafe`; [`StepRules::guard_direct`] guards it.
    ///
    /// # Errors
    /// [`SoftnessError::BadMass`], [`SoftnessError::BadStiffness`], [`SoftnessError::BadDamping`]. A zero k or b is allowed.
    pub fn from_stiffness(
        stiffness: T,
        damping: T,
        effective_mass: T,
        impedance: Impedance<T>,
    ) -> Result<Self, SoftnessError> {
        let mass = positive(effective_mass, SoftnessError::BadMass)?;
        // A curve of zero width stays at its mean and never reaches d_w, which K and B are nevertheless divided by.
        let d = if impedance.is_constant() { impedance.at(T::zero()).value() } else { impedance.full() };
        let share = impedance.full() / d;
        let scale = (T::one() - d) / mass * share;
        let kappa = direct(stiffness * scale * share).ok_or(SoftnessError::BadStiffness)?;
        let beta = direct(damping * scale).ok_or(SoftnessError::BadDamping)?;
        Ok(Self::new(Reference::from_solref([-kappa, -beta])?, impedance))
    }

    /// A critically damped softness that lets a steady `load` \[N\] sink by `depth` \[m\] and settles to 2 % within `settling_time` \[s\].
    ///
    /// Standard `solref` (t_c, 1) with t_c = settling_time/5.8339, from (1+x) e^-x = 0.02, and the constant impedance
    /// d = 1 - m depth/(load t_c²).
    ///
    /// `refsafe` raises a t_c below two time steps, that is a settling time below 11.67 steps; the row is then softer by (2h/t_c)²
    /// and [`physical`](Self::physical) shows it. In single precision 1 - d keeps a relative accuracy of 6e-8/(1-d), and so does the depth.
    ///
    /// ```
    /// use delassus::softness::{Coupling, Softness, StepRules};
    ///
    /// // A leg of 2 kg under 40 N sinks by 1 mm and is back within 2 % after 0.1 s.
    /// let softness = Softness::from_depth(40.0, 0.001, 0.1, 2.0)?;
    /// let row = softness.physical(2.0, 0.0, &StepRules::new(0.002), Coupling::Independent)?;
    /// assert!((row.stiffness - 40_000.0_f64).abs() < 1e-6);
    /// # Ok::<(), delassus::softness::SoftnessError>(())
    /// ```
    ///
    /// # Errors
    /// [`SoftnessError::TooSoft`] where d would be below 0.0001, [`SoftnessError::TooHard`] above 0.9999; the `Bad…` error of an argument
    /// that is not positive and finite.
    pub fn from_depth(load: T, depth: T, settling_time: T, effective_mass: T) -> Result<Self, SoftnessError> {
        let load = positive(load, SoftnessError::BadLoad)?;
        let depth = positive(depth, SoftnessError::BadDepth)?;
        let time_constant = positive(settling_time, SoftnessError::BadSettlingTime)? / literal(CRITICAL);
        let mass = positive(effective_mass, SoftnessError::BadMass)?;
        // 1 - d, the share of the load's acceleration that the row lets through.
        let free = mass / load * depth / time_constant / time_constant;
        if !(free <= literal(impedance::HIGHEST)) {
            return Err(SoftnessError::TooSoft);
        }
        if free < literal(impedance::LOWEST) {
            return Err(SoftnessError::TooHard);
        }
        let impedance = Impedance::constant(T::one() - free)?;
        Ok(Self::new(Reference::from_solref([time_constant, T::one()])?, impedance))
    }

    /// What the row is in physical units at residual r \[m\], for effective mass m \[kg\].
    ///
    /// # Errors
    /// [`SoftnessError::BadMass`], [`SoftnessError::ResidualNotFinite`]; [`SoftnessError::BadStiffness`] and
    /// [`SoftnessError::BadDamping`] where k or b overflow this scalar type.
    pub fn physical(
        &self,
        effective_mass: T,
        residual: T,
        rules: &StepRules<T>,
        coupling: Coupling,
    ) -> Result<PhysicalSoftness<T>, SoftnessError> {
        let mass = positive(effective_mass, SoftnessError::BadMass)?;
        if !residual.is_finite() {
            return Err(SoftnessError::ResidualNotFinite);
        }
        let gains = self.gains(rules);
        let point = self.impedance().at(residual);
        // Through the regularizer, so that its floor is part of the answer.
        let regularizer = point.regularizer(T::one() / mass).map_err(|_| SoftnessError::BadMass)?;
        let stiffness = gains.stiffness * point.value() / regularizer;
        let damping = gains.damping / regularizer;
        if !stiffness.is_finite() {
            return Err(SoftnessError::BadStiffness);
        }
        if !damping.is_finite() {
            return Err(SoftnessError::BadDamping);
        }
        // At |r| = w exactly the curve is flat on one side only.
        let [_, _, width, ..] = self.impedance().solimp();
        let flat = self.impedance().is_constant() || residual.abs() > width;
        let validity =
            if flat && coupling == Coupling::Independent { Validity::Exact } else { Validity::LocalEstimate };
        Ok(PhysicalSoftness {
            stiffness,
            damping,
            added_inertia: T::one() / regularizer,
            effective_mass: mass,
            impedance: point.value(),
            validity,
        })
    }
}

fn positive<T: Real>(x: T, error: SoftnessError) -> Result<T, SoftnessError> {
    if x > T::zero() && x.is_finite() { Ok(x) } else { Err(error) }
}

fn direct<T: Real>(gain: T) -> Option<T> {
    (gain >= T::zero() && gain <= literal(LARGEST_DIRECT)).then_some(gain)
}
