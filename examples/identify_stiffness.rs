//! Finds the stiffness and damping of a soft pad from a recorded motion, with exact derivatives: the crate's own step runs with dual
//! numbers, so that every height comes with what it changes by per unit of a parameter.
//!
//! `cargo run --release --example identify_stiffness`

#[path = "identify_stiffness/pad.rs"]
mod pad;

use num_dual::{Dual64, DualNum};
use pad::{Pad, RECORD, motion, pressed};

/// How well a guess explains a record, and how that changes with the guess.
struct Fit {
    misfit: f64,
    normal: [[f64; 2]; 2],
    right: [f64; 2],
}

impl Fit {
    fn at(guess: &[f64; 2], record: &[f64]) -> Result<Self, Box<dyn std::error::Error>> {
        // One run a parameter: the dual part of every height is its derivative.
        let run = |which: usize| {
            let dual = |k: usize| {
                let x = Dual64::from(guess[k]);
                if k == which { x.derivative().exp() } else { x.exp() }
            };
            motion(&Pad { stiffness: dual(0), damping: dual(1) }, &pressed(), RECORD)
        };
        let (a, b) = (run(0)?, run(1)?);
        let mut fit = Self { misfit: 0.0, normal: [[0.0; 2]; 2], right: [0.0; 2] };
        for ((a, b), measured) in a.iter().zip(&b).zip(record) {
            let (error, slope) = (measured - a[0].re, [a[0].eps, b[0].eps]);
            fit.misfit += error * error;
            for i in 0..2 {
                fit.right[i] += slope[i] * error;
                for j in 0..2 {
                    fit.normal[i][j] += slope[i] * slope[j];
                }
            }
        }
        Ok(fit)
    }

    fn rms(&self) -> f64 {
        (self.misfit / RECORD as f64).sqrt()
    }

    /// The change that the linearised motion asks for; a large `brake` makes it small.
    fn change(&self, brake: f64) -> [f64; 2] {
        let [[a, b], [_, d]] = self.normal;
        let (a, d) = (a * (1.0 + brake), d * (1.0 + brake));
        let determinant = a * d - b * b;
        [(d * self.right[0] - b * self.right[1]) / determinant, (a * self.right[1] - b * self.right[0]) / determinant]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let truth = Pad { stiffness: 900.0, damping: 15.0 };
    // The record: heights as an encoder with steps of a micrometre gives them.
    let record: Vec<f64> =
        motion(&truth, &pressed::<f64>(), RECORD)?.iter().map(|[height, _]| (height * 1e6).round() * 1e-6).collect();

    // Levenberg–Marquardt on the logarithms, which keeps both positive.
    let mut guess = [(400.0f64).ln(), (40.0f64).ln()];
    let mut fit = Fit::at(&guess, &record)?;
    let mut brake = 1e-3;
    println!("{:>4} {:>14} {:>12} {:>14}", "step", "stiffness 1/s²", "damping 1/s", "misfit rms µm");
    for step in 0..60 {
        println!("{step:>4} {:14.2} {:12.3} {:14.4}", guess[0].exp(), guess[1].exp(), fit.rms() * 1e6);
        let change = fit.change(brake).map(|x| x.clamp(-1.0, 1.0));
        let next = [guess[0] + change[0], guess[1] + change[1]];
        let there = Fit::at(&next, &record)?;
        if there.misfit < fit.misfit {
            (guess, fit, brake) = (next, there, brake * 0.2);
        } else {
            brake *= 8.0;
        }
        if change.iter().all(|x| x.abs() < 1e-9) {
            break;
        }
    }
    let found = guess.map(f64::exp);
    println!("\ntruth {:.2} and {:.3}, found {:.2} and {:.3}", truth.stiffness, truth.damping, found[0], found[1]);
    Ok(())
}
