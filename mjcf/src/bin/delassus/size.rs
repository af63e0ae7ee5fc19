//! Three size classes, chosen at run time: the smallest that holds the model. Padding changes no bit of a result.

use delassus_mjcf::{Lists, SolverOptions};

use crate::failure::Failure;
use crate::input::Start;
use crate::output::Answer;
use crate::run::{Number, Task, run as run_sized};

type Runner<T> = fn(&Lists<T>, &SolverOptions, &Start, &Task) -> Result<Answer, Failure>;

/// What a class holds, and the kernel of that size.
struct Class<T> {
    bodies: usize,
    coordinates: usize,
    dofs: usize,
    run: Runner<T>,
}

/// Runs the task in the smallest class that has room.
pub fn run<T: Number>(
    lists: &Lists<T>,
    options: &SolverOptions,
    start: &Start,
    task: &Task,
) -> Result<Answer, Failure> {
    // Bodies, configuration numbers, dofs, contacts, rows.
    let classes: [Class<T>; 3] = [
        Class { bodies: 32, coordinates: 14, dofs: 8, run: run_sized::<T, 32, 14, 8, 64, 512> },
        Class { bodies: 96, coordinates: 32, dofs: 24, run: run_sized::<T, 96, 32, 24, 128, 768> },
        Class { bodies: 256, coordinates: 86, dofs: 64, run: run_sized::<T, 256, 86, 64, 256, 1536> },
    ];
    let (bodies, coordinates, dofs) = (lists.bodies.len(), lists.coordinates(), lists.dofs());
    let mut failure = Failure::refused(format!(
        "the model has {bodies} bodies and {dofs} degrees of freedom; this command holds {} and {}",
        classes[2].bodies, classes[2].dofs
    ));
    for class in classes {
        if bodies <= class.bodies && coordinates <= class.coordinates && dofs <= class.dofs {
            match (class.run)(lists, options, start, task) {
                Err(lack) if lack.needs_room => failure = lack,
                other => return other,
            }
        }
    }
    Err(failure)
}
