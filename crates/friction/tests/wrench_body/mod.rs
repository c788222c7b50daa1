//! Bodies that stand on patches, for tests of wrenches.
#![allow(dead_code)]

use asperity_friction::extent::{Block, Screw};
use glamx::{DMat3, DVec3};

/// A body on fixed ground: mass, inertia about its centre of mass, and where that is, seen from the
/// middle of the patch, in (n, t, b).
pub(crate) struct Body {
    pub(crate) mass: f64,
    pub(crate) inertia: DVec3,
    pub(crate) centre: DVec3,
}

impl Body {
    /// A box of these half widths.
    pub(crate) fn of_box(mass: f64, half: DVec3, centre: DVec3) -> Body {
        let square = half * half;
        let inertia = DVec3::new(square.y + square.z, square.x + square.z, square.x + square.y);
        Body { mass, inertia: inertia * (mass / 3.0), centre }
    }

    /// W of the six rows, row by row.
    pub(crate) fn block(&self) -> [f64; 36] {
        let inverse = DMat3::from_diagonal(1.0 / self.inertia);
        let mut w = [0.0; 36];
        for j in 0..6 {
            let mut rows = [0.0; 6];
            rows[j] = 1.0;
            let wrench = Screw::from_rows(&rows);
            let torque = wrench.angular + (-self.centre).cross(wrench.linear);
            let spin = inverse * torque;
            let twist = self.at_patch(wrench.linear / self.mass, spin);
            twist.write(&mut rows);
            for i in 0..6 {
                w[6 * i + j] = rows[i];
            }
        }
        w
    }

    /// The twist at the patch of a body with this velocity and spin.
    pub(crate) fn at_patch(&self, velocity: DVec3, spin: DVec3) -> Screw {
        Screw { linear: velocity + spin.cross(-self.centre), angular: spin }
    }

    pub(crate) fn free(&self, velocity: DVec3, spin: DVec3) -> [f64; 6] {
        let mut rows = [0.0; 6];
        self.at_patch(velocity, spin).write(&mut rows);
        rows
    }
}

/// The twist once a wrench acts.
pub(crate) fn after(w: &[f64; 36], free: &[f64; 6], r: &[f64; 6]) -> Screw {
    let caused = Block::from_rows(w).apply(&Screw::from_rows(r));
    let free = Screw::from_rows(free);
    Screw { linear: caused.linear + free.linear, angular: caused.angular + free.angular }
}
