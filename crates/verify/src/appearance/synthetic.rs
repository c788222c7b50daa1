//! The patches of Fig. 8: two maps of 512 × 512 texels, all of them seen.

use std::f64::consts::{FRAC_2_PI, TAU};

use asperity::friction::surface::generate::{
    Grid, gaussian_roughness, gaussian_slopes, sawtooth as painted, sawtooth_heights,
};
use asperity::glamx::DVec2;

use super::{TEXELS, coefficients, plain, whole};
use crate::Check;
use crate::VerifyError;
use crate::pressed::Pressed;

fn grid() -> Grid {
    Grid::square(TEXELS, 0.001)
}

/// Largest over smallest coefficient.
fn spread(mu: &[f64]) -> f64 {
    let (low, high) = mu.iter().fold((f64::INFINITY, 0.0), |(l, h), m| (m.min(l), m.max(h)));
    high / low
}

/// Gaussian heights: every direction alike, and as the mean of max(0, x) of a Gaussian says.
pub(crate) fn isotropic() -> Result<Vec<Check>, VerifyError> {
    // R_a = 1 mm: slopes deviate by 0.886.
    let a = plain(gaussian_roughness(grid(), 1e-3, 1)?);
    let b = plain(gaussian_roughness(grid(), 1e-3, 2)?);
    let pressed = Pressed::new(whole(a.map()), [&a, &b], 0.0);
    let mut checks = vec![Check::near(
        "largest over smallest mu(d), both surfaces",
        1.0,
        spread(&coefficients(&pressed)?),
        0.02,
        "",
    )];
    for (side, (name, relief)) in [("A", &a), ("B", &b)].into_iter().enumerate() {
        let mu = coefficients(&pressed.only(side))?;
        let (_, covariance) = relief.map().moments();
        let ratio = |k: usize| {
            let d = DVec2::from_angle(TAU * k as f64 / 16.0);
            // In the contact plane B's v runs the other way.
            let d = if side == 1 { DVec2::new(d.x, -d.y) } else { d };
            let sigma = d.dot(covariance * d).sqrt();
            mu[k] / (FRAC_2_PI * sigma / TAU.sqrt())
        };
        let worst = (0..16).map(ratio).max_by(|x, y| (x - 1.0).abs().total_cmp(&(y - 1.0).abs()));
        let what = format!("{name}: mu(d) over (2/pi) sigma_d / sqrt(2 pi), worst of 16");
        checks.push(Check::near(&what, 1.0, worst.unwrap_or(f64::NAN), 0.01, ""));
        let sigma = 1e-3 * (0.25 * TAU).sqrt() / (2_f64.sqrt() * 0.001);
        let found = (0.5 * (covariance.x_axis.x + covariance.y_axis.y)).sqrt();
        let what = format!("{name}: slope deviation, R_a sqrt(pi/2) / (sqrt(2) texel)");
        checks.push(Check::relative(&what, sigma, found, 0.01, ""));
    }
    Ok(checks)
}

/// σ = (0.1, 1), read as slopes.
pub(crate) fn anisotropic() -> Result<Vec<Check>, VerifyError> {
    let a = plain(gaussian_slopes(grid(), DVec2::new(0.1, 1.0), 1)?);
    let b = plain(gaussian_slopes(grid(), DVec2::new(0.1, 1.0), 2)?);
    let mu = coefficients(&Pressed::new(whole(a.map()), [&a, &b], 0.0))?;
    let ratio = (mu[4] + mu[12]) / (mu[0] + mu[8]);
    Ok(vec![Check::relative("mu across over mu along, sigma = (0.1, 1)", 10.0, ratio, 0.02, "")])
}

/// Teeth: nothing along the ridges; no asymmetry from heights, all of it from painted slopes.
pub(crate) fn sawtooth() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let teeth = plain(painted(grid(), [1.0, 0.2], [8, 8])?);
    let pressed = Pressed::new(whole(teeth.map()), [&teeth, &teeth], 0.0);
    for (side, name) in ["A", "B"].into_iter().enumerate() {
        let mu = coefficients(&pressed.only(side))?;
        let along = mu[4].max(mu[12]) / mu[0].max(mu[8]);
        checks.push(Check::below(
            &format!("{name}: mu along the ridges over across"),
            1e-12,
            along,
            "",
        ));
        // A climbs along +x, which resists B moving along +x; B's own climb resists −x.
        let (steep, gentle) = if side == 0 { (mu[0], mu[8]) } else { (mu[8], mu[0]) };
        let what = format!("{name}: painted, slopes 1.0 and 0.2: steep over gentle");
        checks.push(Check::relative(&what, 5.0, steep / gentle, 1e-6, ""));
        let what = format!("{name}: mu against the steep side, (2/pi) 1.0 / 2");
        checks.push(Check::relative(&what, 0.5 * FRAC_2_PI, steep, 1e-9, ""));
    }
    let senses = |map| {
        let relief = plain(map);
        let pressed = Pressed::new(whole(relief.map()), [&relief, &relief], 0.0);
        let mu = coefficients(&pressed.only(0))?;
        let apart = (0..8).map(|k| (mu[k] - mu[k + 8]).abs()).fold(0.0, f64::max);
        Ok::<f64, VerifyError>(apart / mu.iter().copied().fold(0.0, f64::max))
    };
    // Slopes of 1, −1/4 and, at the corners, 3/8: single precision holds them exactly. 510 texels
    // would not hold whole teeth of 20, so the map has 500.
    let heights = sawtooth_heights(Grid::square(500, 0.001), 0.004, [4, 16])?;
    let what = "from a periodic height field: both senses apart, of the largest mu";
    checks.push(Check::below(what, 1e-12, senses(heights)?, ""));
    // Other slopes are rounded to single precision, each on its own.
    let rough = gaussian_roughness(grid(), 1e-3, 3)?;
    let what = "the same for rounded slopes (single precision)";
    checks.push(Check::below(what, 1e-8, senses(rough)?, ""));
    Ok(checks)
}
