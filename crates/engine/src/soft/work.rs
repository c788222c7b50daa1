//! Work from outside on soft bodies: of rigid ones whose motion is prescribed, and of pins that move.

use glamx::DVec3;

use super::{SoftBodies, SoftContacts};
use crate::body::Body;
use crate::report::Energy;

impl SoftBodies {
    /// Work that rigid bodies with a prescribed motion did on soft ones in the last step, joules: of their surfaces,
    /// and of their corners and edges.
    pub(crate) fn work_of_prescribed(&self, bodies: &[Body]) -> f64 {
        let Some(stage) = &self.stage else { return 0.0 };
        let contacts = stage.contacts();
        let impulses = match self.kind {
            SoftContacts::Solver => &self.solver.impulses,
            SoftContacts::Implicit
            | SoftContacts::Filter
            | SoftContacts::FilterAsPrinted
            | SoftContacts::Auto => stage.impulses(),
        };
        let soft: usize = self.list.iter().map(|s| s.body.positions.len()).sum();
        let corners: Vec<usize> = self.features.bodies().collect();
        let prescribed = |k: usize| !bodies[k].is_pushed();
        let mut work = 0.0;
        for (contact, impulse) in contacts.list.iter().zip(impulses) {
            if let Some(surface) = contacts.surfaces.get(contact.surface as usize)
                && self
                    .obstacle_bodies
                    .get(surface.obstacle as usize)
                    .is_some_and(|k| prescribed(*k))
            {
                work += impulse.dot(surface.velocity);
            }
            for (vertex, weight) in contact.parts() {
                let corner = vertex.checked_sub(soft).and_then(|k| corners.get(k));
                if corner.is_some_and(|k| prescribed(*k)) {
                    work -= weight * impulse.dot(self.begin[vertex]);
                }
            }
        }
        work
    }

    /// What bodies with pins that move gained in a step, joules: what of it the pins did is not known.
    pub(crate) fn work_of_pins(&self, before: &[Energy], now: &[Energy]) -> f64 {
        let gained = self.list.iter().zip(before.iter().zip(now)).map(|(soft, (before, now))| {
            let body = &soft.body;
            let mut pins = body.velocities.iter().zip(&body.pinned);
            let moves = pins.any(|(v, pinned)| *pinned && *v != DVec3::ZERO);
            if moves { (now.total() - before.total()).max(0.0) } else { 0.0 }
        });
        gained.sum()
    }
}
