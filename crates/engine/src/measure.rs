//! What benchmarks ask of a world: how long the parts of a step took, and the contact problems of the
//! next.

use std::time::Duration;

use asperity_solve::ContactProblem;

use crate::world::World;

/// How long the parts of steps took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// Which bodies touch, and where.
    pub detect: Duration,
    /// Friction laws, and rows from contacts.
    pub assemble: Duration,
    /// Solving the contact problems, all islands one after the other.
    pub solve: Duration,
}

impl World {
    /// How long the parts of the last step took.
    pub fn times(&self) -> StepTimes {
        self.times
    }

    /// The contact problems that the next step would solve, one for each island; each with the
    /// impulses that it would begin with.
    pub fn next_problems(&mut self) -> Vec<(ContactProblem, Vec<f64>)> {
        let kept = (self.contacts.clone(), self.blocks.clone(), self.report.clone());
        let forces: Vec<_> = self.bodies.iter().map(|b| (b.force, b.torque)).collect();
        self.apply_drives();
        let mut middle = self.half_way();
        self.find_touching(&mut middle);
        self.make_laws(&middle);
        self.group();
        let (islands, assembler) = self.assembler(&middle);
        let problems = islands.iter_mut().map(|island| {
            assembler.velocity_problem(island);
            (island.problem.clone(), island.r.clone())
        });
        let problems = problems.collect();
        (self.contacts, self.blocks, self.report) = kept;
        for (body, force) in self.bodies.iter_mut().zip(forces) {
            (body.force, body.torque) = force;
        }
        problems
    }
}
