//! Strength that follows the speed of slip and the load, of any section.

use std::sync::Arc;

use super::{Needs, Sampled, Section};
use crate::FrictionError;
use crate::error::{check, finite, positive};
use crate::law::{ContactState, Law};
use crate::surface::Surface;

/// A section whose sets grow and shrink as a whole: by 1 + (s − 1) w(v) with the speed v of slip
/// ([`Weakening`]), times (N/N₀)^e with the load N of the last step ([`LoadScaling`]).
///
/// The shape of the limit curve, and with it the direction in which a body slides, is that of the
/// section. Torques of a set, as those of drilling, grow with its forces; bias, compliance and drag
/// of a law do not. Speed and load are those at the beginning of the step, as in
/// [`Coulomb`](super::Coulomb), of which this is the same over one coefficient.
#[derive(Debug, Clone)]
pub struct Graded {
    section: Arc<dyn Section>,
    /// Strength at rest over that of fast sliding, 1 or more.
    speed: Option<(f64, Weakening)>,
    load: Option<LoadScaling>,
}

/// How friction falls from static to kinetic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weakening {
    /// Static below this slip (m/s), kinetic above.
    Threshold(f64),
    /// Stribeck's curve μₖ + (μₛ − μₖ) exp(−(v/vₛ)²) with this vₛ (m/s).
    Stribeck(f64),
}

/// A coefficient that depends on the load of the last step: μ · (N/N₀)^e.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadScaling {
    /// N₀, newtons: the load at which the coefficients are the given ones.
    pub reference: f64,
    /// e: −1/3 for a Hertz contact of constant shear strength.
    pub exponent: f64,
}

/// Coefficients and factors above this are as good as it: nothing slips. Numbers of a solve would not
/// hold more.
pub(super) const MOST: f64 = 1e4;

impl Weakening {
    /// w: how much of the static coefficient is left at a slip (m/s), from 1 at rest to 0.
    pub fn weight(self, slip: f64) -> f64 {
        match self {
            Weakening::Threshold(speed) => f64::from(slip <= speed),
            Weakening::Stribeck(speed) => (-(slip / speed).powi(2)).exp(),
        }
    }

    /// The same where it is smooth: a threshold decides once in a step.
    pub(super) fn smooth(self, slip: f64) -> Option<f64> {
        matches!(self, Weakening::Stribeck(_)).then(|| self.weight(slip))
    }

    /// Whether its speed is one.
    pub(super) fn check(self) -> Result<(), FrictionError> {
        let (Weakening::Threshold(speed) | Weakening::Stribeck(speed)) = self;
        positive("slip speed of the static coefficient", speed).map(|_| ())
    }
}

impl LoadScaling {
    /// (N/N₀)^e of the last step's load (newtons); 1 where the contact is new or was not loaded.
    pub fn factor(self, last_load: Option<f64>) -> f64 {
        last_load.filter(|load| *load > 0.0).map_or(1.0, |load| {
            // Loads far from the reference would give absurd coefficients: six decades at most.
            (load / self.reference).clamp(1e-6, 1e6).powf(self.exponent)
        })
    }

    /// Whether its numbers are some.
    pub(super) fn check(self) -> Result<(), FrictionError> {
        positive("reference load", self.reference)?;
        finite("load exponent", self.exponent).map(|_| ())
    }
}

impl Graded {
    /// As strong as the section, whatever speed and load.
    pub fn new(section: Arc<dyn Section>) -> Graded {
        Graded { section, speed: None, load: None }
    }

    /// `rest` times as strong at rest, 1 or more, and as strong as the section in fast sliding.
    pub fn with_speed(self, rest: f64, weakening: Weakening) -> Result<Graded, FrictionError> {
        let expected = "a finite number, 1 or more; below, a contact at rest would chatter";
        check("strength at rest", rest, expected, rest >= 1.0)?;
        weakening.check()?;
        Ok(Graded { speed: Some((rest, weakening)), ..self })
    }

    /// As strong as the section at the reference load.
    pub fn with_load(self, load: LoadScaling) -> Result<Graded, FrictionError> {
        load.check()?;
        Ok(Graded { load: Some(load), ..self })
    }

    /// By how much it is stronger than the section at a slip (m/s) and the load of the last step
    /// (newtons).
    pub fn factor(&self, slip: f64, last_load: Option<f64>) -> f64 {
        let by_speed = self.speed.map_or(1.0, |(rest, w)| 1.0 + (rest - 1.0) * w.weight(slip));
        let by_load = self.load.map_or(1.0, |scaling| scaling.factor(last_load));
        (by_speed * by_load).min(MOST)
    }
}

impl Section for Graded {
    fn name(&self) -> &'static str {
        self.section.name()
    }

    fn law(&self, contact: &ContactState) -> Law {
        let law = self.section.law(contact);
        let factor = self.factor(contact.plane_slip().length(), contact.last_load);
        // Sections give neither joints nor wrenches, which alone have nothing to scale.
        if factor == 1.0 { law } else { law.clone().scaled(factor).unwrap_or(law) }
    }

    fn needs(&self) -> Needs {
        let own = self.section.needs();
        Needs { load: own.load || self.load.is_some_and(|l| l.exponent != 0.0), ..own }
    }

    fn strength(&self, speed: f64) -> f64 {
        let of = |(rest, w): (f64, Weakening)| w.smooth(speed).map(|w| 1.0 + (rest - 1.0) * w);
        self.section.strength(speed) * self.speed.and_then(of).unwrap_or(1.0)
    }

    fn sampled(&self) -> Option<&dyn Sampled> {
        self.section.sampled()
    }

    fn no_limit_surface(&self) -> Option<&'static str> {
        self.section.no_limit_surface()
    }

    fn never_resists(&self, a: &Surface, b: &Surface) -> bool {
        self.section.never_resists(a, b)
    }

    fn check(&self, a: &Surface, b: &Surface) -> Result<(), FrictionError> {
        self.section.check(a, b)
    }
}
