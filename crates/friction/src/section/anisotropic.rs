//! Anisotropic Coulomb friction as engines have it: one ellipse, along the sliding or along a grain (Erleben et al.
//! 2020, Table 1, second row).

use std::sync::Arc;

use glamx::DVec2;

use super::Section;
use crate::FrictionError;
use crate::error::non_negative;
use crate::law::{ContactState, Law};
use crate::registry::{AtKey, Form, Key, Model, Preset, Range, words};
use crate::set::{Disk, Ellipse, Rotation, Set};

/// An ellipse whose first axis is the direction of sliding, or the grain.
///
/// Along the sliding, friction never leads aside: what slides is held back by μ_t, and what pushes it across by μ_b,
/// whatever its surfaces look like. The axis follows the motion from step to step, so that with ever smaller steps
/// this becomes plain friction with μ_t. At rest any direction may become that of sliding, and the limit is a circle
/// of μ_t.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anisotropic {
    mu_t: f64,
    mu_b: f64,
    axis: Axis,
}

/// What the first axis of the ellipse is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Axis {
    /// The direction in which the contact slides when the step begins. The default.
    #[default]
    Sliding,
    /// The grain: of the one surface that has one, or the mean of both. Without any the limit is a circle of μ_t.
    Grain,
}

impl Anisotropic {
    /// Coefficients along the axis and across it.
    pub fn new(mu_t: f64, mu_b: f64, axis: Axis) -> Result<Anisotropic, FrictionError> {
        Ok(Anisotropic {
            mu_t: non_negative("coefficient along the axis mu_t", mu_t)?,
            mu_b: non_negative("coefficient across the axis mu_b", mu_b)?,
            axis,
        })
    }

    fn set(&self, axis: Option<Rotation>) -> Result<Set, FrictionError> {
        Ok(match axis {
            Some(axis) if self.mu_t != self.mu_b => {
                Ellipse::new(self.mu_t, self.mu_b, axis)?.into()
            }
            _ => Disk::new(self.mu_t)?.into(),
        })
    }
}

impl Section for Anisotropic {
    fn name(&self) -> &'static str {
        "anisotropic"
    }

    fn law(&self, contact: &ContactState) -> Law {
        let axis = match self.axis {
            Axis::Sliding => {
                let (slip, free) = (contact.plane_slip(), contact.free_slip.length());
                // What is held slips by what rounding leaves, in any direction.
                if slip.length() > AT_REST * free { slip } else { DVec2::ZERO }
            }
            Axis::Grain => {
                let [a, b] = contact.surfaces.map(|s| s.structure_in(&contact.frame));
                a + if a.dot(b) < 0.0 { -b } else { b }
            }
        };
        let set = self.set(Rotation::from_direction(axis));
        Law::from(set.unwrap_or(Set::Disk(Disk::frictionless())))
    }
}

/// The model by name.
pub(super) static MODEL: Model<Arc<dyn Section>> = Model {
    name: "anisotropic",
    doc: "An ellipse along the sliding or along the grain, as many engines have it (Erleben 2020, Table 1)",
    keys: &[
        Key::required("mu_t", Form::Number(Range::NonNegative), "")
            .about("coefficient along the axis"),
        Key::required("mu_b", Form::Number(Range::NonNegative), "")
            .about("coefficient across the axis"),
        Key::optional("axis", Form::Word(&words(&AXES)), "")
            .or(Preset::Word("sliding"))
            .about("first axis of the ellipse"),
    ],
    make: |values| {
        let [mu_t, mu_b] = ["mu_t", "mu_b"].map(|key| values.given(key));
        let axis = values.choice("axis", &AXES)?;
        Ok(Arc::new(Anisotropic::new(mu_t, mu_b, axis).at("mu_t")?))
    },
};

/// Slip of what is held, at most, as a part of what it would be without contacts.
const AT_REST: f64 = 1e-6;

static AXES: [(&str, Axis); 2] = [("sliding", Axis::Sliding), ("grain", Axis::Grain)];
