//! Three size classes, chosen at run time: the smallest that holds the model. Padding changes no bit of a result.

use crate::failure::Failure;
use crate::output::Forward;
use crate::record::Record;
use crate::run::{Kernel, Number, Problem, open};

/// Bodies, coordinates and dofs that the largest class holds.
pub const LARGEST: [usize; 3] = [256, 86, 64];

type Opened<'m> = Result<Box<dyn Kernel + 'm>, Failure>;

/// What a class holds, and how to open a kernel of that size.
struct Class<'m, T> {
    holds: [usize; 3],
    open: fn(&Problem<'m, T>) -> Opened<'m>,
}

/// Bodies, configuration numbers, dofs, contacts, rows.
fn classes<'m, T: Number>() -> [Class<'m, T>; 3] {
    [
        Class { holds: [32, 14, 8], open: open::<T, 32, 14, 8, 64, 512> },
        Class { holds: [96, 32, 24], open: open::<T, 96, 32, 24, 128, 768> },
        Class { holds: LARGEST, open: open::<T, 256, 86, 64, 256, 1536> },
    ]
}

/// A model that runs: when contacts or rows find no room, the state moves into a larger class.
pub struct Runner<'m, T> {
    problem: Problem<'m, T>,
    class: usize,
    kernel: Box<dyn Kernel + 'm>,
    steps: u64,
}

/// A runner of either precision.
pub trait Run {
    fn forward(&mut self) -> Result<Forward, Failure>;
    fn look(&mut self) -> Result<Record, Failure>;
    fn step(&mut self) -> Result<(), Failure>;
    fn configuration(&self) -> Vec<f64>;
    fn velocity(&self) -> Vec<f64>;
}

impl<'m, T: Number> Runner<'m, T> {
    /// At the start, in the smallest class that holds bodies, coordinates and dofs.
    pub fn new(problem: Problem<'m, T>) -> Result<Self, Failure> {
        let description = problem.description;
        let coordinates = description.joints.iter().map(|joint| joint.kind.coordinates()).sum();
        let dofs = description.joints.iter().map(|joint| joint.kind.dofs()).sum();
        let wanted = [description.bodies.len(), coordinates, dofs];
        for (index, class) in classes().into_iter().enumerate() {
            if wanted.iter().zip(class.holds).all(|(wanted, holds)| *wanted <= holds) {
                let kernel = (class.open)(&problem)?;
                return Ok(Self { problem, class: index, kernel, steps: 0 });
            }
        }
        Err(Failure::refused(format!(
            "the model has {} bodies and {dofs} degrees of freedom; this command holds {} and {}",
            wanted[0], LARGEST[0], LARGEST[2]
        )))
    }

    /// Does it, in a larger class if it has to be.
    fn attempt<R>(&mut self, task: impl Fn(&mut dyn Kernel) -> Result<R, Failure>) -> Result<R, Failure> {
        let mut answer = task(&mut *self.kernel);
        while answer.as_ref().is_err_and(|failure| failure.needs_room) {
            let Some(class) = classes().into_iter().nth(self.class + 1) else { break };
            let mut kernel = (class.open)(&self.problem)?;
            kernel.restore(&self.kernel.snapshot());
            (self.class, self.kernel) = (self.class + 1, kernel);
            answer = task(&mut *self.kernel);
        }
        answer
    }
}

impl<T: Number> Run for Runner<'_, T> {
    fn forward(&mut self) -> Result<Forward, Failure> {
        self.attempt(|kernel| kernel.forward())
    }

    fn look(&mut self) -> Result<Record, Failure> {
        let number = self.steps + 1;
        self.attempt(|kernel| kernel.look(number))
    }

    fn step(&mut self) -> Result<(), Failure> {
        let number = self.steps + 1;
        self.attempt(|kernel| kernel.step(number))?;
        self.steps = number;
        Ok(())
    }

    fn configuration(&self) -> Vec<f64> {
        self.kernel.configuration()
    }

    fn velocity(&self) -> Vec<f64> {
        self.kernel.velocity()
    }
}
