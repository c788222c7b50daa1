//! Ellipsoids: a planar ellipse with a drilling coefficient.

use glamx::{DVec2, DVec3};

use super::secular::project_ellipsoid;
use super::{Ellipse, Rotation};
use crate::FrictionError;
use crate::error::non_negative;

/// (t, b, spin): an [`Ellipse`] with a drilling torque as third axis (Erleben 2020, section 4.4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    section: Ellipse,
    drilling: f64,
}

impl Ellipsoid {
    /// `drilling` is the largest torque about the normal per unit load, a length in metres.
    pub fn new(section: Ellipse, drilling: f64) -> Result<Ellipsoid, FrictionError> {
        Ok(Ellipsoid { section, drilling: non_negative("drilling coefficient", drilling)? })
    }

    /// The planar section.
    pub fn section(&self) -> Ellipse {
        self.section
    }

    /// Torque per unit load, metres.
    pub fn drilling(&self) -> f64 {
        self.drilling
    }

    fn rotation(&self) -> Rotation {
        self.section.rotation()
    }

    fn axes(&self) -> DVec3 {
        self.section.mu().extend(self.drilling)
    }

    fn to_axes(self, v: DVec3) -> DVec3 {
        self.rotation().to_axes(DVec2::new(v.x, v.y)).extend(v.z)
    }

    fn to_frame(self, v: DVec3) -> DVec3 {
        self.rotation().to_frame(DVec2::new(v.x, v.y)).extend(v.z)
    }

    /// Nearest admissible (force, force, torque).
    pub fn project(&self, force: DVec3, load: f64) -> DVec3 {
        let local = self.to_axes(force);
        let nearest = project_ellipsoid(local.to_array(), (self.axes() * load).to_array());
        if nearest == local.to_array() { force } else { self.to_frame(nearest.into()) }
    }

    /// Largest force · direction.
    pub fn support(&self, direction: DVec3, load: f64) -> f64 {
        (self.to_axes(direction) * self.axes()).length() * load
    }

    /// Force and torque of maximum dissipation.
    pub fn traction(&self, slip: DVec3, load: f64) -> DVec3 {
        let unit = (self.to_axes(slip.normalize_or_zero()) * self.axes()).normalize_or_zero();
        self.to_frame(unit * self.axes() * -load)
    }
}
