//! Isotropic Coulomb friction with a static and a kinetic coefficient.

use std::sync::Arc;

use super::graded::{LoadScaling, MOST, Weakening};
use super::{Needs, Section};
use crate::FrictionError;
use crate::error::non_negative;
use crate::law::{ContactState, Law};
use crate::registry::{AtKey, Fault, Form, Key, KeyError, Model, Range, Values};
use crate::set::Disk;
use crate::surface::Surface;

/// Isotropic friction whose coefficient may fall with slip and change with load.
///
/// **Who decides stick.** The section does, once per step, from the slip at the beginning of the
/// step; the solver then finds whether the contact holds with that coefficient. With
/// [`Weakening::Threshold`] a contact that moves slower than the threshold gets the static
/// coefficient. It starts to slide only if the demand exceeds μₛ, and once it is faster than the
/// threshold it has μₖ, so a demand above μₛ > μₖ speeds it up further; it stops only when μₖ has
/// brought it to rest, and then μₛ ≥ μₖ holds it. Between the two coefficients the state is
/// whatever it was: a hysteresis, which is why nothing chatters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coulomb {
    static_mu: f64,
    kinetic_mu: f64,
    weakening: Weakening,
    load: Option<LoadScaling>,
}

/// Slip below which a contact counts as sticking unless said otherwise, m/s.
const STICK_SPEED: f64 = 1e-4;

impl Coulomb {
    /// One coefficient.
    pub fn new(mu: f64) -> Result<Coulomb, FrictionError> {
        Coulomb::with_static(mu, mu, Weakening::Threshold(STICK_SPEED))
    }

    /// A static and a kinetic coefficient, static ≥ kinetic.
    pub fn with_static(
        static_mu: f64,
        kinetic_mu: f64,
        weakening: Weakening,
    ) -> Result<Coulomb, FrictionError> {
        non_negative("static friction coefficient", static_mu)?;
        non_negative("kinetic friction coefficient", kinetic_mu)?;
        if static_mu < kinetic_mu {
            return Err(FrictionError::Shape(format!(
                "static coefficient {static_mu} is below the kinetic one, {kinetic_mu}; a contact at rest would chatter"
            )));
        }
        weakening.check()?;
        Ok(Coulomb { static_mu, kinetic_mu, weakening, load: None })
    }

    /// With coefficients that depend on the load.
    pub fn with_load(self, load: LoadScaling) -> Result<Coulomb, FrictionError> {
        load.check()?;
        Ok(Coulomb { load: Some(load), ..self })
    }

    /// The coefficient at a slip (m/s) and the load of the last step (newtons).
    pub fn mu(&self, slip: f64, last_load: Option<f64>) -> f64 {
        let weight = self.weakening.weight(slip);
        let mu = self.kinetic_mu + (self.static_mu - self.kinetic_mu) * weight;
        mu * self.load.map_or(1.0, |scaling| scaling.factor(last_load))
    }
}

impl Section for Coulomb {
    fn name(&self) -> &'static str {
        "coulomb"
    }

    fn needs(&self) -> Needs {
        let scaled = self.load.is_some_and(|scaling| scaling.exponent != 0.0);
        Needs { load: scaled && self.static_mu > 0.0, ..Needs::NOTHING }
    }

    fn never_resists(&self, _: &Surface, _: &Surface) -> bool {
        self.static_mu == 0.0
    }

    fn strength(&self, speed: f64) -> f64 {
        let more = self.static_mu - self.kinetic_mu;
        self.weakening.smooth(speed).map_or(1.0, |weight| self.kinetic_mu + more * weight)
    }

    fn law(&self, contact: &ContactState) -> Law {
        let mu = self.mu(contact.plane_slip().length(), contact.last_load).min(MOST);
        Law::from(Disk::new(mu).unwrap_or_else(|_| Disk::frictionless()))
    }
}

/// The model by name.
pub(super) static MODEL: Model<Arc<dyn Section>> = Model {
    name: "coulomb",
    doc: "Isotropic friction with a static and a kinetic coefficient",
    keys: &[
        Key::required("mu", Form::Number(Range::NonNegative), "")
            .about("kinetic coefficient; above 1e4 as 1e4"),
        Key::optional("static_mu", Form::Number(Range::NonNegative), "")
            .about("static coefficient, `mu` or more; default `mu`"),
        Key::optional("stick_speed", Form::Number(Range::Positive), "m/s")
            .about("slip below which `static_mu` holds; default 1e-4"),
        Key::optional("stribeck_speed", Form::Number(Range::Positive), "m/s")
            .about("smooth fall to `mu` over this slip"),
        Key::optional("reference_load", Form::Number(Range::Positive), "N")
            .about("load at which the coefficients hold; with `load_exponent`"),
        Key::optional("load_exponent", Form::Number(Range::Any), "")
            .about("exponent of the load; with `reference_load`"),
    ],
    make: |values| Ok(Arc::new(of_values(values)?)),
};

fn of_values(values: &Values) -> Result<Coulomb, KeyError> {
    let mu = values.given("mu");
    let weakening = match (values.number("stick_speed"), values.number("stribeck_speed")) {
        (Some(_), Some(_)) => {
            return Err(KeyError::new("stribeck_speed", Fault::Both("stick_speed")));
        }
        (None, Some(speed)) => Weakening::Stribeck(speed),
        (stick, None) => Weakening::Threshold(stick.unwrap_or(STICK_SPEED)),
    };
    let static_mu = values.number("static_mu").unwrap_or(mu);
    let coulomb = Coulomb::with_static(static_mu, mu, weakening).at("static_mu")?;
    match (values.number("reference_load"), values.number("load_exponent")) {
        (Some(reference), Some(exponent)) => {
            coulomb.with_load(LoadScaling { reference, exponent }).at("reference_load")
        }
        (None, None) => Ok(coulomb),
        (Some(_), None) => Err(KeyError::new("load_exponent", Fault::Apart("reference_load"))),
        (None, Some(_)) => Err(KeyError::new("reference_load", Fault::Apart("load_exponent"))),
    }
}
