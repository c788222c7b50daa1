//! Contact areas and their centroids.

mod collide_support;

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use asperity_geometry::collision::Patch;
use asperity_geometry::shape::{MeshData, Shape};
use collide_support::*;
use glamx::{DPose3, DVec2, DVec3};

fn patch(a: (&Shape, DPose3), b: (&Shape, DPose3)) -> Patch {
    let mut collision = pair(a.0, b.0);
    let poses = [a.1, b.1];
    collision.update(&poses, |_| 0.0, 0.01, 1e-3);
    assert_eq!(collision.manifolds().len(), 1);
    collision.patch(0, &poses)
}

fn close(a: DVec3, b: DVec3) -> bool {
    (a - b).length() < 1e-12
}

#[test]
fn box_faces_overlap_in_a_rectangle() {
    let found = patch(
        (&cuboid(0.5, 0.1, 0.3), at(0.0, 0.0, 0.0)),
        (&cuboid(0.2, 0.1, 0.4), at(0.4, 0.2, 0.0)),
    );
    assert!((found.area - 0.3 * 0.6).abs() < 1e-12);
    assert!(close(found.centroid, DVec3::new(0.35, 0.1, 0.0)));
    assert_eq!(found.outline.len(), 4);
    assert_eq!(found.disc, None);
}

#[test]
fn turned_box_faces_overlap_in_an_octagon() {
    let block = cuboid(0.5, 0.1, 0.5);
    let found =
        patch((&block, at(1.0, 0.0, 2.0)), (&block, turned(1.0, 0.2, 2.0, DVec3::Y, PI / 4.0)));
    assert!((found.area - 2.0 * (2f64.sqrt() - 1.0)).abs() < 1e-12);
    assert!(close(found.centroid, DVec3::new(1.0, 0.1, 2.0)));
    assert_eq!(found.outline.len(), 8);
}

#[test]
fn box_on_a_half_space_touches_over_its_whole_face() {
    let turn = turned(0.0, 0.0, 0.0, DVec3::Z, 0.3);
    let up = turn.rotation * DVec3::Y;
    let block = DPose3::from_parts(up * 0.1, turn.rotation);
    let found = patch((&floor(), turn), (&cuboid(0.2, 0.1, 0.3), block));
    assert!((found.area - 0.24).abs() < 1e-12);
    assert!(close(found.centroid, DVec3::ZERO));
}

#[test]
fn standing_cylinder_touches_over_an_exact_disc() {
    let cylinder = Shape::Cylinder { half_height: 0.2, radius: 0.1 };
    for (under, y) in [(floor(), 0.0), (cuboid(1.0, 0.1, 1.0), -0.1)] {
        let found = patch((&under, at(0.0, y, 0.0)), (&cylinder, at(0.3, 0.2, 0.1)));
        assert!((found.area - PI * 0.01).abs() < 1e-15);
        let (centre, radius) = found.disc.unwrap();
        assert!(close(centre, DVec3::new(0.3, 0.0, 0.1)) && radius == 0.1);
        assert!(found.outline.len() >= 64);
        assert!(found.outline.iter().all(|p| ((*p - centre).length() - 0.1).abs() < 1e-12));
    }
    let cone = Shape::Cone { half_height: 0.2, radius: 0.1 };
    let found = patch((&floor(), at(0.0, 0.0, 0.0)), (&cone, at(0.3, 0.2, 0.1)));
    assert!((found.area - PI * 0.01).abs() < 1e-15);
}

#[test]
fn disc_over_an_edge_and_over_a_corner_has_the_exact_area() {
    let cylinder = Shape::Cylinder { half_height: 0.1, radius: 0.2 };
    let table = cuboid(1.0, 0.1, 1.0);
    let found = patch((&table, at(0.0, -0.1, 0.0)), (&cylinder, at(1.0, 0.1, 0.0)));
    assert!((found.area - 0.5 * PI * 0.04).abs() < 1e-12);
    let wanted = DVec3::new(1.0 - 4.0 * 0.2 / (3.0 * PI), 0.0, 0.0);
    assert!(close(found.centroid, wanted), "{}", found.centroid);
    assert_eq!(found.disc, None);
    let found = patch((&table, at(0.0, -0.1, 0.0)), (&cylinder, at(1.0, 0.1, 1.0)));
    assert!((found.area - 0.25 * PI * 0.04).abs() < 1e-12);
    let c = 1.0 - 4.0 * 0.2 / (3.0 * PI);
    assert!(close(found.centroid, DVec3::new(c, 0.0, c)));
}

#[test]
fn two_discs_touch_over_a_lens() {
    let cylinder = Shape::Cylinder { half_height: 0.1, radius: 0.2 };
    let found = patch((&cylinder, at(0.0, 0.0, 0.0)), (&cylinder, at(0.2, 0.2, 0.0)));
    let lens = 0.04 * (2.0 * PI / 3.0 - 3f64.sqrt() / 2.0);
    assert!((found.area - lens).abs() < 1e-12);
    assert!(close(found.centroid, DVec3::new(0.1, 0.1, 0.0)));
    let small = Shape::Cylinder { half_height: 0.1, radius: 0.05 };
    let found = patch((&cylinder, at(0.0, 0.0, 0.0)), (&small, at(0.1, 0.2, 0.0)));
    assert_eq!(found.disc.map(|d| d.1), Some(0.05));
}

#[test]
fn lines_and_points_have_no_area() {
    let capsule = Shape::Capsule { half_height: 0.2, radius: 0.1 };
    let found = patch(
        (&floor(), at(0.0, 0.0, 0.0)),
        (&capsule, turned(0.0, 0.1, 0.0, DVec3::Z, FRAC_PI_2)),
    );
    assert_eq!((found.area, found.outline.len()), (0.0, 2));
    assert!(close(found.centroid, DVec3::ZERO));
    let ball = Shape::Sphere { radius: 0.1 };
    let found = patch((&floor(), at(0.0, 0.0, 0.0)), (&ball, at(0.0, 0.1, 0.0)));
    assert_eq!((found.area, found.outline.len()), (0.0, 1));
    // A box on its edge.
    let tilted = turned(0.0, 0.2 * 2f64.sqrt(), 0.0, DVec3::Z, PI / 4.0);
    let found = patch((&floor(), at(0.0, 0.0, 0.0)), (&cuboid(0.2, 0.2, 0.3), tilted));
    assert_eq!((found.area, found.outline.len()), (0.0, 2));
}

#[test]
fn faces_on_a_triangulated_floor_touch_over_their_whole_area() {
    let heights = Shape::HeightField {
        heights: vec![0.0; 49],
        rows: 7,
        columns: 7,
        size: DVec2::new(2.0, 2.0),
    };
    let found = patch(
        (&heights, at(0.0, 0.0, 0.0)),
        (&cuboid(0.3, 0.1, 0.2), turned(0.1, 0.1, 0.05, DVec3::Y, 0.4)),
    );
    assert!((found.area - 0.24).abs() < 1e-12);
    assert!(close(found.centroid, DVec3::new(0.1, 0.0, 0.05)));
    let cylinder = Shape::Cylinder { half_height: 0.2, radius: 0.3 };
    let found = patch((&heights, at(0.0, 0.0, 0.0)), (&cylinder, at(0.1, 0.2, 0.05)));
    assert!(found.disc.is_some_and(|(_, r)| r == 0.3));
    // Half over the end of a mesh.
    let mesh = MeshData {
        positions: vec![
            DVec3::new(-1.0, 0.0, -1.0),
            DVec3::new(-1.0, 0.0, 1.0),
            DVec3::new(1.0, 0.0, 1.0),
            DVec3::new(1.0, 0.0, -1.0),
        ],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..MeshData::default()
    };
    let mesh = Shape::Mesh(Arc::new(mesh));
    let found = patch((&mesh, at(0.0, 0.0, 0.0)), (&cylinder, at(1.0, 0.2, 0.0)));
    assert!((found.area - 0.5 * PI * 0.09).abs() < 1e-12, "{}", found.area);
    assert!(close(found.centroid, DVec3::new(1.0 - 0.4 / PI, 0.0, 0.0)), "{}", found.centroid);
}

/// Total area and centroid of pieces.
fn sums(found: &Patch) -> (f64, DVec3) {
    let (mut area, mut moment) = (0.0, DVec3::ZERO);
    for piece in &found.pieces {
        for i in 1..piece.len() - 1 {
            let (p, q) = (piece[i] - piece[0], piece[i + 1] - piece[0]);
            let part = 0.5 * p.cross(q).length();
            area += part;
            moment += part * (piece[0] + (p + q) / 3.0);
        }
    }
    (area, moment / area)
}

#[test]
fn a_ring_touches_around_its_hole() {
    let ring = Shape::ring(0.5, 0.3, 0.05).unwrap();
    let wanted = PI * (0.25 - 0.09);
    for (under, y) in [(floor(), 0.0), (cuboid(2.0, 0.1, 2.0), -0.1)] {
        for pose in [at(0.3, 0.05, 0.1), turned(0.3, 0.05, 0.1, DVec3::Y, 0.4)] {
            let found = patch((&under, at(0.0, y, 0.0)), (&ring, pose));
            assert!((found.area - wanted).abs() < 1e-12, "{} {wanted}", found.area);
            let (area, centroid) = sums(&found);
            assert!((area - wanted).abs() < 1e-12);
            assert!(close(centroid, DVec3::new(0.3, 0.0, 0.1)) && close(found.centroid, centroid));
        }
    }
    // Half over an edge: half of it.
    let found = patch((&cuboid(2.0, 0.1, 2.0), at(0.0, -0.1, 0.0)), (&ring, at(2.0, 0.05, 0.0)));
    assert!((found.area - 0.5 * wanted).abs() < 1e-9, "{}", found.area);
    let centroid = 4.0 / (3.0 * PI) * (0.125 - 0.027) / 0.16;
    assert!((found.centroid.x - 2.0 + centroid).abs() < 1e-3, "{}", found.centroid.x);
    // On another one, meshes both.
    let found = patch((&ring, at(0.0, 0.0, 0.0)), (&ring, at(0.0, 0.0999, 0.0)));
    assert!((found.area - wanted).abs() < 1e-9, "{} {wanted}", found.area);
    assert!((sums(&found).0 - wanted).abs() < 1e-9);
}

#[test]
fn convex_areas_are_one_piece_whatever_they_are_made_of() {
    let cube = Arc::new(MeshData {
        positions: (0..8)
            .map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) - 0.5)
            .collect(),
        triangles: [
            [0, 1, 5],
            [0, 5, 4],
            [2, 7, 3],
            [2, 6, 7],
            [0, 4, 6],
            [0, 6, 2],
            [1, 3, 7],
            [1, 7, 5],
            [0, 3, 1],
            [0, 2, 3],
            [4, 5, 7],
            [4, 7, 6],
        ]
        .to_vec(),
        ..MeshData::default()
    });
    let cube = Shape::Mesh(cube);
    for (under, y) in [(floor(), 0.0), (cuboid(2.0, 0.1, 2.0), -0.1)] {
        let found = patch((&under, at(0.0, y, 0.0)), (&cube, at(0.2, 0.5, 0.1)));
        assert!(found.pieces.is_empty() && (found.area - 1.0).abs() < 1e-12, "{found:?}");
        assert_eq!(found.outline.len(), 4);
    }
}
