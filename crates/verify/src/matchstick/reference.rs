//! Trajectories of a second, independent simulator with ever smaller steps, against the scenes.
//!
//! It has its own contacts and solver (proximal sweeps with one factor for both friction rows, to 1e-8), and knows
//! nothing of this library. Its runs with steps of 10 to 0.6 ms agree within the last digit or two given here.

use std::path::Path;

use asperity::glamx::DVec3;

use super::authors::{at_time, follow};
use super::{ARCHES, CYLINDERS, GRAVITY, TOWERS};
use crate::{Check, Host, VerifyError, host};

/// Round cylinders: two slide, one rolls, one leaves the plank.
pub(super) fn cylinders(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let track = follow(&mut host::scene(host, &scenes.join(CYLINDERS))?, 2.0);
    let down = DVec3::new(-1.0, -1.0, 0.0).normalize();
    let pull = GRAVITY * std::f64::consts::FRAC_1_SQRT_2;
    let mut checks = Vec::new();
    for (name, part) in [("aligned", 0.8), ("isotropic", 0.8), ("holds", 2.0 / 3.0)] {
        let off =
            |(time, moved): &(f64, DVec3)| moved.distance(down * (0.5 * part * pull * time * time));
        let worst = track[name].iter().map(off).fold(0.0, f64::max);
        let what = format!("{name}: closed form, every step to 2 s");
        checks.push(Check::below(&what, 1e-3, worst, "m"));
    }
    let off = |(time, along, aside): &(f64, f64, f64)| {
        at_time(&track["skids_off"], *time).distance(down * *along + DVec3::Z * *aside)
    };
    let worst = SKIDS_OFF.iter().map(off).fold(0.0, f64::max);
    checks.push(Check::below("skids_off: second simulator, to 1.8 s", 2e-3, worst, "m"));
    Ok(checks)
}

/// Towers hit by a ball, with steps of 2.5 ms: with those of the scene the right one is some centimetres off.
pub(super) fn towers(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut scene = host::scene(host, &scenes.join(TOWERS))?;
    scene.world.settings.dt = 0.0025;
    let track = follow(&mut scene, 1.2);
    let check = |(side, table): (&str, &[Blocks; 4])| {
        let mut worst = 0.0_f64;
        for (time, blocks) in table {
            for (k, [x, y]) in blocks.iter().enumerate() {
                let moved = at_time(&track[&format!("{side}.{k}")], *time);
                let height = moved.y + 0.5 + k as f64;
                worst = worst.max((moved.x - x).hypot(height - y));
            }
        }
        let what = format!("{side} tower: second simulator, to 1.2 s");
        Check::below(&what, 0.015, worst, "m")
    };
    Ok([("left", &LEFT), ("right", &RIGHT)].into_iter().map(check).collect())
}

/// Arches: one stands by statics, one slides apart at its crown.
pub(super) fn arches(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let track = follow(&mut host::scene(host, &scenes.join(ARCHES))?, 2.0);
    let strong = track.iter().filter(|(name, _)| name.starts_with("strong"));
    let farthest = strong.flat_map(|(_, path)| path).map(|(_, moved)| moved.length());
    let farthest = farthest.fold(0.0, f64::max);
    let mut worst = 0.0_f64;
    for (time, beside, crown) in SINKING {
        for (stone, sunk) in [("weak.2", beside), ("weak.3", crown), ("weak.4", beside)] {
            worst = worst.max((at_time(&track[stone], time).y + sunk).abs());
        }
    }
    Ok(vec![
        Check::below("strong arch stands, to 2 s", 1e-3, farthest, "m"),
        Check::below("weak arch: second simulator, crown to 0.8 s", 5e-3, worst, "m"),
    ])
}

/// Time, metres down the slope and across.
const SKIDS_OFF: [(f64, f64, f64); 9] = [
    (0.2, 0.1036, -0.0131),
    (0.4, 0.4146, -0.0521),
    (0.6, 0.9332, -0.1164),
    (0.8, 1.6600, -0.2048),
    (1.0, 2.5956, -0.3160),
    (1.2, 3.7407, -0.4486),
    (1.4, 5.0960, -0.6011),
    (1.6, 6.6623, -0.7719),
    (1.8, 8.4405, -0.9589),
];

/// Time, and x and y of the six blocks from below, metres.
type Blocks = (f64, [[f64; 2]; 6]);

const LEFT: [Blocks; 4] = [
    (
        0.48,
        [
            [0.0, 0.5],
            [-0.001, 1.501],
            [-0.011, 2.508],
            [-0.049, 3.528],
            [-0.107, 4.526],
            [-0.166, 5.525],
        ],
    ),
    (
        0.8,
        [
            [0.0, 0.5],
            [0.0, 1.5],
            [-0.099, 2.582],
            [-0.298, 3.578],
            [-0.511, 4.556],
            [-0.724, 5.533],
        ],
    ),
    (
        1.0,
        [
            [0.0, 0.5],
            [-0.022, 1.521],
            [-0.201, 2.618],
            [-0.479, 3.579],
            [-0.756, 4.540],
            [-1.034, 5.5],
        ],
    ),
    (
        1.2,
        [
            [0.0, 0.5],
            [-0.020, 1.520],
            [-0.263, 2.650],
            [-0.636, 3.577],
            [-1.010, 4.505],
            [-1.383, 5.433],
        ],
    ),
];
const RIGHT: [Blocks; 4] = [
    (0.48, [[0.0, 0.5], [0.0, 1.5], [0.0, 2.5], [-0.003, 3.5], [-0.103, 4.5], [-0.250, 5.562]]),
    (
        0.8,
        [[0.0, 0.5], [0.0, 1.5], [-0.001, 2.5], [-0.113, 3.502], [-0.511, 4.504], [-1.223, 5.465]],
    ),
    (1.0, [[0.0, 0.5], [0.0, 1.5], [-0.001, 2.5], [-0.197, 3.5], [-0.742, 4.507], [-1.820, 5.123]]),
    (1.2, [[0.0, 0.5], [0.0, 1.5], [-0.001, 2.5], [-0.199, 3.5], [-1.014, 4.399], [-2.420, 4.402]]),
];

/// Time, and how far the stones beside the crown and the crown have sunk, metres.
const SINKING: [(f64, f64, f64); 4] =
    [(0.2, 0.0225, 0.0225), (0.4, 0.0901, 0.0901), (0.6, 0.2014, 0.2019), (0.8, 0.3521, 0.3831)];
