//! Where bodies would go without friction: a pre-solve for sections that ask for it (Andrews 2021,
//! section 5.5, automatic alignment).

use asperity_friction::ContactFrame;
use asperity_friction::set::Set;
use asperity_solve::SolveOptions;
use glamx::DVec3;
use rayon::prelude::*;

use crate::assemble::{Parts, changes};
use crate::contact::{Contact, ContactKey};
use crate::dynamics::rigid::Middle;
use crate::laws::{normal_target, velocity_of};
use crate::world::World;

/// Directions of slip need no more.
const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-6, max_iterations: 200, time_limit: None };

impl World {
    /// The bodies with their velocities at the end of the step if there were no friction; `None`
    /// where no section asks.
    pub(crate) fn without_friction(&mut self, middle: &[Middle]) -> Option<Vec<Middle>> {
        if !self.pairing.pairs().any(|pair| pair.section.needs_free_slip()) {
            return None;
        }
        self.contacts.clear();
        for manifold in self.collision.manifolds() {
            let [a, b] = manifold.bodies;
            let frame = ContactFrame::from_normal(manifold.normal);
            let bodies = [&self.bodies[a], &self.bodies[b]];
            let restitution = bodies[0].desc.restitution.max(bodies[1].desc.restitution);
            for point in &manifold.points {
                let at = 0.5 * (point.on_a + point.on_b);
                let approach =
                    velocity_of(bodies[1], &middle[b], at) - velocity_of(bodies[0], &middle[a], at);
                let speed = approach.dot(frame.normal);
                self.contacts.push(Contact {
                    bodies: manifold.bodies,
                    point: at,
                    frame,
                    gap: point.gap,
                    impulse: DVec3::ZERO,
                    spin_impulse: 0.0,
                    load: 0.0,
                    slip: DVec3::ZERO,
                    set: Set::Free(0),
                    patch: None,
                    key: ContactKey {
                        bodies: manifold.bodies,
                        parts: manifold.parts,
                        id: point.id,
                    },
                    normal_target: normal_target(&self.settings, point.gap, speed, restitution),
                    next: (DVec3::ZERO, 0.0),
                    wrench: None,
                });
            }
        }
        // A wrench keeps its friction: without, its bodies would only fall.
        self.find_wrenches(middle);
        self.group();
        let mut free = middle.to_vec();
        let World { islands, contacts, blocks, joints, drives, joint_impulses, settings, .. } =
            self;
        let parts = Parts {
            middle,
            block: &islands.block,
            contacts,
            blocks,
            joints,
            drives,
            joint_impulses,
            time: self.steps as f64 * settings.dt,
            h: settings.dt,
        };
        islands.pool[..islands.count].par_iter_mut().for_each(|island| {
            parts.velocity_problem(island);
            island.prox.solve(&island.problem, &mut island.r, &OPTIONS);
            changes(island);
        });
        for island in &islands.pool[..islands.count] {
            for (&k, (linear, angular)) in island.bodies.iter().zip(&island.change) {
                free[k].linear += *linear;
                free[k].angular += *angular;
            }
        }
        Some(free)
    }
}
