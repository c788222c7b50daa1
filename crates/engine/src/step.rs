//! One step of the world, in order: find, sample, law, assemble, solve, remember, move.

use std::time::Instant;

use crate::report::StepReport;
use crate::world::World;

impl World {
    /// Advances the world by one step.
    pub fn step(&mut self) -> &StepReport {
        self.begin_step();
        let mut ledger = self.open_ledger();
        let before = self.poses_for_soft();
        // Half-way with the old velocities; what velocities would be without contacts.
        let mut middle = self.half_way();
        let started = Instant::now();
        // Find manifolds and volumes there, or earlier where bodies would be within each other.
        self.find_touching(&mut middle);
        self.times.detect = started.elapsed();
        // Sample the surfaces, and law: contacts with friction.
        self.make_laws(&middle);
        self.begin_soft(&before, &middle);
        // Assemble and solve one contact problem per island; again where soft bodies are led to more
        // contacts than were found, or laws to be made about what was.
        let mut round = 0;
        loop {
            self.group();
            self.times.assemble = started.elapsed().saturating_sub(self.times.detect);
            self.solve(&middle);
            let refined = round < REFINEMENTS && self.refine_laws(&middle);
            let more = round < LOOKS_AHEAD && self.find_more_rigid(&middle);
            if !self.find_more_soft(&before, &middle) && !refined && !more {
                break;
            }
            round += 1;
        }
        self.remember(&mut middle);
        self.enter_work(&middle, &mut ledger);
        if round >= LOOKS_AHEAD {
            self.find_missed(&middle);
        }
        // Move: the other half, and overlaps and joint errors removed; soft bodies after that.
        self.advance(&middle);
        self.stabilise(&mut middle);
        self.move_soft(&before);
        self.end_step();
        self.audit(ledger);
        &self.report
    }
}

/// How often what bodies would run into at the end of the step is added to its contacts at most.
const LOOKS_AHEAD: usize = 4;

/// How often laws are made again in a step at most: each time speeds may grow by decades.
const REFINEMENTS: usize = 8;
