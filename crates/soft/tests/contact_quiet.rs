//! Searches that are left out while nothing is near miss nothing.

mod contact_common;

use asperity_soft::contact::{ContactMesh, Contacts, Detector, Motion, Topology};
use contact_common::sheet;
use glamx::DVec3;

fn two_sheets() -> (Vec<DVec3>, Detector) {
    let (mut positions, _, below) = sheet(1.0, 6, 0.0, 0);
    let n = positions.len() as u32;
    let (upper, _, above) = sheet(0.6, 4, 0.4, n);
    positions.extend(upper);
    let mesh = |vertices, triangles| ContactMesh {
        vertices,
        triangles,
        edges: &[],
        points: &[],
        self_contact: false,
        rigid: false,
    };
    let all = positions.len() as u32;
    let meshes = [mesh(0..n, &below), mesh(n..all, &above)];
    let topology = Topology::new(positions.len(), &meshes).unwrap();
    (positions, Detector::new(topology, 4e-3).unwrap())
}

/// One sheet comes down on another, at several speeds and with a stop on the way. A detector that
/// remembers finds what one finds that sees the step alone.
#[test]
fn a_detector_that_remembers_finds_what_a_new_one_finds() {
    for (speed, dt) in [(0.5, 1e-3), (5.0, 1e-3), (2.0, 0.01), (40.0, 0.01)] {
        let (mut positions, mut detector) = two_sheets();
        let first_above = 49;
        let (mut touched, mut met) = (0, 0);
        let steps = (0.45 / (speed * dt)) as usize + 20;
        for step in 0..steps {
            // Rests for a while, then drops, turning a little.
            let falls = if step < 10 { 0.0 } else { speed };
            let velocity = |(i, x): (usize, &DVec3)| {
                let down = DVec3::new(0.3 * falls, 0.2 * falls * x.x, -falls * (1.0 + 0.1 * x.y));
                if i < first_above { DVec3::X * 0.1 * falls } else { down }
            };
            let velocities: Vec<DVec3> = positions.iter().enumerate().map(velocity).collect();
            let motion = Motion { positions: &positions, velocities: &velocities, dt };
            let (_, mut fresh) = two_sheets();
            let (mut a, mut b) = (Contacts::default(), Contacts::default());
            detector.find(&motion, &mut a).unwrap();
            fresh.find(&motion, &mut b).unwrap();
            let sorted = |c: &Contacts| {
                let mut list: Vec<_> = c.list.iter().map(|c| (c.vertices, c.split)).collect();
                list.sort_unstable();
                list
            };
            assert_eq!(sorted(&a), sorted(&b), "speed {speed}, step {step}");
            let (mut c, mut d) = (Vec::new(), Vec::new());
            detector.find_impacts(&motion, &[], None, &mut c).unwrap();
            fresh.find_impacts(&motion, &[], None, &mut d).unwrap();
            assert_eq!(c.len(), d.len(), "speed {speed}, step {step}");
            (touched, met) = (touched + a.list.len(), met + c.len());
            for (x, v) in positions.iter_mut().zip(&velocities) {
                *x += *v * dt;
            }
        }
        // Fast ones pass within a step: met, if never near at its beginning.
        assert!(met > 0 && (touched > 0 || speed > 30.0), "{touched} near, {met} met");
    }
}

/// Numbers that are not finite are reported, also where nothing was near before.
#[test]
fn numbers_that_are_not_finite_end_the_quiet() {
    let (mut positions, mut detector) = two_sheets();
    let velocities = vec![DVec3::ZERO; positions.len()];
    for (bad, expected) in [(0.1, false), (f64::NAN, true), (f64::INFINITY, true)] {
        positions[60].y = bad;
        let mut found = Contacts::default();
        let motion = Motion { positions: &positions, velocities: &velocities, dt: 1e-3 };
        detector.find(&motion, &mut found).unwrap();
        assert_eq!(found.left_out > 0, expected, "{bad}");
        let mut impacts = Vec::new();
        let left_out = detector.find_impacts(&motion, &[], None, &mut impacts).unwrap();
        assert_eq!(left_out > 0, expected, "{bad}");
    }
}
