//! Work from outside on soft bodies: of rigid ones whose motion is prescribed, and of pins that move.

use asperity_soft::contact::ContactStage;
use glamx::DVec3;

use super::{SoftBodies, SoftContacts};
use crate::body::Body;

impl SoftBodies {
    /// Work that rigid bodies with a prescribed motion did on soft ones in the last step, joules: of their surfaces,
    /// and of their corners and edges.
    pub(crate) fn work_of_prescribed(&self, bodies: &[Body]) -> f64 {
        let Some(stage) = &self.stage else { return 0.0 };
        let contacts = stage.contacts();
        let impulses = self.impulses(stage);
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

    /// Work that pins which move did in the last step, joules: of all that holds them, less what contacts gave them.
    pub(crate) fn work_of_pins(&self) -> f64 {
        let Some(stage) = &self.stage else { return 0.0 };
        let moving = self.list.iter().filter(|soft| soft.body.stopped().is_none());
        let mut work: f64 = moving.map(|soft| soft.body.work_at_pins()).sum();
        for (contact, impulse) in stage.contacts().list.iter().zip(self.impulses(stage)) {
            for (v, weight) in contact.parts() {
                let soft = self.list.iter().find(|soft| soft.range().contains(&v));
                if let Some(soft) = soft.filter(|soft| soft.body.pinned[v - soft.first]) {
                    work -= weight * impulse.dot(soft.body.velocities[v - soft.first]);
                }
            }
        }
        work
    }

    /// Impulse on B of each contact in the last step, world, N s.
    fn impulses<'a>(&'a self, stage: &'a ContactStage) -> &'a [DVec3] {
        match self.kind {
            SoftContacts::Solver => &self.solver.impulses,
            SoftContacts::Implicit
            | SoftContacts::Filter
            | SoftContacts::FilterAsPrinted
            | SoftContacts::Auto => stage.impulses(),
        }
    }
}
