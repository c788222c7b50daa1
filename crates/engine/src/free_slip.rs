//! Where bodies would go without friction: a pre-solve for sections that ask for it (Andrews 2021,
//! section 5.5, automatic alignment).

use asperity_friction::set::Set;
use asperity_solve::{SolveOptions, Solver as _};
use rayon::prelude::*;

use crate::assemble::changes;
use crate::dynamics::midpoint::Midpoint;
use crate::site::{Halfway, Place};
use crate::world::World;

/// Directions of slip need no more.
const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-6, max_iterations: 200, time_limit: None };

impl World {
    /// The bodies with their velocities at the end of the step if there were no friction; `None`
    /// where no section asks.
    pub(crate) fn without_friction(&mut self, middle: &[Midpoint]) -> Option<Vec<Midpoint>> {
        if !self.pairing.pairs().any(|pair| pair.section.needs().free_slip) {
            return None;
        }
        let halfway = Halfway { middle, free: middle, found: None };
        self.sample_sites(|world, visit| world.each_volume_site(halfway, visit));
        let mut lists = self.take_lists();
        self.each_point_site(halfway, 0, &mut |site| {
            if let Place::Point(point) = &site.place {
                lists.contacts.push(point.contact(&site.state, Set::Free(0).into(), None));
            }
        });
        // A wrench keeps its friction: without, its bodies would only fall.
        let mut samples = self.samples.of_sites();
        self.each_volume_site(halfway, &mut |site| {
            let sample = site.pair.section.sampled().and_then(|_| samples.next());
            self.add_site(site, sample, halfway, &mut lists);
        });
        drop(samples);
        (self.contacts, self.blocks) = (lists.contacts, lists.blocks);
        self.group();
        let (islands, assembler) = self.assembler(middle);
        islands.par_iter_mut().for_each(|island| {
            assembler.velocity_problem(island);
            island.sweeps.solve(&island.problem, &mut island.r, &OPTIONS);
            changes(island);
        });
        let mut free = middle.to_vec();
        self.islands.add_changes(&mut free);
        Some(free)
    }
}
