//! What the shaders read, as bytes.

use bytemuck::{Pod, Zeroable};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use super::targets::SHADOW_SIDE;
use crate::picture::{Depth, Facet, Instance, Line, Pattern, Shot, Stage};

/// `Globals` of `common.wgsl`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Globals {
    clip_from_world: [[f32; 4]; 4],
    sun_from_world: [[f32; 4]; 4],
    eye: [f32; 4],
    to_sun: [f32; 4],
    up: [f32; 4],
    sun: [f32; 4],
    sky: [f32; 4],
    ground: [f32; 4],
    top: [f32; 4],
    bottom: [f32; 4],
    view: [f32; 4],
}

impl Globals {
    pub(super) fn new(shot: &Shot) -> Globals {
        let [width, height] = shot.size.map(|side| side as f32);
        let four = |[x, y, z]: [f32; 3], w: f32| [x, y, z, w];
        let light = &shot.light;
        let unit = |v: glamx::Vec3| v.normalize_or(glamx::Vec3::Y).to_array();
        Globals {
            clip_from_world: shot.camera.clip_from_world(width / height).to_cols_array_2d(),
            sun_from_world: light.clip_from_world().to_cols_array_2d(),
            eye: four(shot.camera.eye.to_array(), 0.0),
            to_sun: four(unit(light.to_sun), 0.0),
            up: four(unit(light.up), light.reach),
            sun: four(light.sun, 0.0),
            sky: four(light.sky, 0.0),
            ground: four(light.ground, 0.0),
            top: four(shot.background.top, 0.0),
            bottom: four(shot.background.bottom, 0.0),
            view: [width, height, shot.camera.near, SHADOW_SIDE as f32],
        }
    }
}

/// An instance as `body.wgsl` reads it.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Placed {
    columns: [[f32; 4]; 4],
    colour: [f32; 4],
    pattern: [f32; 4],
    grain: [f32; 4],
    fade: [f32; 4],
    id: u32,
}

impl Placed {
    fn new(instance: &Instance) -> Placed {
        let look = &instance.look;
        let [r, g, b] = look.colour;
        let (kind, strength, size, grain) = match look.pattern {
            Pattern::Plain => (0.0, 0.0, 1.0, [0.0; 3]),
            Pattern::Octants(strength) => (1.0, strength, 1.0, [0.0; 3]),
            Pattern::Grid { size, strength } => (2.0, strength, size, [0.0; 3]),
            Pattern::Grain { direction, width, strength } => (3.0, strength, width, direction),
        };
        let (fade, outer) = match look.fade {
            Some(f) => ([f.centre.x, f.centre.y, f.centre.z, f.inner], f.outer),
            None => ([0.0; 4], 0.0),
        };
        Placed {
            columns: instance.world_from_mesh.to_cols_array_2d(),
            colour: [r, g, b, look.roughness.clamp(0.05, 1.0)],
            pattern: [kind, strength, size.max(1e-9), outer],
            grain: [grain[0], grain[1], grain[2], look.metalness.clamp(0.0, 1.0)],
            fade,
            id: instance.id,
        }
    }
}

/// Instances that one call draws.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) mesh: usize,
    pub(super) images: [Option<usize>; 2],
    pub(super) casts_shadow: bool,
    pub(super) instances: std::ops::Range<u32>,
}

/// Everything of a shot that goes into buffers, in the order it is drawn.
#[derive(Debug)]
pub(super) struct Batches {
    pub(super) runs: Vec<Run>,
    pub(super) instances: Option<wgpu::Buffer>,
    /// Hidden parts; opaque; translucent, the farthest first.
    pub(super) facets: [Option<(wgpu::Buffer, u32)>; 3],
    /// Corners of the opaque ones that throw shadows; they come first.
    pub(super) casting: u32,
    /// Hidden parts; visible; over everything.
    pub(super) lines: [Option<(wgpu::Buffer, u32)>; 3],
}

/// Opacity of what is hidden but shows through.
pub(crate) const FAINT: f32 = 0.3;

impl Batches {
    pub(super) fn new(device: &wgpu::Device, stage: &Stage, shot: &Shot) -> Batches {
        let shown = |i: &&Instance| !stage.meshes[i.mesh].triangles.is_empty();
        let mut sorted: Vec<&Instance> = shot.instances.iter().filter(shown).collect();
        let key = |i: &Instance| (i.mesh, [i.look.image, i.look.relief], i.look.casts_shadow);
        sorted.sort_by_key(|i| key(i));
        let mut runs: Vec<Run> = Vec::new();
        for (k, instance) in sorted.iter().enumerate() {
            let (mesh, images, casts_shadow) = key(instance);
            let k = k as u32;
            match runs.last_mut() {
                Some(run)
                    if (run.mesh, run.images, run.casts_shadow) == (mesh, images, casts_shadow) =>
                {
                    run.instances.end = k + 1;
                }
                _ => runs.push(Run { mesh, images, casts_shadow, instances: k..k + 1 }),
            }
        }
        let placed: Vec<Placed> = sorted.into_iter().map(Placed::new).collect();
        let buffer = |bytes: &[u8]| {
            let usage = wgpu::BufferUsages::VERTEX;
            let descriptor = BufferInitDescriptor { label: None, contents: bytes, usage };
            (!bytes.is_empty()).then(|| device.create_buffer_init(&descriptor))
        };
        let facets = facets(shot).map(|corners| {
            let count = corners.len() as u32;
            buffer(bytemuck::cast_slice(&corners)).map(|b| (b, count))
        });
        let lines = lines(&shot.lines).map(|strokes| {
            let count = strokes.len() as u32;
            buffer(bytemuck::cast_slice(&strokes)).map(|b| (b, count))
        });
        let casting = 3 * shot.facets.iter().filter(|f| f.casts_shadow()).count() as u32;
        Batches { runs, instances: buffer(bytemuck::cast_slice(&placed)), facets, casting, lines }
    }
}

/// Position, normal and colour of a facet's corner, and whether shadows fall on it.
pub(super) type FacetData = [f32; 11];
/// Ends with the width, and colour of a line.
pub(super) type LineData = [f32; 12];

fn facets(shot: &Shot) -> [Vec<FacetData>; 3] {
    let mut layers: [Vec<FacetData>; 3] = Default::default();
    let corners = |facet: &Facet, faint: f32| {
        facet.corners.map(|c| {
            let ([x, y, z], [nx, ny, nz], [r, g, b, a]) = (c.position, c.normal, c.colour);
            let in_sun = f32::from(u8::from(facet.in_sun));
            [x, y, z, nx, ny, nz, r, g, b, a * faint, in_sun]
        })
    };
    let eye = shot.camera.eye;
    let distance = |f: &Facet| {
        let middle: glamx::Vec3 =
            f.corners.iter().map(|c| glamx::Vec3::from_array(c.position)).sum();
        (middle / 3.0 - eye).length()
    };
    let mut translucent: Vec<&Facet> = Vec::new();
    let casting = |wanted: bool| shot.facets.iter().filter(move |f| f.casts_shadow() == wanted);
    for facet in casting(true).chain(casting(false)) {
        if facet.depth != Depth::Within {
            layers[0].extend(corners(facet, FAINT));
        }
        if facet.is_opaque() {
            layers[1].extend(corners(facet, 1.0));
        } else {
            translucent.push(facet);
        }
    }
    translucent.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
    layers[2].extend(translucent.into_iter().flat_map(|facet| corners(facet, 1.0)));
    layers
}

fn lines(all: &[Line]) -> [Vec<LineData>; 3] {
    let mut layers: [Vec<LineData>; 3] = Default::default();
    let stroke = |line: &Line, faint: f32| {
        let ([ax, ay, az], [bx, by, bz], [r, g, b, a]) = (line.ends[0], line.ends[1], line.colour);
        [ax, ay, az, line.width, bx, by, bz, 0.0, r, g, b, a * faint]
    };
    for line in all {
        match line.depth {
            Depth::Over => layers[2].push(stroke(line, 1.0)),
            depth => {
                layers[1].push(stroke(line, 1.0));
                if depth == Depth::Through {
                    layers[0].push(stroke(line, FAINT));
                }
            }
        }
    }
    layers
}
