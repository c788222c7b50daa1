//! Rays come as near to the exact overlap as they are close.

mod volume_support;

use asperity::collide::volume::{ClosedShape, overlap_by_rays};
use asperity::glamx::{DPose3, DVec3};
use asperity::shape::Shape;
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
