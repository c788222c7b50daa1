//! Sets with torques, cut at zero torque.

use std::f64::consts::TAU;

use asperity_friction::extent::{
    Wrench, cell_set, disc_set, line_polytope, line_set, polygon_polytope, polygon_set,
};
use asperity_friction::set::{
    BoxSet, Disk, DiskDisk, Ellipse, Ellipsoid, Interval, Polygon, Rotation, Set,
};
use asperity_friction::testing::Rng;
use glamx::DVec2;

fn with_torques() -> Vec<Set> {
    let turned = Rotation::from_angle(0.4);
    let ellipse = Ellipse::new(0.2, 0.7, turned).unwrap();
    // Not the same in opposite directions.
    let teeth = [[-0.8, 0.1], [0.1, -0.1], [0.2, 0.1], [0.0, 0.3]].map(DVec2::from_array);
    let teeth = Polygon::from_points(&teeth).unwrap();
    let patch = [[0.0, 0.0], [0.3, 0.0], [0.3, 0.1], [0.1, 0.2]].map(DVec2::from_array);
    let pressure = asperity_friction::extent::Shape::LineGradient.pressure(9, 0.1).unwrap();
    vec![
        Ellipsoid::new(ellipse, 0.01).unwrap().into(),
        DiskDisk::new(0.4, 0.002).unwrap().into(),
        disc_set(0.05, None, 0.6, 8).unwrap().into(),
        polygon_set(&patch, ellipse, 4).unwrap().into(),
        line_set(0.1, ellipse, 8).unwrap().into(),
        cell_set(&pressure, ellipse, 4).unwrap().into(),
        polygon_polytope(&patch, &teeth, 4).unwrap().into(),
        line_polytope(0.1, &teeth, 8).unwrap().into(),
    ]
}

/// Whether a set holds (t, b) with nothing in the rows after them.
fn holds(set: &Set, force: DVec2) -> bool {
    let mut all = [0.0; 6];
    all[..2].copy_from_slice(&force.to_array());
    set.contains(&all[..set.dim()], 1.0, 1e-9)
}

#[test]
fn the_cut_holds_just_the_forces_that_come_without_torque() {
    let mut rng = Rng::for_case("planar cut", 0);
    for set in with_torques() {
        let cut = set.without_torque().unwrap();
        assert_eq!(cut.dim(), 2, "{}", set.name());
        for _ in 0..200 {
            let d = DVec2::from_angle(rng.uniform(0.0, TAU));
            // How far the cut reaches along d.
            let (mut low, mut high) = (0.0, 2.0);
            for _ in 0..50 {
                let middle = 0.5 * (low + high);
                let inside = cut.contains(&(d * middle).to_array(), 1.0, 1e-14);
                *(if inside { &mut low } else { &mut high }) = middle;
            }
            assert!(holds(&set, d * (low * (1.0 - 1e-6))), "{}: {d} {low}", set.name());
            assert!(!holds(&set, d * (low * (1.0 + 1e-6) + 1e-7)), "{}: {d} {low}", set.name());
        }
    }
}

#[test]
fn planar_sets_are_their_own_cut() {
    let ellipse = Ellipse::new(0.2, 0.7, Rotation::from_angle(0.4)).unwrap();
    let side = Interval::new(-0.1, 0.5).unwrap();
    let sets: [Set; 4] = [
        Disk::new(0.3).unwrap().into(),
        ellipse.into(),
        BoxSet::new(side, side, Rotation::IDENTITY).into(),
        Set::Free(2),
    ];
    for set in sets {
        assert_eq!(set.without_torque(), Some(set));
    }
}

#[test]
fn what_has_no_planar_cut_says_so() {
    let disk = Set::from(Disk::new(0.3).unwrap());
    let patch = Ellipse::new(0.1, 0.1, Rotation::IDENTITY).unwrap();
    let wrench = Wrench::new(patch, disk).unwrap();
    for set in [Set::Free(3), Interval::new(-1.0, 1.0).unwrap().into(), wrench.into()] {
        assert_eq!(set.without_torque(), None);
    }
}
