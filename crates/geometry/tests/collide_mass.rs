//! Mass properties and refused shapes.

mod collide_support;

use std::f64::consts::PI;
use std::sync::Arc;

use asperity_geometry::shape::{MeshData, Shape};
use collide_support::*;
use glamx::{DMat3, DPose3, DQuat, DVec2, DVec3};

fn check(shape: &Shape, mass: f64, centre: DVec3, diagonal: DVec3, tolerance: f64) {
    let p = shape.mass_properties(2.0).unwrap();
    assert!((p.mass - mass).abs() < tolerance * mass, "{}: {}", shape.name(), p.mass);
    assert!((p.centre - centre).length() < tolerance, "{}: {}", shape.name(), p.centre);
    let wanted = DMat3::from_diagonal(diagonal);
    assert!(p.inertia.abs_diff_eq(wanted, tolerance * diagonal.length()), "{p:?} {wanted}");
}

#[test]
fn primitives_have_their_textbook_mass_centre_and_inertia() {
    let (h, r) = (0.3, 0.2);
    let m = 2.0 * 8.0 * 0.1 * 0.2 * 0.3;
    let i = DVec3::new(0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04) * m / 3.0;
    check(&cuboid(0.1, 0.2, 0.3), m, DVec3::ZERO, i, 1e-14);
    let m = 2.0 * 4.0 / 3.0 * PI * r * r * r;
    check(&Shape::Sphere { radius: r }, m, DVec3::ZERO, DVec3::splat(0.4 * m * r * r), 1e-14);
    let m = 2.0 * PI * r * r * 2.0 * h;
    let across = m * (3.0 * r * r + 4.0 * h * h) / 12.0;
    let i = DVec3::new(across, 0.5 * m * r * r, across);
    check(&Shape::Cylinder { half_height: h, radius: r }, m, DVec3::ZERO, i, 1e-14);
    let m = 2.0 * PI * r * r * 2.0 * h / 3.0;
    let across = m * (3.0 / 20.0 * r * r + 3.0 / 80.0 * 4.0 * h * h);
    let i = DVec3::new(across, 0.3 * m * r * r, across);
    check(&Shape::Cone { half_height: h, radius: r }, m, DVec3::new(0.0, -h / 2.0, 0.0), i, 1e-14);
}

#[test]
fn round_shapes_agree_with_sums_over_slices() {
    let (h, r) = (0.3_f64, 0.2_f64);
    let radius_at = |y: f64| {
        let beyond = (y.abs() - h).max(0.0);
        (r * r - beyond * beyond).max(0.0).sqrt()
    };
    let n = 200_000;
    let step = 2.0 * (h + r) / f64::from(n);
    let (mut m, mut along, mut across) = (0.0, 0.0, 0.0);
    for i in 0..n {
        let y = -h - r + step * (f64::from(i) + 0.5);
        let s = radius_at(y);
        let slice = 2.0 * PI * s * s * step;
        m += slice;
        along += slice * s * s / 2.0;
        across += slice * (s * s / 4.0 + y * y);
    }
    let shape = Shape::Capsule { half_height: h, radius: r };
    check(&shape, m, DVec3::ZERO, DVec3::new(across, along, across), 1e-8);
}

fn tetrahedron() -> Vec<DVec3> {
    vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
}

#[test]
fn hulls_meshes_and_compounds_agree_with_the_box_they_make() {
    let h = DVec3::new(0.1, 0.2, 0.3);
    let corner = |i: usize| {
        let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        h * DVec3::new(sign(0), sign(1), sign(2)) + DVec3::new(1.0, 2.0, 3.0)
    };
    let mut points: Vec<DVec3> = (0..8).map(corner).collect();
    let m = 2.0 * 8.0 * h.x * h.y * h.z;
    let i = DVec3::new(0.13, 0.10, 0.05) * m / 3.0;
    let centre = DVec3::new(1.0, 2.0, 3.0);
    // Points on faces, edges and inside change nothing.
    points.extend((0..8).map(|k| (corner(k) + corner((k + 1) % 8)) * 0.5));
    points.extend([centre, centre + DVec3::new(0.1, 0.0, 0.0), corner(3)]);
    check(&Shape::ConvexHull { points }, m, centre, i, 1e-12);
    let quads: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    // Every triangle with corners of its own, as files with texture seams have them.
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]);
    let positions: Vec<DVec3> = triangles.flat_map(|t| t.map(|c| corner(c as usize))).collect();
    let triangles = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = MeshData { positions, triangles, ..MeshData::default() };
    check(&Shape::Mesh(Arc::new(mesh)), m, centre, i, 1e-12);
    let half = cuboid(h.x / 2.0, h.z, h.y);
    let turn = DQuat::from_rotation_x(PI / 2.0);
    let part = |x: f64| DPose3::from_parts(centre + DVec3::X * x, turn);
    let parts = vec![(part(-0.05), half.clone()), (part(0.05), half)];
    check(&Shape::Compound(parts), m, centre, i, 1e-12);
}

#[test]
fn tetrahedron_has_its_exact_volume_and_centre() {
    let p = Shape::ConvexHull { points: tetrahedron() }.mass_properties(6.0).unwrap();
    assert!((p.mass - 1.0).abs() < 1e-14);
    assert!((p.centre - DVec3::splat(0.25)).length() < 1e-14);
    // ∫ (y² + z²) dV = 1/30, less 2/16 of the volume; ∫ x y dV = 1/120, less 1/16 of it.
    let (on, off) = (6.0 / 30.0 - 1.0 / 8.0, -(6.0 / 120.0 - 1.0 / 16.0));
    for r in 0..3 {
        for c in 0..3 {
            let wanted = if r == c { on } else { off };
            assert!((p.inertia.col(c)[r] - wanted).abs() < 1e-14);
        }
    }
}

#[test]
fn degenerate_shapes_are_refused_with_a_message_that_says_what_was_expected() {
    let mesh = |positions: Vec<DVec3>, triangles: Vec<[u32; 3]>| {
        Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
    };
    let flat = (0..9).map(|i| DVec3::new(f64::from(i % 3), f64::from(i / 3), 0.0)).collect();
    let line: Vec<DVec3> = (0..5).map(|i| DVec3::X * f64::from(i)).collect();
    let heights = |heights: Vec<f64>, rows, columns| Shape::HeightField {
        heights,
        rows,
        columns,
        size: DVec2::ONE,
    };
    let cases = [
        (cuboid(1.0, 0.0, 1.0), "smallest half extent is 0; expected a length"),
        (cuboid(1.0, -1.0, 1.0), "is -1"),
        (cuboid(1.0, f64::NAN, 1.0), "half extents is [1, NaN, 1]; expected finite"),
        (cuboid(1e5, 1e-5, 1.0), "ratio of at most 1000000"),
        (Shape::Sphere { radius: f64::INFINITY }, "radius is inf"),
        (Shape::Capsule { half_height: 0.0, radius: 1.0 }, "capsule's half height is 0"),
        (Shape::Cone { half_height: 1.0, radius: -0.5 }, "cone's radius is -0.5"),
        (Shape::HalfSpace { normal: DVec3::ZERO }, "normal is 0"),
        (Shape::ConvexHull { points: vec![DVec3::ZERO; 3] }, "points of the hull: 3; expected 4"),
        (Shape::ConvexHull { points: vec![DVec3::ONE; 9] }, "hull's extent is 0"),
        (Shape::ConvexHull { points: flat }, "within 0 m of a plane"),
        (Shape::ConvexHull { points: line }, "of a plane"),
        (mesh(tetrahedron(), vec![]), "triangles of the mesh: 0"),
        (mesh(tetrahedron(), vec![[0, 1, 2], [0, 1, 4]]), "triangle 1 names position 4"),
        (mesh(tetrahedron(), vec![[0, 1, 2], [0, 1, 1]]), "triangle 1 has the area 0"),
        (heights(vec![0.0; 5], 2, 3), "heights of the height field: 5; expected 2 rows"),
        (heights(vec![0.0; 3], 1, 3), "rows or columns of the height field: 1"),
        (Shape::Compound(vec![]), "parts of the compound: 0"),
        (
            Shape::Compound(vec![(at(0.0, 0.0, 0.0), floor())]),
            "part 0 of the compound is a half-space",
        ),
    ];
    for (shape, expected) in cases {
        let message = shape.validate().unwrap_err().to_string();
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
        assert!(shape.build().is_err() && shape.mass_properties(1.0).is_err());
    }
    let open = mesh(tetrahedron(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2]]);
    assert!(open.build().is_ok());
    let message = open.mass_properties(1.0).unwrap_err().to_string();
    assert!(message.contains("the mesh is open"), "{message}");
    let inside_out = mesh(tetrahedron(), vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]);
    let message = inside_out.mass_properties(1.0).unwrap_err().to_string();
    assert!(message.contains("counter-clockwise"), "{message}");
    assert!(cuboid(1.0, 1.0, 1.0).mass_properties(0.0).is_err());
    assert!(floor().mass_properties(1.0).is_err());
}

#[test]
fn a_hull_of_many_points_is_found() {
    let points: Vec<DVec3> = (0..3000)
        .map(|i| {
            let (z, angle) = (1.0 - f64::from(2 * i + 1) / 3000.0, 2.399_963 * f64::from(i));
            let r = (1.0 - z * z).sqrt();
            DVec3::new(r * angle.cos(), z, r * angle.sin())
        })
        .collect();
    let ball = Shape::ConvexHull { points }.mass_properties(3.0 / (4.0 * PI)).unwrap();
    assert!((ball.mass - 1.0).abs() < 5e-3, "{}", ball.mass);
    // A cube of many points, most of them on its faces and edges.
    let grid = (0..1000)
        .map(|i| DVec3::new(f64::from(i % 10), f64::from(i / 10 % 10), f64::from(i / 100)));
    let cube = Shape::ConvexHull { points: grid.collect() }.mass_properties(1.0).unwrap();
    assert!((cube.mass - 729.0).abs() < 1e-9);
}

#[test]
fn every_good_shape_builds() {
    for shape in convex_shapes() {
        shape.build().unwrap();
        assert!(shape.mass_properties(1000.0).unwrap().mass > 0.0);
    }
    floor().build().unwrap();
    let size = DVec2::new(2.0, 3.0);
    let field = Shape::HeightField { heights: vec![0.0; 6], rows: 2, columns: 3, size };
    field.build().unwrap();
}

#[test]
fn rings_weigh_and_turn_as_round_ones() {
    let [outer, inner, height] = [0.05_f64, 0.02_f64, 0.03];
    let found = Shape::ring(outer, inner, 0.5 * height).unwrap().mass_properties(1000.0).unwrap();
    let mass = 1000.0 * std::f64::consts::PI * (outer * outer - inner * inner) * height;
    assert!((found.mass / mass - 1.0).abs() < 1e-12, "{} {mass}", found.mass);
    assert!(found.centre.length() < 1e-15);
    let along = 0.5 * mass * (outer * outer + inner * inner);
    let across = 0.5 * along + mass * height * height / 12.0;
    let moments = [found.inertia.x_axis.x, found.inertia.y_axis.y, found.inertia.z_axis.z];
    for (found, wanted) in moments.into_iter().zip([across, along, across]) {
        assert!((found / wanted - 1.0).abs() < 1e-5, "{found} {wanted}");
    }
    for (outer, inner) in [(0.05, 0.05), (0.02, 0.05), (0.05, 0.0), (f64::NAN, 0.01)] {
        Shape::ring(outer, inner, 0.1).unwrap_err();
    }
}
