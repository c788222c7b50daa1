//! Ellipses: two coefficients along turned axes.

use glamx::DVec2;

use super::Rotation;
use super::secular::project_ellipsoid;
use crate::FrictionError;
use crate::error::non_negative;

/// Two coefficients along turned axes: (f₁/μ₁)² + (f₂/μ₂)² ≤ load².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipse {
    mu: DVec2,
    rotation: Rotation,
}

impl Ellipse {
    /// Coefficients along the first and second axis; zero is allowed and leaves a segment.
    pub fn new(
        mu_first: f64,
        mu_second: f64,
        rotation: Rotation,
    ) -> Result<Ellipse, FrictionError> {
        let first = non_negative("coefficient along the first axis", mu_first)?;
        let second = non_negative("coefficient along the second axis", mu_second)?;
        Ok(Ellipse { mu: DVec2::new(first, second), rotation })
    }

    /// The two coefficients.
    pub fn mu(&self) -> DVec2 {
        self.mu
    }

    /// Where the first axis points.
    pub fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// Nearest admissible force.
    pub fn project(&self, force: DVec2, load: f64) -> DVec2 {
        let local = self.rotation.to_axes(force);
        let nearest = project_ellipsoid(local.to_array(), (self.mu * load).to_array());
        if nearest == local.to_array() { force } else { self.rotation.to_frame(nearest.into()) }
    }

    /// Largest force · direction.
    pub fn support(&self, direction: DVec2, load: f64) -> f64 {
        (self.rotation.to_axes(direction) * self.mu).length() * load
    }

    /// Force of maximum dissipation, −load · D D v / ‖D v‖ with D = diag(μ₁, μ₂).
    pub fn traction(&self, slip: DVec2, load: f64) -> DVec2 {
        let unit = (self.rotation.to_axes(slip.normalize_or_zero()) * self.mu).normalize_or_zero();
        self.rotation.to_frame(unit * self.mu * -load)
    }
}
