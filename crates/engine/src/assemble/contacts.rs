//! Rows of contacts and of whole patches.

use std::ops::Range;

use asperity_friction::set::Kind;
use asperity_solve::{FrictionBlock, Lever, Row, RowAssembler, over_step};

use super::{Assembler, Motion};
use crate::contact::{Contact, PatchBlock};
use crate::island::PatchRows;

impl Assembler<'_> {
    /// All contacts of an island, and behind them its patches.
    pub(super) fn push_contacts(
        &self,
        contacts: &[usize],
        patches: &mut Vec<PatchRows>,
        rows: &mut RowAssembler,
    ) {
        patches.clear();
        for &k in contacts {
            let contact = &self.contacts[k];
            if let Some(block) = contact.patch
                && self.blocks[block].contacts.start == k
            {
                let (first, count) = (rows.rows(), self.blocks[block].contacts.len());
                patches.push(PatchRows { block, normals: first..first + count, first: 0 });
            }
            self.push_contact(contact, rows);
        }
        for patch in patches {
            patch.first = rows.rows();
            self.push_patch(&self.blocks[patch.block], patch.normals.clone(), rows);
        }
    }

    fn push_contact(&self, contact: &Contact, rows: &mut RowAssembler) {
        let first = rows.rows();
        self.push_contact_rows(contact, rows);
        let end = rows.rows();
        if contact.patch.is_none() && contact.law.set.dim() > 0 {
            let inside = contact.law.set.kind() == Kind::LocalSolve;
            let (own, normals) =
                if inside { (first..end, 0..0) } else { (first + 1..end, first..first + 1) };
            rows.push_block(FrictionBlock::new(own, normals, over_step(&contact.law, self.h)));
        }
    }

    /// Rows (normal, t, b), and torques about the normal, or about t and b, or about all three.
    fn push_contact_rows(&self, contact: &Contact, rows: &mut RowAssembler) {
        let (frame, at) = (&contact.frame, contact.centre());
        let sides = contact.bodies.map(|body| (&self.middle[body], at - self.middle[body].centre));
        let lever = |side: usize, weight: f64| {
            let (middle, arm) = sides[side];
            let block = self.dof_block[contact.bodies[side]];
            (middle.inverse_mass > 0.0).then_some(Lever { block, weight, arm })
        };
        let both = [lever(0, -1.0), lever(1, 1.0)];
        // Who is pushed; a slice, since all rows go over them.
        let levers = match &both {
            [Some(a), Some(b)] => &[*a, *b][..],
            [Some(one), None] | [None, Some(one)] => std::slice::from_ref(one),
            [None, None] => &[],
        };
        let [a, b] = sides.map(|(m, arm)| m.linear + m.angular.cross(arm));
        let spin = sides[1].0.angular - sides[0].0.angular;
        let count = contact.rows();
        let torques = match count {
            4 => [frame.normal; 3],
            6 => [frame.normal, frame.t, frame.b],
            _ => [frame.t, frame.b, frame.b],
        };
        let axes = [frame.normal, frame.t, frame.b, torques[0], torques[1], torques[2]];
        let velocities = [b - a, b - a, b - a, spin, spin, spin];
        let start = start_of(contact, count);
        let [along_t, along_b] = [frame.t, frame.b].map(|axis| axis.dot(contact.slip_target));
        let target = [contact.normal_target, along_t, along_b, 0.0, 0.0, 0.0];
        let left = sides[0].0.left.max(sides[1].0.left);
        let give = contact.wrench.as_ref().map(|w| w.compliance / (self.h * left));
        for k in 0..count {
            let axis = axes[k];
            let row = Row {
                q: axis.dot(velocities[k]) - target[k],
                start: start[k],
                compliance: if k == 0 { give.unwrap_or(0.0) } else { 0.0 },
            };
            if k < 3 {
                rows.push(levers.iter().map(|l| l.along(axis)), row);
            } else {
                rows.push(levers.iter().map(|l| l.about(axis)), row);
            }
        }
    }

    /// The rows (t, b, spin) of a patch.
    fn push_patch(&self, block: &PatchBlock, normals: Range<usize>, rows: &mut RowAssembler) {
        let first = rows.rows();
        let start = block.frame.to_plane(block.impulse).extend(block.spin_impulse).to_array();
        for ((direction, angular), start) in block.rows().zip(start) {
            let motion = Motion { direction, angular, points: [block.centre; 2] };
            let target = if angular { 0.0 } else { direction.dot(block.slip_target) };
            let row = Row { start, q: -target, ..Row::default() };
            self.push_row(rows, block.bodies.map(Some), motion, row);
        }
        let law = over_step(&block.law, self.h);
        rows.push_block(FrictionBlock::new(first..rows.rows(), normals, law));
    }

    /// How far a contact is open where bodies are, along its normal.
    pub(super) fn push_overlap(&self, contact: &Contact, rows: &mut RowAssembler) {
        let normal = contact.frame.normal;
        let points = contact.on_bodies(contact.bodies.map(|body| &self.middle[body].pose));
        let motion = Motion { direction: normal, angular: false, points };
        self.push_error(rows, contact.bodies.map(Some), motion, contact.gap + 0.5 * contact.slop);
        if let Some(wrench) = &contact.wrench {
            // Along the gradient of a volume bodies turn as well as move.
            for entry in rows.last_entries() {
                entry.angular += wrench.turn * entry.linear.dot(normal); // ±1, A or B
            }
        }
    }
}

/// What the rows of a contact begin with.
fn start_of(contact: &Contact, count: usize) -> [f64; 6] {
    let axes = [contact.frame.normal, contact.frame.t, contact.frame.b];
    let [n, t, b] = axes.map(|axis| contact.impulse.dot(axis));
    match &contact.wrench {
        Some(wrench) => {
            let [spin, roll_t, roll_b] = axes.map(|axis| wrench.torque_impulse.dot(axis));
            [n, t, b, spin, roll_t, roll_b]
        }
        None => [n.max(0.0), t, b, if count == 4 { contact.spin_impulse } else { 0.0 }, 0.0, 0.0],
    }
}
