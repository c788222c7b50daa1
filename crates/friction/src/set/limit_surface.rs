//! The limit surface of a patch as a set: friction that couples sliding and spin.

mod nearest;
mod terms;

use std::sync::Arc;

use glamx::{DMat2, DMat3, DVec2, DVec3};

use super::{Ellipse, Rotation};
use crate::FrictionError;
use crate::error::{non_negative, positive};
use nearest::Quadratic;
use terms::{Cell, Ring, Terms};

/// (t, b, spin): the Minkowski sum of what the parts of a patch can carry.
///
/// The support function of a limit surface is the power that friction takes,
/// H(v, ω) = Σ share · h(v + ω × ρ), h that of the planar section. It is a sum of convex functions,
/// so the set is convex by construction, for any pressure and any elliptical section. Parts are
/// either small cells, each with a spin radius of its own (which makes the surface smooth), or
/// whole rings about the centre (isotropic sections only), which keep a disc exactly round.
///
/// A clone shares the parts; it costs no allocation.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitSurface {
    shape: Arc<Shape>,
    /// Torques are in units of this, metres (one: newton metres).
    unit: f64,
}

/// What does not depend on units.
#[derive(Debug, Clone, PartialEq)]
struct Shape {
    terms: Arc<Terms>,
    ellipse: Ellipse,
    /// Columns are the section's half axes.
    section: DMat2,
    /// Geometric mean of the section's coefficients: that of spin within a cell.
    mean: f64,
    /// How far the set reaches along the axes, in newton metres per newton for torques.
    reach: DVec3,
    /// Inverse of the matrix of the points that reach so far.
    inner: DMat3,
}

/// A part of a patch: where it is, metres from the centre of pressure, its share of the load, and
/// its spin radius: the torque it carries about its own middle per unit load and coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// From the centre of pressure, metres.
    pub place: DVec2,
    /// Share of the load; shares are made to add up to one.
    pub share: f64,
    /// Metres, above zero.
    pub spin_radius: f64,
}

impl LimitSurface {
    /// From cells.
    pub fn from_parts(section: Ellipse, parts: &[Part]) -> Result<LimitSurface, FrictionError> {
        let total = total(parts.iter().map(|p| p.share))?;
        let mut cells = Vec::with_capacity(parts.len());
        for (i, part) in parts.iter().enumerate() {
            // Words are for errors only: patches are made in every step.
            if !(part.spin_radius.is_finite() && part.spin_radius > 0.0) {
                positive(&format!("spin radius of part {i}"), part.spin_radius)?;
            }
            if !part.place.is_finite() {
                return Err(FrictionError::Shape(format!("place of part {i} is not finite")));
            }
            let Part { place, share, spin_radius } = *part;
            cells.push(Cell { place, share: share / total, spin_radius });
        }
        let terms = Terms { cells: cells.into(), rings: Arc::new([]) };
        LimitSurface::assemble(terms, section)
    }

    /// From rings about the centre, (radius in metres, share of the load), with one coefficient.
    pub fn from_rings(mu: f64, rings: &[(f64, f64)]) -> Result<LimitSurface, FrictionError> {
        let total = total(rings.iter().map(|r| r.1))?;
        let mut list = Vec::with_capacity(rings.len());
        for (i, (radius, share)) in rings.iter().enumerate() {
            let radius = positive(&format!("radius of ring {i}"), *radius)?;
            list.push(Ring { radius, share: share / total });
        }
        let terms = Terms { cells: Arc::new([]), rings: list.into() };
        LimitSurface::assemble(terms, Ellipse::new(mu, mu, Rotation::IDENTITY)?)
    }

    fn assemble(terms: Terms, section: Ellipse) -> Result<LimitSurface, FrictionError> {
        let shape = Shape {
            terms: Arc::new(terms),
            ellipse: section,
            section: DMat2::IDENTITY,
            mean: 1.0,
            reach: DVec3::ONE,
            inner: DMat3::IDENTITY,
        };
        let mut set = LimitSurface { shape: Arc::new(shape), unit: 1.0 };
        set.set_section(section)?;
        set.measure();
        Ok(set)
    }

    /// The same patch with another planar section; what a coefficient that changes with speed
    /// needs in every step. Rings take one coefficient only.
    pub fn with_section(&self, section: Ellipse) -> Result<LimitSurface, FrictionError> {
        let mut set = self.clone();
        set.set_section(section)?;
        let [old, new] = [self.section().mu(), section.mu()];
        if old.x == old.y && new.x == new.y {
            // As much larger all round.
            let factor = new.x / old.x;
            let shape = Arc::make_mut(&mut set.shape);
            shape.reach *= factor;
            shape.inner *= 1.0 / factor;
        } else {
            set.measure();
        }
        Ok(set)
    }

    fn set_section(&mut self, section: Ellipse) -> Result<(), FrictionError> {
        let mu = section.mu();
        positive("first coefficient of a limit surface", mu.x)?;
        positive("second coefficient of a limit surface", mu.y)?;
        if !self.shape.terms.rings.is_empty() && mu.x != mu.y {
            return Err(FrictionError::Shape(format!(
                "a limit surface of rings has coefficients {} and {}; expected equal ones, or a \
                 patch made of cells",
                mu.x, mu.y
            )));
        }
        let axis = section.rotation().axis();
        let shape = Arc::make_mut(&mut self.shape);
        shape.ellipse = section;
        shape.section = DMat2::from_cols(axis * mu.x, axis.perp() * mu.y);
        shape.mean = (mu.x * mu.y).sqrt();
        Ok(())
    }

    /// How far the set reaches along its axes.
    fn measure(&mut self) {
        // With torques in newton metres, whatever the unit is.
        let scale = DVec3::new(1.0, 1.0, self.unit);
        let points = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| self.gradient(axis) * scale);
        let shape = Arc::make_mut(&mut self.shape);
        shape.reach = DVec3::new(points[0].x, points[1].y, points[2].z);
        shape.inner = DMat3::from_cols(points[0], points[1], points[2]).inverse();
    }

    /// The planar section.
    pub fn section(&self) -> Ellipse {
        self.shape.ellipse
    }

    /// The parts, for rings their radius and share; as they were given, shares adding up to one.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        let part = |c: &Cell| Part { place: c.place, share: c.share, spin_radius: c.spin_radius };
        self.shape.terms.cells.iter().map(part)
    }

    /// The rings: (radius, share).
    pub fn rings(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.shape.terms.rings.iter().map(|r| (r.radius, r.share))
    }

    /// Largest torque per unit load, metres (in units of [`LimitSurface::torque_unit`]).
    pub fn drilling(&self) -> f64 {
        self.shape.reach.z / self.unit
    }

    /// Unit of torques, metres.
    pub fn torque_unit(&self) -> f64 {
        self.unit
    }

    /// The same set with torques in units of so many metres: solvers make torques and forces alike
    /// in size. Shares everything; no allocation.
    #[must_use]
    pub fn in_torque_units(&self, unit: f64) -> LimitSurface {
        LimitSurface { unit: self.unit * unit, ..self.clone() }
    }

    /// Nearest admissible (force, force, torque).
    pub fn project(&self, force: DVec3, load: f64) -> DVec3 {
        self.project_along(force, load, None)
    }

    /// The same, where a way out of the set may be known on which `force` lies or nearly so.
    pub fn project_along(&self, force: DVec3, load: f64, way: Option<DVec3>) -> DVec3 {
        if !(load > 0.0) {
            return DVec3::ZERO;
        }
        match nearest::nearest(self, force / load, way) {
            None => force,
            Some(nearest) => nearest * load,
        }
    }

    /// The same, and how it moves with `force`.
    pub fn project_with_slope(
        &self,
        force: DVec3,
        load: f64,
        way: Option<DVec3>,
    ) -> (DVec3, DMat3) {
        if !(load > 0.0) {
            return (DVec3::ZERO, DMat3::ZERO);
        }
        let (nearest, slope) = nearest::nearest_and_slope(self, force / load, way);
        (nearest * load, slope)
    }

    /// The force f of a block that slips while all else stands still: f = −N ∇H(y) with the slip y = W f + q that is
    /// left. `stiffness` is W⁻¹, positive definite; `hold` is W⁻¹q, what it would take to hold it; `guess` is a slip
    /// that may be near, `closest` the part of the force that may be wrong. `None` where the block holds.
    pub fn slide(
        &self,
        load: f64,
        (stiffness, hold): (DMat3, DVec3),
        guess: DVec3,
        closest: f64,
    ) -> Option<DVec3> {
        if !(load > 0.0) {
            return Some(DVec3::ZERO);
        }
        // y is where ½ yᵀW⁻¹y − y·W⁻¹q + N H(y) is least.
        let x = hold / load;
        let way = nearest::way_out(self, x, Some(guess))?;
        let problem = Quadratic { stiffness: stiffness * (1.0 / load), x, closest };
        Some(nearest::left(self, &problem, way).0 * -load)
    }

    /// Largest force · direction.
    pub fn support(&self, direction: DVec3, load: f64) -> f64 {
        self.value(direction) * load
    }

    /// Force and torque of maximum dissipation.
    pub fn traction(&self, slip: DVec3, load: f64) -> DVec3 {
        if slip == DVec3::ZERO {
            return DVec3::ZERO;
        }
        self.gradient(slip.normalize_or_zero()) * -load
    }
}

/// The sum of shares, if they are sound.
fn total(shares: impl Iterator<Item = f64>) -> Result<f64, FrictionError> {
    let mut sum = 0.0;
    for (i, share) in shares.enumerate() {
        if !(share.is_finite() && share >= 0.0) {
            non_negative(&format!("share of part {i}"), share)?;
        }
        sum += share;
    }
    positive("load of all parts", sum)
}
