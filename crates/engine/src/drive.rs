//! Forces, impulses and springs from outside.

use glamx::DVec3;

use crate::body::BodyId;
use crate::profile::Profile;

/// Something that acts on a body from outside.
#[derive(Debug, Clone)]
pub enum Drive {
    /// A force and a torque, world axes, from one time until another. In a step of which that is a part, a part of
    /// them acts.
    Force {
        /// On which body.
        body: BodyId,
        /// Newtons, at `point`.
        force: DVec3,
        /// Newton metres.
        torque: DVec3,
        /// Factor on both.
        scale: Profile,
        /// Where the force acts, body axes.
        point: DVec3,
        /// Seconds.
        from: f64,
        /// Seconds.
        until: f64,
    },
    /// An impulse (N s, world axes) in the step in which `time` falls.
    Impulse {
        /// On which body.
        body: BodyId,
        /// Newton seconds.
        impulse: DVec3,
        /// Where it acts, body axes.
        point: DVec3,
        /// Seconds.
        time: f64,
    },
    /// A damped spring from a point of the body to a place that moves: (time, position) sorted.
    /// Integrated implicitly, so that any stiffness is stable.
    Spring {
        /// On which body.
        body: BodyId,
        /// Body axes.
        point: DVec3,
        /// Seconds and metres; straight lines between, constant outside.
        target: Vec<(f64, DVec3)>,
        /// N/m.
        stiffness: f64,
        /// N s/m.
        damping: f64,
        /// Newtons at most.
        max_force: f64,
    },
}

impl Drive {
    /// Body and point (body axes) of a spring.
    pub(crate) fn spring(&self) -> Option<(usize, DVec3)> {
        match self {
            Drive::Spring { body, point, .. } => Some((body.0, *point)),
            _ => None,
        }
    }
}

/// Where a moving target is.
pub(crate) fn target_at(target: &[(f64, DVec3)], time: f64) -> DVec3 {
    let after = target.partition_point(|row| row.0 <= time);
    match (after.checked_sub(1).map(|i| target[i]), target.get(after)) {
        (Some(a), Some(b)) => a.1 + (b.1 - a.1) * ((time - a.0) / (b.0 - a.0)),
        (Some(a), None) => a.1,
        (None, Some(b)) => b.1,
        (None, None) => DVec3::ZERO,
    }
}
