//! Erleben, Macklin, Andrews, Kry 2020, *The Matchstick Model for Anisotropic Friction Cones*.

use std::f64::consts::FRAC_2_PI;
use std::sync::Arc;

use super::Section;
use crate::FrictionError;
use crate::error::non_negative;
use crate::law::{ContactState, Law};
use crate::registry::{AtKey, Form, Key, KeyError, Model, Preset, Range, Values, words};
use crate::set::{Disk, Ellipse, Ellipsoid, Rotation, Set};

/// An elliptic cone that turns and stretches with the grain of both surfaces (Algorithm 1).
///
/// Along parallel grains the coefficients are μ_t (along) and μ_b (across); with crossed grains
/// the cone is isotropic with μ; in between, d = 1 − 2θ/π interpolates linearly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matchstick {
    mu: f64,
    mu_t: f64,
    mu_b: f64,
    drilling: Option<Drilling>,
    zero_structure: ZeroStructure,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Drilling {
    parallel: f64,
    crossed: f64,
}

/// What a surface without grain means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ZeroStructure {
    /// The other surface alone decides: d = 1 along its grain (section 6). The default.
    #[default]
    OtherDecides,
    /// θ = π/2 as Eq. 5 gives it: an isotropic cone.
    Isotropic,
}

impl Matchstick {
    /// Coefficients with crossed grains (`mu`), and with parallel grains along (`mu_t`) and across
    /// (`mu_b`).
    pub fn new(mu: f64, mu_t: f64, mu_b: f64) -> Result<Matchstick, FrictionError> {
        Ok(Matchstick {
            mu: non_negative("isotropic coefficient mu", mu)?,
            mu_t: non_negative("coefficient along the grain mu_t", mu_t)?,
            mu_b: non_negative("coefficient across the grain mu_b", mu_b)?,
            drilling: None,
            zero_structure: ZeroStructure::default(),
        })
    }

    /// With a torque about the normal (section 4.4), per unit load, in metres: with `parallel` and
    /// with `crossed` grains. The authors' program uses the number μ for `crossed`.
    pub fn with_drilling(self, parallel: f64, crossed: f64) -> Result<Matchstick, FrictionError> {
        let drilling = Drilling {
            parallel: non_negative("drilling coefficient with parallel grains", parallel)?,
            crossed: non_negative("drilling coefficient with crossed grains", crossed)?,
        };
        Ok(Matchstick { drilling: Some(drilling), ..self })
    }

    /// With another meaning of a missing grain.
    #[must_use]
    pub fn with_zero_structure(self, zero_structure: ZeroStructure) -> Matchstick {
        Matchstick { zero_structure, ..self }
    }

    /// Interpolation parameter d and the cone's first axis in the contact plane. `s_a` and `s_b`
    /// are unit vectors, or zero where there is no grain.
    fn interpolation(&self, s_a: glamx::DVec2, s_b: glamx::DVec2) -> (f64, Rotation) {
        let zero = glamx::DVec2::ZERO;
        match (s_a != zero, s_b != zero) {
            (false, false) => (0.0, Rotation::IDENTITY),
            (true, true) => {
                let dot = s_a.dot(s_b);
                let s_b = if dot < 0.0 { -s_b } else { s_b };
                // θ = arccos |s_A·s_B| (Eq. 5), by atan2 to keep its digits near zero. It is at
                // most π/2, so the sum (Eq. 7) is at least √2 long and always has a direction.
                let theta = s_a.perp_dot(s_b).abs().atan2(dot.abs());
                let axis = Rotation::from_direction(s_a + s_b).unwrap_or(Rotation::IDENTITY);
                ((1.0 - FRAC_2_PI * theta).clamp(0.0, 1.0), axis)
            }
            (a_has, _) => match self.zero_structure {
                ZeroStructure::Isotropic => (0.0, Rotation::IDENTITY),
                ZeroStructure::OtherDecides => {
                    let axis = Rotation::from_direction(if a_has { s_a } else { s_b });
                    (1.0, axis.unwrap_or(Rotation::IDENTITY))
                }
            },
        }
    }
}

impl Section for Matchstick {
    fn name(&self) -> &'static str {
        "matchstick"
    }

    fn no_limit_surface(&self) -> Option<&'static str> {
        self.drilling.map(|_| "with \"drilling\" it has a spin torque of its own; remove that")
    }

    fn law(&self, contact: &ContactState) -> Law {
        let [s_a, s_b] = contact.surfaces.map(|s| s.structure_in(&contact.frame));
        let (d, axis) = self.interpolation(s_a, s_b);
        let between = |parallel: f64, crossed: f64| d * parallel + (1.0 - d) * crossed;
        let mu_t = between(self.mu_t, self.mu); // Eq. 10
        let mu_b = between(self.mu_b, self.mu); // Eq. 11
        let drilling = self.drilling.map(|k| between(k.parallel, k.crossed));
        Law::from(cone(mu_t, mu_b, axis, drilling).unwrap_or(Set::Disk(Disk::frictionless())))
    }
}

/// The cone of Eq. 12: a disk where both coefficients agree, with a third axis for drilling.
fn cone(mu_t: f64, mu_b: f64, axis: Rotation, drilling: Option<f64>) -> Result<Set, FrictionError> {
    Ok(match drilling {
        Some(length) => Ellipsoid::new(Ellipse::new(mu_t, mu_b, axis)?, length)?.into(),
        None if mu_t == mu_b => Disk::new(mu_t)?.into(),
        None => Ellipse::new(mu_t, mu_b, axis)?.into(),
    })
}

/// The model by name.
pub(super) static MODEL: Model<Arc<dyn Section>> = Model {
    name: "matchstick",
    doc: "A cone that turns and stretches with the grain of both surfaces (Erleben 2020)",
    keys: &[
        Key::required("mu", Form::Number(Range::NonNegative), "")
            .about("coefficient with crossed grains"),
        Key::required("mu_t", Form::Number(Range::NonNegative), "")
            .about("coefficient along parallel grains"),
        Key::required("mu_b", Form::Number(Range::NonNegative), "")
            .about("coefficient across parallel grains"),
        Key::optional("drilling", Form::Vector(2, Range::NonNegative), "m")
            .about("torque per load with parallel and crossed grains"),
        Key::optional("zero_structure", Form::Word(&words(&ZERO_STRUCTURES)), "")
            .or(Preset::Word("other_decides"))
            .about("what a surface without grain means"),
    ],
    make: |values| Ok(Arc::new(of_values(values)?)),
};

static ZERO_STRUCTURES: [(&str, ZeroStructure); 2] =
    [("other_decides", ZeroStructure::OtherDecides), ("isotropic", ZeroStructure::Isotropic)];

fn of_values(values: &Values) -> Result<Matchstick, KeyError> {
    let [mu, mu_t, mu_b] = ["mu", "mu_t", "mu_b"].map(|key| values.given(key));
    let zero = values.choice("zero_structure", &ZERO_STRUCTURES)?;
    let matchstick = Matchstick::new(mu, mu_t, mu_b).at("mu")?.with_zero_structure(zero);
    match values.vector("drilling") {
        Some([parallel, crossed]) => matchstick.with_drilling(parallel, crossed).at("drilling"),
        None => Ok(matchstick),
    }
}
