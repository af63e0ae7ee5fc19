//! What must hold of an answer, whatever the question was.

use delassus::rows::{Rows, Rule};
use delassus::solver::Report;

use crate::numbers::Float;

/// Forces finite and inside their rules, those of a contact inside its cone up to four roundings and what underflows.
pub fn allowed<T: Float, const NV: usize, const NR: usize, const NC: usize>(
    rows: &Rows<T, NV, NR, NC>,
    force: &[T],
    acceleration: &[T],
) {
    assert_eq!(force.len(), rows.len());
    assert!(acceleration.iter().chain(force).all(|x| x.is_finite()), "{acceleration:?} {force:?}");
    for (f, row) in force.iter().zip(rows.rows()) {
        match row.rule() {
            Rule::Free | Rule::Cone => {}
            Rule::NonNegative => assert!(*f >= T::zero(), "{f:?}"),
            Rule::Interval { loss } => assert!(f.abs() <= loss, "{f:?} {loss:?}"),
        }
    }
    for block in rows.cones() {
        let parts = &force[block.first_row()..block.first_row() + block.cone().dimension()];
        let [normal, tangents @ ..] = parts else { panic!("a contact without rows") };
        let normal: f64 = (*normal).into();
        let rounding: f64 = T::default_epsilon().into();
        // What is left of forces and of residuals that have lost their digits, being as small as the precision goes.
        let stiffest = block.cone().regularizer().iter().fold(f64::INFINITY, |least, r| least.min((*r).into()));
        let nothing = T::SMALLEST / rounding + T::SMALLEST / stiffest;
        let length = |(f, mu): (&T, &T)| (*f).into() / (*mu).into();
        let used = tangents.iter().zip(block.cone().friction()).map(length).fold(0.0, f64::hypot);
        assert!(normal >= 0.0 && used <= normal * (1.0 + 4.0 * rounding) + nothing, "{parts:?} {:?}", block.cone());
    }
}

/// Measures comparable and not negative.
pub fn told<T: Float>(report: &Report<T>) {
    let known = |x: T| x >= T::zero();
    assert!(known(report.gradient_norm) && known(report.force_correction) && known(report.duality_gap), "{report:?}");
}
