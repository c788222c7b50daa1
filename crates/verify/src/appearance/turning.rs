//! Maps that are turned against the sixteen directions, and against each other.

use asperity::friction::section::Ploughing;
use asperity::friction::surface::SlopeMap;
use asperity::friction::surface::generate::{
    Grid, brushed, gaussian_slopes, ridges as round, sawtooth, wood,
};
use asperity::friction::surface::patch::Sampler;
use asperity::glamx::DVec2;

use super::{TEXELS, apart, plain, whole};
use crate::Check;
use crate::VerifyError;
use crate::pressed::Pressed;

/// A sawtooth on B, turned: the polygon of sixteen support points has nothing along the ridges.
pub(crate) fn ridges() -> Result<Vec<Check>, VerifyError> {
    let teeth = plain(sawtooth(Grid::square(TEXELS, 0.001), [1.0, 0.2], [8, 8])?);
    let section = Ploughing::new(0.0)?;
    let mut sampler = Sampler::new(16)?;
    let mut checks = Vec::new();
    for degrees in [0.0, 11.25, 30.0, 45.0] {
        let angle = f64::to_radians(degrees);
        let pressed = Pressed::new(whole(teeth.map()), [&teeth, &teeth], angle).only(1);
        let set = section.set(&sampler.sample(&pressed.patch()));
        let friction = |d: DVec2| set.support(&[-d.x, -d.y], 1.0);
        let (across, along) = (DVec2::from_angle(angle), DVec2::from_angle(angle).perp());
        let most = friction(across).max(friction(-across));
        let leak = friction(along).max(friction(-along)) / most;
        let what = format!("turned by {degrees} deg: along the ridges over across, K = 16");
        checks.push(Check::below(&what, 0.01, leak, ""));
    }
    Ok(checks)
}

/// Turning map B under the same window turns the direction of its friction.
pub(crate) fn turned() -> Result<Vec<Check>, VerifyError> {
    let grid = Grid::square(TEXELS, 0.001);
    let maps: [(&str, SlopeMap); 5] = [
        ("sawtooth", sawtooth(grid, [1.0, 0.2], [8, 8])?),
        ("ridges", round(grid, 32, 0.5)?),
        ("brushed metal", brushed(grid, 2e-5, 0.06, 1)?),
        ("wood", wood(grid, 2e-4, 0.02, 1)?),
        ("slopes (0.1, 1)", gaussian_slopes(grid, DVec2::new(0.1, 1.0), 1)?),
    ];
    let mut sampler = Sampler::new(360)?;
    let mut checks = Vec::new();
    for (name, map) in maps {
        let relief = plain(map);
        let mut direction = |angle: f64| {
            let pressed = Pressed::new(whole(relief.map()), [&relief, &relief], angle).only(1);
            sampler.sample(&pressed.patch()).principal().0
        };
        let at_rest = direction(0.0);
        let mut worst = 0.0_f64;
        for degrees in [11.25, 30.0, 45.0, 70.0, 90.0, 137.0] {
            let angle = f64::to_radians(degrees);
            worst = worst.max(apart(direction(angle) - angle, at_rest));
        }
        let what = format!("{name}: its direction and B's turn apart, worst of six");
        checks.push(Check::below(&what, 0.5, worst, "deg"));
    }
    Ok(checks)
}
