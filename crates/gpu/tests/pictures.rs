//! What pictures show, by their identity buffers and their pixels.

mod common;

use asperity_gpu::picture::{
    Depth, Facet, FacetCorner, Image, Instance, Line, Look, Mesh, Relief, Shot, Stage,
};
use asperity_gpu::{Choice, Frame, RenderError, Renderer};
use common::scene;
use glamx::Vec3;

/// The renderers of this machine: plain code always, an adapter where there is one.
fn renderers(stage: &Stage) -> Vec<Renderer> {
    let mut all = vec![Renderer::new(Choice::Cpu, stage.clone()).unwrap()];
    match Renderer::new(Choice::Gpu, stage.clone()) {
        Ok(gpu) => all.push(gpu),
        Err(RenderError::NoAdapter(why)) => eprintln!("no adapter on this machine: {why}"),
        Err(other) => panic!("{other}"),
    }
    all
}

fn pixel(frame: &Frame, x: u32, y: u32) -> [u8; 4] {
    frame.pixels[(y * frame.width + x) as usize]
}

#[test]
fn the_identity_buffer_counts_the_visible_bodies() {
    let (stage, shot) = scene([320, 200]);
    for mut renderer in renderers(&stage) {
        let frame = renderer.draw(&shot).unwrap();
        let visible: Vec<u32> = frame.visible().into_keys().collect();
        // 5 is behind the camera, 6 behind a box.
        assert_eq!(visible, [1, 2, 3, 4], "{}", renderer.name());
        assert!(frame.visible().values().all(|count| *count > 500), "{:?}", frame.visible());
    }
}

#[test]
fn both_renderers_see_the_same_bodies_at_the_same_pixels() {
    let (stage, shot) = scene([641, 403]);
    let frames: Vec<Frame> = renderers(&stage).iter_mut().map(|r| r.draw(&shot).unwrap()).collect();
    let [plain, gpu] = frames.as_slice() else { return };
    let pairs = plain.identities.iter().zip(&gpu.identities);
    let same = pairs.filter(|(a, b)| a == b).count() as f64 / plain.identities.len() as f64;
    assert!(same >= 0.998, "{:.3} % are the same", 100.0 * same);
    // And much the same colours.
    let difference: f64 = plain
        .pixels
        .iter()
        .zip(&gpu.pixels)
        .map(|(a, b)| (0..3).map(|k| f64::from(a[k].abs_diff(b[k]))).sum::<f64>() / 3.0)
        .sum::<f64>()
        / plain.pixels.len() as f64;
    assert!(difference < 12.0, "mean difference {difference:.1} of 255");
}

#[test]
fn the_same_shot_gives_the_same_picture() {
    let (stage, shot) = scene([160, 120]);
    for mut renderer in renderers(&stage) {
        let first = renderer.draw(&shot).unwrap();
        assert_eq!(first, renderer.draw(&shot).unwrap(), "{}", renderer.name());
    }
}

#[test]
fn a_body_throws_a_shadow() {
    let (stage, mut shot) = scene([200, 200]);
    shot.instances.retain(|i| i.id == 1 || i.id == 4);
    shot.instances[0].look.pattern = asperity_gpu::picture::Pattern::Plain;
    let lit = |shot: &Shot, renderer: &mut Renderer| {
        let frame = renderer.draw(shot).unwrap();
        let ground = frame.identities.iter().zip(&frame.pixels).filter(|(id, _)| **id == 1);
        let dark = ground.filter(|(_, p)| p[1] < 205).count();
        (dark, frame.visible()[&1])
    };
    for mut renderer in renderers(&stage) {
        let (dark, _) = lit(&shot, &mut renderer);
        let mut without = shot.clone();
        without.instances[1].look.casts_shadow = false;
        let (none, all) = lit(&without, &mut renderer);
        assert!(dark > 300 && none < all / 50, "{}: {dark} and {none}", renderer.name());
    }
}

/// A level square of facets above the ground.
fn sheet(height: f32, half: f32, in_sun: bool) -> [Facet; 2] {
    let corner = |[x, z]: [f32; 2]| FacetCorner {
        position: [x * half, height, z * half],
        normal: [0.0, 1.0, 0.0],
        colour: [0.6, 0.6, 0.6, 1.0],
    };
    let square = [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]].map(corner);
    // The second is seen from below by the sun: a sheet has two sides.
    [[0, 1, 2], [0, 3, 2]].map(|t: [usize; 3]| Facet {
        corners: t.map(|k| square[k]),
        depth: Depth::Within,
        in_sun,
    })
}

#[test]
fn sheets_throw_shadows_and_lie_in_them_but_marks_do_not() {
    let (stage, mut shot) = scene([200, 200]);
    shot.instances.retain(|i| i.id == 1);
    shot.instances[0].look.pattern = asperity_gpu::picture::Pattern::Plain;
    let (low, high) = (|in_sun| sheet(0.05, 3.0, in_sun), |in_sun| sheet(0.6, 0.4, in_sun));
    for mut renderer in renderers(&stage) {
        let mut draw = |sheets: &[[Facet; 2]]| {
            let mut shot = shot.clone();
            shot.facets = sheets.concat();
            renderer.draw(&shot).unwrap().pixels
        };
        // Pixels that are darker in the second picture.
        let mut darker = |before: &[[Facet; 2]], after: &[[Facet; 2]]| {
            let (before, after) = (draw(before), draw(after));
            before.iter().zip(&after).filter(|(a, b)| a[1] > b[1] + 15).count()
        };
        let on_ground = darker(&[high(false)], &[high(true)]);
        let by_itself = darker(&[low(false)], &[low(true)]);
        let on_sheet = darker(&[low(true), high(false)], &[low(true), high(true)]);
        let on_mark = darker(&[low(false), high(false)], &[low(false), high(true)]);
        let counts = format!("{on_ground}, {by_itself}, {on_sheet}, {on_mark}");
        let name = renderer.name();
        assert!(on_ground > 500 && on_sheet > 500, "{name}: {counts}");
        assert!(by_itself < 50 && on_mark < 50, "{name}: {counts}");
    }
}

#[test]
fn images_cover_surfaces_upright() {
    // A square that fills the picture; the image is red above and blue below.
    let mut square = Mesh::flat(
        &[[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]],
        &[[0, 1, 2], [0, 2, 3]],
    );
    for v in &mut square.vertices {
        v.uv = [0.5 + 0.5 * v.position[0], 0.5 + 0.5 * v.position[1]];
        v.tangent = [1.0, 0.0, 0.0, 1.0];
    }
    let (red, blue) = ([255, 0, 0, 255], [0, 0, 255, 255]);
    let image = Image { width: 1, height: 2, texels: vec![red, blue], is_colour: true };
    let stage = Stage { meshes: vec![square], images: vec![image], ..Stage::default() };
    let mut shot = Shot::new([64, 64]);
    (shot.camera.eye, shot.camera.fov) = (Vec3::new(0.0, 0.0, 2.0), 0.5);
    // Matte, and in little sky: what it mirrors has another colour.
    shot.light.sky = shot.light.sky.map(|c| 0.5 * c);
    let look = Look { colour: [1.0; 3], roughness: 1.0, image: Some(0), ..Look::default() };
    shot.instances.push(Instance { look, ..Instance::new(0, 1) });
    for mut renderer in renderers(&stage) {
        let frame = renderer.draw(&shot).unwrap();
        let (above, below) = (pixel(&frame, 32, 2), pixel(&frame, 32, 61));
        assert!(above[0] > 150 && above[2] < 90, "{}: {above:?}", renderer.name());
        assert!(below[2] > 150 && below[0] < 90, "{}: {below:?}", renderer.name());
    }
}

#[test]
fn a_normal_map_turns_the_light() {
    let mut square = Mesh::flat(
        &[[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]],
        &[[0, 1, 2], [0, 2, 3]],
    );
    for v in &mut square.vertices {
        v.tangent = [1.0, 0.0, 0.0, 1.0];
    }
    let tilt = |slope| Relief { width: 1, height: 1, slopes: vec![[slope, 0.0]] };
    let reliefs = vec![tilt(0.7), tilt(-0.7)];
    let stage = Stage { meshes: vec![square], reliefs, ..Stage::default() };
    let mut shot = Shot::new([32, 32]);
    shot.camera.eye = Vec3::new(0.0, 1.0, 0.4);
    shot.light.to_sun = Vec3::new(-1.0, 1.0, 0.0);
    for mut renderer in renderers(&stage) {
        let mut brightness = |relief| {
            let look = Look { relief, ..Look::default() };
            shot.instances = vec![Instance { look, ..Instance::new(0, 1) }];
            pixel(&renderer.draw(&shot).unwrap(), 16, 16)[0]
        };
        let (none, towards, away) = (brightness(None), brightness(Some(0)), brightness(Some(1)));
        assert!(towards > none && none > away + 20, "{towards} {none} {away}");
    }
}

#[test]
fn lines_are_hidden_faint_or_over() {
    let (stage, mut shot) = scene([128, 128]);
    shot.instances.retain(|i| i.id == 2);
    shot.instances[0].look = Look::default();
    shot.camera.at = Vec3::new(-0.8, 0.3, 0.0);
    for mut renderer in renderers(&stage) {
        let mut red = |depth, behind: f32| {
            // A dot on the line of sight, before or behind the box.
            let sight = (shot.camera.at - shot.camera.eye).normalize();
            let end = (shot.camera.at + sight * behind).to_array();
            let colour = [1.0, 0.0, 0.0, 1.0];
            shot.lines = vec![Line { ends: [end; 2], width: 9.0, colour, depth }];
            let [r, g, ..] = pixel(&renderer.draw(&shot).unwrap(), 64, 64);
            i32::from(r) - i32::from(g)
        };
        for depth in [Depth::Within, Depth::Through, Depth::Over] {
            assert!(red(depth, -2.0) > 200, "{depth:?}");
        }
        assert!(red(Depth::Within, 2.0).abs() < 30);
        assert!((40..200).contains(&red(Depth::Through, 2.0)), "{}", red(Depth::Through, 2.0));
        assert!(red(Depth::Over, 2.0) > 200);
    }
}

/// Makes a shot wrong.
type Change = fn(&mut Shot);

#[test]
fn what_cannot_be_drawn_is_told() {
    let (stage, shot) = scene([64, 48]);
    let mut broken = stage.clone();
    broken.meshes[0].triangles.push([0, 1, 99]);
    let error = Renderer::new(Choice::Cpu, broken).unwrap_err().to_string();
    assert!(error.contains("mesh 0") && error.contains("99"), "{error}");
    let mut renderer = Renderer::new(Choice::Cpu, stage).unwrap();
    let cases: [(&str, Change); 6] = [
        ("0 x 48", |s| s.size = [0, 48]),
        ("9000", |s| s.size = [9000, 48]),
        ("samples", |s| s.samples = 3),
        ("camera", |s| s.camera.eye.x = f32::NAN),
        ("look at", |s| s.camera.at = s.camera.eye),
        ("instance 0", |s| s.instances[0].mesh = 9),
    ];
    for (part, change) in cases {
        let mut bad = shot.clone();
        change(&mut bad);
        let error = renderer.draw(&bad).unwrap_err().to_string();
        assert!(error.contains(part), "\"{part}\" is not in \"{error}\"");
    }
}
