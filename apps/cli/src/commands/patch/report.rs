//! The numbers of `asperity patch`.

use asperity::friction::section::Ploughing;
use asperity::friction::set::Set;
use asperity::friction::surface::patch::{Sampler, Window};
use asperity::glamx::DVec2;
use serde::Serialize;

use super::Pressed;
use crate::error::CliError;
use crate::error::json_error;
use asperity_chart::Point;

/// Coefficients of a patch.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// Texels that both surfaces cover, and all.
    covered: usize,
    texels: usize,
    width: f64,
    pub(super) ambient: f64,
    combined: &'static str,
    pub(super) directions: Vec<Direction>,
    /// Direction of most friction (second harmonic of mu), degrees, and its amplitude over the mean.
    pub(super) principal: Option<f64>,
    strength: f64,
    /// Corners of the set of forces on B per unit load.
    pub(super) corners: Vec<Point>,
    #[serde(skip)]
    pub(super) set: Set,
    /// Support points of many directions: the curve that the corners lie on.
    #[serde(skip)]
    pub(super) curve: Vec<Point>,
}

/// Motion of B in one direction.
#[derive(Debug, Serialize)]
pub(super) struct Direction {
    degrees: f64,
    pub(super) mu: f64,
    mu_a: f64,
    mu_b: f64,
    /// The force on B, per unit load, that resists most.
    pub(super) force: Point,
}

/// Directions for the principal one and for the curve.
const MANY: usize = 360;

impl Report {
    pub(super) fn new(
        pressed: &Pressed,
        section: &Ploughing,
        sampler: &mut Sampler,
    ) -> Result<Report, CliError> {
        let ambient = section.ambient();
        let [of_a, of_b] = [0, 1].map(|side| {
            let sample = sampler.sample(&pressed.only(side).patch());
            // Adding zero makes a positive zero of a negative one.
            (0..sample.points.len()).map(|k| sample.mu(k) + 0.0).collect::<Vec<f64>>()
        });
        let sample = sampler.sample(&pressed.patch());
        let direction = |k: usize| {
            let (d, p) = sample.in_plane(k);
            Direction {
                degrees: d.to_angle().to_degrees().rem_euclid(360.0),
                mu: sample.mu(k) + ambient,
                mu_a: of_a[k],
                mu_b: of_b[k],
                force: (-(p + d * ambient)).to_array().map(|c| c + 0.0),
            }
        };
        let directions = (0..sample.points.len()).map(direction).collect();
        let set = section.set(&sample);
        let corners = match &set {
            Set::Polygon(polygon) => polygon.corners().iter().map(DVec2::to_array).collect(),
            _ => Vec::new(),
        };
        let (covered, texels) = (sample.covered, sample.texels);
        let mut many = Sampler::new(MANY)?;
        let fine = many.sample(&pressed.patch());
        let (angle, strength) = fine.principal();
        let curve = (0..MANY)
            .map(|k| {
                let (d, p) = fine.in_plane(k);
                (-(p + d * ambient)).to_array()
            })
            .collect();
        let Window { size, .. } = pressed.window;
        Ok(Report {
            covered,
            texels,
            width: size.x,
            ambient,
            combined: "mu = ambient + k_a mu_a + k_b mu_b",
            directions,
            // Less than this is rounding, or a map without any direction.
            principal: (strength > 1e-9).then(|| angle.to_degrees()),
            strength,
            corners,
            set,
            curve,
        })
    }

    pub(super) fn json(&self) -> Result<String, CliError> {
        serde_json::to_string_pretty(self).map_err(|e| json_error(&e))
    }

    /// Smallest and largest coefficient.
    pub(super) fn range(&self) -> [f64; 2] {
        self.directions
            .iter()
            .fold([f64::INFINITY, 0.0], |[low, high], d| [low.min(d.mu), f64::max(high, d.mu)])
    }

    pub(super) fn table(&self) -> String {
        let mut text = format!(
            "{} of {} texels covered by both, patch {} m wide; {} (ambient {})\n",
            self.covered, self.texels, self.width, self.combined, self.ambient
        );
        text += &format!("{:>8} {:>10} {:>10} {:>10}\n", "degrees", "mu", "k_a mu_a", "k_b mu_b");
        for d in &self.directions {
            text +=
                &format!("{:>8.2} {:>10.5} {:>10.5} {:>10.5}\n", d.degrees, d.mu, d.mu_a, d.mu_b);
        }
        let [low, high] = self.range();
        text += &format!("mu from {low:.5} to {high:.5} for motion of B along these directions\n");
        if let Some(angle) = self.principal {
            text += &format!(
                "most friction along {angle:.2} degrees (second harmonic, {:.3} of the mean)\n",
                self.strength
            );
        }
        text
    }
}
