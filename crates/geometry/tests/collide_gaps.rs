//! Gaps and normals of pairs of shapes against closed forms.

mod collide_support;

use asperity_geometry::shape::Shape;
use collide_support::*;
use glamx::{DPose3, DQuat, DVec3};

#[test]
fn box_at_rest_on_a_tilted_plane_has_gap_zero_to_1e_12_and_the_exact_normal() {
    for degrees in [0.0_f64, 7.0, 20.0, 33.3] {
        let turn = DQuat::from_rotation_z(-degrees.to_radians());
        let normal = turn * DVec3::Y;
        let ramp = DPose3::from_rotation(turn);
        let block = DPose3::from_parts(normal * 0.2 + turn * DVec3::X * 1.7, turn);
        for ramp_shape in [floor(), cuboid(4.0, 0.1, 1.0)] {
            let under = match ramp_shape {
                Shape::HalfSpace { .. } => ramp,
                _ => DPose3::from_parts(-normal * 0.1, turn),
            };
            let found = contacts((&ramp_shape, under), (&cuboid(0.1, 0.2, 0.1), block), 1e-3);
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].points.len(), 4);
            assert!((found[0].normal - normal).length() < 1e-14, "{}", found[0].normal);
            for p in &found[0].points {
                assert!(p.gap.abs() < 1e-12, "{degrees}: {}", p.gap);
                assert!(((p.on_b - p.on_a).dot(found[0].normal) - p.gap).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn every_convex_shape_over_a_plane_has_the_height_of_its_lowest_point() {
    let mut numbers = Numbers(3);
    for shape in convex_shapes() {
        for _ in 0..200 {
            let turn = numbers.rotation();
            let normal = turn * DVec3::Y;
            let plane = DPose3::from_parts(numbers.vector(), turn);
            let mut body = DPose3::from_parts(numbers.vector(), numbers.rotation());
            let height = |b: &DPose3| normal.dot(support(&shape, b, -normal) - plane.translation);
            let wanted = 0.01 * numbers.next();
            body.translation += normal * (wanted - height(&body));
            let found = gap((&floor(), plane), (&shape, body), 0.05);
            assert!((found - wanted).abs() < 1e-12, "{}: {found} {wanted}", shape.name());
        }
    }
}

#[test]
fn sphere_against_each_shape_agrees_with_closed_forms() {
    let ball = Shape::Sphere { radius: 0.1 };
    let cases = [
        (Shape::Sphere { radius: 0.2 }, DVec3::new(0.2, 0.2, 0.1), 0.3 - 0.3),
        (cuboid(0.2, 0.2, 0.2), DVec3::new(0.3, 0.3, 0.3), 0.1 * 3f64.sqrt() - 0.1),
        (cuboid(0.2, 0.2, 0.2), DVec3::new(0.3, 0.3, 0.05), 0.1 * 2f64.sqrt() - 0.1),
        (cuboid(0.2, 0.2, 0.2), DVec3::new(0.29, 0.05, 0.05), -0.01),
        (cuboid(0.2, 0.2, 0.2), DVec3::new(0.15, 0.05, 0.05), -0.15),
        (Shape::Capsule { half_height: 0.3, radius: 0.1 }, DVec3::new(0.3, 0.1, 0.0), 0.1),
        (Shape::Capsule { half_height: 0.3, radius: 0.1 }, DVec3::new(0.3, 0.7, 0.0), 0.3),
        (Shape::Cylinder { half_height: 0.3, radius: 0.1 }, DVec3::new(0.0, 0.1, 0.25), 0.05),
        (Shape::Cylinder { half_height: 0.3, radius: 0.1 }, DVec3::new(0.05, 0.45, 0.0), 0.05),
        (Shape::Cylinder { half_height: 0.3, radius: 0.1 }, DVec3::new(0.4, 0.7, 0.0), 0.4),
        (Shape::Cone { half_height: 0.3, radius: 0.3 }, DVec3::new(0.0, 0.5, 0.0), 0.1),
        (Shape::Cone { half_height: 0.3, radius: 0.3 }, DVec3::new(0.1, -0.5, 0.0), 0.1),
    ];
    let mut numbers = Numbers(5);
    for (shape, position, wanted) in cases {
        for _ in 0..20 {
            let pose = DPose3::from_parts(numbers.vector(), numbers.rotation());
            let other = DPose3::from_translation(pose.transform_point(position));
            let found = gap((&shape, pose), (&ball, other), 1.0);
            assert!((found - wanted).abs() < 1e-12, "{}: {found} {wanted}", shape.name());
        }
    }
}

#[test]
fn capsule_over_a_box_face_edge_and_corner() {
    let capsule = Shape::Capsule { half_height: 0.2, radius: 0.1 };
    let block = cuboid(1.0, 0.5, 1.0);
    let lying = |x: f64, y: f64| turned(x, y, 0.0, DVec3::X, std::f64::consts::FRAC_PI_2);
    // On the face: two points.
    let found = contacts((&block, at(0.0, 0.0, 0.0)), (&capsule, lying(0.0, 0.6)), 0.01);
    assert_eq!(found[0].points.len(), 2);
    assert!(found[0].points.iter().all(|p| p.gap.abs() < 1e-12));
    assert!((found[0].normal - DVec3::Y).length() < 1e-14);
    // Beside the edge, parallel to it: along the whole line.
    let found = contacts((&block, at(0.0, 0.0, 0.0)), (&capsule, lying(1.1, 0.6)), 0.1);
    assert_eq!(found[0].points.len(), 2);
    let wanted = 0.1 * (2f64.sqrt() - 1.0);
    assert!(found[0].points.iter().all(|p| (p.gap - wanted).abs() < 1e-12));
    // Across the edge, tilted 45 degrees about it: one point.
    let tilted = turned(1.1, 0.6, 0.0, DVec3::Z, std::f64::consts::FRAC_PI_4);
    let found = contacts((&block, at(0.0, 0.0, 0.0)), (&capsule, tilted), 0.1);
    assert_eq!(found[0].points.len(), 1);
    assert!((found[0].points[0].gap - wanted).abs() < 1e-12);
    // Over the corner.
    let over = at(1.1, 0.6 + 0.2, 1.1);
    let found = gap((&block, at(0.0, 0.0, 0.0)), (&capsule, over), 0.2);
    assert!((found - 0.1 * (3f64.sqrt() - 1.0)).abs() < 1e-12);
}

#[test]
fn crossed_and_parallel_cylinders_and_capsules() {
    let cylinder = Shape::Cylinder { half_height: 0.5, radius: 0.1 };
    let capsule = Shape::Capsule { half_height: 0.5, radius: 0.1 };
    for a in [&cylinder, &capsule] {
        for b in [&cylinder, &capsule] {
            let crossed = turned(0.0, 0.0, 0.25, DVec3::Z, 1.0);
            let found = contacts((a, at(0.0, 0.0, 0.0)), (b, crossed), 0.1);
            assert_eq!(found[0].points.len(), 1);
            assert!((found[0].points[0].gap - 0.05).abs() < 1e-12, "{}", found[0].points[0].gap);
            assert!((found[0].normal - DVec3::Z).length() < 1e-12);
            let beside = at(0.0, 0.3, 0.199);
            let found = contacts((a, at(0.0, 0.0, 0.0)), (b, beside), 0.1);
            assert_eq!(found[0].points.len(), 2, "{} {}", a.name(), b.name());
            assert!(found[0].points.iter().all(|p| (p.gap + 0.001).abs() < 1e-12));
            let span = (found[0].points[0].on_a - found[0].points[1].on_a).length();
            assert!((span - 0.7).abs() < 1e-9, "{span}");
        }
    }
}

#[test]
fn edges_and_corners_of_boxes() {
    let block = cuboid(0.5, 0.5, 0.5);
    let quarter = std::f64::consts::FRAC_PI_4;
    let upper = DPose3::from_parts(
        DVec3::new(0.0, 2.0 * 0.5f64.sqrt() - 0.01, 0.0),
        DQuat::from_rotation_x(quarter),
    );
    let lower = DPose3::from_rotation(DQuat::from_rotation_z(quarter));
    let found = contacts((&block, lower), (&block, upper), 0.01);
    assert_eq!(found[0].points.len(), 1);
    assert!((found[0].points[0].gap + 0.01).abs() < 1e-12);
    assert!((found[0].normal - DVec3::Y).length() < 1e-12);
    // Corner to corner, apart.
    let apart = at(1.0 + 0.03, 1.0 + 0.03, 1.0 + 0.03);
    let found = gap((&block, at(0.0, 0.0, 0.0)), (&block, apart), 0.1);
    assert!((found - 0.03 * 3f64.sqrt()).abs() < 1e-12, "{found}");
    // Edge to parallel edge, apart.
    let apart = at(1.0 + 0.03, 1.0 + 0.03, 0.2);
    let found = gap((&block, at(0.0, 0.0, 0.0)), (&block, apart), 0.1);
    assert!((found - 0.03 * 2f64.sqrt()).abs() < 1e-12, "{found}");
}

/// The gap is the largest separation over all directions; here they are all tried.
fn brute_gap(a: (&Shape, DPose3), b: (&Shape, DPose3)) -> f64 {
    let at = |n: DVec3| n.dot(support(b.0, &b.1, -n) - support(a.0, &a.1, n));
    let mut numbers = Numbers(17);
    let start = (b.1.translation - a.1.translation).normalize_or(DVec3::Y);
    let mut best = (start, at(start));
    for i in 0..20_000 {
        let spread = 2.0 * 0.999_f64.powi(i);
        let n = (best.0 + numbers.vector() * spread.max(1e-7)).normalize();
        if at(n) > best.1 {
            best = (n, at(n));
        }
    }
    best.1
}

#[test]
fn every_pair_of_convex_shapes_agrees_with_a_search_over_all_directions() {
    let mut numbers = Numbers(29);
    for a in convex_shapes() {
        for b in convex_shapes() {
            for _ in 0..6 {
                let pose_a = DPose3::from_parts(numbers.vector() * 0.1, numbers.rotation());
                let mut pose_b = DPose3::from_parts(numbers.vector(), numbers.rotation());
                // Near each other: along the line of centres, to a gap of a few centimetres.
                for _ in 0..30 {
                    let d = brute_direction_gap((&a, pose_a), (&b, pose_b));
                    let step = (pose_b.translation - pose_a.translation).normalize_or(DVec3::X);
                    pose_b.translation -= step * (d - 0.02 * numbers.next());
                }
                let wanted = brute_gap((&a, pose_a), (&b, pose_b));
                let found = gap((&a, pose_a), (&b, pose_b), 1.0);
                let what = format!("{} {}: {found} {wanted}", a.name(), b.name());
                // Never nearer than the truth; apart, contacts over a face may start a little
                // farther away than the nearest points.
                if wanted < 0.0 {
                    assert!((found - wanted).abs() < 2e-6, "{what}");
                } else {
                    assert!(found > wanted - 2e-6 && found < wanted * 1.8 + 2e-6, "{what}");
                }
            }
        }
    }
}

fn brute_direction_gap(a: (&Shape, DPose3), b: (&Shape, DPose3)) -> f64 {
    let n = (b.1.translation - a.1.translation).normalize_or(DVec3::X);
    n.dot(support(b.0, &b.1, -n) - support(a.0, &a.1, n))
}
