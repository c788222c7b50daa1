//! Sets cut down to two rows.

use super::{Polygon, Set};

impl Set {
    /// The forces (t, b) that the set allows without any torque: what is left of it at a contact
    /// that carries none, such as a vertex of a cloth. Sets of two rows are that already; of those
    /// with torques it is the cut at zero torque about the centre of pressure. `None` where there
    /// is no such cut: intervals, joints, and wrenches, which hold their own normal force.
    ///
    /// For limit surfaces the cut is the planar section: without spin all parts of a patch slip
    /// alike, so that their forces have no torque about the centre of pressure, and no force of the
    /// set reaches further, H(v, 0) being the section's own support.
    pub fn without_torque(&self) -> Option<Set> {
        match self {
            Set::Free(2)
            | Set::Disk(_)
            | Set::Ellipse(_)
            | Set::Box(_)
            | Set::Polygon(_)
            | Set::Tensor(_) => Some(self.clone()),
            Set::Ellipsoid(s) => Some(s.section().into()),
            Set::DiskDisk(s) => Some(s.slide().into()),
            Set::LimitSurface(s) => Some(s.section().into()),
            // The corners of a polygon are one.
            Set::LimitPolytope(s) => Polygon::from_points(s.corners()).ok().map(Set::from),
            Set::Free(_) | Set::Interval(_) | Set::Wrench(_) => None,
        }
    }
}
