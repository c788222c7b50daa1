//! Steps of soft bodies that are linearised again, where contacts are solved for together.
//!
//! A step is linear about where it begins: a flat sheet that is caught at a vertex has no stiffness across its
//! plane there, and is drawn out. The energy it then has came from nowhere, which tells.

use glamx::DVec3;

use super::{SoftBodies, SoftContacts};

impl SoftBodies {
    /// Linearises the steps of `h` seconds anew, about the ends that were found, of bodies that gained more energy
    /// than contacts did work on them. Whether there are any: then all is to be solved again.
    pub(super) fn linearise_again(&mut self, h: f64, gravity: DVec3) -> bool {
        debug_assert_eq!(self.kind, SoftContacts::Solver);
        if self.solver.linearisations >= LINEARISATIONS {
            return false;
        }
        if self.solver.linearisations == 0 {
            self.list.iter_mut().for_each(|soft| soft.about.clear());
        }
        self.solver.linearisations += 1;
        let mut again = false;
        for soft in &mut self.list {
            if soft.body.rise_of_response(h, gravity) > 0.0 {
                soft.body.continue_response(h, gravity, &mut soft.about);
                let range = soft.first..soft.first + soft.body.positions.len();
                self.solver.free[range].copy_from_slice(&soft.body.velocities);
                again = true;
            }
        }
        again
    }
}

/// Linearisations of a step after the first at most.
const LINEARISATIONS: usize = 8;
