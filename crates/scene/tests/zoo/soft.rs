//! Cloth over an edge, and soft cubes on teeth.

use asperity::glamx::DVec3;
use asperity_scene::NoAssets;

use crate::watch::{Once, RISE, Seen, claim, open, run, watch};

static CLOTH: Once = Once::new(|| watch("cloth_edge", f64::MAX));
static CUBES: Once = Once::new(|| watch("soft_cube", f64::MAX));
static NET_SLOPE: Once = Once::new(watch_net_slope);

/// Largest ratio of an edge's length to that of the start, over the run.
fn stretch(seen: &Seen, soft: usize) -> f64 {
    let start = &seen.moments[0].softs[soft];
    let mut most = 0.0_f64;
    for moment in &seen.moments {
        let now = &moment.softs[soft];
        for triangle in &seen.triangles[soft] {
            for k in 0..3 {
                let [a, b] = [triangle[k] as usize, triangle[(k + 1) % 3] as usize];
                most = most.max(now[a].distance(now[b]) / start[a].distance(start[b]));
            }
        }
    }
    most
}

fn check_finite(seen: &Seen) {
    seen.check_finite();
    let finite = |m: &crate::watch::Moment| m.softs.iter().flatten().all(|p: &DVec3| p.is_finite());
    assert!(seen.moments.iter().all(finite), "{}: vertices are not finite", seen.name);
}

fn check_stretch(seen: &Seen) {
    check_finite(seen);
    let most = stretch(seen, 0);
    eprintln!("{}: edges stretch to {most:.4}", seen.name);
    assert!(most < 1.1, "{}: edges stretch to {most:.3}", seen.name);
}

/// No vertex is inside the table, whose top is at 0.525 m and whose edge is at x = 0, or below the ground.
fn check_outside_table(seen: &Seen) {
    let mut deepest = 0.0_f64;
    for p in seen.moments.iter().flat_map(|m| &m.softs[0]) {
        let inside = (0.525 - p.y).min(p.y - 0.475).min(-p.x).min(p.x + 1.2).min(0.6 - p.z.abs());
        deepest = deepest.max(inside).max(-p.y);
    }
    eprintln!("{}: deepest vertex {deepest:.2e} m", seen.name);
    assert!(deepest < 1e-3, "{}: {deepest:.2e} m inside", seen.name);
}

/// Cubes stay on the floor, keep their size, and stop.
fn check_lands(seen: &Seen) {
    check_finite(seen);
    let lowest = seen.moments.iter().flat_map(|m| m.softs.iter().flatten()).map(|p| p.y);
    let lowest = lowest.fold(f64::MAX, f64::min);
    eprintln!("{}: lowest vertex {lowest:.2e} m", seen.name);
    assert!(lowest > -0.002, "lowest vertex at {lowest:.4} m");
    for soft in 0..2 {
        let end = &seen.end().softs[soft];
        let heights = || end.iter().map(|p| p.y);
        let high = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
        assert!((0.09..0.11).contains(&high), "cube {soft} is {high:.3} m high");
    }
    let end = seen.end().fastest;
    assert!(end < 0.01, "{end:.4} m/s at the end");
}

/// How far the cubes slide along x.
fn slides(seen: &Seen) -> [f64; 2] {
    let centre = |m: &crate::watch::Moment, soft: usize| {
        m.softs[soft].iter().map(|p| p.x).sum::<f64>() / m.softs[soft].len() as f64
    };
    let ways = [0, 1].map(|soft| centre(seen.end(), soft) - centre(&seen.moments[0], soft));
    eprintln!("{}: east {:.4} m, west {:.4} m", seen.name, ways[0], ways[1]);
    ways
}

/// v²/(2 μ g) on teeth of which `part` of the ground leans against the motion by `slope`:
/// μ = μ₀ + (2/π) part · slope (Andrews 2021, Eqs. 3 to 8).
fn stop(part: f64, slope: f64) -> f64 {
    let mu = 0.1 + std::f64::consts::FRAC_2_PI * part * slope;
    1.0 / (2.0 * 9.81 * mu)
}

/// How far a slide may be off: lookups between two facets blur one texel, and a gel cube shears.
const SLIDE: f64 = 0.05;

/// The teeth repeat and close: 4 texels rise by 0.8, 16 fall by 0.2. μ(d) − μ(−d) is the mean slope
/// (the sum of max(0, g·d) less that of max(0, −g·d) is that of g·d), which is zero: steep flanks
/// hold more, and flat ones as many times oftener. Both cubes slide as far.
fn check_teeth(seen: &Seen) {
    let [east, west] = slides(seen);
    let expected = stop(4.0 / 20.0, 0.8);
    assert!((expected - stop(16.0 / 20.0, 0.2)).abs() < 1e-12);
    assert!((east / expected - 1.0).abs() < SLIDE, "{east} for {expected}");
    assert!((west / expected + 1.0).abs() < SLIDE, "{west} for {expected}");
}

/// The same cubes on teeth with a net slope, half of the ground each way.
fn watch_net_slope() -> Option<Seen> {
    let name = "soft_cube";
    let (text, _) = open(name)?;
    let text = text.replace("widths = [4, 16]", "widths = [10, 10]");
    assert!(text.contains("widths = [10, 10]"));
    let scene = asperity_scene::load(&text, name, &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    Some(run("soft_cube with a net slope", &text, scene, f64::MAX))
}

/// Who goes against the steep flanks stops sooner, each where the facets say.
fn check_net_slope(seen: &Seen) {
    let [east, west] = slides(seen);
    let [steep, flat] = [stop(0.5, 0.8), stop(0.5, 0.2)];
    assert!((east / steep - 1.0).abs() < SLIDE, "{east} for {steep}");
    assert!((west / flat + 1.0).abs() < SLIDE, "{west} for {flat}");
}

/// The cubes begin 2 mm above the floor and keep a tenth of their mean edge, 2.8 mm, from it. The
/// first step takes half of that overlap of the start away, as a displacement that velocities do not
/// see; what it lifts and squeezes is not the fault of steps. From then on energy falls.
fn check_energy(seen: &Seen) {
    let lowest = |m: &crate::watch::Moment| m.softs[0].iter().map(|p| p.y).fold(f64::MAX, f64::min);
    let lifted = lowest(&seen.moments[1]) - lowest(&seen.moments[0]);
    assert!(lifted > 0.0, "lifted by {lifted:.1e} m");
    let energies = || seen.moments[1..].iter().map(|m| m.energy);
    let (low, high) = (energies().fold(f64::MAX, f64::min), energies().fold(f64::MIN, f64::max));
    let rises = seen.moments[1..].windows(2).map(|w| (w[1].energy - w[0].energy, w[1].time));
    let (rise, time) = rises.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let part = rise / (high - low);
    assert!(part <= RISE, "energy rises by {part:.1e} at {time:.3} s");
}

claim!(data_cloth_over_an_edge_does_not_stretch: CLOTH, check_stretch);
claim!(data_cloth_stays_outside_the_table: CLOTH, check_outside_table);
claim!(data_soft_cubes_land_and_rest: CUBES, check_lands);
claim!(data_soft_cubes_never_gain_energy: CUBES, check_energy);
claim!(data_teeth_that_close_hold_both_ways_alike: CUBES, check_teeth);
claim!(data_teeth_hold_one_way_more: NET_SLOPE, check_net_slope);
