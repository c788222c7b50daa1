//! glTF and GLB files.

mod asset_samples;

use asperity::glamx::{DMat3, DVec2, DVec3};
use asperity_scene::asset::mesh;
use asperity_scene::asset::{AssetError, Resolve};
use asset_samples::{ALONE, Gltf, glb, load, square_gltf};
use base64::Engine;

/// A mesh of one primitive with these members.
fn with_primitive(mut gltf: Gltf, primitive: &str) -> Gltf {
    gltf.members = format!(
        r#""scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{{primitive}}}]}}],"#
    );
    gltf
}

const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];

#[test]
fn all_attributes_are_read() {
    let mesh = load("square.glb", square_gltf("").glb()).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.positions[2], DVec3::new(1.0, 1.0, 0.0));
    assert_eq!(mesh.normals, [DVec3::Z; 4]);
    assert_eq!(mesh.tangents, [[1.0, 0.0, 0.0, 1.0]; 4]);
    // v upwards, as y.
    let xy: Vec<DVec2> = mesh.positions.iter().map(|p| p.truncate()).collect();
    assert_eq!(mesh.uvs, xy);
    assert_eq!((mesh.materials, mesh.triangle_material), (vec!["oak".to_owned()], vec![0, 0]));
}

#[test]
fn computed_tangents_agree_with_those_of_the_file() {
    let mut gltf = square_gltf("");
    let with = load("square.glb", gltf.glb()).unwrap();
    gltf.members = gltf.members.replace(r#""TANGENT":2,"#, "");
    let without = load("square.glb", gltf.glb()).unwrap();
    for (a, b) in with.tangents.iter().zip(&without.tangents) {
        assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-6), "{a:?} {b:?}");
    }
}

#[test]
fn buffers_can_be_in_the_text_or_beside_it() {
    let gltf = square_gltf("");
    let expected = load("square.glb", gltf.glb()).unwrap();
    let data = base64::engine::general_purpose::STANDARD.encode(&gltf.bytes);
    let inline = gltf.json(Some(&format!("data:application/octet-stream;base64,{data}")));
    assert_eq!(load("square.gltf", inline).unwrap(), expected);
    let beside = gltf.json(Some("my%20data.bin"));
    let resolve: Resolve = &|name| {
        assert_eq!(name, "my data.bin");
        Ok(gltf.bytes.clone())
    };
    assert_eq!(mesh::load("square.gltf", beside.as_bytes(), resolve).unwrap(), expected);
}

#[test]
fn nodes_place_meshes() {
    // A quarter turn about z, then scale and shift by the parent, which is a matrix.
    let mut gltf = square_gltf(r#","rotation":[0,0,0.70710678,0.70710678]"#);
    gltf.members = gltf.members.replace(r#""nodes":[0]"#, r#""nodes":[1]"#).replace(
        r#"}],
        "materials""#,
        r#"},{"children":[0],"matrix":[2,0,0,0, 0,1,0,0, 0,0,1,0, 10,20,30,1]}],
        "materials""#,
    );
    let mesh = load("placed.glb", gltf.glb()).unwrap();
    // (1, 0, 0) turns to (0, 1, 0).
    assert!(mesh.positions[1].distance(DVec3::new(10.0, 21.0, 30.0)) < 1e-6);
    assert!(mesh.positions[3].distance(DVec3::new(8.0, 20.0, 30.0)) < 1e-6);
    assert!(mesh.normals[0].distance(DVec3::Z) < 1e-12);
    assert!(DVec3::from_slice(&mesh.tangents[0][..3]).distance(DVec3::Y) < 1e-6);
}

#[test]
fn sheared_normals_stay_perpendicular_and_mirrored_triangles_outside() {
    for x in [1.0, -1.0] {
        let matrix = format!(r#","matrix":[{x},0,1,0, 0,1,2,0, 0,0,0.5,0, 0,0,0,1]"#);
        let mesh = load("sheared.glb", square_gltf(&matrix).glb()).unwrap();
        let m = DMat3::from_cols_array(&[x, 0.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.5]);
        for [a, b, c] in mesh.triangles.iter().map(|t| t.map(|i| mesh.positions[i as usize])) {
            let normal = (b - a).cross(c - a).normalize();
            assert!(normal.distance(mesh.normals[0]) < 1e-12, "{normal} {}", mesh.normals[0]);
        }
        let [tx, ty, tz, sign] = mesh.tangents[0];
        assert_eq!(sign, x);
        let t = DVec3::new(tx, ty, tz);
        assert!(t.distance((m * DVec3::X).normalize()) < 1e-12);
        // The bitangent still points to growing v, which is along y of the mesh.
        assert!((sign * mesh.normals[0].cross(t)).dot(m * DVec3::Y) > 0.0);
    }
}

#[test]
fn a_flattened_mesh_gets_normals_from_its_triangles() {
    let mesh = load("flat.glb", square_gltf(r#","scale":[1,1,0]"#).glb()).unwrap();
    assert_eq!(mesh.normals, [DVec3::Z; 4]);
}

#[test]
fn strips_fans_and_plain_lists_give_the_same_sense() {
    for (mode, order, triangles) in [
        (4, &[0, 1, 2, 2, 1, 3][..], 2),
        (5, &[0, 1, 2, 3][..], 2),
        (5, &[0, 1, 2, 3, 3][..], 2),
        (6, &[0, 1, 3, 2][..], 2),
    ] {
        let mut gltf = Gltf::default();
        let p = gltf.floats(&CORNERS);
        let i = gltf.indices(order);
        let primitive = format!(r#""mode":{mode},"indices":{i},"attributes":{{"POSITION":{p}}}"#);
        let mesh = load("mode.glb", with_primitive(gltf, &primitive).glb()).unwrap();
        assert_eq!(mesh.triangles.len(), triangles);
        for normal in &mesh.normals {
            assert!(normal.distance(DVec3::Z) < 1e-12, "mode {mode}");
        }
        assert_eq!(mesh.materials, ["default"]);
    }
}

#[test]
fn vertices_without_triangle_are_left_out() {
    let mut gltf = Gltf::default();
    let p = gltf.floats(&CORNERS);
    let i = gltf.indices(&[3, 2, 1]);
    let primitive = format!(r#""indices":{i},"attributes":{{"POSITION":{p}}}"#);
    let mesh = load("part.glb", with_primitive(gltf, &primitive).glb()).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.as_slice()), (3, &[[0, 1, 2]][..]));
}

#[test]
fn normalised_texture_coordinates_are_scaled() {
    let mut gltf = Gltf::default();
    let p = gltf.floats(&CORNERS[..3]);
    let view = gltf.view(&[0, 255, 51, 0, 255, 255]);
    let members = format!(r#","bufferView":{view},"normalized":true"#);
    let uv = gltf.accessor(5121, "VEC2", 3, &members);
    let primitive = format!(r#""attributes":{{"POSITION":{p},"TEXCOORD_0":{uv}}}"#);
    let mesh = load("bytes.glb", with_primitive(gltf, &primitive).glb()).unwrap();
    assert_eq!(mesh.uvs, [DVec2::ZERO, DVec2::new(0.2, 1.0), DVec2::X]);
}

/// A triangle whose corners 1 and 2 are given sparsely over zeros.
fn sparse(places: [u8; 2]) -> Gltf {
    let mut gltf = Gltf::default();
    let at = gltf.view(&places);
    let bytes: Vec<u8> =
        [1.0_f32, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let values = gltf.view(&bytes);
    let members = format!(
        r#","min":[0,0,0],"max":[1,1,1],"sparse":{{"count":2,"indices":{{"bufferView":{at},"componentType":5121}},"values":{{"bufferView":{values}}}}}"#
    );
    let p = gltf.accessor(5126, "VEC3", 3, &members);
    with_primitive(gltf, &format!(r#""attributes":{{"POSITION":{p}}}"#))
}

#[test]
fn sparse_accessors_replace_elements() {
    let mesh = load("sparse.glb", sparse([1, 2]).glb()).unwrap();
    assert_eq!(mesh.positions, [DVec3::ZERO, DVec3::X, DVec3::Y]);
}

#[test]
fn without_a_scene_all_root_nodes_count() {
    let mut gltf = square_gltf("");
    gltf.members = gltf.members.replace(r#""scene":0,"scenes":[{"nodes":[0]}],"#, "");
    assert_eq!(load("library.glb", gltf.glb()).unwrap().triangles.len(), 2);
}

/// The message for a changed square.
fn refused(change: impl Fn(&str) -> String) -> String {
    let gltf = square_gltf("");
    let json = change(&gltf.json(None));
    assert_ne!(json, gltf.json(None), "nothing was changed");
    load("m.glb", glb(&json, &gltf.bytes)).unwrap_err().to_string()
}

/// What is replaced, by what, and how the message begins.
const BAD_DOCUMENTS: &[(&str, &str, &str)] = &[
    (
        r#""indices":4"#,
        r#""indices":9"#,
        "m.glb: not a valid glTF: meshes[0].primitives[0].indices: Index out of bounds",
    ),
    (
        r#""POSITION":0"#,
        r#""POSITION":7"#,
        "m.glb: meshes[0].primitives[0]: POSITION has an accessor that does not exist",
    ),
    (
        r#""NORMAL":1"#,
        r#""NORMAL":3"#,
        "m.glb: meshes[0].primitives[0]: accessors[3] has Vec2 elements; expected Vec3",
    ),
    (
        r#""TEXCOORD_0":3"#,
        r#""TEXCOORD_0":4"#,
        "m.glb: meshes[0].primitives[0]: accessors[4] has Scalar elements",
    ),
    (
        r#""indices":4"#,
        r#""indices":0"#,
        "m.glb: meshes[0].primitives[0]: accessors[0] has Vec3 elements; expected Scalar",
    ),
    (
        r#""count":6"#,
        r#""count":5"#,
        "m.glb: meshes[0].primitives[0]: 5 indices; expected three for each triangle",
    ),
    (
        r#""count":6"#,
        r#""count":9"#,
        "m.glb: meshes[0].primitives[0]: accessors[4] has 9 elements, which do not fit in bufferViews[4]",
    ),
    (
        r#""count":6"#,
        r#""count":18446744073709551615"#,
        "m.glb: meshes[0].primitives[0]: accessors[4] has 18446744073709551615 elements; expected at most",
    ),
    (
        r#""count":6"#,
        r#""count":200000000"#,
        "m.glb: meshes[0].primitives[0]: accessors[4] has 200000000 elements, which do not fit",
    ),
    (
        r#""type":"VEC2","count":4"#,
        r#""type":"VEC2","count":3"#,
        "m.glb: meshes[0].primitives[0]: TEXCOORD_0 has 3 elements; expected 4 as POSITION has",
    ),
    (
        r#""byteOffset":0"#,
        r#""byteOffset":1000"#,
        "m.glb: meshes[0].primitives[0]: accessors[0] needs bufferViews[0], which lies beyond its buffer",
    ),
    (
        r#""byteOffset":0"#,
        r#""byteOffset":18446744073709551615"#,
        "m.glb: meshes[0].primitives[0]: accessors[0] needs bufferViews[0]",
    ),
    (r#""buffers":[{"byteLength":"#, r#""buffers":[{"byteLength":9"#, "m.glb: buffers[0]: "),
    (
        r#""nodes":[{"mesh":0"#,
        r#""nodes":[{"children":[0],"mesh":0"#,
        "m.glb: nodes[0] is reached twice; expected a tree",
    ),
    (r#""scenes":[{"nodes":[0]}]"#, r#""scenes":[{"nodes":[]}]"#, "m.glb: no triangles"),
    (r#""mesh":0"#, r#""mesh":0,"rotation":[0,0,0,0]"#, "m.glb: nodes[0]: rotation"),
    (
        r#""mesh":0"#,
        r#""mesh":0,"translation":[3e38,0,0],"scale":[1,1e38,1]"#,
        "m.glb: vertex 0: the position has a component",
    ),
    (
        r#""scene":0"#,
        r#""extensionsRequired":["KHR_draco_mesh_compression"],"scene":0"#,
        "m.glb: not a valid glTF: extensionsRequired[0]",
    ),
    (r#""scene":0"#, r#""scene":{}"#, "m.glb: not a glTF: invalid type"),
    (
        r#""componentType":5123"#,
        r#""componentType":5122"#,
        "m.glb: meshes[0].primitives[0]: accessors[4] has no indices",
    ),
];

#[test]
fn bad_documents_are_refused_with_the_place() {
    for (from, to, message) in BAD_DOCUMENTS {
        let error = refused(|json| json.replacen(from, to, 1));
        assert!(error.starts_with(*message), "{error}\n  is not\n{message}");
    }
}

#[test]
fn bad_bytes_are_refused_with_the_place() {
    let gltf = square_gltf("");
    let with = |at: usize, bytes: [u8; 4]| {
        let mut bad = square_gltf("");
        bad.bytes[at..at + 4].copy_from_slice(&bytes);
        load("m.glb", bad.glb()).unwrap_err().to_string()
    };
    let nan = f32::NAN.to_le_bytes();
    let indices = gltf.bytes.len() - 12;
    assert!(with(0, nan).starts_with("m.glb: vertex 0: the position has a component NaN"));
    assert!(with(48 + 12, nan).starts_with("m.glb: vertex 1: the normal has a component NaN"));
    assert!(with(96 + 12, nan).starts_with("m.glb: vertex 0: the tangent has a component NaN"));
    let half = 0.5_f32.to_le_bytes();
    assert!(with(96 + 12, half).starts_with("m.glb: vertex 0: the sign of the tangent is 0.5"));
    assert!(
        with(160, nan).starts_with("m.glb: vertex 0: the texture coordinate has a component NaN")
    );
    let error = with(indices, [7, 0, 0, 0]);
    assert_eq!(error, "m.glb: meshes[0].primitives[0]: index 7 at 0; expected less than 4");
    let error = load("m.glb", sparse([2, 1]).glb()).unwrap_err().to_string();
    assert!(error.ends_with("replaces elements out of order or beyond its end"), "{error}");
    let error = load("m.glb", sparse([1, 3]).glb()).unwrap_err().to_string();
    assert!(error.ends_with("replaces elements out of order or beyond its end"), "{error}");
}

#[test]
fn bad_headers_and_references_are_refused() {
    let gltf = square_gltf("");
    let whole = gltf.glb();
    for length in [0_u32, 11, 12, 1 << 31] {
        let mut bytes = whole.clone();
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        let error = load("m.glb", &bytes).map(|_| ()).map_err(|e| e.to_string());
        assert_eq!(error.is_ok(), length == 12, "{error:?}");
    }
    for length in 0..whole.len() {
        let error = load("m.glb", &whole[..length]).unwrap_err().to_string();
        assert!(error.starts_with("m.glb: "), "{error}");
    }
    for (uri, message) in [
        ("gone.bin", "m.gltf: buffers[0]: cannot read gone.bin: not found"),
        (
            "http://a/b.bin",
            "m.gltf: buffers[0]: the address \"http://a/b.bin\"; expected a relative one",
        ),
        ("%4", "m.gltf: buffers[0]: the address \"%4\" has a broken % sequence"),
        ("data:text/plain,abc", "m.gltf: buffers[0]: a data address of kind \"text/plain\""),
        ("data:;base64,*", "m.gltf: buffers[0]: not base 64"),
        ("data:;base64,AAAA", "m.gltf: buffers[0]: 3 bytes; expected 204"),
    ] {
        let error = load("m.gltf", gltf.json(Some(uri))).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}\n  is not\n{message}");
    }
    let error = mesh::load("m.gltf", gltf.json(None).as_bytes(), ALONE).unwrap_err();
    assert_eq!(
        error,
        AssetError::Content {
            file: "m.gltf".to_owned(),
            problem: "buffers[0]: no binary chunk".to_owned(),
        }
    );
}
