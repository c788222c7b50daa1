//! Recordings: what they hold, and that they can be read back.

use std::io::{Cursor, Read};
use std::sync::Arc;

use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::glamx::DVec3;
use asperity::world::Settings;
use asperity::{BodyDesc, Shape, World};
use asperity_scene::record::{Channel, Inventory, Recorder, Recording, Summary};

/// A box, with a name that CSV must quote, that slides on a plane.
fn world() -> World {
    let section = Fallback::Section(Arc::new(Coulomb::new(0.5).unwrap()));
    let surfaces = vec![Surface::new("ice"), Surface::new("oak")];
    let pairing = Pairing::new(surfaces, vec![], &section).unwrap();
    let mut world = World::new(Settings::default(), pairing);
    world.add_body(BodyDesc::fixed("ground", Shape::HalfSpace { normal: DVec3::Y })).unwrap();
    let shape = Shape::Box { half_extents: DVec3::splat(0.1) };
    let mut block = BodyDesc::new("a \"box\", oak", shape).at(DVec3::new(0.0, 0.1, 0.0));
    (block.surface, block.linear_velocity) = (1, DVec3::X);
    world.add_body(block).unwrap();
    world
}

fn record(every: u64, steps: u64) -> (Recording, Summary, World) {
    let mut world = world();
    let channel = Channel { name: "x".to_owned(), unit: "m".to_owned() };
    let mut recorder = Recorder::new(&world, vec![channel], every);
    let value = |world: &World| [world.bodies()[1].pose.translation.x];
    recorder.observe(&world, &value(&world));
    for _ in 0..steps {
        world.step();
        recorder.observe(&world, &value(&world));
    }
    let (recording, summary) = recorder.finish(&world, &value(&world));
    (recording, summary, world)
}

#[test]
fn the_first_and_the_last_step_are_always_kept() {
    let (recording, summary, world) = record(4, 10);
    assert_eq!(recording.world.step, [0, 4, 8, 10]);
    assert_eq!(recording.position.len(), 4 * 2);
    assert_eq!(recording.position[7], world.bodies()[1].pose.translation.to_array());
    assert_eq!(
        recording.values,
        recording.position.iter().skip(1).step_by(2).map(|p| p[0]).collect::<Vec<_>>()
    );
    assert_eq!((summary.steps, summary.frozen.len()), (10, 0));
    assert_eq!(summary.touched.into_iter().collect::<Vec<_>>(), [[0, 1]]);
    assert!(summary.worst_residual <= 1e-9 && summary.unconverged == 0);
}

#[test]
fn contacts_carry_the_weight_and_the_friction() {
    let (recording, _, world) = record(1, 5);
    let weight = world.bodies()[1].mass * 9.81;
    let rows = recording.contacts.rows(5);
    assert!(!rows.is_empty() && recording.contacts.rows(0).is_empty());
    let force = rows
        .clone()
        .fold(DVec3::ZERO, |sum, row| sum + DVec3::from_array(recording.contacts.force[row]));
    assert!((force - weight * DVec3::new(-0.5, 1.0, 0.0)).length() < 1e-6 * weight, "{force}");
    let load: f64 = rows.map(|row| recording.contacts.load[row]).sum();
    assert!((load - weight).abs() < 1e-6 * weight);
}

#[test]
fn tables_have_units_and_give_back_every_bit() {
    let (recording, ..) = record(1, 3);
    let text = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = Vec::new();
        write(&mut bytes);
        String::from_utf8(bytes).unwrap()
    };
    let bodies = text(&|out| recording.write_bodies(out).unwrap());
    let mut reader = csv::Reader::from_reader(bodies.as_bytes());
    assert_eq!(&reader.headers().unwrap()[10], "vx [m/s]");
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4 * 2);
    for (row, position) in rows.iter().zip(&recording.position) {
        assert_eq!([3, 4, 5].map(|k| row[k].parse::<f64>().unwrap()), *position);
    }
    assert_eq!(&rows[1][2], "a \"box\", oak");
    let probes = text(&|out| recording.write_probes(out).unwrap());
    assert!(probes.starts_with("step,time [s],x [m]\n0,0.0,0.0\n"), "{probes}");
    let world = text(&|out| recording.write_world(out).unwrap());
    assert_eq!(world.lines().count(), 5);
    let contacts = text(&|out| recording.write_contacts(out).unwrap());
    assert_eq!(contacts.lines().count(), 1 + recording.contacts.gap.len());
}

#[test]
fn the_archive_holds_every_array_in_its_shape() {
    let (recording, ..) = record(1, 3);
    let archive = || {
        let mut bytes = Cursor::new(Vec::new());
        recording.write_npz(&mut bytes).unwrap();
        bytes.into_inner()
    };
    let bytes = archive();
    assert_eq!(bytes, archive(), "the same bytes each time");
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let contacts = recording.contacts.gap.len();
    let mut array = |name: &str, kind: &str, shape: &str| {
        let mut content = Vec::new();
        zip.by_name(&format!("{name}.npy")).unwrap().read_to_end(&mut content).unwrap();
        assert!(content.starts_with(b"\x93NUMPY\x01\x00"), "{name}");
        let start = 10 + usize::from(u16::from_le_bytes([content[8], content[9]]));
        let head = String::from_utf8_lossy(&content[10..start]).into_owned();
        assert!(head.contains(&format!("'descr': '{kind}'")), "{name}: {head}");
        assert!(head.contains(&format!("'shape': {shape},")), "{name}: {head}");
        content.split_off(start)
    };
    let position = array("position", "<f8", "(4, 2, 3)");
    let numbers: Vec<f64> =
        position.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(numbers, recording.position.as_flattened());
    array("rotation", "<f8", "(4, 2, 4)");
    array("time", "<f8", "(4,)");
    array("step", "<i8", "(4,)");
    array("probe_value", "<f8", "(4, 1)");
    array("contact_force", "<f8", &format!("({contacts}, 3)"));
    array("contact_body", "<i8", &format!("({contacts}, 2)"));
    let names = array("body", "<U12", "(2,)");
    assert_eq!(names.len(), 2 * 12 * 4);
    assert_eq!(&names[..8], b"g\0\0\0r\0\0\0");
}

#[test]
fn a_stopped_body_is_in_the_summary() {
    let mut world = world();
    let mut recorder = Recorder::new(&world, Vec::new(), 1);
    let block = world.find("a \"box\", oak").unwrap();
    for step in 1..=5 {
        if step == 3 {
            world.apply_force(block, DVec3::splat(f64::NAN), DVec3::ZERO);
        }
        world.step();
        recorder.observe(&world, &[]);
    }
    let frozen = &recorder.summary().frozen;
    assert_eq!(frozen.len(), 1, "{frozen:?}");
    assert_eq!(frozen[0].body, "a \"box\", oak");
}

#[test]
fn an_inventory_counts_bodies_and_pairs() {
    let held = Inventory::of(&world());
    assert_eq!((held.dynamic, held.kinematic, held.fixed), (1, 0, 1));
    assert_eq!(held.shapes.into_iter().collect::<Vec<_>>(), [("box", 1), ("half-space", 1)]);
    assert_eq!(held.materials, [("ice".to_owned(), 1), ("oak".to_owned(), 1)]);
    assert_eq!(held.pairs.len(), 1);
    assert_eq!(
        (held.pairs[0].section.as_str(), held.pairs[0].origin.as_str()),
        ("coulomb", "default pair")
    );
}
