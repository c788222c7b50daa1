//! In-plane orientation of a set.

use glamx::{DMat2, DVec2};

/// In-plane orientation of a set: the angle from the contact frame's t axis to the set's first
/// axis. Orientation belongs to the set, so the contact frame never has to turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotation {
    axis: DVec2,
}

impl Rotation {
    /// Axes that coincide with the contact frame's.
    pub const IDENTITY: Rotation = Rotation { axis: DVec2::X };

    /// Turned by `angle` radians about the normal. A non-finite angle is the identity.
    pub fn from_angle(angle: f64) -> Rotation {
        if angle.is_finite() {
            Rotation { axis: DVec2::from_angle(angle) }
        } else {
            Rotation::IDENTITY
        }
    }

    /// First axis along `direction` (need not be a unit vector); `None` when it has no direction.
    pub fn from_direction(direction: DVec2) -> Option<Rotation> {
        direction.try_normalize().map(|axis| Rotation { axis })
    }

    /// The set's first axis in the contact frame, a unit vector.
    pub fn axis(self) -> DVec2 {
        self.axis
    }

    /// Angle in radians, in (−π, π].
    pub fn angle(self) -> f64 {
        self.axis.to_angle()
    }

    /// From the set's axes to the contact frame.
    #[inline]
    pub fn to_frame(self, v: DVec2) -> DVec2 {
        self.axis.rotate(v)
    }

    /// From the contact frame to the set's axes.
    #[inline]
    pub fn to_axes(self, v: DVec2) -> DVec2 {
        DVec2::new(self.axis.dot(v), self.axis.perp_dot(v))
    }

    /// R Q Rᵀ: a tensor given in the set's axes, seen in the contact frame.
    pub fn turn_tensor(self, q: DMat2) -> DMat2 {
        let r = DMat2::from_cols(self.axis, self.axis.perp());
        r * q * r.transpose()
    }
}
