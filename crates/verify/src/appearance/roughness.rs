//! Friction against roughness (Fig. 2): what the model has of the curve, by its closed form and by the sampler.

use std::f64::consts::{FRAC_2_PI, PI, SQRT_2, TAU};

use asperity::friction::surface::generate::{Grid, gaussian_roughness};

use super::{coefficients, plain, whole};
use crate::pressed::Pressed;
use crate::{Check, VerifyError};

/// Texels along a side of the maps.
const TEXELS: usize = 256;

/// What two surfaces of Gaussian heights add to μ₀, each of deviation `rms` metres on texels of `texel` metres: slopes
/// deviate by s = rms / (√2 texel), and the mean of max(0, x) of a Gaussian is s/√(2π) (Eqs. 3 to 8).
pub fn growth(rms: f64, texel: f64) -> f64 {
    2.0 * FRAC_2_PI * rms / (SQRT_2 * texel) / TAU.sqrt()
}

/// The same of two generated maps, the mean over sixteen directions.
pub fn sampled_growth(rms: f64, texel: f64) -> Result<f64, VerifyError> {
    // R_a is the mean of |h|.
    let ra = rms * (2.0 / PI).sqrt();
    let grid = Grid::square(TEXELS, texel);
    let [a, b] = [1, 2].map(|seed| gaussian_roughness(grid, ra, seed).map(plain));
    let (a, b) = (a?, b?);
    let mu = coefficients(&Pressed::new(whole(a.map()), [&a, &b], 0.0))?;
    Ok(mu.iter().sum::<f64>() / mu.len() as f64)
}

/// Deviations of heights that are looked at, micrometres; the texels of the maps, metres; μ₀.
const RMS: [f64; 5] = [0.1, 1.0, 2.0, 10.0, 100.0];
const TEXEL: f64 = 1e-4;
const AMBIENT: f64 = 0.2;

/// Constant where surfaces are smooth, growing with roughness beyond about 2 µm.
pub(crate) fn curve() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let mut mu = Vec::new();
    for rms in RMS {
        let (theory, found) = (growth(1e-6 * rms, TEXEL), sampled_growth(1e-6 * rms, TEXEL)?);
        let what = format!("{rms} um RMS on texels of 0.1 mm: mu - mu_0");
        checks.push(Check::relative(&what, theory, found, 0.02, ""));
        mu.push(AMBIENT + found);
    }
    checks.push(Check::below("2 um: growth of mu, mu_0 = 0.2", 0.05, mu[2] / AMBIENT - 1.0, ""));
    checks.push(Check::above("100 um: growth of mu", 1.0, mu[4] / AMBIENT - 1.0, ""));
    let flat = sampled_growth(0.0, TEXEL)?;
    checks.push(Check::near("control: maps without heights add", 0.0, flat, 1e-12, ""));
    Ok(checks)
}
