//! Normal maps of published assets: friction has the direction of their slopes.

use std::path::Path;

use asperity::friction::surface::patch::{Sampler, Window};
use asperity::glamx::DMat2;

use super::{apart, plain, whole};
use crate::error::CliError;
use crate::patch::{Pressed, Reading, load_map};
use crate::verify::Check;

/// Maps whose deviations differ by more than this have a direction.
const ANISOTROPIC: f64 = 1.5;

pub(super) fn maps(data: &Path) -> Result<Vec<Check>, CliError> {
    let inner = data.join("data").join("normal_maps");
    let folder = if inner.is_dir() { inner.as_path() } else { data };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(CliError::at(folder))? {
        let path = entry.map_err(CliError::at(folder))?.path();
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        if matches!(extension.as_deref(), Some("png" | "jpg" | "jpeg")) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        let message = format!("{}: no normal maps (PNG or JPEG) in this folder", folder.display());
        return Err(CliError::Input(message));
    }
    let mut sampler = Sampler::new(360)?;
    let mut checks = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let reading = Reading { width: 1.0, ..Reading::default() };
        let relief = plain(load_map(&path, reading)?);
        // Friction counts slopes from the contact plane, so a net slope belongs to them: the second
        // moment is taken about zero. About the mean it is printed too.
        let (mean, covariance) = relief.map().moments();
        let (central, _) = main_direction(covariance);
        let net = DMat2::from_cols(mean * mean.x, mean * mean.y);
        let (direction, ratio) = main_direction(covariance + net);
        let window = Window { size: relief.map().size(), ..whole(relief.map()) };
        let pressed = Pressed::new(window, [&relief, &relief], 0.0).only(0);
        let found = sampler.sample(&pressed.patch()).principal().0;
        let off = apart(found, direction);
        let short = name.split("__").next().unwrap_or(&name);
        let about_mean = apart(found, central);
        let what = format!("{short}, ratio {ratio:.2} (about the mean: {about_mean:.1})");
        checks.push(if ratio > ANISOTROPIC {
            Check::below(&what, 3.0, off, "deg")
        } else {
            Check {
                what,
                expected: "isotropic".to_owned(),
                found: format!("{off:.1} deg"),
                allowed: "any".to_owned(),
                holds: true,
            }
        });
    }
    Ok(checks)
}

/// The angle of the larger eigenvalue, and the root of the eigenvalues' ratio.
fn main_direction(c: DMat2) -> (f64, f64) {
    let (mean, half) = (0.5 * (c.x_axis.x + c.y_axis.y), 0.5 * (c.x_axis.x - c.y_axis.y));
    let radius = half.hypot(c.x_axis.y);
    (0.5 * c.x_axis.y.atan2(half), ((mean + radius) / (mean - radius)).sqrt())
}
