//! Precision or chaos: what a comparison says in one line.
//!
//! Two measures over time, both relative to the scale of each joint's motion and the largest joint counting: d, how far f32 is from
//! f64, and p, how far f64 runs started one f32 ulp aside are from f64. The runs *part* when a measure passes [`PART`].
//!
//! * growth G(t): the largest p so far over p(0); what the motion makes of an error of the start.
//! * Rounding puts about an ulp into each step, and the motion carries each of them on: S(t) = p(0) Σ_s G(t)/G(s). That is what any
//!   arithmetic of this width would be off; d/S is what the kernel adds.
//!
//! Where f32 parts after errors have grown a hundredfold, and d is no more than a few times S, it is the motion and not the
//! arithmetic: *chaotic* where errors grow ever faster, *sensitive* where the perturbed runs part as well at about that time (a
//! contact that is or is not). Errors that grow like a power of time and have not come that far are neither: there f32 is worse
//! than the motion would make it.

use serde::Serialize;

/// Runs part where they differ by this share of the motion.
pub const PART: f64 = 0.01;
/// Forces part where they differ by this share of their scale.
pub const FORCE_PART: f64 = 0.05;
/// Errors that have grown by less say nothing.
pub const GROWN: f64 = 100.0;
/// Growth over the third and over the fourth quarter of the time, at least each. t³ gives 3.4 and 2.4, a jump only one of them.
const EVER_FASTER: f64 = 2.8;
const EXCESS: f64 = 30.0;
/// The perturbed runs part by this multiple of f32's time.
const AS_WELL: f64 = 1.5;

/// What kind of answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// f32 is as good as f64.
    AsGood,
    /// Errors grow ever faster: any rounding would do the same.
    Chaotic,
    /// It hangs on the last digit: any rounding would do the same.
    Sensitive,
    /// f32 costs precision.
    Precision,
    /// f32 ends in an error where f64 goes on.
    Fails,
}

/// How errors of the start grow.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sensitivity {
    /// p(0).
    pub start: f64,
    /// G when f32 parts, or at the end.
    pub growth: f64,
    /// Growth over the third and the fourth quarter of the time until then.
    pub late_growth: [f64; 2],
    /// d/S then.
    pub excess: f64,
    /// When the perturbed runs part \[s\].
    pub parts: Option<f64>,
}

/// First step at which a measure passes a bound.
pub fn first_beyond(measure: &[f64], bound: f64) -> Option<usize> {
    // Not a number is as far apart as can be.
    measure.iter().position(|d| !(*d <= bound))
}

/// Growth and rounding at step `at`.
pub fn sensitivity(narrow: &[f64], perturbed: &[f64], at: usize, step: f64) -> Sensitivity {
    let start = perturbed.first().copied().filter(|p| *p > 0.0).unwrap_or(f64::MIN_POSITIVE);
    let (mut growth, mut quarters, mut sum) = (1.0f64, [1.0f64; 2], 1.0);
    for (k, p) in perturbed.iter().enumerate().take(at + 1).skip(1) {
        let before = growth;
        growth = growth.max(p / start);
        sum = sum * growth / before + 1.0;
        // Half the time, and three quarters of it.
        for (share, slot) in [2, 3].into_iter().zip(&mut quarters) {
            if 4 * k <= share * at {
                *slot = growth;
            }
        }
    }
    Sensitivity {
        start,
        growth,
        late_growth: [quarters[1].max(quarters[0]) / quarters[0], growth / quarters[1].max(quarters[0])],
        excess: narrow.get(at).copied().unwrap_or(0.0) / (start * sum),
        parts: first_beyond(perturbed, PART).map(|k| k as f64 * step),
    }
}

impl Sensitivity {
    /// What a difference that has come about so by `time` is due to.
    pub fn verdict(&self, time: f64) -> Verdict {
        if self.growth < GROWN || !(self.excess <= EXCESS) {
            return Verdict::Precision;
        }
        if self.late_growth.iter().all(|growth| *growth >= EVER_FASTER) {
            return Verdict::Chaotic;
        }
        if self.parts.is_some_and(|parts| parts <= AS_WELL * time) { Verdict::Sensitive } else { Verdict::Precision }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Chaotic, Precision, Sensitive};
    use super::*;

    const ULP: f64 = 6e-8;
    const STEP: f64 = 0.001;

    /// Rounding of one ulp a step in a motion of growth g: e ← e·g(k+1)/g(k) + noise.
    fn run(steps: usize, noise: f64, g: impl Fn(f64) -> f64) -> (Vec<f64>, Vec<f64>) {
        let perturbed: Vec<f64> = (0..=steps).map(|k| ULP * g(k as f64 * STEP)).collect();
        let mut narrow = vec![ULP];
        for pair in perturbed.windows(2) {
            narrow.push(narrow[narrow.len() - 1] * pair[1] / pair[0] + noise * ULP);
        }
        (narrow, perturbed)
    }

    fn verdict(run: &(Vec<f64>, Vec<f64>)) -> Option<Verdict> {
        let at = first_beyond(&run.0, PART)?;
        Some(sensitivity(&run.0, &run.1, at, STEP).verdict(at as f64 * STEP))
    }

    #[test]
    fn exponential_growth_is_chaos() {
        assert_eq!(verdict(&run(20_000, 1.0, |t| t.exp())), Some(Chaotic));
        assert_eq!(verdict(&run(20_000, 1.0, |t| (3.0 * t).exp())), Some(Chaotic));
        // Flat at first, then wild.
        assert_eq!(verdict(&run(20_000, 0.01, |t| if t < 5.0 { 1.0 } else { (3.0 * (t - 5.0)).exp() })), Some(Chaotic));
    }

    /// A motion that forgets errors, with arithmetic that makes large ones; a phase that drifts, linearly or by a constant force.
    #[test]
    fn what_does_not_grow_is_precision() {
        assert_eq!(verdict(&run(20_000, 1e1, |t| (-t).exp())), None);
        assert_eq!(verdict(&run(20_000, 1e3, |t| (-t).exp())), Some(Precision));
        assert_eq!(verdict(&run(20_000, 1e4, |_| 1.0)), Some(Precision));
        assert_eq!(verdict(&run(20_000, 1e3, |t| 1.0 + 100.0 * t)), Some(Precision));
        assert_eq!(verdict(&run(20_000, 1e2, |t| 1.0 + 100.0 * t * t)), Some(Precision));
    }

    /// A jump, as of a contact that one run has and the other has not; the same jump where the perturbed runs do not have it.
    #[test]
    fn what_hangs_on_the_last_digit_is_sensitive() {
        let jump = |t: f64| if t < 0.5 { 1.0 } else { 1e6 };
        assert_eq!(verdict(&run(2_000, 1.0, jump)), Some(Sensitive));
        let (narrow, _) = run(2_000, 1.0, jump);
        assert_eq!(verdict(&(narrow, vec![ULP; 2_001])), Some(Precision));
    }

    /// Chaos is no excuse for arithmetic that is a thousand times worse than rounding.
    #[test]
    fn bad_arithmetic_in_a_chaotic_motion_is_precision() {
        assert_eq!(verdict(&run(20_000, 1e4, |t| t.exp())), Some(Precision));
    }

    #[test]
    fn a_number_that_is_none_is_beyond() {
        assert_eq!(first_beyond(&[0.0, f64::NAN], PART), Some(1));
        assert_eq!(first_beyond(&[0.0, 0.01], PART), None);
    }
}
