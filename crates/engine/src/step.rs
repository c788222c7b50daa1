//! One step of the world, in order: find, sample, law, assemble, solve, remember, wear, move.

use std::time::Instant;

use crate::report::StepReport;
use crate::settings::Cones;
use crate::world::World;

impl World {
    /// Advances the world by one step.
    pub fn step(&mut self) -> &StepReport {
        if self.sleep_on() {
            return &self.report;
        }
        self.begin_step();
        self.choose_soft_way();
        let mut ledger = self.open_ledger();
        let before = self.poses_for_soft();
        let started = Instant::now();
        // Find manifolds and volumes half-way, or earlier where bodies would be within each other.
        let mut middle = self.find_awake();
        self.times.detect = started.elapsed();
        // Sample the surfaces, and law: contacts with friction.
        self.make_laws(&middle);
        self.begin_soft(&before, &middle);
        // Assemble and solve one contact problem per island; again where there are more contacts, or other laws.
        let (mut round, mut again) = (0, false);
        loop {
            self.group();
            self.times.assemble = started.elapsed().saturating_sub(self.times.detect);
            self.solve(&middle, again);
            let more = round < LOOKS_AHEAD && self.find_more_rigid(&middle, round);
            let refined = round < REFINEMENTS
                && (self.refine_laws(&middle) || (!more && self.follow_cones(&middle)));
            if !self.find_more_soft(&before, &middle) && !refined && !more {
                break;
            }
            let awoken = more && self.wake_and_start_over(&mut middle);
            (round, again) = if awoken { (0, false) } else { (round + 1, more && !refined) };
        }
        self.solve_to_end(&middle);
        self.remember(&mut middle);
        self.wear_surfaces(&middle);
        // Laws that went on changing with where the step ends.
        let unsettled = round >= REFINEMENTS && self.settings.cones == Cones::End;
        self.report.unconverged += usize::from(unsettled);
        self.stop_before_sinking(&mut middle);
        self.enter_work(&middle, &mut ledger);
        self.find_missed(&middle, round);
        // Move: the other half, and overlaps and joint errors removed; soft bodies after that.
        self.advance(&middle);
        self.look_at_doubtful();
        self.stabilise(&mut middle, &mut ledger);
        self.remove_overlaps_of_turns(&mut middle, &mut ledger);
        self.settle_joints(&mut middle, &mut ledger);
        self.move_soft(&before);
        self.end_step();
        self.audit(&ledger);
        self.fall_asleep();
        &self.report
    }
}

/// How often what bodies would run into at the end of the step is added to its contacts at most.
const LOOKS_AHEAD: usize = 4;

/// How often laws are made again in a step at most: each time speeds may grow by decades.
const REFINEMENTS: usize = 8;
