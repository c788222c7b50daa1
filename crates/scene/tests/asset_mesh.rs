//! OBJ and STL files, and what is computed for all meshes.

mod asset_samples;

use asperity::geometry::shape::MeshData;
use asperity::glamx::{DVec2, DVec3};
use asperity_scene::asset::mesh::LoadedMesh;
use asset_samples::{OBJ, STL, binary_stl, corners, load};

fn area(mesh: &LoadedMesh) -> DVec3 {
    let at = |i: u32| mesh.positions[i as usize];
    mesh.triangles.iter().map(|[a, b, c]| (at(*b) - at(*a)).cross(at(*c) - at(*a)) / 2.0).sum()
}

fn bitangent(mesh: &LoadedMesh, i: usize) -> DVec3 {
    let [x, y, z, sign] = mesh.tangents[i];
    sign * mesh.normals[i].cross(DVec3::new(x, y, z))
}

fn tangent(mesh: &LoadedMesh, i: usize) -> DVec3 {
    DVec3::from_slice(&mesh.tangents[i][..3])
}

#[test]
fn obj_corners_with_equal_indices_become_one_vertex() {
    let mesh = load("square.obj", OBJ).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.positions[2], DVec3::new(1.0, 1.0, 0.0));
    assert_eq!(mesh.uvs[3], DVec2::new(0.0, 1.0));
    assert_eq!(mesh.normals, [DVec3::Z; 4]);
    assert_eq!(mesh.materials, ["oak", "light oak"]);
    assert_eq!(mesh.triangle_material, [0, 1]);
    for i in 0..4 {
        assert!(tangent(&mesh, i).distance(DVec3::X) < 1e-6);
        assert!(bitangent(&mesh, i).distance(DVec3::Y) < 1e-6);
    }
}

#[test]
fn obj_corners_with_other_texture_coordinates_stay_apart() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt .5 .5\n\
                f 1/1 2/2 3/3\nf 2/4 4/2 3/3\n";
    let mesh = load("seam.obj", text).unwrap();
    assert_eq!(mesh.positions.len(), 5);
    assert_eq!(mesh.normals, [DVec3::Z; 5]);
}

#[test]
fn obj_without_texture_coordinates_has_no_tangents() {
    let mesh = load("plain.OBJ", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n").unwrap();
    assert!(mesh.uvs.is_empty() && mesh.tangents.is_empty());
    assert_eq!(mesh.materials, ["default"]);
}

#[test]
fn obj_with_some_texture_coordinates_keeps_its_lists_in_step() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n\
                vn 0 0 1\nf 4 5 6//1\nf 1/1 2/2 3/3/1\n";
    let mesh = load("mixed.obj", text).unwrap();
    assert_eq!(mesh.uvs.len(), 6);
    assert_eq!(mesh.uvs[..3], [DVec2::ZERO; 3]);
    assert_eq!(mesh.uvs[4], DVec2::X);
    for i in 0..6 {
        assert!(tangent(&mesh, i).dot(mesh.normals[i]).abs() < 1e-12);
        assert!((tangent(&mesh, i).length() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn obj_lines_can_be_continued_and_faces_can_come_first() {
    let text = "#first\nf 1 2 \\\n3\nv 0 0 0 0.5 0.5 0.5\nv 1 0 \\\r\n 0\n  v 0 1 0 1\n";
    assert_eq!(load("odd.obj", text).unwrap().positions[1], DVec3::X);
}

#[test]
fn concave_polygons_are_covered_once() {
    // A comb of three teeth, wound both ways, in a tilted plane.
    let comb = [(0, 0), (6, 0), (6, 3), (5, 3), (5, 1), (3, 1), (3, 4), (2, 4), (2, 1), (0, 1)];
    let mut text = String::new();
    for (x, y) in comb {
        text += &format!("v {x} {y} {}\n", x + 2 * y);
    }
    for (face, sign) in [("f 1 2 3 4 5 6 7 8 9 10\n", 1.0), ("f 10 9 8 7 6 5 4 3 2 1\n", -1.0)] {
        let mesh = load("comb.obj", text.clone() + face).unwrap();
        assert_eq!(mesh.triangles.len(), 8);
        let normal = sign * DVec3::new(-1.0, -2.0, 1.0);
        assert!(area(&mesh).distance(11.0 * normal) < 1e-12);
        let at = |i: u32| mesh.positions[i as usize];
        for [a, b, c] in &mesh.triangles {
            let one = (at(*b) - at(*a)).cross(at(*c) - at(*a)) / 2.0;
            assert!(one.dot(normal) > 0.0, "a triangle lies outside the polygon");
        }
    }
}

#[test]
fn missing_normals_are_weighted_with_areas() {
    // An edge between a face of area 1 upwards and one of area 3 sideways.
    let text = "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 -3\nf 1 2 3\nf 1 4 2\n";
    let mesh = load("edge.obj", text).unwrap();
    let expected = (DVec3::Z + DVec3::NEG_Y * 3.0).normalize();
    assert!(mesh.normals[1].distance(expected) < 1e-12, "{}", mesh.normals[1]);
    assert!(mesh.normals[2].distance(DVec3::Z) < 1e-12);
}

#[test]
fn a_mirrored_texture_splits_vertices() {
    // u runs outwards from x = 0 on both sides.
    let text = "v -1 0 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n\
                f 1/2 2/1 4/3\nf 2/1 3/2 4/3\n";
    let mesh = load("mirror.obj", text).unwrap();
    assert_eq!(mesh.positions.len(), 6);
    for triangle in &mesh.triangles {
        for i in triangle.map(|i| i as usize) {
            let is_left = triangle.iter().any(|j| mesh.positions[*j as usize].x < 0.0);
            let out = if is_left { DVec3::NEG_X } else { DVec3::X };
            assert!(tangent(&mesh, i).distance(out) < 1e-6);
            assert!(bitangent(&mesh, i).distance(DVec3::Y) < 1e-6);
        }
    }
}

#[test]
fn tangents_follow_the_texture_of_a_cylinder() {
    let n = 24;
    let mut text = String::new();
    for i in 0..=n {
        let (u, angle) =
            (f64::from(i) / f64::from(n), std::f64::consts::TAU * f64::from(i % n) / f64::from(n));
        let (s, c) = angle.sin_cos();
        for z in [0, 1] {
            text += &format!("v {c} {s} {z}\nvt {u} {z}\nvn {c} {s} 0\n");
        }
    }
    for i in 0..n {
        let corners = [2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2].map(|k| format!(" {k}/{k}/{k}"));
        text += &format!("f{}\n", corners.concat());
    }
    let mesh = load("cylinder.obj", text).unwrap();
    assert_eq!(mesh.positions.len(), 2 * (n as usize + 1));
    for i in 0..mesh.positions.len() {
        assert!(tangent(&mesh, i).distance(DVec3::Z.cross(mesh.normals[i])) < 1e-6);
        assert!(bitangent(&mesh, i).distance(DVec3::Z) < 1e-6);
    }
}

#[test]
fn many_triangles_around_a_point_need_no_deep_stack() {
    let n = 30_000;
    let mut text = String::from("v 0 0 0\nvt 0 0\n");
    for i in 0..n {
        let (s, c) = (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
        text += &format!("v {c} {s} 0\nvt {c} {s}\n");
    }
    for i in 0..n {
        let (a, b) = (i + 2, (i + 1) % n + 2);
        text += &format!("f 1/1 {a}/{a} {b}/{b}\n");
    }
    let small = std::thread::Builder::new().stack_size(256 * 1024);
    let mesh = small.spawn(move || load("disc.obj", text).unwrap()).unwrap().join().unwrap();
    assert_eq!(mesh.triangles.len(), n as usize);
    for i in 0..mesh.positions.len() {
        assert!(tangent(&mesh, i).distance(DVec3::X) < 1e-3, "{i}: {:?}", mesh.tangents[i]);
    }
}

#[test]
fn scale_does_not_change_directions() {
    let mesh = load("square.obj", OBJ).unwrap();
    for scale in ["e-200", "e-30", "e28"] {
        let text = OBJ.replace("v 1 1 0", &format!("v 1{scale} 1{scale} 0"));
        let text = text.replace("v 1 0 0", &format!("v 1{scale} 0 0"));
        let text = text.replace("v 0 1 0", &format!("v 0 1{scale} 0"));
        let scaled = load("square.obj", text.replace("vn 0 0 1", "vn 0 0 0")).unwrap();
        assert_eq!(scaled.normals, mesh.normals);
        assert_eq!(scaled.tangents, mesh.tangents);
    }
}

#[test]
fn stl_corners_are_welded() {
    let text = load("corner.stl", STL).unwrap();
    assert_eq!((text.positions.len(), text.triangles.len()), (4, 4));
    assert!(area(&text).length() < 1e-15);
    let corner = text.positions.iter().position(|p| *p == DVec3::ZERO).unwrap();
    assert!(text.normals[corner].distance(-DVec3::ONE.normalize()) < 1e-15);
}

#[test]
fn stl_round_trips_through_binary() {
    let text = load("corner.stl", STL).unwrap();
    let mut bytes = binary_stl(&text);
    assert_eq!(load("corner.stl", &bytes).unwrap(), text);
    // A header that looks like text, and zeros at the end.
    bytes[..6].copy_from_slice(b"solid ");
    bytes.extend([0; 7]);
    assert_eq!(load("corner.stl", &bytes).unwrap(), text);
    let other = stl_io::read_stl(&mut std::io::Cursor::new(STL)).unwrap();
    let theirs: Vec<_> =
        other.faces.iter().map(|face| face.vertices.map(|i| other.vertices[i].0)).collect();
    assert_eq!(corners(&text), theirs);
}

#[test]
fn stl_negative_zero_is_zero_and_solids_add_up() {
    let text = STL.replace("vertex 0 0 0", "VERTEX -0.0 0 -0")
        + &STL.replace("solid corner of a box", "solid");
    let mesh = load("two.stl", text).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (4, 8));
}

#[test]
fn a_loaded_mesh_is_a_valid_shape() {
    let mesh = load("corner.stl", STL).unwrap();
    let shape = MeshData::from(mesh.clone());
    shape.validate().unwrap();
    assert_eq!((shape.positions, shape.normals), (mesh.positions, mesh.normals));
}

#[test]
fn bad_obj_names_file_line_and_cause() {
    let v = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (text, message) in [
        ("", "m.obj: no triangles; expected at least one"),
        (v, "m.obj: no triangles"),
        ("v 0 0\n", "m.obj:1: 2 numbers; expected 3"),
        ("\nv 0 0 x\n", "m.obj:2: \"x\"; expected a finite number"),
        ("v 0 nan 0\n", "m.obj:1: \"nan\"; expected a finite number"),
        ("v 0 1e999 0\n", "m.obj:1: \"1e999\""),
        ("v 0 0 0\nvt\n", "m.obj:2: 0 numbers"),
        ("hello\n", "m.obj:1: unknown statement \"hello\""),
        ("cstype bezier\n", "m.obj:1: \"cstype\" belongs to free-form geometry"),
        (&format!("{v}f 1 2\n"), "m.obj:4: a face with 2 corners"),
        (&format!("{v}f 1 2 4\n"), "m.obj:4: position 4 does not exist; the file has 3"),
        (&format!("{v}f 1 2 0\n"), "m.obj:4: position 0 of a face does not exist"),
        (&format!("{v}f 1 2 -4\n"), "m.obj:4: position -4 of a face does not exist"),
        (&format!("{v}f 1 2 9223372036854775807\n"), "m.obj:4: position 9223372036854775807"),
        (&format!("{v}f 1 2 -9223372036854775808\n"), "m.obj:4: position -9223372036854775808"),
        (&format!("{v}f 1 2 3/1\n"), "m.obj:4: texture coordinate 1 does not exist"),
        (&format!("{v}f 1 2 3//-1\n"), "m.obj:4: normal -1 of a face does not exist"),
        (&format!("{v}f 1 2 3/1/1/1\n"), "m.obj:4: corner \"3/1/1/1\"; expected at most three"),
        (&format!("{v}f 1 2 /3\n"), "m.obj:4: corner \"/3\" has no position"),
        (&format!("{v}f 1 1 2\n"), "m.obj: no triangles"),
        ("v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n", "m.obj: no triangle has an area"),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1e40 0\nf 1 2 3\n",
            "m.obj: vertex 2: the position has a component",
        ),
    ] {
        let error = load("m.obj", text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
    let error = load("m.3ds", "").unwrap_err().to_string();
    let kinds = "glb, gltf, obj, ply or stl";
    assert_eq!(error, format!("m.3ds: unknown kind of file; expected the extension {kinds}"));
}

#[test]
fn bad_stl_names_file_and_cause() {
    let binary = binary_stl(&load("corner.stl", STL).unwrap());
    let with_count = |count: u32| [&binary[..80], &count.to_le_bytes(), &binary[84..]].concat();
    let with_nan = [&binary[..96], &f32::NAN.to_le_bytes(), &binary[100..]].concat();
    for (bytes, message) in [
        (Vec::new(), "m.stl: 0 bytes; expected the 84 of a binary STL's header, or \"solid\""),
        (
            binary[..200].to_vec(),
            "m.stl: the header promises 4 triangles, so 284 bytes; the file has 200",
        ),
        (with_count(u32::MAX), "m.stl: the header promises 4294967295 triangles"),
        (with_count(2), "m.stl: the header promises 2 triangles, so 184 bytes; the file has 284"),
        (binary[..84].iter().map(|_| 0).collect(), "m.stl: no triangles"),
        (with_nan, "m.stl: vertex 0: the position has a component NaN"),
        (b"solid\n".to_vec(), "m.stl:2: the file ends here; expected facet or endsolid"),
        (b"solid\nendsolid".to_vec(), "m.stl: no triangles"),
        (STL.replace("endloop", "vertex 1 2 3").into(), "m.stl:7: \"vertex\"; expected endloop"),
        (STL.replace("vertex 1 0 0", "vertex 1 inf 0").into(), "m.stl:6: a coordinate is inf"),
        (
            STL.replace("vertex 1 0 0", "vertex 1 0,5 0").into(),
            "m.stl:6: \"0,5\"; expected a number",
        ),
        (
            STL.replace("endsolid", "endsold").into(),
            "m.stl:30: \"endsold\"; expected facet or endsolid",
        ),
    ] {
        let error = load("m.stl", bytes).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}\n  is not\n{message}");
    }
}
