//! The limit surface of a patch whose planar section is a polygon.

mod nearest;

use std::sync::Arc;

use glamx::{DVec2, DVec3};

use super::Polygon;
use crate::FrictionError;
use crate::error::{non_negative, positive};

/// (t, b, spin): the Minkowski sum of what the points of a patch can carry, each a polygon.
///
/// The support function is H(v, ω) = Σ share · h(v + ω × ρ) with the polygon's h. A sum of support
/// functions is one, so the set is convex by construction, whatever the polygon: also where friction
/// differs between opposite directions. It has flat faces and corners: where all points of the patch
/// slip towards the same corner of the section, the wrench does not change.
///
/// A clone shares everything; it costs no allocation.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitPolytope {
    points: Arc<[Place]>,
    corners: Arc<[DVec2]>,
    /// Torques are in units of this, metres (one: newton metres).
    unit: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    /// ρ⊥: velocity of the point under a unit of spin, metres.
    lever: DVec2,
    share: f64,
}

impl LimitPolytope {
    /// From points: places from the centre of pressure, metres, and shares of the load, which are
    /// made to add up to one.
    pub fn new(section: &Polygon, points: &[(DVec2, f64)]) -> Result<LimitPolytope, FrictionError> {
        let mut total = 0.0;
        for (i, (at, share)) in points.iter().enumerate() {
            total += non_negative(&format!("share of point {i}"), *share)?;
            if !at.is_finite() {
                return Err(FrictionError::Shape(format!("place of point {i} is not finite")));
            }
        }
        positive("load of all points", total)?;
        let place = |(at, share): &(DVec2, f64)| Place { lever: at.perp(), share: share / total };
        let points = points.iter().map(place).collect();
        Ok(LimitPolytope { points, corners: section.corners().into(), unit: 1.0 })
    }

    /// The same patch with another planar section.
    #[must_use]
    pub fn with_section(&self, section: &Polygon) -> LimitPolytope {
        LimitPolytope { corners: section.corners().into(), ..self.clone() }
    }

    /// Corners of the planar section per unit load, counter-clockwise.
    pub fn corners(&self) -> &[DVec2] {
        &self.corners
    }

    /// Places from the centre of pressure, and shares.
    pub fn points(&self) -> impl Iterator<Item = (DVec2, f64)> + '_ {
        self.points.iter().map(|p| (-p.lever.perp(), p.share))
    }

    /// Largest force of the section per unit load.
    pub fn largest(&self) -> f64 {
        self.corners.iter().fold(0.0, |m: f64, c| m.max(c.length()))
    }

    /// Largest torque per unit load of either sense, metres (in units of
    /// [`LimitPolytope::torque_unit`]).
    pub fn drilling(&self) -> f64 {
        self.support(DVec3::Z, 1.0).max(self.support(-DVec3::Z, 1.0))
    }

    /// Unit of torques, metres.
    pub fn torque_unit(&self) -> f64 {
        self.unit
    }

    /// The same set with torques in units of so many metres.
    #[must_use]
    pub fn in_torque_units(&self, unit: f64) -> LimitPolytope {
        LimitPolytope { unit: self.unit * unit, ..self.clone() }
    }

    /// Nearest admissible (force, force, torque); to 1e-13 of the set's size where torques are in units
    /// of about the patch's size. In newton metres of a small patch the set is flat, and some digits
    /// of the torque are lost.
    pub fn project(&self, force: DVec3, load: f64) -> DVec3 {
        if !(load > 0.0) || !force.is_finite() {
            return DVec3::ZERO;
        }
        match nearest::nearest(|d| self.furthest(d), force / load) {
            None => force,
            Some(nearest) => nearest * load,
        }
    }

    /// Largest force · direction.
    pub fn support(&self, direction: DVec3, load: f64) -> f64 {
        self.furthest(direction).dot(direction) * load
    }

    /// Force and torque of maximum dissipation; where a whole face has it, its middle.
    pub fn traction(&self, slip: DVec3, load: f64) -> DVec3 {
        if slip == DVec3::ZERO {
            return DVec3::ZERO;
        }
        let d = -slip.normalize_or_zero();
        let (plane, spin) = (d.truncate(), d.z / self.unit);
        let size = self.largest();
        self.sum(|p| {
            let along = plane + p.lever * spin;
            let most = self.furthest_corner(along).dot(along);
            let tie = |c: &&DVec2| c.dot(along) >= most - TIE * size * along.length();
            let ties = self.corners.iter().filter(tie);
            let (sum, count) = ties.fold((DVec2::ZERO, 0.0), |(s, k), c| (s + *c, k + 1.0));
            sum / count
        }) * load
    }

    /// The point of the set at unit load that reaches furthest.
    fn furthest(&self, d: DVec3) -> DVec3 {
        let (plane, spin) = (d.truncate(), d.z / self.unit);
        self.sum(|p| self.furthest_corner(plane + p.lever * spin))
    }

    #[inline]
    fn furthest_corner(&self, along: DVec2) -> DVec2 {
        let (mut best, mut most) = (DVec2::ZERO, f64::NEG_INFINITY);
        for corner in self.corners.iter() {
            let reach = corner.dot(along);
            if reach > most {
                (best, most) = (*corner, reach);
            }
        }
        best
    }

    /// The wrench of forces per unit load at the points.
    #[inline]
    fn sum(&self, force: impl Fn(&Place) -> DVec2) -> DVec3 {
        let (mut plane, mut torque) = (DVec2::ZERO, 0.0);
        for p in self.points.iter() {
            let f = force(p) * p.share;
            plane += f;
            torque += p.lever.dot(f);
        }
        plane.extend(torque / self.unit)
    }
}

/// Reaches that differ by less, as a part of the largest, are the same.
const TIE: f64 = 1e-13;
