//! Pyramids with next to no friction: edges of R = 5e-12 that begin inside the line search.
//!
//! Between the last step before such an edge and the first step beyond it the objective hardly changes, but only beyond does the edge
//! answer. A search that ended before it ended the solve: forces off by a third and more, while MuJoCo found the optimum.

use super::common::{Number, vector};
use super::draw::draw;
use super::machine::{Machine, NR, NV};
use delassus::mass::MassMatrix;
use delassus::rows::{Rows, Rule};
use delassus::scalar::literal;
use delassus::solver::{Budget, NewtonWorkspace, newton};
use nalgebra::{SMatrix, SVector};

/// What the solve leaves of the duality gap at the start.
fn left<T: Number>(machine: &Machine<'_>, budget: &Budget<T>) -> f64 {
    let work = &machine.work;
    let mut mass = Box::new(MassMatrix::<T, NV>::filled(T::zero()));
    let entries = SMatrix::<T, NV, NV>::from_fn(|i, k| literal(work.mass().columns()[i.min(k)][i.max(k)]));
    mass.set(&entries).unwrap();
    let mut rows = Box::new(Rows::<T, NV, NR>::new());
    for row in work.rows().rows() {
        let rule = match row.rule() {
            Rule::Interval { loss } => Rule::Interval { loss: literal(loss) },
            Rule::NonNegative => Rule::NonNegative,
            _ => Rule::Free,
        };
        let [reference, regularizer] = [row.reference(), row.regularizer()].map(literal);
        rows.finished(row.kind(), rule, &vector(*row.jacobian()), reference, regularizer).unwrap();
    }
    let free: SVector<T, NV> = work.free_acceleration().map(literal);
    let saved: SVector<T, NV> = machine.state.warm_start.map(literal);
    let mut memory = Box::new(NewtonWorkspace::<T, NV, NR>::filled(T::zero()));
    let mut gap = |budget: &Budget<T>| -> f64 {
        newton(&mass, &free, &rows, Some(&saved), budget, &mut memory).unwrap().duality_gap.into()
    };
    let start = gap(&Budget { iterations: 0, ..*budget });
    gap(budget) / start
}

#[test]
fn newton_gets_beyond_a_stiff_row_that_begins_inside_its_line_search() {
    for (seed, step) in [(76, 20), (106, 4), (243, 5), (290, 3)] {
        let drawn = draw(seed);
        let description = drawn.scene.description();
        let mut machine = Machine::new(&description);
        drawn.start(&mut machine);
        for _ in 1..step {
            machine.step();
        }
        machine.forward(&super::machine::thorough());
        let double = left::<f64>(&machine, &Budget { line_search: 400, ..Budget::new(50, 0.0) });
        let usual = left::<f64>(&machine, &Budget::new(50, 1e-8));
        let single = left::<f32>(&machine, &Budget { line_search: 400, ..Budget::new(50, 0.0) });
        println!("scene {seed}, step {step}: {double:e} of the gap is left, {usual:e} at 1e-8, {single:e} in f32");
        // Single precision cannot tell z from 0 to R times a force here; it must not get worse than the start.
        assert!(double < 1e-9 && usual < 1e-9 && single <= 1.0);
    }
}
