//! Polygons: the hull that is kept, and projection where digits are scarce.

use asperity_friction::set::Polygon;
use asperity_friction::testing::Rng;
use glamx::DVec2;

fn square() -> Polygon {
    let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    Polygon::from_points(&corners.map(DVec2::from)).unwrap()
}

#[test]
fn only_the_corners_of_the_hull_are_kept_counter_clockwise() {
    let mut points = square().corners().to_vec();
    points.extend([(0.5, 0.2), (1.0, 0.0), (0.0, -1.0), (1.0, 1.0)].map(DVec2::from));
    let hull = Polygon::from_points(&points).unwrap();
    assert_eq!(
        hull.corners(),
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(DVec2::from)
    );
}

#[test]
fn points_on_a_line_leave_its_ends() {
    let line: Vec<DVec2> = (-3..=5).map(|k| DVec2::new(2.0, -1.0) * f64::from(k)).collect();
    let segment = Polygon::from_points(&line).unwrap();
    assert_eq!(segment.corners(), [DVec2::new(-6.0, 3.0), DVec2::new(10.0, -5.0)]);
    assert_eq!(segment.project(DVec2::new(1.0, 2.0), 1.0), DVec2::ZERO);
}

#[test]
fn polygons_without_the_origin_are_refused() {
    let shifted: Vec<DVec2> = square().corners().iter().map(|c| *c + DVec2::X * 1.001).collect();
    for points in [&shifted[..], &[DVec2::X], &[DVec2::X, DVec2::Y], &[]] {
        let message = Polygon::from_points(points).unwrap_err().to_string();
        assert!(message.contains("does not hold the origin"), "{message}");
    }
    let message = Polygon::from_points(&[DVec2::new(0.0, f64::NAN)]).unwrap_err().to_string();
    assert!(message.starts_with("polygon point 0 y is NaN"), "{message}");
}

/// Far away the squared distances to all corners share their digits; the nearest one is still
/// found. A force off the normal of an edge by more than the edge's own angle goes to a corner.
#[test]
fn a_far_force_goes_to_its_nearest_corner() {
    let polygon = square();
    for exponent in 3..=12 {
        let distance = 10_f64.powi(exponent);
        for tilt in [1e-2, 1e-4, 1e-6, 1e-8].into_iter().filter(|tilt| tilt * distance > 2.0) {
            for (y, corner) in [(tilt, DVec2::ONE), (-tilt, DVec2::new(1.0, -1.0))] {
                let force = DVec2::new(1.0, y) * distance;
                assert_eq!(polygon.project(force, 1.0), corner, "{force}");
            }
        }
    }
}

/// Near a corner the distances to it and to the edge agree to second order; the foot on the edge
/// is right all the same.
#[test]
fn a_force_beside_a_corner_goes_straight_to_its_edge() {
    let polygon = square();
    let mut rng = Rng::new(9);
    for _ in 0..1000 {
        let (beside, above) = (rng.log_uniform(1e-14, 1e-6), rng.log_uniform(1e-10, 10.0));
        let nearest = polygon.project(DVec2::new(1.0 - beside, 1.0 + above), 1.0);
        assert!(nearest.distance(DVec2::new(1.0 - beside, 1.0)) < 1e-15, "{nearest} at {beside:e}");
    }
}
