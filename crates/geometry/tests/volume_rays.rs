//! Rays come as near to the exact overlap as they are close.

mod volume_support;

use asperity_geometry::shape::Shape;
use asperity_geometry::volume::{ClosedShape, overlap_by_rays};
use glamx::{DPose3, DVec3};
use volume_support::{at, box_shape, boxed, closed, largest, one, torus, turned};

#[test]
fn rays_converge_to_the_exact_overlap() {
    let bodies = [
        torus(0.5, 0.2, 24, 12),
        box_shape(0.6, 0.5, 0.7),
        Shape::Cone { half_height: 0.5, radius: 0.4 },
    ];
    let mut compared = 0;
    for (i, a) in bodies.iter().enumerate() {
        for (j, b) in bodies.iter().enumerate() {
            let (a, b) = (closed(a), closed(b));
            let pose_a = turned((i + 3 * j) as u32);
            let pose_b = pose_a * DPose3::new(DVec3::new(0.2, 0.3, 0.1), DVec3::new(0.3, 1.0, 0.2));
            let found = volume_support::all(&a, &pose_a, &b, &pose_b);
            let [exact] = found[..] else { continue };
            for rays in [24, 48, 96, 192] {
                let seen = overlap_by_rays(&a, &pose_a, &b, &pose_b, rays).unwrap();
                // The distance of rays in units of the overlap's size, with room for its shape.
                let size = exact.volume.cbrt();
                let near = 2.0 / rays as f64;
                let volume = (seen.volume / exact.volume - 1.0).abs();
                let centroid = seen.centroid.distance(exact.centroid) / size;
                let second = largest(seen.second_moment - exact.second_moment);
                let second = second / (exact.volume * size * size);
                let gradient = seen.gradient_linear.distance(exact.gradient_linear) / exact.surface;
                let angular = seen.gradient_angular.distance(exact.gradient_angular);
                let angular = angular / (exact.surface * size);
                let errors = [volume, centroid, second, gradient, angular];
                assert!(errors.iter().all(|e| *e < near), "{i} {j} {rays}: {errors:?}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn rays_see_half_spaces_and_coplanar_faces_and_nothing_where_there_is_nothing() {
    let floor = ClosedShape::new(&Shape::HalfSpace { normal: DVec3::Y }).unwrap();
    let block = boxed(1.0, 1.0, 1.0);
    for pose in [at(0.0, 0.4, 0.0), at(3.0, -5.0, 1.0)] {
        let exact = one(&floor, &DPose3::IDENTITY, &block, &pose).unwrap();
        let seen = overlap_by_rays(&floor, &DPose3::IDENTITY, &block, &pose, 50).unwrap();
        assert!(
            (seen.volume / exact.volume - 1.0).abs() < 0.03,
            "{} {}",
            seen.volume,
            exact.volume
        );
        assert!(seen.gradient_linear.distance(exact.gradient_linear) < 0.03);
    }
    // Rays along all edges of two boxes that are one: none slips through.
    let same = overlap_by_rays(&block, &DPose3::IDENTITY, &block, &DPose3::IDENTITY, 64).unwrap();
    assert!((same.volume - 1.0).abs() < 1e-9, "{}", same.volume);
    assert!(overlap_by_rays(&block, &DPose3::IDENTITY, &block, &at(2.0, 0.0, 0.0), 64).is_none());
    assert!(overlap_by_rays(&floor, &DPose3::IDENTITY, &floor, &DPose3::IDENTITY, 64).is_none());
}

#[test]
fn sheets_and_rods_thinner_than_the_distance_of_rays_have_a_defined_overlap() {
    // Along the axes of A a single row of rays meets what is thinner than a cell, as thick as a cell.
    let (large, small) = (boxed(2.0, 2.0, 2.0), boxed(1.0, 1.0, 1.0));
    let here = DPose3::IDENTITY;
    for thin in [1e-3, 1e-6, 1e-9] {
        let cell = 1.0 / 64.0;
        let sheet = overlap_by_rays(&large, &here, &small, &at(0.0, 1.5 - thin, 0.0), 64).unwrap();
        let expected = (thin + 2.0 * cell) / 3.0;
        assert!((sheet.volume / expected - 1.0).abs() < 1e-6, "{} {expected}", sheet.volume);
        // The gradient is seen along it, as it is: 1 m² up.
        assert!(sheet.gradient_linear.distance(-DVec3::Y) < 1e-9, "{}", sheet.gradient_linear);
        let rod = overlap_by_rays(&large, &here, &small, &at(1.5 - thin, 1.5 - thin, 0.0), 64);
        let rod = rod.unwrap();
        // Along it one ray, a cell across; across it 64, each as thick as the rod is.
        let expected = (cell * cell + 2.0 * thin * cell) / 3.0;
        assert!((rod.volume / expected - 1.0).abs() < 1e-6, "{} {expected}", rod.volume);
        assert!(rod.centroid.distance(DVec3::new(1.0, 1.0, 0.0)) < cell);
    }
    // Where rays are oblique they meet such overlaps or miss them: never off by more than a cell over all
    // the surface.
    let (mut met, mut missed) = (0, 0);
    for k in 0..60 {
        let turn = turned(k).rotation;
        let side = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let corner = |k: usize| turn * DVec3::new(side(k, 0), side(k, 1), side(k, 2));
        let leaning = closed(&Shape::ConvexHull { points: (0..8).map(corner).collect() });
        let back = DPose3::from_parts(DVec3::ZERO, turn.inverse());
        for thin in [1e-2, 1e-4] {
            for shift in [DVec3::Y * (1.5 - thin), DVec3::new(1.5 - thin, 1.5 - thin, 0.2)] {
                let other = DPose3::from_translation(shift);
                let exact = one(&large, &here, &small, &other).unwrap();
                let seen = overlap_by_rays(&leaning, &back, &small, &other, 32);
                *if seen.is_some() { &mut met } else { &mut missed } += 1;
                let volume = seen.map_or(0.0, |s| s.volume);
                let cell = 3.0_f64.sqrt() / 32.0; // the region is at most so long
                assert!((volume - exact.volume).abs() <= cell * exact.surface, "{k} {thin}");
                assert!(seen.is_none_or(|s| s.centroid.is_finite() && s.volume > 0.0));
            }
        }
    }
    assert!(met > 100 && missed > 0, "{met} {missed}");
}
