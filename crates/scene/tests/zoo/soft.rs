//! Cloth over an edge, and soft cubes on teeth.

use asperity::glamx::DVec3;

use crate::watch::{Once, Seen, claim, watch};

static CLOTH: Once = Once::new(|| watch("cloth_edge", f64::MAX));
static CUBES: Once = Once::new(|| watch("soft_cube", f64::MAX));

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

/// Steep flanks hold more than flat ones: the cubes slide in their own directions, and unlike far.
fn check_teeth(seen: &Seen) {
    let centre = |m: &crate::watch::Moment, soft: usize| {
        m.softs[soft].iter().map(|p| p.x).sum::<f64>() / m.softs[soft].len() as f64
    };
    let way = |soft| centre(seen.end(), soft) - centre(&seen.moments[0], soft);
    let [east, west] = [way(0), way(1)];
    eprintln!("{}: east {east:.4} m, west {west:.4} m", seen.name);
    // v²/(2 μ g) with μ = 0.1 is the farthest.
    assert!(east > 0.01 && east < 0.51 && west < -0.01 && west > -0.51, "{east} {west}");
    assert!((east + west).abs() > 0.02, "{east} {west}");
}

claim!(data_cloth_over_an_edge_does_not_stretch: CLOTH, check_stretch);
claim!(data_cloth_stays_outside_the_table: CLOTH, check_outside_table);
claim!(data_soft_cubes_land_and_rest: CUBES, check_lands);
claim!(data_soft_cubes_never_gain_energy: CUBES, Seen::check_energy);
claim!(data_teeth_hold_one_way_more: CUBES, check_teeth);
