//! solref and solimp, wherever they stand.

use delassus::description::SoftnessNumbers;

use crate::element::Element;
use crate::error::Result;

pub(crate) type Softness = SoftnessNumbers<f64>;

/// Reads `solref` and `solimp` under the given names; a short list keeps the rest.
pub(crate) fn apply(e: &Element, solref: &str, solimp: &str, into: &mut Softness) -> Result<()> {
    e.fill(solref, &mut into.solref)?;
    e.fill(solimp, &mut into.solimp)?;
    Ok(())
}
