//! Between which planes an overlap lies.

use asperity_geometry::shape::Shape;
use asperity_geometry::volume::{ClosedShape, NormalRule, Overlap, Scratch, overlaps};
use glamx::{DPose3, DQuat, DVec3};

fn overlap(a: &Shape, b: &Shape, at: DVec3, turn: DQuat) -> Overlap {
    let [a, b] = [a, b].map(|shape| ClosedShape::new(shape).unwrap());
    let mut found = Vec::new();
    let (pose_a, pose_b) = (DPose3::from_rotation(turn), DPose3::from_parts(turn * at, turn));
    overlaps(&a, &pose_a, &b, &pose_b, &mut Scratch::default(), &mut found);
    assert_eq!(found.len(), 1);
    found[0]
}

fn cube(half: f64) -> Shape {
    Shape::Box { half_extents: DVec3::splat(half) }
}

#[test]
fn at_an_edge_there_are_two_sides_with_their_depths_and_areas() {
    let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -0.5, 0.2));
    // Over by 1 mm along x, 3 mm deep along y, 1 m long.
    let found = overlap(&cube(1.0), &cube(0.5), DVec3::new(1.499, 1.497, 0.0), turn);
    let mut sides: Vec<_> = found.sides.iter().filter(|s| s.depth > 0.0).collect();
    sides.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    assert_eq!(sides.len(), 2 + 2, "{sides:?}"); // and the two ends of the smaller cube
    for (side, way, depth) in [(sides[0], DVec3::X, 1e-3), (sides[1], DVec3::Y, 3e-3)] {
        assert!(side.normal.distance(turn * way) < 1e-9, "{side:?}");
        assert!((side.depth - depth).abs() < 1e-12, "{side:?}");
        assert!((side.area - 4e-3 + depth).abs() < 1e-9, "{side:?}");
    }
    // The gradient points in between.
    assert!(found.normal(NormalRule::Gradient).dot(turn * DVec3::Y) < 0.4);
}

#[test]
fn bodies_came_in_by_the_side_that_they_passed_last() {
    let found = overlap(&cube(1.0), &cube(0.5), DVec3::new(1.499, 1.497, 0.0), DQuat::IDENTITY);
    let by = |gone: DVec3, skin: f64| found.entered(gone, |_| skin, None).unwrap().normal;
    assert!(by(DVec3::new(0.0, -5e-3, 0.0), 1e-4).distance(DVec3::Y) < 1e-9);
    // One millimetre counts as touching.
    assert!(by(DVec3::new(0.0, -5e-3, 0.0), 1e-3 + 1e-9).distance(DVec3::X) < 1e-9);
    assert!(by(DVec3::new(-5e-3, -4e-3, 0.0), 1e-4).distance(DVec3::X) < 1e-9);
    // Not in this step: the thinnest.
    assert!(by(DVec3::new(0.0, -1e-3, 0.0), 1e-4).distance(DVec3::X) < 1e-9);
    assert!(found.entered(DVec3::ZERO, |_| 0.0, None).unwrap().normal.distance(DVec3::X) < 1e-9);
}

#[test]
fn where_one_body_shows_one_plane_the_gradient_is_the_normal() {
    let turn = DQuat::from_rotation_z(0.4);
    let [a, b] = [cube(1.0), cube(0.2)].map(|shape| ClosedShape::new(&shape).unwrap());
    let mut found = Vec::new();
    let pose = DPose3::from_parts(DVec3::new(0.0, 1.2, 0.0), turn);
    overlaps(&a, &DPose3::IDENTITY, &b, &pose, &mut Scratch::default(), &mut found);
    assert!(found[0].sides.iter().all(|side| side.depth == 0.0));
    assert!(found[0].normal(NormalRule::Entered).distance(DVec3::Y) < 1e-12);
}
