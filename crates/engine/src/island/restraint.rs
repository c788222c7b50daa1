//! Impulses that stopped short of the tolerance must not set bodies in motion: contacts and joints take energy
//! from bodies, or leave it to them, however roughly they are solved for.

use glamx::DVec3;

use super::Island;
use crate::assemble::{Assembler, changes, momenta};
use crate::dynamics::midpoint::Midpoint;
use crate::joint::JointKind;
use crate::profile::Profile;

impl Island {
    /// Takes back as much of the impulses as they would add to the energy of the bodies.
    ///
    /// Over a step in which forces alone would change velocities by d, and contacts are found after a part τ of
    /// it, at velocities v = v₀ + τ d, impulses p change the energy by p·v + p·M⁻¹p/2 − (1/2 − τ) d·M d. The
    /// last is what finding them early costs; it is zero half-way. Impulses s p with the largest s ≤ 1 for
    /// which that is not above zero are kept. Work of bodies that are moved from outside is theirs; motors and
    /// springs may do any.
    pub(super) fn restrain(&mut self, assembler: &Assembler) {
        if self.r.is_empty() || !self.softs.is_empty() || self.residual <= EXACT {
            return;
        }
        if !self.springs.is_empty() || assembler.any_driven(&self.joints) {
            return;
        }
        let (mut along, mut square, mut early) = (-assembler.work_from_outside(self), 0.0, 0.0);
        let Island { problem, r, correction, change, .. } = self;
        momenta(problem, r.iter().copied(), correction);
        for ((body, p), change) in self.bodies.iter().zip(&*correction).zip(&*change) {
            let m = assembler.midpoint(*body);
            let part = m.gone / (m.gone + m.left);
            let by_forces = m.linear - m.begin_linear;
            let velocity = m.begin_linear + part * by_forces;
            let spin = m.begin_angular + part * (m.angular - m.begin_angular);
            early += (0.5 - part) * by_forces.length_squared() / m.inverse_mass;
            along += p.0.dot(velocity) + p.1.dot(spin);
            square += p.0.dot(change.0) + p.1.dot(change.1);
        }
        if !(along + 0.5 * square > early) {
            return;
        }
        let root = (along * along + 2.0 * square * early.max(0.0)).sqrt();
        let scale = ((root - along) / square).clamp(0.0, 1.0);
        self.r.iter_mut().for_each(|r| *r *= scale);
        changes(self);
    }
}

impl Assembler<'_> {
    /// Whether a motor, a length that changes or a body moved from outside acts through any of these joints.
    fn any_driven(&self, joints: &[usize]) -> bool {
        joints.iter().map(|k| self.joint(*k)).any(|joint| {
            let held = [joint.a, Some(joint.b)].into_iter().flatten();
            let moved = |m: &Midpoint| m.inverse_mass == 0.0 && m.velocity(m.centre) != DVec3::ZERO;
            let changes =
                matches!(&joint.kind, JointKind::Distance(p) if !matches!(p, Profile::Constant(_)));
            joint.motor.is_some() || changes || held.map(|b| self.midpoint(b.0)).any(moved)
        })
    }

    /// Work that bodies moved from outside do on those of an island, joules.
    fn work_from_outside(&self, island: &Island) -> f64 {
        let mut row = island.first_contact_row();
        let mut work = 0.0;
        for &k in &island.contacts {
            let contact = &self.contacts()[k];
            let rows = row..row + contact.rows();
            row = rows.end;
            let [a, b] = contact.bodies.map(|body| {
                let m = self.midpoint(body);
                if m.inverse_mass > 0.0 { DVec3::ZERO } else { m.velocity(contact.point) }
            });
            if a != DVec3::ZERO || b != DVec3::ZERO {
                work += contact.start(&island.r[rows]).0.dot(a - b);
            }
        }
        for at in &island.patches {
            let block = self.block(at.block);
            let [a, b] = block.bodies.map(|body| {
                let m = self.midpoint(body);
                if m.inverse_mass > 0.0 { DVec3::ZERO } else { m.velocity(block.centre) }
            });
            work += block.frame.to_world(block.wrench(at, &island.r).truncate()).dot(a - b);
        }
        work
    }
}

/// Residuals up to which impulses do no work to speak of.
const EXACT: f64 = 1e-9;
