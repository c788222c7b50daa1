//! Which points support a body, and that they stay the same.

mod collide_support;

use std::f64::consts::{FRAC_PI_2, PI};

use asperity_geometry::collision::{Collision, Manifold, Mobility};
use asperity_geometry::shape::Shape;
use collide_support::*;
use glamx::{DPose3, DQuat, DVec2, DVec3};

/// Area of the hull of the points, seen from above.
fn support_area(m: &Manifold) -> f64 {
    let mut p: Vec<DVec2> = m.points.iter().map(|p| DVec2::new(p.on_b.x, p.on_b.z)).collect();
    let centre = p.iter().sum::<DVec2>() / p.len() as f64;
    p.sort_by(|a, b| (*a - centre).to_angle().total_cmp(&(*b - centre).to_angle()));
    let n = p.len();
    0.5 * (0..n).map(|i| (p[i] - centre).perp_dot(p[(i + 1) % n] - centre)).sum::<f64>()
}

#[test]
fn cylinder_standing_on_its_face_touches_with_its_rim() {
    let cylinder = Shape::Cylinder { half_height: 0.2, radius: 0.1 };
    for (under, y) in [(floor(), 0.0), (cuboid(1.0, 0.1, 1.0), -0.1)] {
        let standing = turned(0.3, 0.2, 0.1, DVec3::Y, 0.7);
        let found = contacts((&under, at(0.0, y, 0.0)), (&cylinder, standing), 1e-3);
        assert_eq!(found.len(), 1);
        assert!(found[0].points.len() >= 4);
        assert!(support_area(&found[0]) > 0.85 * PI * 0.01);
        for p in &found[0].points {
            assert!(p.gap.abs() < 1e-12);
            let from_axis = DVec2::new(p.on_b.x - 0.3, p.on_b.z - 0.1).length();
            assert!((from_axis - 0.1).abs() < 1e-12);
        }
    }
}

#[test]
fn tilted_cylinder_includes_its_exact_lowest_point() {
    let cylinder = Shape::Cylinder { half_height: 0.2, radius: 0.1 };
    for tilt in [1e-12, 1e-8, 1e-5, 1e-3, 0.3, 1.0, 1.5] {
        let axis = DVec3::new(0.6, 0.0, 0.8);
        let pose = turned(0.0, 0.2, 0.0, axis, tilt);
        let low = support(&cylinder, &pose, DVec3::NEG_Y).y;
        for (under, y) in [(floor(), 0.0), (cuboid(1.0, 0.1, 1.0), -0.1)] {
            let found = contacts((&under, at(0.0, y, 0.0)), (&cylinder, pose), 0.5);
            let least = found[0].points.iter().map(|p| p.gap).fold(1.0, f64::min);
            assert!((least - low).abs() < 1e-9, "{tilt}: {least} {low}");
        }
    }
}

#[test]
fn cylinder_capsule_and_cone_on_their_side_touch_at_two_points() {
    let shapes = [
        (Shape::Cylinder { half_height: 0.2, radius: 0.1 }, FRAC_PI_2),
        (Shape::Capsule { half_height: 0.2, radius: 0.1 }, FRAC_PI_2),
        (Shape::Cone { half_height: 0.2, radius: 0.1 }, FRAC_PI_2 + 0.1f64.atan2(0.4)),
    ];
    for (shape, tilt) in &shapes {
        for (under, y) in [(floor(), 0.0), (cuboid(1.0, 0.1, 1.0), -0.1)] {
            let mut pose = turned(0.0, 0.0, 0.0, DVec3::Z, *tilt);
            pose.translation.y = -support(shape, &pose, DVec3::NEG_Y).y;
            let found = contacts((&under, at(0.0, y, 0.0)), (shape, pose), 1e-3);
            assert_eq!(found[0].points.len(), 2, "{}", shape.name());
            assert!(found[0].points.iter().all(|p| p.gap.abs() < 1e-12));
            let span = (found[0].points[0].on_b - found[0].points[1].on_b).length();
            assert!(span > 0.39, "{}: {span}", shape.name());
        }
    }
}

#[test]
fn stacked_boxes_touch_at_the_corners_of_their_overlap() {
    let (low, high) = (cuboid(0.5, 0.1, 0.3), cuboid(0.2, 0.1, 0.4));
    let found = contacts((&low, at(0.0, 0.0, 0.0)), (&high, at(0.4, 0.2, 0.0)), 1e-3);
    assert_eq!(found.len(), 1);
    let mut corners: Vec<_> = found[0]
        .points
        .iter()
        .map(|p| ((p.on_b.x * 1e6).round() as i64, (p.on_b.z * 1e6).round() as i64))
        .collect();
    corners.sort_unstable();
    let wanted = [(200_000, -300_000), (200_000, 300_000), (500_000, -300_000), (500_000, 300_000)];
    assert_eq!(corners, wanted);
    // Turned by 45 degrees: a full octagon.
    let block = cuboid(0.5, 0.1, 0.5);
    let turned = turned(0.0, 0.2, 0.0, DVec3::Y, PI / 4.0);
    let found = contacts((&block, at(0.0, 0.0, 0.0)), (&block, turned), 1e-3);
    assert_eq!(found[0].points.len(), 8);
    let octagon = 2.0 * (2f64.sqrt() - 1.0);
    assert!((support_area(&found[0]) - octagon).abs() < 1e-12);
    // Flush on a box of the same size.
    let found = contacts((&block, at(0.0, 0.0, 0.0)), (&block, at(0.0, 0.2, 0.0)), 1e-3);
    assert_eq!(found[0].points.len(), 4);
    assert!((support_area(&found[0]) - 1.0).abs() < 1e-12);
}

#[test]
fn disc_over_an_edge_is_supported_up_to_the_edge() {
    let cylinder = Shape::Cylinder { half_height: 0.1, radius: 0.2 };
    let table = cuboid(1.0, 0.1, 1.0);
    let found = contacts((&table, at(0.0, -0.1, 0.0)), (&cylinder, at(0.95, 0.1, 0.0)), 1e-3);
    let far = found[0].points.iter().map(|p| p.on_b.x).fold(0.0, f64::max);
    assert!((far - 1.0).abs() < 1e-12);
    let wanted: f64 = {
        // The part of the disc left of the edge, 5 cm right of its centre.
        let half = (0.05f64 / 0.2).acos();
        PI * 0.04 - 0.04 * (half - half.sin() * half.cos())
    };
    assert!(support_area(&found[0]) > 0.85 * wanted);
    // A small box on a large disc, and a disc on a disc.
    let found = contacts(
        (&cylinder, at(0.0, 0.0, 0.0)),
        (&cuboid(0.05, 0.1, 0.05), at(0.0, 0.2, 0.0)),
        1e-3,
    );
    assert_eq!(found[0].points.len(), 4);
    let small = Shape::Cylinder { half_height: 0.1, radius: 0.05 };
    let found = contacts((&cylinder, at(0.0, 0.0, 0.0)), (&small, at(0.1, 0.2, 0.0)), 1e-3);
    assert_eq!(found[0].points.len(), 8);
    assert!((support_area(&found[0]) / (PI * 0.0025) - 0.9).abs() < 0.01);
}

fn scene() -> (Collision, Vec<DPose3>) {
    let mut shapes = vec![floor()];
    shapes.extend(convex_shapes());
    shapes.extend(convex_shapes());
    let mut collision = Collision::new();
    let mut numbers = Numbers(11);
    let mut poses = Vec::new();
    for (i, shape) in shapes.iter().enumerate() {
        collision.add(i, shape, if i > 0 { Mobility::Free } else { Mobility::Fixed }, 0).unwrap();
        let place = if i == 0 { DVec3::ZERO } else { numbers.vector() * 0.25 + DVec3::Y * 0.2 };
        let turn = if i == 0 { DQuat::IDENTITY } else { numbers.rotation() };
        poses.push(DPose3::from_parts(place, turn));
    }
    (collision, poses)
}

#[test]
fn nothing_changes_to_the_last_bit_while_nothing_moves() {
    let (mut collision, poses) = scene();
    collision.update(&poses, |_| 0.1, 0.01, 0.01);
    let first = collision.manifolds().to_vec();
    assert!(first.len() > 20);
    for _ in 0..5 {
        collision.update(&poses, |_| 0.1, 0.01, 0.01);
        assert_eq!(collision.manifolds(), first);
    }
    // A new collision world finds the same.
    let (mut other, _) = scene();
    other.update(&poses, |_| 0.1, 0.01, 0.01);
    assert_eq!(other.manifolds(), first);
}

/// Kept manifolds follow small motions as if they were found anew, and larger ones are.
#[test]
fn kept_contacts_agree_with_new_ones() {
    let (mut collision, start) = scene();
    let mut numbers = Numbers(5);
    for scale in [1e-7, 1e-6, 1e-5, 1e-4, 1e-2] {
        let mut poses = start.clone();
        collision.update(&poses, |_| 0.1, 0.01, 0.01);
        for pose in &mut poses[1..] {
            let turn = DQuat::from_scaled_axis(numbers.vector() * scale) * pose.rotation;
            *pose = DPose3::from_parts(pose.translation + numbers.vector() * scale, turn);
        }
        collision.update(&poses, |_| 0.1, 0.01, 0.01);
        let (mut fresh, _) = scene();
        fresh.update(&poses, |_| 0.1, 0.01, 0.01);
        let deepest = |m: &Manifold| m.points.iter().fold(f64::INFINITY, |g, p| g.min(p.gap));
        for m in fresh.manifolds() {
            let same = |o: &&Manifold| o.bodies == m.bodies && o.parts == m.parts;
            let Some(kept) = collision.manifolds().iter().find(same) else {
                assert!(deepest(m) > -1e-6, "{:?} is lost", m.bodies);
                continue;
            };
            // Where the pair was kept, both motions were below 1e-5 of a size of 0.1 to 0.4 m.
            assert!((deepest(kept) - deepest(m)).abs() < 1e-5, "{:?} at {scale}", m.bodies);
        }
    }
}

#[test]
fn a_new_point_takes_the_place_of_the_one_that_is_no_more() {
    let mut collision = Collision::new();
    let half = cuboid(0.1, 0.1, 0.1);
    collision.add(0, &half, Mobility::Fixed, 0).unwrap();
    collision.add(1, &half, Mobility::Free, 0).unwrap();
    let pose = |angle: f64| {
        vec![at(0.0, 0.0, 0.0), DPose3::from_parts(DVec3::Y * 0.2, DQuat::from_rotation_y(angle))]
    };
    collision.update(&pose(0.0), |_| 0.0, 0.01, 1e-3);
    let before: Vec<u64> = collision.manifolds()[0].points.iter().map(|p| p.id).collect();
    assert_eq!(before.len(), 4);
    // Turned by a hair: the edges cross in their middles, but only corners count, and each
    // knows the one it follows.
    collision.update(&pose(3e-5), |_| 0.0, 0.01, 1e-3);
    let points = &collision.manifolds()[0].points;
    assert_eq!(points.len(), 4);
    let mut was: Vec<u64> = points.iter().map(|p| p.was).collect();
    was.sort_unstable();
    let mut sorted = before.clone();
    sorted.sort_unstable();
    assert_eq!(was, sorted);
}

#[test]
fn manifolds_are_ordered_and_normals_point_from_a_to_b() {
    let (mut collision, poses) = scene();
    collision.update(&poses, |_| 0.0, 0.01, 0.01);
    let keys: Vec<_> = collision.manifolds().iter().map(|m| (m.bodies, m.parts)).collect();
    assert!(keys.is_sorted());
    for m in collision.manifolds() {
        assert!(m.bodies[0] < m.bodies[1]);
        assert!((m.normal.length() - 1.0).abs() < 1e-12);
        let mut ids: Vec<u64> = m.points.iter().map(|p| p.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), m.points.len());
        for p in &m.points {
            assert!(((p.on_b - p.on_a).dot(m.normal) - p.gap).abs() < 1e-9);
        }
    }
}

#[test]
fn ids_survive_small_motions() {
    let cases = [
        (cuboid(1.0, 0.1, 1.0), cuboid(0.2, 0.2, 0.2), 0.3),
        (floor(), cuboid(0.2, 0.2, 0.2), 0.2),
        (cuboid(1.0, 0.1, 1.0), Shape::Cylinder { half_height: 0.2, radius: 0.1 }, 0.3),
        (cuboid(0.1, 0.1, 0.1), cuboid(0.2, 0.2, 0.2), 0.3),
    ];
    for (under, over, y) in cases {
        let ids = |pose: DPose3| {
            let found = contacts((&under, at(0.0, 0.0, 0.0)), (&over, pose), 1e-3);
            let mut ids: Vec<u64> = found[0].points.iter().map(|p| p.id).collect();
            ids.sort_unstable();
            ids
        };
        let mut numbers = Numbers(2);
        let first = ids(at(0.01, y, 0.02));
        for _ in 0..50 {
            let d = numbers.vector() * DVec3::new(1e-3, 1e-5, 1e-3);
            let turn = DQuat::from_scaled_axis(numbers.vector() * DVec3::new(1e-5, 1e-3, 1e-5));
            let pose = DPose3::from_parts(DVec3::new(0.01, y, 0.02) + d, turn);
            assert_eq!(ids(pose), first);
        }
    }
}

#[test]
fn wild_and_non_finite_poses_do_no_harm() {
    let (mut collision, mut poses) = scene();
    let mut numbers = Numbers(23);
    for step in 0..300 {
        for pose in poses.iter_mut().skip(1) {
            let scale = [0.0, 1e-9, 0.2, 1.0, 1e3, 1e9][step % 6];
            *pose = DPose3::from_parts(numbers.vector() * scale, numbers.rotation());
        }
        if step % 3 == 0 {
            poses[2].translation.x = f64::NAN;
            poses[3].rotation = DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0);
            poses[4].translation.y = f64::INFINITY;
            poses[5].rotation = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        }
        let speed = |i: usize| [0.0, f64::NAN, f64::INFINITY, 1e3][i % 4];
        collision.update(&poses, speed, 0.01, 0.01);
        for (i, m) in collision.manifolds().iter().enumerate() {
            assert!(step % 3 != 0 || !m.bodies.iter().any(|b| (2..=5).contains(b)));
            assert!(m.points.iter().all(|p| p.gap.is_finite() && p.on_a.is_finite()));
            collision.patch(i, &poses);
        }
    }
}
