//! What the audit of a step says of soft surfaces that are too near to something, or through it.

use std::sync::Arc;

use asperity::audit::{SoftOverlap, Touched};
use asperity::deform::contact::StageOptions;
use asperity::deform::{Fabric, SoftBody, mesh};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::glamx::{DPose3, DVec2, DVec3};
use asperity::soft::{RestStructure, SoftContacts, SoftDesc};
use asperity::world::Settings;
use asperity::{BodyDesc, BodyKind, Shape, World};

/// The distance that surfaces keep.
const THICKNESS: f64 = 0.01;

/// A world without gravity in which overlaps stay as they are.
fn world() -> World {
    let section = Fallback::Section(Arc::new(Coulomb::new(0.3).expect("a section")));
    let pairing = Pairing::new(vec![Surface::new("all")], vec![], &section).expect("a pairing");
    let settings = Settings { gravity: DVec3::ZERO, dt: 0.01, ..Settings::default() };
    let mut world = World::new(settings, pairing);
    let still = StageOptions { recovery: 0.0, continuous: false, ..StageOptions::default() };
    world.set_soft_stage(still, 1);
    world
}

fn sheet(size: f64, cells: u32) -> mesh::SurfaceMesh {
    mesh::cloth_rectangle(DVec2::splat(size), [cells, cells]).expect("a mesh")
}

fn add(world: &mut World, name: &str, mesh: &mesh::SurfaceMesh) {
    let desc = SoftDesc {
        name: name.into(),
        body: SoftBody::cloth(mesh, &Fabric::cotton()).expect("a cloth"),
        surface: 0,
        structure: RestStructure::default(),
        thickness: Some(THICKNESS),
        self_contact: true,
        group: 0,
    };
    world.add_soft(desc).expect("a cloth");
}

fn fixed(world: &mut World, shape: Shape, at: DVec3) {
    let mut desc = BodyDesc::new("fixed", shape);
    (desc.kind, desc.pose) = (BodyKind::Fixed, DPose3::from_translation(at));
    world.add_body(desc).expect("a body");
}

/// The overlap after a step, and that all three ways of contact say the same.
fn overlap(make: impl Fn(&mut World)) -> Option<SoftOverlap> {
    let ways = [SoftContacts::Implicit, SoftContacts::Filter, SoftContacts::Solver];
    let found = ways.map(|way| {
        let mut world = world();
        make(&mut world);
        world.set_soft_contacts(way);
        world.step();
        assert!(world.report().soft_error.is_none());
        world.report().audit.soft
    });
    assert!(found.iter().all(|f| f.map(|f| f.other) == found[0].map(|f| f.other)), "{found:?}");
    found[0]
}

fn lying(height: f64, pinned: bool) -> Option<SoftOverlap> {
    overlap(|world| {
        let half_extents = DVec3::new(0.5, 0.2, 0.5);
        fixed(world, Shape::Box { half_extents }, DVec3::NEG_Y * 0.2);
        let mut mesh = sheet(0.4, 8);
        mesh.positions.iter_mut().for_each(|x| x.y += height);
        add(world, "cloth", &mesh);
        let body = world.soft_mut(asperity::soft::SoftId(0)).expect("the cloth");
        body.pinned.fill(pinned);
    })
}

/// A sheet at a height h over the top of a box is within the thickness t by t − h.
#[test]
fn a_sheet_in_a_box_is_as_deep_as_it_lies() {
    for (height, part) in [(-0.05, 6.0), (-0.002, 1.2), (0.004, 0.6)] {
        let found = lying(height, false).expect("an overlap");
        assert_eq!((found.soft, found.other), (0, Touched::Rigid(0)));
        assert!((found.part() - part).abs() < 1e-9, "{height}: {}", found.part());
    }
    assert_eq!(lying(0.02, false), None);
    assert_eq!(lying(0.006, false), None, "less than half of the thickness");
    assert_eq!(lying(-0.05, true), None, "pins put it there");
}

/// A ball about the middle of an edge, away from all vertices: the edge is as deep as the radius.
#[test]
fn an_edge_through_a_ball_counts_between_vertices() {
    let mesh = sheet(1.0, 2);
    let [a, b, _] = mesh.triangles[0].map(|v| mesh.positions[v as usize]);
    let with = |lift: f64| {
        overlap(|world| {
            fixed(world, Shape::Sphere { radius: 0.03 }, a.midpoint(b) + DVec3::Y * lift);
            add(world, "cloth", &mesh);
        })
    };
    let found = with(0.0).expect("an overlap");
    assert_eq!(found.other, Touched::Rigid(0));
    assert!((found.depth - (THICKNESS + 0.03)).abs() < 1e-12, "{}", found.depth);
    assert_eq!(with(0.05), None);
}

/// A box pokes through the middle of a large face: its edges stand out by 20 mm on one side, and by 80 on the other.
#[test]
fn a_box_through_a_face_counts_between_edges() {
    let mesh = sheet(2.0, 1);
    let centre = mesh.triangles[0].map(|v| mesh.positions[v as usize]).iter().sum::<DVec3>() / 3.0;
    let with = |height: f64| {
        overlap(|world| {
            let half_extents = DVec3::splat(0.05);
            fixed(world, Shape::Box { half_extents }, centre + DVec3::Y * height);
            add(world, "cloth", &mesh);
        })
    };
    let found = with(-0.03).expect("an overlap");
    assert_eq!(found.other, Touched::Rigid(0));
    assert!((found.depth - (THICKNESS + 0.02)).abs() < 1e-9, "{}", found.depth);
    assert_eq!(with(-0.07), None);
}

/// Two sheets, one upright. The upright one goes `low` below the other.
fn crossed(low: f64) -> [mesh::SurfaceMesh; 2] {
    let (flat, mut upright) = (sheet(0.4, 4), sheet(0.2, 4));
    let least = upright.positions.iter().map(|x| x.x).fold(f64::MAX, f64::min);
    for x in &mut upright.positions {
        *x = DVec3::new(0.013, x.x - least - low, x.z + 0.007);
    }
    [flat, upright]
}

#[test]
fn sheets_through_each_other_are_told() {
    let with = |low: f64| {
        overlap(|world| {
            let [flat, upright] = crossed(low);
            add(world, "flat", &flat);
            add(world, "upright", &upright);
        })
    };
    let found = with(0.02).expect("an overlap");
    assert!(matches!((found.soft, found.other), (0, Touched::Soft(1)) | (1, Touched::Soft(0))));
    // No edge has to go farther than it reaches to the other side.
    assert!(found.part() > 1.0 && found.depth <= THICKNESS + 0.02 + 1e-12, "{}", found.depth);
    assert_eq!(with(-0.05), None);
}

#[test]
fn a_sheet_through_itself_is_told() {
    let with = |low: f64| {
        overlap(|world| {
            let [mut all, other] = crossed(low);
            let (first, corner) = (all.positions.len() as u32, all.uvs.len() as u32);
            all.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
            all.uv_triangles.extend(other.uv_triangles.iter().map(|t| t.map(|v| v + corner)));
            all.positions.extend(other.positions);
            all.uvs.extend(other.uvs);
            add(world, "cloth", &all);
        })
    };
    let found = with(0.02).expect("an overlap");
    assert_eq!((found.soft, found.other), (0, Touched::Soft(0)));
    assert!(found.part() > 1.0, "{}", found.part());
    assert_eq!(with(-0.05), None);
}
