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

use self::step::{Bend, Damping};
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
    passive: bool,
}

impl Bristles {
    /// With these stiffness, damping, viscosity and plasticity.
    pub fn new(parameters: Parameters) -> Result<Bristles, FrictionError> {
        parameters.check()?;
        Ok(Bristles { parameters, passive: false })
    }

    /// The same with damping that is cut to what a step is passive with, whatever slip it ends with
    /// and however fast friction falls with speed.
    #[must_use]
    pub fn passive(self) -> Bristles {
        Bristles { passive: true, ..self }
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What they do in a step: damping is that of the equation once it is known where the step ends.
    fn bend(&self, reduced: &Reduced, moment: &Moment, past: Option<&Past>) -> Bend {
        let known = moment.found.is_some() && !self.passive;
        let damping = if known { Damping::Written } else { Damping::Passive };
        reduced.bend(about(reduced, moment, past), moment.steady, moment.dt, damping)
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
            Plasticity::Always if self.passive => "lugre_passive",
            Plasticity::Always => "lugre",
            Plasticity::Above(_) => "elasto_plastic",
        }
    }

    fn law(&self, without: Law, moment: &Moment, past: Option<&Past>) -> Option<Law> {
        let reduced = self.reduced(moment, past)?;
        let own = without.rheology.as_ref().map(|own| own.drag);
        let mut law = reduced.bent(without, &self.bend(&reduced, moment, past)).ok()?;
        if let (Some(rheology), Some(own)) = (&mut law.rheology, own) {
            rheology.drag += own;
        }
        Some(law)
    }

    /// Wear grows with speed, and is frozen over a step.
    fn is_far(&self, moment: &Moment, past: Option<&Past>, end: DVec3) -> bool {
        let Some(reduced) = self.reduced(moment, past) else { return false };
        let about = about(&reduced, moment, past);
        let lugre = self.parameters.plasticity == Plasticity::Always;
        if !lugre && !self.bend(&reduced, moment, past).creeps() {
            let fresh = moment.found.is_none();
            return reduced.is_plastic(end, moment.dt) || (fresh && reduced.is_cut(end, moment.dt));
        }
        let worn = self.parameters.stiffness * moment.dt / moment.coefficient;
        let far = worn * reduced.speed(end - about) > FAR * (1.0 + worn * reduced.speed(about));
        // Once more with the damping of the equation, now that it is known where the step ends.
        let cut = moment.found.is_none()
            && !self.passive
            && self.bend(&reduced, moment, past).cut > FAR * moment.coefficient;
        far || cut
    }

    fn remember(&self, moment: &Moment, past: Option<&Past>, carried: &Carried) -> Option<Past> {
        let mut reduced = self.reduced(moment, past)?;
        let bend = self.bend(&reduced, moment, past);
        reduced.carry(&bend, carried.wrench, carried.load);
        let (z, speed) = (reduced.deflection(), reduced.speed(moment.twist));
        let bent = z.is_finite() && z != DVec3::ZERO;
        bent.then(|| Past { vector: moment.frame.to_world(z.truncate()), numbers: [z.z, speed] })
    }

    fn stored(&self, moment: &Moment, past: &Past) -> f64 {
        self.reduced(moment, Some(past)).map_or(0.0, |reduced| reduced.stored())
    }

    fn caution(&self, coefficient: &dyn Fn(f64) -> f64) -> Option<String> {
        let p = &self.parameters;
        // Elasto-plastic bristles carry no more than the limit surface of the section.
        if self.passive || p.plasticity != Plasticity::Always {
            return None;
        }
        let speeds = || (0..=5 * DECADES).map(|k| SLOWEST * 10_f64.powf(0.2 * f64::from(k)));
        let most = speeds().map(coefficient).fold(coefficient(0.0), f64::max);
        // σ₂ ≥ σ₁(μ_S − μ_C)/μ_C, at every speed with what σ₁ and friction are there.
        let need = |v: f64| p.damping_at(v) * (most / coefficient(v) - 1.0);
        let needed = speeds().map(need).filter(|n| n.is_finite()).fold(0.0, f64::max);
        (needed > p.viscosity * (1.0 + 1e-9)).then(|| {
            format!(
                "\"lugre\" with sigma1 = {} and sigma2 = {} gives energy of its own at some speeds, \
                 since friction falls with speed; expected sigma2 of {needed:.4} s/m or more, a \
                 damping_speed, or the memory \"lugre_passive\"",
                p.damping, p.viscosity
            )
        })
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

/// Speeds at which passivity is asked for: the least, m/s, and how far up.
const SLOWEST: f64 = 1e-9;
const DECADES: u32 = 12;

/// A law is made again where wear over the step changes by more than this part.
const FAR: f64 = 1e-3;

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

/// LuGre's bristles with less damping by name.
pub(super) static LUGRE_PASSIVE: Model<Arc<dyn Memory>> = Model {
    name: "lugre_passive",
    doc: "The same with damping that falls with speed to what is passive in every step, whatever the section",
    keys: &[STIFFNESS, DAMPING, VISCOSITY, DAMPING_SPEED],
    make: |values| Ok(Arc::new(of_values(values, Plasticity::Always)?.passive())),
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
