//! `asperity render` and `asperity texture`, from outside: files, messages, exit codes.

mod common;

use common::{DRAPE, Folder, HEAP, SLIDE, asperity};

/// Width and height from the IHDR chunk of a PNG, which always comes first.
fn png_size(png: &[u8]) -> [u32; 2] {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn a_scene_becomes_a_picture_that_shows_all_bodies() {
    let folder = Folder::new("render");
    folder.write("heap.toml", HEAP);
    for renderer in ["cpu", "auto"] {
        let arguments =
            ["render", "heap.toml", "-o", "a.png", "--size", "320x180", "--renderer", renderer];
        let out = asperity(&folder, &arguments);
        assert_eq!(out.code, 0, "{out:?}");
        assert!(out.stdout.contains("6 of 6 bodies visible"), "{}", out.stdout);
        assert_eq!(png_size(&folder.bytes("a.png")), [320, 180]);
    }
    // Nothing half-written stays behind.
    assert_eq!(folder.names(""), ["a.png", "heap.toml"]);
}

#[test]
fn a_recording_is_drawn_like_the_scene_it_was_made_from() {
    let folder = Folder::new("recording");
    folder.write("slide.toml", SLIDE);
    assert_eq!(asperity(&folder, &["run", "slide.toml", "--out", "data"]).code, 0);
    for (source, picture) in [("slide.toml", "a.png"), ("data", "b.png")] {
        let arguments = [
            "render",
            source,
            "-o",
            picture,
            "--size",
            "160x90",
            "--renderer",
            "cpu",
            "--times",
            "0.3",
            "--overlay",
            "structure,forces,cones,contacts",
            "--camera",
            "eye=1,1,2 at=0,0,0",
        ];
        let out = asperity(&folder, &arguments);
        assert_eq!(out.code, 0, "{out:?}");
        assert!(out.stdout.contains("camera \"eye=1,1,2 at=0,0,0 fov=35\""), "{}", out.stdout);
    }
    assert!(folder.bytes("a.png") == folder.bytes("b.png"), "the pictures differ");
    // The recording needs the scene file no more.
    std::fs::remove_file(folder.path.join("slide.toml")).unwrap();
    let again = asperity(
        &folder,
        &["render", "data", "-o", "c.png", "--size", "64x64", "--renderer", "cpu"],
    );
    assert_eq!(again.code, 0, "{again:?}");
}

#[test]
fn recorded_cloth_and_solids_are_drawn_as_they_were() {
    let folder = Folder::new("soft");
    folder.write("drape.toml", DRAPE);
    let out = asperity(&folder, &["run", "drape.toml", "--out", "data"]);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(folder.names("data").contains(&"softs.csv".to_owned()), "{:?}", folder.names("data"));
    let draw = |source: &str, times: &str, picture: &str| {
        let arguments = [
            "render",
            source,
            "-o",
            picture,
            "--size",
            "160x90",
            "--renderer",
            "cpu",
            "--times",
            times,
            "--camera",
            "eye=1.5,1.2,1.6 at=0.2,0.2,0",
        ];
        let out = asperity(&folder, &arguments);
        assert_eq!(out.code, 0, "{out:?}");
        folder.bytes(picture)
    };
    for times in ["0", "0.2", "0.205", "0.3"] {
        let (live, recorded) = (draw("drape.toml", times, "a.png"), draw("data", times, "b.png"));
        assert!(live == recorded, "the pictures of {times} s differ");
    }
    assert!(draw("data", "0", "a.png") != draw("data", "0.3", "b.png"), "nothing moved");
    // Without the camera's words, too: it looks at what moves. Nothing rigid does: what a strobe
    // adds is soft.
    let fixed = ["render", "data", "--size", "64x64", "--renderer", "cpu", "-o"];
    for more in [&["c.png"][..], &["d.png", "--strobe", "3"]] {
        let out = asperity(&folder, &[&fixed, more].concat());
        assert_eq!(out.code, 0, "{out:?}");
    }
    assert!(folder.bytes("c.png") != folder.bytes("d.png"), "a strobe of nothing");
}

#[test]
fn broken_recordings_of_cloth_are_told() {
    let folder = Folder::new("broken");
    folder.write("drape.toml", DRAPE);
    let run = ["run", "drape.toml", "--out", "data", "--duration", "0.05"];
    assert_eq!(asperity(&folder, &run).code, 0);
    let whole = folder.bytes("data/run.npz");
    let scene = folder.read("data/scene/scene.toml");
    let world = folder.read("data/world.csv");
    let refused = |what: &str, parts: &[&str]| {
        let out = asperity(&folder, &["render", "data", "-o", "x.png", "--size", "64x64"]);
        assert_eq!(out.code, 2, "{what}: {out:?}");
        for part in parts {
            assert!(out.stderr.contains(part), "{what}: no \"{part}\" in {}", out.stderr);
        }
    };
    let npz = folder.path.join("data/run.npz");
    std::fs::write(&npz, &whole[..whole.len() / 2]).unwrap();
    refused("cut off", &["run.npz", "not a whole npz archive"]);
    let mut bytes = whole.clone();
    let at = bytes.windows(15).position(|w| w == b"soft_0_position").unwrap();
    bytes[at + 300] ^= 1;
    std::fs::write(&npz, &bytes).unwrap();
    refused("a flipped bit", &["run.npz", "soft_0_position", "checksum"]);
    std::fs::remove_file(&npz).unwrap();
    refused("no archive", &["run.npz"]);
    std::fs::write(&npz, &whole).unwrap();
    folder.write("data/scene/scene.toml", &scene.replace("cells = [8, 8]", "cells = [9, 8]"));
    refused("another cloth", &["run.npz", "expected those of the scene", "\"sheet\" of"]);
    folder.write("data/scene/scene.toml", &scene);
    let lines: Vec<&str> = world.lines().collect();
    folder.write("data/world.csv", &(lines[..lines.len() - 1].join("\n") + "\n"));
    refused("a world cut off", &["bodies.csv", "world.csv has no step 5"]);
    folder.write("data/world.csv", &world);
    let bodies = folder.read("data/bodies.csv");
    let lines: Vec<&str> = bodies.lines().collect();
    folder.write("data/bodies.csv", &(lines[..lines.len() - 1].join("\n") + "\n"));
    refused("bodies cut off", &["bodies.csv", "11 rows", "expected 12"]);
}

#[test]
fn several_times_make_a_sheet_and_films_move() {
    let folder = Folder::new("film");
    folder.write("slide.toml", SLIDE);
    let draw = |output: &str, more: &[&str]| {
        let fixed = ["render", "slide.toml", "--renderer", "cpu", "--size", "96x64", "-o", output];
        let out = asperity(&folder, &[&fixed, more].concat());
        assert_eq!(out.code, 0, "{more:?}: {out:?}");
        folder.bytes(output)
    };
    let sheet = png_size(&draw("sheet.png", &["--times", "0,0.2,0.4"]));
    assert_eq!(sheet[0], 3 * 16 + 2 * 96, "two columns");
    assert!(png_size(&draw("six.png", &["--sheet"]))[0] > 3 * 96);
    assert_eq!(png_size(&draw("strobe.png", &["--strobe", "4"])), [96, 64]);
    let gif = draw("film.gif", &["--fps", "10"]);
    assert!(gif.starts_with(b"GIF89a"));
    // A picture each tenth of a second, from the beginning to the end: as many graphic controls.
    let pictures =
        gif.windows(4).filter(|w| w == b"\x21\xf9\x04\x04" || w == b"\x21\xf9\x04\x05").count();
    assert_eq!(pictures, 11, "one second at ten pictures a second");
    let short = draw("short.gif", &["--fps", "10", "--times", "0.2,0.5"]);
    assert!(short.len() < gif.len());
}

#[test]
fn what_cannot_be_drawn_is_told_and_leaves_no_file() {
    let folder = Folder::new("refused");
    folder.write("slide.toml", SLIDE);
    folder.write("bad.toml", &SLIDE.replace("mu = 0.5", "mu = -0.5"));
    std::fs::create_dir(folder.path.join("empty")).unwrap();
    let cases: [(&[&str], &str); 13] = [
        (&["slide.toml", "-o", "x.bmp"], ".png, .gif or .mp4"),
        (&["slide.toml", "-o", "no/such/folder/x.png"], "no/such/folder/x.png"),
        (&["missing.toml", "-o", "x.png"], "missing.toml"),
        (&["bad.toml", "-o", "x.png"], "bad.toml:5:"),
        (&["empty", "-o", "x.png"], "asperity run SCENE --out DIR"),
        (&["slide.toml", "-o", "x.png", "--times", "-1"], "seconds"),
        (&["slide.toml", "-o", "x.png", "--times", "0,x"], "seconds"),
        (&["slide.toml", "-o", "x.png", "--size", "12"], "WIDTHxHEIGHT"),
        (&["slide.toml", "-o", "x.png", "--camera", "eye=1,2"], "three numbers"),
        (&["slide.toml", "-o", "x.png", "--overlay", "force"], "forces"),
        (&["slide.toml", "-o", "x.png", "--strobe", "1"], "1"),
        (&["slide.toml", "-o", "x.gif", "--sheet"], "--sheet"),
        (&["slide.toml", "-o", "x.png", "--sheet", "--strobe", "3"], "combined"),
    ];
    for (arguments, part) in cases {
        let out = asperity(&folder, &[&["render"], arguments].concat());
        assert_eq!(out.code, 2, "{arguments:?}: {out:?}");
        assert!(out.stderr.contains(part), "{arguments:?}: {}", out.stderr);
    }
    assert_eq!(folder.names(""), ["bad.toml", "empty", "slide.toml"]);
    assert_eq!(asperity(&folder, &["run", "slide.toml", "--out", "data"]).code, 0);
    let late = asperity(&folder, &["render", "data", "-o", "x.png", "--times", "7"]);
    assert_eq!(late.code, 2);
    assert!(late.stderr.contains("ends at 1 s"), "{}", late.stderr);
}

#[test]
fn the_scene_has_a_view_of_its_own() {
    let folder = Folder::new("view");
    folder.write(
        "slide.toml",
        &format!("view = {{ eye = [0, 1, 3], at = [0, 0, 0], fov = 50 }}\n{SLIDE}"),
    );
    let arguments = ["render", "slide.toml", "-o", "a.png", "--size", "64x64", "--renderer", "cpu"];
    let out = asperity(&folder, &arguments);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(out.stdout.contains("camera \"eye=0,1,3 at=0,0,0 fov=50\""), "{}", out.stdout);
}

#[test]
fn a_photo_becomes_a_structure_texture_that_scenes_read() {
    let folder = Folder::new("texture");
    folder.write("slide.toml", SLIDE);
    // Any picture will do: the box on its grid.
    let picture =
        ["render", "slide.toml", "-o", "photo.png", "--size", "96x64", "--renderer", "cpu"];
    assert_eq!(asperity(&folder, &picture).code, 0);
    let arguments = ["texture", "structure-from-image", "photo.png", "-o", "grain.png"];
    let out = asperity(&folder, &arguments);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(out.stdout.contains("degrees") && out.stdout.contains("grain.png"), "{}", out.stdout);
    assert_eq!(png_size(&folder.bytes("grain.png")), [96, 64]);
    let texture =
        "texture.grain = { kind = \"structure\", file = \"grain.png\", size = [0.2, 0.2] }";
    let scene = SLIDE.replace(
        "material.wood = { density = 700 }",
        &format!("{texture}\nmaterial.wood = {{ density = 700, structure = \"grain\" }}"),
    );
    folder.write("textured.toml", &scene);
    assert_eq!(asperity(&folder, &["run", "textured.toml", "--out", "data"]).code, 0);
    // The recording holds the texture too.
    assert_eq!(folder.bytes("data/scene/grain.png"), folder.bytes("grain.png"));
    let draw = [
        "render",
        "data",
        "-o",
        "a.png",
        "--size",
        "64x64",
        "--renderer",
        "cpu",
        "--overlay",
        "structure",
    ];
    assert_eq!(asperity(&folder, &draw).code, 0);
    for (more, part) in [
        (&["--scale", "0"][..], "scale"),
        (&["--scales", "99"], "scales"),
        (&["--size", "1"], "--size"),
    ] {
        let out = asperity(&folder, &[&arguments, more].concat());
        assert_eq!(out.code, 2, "{more:?}");
        assert!(out.stderr.contains(part), "{more:?}: {}", out.stderr);
    }
    let wrong =
        asperity(&folder, &["texture", "structure-from-image", "slide.toml", "-o", "x.png"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("PNG or JPEG"), "{}", wrong.stderr);
}
