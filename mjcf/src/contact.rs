//! `<contact>`: pairs with parameters of their own, and bodies whose geoms do not collide.

use delassus::description::Pair;

use crate::compiler::set;
use crate::element::Element;
use crate::error::Result;
use crate::softness::{self, Softness};

/// A pair's attributes, on the way from the default class to the element. What is not written is never taken from the geoms.
#[derive(Clone, Debug)]
pub(crate) struct PairSettings {
    condim: i32,
    friction: [f64; 5],
    margin: f64,
    gap: f64,
    softness: Softness,
    friction_solref: [f64; 2],
}

impl Default for PairSettings {
    fn default() -> Self {
        Self {
            condim: 3,
            friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
            margin: 0.0,
            gap: 0.0,
            softness: Softness::DEFAULT,
            friction_solref: [0.0; 2],
        }
    }
}

const ATTRIBUTES: &[&str] =
    &["name", "class", "geom1", "geom2", "condim", "friction", "margin", "gap", "solref", "solimp", "solreffriction"];

impl PairSettings {
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        e.allow(&[ATTRIBUTES])?;
        e.childless()?;
        set(&mut self.condim, e.integer("condim")?);
        e.fill("friction", &mut self.friction)?;
        e.set("margin", &mut self.margin)?;
        e.set("gap", &mut self.gap)?;
        softness::apply(e, "solref", "solimp", &mut self.softness)?;
        e.fill("solreffriction", &mut self.friction_solref)?;
        Ok(())
    }

    pub fn finish(&self, e: &Element, geoms: [u16; 2]) -> Result<Pair<f64>> {
        let condim = match self.condim {
            1 | 3 | 4 | 6 => self.condim as u8,
            _ => return Err(e.invalid("condim must be 1, 3, 4 or 6").remedy("correct condim")),
        };
        Ok(Pair {
            geoms,
            condim,
            friction: self.friction,
            margin: self.margin,
            gap: self.gap,
            softness: self.softness,
            friction_solref: self.friction_solref,
        })
    }
}
