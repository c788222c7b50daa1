//! The skins of shapes: closed, turned outwards, of the right area.

use std::f64::consts::PI;
use std::sync::Arc;

use asperity_geometry::shape::{MeshData, Shape, Skin};
use glamx::{DPose3, DQuat, DVec2, DVec3};

fn area(skin: &Skin) -> f64 {
    let corner = |c: u32| skin.positions[c as usize];
    let one = |t: &[u32; 3]| {
        let [a, b, c] = t.map(corner);
        0.5 * (b - a).cross(c - a).length()
    };
    skin.triangles.iter().map(one).sum()
}

/// Six times the volume that the triangles enclose, over six.
fn volume(skin: &Skin) -> f64 {
    let corner = |c: u32| skin.positions[c as usize];
    skin.triangles.iter().map(|t| t.map(corner)).map(|[a, b, c]| a.cross(b).dot(c) / 6.0).sum()
}

fn check_lists(skin: &Skin) {
    let n = skin.positions.len();
    assert_eq!([skin.normals.len(), skin.uvs.len(), skin.tangents.len()], [n; 3]);
    assert_eq!(skin.parts.len(), skin.triangles.len());
    assert!(skin.triangles.iter().flatten().all(|c| (*c as usize) < n));
    for (normal, [x, y, z, sign]) in skin.normals.iter().zip(&skin.tangents) {
        let tangent = DVec3::new(*x, *y, *z);
        assert!((normal.length() - 1.0).abs() < 1e-9 && (tangent.length() - 1.0).abs() < 1e-9);
        assert!(sign.abs() == 1.0);
    }
    for t in &skin.triangles {
        let [a, b, c] = t.map(|c| skin.positions[c as usize]);
        let face = (b - a).cross(c - a);
        let mean: DVec3 = t.iter().map(|c| skin.normals[*c as usize]).sum();
        assert!(face.dot(mean) > 0.0, "a triangle is turned inwards");
    }
}

fn hull() -> Shape {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    Shape::ConvexHull { points: corners.to_vec() }
}

#[test]
fn skins_enclose_the_volume_and_have_the_area_of_their_shapes() {
    let (l, r) = (0.3_f64, 0.2_f64);
    let slant = (4.0 * l * l + r * r).sqrt();
    let cases = [
        (Shape::Box { half_extents: DVec3::new(0.1, 0.2, 0.3) }, 0.048, 0.88, 12),
        (Shape::Sphere { radius: r }, 4.0 / 3.0 * PI * r * r * r, 4.0 * PI * r * r, 0),
        (
            Shape::Capsule { half_height: l, radius: r },
            PI * r * r * (2.0 * l + 4.0 / 3.0 * r),
            2.0 * PI * r * (2.0 * l + 2.0 * r),
            0,
        ),
        (
            Shape::Cylinder { half_height: l, radius: r },
            PI * r * r * 2.0 * l,
            2.0 * PI * r * (2.0 * l + r),
            256,
        ),
        (
            Shape::Cone { half_height: l, radius: r },
            PI * r * r * 2.0 * l / 3.0,
            PI * r * (r + slant),
            128,
        ),
        (hull(), 1.0 / 6.0, 1.5 + 0.75_f64.sqrt(), 6),
    ];
    for (shape, wanted_volume, wanted_area, edges) in cases {
        let skin = shape.skin(128, 1.0).unwrap();
        check_lists(&skin);
        assert!((volume(&skin) / wanted_volume - 1.0).abs() < 2e-3, "{}", shape.name());
        assert!((area(&skin) / wanted_area - 1.0).abs() < 2e-3, "{}", shape.name());
        assert_eq!(skin.edges.len(), edges, "{}", shape.name());
    }
}

#[test]
fn open_and_composed_shapes_have_skins_too() {
    let plane = Shape::HalfSpace { normal: DVec3::new(0.0, 1.0, 1.0) }.skin(64, 3.0).unwrap();
    check_lists(&plane);
    assert!((area(&plane) / (9.0 * PI) - 1.0).abs() < 3e-3);
    let size = DVec2::new(2.0, 4.0);
    let heights = Shape::HeightField { heights: vec![0.5; 12], rows: 3, columns: 4, size };
    let skin = heights.skin(16, 1.0).unwrap();
    check_lists(&skin);
    assert!((area(&skin) - 8.0).abs() < 1e-12);
    assert_eq!(skin.parts, (0..12).collect::<Vec<u32>>());
    let ball = Shape::Sphere { radius: 0.1 };
    let turned = DPose3::from_parts(DVec3::X, DQuat::from_rotation_x(0.3));
    let two = Shape::Compound(vec![(DPose3::IDENTITY, ball), (turned, hull())]);
    let skin = two.skin(32, 1.0).unwrap();
    check_lists(&skin);
    assert!(skin.parts.contains(&0) && skin.parts.contains(&1));
}

#[test]
fn a_mesh_has_the_edges_where_its_faces_meet_sharply() {
    // A roof: two squares of two triangles each that meet at a right angle.
    let positions = vec![
        DVec3::new(-1.0, 0.0, 0.0),
        DVec3::new(0.0, 1.0, 0.0),
        DVec3::new(1.0, 0.0, 0.0),
        DVec3::new(-1.0, 0.0, -1.0),
        DVec3::new(0.0, 1.0, -1.0),
        DVec3::new(1.0, 0.0, -1.0),
    ];
    let triangles = vec![[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]];
    let mesh = MeshData { positions, triangles, ..MeshData::default() };
    let skin = Shape::Mesh(Arc::new(mesh)).skin(8, 1.0).unwrap();
    check_lists(&skin);
    // The ridge and six border edges; not the two diagonals.
    assert_eq!(skin.edges.len(), 7);
}

#[test]
fn a_bad_shape_has_no_skin() {
    assert!(Shape::Sphere { radius: -1.0 }.skin(32, 1.0).is_err());
}
