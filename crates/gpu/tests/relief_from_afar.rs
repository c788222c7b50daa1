//! A relief too fine to be seen is as bright as its facets are on average.

use asperity_gpu::picture::{Instance, Look, Mesh, Relief, Shot, Stage, linear};
use asperity_gpu::{Choice, RenderError, Renderer};
use glamx::Vec3;

/// Facets along a side of the relief, and texels along a side of a facet.
const FACETS: u32 = 48;
const TEXELS: u32 = 8;

/// Gaussian slopes of these deviations along both axes.
fn rough(deviation: [f32; 2]) -> Relief {
    let mut state = 1_u64;
    let mut uniform = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 + 0.5) / 16_777_216.0
    };
    let mut normal = || (0..12).map(|_| uniform()).sum::<f32>() - 6.0;
    let facets: Vec<[f32; 2]> =
        (0..FACETS * FACETS).map(|_| deviation.map(|d| d * normal())).collect();
    let side = FACETS * TEXELS;
    let of = |k: u32| facets[(k / side / TEXELS * FACETS + k % side / TEXELS) as usize];
    Relief { width: side, height: side, slopes: (0..side * side).map(of).collect() }
}

/// A level square that one copy of the relief covers, and one with many.
fn square(copies: f32) -> Mesh {
    let mut mesh = Mesh::flat(
        &[[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]],
        &[[0, 1, 2], [0, 2, 3]],
    );
    for v in &mut mesh.vertices {
        v.uv = [0.5 + 0.5 * v.position[0], 0.5 - 0.5 * v.position[2]].map(|x| x * copies);
        v.tangent = [1.0, 0.0, 0.0, 1.0];
    }
    mesh
}

/// Mean linear light of the square.
fn brightness(renderer: &mut Renderer, shot: &Shot) -> f64 {
    let frame = renderer.draw(shot).unwrap();
    let on = frame.pixels.iter().zip(&frame.identities).filter(|(_, id)| **id == 1);
    let light: Vec<f64> = on.map(|(p, _)| f64::from(linear([p[0], p[1], p[2]])[1])).collect();
    light.iter().sum::<f64>() / light.len() as f64
}

/// Brightness near by, from afar, and from afar with mean slopes alone (plain mipmaps), for the
/// renderers of this machine.
fn measured(deviation: [f32; 2], look: Look, dim: f32) -> Vec<(String, [f64; 3])> {
    let fine = rough(deviation);
    let mean = |k: usize| fine.slopes.iter().map(|s| s[k]).sum::<f32>() / fine.slopes.len() as f32;
    let plain = Relief { width: 1, height: 1, slopes: vec![[mean(0), mean(1)]] };
    let meshes = vec![square(1.0), square(40.0)];
    let stage = Stage { meshes, reliefs: vec![fine, plain], ..Stage::default() };
    let mut shot = Shot::new([560, 560]);
    shot.identities = true;
    (shot.camera.eye, shot.camera.fov, shot.camera.far) = (Vec3::new(0.0, 12.0, 16.0), 0.105, 99.0);
    // Dim, so that nothing is bent by the tone curve.
    let light = &mut shot.light;
    light.to_sun = Vec3::new(0.1, 0.75, -1.0);
    light.sun = light.sun.map(|c| dim * c);
    light.sky = light.sky.map(|c| dim * c);
    light.ground = light.ground.map(|c| dim * c);
    let mut all = vec![Renderer::new(Choice::Cpu, stage.clone()).unwrap()];
    match Renderer::new(Choice::Gpu, stage) {
        Ok(gpu) => all.push(gpu),
        Err(RenderError::NoAdapter(why)) => eprintln!("no adapter on this machine: {why}"),
        Err(other) => panic!("{other}"),
    }
    let see = |mut renderer: Renderer| {
        let three = [(0, 0), (1, 0), (1, 1)].map(|(mesh, relief)| {
            let look = Look { relief: Some(relief), casts_shadow: false, ..look };
            shot.instances = vec![Instance { look, ..Instance::new(mesh, 1) }];
            brightness(&mut renderer, &shot)
        });
        (renderer.name(), three)
    };
    all.into_iter().map(see).collect()
}

#[test]
fn from_afar_a_relief_is_as_bright_as_near_by_and_plain_mipmaps_are_not() {
    let metal = Look { colour: [0.6; 3], roughness: 0.35, metalness: 1.0, ..Look::default() };
    let chalk = Look { colour: [0.6; 3], roughness: 0.8, ..Look::default() };
    let cases = [([0.14, 0.14], metal, 0.03), ([0.02, 0.3], metal, 0.03), ([0.8, 0.8], chalk, 0.4)];
    for (deviation, look, dim) in cases {
        for (name, [near, far, control]) in measured(deviation, look, dim) {
            let (off, plain) = (far / near - 1.0, control / near - 1.0);
            println!("{deviation:?} {name}: near {near:.4}, far {off:+.3}, plain {plain:+.3}");
            assert!(off.abs() < 0.03, "{name} {deviation:?}: {off:+.3}");
            assert!(plain.abs() > 0.1, "{name} {deviation:?}: {plain:+.3}");
        }
    }
}
