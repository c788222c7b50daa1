//! Rate-and-state friction (Dieterich 1979, Ruina 1983), regularised at rest (Rice, Lapusta & Ranjith
//! 2001).
//!
//! The coefficient follows the speed V at once, and the age θ of the contact slowly:
//!
//! ```text
//! μ(V, θ) = a arsinh(V/(2V₀) exp((μ₀ + b ln(V₀θ/D))/a))    ≈ μ₀ + a ln(V/V₀) + b ln(V₀θ/D)
//! θ̇ = 1 − Vθ/D  (aging)      or      θ̇ = −(Vθ/D) ln(Vθ/D)  (slip)
//! ```
//!
//! μ₀ is the coefficient of the section. A step takes the tangent of μ at the speed that it begins with:
//! its slope is a drag, implicit and so stable however steep it is, and what is left at V = 0 is the
//! set. μ is concave in V, so that the tangent lies above it: a step that speeds up much is solved
//! again about the speed that it found, by Newton's method from below.

use std::sync::Arc;

use glamx::{DMat3, DVec3};

use super::{Carried, Memory, Moment, Past};
use crate::FrictionError;
use crate::error::{non_negative, positive};
use crate::law::{Law, Rheology};
use crate::registry::{AtKey, Form, Key, Model, Preset, Range, words};

/// Friction that depends on the speed of slip and on how long a contact has been there.
///
/// Of the [`Past`], the first number is θ, seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateAndState {
    /// a: how much friction grows at once with each e-fold of speed. Above zero.
    pub direct: f64,
    /// b: how much it grows with each e-fold of age.
    pub evolved: f64,
    /// V₀, m/s: the speed at which the section's coefficient is that of steady sliding.
    pub speed: f64,
    /// D, metres: the slip that renews a contact.
    pub distance: f64,
    /// m/s: below this speed friction falls to nothing along a straight line.
    pub rest_speed: f64,
    /// How θ goes on.
    pub evolution: Evolution,
}

/// How the age of a contact goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evolution {
    /// With time, also at rest (Dieterich).
    Aging,
    /// With slip alone (Ruina).
    Slip,
}

impl RateAndState {
    fn checked(self) -> Result<RateAndState, FrictionError> {
        positive("direct effect a", self.direct)?;
        non_negative("evolution effect b", self.evolved)?;
        positive("reference speed", self.speed)?;
        positive("distance", self.distance)?;
        positive("rest speed", self.rest_speed)?;
        Ok(self)
    }

    /// θ, seconds; of a new contact that of steady sliding at V₀.
    fn age(&self, past: Option<&Past>) -> f64 {
        past.map_or(self.distance / self.speed, |past| past.numbers[0])
    }

    /// μ and ∂μ/∂V at a speed and an age, for the coefficient μ₀.
    fn coefficient(&self, base: f64, speed: f64, age: f64) -> (f64, f64) {
        let a = self.direct;
        let state = base + self.evolved * (self.speed * age / self.distance).ln();
        // V at which arsinh(1): below it friction would be linear in V anyway.
        let knee = 2.0 * self.speed * (-state / a).exp();
        let root = speed.hypot(knee);
        // arsinh(V/knee) by logarithms: knee may be far below the smallest number.
        let mu = a * (((speed + root) / (2.0 * self.speed)).ln() + state / a);
        (mu, a / root)
    }
}

/// A step that speeds up by more than this is solved again, about the speed that it found.
const FASTER: f64 = 1.5;

/// ‖(v, r ω)‖: sliding and spin together.
fn speed_of(twist: DVec3, moment: &Moment) -> f64 {
    (twist * DVec3::new(1.0, 1.0, moment.spin_radius)).length()
}

impl Memory for RateAndState {
    fn name(&self) -> &'static str {
        "rate_and_state"
    }

    fn law(&self, without: Law, moment: &Moment, past: Option<&Past>) -> Option<Law> {
        let base = moment.coefficient;
        if !(base > 0.0) {
            return Some(without);
        }
        let speed = speed_of(moment.about(), moment).max(self.rest_speed);
        let (mu, slope) = self.coefficient(base, speed, self.age(past));
        // Limit surfaces must not be empty.
        let at_rest = (mu - slope * speed).max(1e-6 * base);
        let spin = moment.spin_radius * moment.spin_radius;
        let drag = DMat3::from_diagonal(DVec3::new(1.0, 1.0, spin) * slope);
        let own = without.rheology.as_deref();
        let rheology = Rheology {
            bias: own.map_or(DVec3::ZERO, |r| r.bias),
            compliance: own.map_or(DMat3::ZERO, |r| r.compliance),
            drag: own.map_or(DMat3::ZERO, |r| r.drag) + drag,
        };
        let law = without.scaled(at_rest / base).ok()?;
        Some(Law { rheology: Some(Box::new(rheology)), ..law })
    }

    /// The tangent lies above μ: of a step that speeds up too much of its friction is taken, and the
    /// next one about the speed found takes less.
    fn is_far(&self, moment: &Moment, _: Option<&Past>, end: DVec3) -> bool {
        let (about, found) = (speed_of(moment.about(), moment), speed_of(end, moment));
        found > FASTER * about.max(self.rest_speed)
    }

    fn remember(&self, moment: &Moment, past: Option<&Past>, carried: &Carried) -> Option<Past> {
        let (age, speed) = (self.age(past), speed_of(carried.twist, moment));
        let renewed = speed * moment.dt / self.distance;
        let next = match self.evolution {
            // Exact for a constant speed: θ → D/V as exp(−Vt/D); at rest θ + t.
            Evolution::Aging => {
                let grown = if renewed > 1e-9 { -(-renewed).exp_m1() / renewed } else { 1.0 };
                age * (-renewed).exp() + moment.dt * grown
            }
            // ln(Vθ/D) falls as exp(−Vt/D).
            Evolution::Slip if speed > 0.0 => {
                let steady = self.distance / speed;
                steady * (age / steady).powf((-renewed).exp())
            }
            Evolution::Slip => age,
        };
        let sound = carried.load > 0.0 && next.is_finite() && next > 0.0;
        sound.then_some(Past { numbers: [next, 0.0], ..Past::default() })
    }
}

/// The model by name.
pub(super) static MODEL: Model<Arc<dyn Memory>> = Model {
    name: "rate_and_state",
    doc: "Friction that grows with speed at once and with age slowly, about that of the section",
    keys: &[
        Key::required("a", Form::Number(Range::Positive), "")
            .about("growth with each e-fold of speed, at once"),
        Key::required("b", Form::Number(Range::NonNegative), "")
            .about("growth with each e-fold of age"),
        Key::required("distance", Form::Number(Range::Positive), "m")
            .about("slip that renews a contact"),
        Key::optional("speed", Form::Number(Range::Positive), "m/s")
            .or(Preset::Number(1e-6))
            .about("speed at which the section's coefficient is that of steady sliding"),
        Key::optional("rest_speed", Form::Number(Range::Positive), "m/s")
            .or(Preset::Number(1e-9))
            .about("below this speed friction is linear in it"),
        Key::optional("evolution", Form::Word(&words(&EVOLUTIONS)), "")
            .or(Preset::Word("aging"))
            .about("whether contacts age with time or with slip alone"),
    ],
    make: |values| {
        let model = RateAndState {
            direct: values.given("a"),
            evolved: values.given("b"),
            speed: values.given("speed"),
            distance: values.given("distance"),
            rest_speed: values.given("rest_speed"),
            evolution: values.choice("evolution", &EVOLUTIONS)?,
        };
        Ok(Arc::new(model.checked().at("a")?))
    },
};

static EVOLUTIONS: [(&str, Evolution); 2] =
    [("aging", Evolution::Aging), ("slip", Evolution::Slip)];
