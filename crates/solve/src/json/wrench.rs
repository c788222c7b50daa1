//! Wrench sets in our own format.

use asperity_friction::FrictionError;
use asperity_friction::set::wrench::{Algorithm, Metric, Rim, Rolling, Slip, SpinLaw, Wrench};
use asperity_friction::set::{Ellipse, Rotation, Set};
use glamx::DVec2;
use serde::{Deserialize, Serialize};

use super::native::RawSet;

/// A patch, its section and the options of Algorithm 1.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWrench {
    /// Semi-axes, metres.
    patch: DVec2,
    angle: f64,
    /// Corners of a polygon in place of the ellipse, metres.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hull: Vec<DVec2>,
    section: Box<RawSet>,
    spin: RawSpin,
    #[serde(with = "RawMetric")]
    metric: Metric,
    #[serde(with = "RawSlip")]
    slip: Slip,
    rounds: usize,
    /// Velocity and mean depth of a patch that rolls.
    #[serde(default)]
    rolling: [f64; 3],
    /// Whether contacts at the boundary have a spin torque.
    #[serde(default)]
    braked_rim: bool,
    /// Whether it is Algorithm 1 as printed.
    #[serde(default)]
    printed: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawSpin {
    Corners,
    None,
    /// Least and most per unit load.
    Uniform([f64; 2]),
    /// A limit surface.
    Contensou(Box<RawSet>),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Metric", rename_all = "snake_case")]
enum RawMetric {
    Euclidean,
    Mass,
    Signorini,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Slip", rename_all = "snake_case")]
enum RawSlip {
    Projected,
    Opposed,
}

impl RawWrench {
    pub(super) fn build(self) -> Result<Wrench, FrictionError> {
        let patch = Ellipse::new(self.patch.x, self.patch.y, Rotation::from_angle(self.angle))?;
        let mut wrench = Wrench::new(patch, self.section.build()?)?;
        if !self.hull.is_empty() {
            wrench = wrench.with_hull(&self.hull);
            if wrench.hull().is_none() {
                return Err(FrictionError::Shape(
                    "hull is no polygon; expected three corners or more around the middle"
                        .to_owned(),
                ));
            }
        }
        let spin = match self.spin {
            RawSpin::Corners => SpinLaw::Corners,
            RawSpin::None => SpinLaw::None,
            RawSpin::Uniform([low, high]) => {
                if !(low.is_finite() && high.is_finite() && low <= 0.0 && high >= 0.0) {
                    return Err(FrictionError::Shape(format!(
                        "spin.uniform is [{low}, {high}]; expected finite numbers, the first zero or \
                         less and the second zero or more"
                    )));
                }
                SpinLaw::Uniform([low, high])
            }
            RawSpin::Contensou(surface) => match surface.build()? {
                Set::LimitSurface(surface) => SpinLaw::Contensou(surface),
                other => {
                    return Err(FrictionError::Shape(format!(
                        "spin.contensou is a set of shape {}; expected limit_surface",
                        other.name()
                    )));
                }
            },
        };
        let mut wrench = wrench.with_spin(spin);
        (wrench.metric, wrench.slip) = (self.metric, self.slip);
        wrench.rounds = self.rounds.min(MOST_ROUNDS);
        wrench.rim = if self.braked_rim { Rim::Braked } else { Rim::Free };
        let [x, y, depth] = self.rolling;
        if !(x.is_finite() && y.is_finite() && depth.is_finite() && depth >= 0.0) {
            return Err(FrictionError::Shape(format!(
                "rolling is [{x}, {y}, {depth}]; expected finite numbers, the depth zero or more"
            )));
        }
        wrench.rolling = Rolling { velocity: DVec2::new(x, y), depth };
        Ok(if self.printed { wrench.printed() } else { wrench })
    }
}

impl From<&Wrench> for RawWrench {
    fn from(wrench: &Wrench) -> RawWrench {
        RawWrench {
            patch: wrench.patch().mu(),
            angle: wrench.patch().rotation().angle(),
            hull: wrench.hull().map(<[DVec2]>::to_vec).unwrap_or_default(),
            section: Box::new(RawSet::from(wrench.section())),
            spin: match wrench.spin() {
                SpinLaw::Corners => RawSpin::Corners,
                SpinLaw::None => RawSpin::None,
                SpinLaw::Uniform(bounds) => RawSpin::Uniform(*bounds),
                SpinLaw::Contensou(surface) => {
                    RawSpin::Contensou(Box::new(RawSet::from(&Set::from(surface.clone()))))
                }
            },
            metric: wrench.metric,
            slip: wrench.slip,
            rounds: wrench.rounds,
            rolling: wrench.rolling.velocity.extend(wrench.rolling.depth).to_array(),
            braked_rim: wrench.rim == Rim::Braked,
            printed: wrench.algorithm == Algorithm::Printed,
        }
    }
}

/// More rounds change nothing.
const MOST_ROUNDS: usize = 10_000;
