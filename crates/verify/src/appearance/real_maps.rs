//! Normal maps of published assets: friction has the direction of their slopes.

use std::path::Path;

use asperity::friction::surface::SlopeMap;
use asperity::friction::surface::patch::{Sampler, Window};
use asperity::glamx::{DMat2, DVec2};

use super::{apart, plain, whole};
use crate::host::{self, at, stem};
use crate::pressed::{Pressed, Reading};
use crate::{Check, Host, VerifyError};

/// Maps whose deviations differ by more than this have a direction.
const ANISOTROPIC: f64 = 1.5;

pub(crate) fn maps(host: &dyn Host, data: &Path) -> Result<Vec<Check>, VerifyError> {
    let folder = host::inside(host, data, &["data/normal_maps"]);
    let files = host::files(host, &folder, |name| {
        let extension = Path::new(name).extension().map(|e| e.to_string_lossy().to_lowercase());
        matches!(extension.as_deref(), Some("png" | "jpg" | "jpeg"))
    })?;
    if files.is_empty() {
        return Err(at(&folder, "no normal maps (PNG or JPEG) in this folder"));
    }
    let mut sampler = Sampler::new(360)?;
    let mut checks = Vec::new();
    for path in files {
        let name = stem(&path);
        let short = name.split("__").next().unwrap_or(&name);
        let bytes = host.read(&path).map_err(|e| at(&path, &e))?;
        let reading = Reading { width: Some(1.0), ..Reading::default() };
        let map = reading.slopes(&path.display().to_string(), &bytes, 1.0)?;
        let (mean, covariance) = map.moments();
        let net = DMat2::from_cols(mean * mean.x, mean * mean.y);
        // Friction counts slopes from the contact plane: the even part of μ(d) is ½ E|s·d|, which
        // for Gaussian slopes of mean m and covariance C is √(dᵀ(C + m mᵀ)d / 2π) up to fourth
        // order in m. So the second moment is the one about zero. (About the mean no sampler can
        // agree: the slopes of the damask, levelled, have a kurtosis above 5, and E|s·d| summed
        // over its texels lies 8° from the covariance.)
        let (direction, ratio) = main_direction(covariance + net);
        if ratio > ANISOTROPIC {
            let off = apart(principal(&mut sampler, map.clone()).0, direction);
            checks.push(Check::below(&format!("{short}, ratio {ratio:.2}"), 3.0, off, "deg"));
        }
        // Whatever slopes are spread like: by the sampler, and summed over texels.
        for (map, how) in [(map.clone(), ""), (map.levelled()?, ", levelled")] {
            let (direction, strength) = second_harmonic(&map);
            let found = principal(&mut sampler, map);
            let what = format!("{short}{how}: anisotropy by sampler less by texels");
            checks.push(Check::below(&what, 1e-6, found.1 - strength, "of the mean"));
            if strength > 1e-3 {
                let what = format!("{short}{how}: direction by sampler, by texels");
                checks.push(Check::below(&what, 1e-4, apart(found.0, direction), "deg"));
            }
        }
    }
    Ok(checks)
}

/// The main direction of the friction of a whole map, and how much it stands out beside the mean.
fn principal(sampler: &mut Sampler, map: SlopeMap) -> (f64, f64) {
    let relief = plain(map);
    let window = Window { size: relief.map().size(), ..whole(relief.map()) };
    let pressed = Pressed::new(window, [&relief, &relief], 0.0).only(0);
    sampler.sample(&pressed.patch()).principal()
}

/// The angle of the second harmonic of E|s·d|, and its amplitude over the mean.
fn second_harmonic(map: &SlopeMap) -> (f64, f64) {
    let (mut sum, mut mean) = (DVec2::ZERO, 0.0);
    for i in 0..180_u32 {
        let d = DVec2::from_angle(f64::from(i).to_radians());
        let along = |s: &[f32; 2]| (f64::from(s[0]) * d.x + f64::from(s[1]) * d.y).abs();
        let value: f64 = map.slopes().iter().map(along).sum();
        sum += DVec2::from_angle(2.0 * f64::from(i).to_radians()) * value;
        mean += value;
    }
    (0.5 * sum.to_angle(), 2.0 * sum.length() / mean)
}

/// The angle of the larger eigenvalue, and the root of the eigenvalues' ratio.
fn main_direction(c: DMat2) -> (f64, f64) {
    let (mean, half) = (0.5 * (c.x_axis.x + c.y_axis.y), 0.5 * (c.x_axis.x - c.y_axis.y));
    let radius = half.hypot(c.x_axis.y);
    (0.5 * c.x_axis.y.atan2(half), ((mean + radius) / (mean - radius)).sqrt())
}
