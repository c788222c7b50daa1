//! Axes and texture coordinates on surfaces.

mod collide_support;

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use asperity_geometry::collision::surface::{SurfaceFrame, surface_point};
use asperity_geometry::shape::{MeshData, Shape};
use collide_support::*;
use glamx::{DVec2, DVec3};

fn is_frame(f: &SurfaceFrame, n: DVec3) {
    assert!((f.tangent.length() - 1.0).abs() < 1e-12 && f.tangent.dot(n).abs() < 1e-9);
    assert!((f.bitangent - n.cross(f.tangent)).length() < 1e-9, "{f:?} {n}");
}

/// Moving along the tangent grows u at unit rate, along the bitangent v.
fn is_metric(shape: &Shape, p: DVec3, n: DVec3) {
    let f = surface_point(shape, 0, p, n);
    is_frame(&f, n);
    let h = 1e-6;
    for (direction, wanted) in [(f.tangent, DVec2::X), (f.bitangent, DVec2::Y)] {
        let moved = surface_point(shape, 0, p + direction * h, n).uv - f.uv;
        assert!((moved / h - wanted).length() < 1e-4, "{} {moved} {wanted}", shape.name());
    }
}

#[test]
fn planes_boxes_and_discs_are_measured_in_metres_along_their_axes() {
    is_metric(&floor(), DVec3::new(0.3, 0.0, 0.2), DVec3::Y);
    for n in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z] {
        is_metric(&cuboid(0.5, 0.5, 0.5), n * 0.5 + DVec3::new(0.1, 0.2, 0.3), n);
    }
    let cylinder = Shape::Cylinder { half_height: 0.5, radius: 0.2 };
    is_metric(&cylinder, DVec3::new(0.1, 0.5, 0.0), DVec3::Y);
    is_metric(&cylinder, DVec3::new(0.1, -0.5, 0.0), DVec3::NEG_Y);
    let hull = Shape::ConvexHull { points: Vec::new() };
    is_metric(&hull, DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.0, 2.0, -2.0) / 3.0);
}

#[test]
fn cylinder_side_is_arc_length_and_height() {
    let cylinder = Shape::Cylinder { half_height: 0.5, radius: 0.2 };
    let f = surface_point(&cylinder, 0, DVec3::new(0.0, 0.3, -0.2), DVec3::NEG_Z);
    is_frame(&f, DVec3::NEG_Z);
    assert!((f.uv - DVec2::new(0.2 * FRAC_PI_2, 0.3)).length() < 1e-12);
    assert!((f.bitangent - DVec3::Y).length() < 1e-12);
    assert!((f.tangent - DVec3::NEG_X).length() < 1e-12);
}

#[test]
fn every_primitive_has_a_frame_everywhere() {
    let mut numbers = Numbers(9);
    for shape in convex_shapes() {
        for _ in 0..200 {
            let n = numbers.vector().normalize();
            let p = support(&shape, &at(0.0, 0.0, 0.0), n);
            let f = surface_point(&shape, 0, p, n);
            let normal = f.tangent.cross(f.bitangent);
            assert!((normal.length() - 1.0).abs() < 1e-9 && f.uv.is_finite(), "{}", shape.name());
            assert!(normal.dot(n) > 0.5, "{} {normal} {n}", shape.name());
        }
        for n in [DVec3::Y, DVec3::NEG_Y] {
            let f = surface_point(&shape, 0, n * 0.2, n);
            assert!(f.tangent.is_finite() && f.bitangent.is_finite() && f.uv.is_finite());
        }
    }
}

fn square(uvs: Vec<DVec2>, tangents: Vec<[f64; 4]>) -> Shape {
    let positions = vec![DVec3::ZERO, DVec3::Z, DVec3::new(1.0, 0.0, 1.0), DVec3::X];
    let triangles = vec![[0, 1, 2], [0, 2, 3]];
    Shape::Mesh(Arc::new(MeshData { positions, triangles, uvs, tangents, ..MeshData::default() }))
}

#[test]
fn mesh_coordinates_come_from_the_file_and_a_mirrored_texture_mirrors_the_bitangent() {
    let p = DVec3::new(0.25, 0.0, 0.75);
    // u along z, v along x: mirrored or not, by the order of the axes.
    let uvs = vec![DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
    let f = surface_point(&square(uvs.clone(), Vec::new()), 0, p, DVec3::Y);
    assert!((f.uv - DVec2::new(0.75, 0.25)).length() < 1e-12);
    assert!((f.tangent - DVec3::Z).length() < 1e-12);
    assert!((f.bitangent - DVec3::X).length() < 1e-12);
    let (corners, weights) = f.barycentric.unwrap();
    assert_eq!(corners, [0, 1, 2]);
    assert!((weights[0] - 0.25).abs() < 1e-12 && (weights[1] - 0.5).abs() < 1e-12);
    let mirrored: Vec<DVec2> = uvs.iter().map(|u| DVec2::new(-u.x, u.y)).collect();
    let f = surface_point(&square(mirrored, Vec::new()), 0, p, DVec3::Y);
    assert!((f.tangent - DVec3::NEG_Z).length() < 1e-12);
    assert!((f.bitangent - DVec3::X).length() < 1e-12);
    let f = surface_point(&square(uvs, vec![[1.0, 0.0, 0.0, -1.0]; 4]), 1, p, DVec3::Y);
    assert!((f.tangent - DVec3::X).length() < 1e-12);
    assert!((f.bitangent - DVec3::Z).length() < 1e-12);
    is_frame(&surface_point(&square(Vec::new(), Vec::new()), 0, p, DVec3::Y), DVec3::Y);
}

#[test]
fn height_fields_and_compounds_answer_for_their_part() {
    let size = DVec2::new(2.0, 2.0);
    let field = Shape::HeightField { heights: vec![0.0; 9], rows: 3, columns: 3, size };
    let f = surface_point(&field, 7, DVec3::new(0.75, 0.0, 0.75), DVec3::Y);
    assert_eq!(f.barycentric.unwrap().0, [7, 8, 5]);
    assert!((f.uv - DVec2::new(0.75, -0.75)).length() < 1e-12);
    let turn = turned(1.0, 0.0, 0.0, DVec3::Z, FRAC_PI_2);
    let inner = Shape::Cylinder { half_height: 0.5, radius: 0.2 };
    let compound = Shape::Compound(vec![(turn, inner)]);
    // The cylinder's axis lies along −x of the body; v grows along it.
    let f = surface_point(&compound, 0, DVec3::new(1.0, 0.2, 0.0), DVec3::Y);
    assert!((f.bitangent - DVec3::NEG_X).length() < 1e-12);
    is_frame(&f, DVec3::Y);
}
