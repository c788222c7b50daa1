//! Bodies between something that is moved from outside and what does not give way.
//!
//! No impulses stop both: they grow until rounding decides where the body goes, with a residual that is small beside
//! them. Where they are immense, contacts with what is moved from outside give, by as much as keeps impulses in
//! proportion to the momentum that there is: bodies are overlapped, which the run tells, and not shot away.

use glamx::DVec3;

use super::Island;
use crate::assemble::Assembler;

impl Assembler<'_> {
    /// Lets contacts of an island give with what is moved from outside, where impulses are immense; whether they are.
    pub(super) fn soften(&self, island: &mut Island) -> bool {
        let mut row = island.first_contact_row();
        let (mut moved, mut immense, mut fastest) = (Vec::new(), 0.0_f64, 0.0_f64);
        for &k in &island.contacts {
            let contact = &self.contacts()[k];
            let mut pushes = false;
            for body in contact.bodies {
                let m = self.midpoint(body);
                let speed = m.velocity(contact.point);
                fastest = fastest.max(speed.length());
                pushes |= m.inverse_mass == 0.0 && speed != DVec3::ZERO;
            }
            if pushes && contact.wrench.is_none() {
                moved.push(row);
            }
            immense = immense.max(island.r[row].abs());
            row += contact.rows();
        }
        let mass = |body: &usize| 1.0 / self.midpoint(*body).inverse_mass;
        let mass: f64 = island.bodies.iter().map(mass).sum();
        if moved.is_empty() || !(immense > IMMENSE * mass * fastest) {
            return false;
        }
        for row in moved {
            island.problem.compliance[row] = 1.0 / (FIRM * mass);
        }
        island.r.fill(0.0);
        island.keep.fill(0.0);
        true
    }
}

/// Impulses, of the momentum that all bodies of an island would have with the largest speed in it, that come from
/// contacts that contradict each other.
const IMMENSE: f64 = 1e4;

/// What contacts give then: at the largest speed, as many times that momentum.
const FIRM: f64 = 1e2;
