//! What holds for every overlap: gradients, symmetry, identity, containment.

mod volume_support;

use asperity_friction::random::Rng;
use asperity_geometry::shape::Shape;
use asperity_geometry::volume::{ClosedShape, Overlap, PatchShape, Scratch, overlaps};
use glamx::{DMat3, DPose3, DRot3, DVec3};
use volume_support::{
    all, at, box_shape, boxed, close, closed, inverted, largest, one, sphere, together, torus,
    turned, winding,
};

fn total(found: &[Overlap]) -> f64 {
    found.iter().map(|o| o.volume).sum()
}

fn random_pose(random: &mut Rng, spread: f64) -> DPose3 {
    let mut number = |scale: f64| scale * (2.0 * random.unit() - 1.0);
    let axis = DVec3::new(number(3.0), number(3.0), number(3.0));
    let shift = DVec3::new(number(spread), number(spread), number(spread));
    DPose3::new(shift, axis)
}

fn bodies() -> Vec<(&'static str, Shape)> {
    vec![
        ("box", box_shape(1.0, 0.7, 0.4)),
        ("torus", torus(0.5, 0.2, 24, 12)),
        ("cylinder", Shape::Cylinder { half_height: 0.4, radius: 0.3 }),
        ("capsule", Shape::Capsule { half_height: 0.3, radius: 0.25 }),
        ("cone", Shape::Cone { half_height: 0.5, radius: 0.4 }),
        ("plate", box_shape(1.2, 0.01, 0.8)),
        ("rod", box_shape(0.02, 1.5, 0.02)),
    ]
}

#[test]
fn the_gradient_is_the_change_of_the_volume() {
    let bodies: Vec<(&str, ClosedShape)> = bodies().iter().map(|(n, s)| (*n, closed(s))).collect();
    let mut random = Rng::new(7);
    let mut compared = 0;
    for (name_a, a) in &bodies {
        for (name_b, b) in &bodies {
            let pose_a = random_pose(&mut random, 2.0);
            let pose_b = pose_a * random_pose(&mut random, 0.3);
            let here = all(a, &pose_a, b, &pose_b);
            let [overlap] = here[..] else { continue };
            let h = 1e-6 * overlap.volume.cbrt();
            for k in 0..6 {
                let (mut shift, mut turn) = (DVec3::ZERO, DVec3::ZERO);
                if k < 3 {
                    shift[k] = h;
                } else {
                    turn[k - 3] = h;
                }
                let c = overlap.centroid;
                let moved = |sign: f64| {
                    let turn = DRot3::from_scaled_axis(sign * turn);
                    let place = c + turn * (pose_b.translation - c) + sign * shift;
                    let pose = DPose3::from_parts(place, turn * pose_b.rotation);
                    total(&all(a, &pose_a, b, &pose))
                };
                let difference = (moved(1.0) - moved(-1.0)) / (2.0 * h);
                let (value, scale) = if k < 3 {
                    (overlap.gradient_linear[k], overlap.surface)
                } else {
                    (overlap.gradient_angular[k - 3], overlap.surface * overlap.volume.cbrt())
                };
                let error = (value - difference).abs() / scale;
                assert!(error < 1e-6, "{name_a} in {name_b}, {k}: {value} {difference} {error:e}");
                compared += 1;
            }
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn volumes_are_the_same_from_both_sides_and_wherever_the_pair_is() {
    let bodies: Vec<ClosedShape> = bodies().iter().map(|(_, s)| closed(s)).collect();
    let mut random = Rng::new(11);
    let mut found = 0;
    for round in 0..4 {
        for a in &bodies {
            for b in &bodies {
                let pose_a = random_pose(&mut random, 1.0);
                let pose_b = pose_a * random_pose(&mut random, 0.4);
                let (ab, ba) = (all(a, &pose_a, b, &pose_b), all(b, &pose_b, a, &pose_a));
                assert_eq!(ab.len(), ba.len());
                close(total(&ab), total(&ba), 1e-12 * total(&ab));
                if let ([o], [p]) = (&ab[..], &ba[..]) {
                    assert!(o.centroid.distance(p.centroid) < 1e-11);
                    assert!(largest(o.second_moment - p.second_moment) < 1e-11 * o.volume);
                    assert!((o.gradient_linear + p.gradient_linear).length() < 1e-11 * o.surface);
                    assert!((o.gradient_angular + p.gradient_angular).length() < 1e-11 * o.surface);
                    found += 1;
                }
                let elsewhere = turned(round + 3);
                let moved = all(a, &(elsewhere * pose_a), b, &(elsewhere * pose_b));
                close(total(&moved), total(&ab), 1e-11 * total(&ab).max(1e-3));
            }
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn a_body_shares_with_itself_what_it_is() {
    for (name, shape) in bodies() {
        let body = closed(&shape);
        let own = all(&body, &at(0.0, 0.0, 0.0), &boxed(9.0, 9.0, 9.0), &at(0.0, 0.0, 0.0))[0];
        for k in 0..8 {
            let pose = if k == 0 { DPose3::IDENTITY } else { turned(k) };
            let same = one(&body, &pose, &body, &pose).unwrap();
            close(same.volume, own.volume, 1e-12 * own.volume);
            let centre = pose.transform_point(own.centroid);
            assert!(same.centroid.distance(centre) < 1e-11, "{name}");
            let turn = DMat3::from_quat(pose.rotation);
            let second = turn * own.second_moment * turn.transpose();
            assert!(largest(same.second_moment - second) < 1e-11 * own.volume, "{name}");
            if k == 0 {
                // Nothing tells one way from the other.
                assert!(same.gradient_linear.length() < 1e-12 * own.surface, "{name} {same:?}");
            }
        }
    }
}

#[test]
fn a_body_inside_another_is_all_of_the_overlap() {
    for (name, shape) in bodies() {
        let (body, big) = (closed(&shape), boxed(5.0, 5.0, 5.0));
        let mass = match &shape {
            Shape::Cylinder { .. } | Shape::Capsule { .. } | Shape::Cone { .. } => None,
            _ => Some(shape.mass_properties(1.0)),
        };
        for k in 0..5 {
            let pose = DPose3::from_rotation(turned(k).rotation);
            for inside in [
                one(&body, &pose, &big, &DPose3::IDENTITY).unwrap(),
                one(&big, &DPose3::IDENTITY, &body, &pose).unwrap(),
            ] {
                assert!(inside.gradient_linear.length() < 1e-14 * inside.surface, "{name}");
                if let Some(Ok(mass)) = &mass {
                    close(inside.volume, mass.mass, 1e-12 * mass.mass);
                    assert!(inside.centroid.distance(pose.transform_point(mass.centre)) < 1e-12);
                }
            }
        }
    }
}

#[test]
fn random_pairs_agree_with_counted_points() {
    let bodies = bodies();
    let mut random = Rng::new(23);
    let mut compared = 0;
    for (i, (_, a)) in bodies.iter().enumerate() {
        for (_, b) in bodies.iter().skip(i % 2) {
            if a.is_convex() && b.is_convex() && i > 2 {
                continue;
            }
            let pose = random_pose(&mut random, 0.25);
            // The mesh that `skin` makes, so that both see one polyhedron.
            let (a, b) = (together(&[(DPose3::IDENTITY, a)]), together(&[(DPose3::IDENTITY, b)]));
            let found = total(&all(&closed(&a), &DPose3::IDENTITY, &closed(&b), &pose));
            let n = 24;
            let (mut count, cell) = (0.0, 2.0 / f64::from(n));
            for x in 0..n {
                for y in 0..n {
                    for z in 0..n {
                        let p = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                        let p = (p + DVec3::new(random.unit(), random.unit(), random.unit()))
                            * cell
                            - DVec3::ONE;
                        let in_b = pose.inverse_transform_point(p);
                        if winding(&b, in_b) > 0.5 && winding(&a, p) > 0.5 {
                            count += 1.0;
                        }
                    }
                }
            }
            // A point in each cell: only cells at the surface err; three deviations.
            let counted = count * cell.powi(3);
            let error = 3.0 * (f64::from(count as u32).max(4.0)).sqrt() * cell.powi(3);
            close(found, counted, error);
            compared += 1;
        }
    }
    assert!(compared > 10);
}

#[test]
fn separate_overlaps_are_separate_and_cavities_are_not() {
    // A table on a floor.
    let leg = box_shape(0.1, 1.0, 0.1);
    let legs = [(0.4, 0.4), (-0.4, 0.4), (0.4, -0.4), (-0.4, -0.4)].map(|(x, z)| at(x, 0.5, z));
    let top = box_shape(1.0, 0.1, 1.0);
    let mut parts: Vec<(DPose3, &Shape)> = legs.iter().map(|p| (*p, &leg)).collect();
    parts.push((at(0.0, 1.04, 0.0), &top));
    let table = closed(&together(&parts));
    let floor = ClosedShape::new(&Shape::HalfSpace { normal: DVec3::Y }).unwrap();
    for floor in [&floor, &boxed(4.0, 2.0, 4.0)] {
        let down = if floor.triangles() == 0 { 0.0 } else { -1.0 };
        let found = all(floor, &at(0.0, down, 0.0), &table, &at(0.0, -0.01, 0.0));
        assert_eq!(found.len(), 4, "{found:?}");
        for overlap in &found {
            close(overlap.volume, 1e-4, 1e-13);
            assert!((overlap.gradient_linear - DVec3::NEG_Y * 0.01).length() < 1e-12);
        }
    }
    // A ring: the ellipse ends at its outer edge.
    let ring = closed(&torus(0.5, 0.2, 48, 24));
    let overlap = one(&floor, &DPose3::IDENTITY, &ring, &at(0.0, 0.1, 0.0)).unwrap();
    let patch = |shape: PatchShape| overlap.patch(DVec3::Y, shape).half;
    let (measured, reach) = (patch(PatchShape::Measured), patch(PatchShape::Reach));
    let share = measured / reach;
    assert!(share.max_element() <= 1.0 && share.min_element() > 0.9, "{measured} {reach}");
    assert!(reach.min_element() > 0.6 && patch(PatchShape::Ellipse).min_element() > 0.7);
    // A hollow ball: its cavity belongs to it, cut by the floor or not.
    let ball = Shape::Sphere { radius: 0.5 };
    let hollow = together(&[
        (DPose3::IDENTITY, &ball),
        (DPose3::IDENTITY, &inverted(&Shape::Sphere { radius: 0.3 })),
    ]);
    let hollow = closed(&hollow);
    for (height, pieces) in [(0.1, 1), (0.35, 1), (-1.0, 1)] {
        let found = all(&floor, &DPose3::IDENTITY, &hollow, &at(0.0, height, 0.0));
        assert_eq!(found.len(), pieces, "{height}: {found:?}");
        let cap = |r: f64| {
            let h = (r - height).clamp(0.0, 2.0 * r);
            std::f64::consts::PI * h * h * (r - h / 3.0)
        };
        let exact = cap(0.5) - cap(0.3);
        close(found[0].volume, exact, 0.08 * exact);
        let boxed = all(&boxed(9.0, 4.0, 9.0), &at(0.0, -2.0, 0.0), &hollow, &at(0.0, height, 0.0));
        assert_eq!(boxed.len(), pieces);
        close(boxed[0].volume, found[0].volume, 1e-12);
        assert!(boxed[0].centroid.distance(found[0].centroid) < 1e-12);
        assert!(largest(boxed[0].second_moment - found[0].second_moment) < 1e-12);
    }
}

#[test]
fn a_second_call_allocates_nothing_and_gives_the_same_bits() {
    let (a, b) = (closed(&torus(0.5, 0.2, 40, 20)), boxed(1.0, 0.4, 0.9));
    let floor = ClosedShape::new(&Shape::HalfSpace { normal: DVec3::Y }).unwrap();
    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    let pose = DPose3::new(DVec3::new(0.2, 0.1, 0.0), DVec3::new(0.3, 0.2, 0.1));
    for (a, b) in [(&a, &b), (&floor, &a), (&b, &b), (&a, &sphere(0.4))] {
        overlaps(a, &DPose3::IDENTITY, b, &pose, &mut scratch, &mut out);
        let first = out.clone();
        assert!(!first.is_empty());
        let counted = allocation_counter::measure(|| {
            overlaps(a, &DPose3::IDENTITY, b, &pose, &mut scratch, &mut out);
        });
        assert_eq!(counted.count_total, 0);
        assert_eq!(first, out);
    }
}

#[test]
fn several_overlaps_join_to_one() {
    // Two feet, and the plate that fills the gap between them.
    let foot = box_shape(0.2, 1.0, 0.2);
    let feet = closed(&together(&[(at(-0.4, 0.5, 0.0), &foot), (at(0.4, 0.5, 0.0), &foot)]));
    let floor = ClosedShape::new(&Shape::HalfSpace { normal: DVec3::Y }).unwrap();
    let found = all(&floor, &DPose3::IDENTITY, &feet, &at(0.1, -0.01, 0.2));
    assert_eq!(found.len(), 2);
    let joined = Overlap::joined(&found).unwrap();
    close(joined.volume, 8e-4, 1e-12);
    assert!(joined.centroid.distance(DVec3::new(0.1, -0.005, 0.2)) < 1e-12);
    // ∫x² dV: each foot about itself and 0.4 away.
    let along = 8e-4 * (0.04 / 12.0 + 0.16);
    close(joined.second_moment.x_axis.x, along, 1e-12);
    assert!((joined.gradient_linear - DVec3::NEG_Y * 0.08).length() < 1e-12);
    assert!(joined.gradient_angular.length() < 1e-12);
    let reach = joined.patch(DVec3::Y, PatchShape::Reach).half;
    close(reach.x, 0.5, 1e-9);
    close(reach.y, 0.1, 1e-9);
    let measured = joined.patch(DVec3::Y, PatchShape::Measured).half;
    assert!(measured.x <= 0.5 + 1e-9 && measured.x > 0.4, "{measured}");
    assert!(Overlap::joined(&[]).is_none());
}

#[test]
fn a_sphere_on_a_flat_face_is_a_cap() {
    let (ball, slab) = (sphere(0.4), boxed(3.0, 1.0, 3.0));
    let floor = ClosedShape::new(&Shape::HalfSpace { normal: DVec3::Y }).unwrap();
    for k in 0..8 {
        let world = turned(k);
        let pose = world * at(0.3, 0.85, -0.2);
        let on_box = one(&slab, &world, &ball, &pose).unwrap();
        let on_plane = one(&floor, &(world * at(0.0, 0.5, 0.0)), &ball, &pose).unwrap();
        close(on_box.volume, on_plane.volume, 1e-12 * on_plane.volume);
        assert!(on_box.centroid.distance(on_plane.centroid) < 1e-12);
        assert!(on_box.gradient_linear.distance(on_plane.gradient_linear) < 1e-12);
        assert_eq!(on_box.gradient_angular, DVec3::ZERO);
        let back = one(&ball, &pose, &slab, &world).unwrap();
        assert!((back.gradient_linear + on_box.gradient_linear).length() < 1e-12);
    }
    // At an edge it is a polyhedron; inside and outside are told apart.
    let edge = one(&slab, &DPose3::IDENTITY, &ball, &at(1.5, 0.5, 0.0)).unwrap();
    let quarter = 0.4_f64.powi(3) * std::f64::consts::PI / 3.0;
    close(edge.volume, quarter, 0.01 * quarter);
    let inside = one(&boxed(3.0, 3.0, 3.0), &DPose3::IDENTITY, &ball, &at(0.1, 0.2, 0.0)).unwrap();
    close(inside.volume, 4.0 * quarter, 0.005 * 4.0 * quarter);
    assert!(one(&slab, &DPose3::IDENTITY, &ball, &at(0.0, 0.95, 0.0)).is_none());
}
