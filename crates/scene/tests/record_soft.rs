//! Recordings of cloth and soft solids: what they hold, that they can be read back, and that broken
//! ones are told.

use std::io::{Cursor, Write};

use asperity_scene::record::{Inventory, ReadError, Recorder, Recording, SoftRecord};
use asperity_scene::{self as scene, NoAssets};

const SCENE: &str = r#"
version = 1
world = { gravity = 0, dt = 0.01, duration = 0.1 }
material.wool = { density = 300 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
body = [
  { name = "sheet ü", at = [0, 0.5, 0], material = "wool", cloth = { size = [0.4, 0.2], cells = [4, 2], fabric = "silk" } },
  { name = "ball", at = [1, 0.6, 0], velocity = [1, 0, 0], material = "wool", solid = { sphere = 0.1, halvings = 1, layers = [2, 1], elastic = "rubber" } },
]
"#;

/// The sheet is drawn out along x after the first frame.
fn record(stretch: f64, steps: usize) -> Recording {
    let mut scene = scene::load(SCENE, "soft.toml", &NoAssets).expect("a scene");
    let mut recorder = Recorder::new(&scene.world, Vec::new(), 5);
    recorder.observe(&scene.world, &[]);
    let sheet = scene.world.soft_mut(asperity::soft::SoftId(0)).expect("a sheet");
    sheet.positions.iter_mut().for_each(|x| x.x *= stretch);
    for _ in 0..steps {
        scene.world.step();
        recorder.observe(&scene.world, &[]);
    }
    recorder.finish(&scene.world, &[]).0
}

fn npz(recording: &Recording) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    recording.write_npz(&mut bytes).expect("an archive");
    bytes.into_inner()
}

fn read(bytes: &[u8]) -> Result<SoftRecord, ReadError> {
    SoftRecord::read_npz(Cursor::new(bytes))
}

#[test]
fn shapes_come_back_bit_by_bit() {
    let recording = record(1.0, 10);
    let record = read(&npz(&recording)).expect("a record");
    assert_eq!(record.step, [0, 5, 10]);
    assert_eq!(record.softs.len(), 2);
    for (read, written) in record.softs.iter().zip(&recording.softs) {
        assert_eq!((&read.name, read.vertices), (&written.name, written.vertices));
        assert_eq!(read.triangles, written.triangles);
        assert_eq!(read.uvs, written.uvs);
        let bits =
            |p: &[[f32; 3]]| p.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read.position), bits(&written.position));
        assert_eq!(read.frames(), 3);
    }
}

#[test]
fn a_body_that_flies_freely_has_the_numbers_of_its_flight() {
    let recording = record(1.0, 10);
    let ball = &recording.softs[1];
    for (k, time) in recording.world.time.iter().enumerate() {
        assert!((ball.centre[k][0] - ball.centre[0][0] - time).abs() < 1e-9, "{time}");
        assert!((ball.velocity[k][0] - 1.0).abs() < 1e-9);
        let mass = 2.0 * ball.kinetic[0];
        assert!(mass > 0.0 && (ball.kinetic[k] - 0.5 * mass).abs() < 1e-9 * mass);
        assert!(
            ball.extent[k].iter().all(|x| (0.17..=0.2 + 1e-9).contains(x)),
            "{:?}",
            ball.extent
        );
        assert!(ball.stretch[k].iter().all(|x| (x - 1.0).abs() < 1e-9));
        assert!(ball.elastic[k].abs() < 1e-9);
    }
    let mut text = Vec::new();
    recording.write_softs(&mut text).expect("a table");
    let mut table = csv::Reader::from_reader(text.as_slice());
    assert_eq!(&table.headers().expect("heads")[12], "stretch");
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2 * 3);
    assert_eq!(&rows[2][2], "sheet ü");
    let centre = [3, 4, 5].map(|k| rows[5][k].parse::<f64>().unwrap());
    assert_eq!(centre, ball.centre[2]);
}

#[test]
fn stretch_is_that_of_the_edges() {
    let recording = record(1.5, 1);
    let sheet = &recording.softs[0];
    // One step of elasticity after a pull to half as long again: the edges along x lead.
    let [all, most] = sheet.stretch[1];
    assert!(all > 1.05 && all < most && most <= 1.5 + 1e-9, "{:?}", sheet.stretch);
    assert_eq!(sheet.stretch[0], [1.0, 1.0]);
    assert!(sheet.elastic[1] > 0.0 && sheet.kinetic[1] > 0.0);
}

#[test]
fn broken_archives_are_told_and_never_a_panic() {
    let bytes = npz(&record(1.0, 10));
    for cut in 0..60 {
        let short = &bytes[..bytes.len() * cut / 60];
        assert!(
            matches!(read(short), Err(ReadError::Archive(_))),
            "{cut} sixtieths are an archive"
        );
    }
    // Any byte of the positions changes their checksum.
    let at = bytes.windows(15).position(|w| w == b"soft_1_position").expect("positions");
    let mut broken = bytes.clone();
    broken[at + 400] ^= 0x10;
    let error = read(&broken).expect_err("a checksum").to_string();
    assert!(error.contains("soft_1_position"), "{error}");
    // One wrong bit anywhere: an error, or what was written. Only the name of the list of soft
    // bodies cannot be missed: without it there are none.
    let whole = read(&bytes).expect("a record");
    let mut refused = 0;
    for k in 0..bytes.len() {
        let mut broken = bytes.clone();
        broken[k] ^= 1 << (k % 8);
        match read(&broken) {
            Ok(record) => assert!(record == whole || record.softs.is_empty(), "byte {k}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 4 * whole.softs.iter().map(|s| 3 * s.position.len()).sum::<usize>());
    assert!(read(b"").is_err() && read(b"PK\x05\x06").is_err());
}

#[test]
fn sizes_that_no_file_can_have_are_told() {
    let kinds = ["<i8", "<U99999999999999999999", "<U4611686018427387904", "<", "|O"];
    let shapes = ["4294967296, 4294967296, 4", "18446744073709551616,", "9999999999,", "-1,", "(,"];
    for (kind, shape) in kinds.iter().flat_map(|k| shapes.map(|s| (k, s))) {
        let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}\n");
        for length in [text.len(), 0, 1, 65_535] {
            let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
            zip.start_file("step.npy", zip::write::SimpleFileOptions::default()).unwrap();
            let head = [&b"\x93NUMPY\x01\x00"[..], &(length as u16).to_le_bytes()].concat();
            zip.write_all(&[head.as_slice(), text.as_bytes(), &[0; 64]].concat()).unwrap();
            let bytes = zip.finish().unwrap().into_inner();
            let error = read(&bytes).expect_err("no such array");
            assert!(matches!(&error, ReadError::Array { name, .. } if name == "step"), "{error}");
        }
    }
}

#[test]
fn an_archive_without_soft_bodies_is_one_without() {
    let text = "version = 1\nworld = { dt = 0.01, duration = 0.1 }\n\
                pair.default = { section = { model = \"coulomb\", mu = 0.3 } }\n\
                body = [ { name = \"a\", shape = { sphere = 0.1 } } ]\n";
    let mut scene = scene::load(text, "rigid.toml", &NoAssets).expect("a scene");
    let mut recorder = Recorder::new(&scene.world, Vec::new(), 1);
    recorder.observe(&scene.world, &[]);
    scene.world.step();
    let (recording, _) = recorder.finish(&scene.world, &[]);
    let bytes = npz(&recording);
    assert!(!bytes.windows(4).any(|w| w == b"soft"), "a rigid recording has no soft arrays");
    assert_eq!(read(&bytes).expect("a record"), SoftRecord { step: vec![0, 1], softs: vec![] });
}

#[test]
fn soft_bodies_are_counted() {
    let scene = scene::load(SCENE, "soft.toml", &NoAssets).expect("a scene");
    let held = Inventory::of(&scene.world);
    assert_eq!(held.softs.into_iter().collect::<Vec<_>>(), [("cloth", 1), ("solid", 1)]);
    assert_eq!(held.materials, [("wool".to_owned(), 2)]);
    assert_eq!(held.pairs.len(), 1);
}
