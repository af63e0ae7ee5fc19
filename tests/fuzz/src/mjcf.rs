//! The MJCF reader: any text, and what it makes of it in the kernel.

use delassus::model::Model;
use delassus::solver::Budget;
use delassus::tendon::TendonConstants;
use delassus::tick::{Input, Workspace};
use delassus_mjcf::{GenerateOptions, generate, read_text};

const NB: usize = 8;
const NQ: usize = 28;
const NV: usize = 24;
const NC: usize = 6;
const NR: usize = 48;

/// No panic, no hang: an error of a reasonable length, or a mechanism that prints, is refused by name, or moves.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mechanism = match read_text(&text) {
        Ok(mechanism) => mechanism,
        Err(error) => {
            assert!(error.to_string().len() < 2000, "a message is no dump: {error}");
            return;
        }
    };
    let lists = &mechanism.lists;
    assert_eq!(mechanism.reference_configuration().len(), lists.coordinates());
    let _ = generate(&mechanism, &GenerateOptions::default());
    let description = lists.description();
    let mut constants = vec![TendonConstants::filled(0.0); lists.tendons.len()];
    let mut work = Box::new(Workspace::<f64, NB, NV, NC, NR>::filled(0.0));
    let Ok(model) = Model::<f64, NB, NQ, NV>::with_tendons(&description, &mut work.smooth, &mut constants) else {
        return;
    };
    let mut state = model.state();
    for _ in 0..2 {
        if model.step(&mut state, &Input::none(), &Budget::new(20, 1e-8), &mut work).is_err() {
            return;
        }
        assert!(state.configuration.iter().chain(&state.velocity).chain(&state.warm_start).all(|x| x.is_finite()));
    }
}
