//! PLY files, and grains in meshes.

mod asset_samples;

use asperity::glamx::{DVec2, DVec3};
use asperity_scene::asset::directions::{self, Vertices};
use asset_samples::{OBJ, PLY, STL, binary_ply, load, square_gltf};

#[test]
fn all_properties_are_read() {
    let mesh = load("square.ply", PLY).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.positions[2], DVec3::new(1.0, 1.0, 0.0));
    assert_eq!(mesh.normals, [DVec3::Z; 4]);
    assert_eq!(mesh.uvs, [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y]);
    let oblique = DVec3::new(-1.0, 1.0, 0.0).normalize();
    assert_eq!(mesh.grains, [DVec3::X, DVec3::Y, DVec3::ZERO, oblique]);
    assert_eq!((mesh.sources, mesh.source_count), (vec![0, 1, 2, 3], 4));
}

#[test]
fn text_and_bytes_say_the_same() {
    assert_eq!(load("a.ply", PLY).unwrap(), load("a.ply", binary_ply()).unwrap());
    let other_lines = PLY.replace('\n', "\r\n");
    assert_eq!(load("a.ply", PLY).unwrap(), load("a.ply", other_lines).unwrap());
}

#[test]
fn a_ply_without_grain_has_none() {
    let bare = PLY
        .replace("float gx", "float a")
        .replace("float gy", "float b")
        .replace("float gz", "float c");
    assert!(load("a.ply", bare).unwrap().grains.is_empty());
}

#[test]
fn bad_ply_names_file_and_cause() {
    let with = |from: &str, to: &str| {
        assert!(PLY.contains(from), "{from}");
        PLY.replacen(from, to, 1)
    };
    for (text, message) in [
        (with("ply\n", "plx\n"), "m.ply:1: expected ply in the first line"),
        (
            with("ascii 1.0", "binary_big_endian 1.0"),
            "m.ply:2: format \"binary_big_endian 1.0\"; expected ascii",
        ),
        (with("format ascii 1.0\n", ""), "m.ply: the header has no format line"),
        (with("vertex 4", "vertex many"), "m.ply:4: expected a whole number of vertex"),
        (with("vertex 4", "vertex 5"), "m.ply:29: vertex 4: the file ends before s"),
        (with("float x", "real x"), "m.ply:5: a property of type \"real\""),
        (with("float y", "float x"), "m.ply:6: vertex has x twice"),
        (with("double z", "double w"), "m.ply: vertex has no z; expected x, y, z"),
        (with("float gy", "float g2"), "m.ply: vertex has no gy; expected gx, gy, gz"),
        (with("uchar int", "float int"), "m.ply:21: the length of list vertex_indices"),
        (with("vertex_indices", "corners"), "m.ply: face has no list vertex_indices"),
        (with("end_header", "the end"), "m.ply:22: \"the end\"; expected format, element"),
        (
            with("1 0 0 255", "1 0 0 256"),
            "m.ply:24: vertex 1: red is \"256\"; expected a whole number",
        ),
        (with("1 0 0 255", "1 x 0 255"), "m.ply:24: vertex 1: y is \"x\"; expected a number"),
        (with("1 0 0 255", "1 nan 0 255"), "m.ply:24: vertex 1: its place is"),
        (
            with("0 0 3 0 0", "0 0 inf 0 0"),
            "m.ply:23: vertex 0: its grain is [inf, 0, 0]; expected finite",
        ),
        (with("0 0 3 0 0", "0 0 3 0 0 7"), "m.ply:23: vertex 0: 1 more numbers in this line"),
        (with("4 0 1 2 3", "4 0 1 2 4"), "m.ply:28: face 0: vertex 4 does not exist"),
        (with("4 0 1 2 3", "2 0 1"), "m.ply:28: face 0: 2 corners; expected at least three"),
        (with("4 0 1 2 3", "4 0 1 2 3\n8"), "m.ply: 1 more than the header promises"),
    ] {
        let error = load("m.ply", &text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}\n  is not\n{message}");
    }
    let binary = binary_ply();
    for length in 0..binary.len() {
        let error = load("m.ply", &binary[..length]).unwrap_err().to_string();
        assert!(error.starts_with("m.ply"), "{error}");
    }
}

/// A node turns the grain as it turns the mesh: a quarter turn about z, x three times as long, and a mirror.
#[test]
fn a_gltf_brings_a_grain_where_its_node_puts_it() {
    let with = |node: &str, grains: &[[f32; 3]]| {
        let mut gltf = square_gltf(node);
        let g = gltf.floats(grains);
        gltf.members =
            gltf.members.replace(r#""POSITION""#, &format!(r#""_GRAIN":{g},"POSITION""#));
        load("m.glb", gltf.glb())
    };
    let grains = [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0; 3]];
    let plain = with("", &grains).unwrap();
    let oblique = DVec3::new(1.0, 1.0, 0.0).normalize();
    assert_eq!(plain.grains, [DVec3::X, DVec3::Y, oblique, DVec3::ZERO]);
    assert_eq!((plain.sources, plain.source_count), (vec![0, 1, 2, 3], 4));
    let turned =
        with(r#","rotation":[0,0,0.70710678,0.70710678],"scale":[3,1,-1]"#, &grains).unwrap();
    let expected = [DVec3::Y, DVec3::NEG_X, DVec3::new(-1.0, 3.0, 0.0).normalize(), DVec3::ZERO];
    for (found, expected) in turned.grains.iter().zip(expected) {
        assert!(found.distance(expected) < 1e-7, "{found}, not {expected}");
    }
    let error = with("", &grains[..3]).unwrap_err().to_string();
    assert!(error.ends_with("_GRAIN has 3 elements; expected 4 as POSITION has"), "{error}");
    let error = with("", &[[f32::NAN, 0.0, 0.0]; 4]).unwrap_err().to_string();
    assert!(error.starts_with("m.glb: vertex 0: the grain has a component NaN"), "{error}");
    // Other attributes outside of the specification mean nothing here.
    let mut gltf = square_gltf("");
    gltf.members = gltf.members.replace(r#""POSITION""#, r#""_WEAR":0,"POSITION""#);
    assert_eq!(load("m.glb", gltf.glb()).unwrap(), load("m.glb", square_gltf("").glb()).unwrap());
}

/// Vertices know their numbers in the file, also where it has them in another order or does not use them.
#[test]
fn vertices_know_their_numbers_in_the_file() {
    let obj = format!("v 9 9 9\n{}", OBJ.replace("f 1/1/1 2/2/1 3/3/1", "f 4/3/1 2/1/1 3/2/1"));
    let mesh = load("a.obj", &obj).unwrap();
    assert_eq!(mesh.source_count, 5);
    let file = [[9.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    assert_ne!(mesh.sources, [0, 1, 2, 3]);
    for (source, position) in mesh.sources.iter().zip(&mesh.positions) {
        assert_eq!(DVec3::from(file[*source]), *position);
    }
    let mesh = load("a.stl", STL).unwrap();
    assert_eq!((mesh.sources, mesh.source_count), (vec![0, 1, 2, 3], 4));
}

const PLACES: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::new(0.0, 2.0, 0.0)];
const VERTICES: Vertices = Vertices { positions: &PLACES, order: Some((&[2, 0, 2], 4)) };

#[test]
fn directions_are_told_in_order_or_by_place() {
    let of = |text: &str| directions::parse("g.csv", text).unwrap().of("g.csv", &VERTICES).unwrap();
    let by_order = of("gx gy gz # the head\n1 0 0\n\n0 1 0\n0 0 1\n0 0 0\n");
    assert_eq!(by_order, [DVec3::Z, DVec3::X, DVec3::Z]);
    let by_place = of("x,y,z,gx,gy,gz\n0,2,0,0,3,0\n1,0,1e-7,0,0,1\n0,0,0,1,0,0\n0,0,0,1,0,0\n");
    assert_eq!(by_place, [DVec3::X, DVec3::Z, 3.0 * DVec3::Y]);
}

#[test]
fn bad_directions_name_file_line_and_cause() {
    let says = |text: &str, vertices: &Vertices, message: &str| {
        let read = directions::parse("g.csv", text).and_then(|d| d.of("g.csv", vertices));
        let error = read.unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}\n  is not\n{message}");
    };
    let all = "x,y,z,gx,gy,gz\n0,2,0,0,3,0\n1,0,0,0,0,1\n0,0,0,1,0,0\n";
    for (text, message) in [
        ("", "g.csv: nothing in it; expected a first line gx,gy,gz"),
        ("1,0,0\n", "g.csv:1: \"1,0,0\"; expected a first line"),
        ("x,y,gx,gy,gz\n", "g.csv:1: \"x,y,gx,gy,gz\"; expected a first line"),
        ("gx,gy,gz,w\n", "g.csv:1: \"gx,gy,gz,w\"; expected a first line"),
        ("gx,gx,gz\n", "g.csv:1: \"gx,gx,gz\"; expected a first line"),
        ("gx,gy,gz\n1,0\n", "g.csv:2: 2 numbers; expected 3"),
        ("gx,gy,gz\n1,0,nan\n", "g.csv:2: gz is \"nan\"; expected a finite number"),
        ("gx,gy,gz\n1,0,a\n", "g.csv:2: gz is \"a\"; expected a finite number"),
        ("gx,gy,gz\n1,0,0\n1,0,0\n1,0,0\n", "g.csv: 3 directions; expected 4, one for each vertex"),
        (&all.replace("1,0,0,0,0,1\n", ""), "g.csv: no direction for vertex 1, at [1, 0, 0]"),
        (&format!("{all}5,0,0,1,0,0\n"), "g.csv:5: no vertex is at [5, 0, 0]"),
        (&format!("{all}0,0,0,0,1,0\n"), "g.csv:5: another direction for the place of line 4"),
    ] {
        says(text, &VERTICES, message);
    }
    let unordered = Vertices { order: None, ..VERTICES };
    says("gx,gy,gz\n1,0,0\n", &unordered, "g.csv: no places, and these vertices have no order");
}
