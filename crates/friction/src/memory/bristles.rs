//! Bristles that bend before they slip, LuGre or elasto-plastic (Arslan Waltersson &
//! Karayiannidis, *Planar Friction Modelling with LuGre Dynamics and Limit Surfaces*).
//!
//! Twists are (v_x, v_y, ω) at the centre of pressure, wrenches (f_x, f_y, τ) about it. A wrench
//! acts on the moving body, so it opposes the motion.

pub mod bristle;
mod distributed;
pub mod elasto_plastic;
mod kernel;
mod parameters;
mod reduced;
mod step;

pub use distributed::Distributed;
pub use parameters::{Parameters, Passivity, Plasticity};
pub use reduced::Reduced;

use std::sync::Arc;

use glamx::DVec3;

use self::step::Bend;
use super::{Carried, Memory, Moment, Past};
use crate::FrictionError;
use crate::extent::{Extent, LimitMap};
use crate::law::Law;
use crate::registry::{AtKey, Form, Key, KeyError, Model, Preset, Range, Values};
use crate::section::Section;

/// Three bristles for each contact: two for sliding and one for spin. How far they bend is the
/// section's affair: `coulomb`, `stiction` and Stribeck's curve of the parameters are not used.
///
/// Of the [`Past`], `vector` is the bending in the contact plane, metres, and the first number that
/// about the normal: u times an angle, m². The second is the speed with which the step began, m/s:
/// LuGre's wear goes by the speed with which the next one is going to end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bristles {
    parameters: Parameters,
}

impl Bristles {
    /// With these stiffness, damping, viscosity and plasticity.
    pub fn new(parameters: Parameters) -> Result<Bristles, FrictionError> {
        parameters.check()?;
        Ok(Bristles { parameters })
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Bent as the past left them.
    fn reduced(&self, moment: &Moment, past: Option<&Past>) -> Option<Reduced> {
        let mu = moment.coefficient;
        let parameters = Parameters { coulomb: mu, stiction: mu, ..self.parameters };
        let (map, radius) = (LimitMap::Ellipsoid, moment.spin_radius);
        let mut reduced = Reduced::with_radius(parameters, map, radius, moment.gyration2).ok()?;
        if let Some(Past { vector, numbers }) = past {
            reduced.set_deflection(moment.frame.to_plane(*vector).extend(numbers[0]));
        }
        Some(reduced)
    }
}

impl Memory for Bristles {
    fn name(&self) -> &'static str {
        match self.parameters.plasticity {
            Plasticity::Always => "lugre",
            Plasticity::Above(_) => "elasto_plastic",
        }
    }

    fn law(&self, without: Law, moment: &Moment, past: Option<&Past>) -> Option<Law> {
        let reduced = self.reduced(moment, past)?;
        let own = without.rheology.as_ref().map(|own| own.drag);
        let mut law = reduced.bent(without, &bend(&reduced, moment, past)).ok()?;
        if let (Some(rheology), Some(own)) = (&mut law.rheology, own) {
            rheology.drag += own;
        }
        Some(law)
    }

    /// Wear grows with speed, and is frozen over a step.
    fn is_far(&self, moment: &Moment, past: Option<&Past>, end: DVec3) -> bool {
        let Some(reduced) = self.reduced(moment, past) else { return false };
        if self.parameters.plasticity != Plasticity::Always {
            return false;
        }
        let about = about(&reduced, moment, past);
        let worn = self.parameters.stiffness * moment.dt / moment.coefficient;
        worn * reduced.speed(end - about) > FAR * (1.0 + worn * reduced.speed(about))
    }

    fn remember(&self, moment: &Moment, past: Option<&Past>, carried: &Carried) -> Option<Past> {
        let mut reduced = self.reduced(moment, past)?;
        let bend = bend(&reduced, moment, past);
        reduced.carry(&bend, carried.wrench, carried.load);
        let (z, speed) = (reduced.deflection(), reduced.speed(moment.twist));
        let bent = z.is_finite() && z != DVec3::ZERO;
        bent.then(|| Past { vector: moment.frame.to_world(z.truncate()), numbers: [z.z, speed] })
    }

    fn stored(&self, moment: &Moment, past: &Past) -> f64 {
        self.reduced(moment, Some(past)).map_or(0.0, |reduced| reduced.stored())
    }

    fn check(&self, extent: &Extent, _: &dyn Section) -> Result<(), FrictionError> {
        if *extent == Extent::Point {
            return Err(FrictionError::Shape(
                "bristles belong to a whole patch, not to the extent \"point\"; expected the extent \
                 \"spin\", or no memory"
                    .to_owned(),
            ));
        }
        Ok(())
    }
}

/// A law is made again where wear over the step changes by more than this part.
const FAR: f64 = 1e-3;

/// What bristles do in a step.
fn bend(reduced: &Reduced, moment: &Moment, past: Option<&Past>) -> Bend {
    reduced.bend(about(reduced, moment, past), moment.steady, moment.dt)
}

/// The twist with which a step is going to end: that found, or else along the one that it begins with,
/// when speed goes on changing as in the last step.
fn about(reduced: &Reduced, moment: &Moment, past: Option<&Past>) -> DVec3 {
    let begin = reduced.speed(moment.twist);
    match (moment.found, past) {
        (None, Some(past)) if begin > 0.0 => {
            moment.twist * (2.0 - past.numbers[1] / begin).max(0.0)
        }
        _ => moment.about(),
    }
}

/// LuGre's bristles by name.
pub(super) static LUGRE: Model<Arc<dyn Memory>> = Model {
    name: "lugre",
    doc: "Bristles that creep from the start (LuGre); drifts under oscillating loads",
    keys: &[STIFFNESS, DAMPING, VISCOSITY, DAMPING_SPEED],
    make: |values| Ok(Arc::new(of_values(values, Plasticity::Always)?)),
};

/// Elasto-plastic bristles by name.
pub(super) static ELASTO_PLASTIC: Model<Arc<dyn Memory>> = Model {
    name: "elasto_plastic",
    doc: "Bristles that are elastic below a breakaway deflection",
    keys: &[
        STIFFNESS,
        DAMPING,
        VISCOSITY,
        DAMPING_SPEED,
        Key::optional("breakaway", Form::Number(Range::Unit), "")
            .or(Preset::Number(0.9))
            .about("elastic below this part of the largest deflection, below 1"),
    ],
    make: |values| Ok(Arc::new(of_values(values, Plasticity::Above(values.given("breakaway")))?)),
};

const STIFFNESS: Key = Key::optional("sigma0", Form::Number(Range::Positive), "1/m")
    .or(Preset::Number(1e6))
    .about("stiffness per unit load");
const DAMPING: Key = Key::optional("sigma1", Form::Number(Range::NonNegative), "s/m")
    .or(Preset::Number(800.0))
    .about("damping per unit load");
const VISCOSITY: Key = Key::optional("sigma2", Form::Number(Range::NonNegative), "s/m")
    .or(Preset::Number(0.0))
    .about("viscous friction per unit load");
const DAMPING_SPEED: Key = Key::optional("damping_speed", Form::Number(Range::Positive), "m/s")
    .about("damping falls with speed v as exp(-(v/damping_speed)^2); default: it does not");

fn of_values(values: &Values, plasticity: Plasticity) -> Result<Bristles, KeyError> {
    let parameters = Parameters {
        stiffness: values.given("sigma0"),
        damping: values.given("sigma1"),
        viscosity: values.given("sigma2"),
        damping_speed: values.number("damping_speed"),
        plasticity,
        ..Parameters::without_stribeck()
    };
    // All but this one are checked by their forms.
    Bristles::new(parameters).at("breakaway")
}
