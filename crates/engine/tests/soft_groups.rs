//! Groups of soft bodies: those that share one pass through each other, all others touch.

use std::sync::Arc;

use asperity::deform::{Fabric, SoftBody, mesh};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::glamx::{DVec2, DVec3};
use asperity::soft::{RestStructure, SoftContacts, SoftDesc};
use asperity::world::Settings;
use asperity::{BodyDesc, BodyKind, Shape, World};
use asperity_scene::{self as scene, NoAssets};

const BOTH: [SoftContacts; 2] = [SoftContacts::Implicit, SoftContacts::Filter];

fn world(kind: SoftContacts) -> World {
    let section = Fallback::Section(Arc::new(Coulomb::new(0.5).expect("a section")));
    let pairing = Pairing::new(vec![Surface::new("all")], vec![], &section).expect("a pairing");
    let settings = Settings { gravity: DVec3::NEG_Y * 9.81, dt: 0.005, ..Settings::default() };
    let mut world = World::new(settings, pairing);
    world.set_soft_contacts(kind);
    world
}

fn add_sheet(world: &mut World, name: &str, height: f64, group: u32, pinned: bool) {
    let mut m = mesh::cloth_rectangle(DVec2::splat(0.3), [5, 5]).expect("a mesh");
    m.positions.iter_mut().for_each(|x| x.y += height);
    let mut body = SoftBody::cloth(&m, &Fabric::cotton()).expect("a cloth");
    body.pinned.fill(pinned);
    let desc = SoftDesc {
        name: name.into(),
        body,
        surface: 0,
        structure: RestStructure::default(),
        thickness: Some(0.005),
        self_contact: true,
        group,
    };
    world.add_soft(desc).expect("a sheet");
}

/// Lowest vertex of the last soft body after 0.3 s, in which it falls by 0.44 m unless held.
fn lowest(world: &mut World) -> f64 {
    for _ in 0..60 {
        world.step();
        assert!(world.report().soft_error.is_none());
    }
    let body = &world.softs().last().expect("a sheet").body;
    body.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

fn on_box(kind: SoftContacts, sheet: u32, rigid: u32, half_extents: DVec3) -> f64 {
    let mut w = world(kind);
    let mut desc = BodyDesc::new("box", Shape::Box { half_extents });
    (desc.kind, desc.group) = (BodyKind::Fixed, rigid);
    w.add_body(desc).expect("a box");
    add_sheet(&mut w, "sheet", half_extents.y + 0.02, sheet, false);
    lowest(&mut w)
}

#[test]
fn cloth_passes_through_rigid_bodies_of_its_group_only() {
    let wide = DVec3::new(0.5, 0.05, 0.5);
    for kind in BOTH {
        let free = 0.07 - 0.5 * 9.81 * 0.3 * 0.3;
        for (sheet, rigid) in [(0, 0), (3, 0), (0, 3), (3, 4)] {
            let y = on_box(kind, sheet, rigid, wide);
            assert!(y > 0.05, "{kind:?}: groups {sheet} and {rigid} do not touch: {y}");
        }
        let y = on_box(kind, 3, 3, wide);
        assert!((y - free).abs() < 0.02, "{kind:?}: {y} of {free}");
    }
}

#[test]
fn corners_and_edges_of_the_group_are_not_felt_either() {
    // Thinner than the gap between vertices: only its edges and corners touch.
    let thin = DVec3::new(0.01, 0.05, 0.01);
    for kind in BOTH {
        let held = on_box(kind, 0, 3, thin);
        let passed = on_box(kind, 3, 3, thin);
        let free = 0.07 - 0.5 * 9.81 * 0.3 * 0.3;
        assert!((passed - free).abs() < 0.02, "{kind:?}: {passed} of {free}");
        assert!(held > passed + 0.05, "{kind:?}: {held} and {passed}");
    }
}

#[test]
fn soft_bodies_of_one_group_pass_through_each_other() {
    for kind in BOTH {
        let fall = |groups: [u32; 2]| {
            let mut w = world(kind);
            add_sheet(&mut w, "shelf", 0.0, groups[0], true);
            add_sheet(&mut w, "sheet", 0.02, groups[1], false);
            let y = lowest(&mut w);
            (y, w.soft_crossings())
        };
        for groups in [[0, 0], [2, 0], [0, 2], [1, 2]] {
            let (y, crossings) = fall(groups);
            assert!(y > -0.01 && crossings == 0, "{kind:?} {groups:?}: {y}, {crossings} crossings");
        }
        let (y, _) = fall([2, 2]);
        assert!((y - 0.02 + 0.5 * 9.81 * 0.09).abs() < 0.02, "{kind:?}: {y}");
    }
}

#[test]
fn scenes_give_soft_bodies_a_group() {
    let text = |group: u32| {
        format!(
            "version = 1\nworld = {{ dt = 0.005, duration = 0.3 }}\n\
             pair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\n\
             body = [ {{ name = \"ground\", kind = \"fixed\", group = 7, shape = {{ half_space = [0, 1, 0] }} }},\n\
             {{ name = \"gel\", at = [0, 0.15, 0], group = {group}, solid = {{ box = [0.2, 0.2, 0.2], cells = [2, 2, 2] }} }} ]\n"
        )
    };
    for (group, passes) in [(0, false), (6, false), (7, true)] {
        let mut scene = scene::load(&text(group), "gel.toml", &NoAssets).expect("a scene");
        let y = lowest(&mut scene.world);
        assert_eq!(y < -0.3, passes, "group {group}: {y}");
    }
}
