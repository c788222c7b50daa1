//! What benchmarks ask of a world: how long the parts of a step took, and the contact problems of the
//! next and of the last.

use std::time::Duration;

use asperity_solve::ContactProblem;

use crate::world::World;

/// A contact problem and impulses of its rows, N s.
pub type Solved = (ContactProblem, Vec<f64>);

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
    pub fn next_problems(&mut self) -> Vec<Solved> {
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

    /// Whether steps keep the problems that they solve, for [`World::solved_problems`]; a copy of each.
    pub fn keep_problems(&mut self, keep: bool) {
        self.solved = keep.then(Vec::new);
    }

    /// The contact problems that the last step solved, one for each island, with the impulses that it gave
    /// bodies; none unless it was told to keep them.
    pub fn solved_problems(&self) -> &[Solved] {
        self.solved.as_deref().unwrap_or_default()
    }

    /// Keeps what the islands hold before other problems take its place.
    pub(crate) fn keep_solved(&mut self) {
        if let Some(solved) = &mut self.solved {
            solved.clear();
            solved.extend(self.islands.list().iter().map(|i| (i.problem.clone(), i.r.clone())));
        }
    }
}
