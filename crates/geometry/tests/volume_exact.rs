//! Overlaps against closed forms.

mod volume_support;

use std::f64::consts::PI;

use asperity_geometry::shape::Shape;
use asperity_geometry::volume::{ClosedShape, NormalRule, Overlap, PatchShape, Tessellation};
use glamx::{DMat3, DPose3, DRot3, DVec3};
use volume_support::{at, boxed, close, one, sphere, turned};

fn half_space() -> ClosedShape {
    ClosedShape::new(&Shape::HalfSpace { normal: DVec3::Y }).unwrap()
}

/// A box of these edges about a centre.
fn cuboid(overlap: &Overlap, edges: DVec3, centre: DVec3, turn: DMat3) {
    let volume = edges.x * edges.y * edges.z;
    close(overlap.volume, volume, 1e-12 * volume);
    assert!(overlap.centroid.distance(centre) < 1e-12, "{} {centre}", overlap.centroid);
    let second = DMat3::from_diagonal(edges * edges * (volume / 12.0));
    let second = turn * second * turn.transpose();
    let off = (overlap.second_moment - second).to_cols_array().map(f64::abs);
    assert!(off.into_iter().fold(0.0, f64::max) < 1e-11 * volume, "{overlap:?}");
}

#[test]
fn two_boxes_share_a_box() {
    let (a, b) = (boxed(1.0, 2.0, 3.0), boxed(0.5, 0.75, 0.25));
    let overlap = one(&a, &at(0.0, 0.0, 0.0), &b, &at(0.7, 1.0, 3.0));
    // x: 0.45 to 0.5; y: 0.625 to 1; z: 2.875 to 3.125 and A ends at 1.5: none.
    assert!(overlap.is_none());
    let overlap = one(&a, &at(0.0, 0.0, 0.0), &b, &at(0.6, 1.1, 1.5)).unwrap();
    let (low, high) = (DVec3::new(0.35, 0.725, 1.375), DVec3::new(0.5, 1.0, 1.5));
    cuboid(&overlap, high - low, 0.5 * (low + high), DMat3::IDENTITY);
    // Moving B by dx takes dx times the area across away.
    let e = high - low;
    let gradient = -DVec3::new(e.y * e.z, e.x * e.z, e.x * e.y);
    assert!(overlap.gradient_linear.distance(gradient) < 1e-14, "{overlap:?}");
}

#[test]
fn a_turned_pair_of_boxes_has_turned_moments() {
    let (a, b) = (boxed(1.0, 1.0, 1.0), boxed(0.5, 0.5, 0.5));
    for k in 0..20 {
        let world = turned(k);
        let pose_b = world * at(0.1, 0.7, -0.05);
        let overlap = one(&a, &world, &b, &pose_b).unwrap();
        let turn = DMat3::from_quat(world.rotation);
        let centre = world.transform_point(DVec3::new(0.1, 0.475, -0.05));
        cuboid(&overlap, DVec3::new(0.5, 0.05, 0.5), centre, turn);
        let normal = overlap.normal(NormalRule::Gradient);
        assert!(normal.distance(turn * DVec3::Y) < 1e-12, "{normal}");
        assert!(overlap.normal(NormalRule::Thinnest).distance(turn * DVec3::Y) < 1e-9);
        let patch = overlap.patch(normal, PatchShape::Measured);
        assert!((patch.half - 0.25).length() < 1e-9, "{patch:?}");
    }
}

#[test]
fn a_sphere_in_a_plane_is_a_cap() {
    let floor = half_space();
    for depth in [1e-6, 1e-3, 0.1, 0.5, 0.9] {
        let r: f64 = 0.5;
        // As the pose has it.
        let depth = r - (r - depth);
        let overlap =
            one(&floor, &at(0.0, 0.0, 0.0), &sphere(r), &at(0.2, r - depth, 0.3)).unwrap();
        let volume = PI * depth * depth * (r - depth / 3.0);
        close(overlap.volume, volume, 1e-12 * volume);
        let above = 3.0 * (2.0 * r - depth).powi(2) / (4.0 * (3.0 * r - depth));
        close(overlap.centroid.y, r - depth - above, 1e-12);
        // Across, by quadrature of discs (Simpson is exact for a polynomial of degree 3; Boole
        // for 5).
        let disc = |x: f64| PI / 4.0 * (x * (2.0 * r - x)).powi(2);
        let weights = [7.0, 32.0, 12.0, 32.0, 7.0];
        let nodes = (0..5).map(|k| depth * f64::from(k) / 4.0);
        let across: f64 = depth / 90.0 * nodes.zip(weights).map(|(x, w)| w * disc(x)).sum::<f64>();
        close(overlap.second_moment.x_axis.x, across, 1e-12 * across);
        close(overlap.second_moment.z_axis.z, across, 1e-12 * across);
        assert!(overlap.normal(NormalRule::Gradient).distance(DVec3::Y) < 1e-15);
        // The patch is the disc in the plane.
        let patch = overlap.patch(DVec3::Y, PatchShape::Measured);
        let rim = if depth < r { (depth * (2.0 * r - depth)).sqrt() } else { r };
        close(patch.half.x, rim, 1e-12);
        close(patch.half.y, rim, 1e-12);
    }
    let deep = one(&floor, &at(0.0, 0.0, 0.0), &sphere(0.5), &at(0.0, -2.0, 0.0)).unwrap();
    close(deep.volume, PI / 6.0, 1e-15);
    assert_eq!(deep.gradient_linear, DVec3::ZERO);
}

#[test]
fn two_spheres_share_a_lens() {
    for (ra, rb, d) in [(1.0, 0.5, 1.2), (0.5, 1.0, 0.7), (0.3, 0.3, 0.5999), (1.0, 0.2, 0.85)] {
        let pose_b = DPose3::from_translation(DVec3::new(d, 0.0, 0.0));
        let overlap = one(&sphere(ra), &at(0.0, 0.0, 0.0), &sphere(rb), &pose_b).unwrap();
        let volume =
            PI * (ra + rb - d).powi(2) * (d * d + 2.0 * d * (ra + rb) - 3.0 * (ra - rb).powi(2))
                / (12.0 * d);
        close(overlap.volume, volume, 1e-9 * volume);
        // Moments by quadrature over discs.
        let (low, high) = (d - rb, ra);
        let n = 200_000;
        let (mut v, mut first, mut along, mut across) = (0.0, 0.0, 0.0, 0.0);
        for k in 0..n {
            let x = low + (high - low) * (f64::from(k) + 0.5) / f64::from(n);
            let disc = (ra * ra - x * x).min(rb * rb - (x - d) * (x - d));
            let slice = PI * disc * (high - low) / f64::from(n);
            v += slice;
            first += slice * x;
            along += slice * x * x;
            across += slice * disc / 4.0;
        }
        close(overlap.centroid.x, first / v, 1e-9);
        close(overlap.second_moment.x_axis.x, along - first * first / v, 1e-9 * v);
        close(overlap.second_moment.y_axis.y, across, 1e-9 * v);
    }
}

#[test]
fn a_cylinder_in_a_box_is_its_own_polyhedron() {
    let (l, r, n) = (0.4, 0.3, 48);
    let shape = Shape::Cylinder { half_height: l, radius: r };
    let cylinder = ClosedShape::with(&shape, Tessellation { segments: n }).unwrap();
    let table = boxed(2.0, 1.0, 2.0);
    for depth in [1e-5, 0.01, 0.3] {
        let overlap =
            one(&table, &at(0.0, 0.0, 0.0), &cylinder, &at(0.1, 0.5 + l - depth, 0.2)).unwrap();
        let turn = std::f64::consts::TAU / n as f64;
        let area = 0.5 * n as f64 * r * r * turn.sin();
        close(overlap.volume, area * depth, 1e-9 * area * depth);
        assert!(overlap.centroid.distance(DVec3::new(0.1, 0.5 - 0.5 * depth, 0.2)) < 1e-9);
        // A regular polygon: ∫x² dA = area r² (2 + cos turn)/12.
        let across = area * r * r * (2.0 + turn.cos()) / 12.0 * depth;
        close(overlap.second_moment.x_axis.x, across, 1e-9 * across);
        close(overlap.second_moment.z_axis.z, across, 1e-9 * across);
        let along = area * depth.powi(3) / 12.0;
        close(overlap.second_moment.y_axis.y, along, 1e-9 * across);
        // Against the round cylinder: the error of tessellation.
        let round = PI * r * r * depth;
        close(overlap.volume, round, 6.7 / (n * n) as f64 * round);
        let patch = overlap.patch(DVec3::Y, PatchShape::Measured);
        assert!((patch.half / r - 1.0).abs().max_element() < 0.01, "{patch:?}");
    }
}

#[test]
fn meshes_of_spheres_come_near_to_caps_and_lenses() {
    // A sphere as part of a compound is a polyhedron.
    let table = boxed(2.0, 1.0, 2.0);
    let mut last = f64::INFINITY;
    for segments in [16, 32, 64, 128] {
        let ball = Shape::Compound(vec![(DPose3::IDENTITY, Shape::Sphere { radius: 0.4 })]);
        let ball = ClosedShape::with(&ball, Tessellation { segments }).unwrap();
        let pose = DPose3::from_parts(DVec3::new(0.0, 0.8, 0.0), DRot3::from_rotation_x(0.3));
        let overlap = one(&table, &at(0.0, 0.0, 0.0), &ball, &pose).unwrap();
        let volume = PI * 0.01 * (0.4 - 0.1 / 3.0);
        let error = (overlap.volume / volume - 1.0).abs();
        assert!(error < 0.4 * last, "{segments}: {error} after {last}");
        last = error;
    }
    assert!(last < 4e-3, "{last}");
}

#[test]
fn patches_end_where_the_bodies_do() {
    let table = boxed(4.0, 1.0, 4.0);
    let octagon = ClosedShape::with(
        &Shape::Cylinder { half_height: 0.1, radius: 0.2 },
        Tessellation { segments: 8 },
    );
    let octagon = octagon.unwrap();
    for k in 0..12 {
        let turn = DRot3::from_rotation_y(0.13 * f64::from(k));
        let on = |body: &ClosedShape, height: f64| {
            let pose = DPose3::from_parts(DVec3::Y * (0.5 + height - 1e-4), turn);
            one(&table, &at(0.0, 0.0, 0.0), body, &pose).unwrap()
        };
        for (x, z) in [(1.0, 1.0), (1.0, 0.8), (1.0, 0.3), (1.0, 0.05)] {
            let half = on(&boxed(x, 0.4, z), 0.2).patch(DVec3::Y, PatchShape::Measured).half;
            close(half.x, 0.5 * x, 1e-6);
            close(half.y, 0.5 * z, 1e-6);
        }
        let half = on(&octagon, 0.1).patch(DVec3::Y, PatchShape::Measured).half / 0.2;
        // Between the circles inside and around.
        assert!(half.min_element() > 0.92 && half.max_element() < 1.0, "{k}: {half}");
    }
}

/// Where sides are coplanar the gradient is a mean; the patch is measured in the plane that follows
/// from it.
#[test]
fn boxes_exactly_over_each_other_have_the_patch_of_their_face() {
    let pose = at(0.3, -0.2, 0.5);
    let over = pose * at(0.0, 0.999, 0.0);
    let overlap = one(&boxed(1.0, 1.0, 1.0), &pose, &boxed(1.0, 1.0, 1.0), &over).unwrap();
    let normal = overlap.normal(NormalRule::Gradient);
    assert!(normal.distance(DVec3::Y) < 1e-9, "{normal}");
    for half in overlap.patch(normal, PatchShape::Measured).half.to_array() {
        assert!((half - 0.5).abs() < 1e-9, "{half}");
    }
}
