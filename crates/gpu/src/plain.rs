//! Pictures in plain code, for machines without an adapter: a depth buffer and hard shadows. Colours are near those of the other renderer, and the identity buffer is the same but
//! for rounding at edges.

mod overlay;
mod raster;
mod shade;
mod surface;

use glamx::{Mat4, Vec3, Vec4};

use crate::Frame;
use crate::picture::{FacetCorner, Instance, Level, Shot, Stage, srgb};
use raster::{Raster, Spot};
use shade::Shade;

/// Draws without an adapter. Keeps its memory from shot to shot.
#[derive(Debug, Default)]
pub(crate) struct Plain {
    picture: Canvas,
    shadow: Raster,
    names: Raster,
    /// Of every relief of the stage.
    reliefs: Vec<Vec<Level>>,
}

/// Colours with their depths.
#[derive(Debug, Default)]
struct Canvas {
    raster: Raster,
    colours: Vec<Vec3>,
}

/// Texels along a side of the shadow map.
const SHADOW_SIDE: usize = 1024;

impl Plain {
    /// For the shots of one stage.
    pub(crate) fn new(stage: &Stage) -> Plain {
        let reliefs = stage.reliefs.iter().map(crate::picture::Relief::levels).collect();
        Plain { reliefs, ..Plain::default() }
    }

    /// Draws a checked shot.
    pub(crate) fn draw(&mut self, stage: &Stage, shot: &Shot) -> Frame {
        let [width, height] = shot.size.map(|side| side as usize);
        let aspect = width as f32 / height as f32;
        let clip_from_world = shot.camera.clip_from_world(aspect);
        let sun_from_world = shot.light.clip_from_world();
        self.shadow.clear(SHADOW_SIDE, SHADOW_SIDE);
        for instance in shot.instances.iter().filter(|i| i.look.casts_shadow) {
            let Plain { shadow, .. } = self;
            triangles(stage, instance, &sun_from_world, |clip, _| {
                shadow.fill(clip, true, |_| true);
            });
        }
        for facet in shot.facets.iter().filter(|f| f.casts_shadow()) {
            let at = |c: FacetCorner| sun_from_world * Vec3::from_array(c.position).extend(1.0);
            self.shadow.fill(facet.corners.map(at), false, |_| true);
        }
        // Several samples of a pixel are pixels of a larger picture.
        let fine = if shot.samples > 1 { 2 } else { 1 };
        let shade = Shade::new(shot, &self.shadow, sun_from_world, height * fine);
        let Canvas { raster, colours } = &mut self.picture;
        raster.clear(width * fine, height * fine);
        colours.clear();
        colours.extend((0..height * fine).flat_map(|y| {
            let colour = shade.background(y);
            std::iter::repeat_n(colour, width * fine)
        }));
        for instance in &shot.instances {
            triangles(stage, instance, &clip_from_world, |clip, corners| {
                let facet = shade.facet(stage, &self.reliefs, instance, corners);
                raster.fill(clip, true, |spot: Spot| {
                    colours[spot.index] = facet.colour(&spot);
                    true
                });
            });
        }
        overlay::draw(&mut self.picture, shot, &clip_from_world, &shade, fine);
        let identities = if shot.identities {
            self.identities(stage, shot, &clip_from_world)
        } else {
            Vec::new()
        };
        let pixels = shrunk(&self.picture.colours, width, height, fine);
        Frame { width: shot.size[0], height: shot.size[1], pixels, identities }
    }

    fn identities(&mut self, stage: &Stage, shot: &Shot, clip_from_world: &Mat4) -> Vec<u32> {
        let [width, height] = shot.size.map(|side| side as usize);
        let names = &mut self.names;
        names.clear(width, height);
        let mut ids = vec![0; width * height];
        for instance in &shot.instances {
            let fade = instance.look.fade;
            triangles(stage, instance, clip_from_world, |clip, corners| {
                names.fill(clip, true, |spot: Spot| {
                    // Beyond its fade there is nothing of it.
                    let at = spot.mix(corners.map(|c| c.world));
                    let there = fade.is_none_or(|f| at.distance(f.centre) <= f.outer);
                    if there {
                        ids[spot.index] = instance.id;
                    }
                    there
                });
            });
        }
        ids
    }
}

/// A corner of a triangle in the world.
#[derive(Debug, Clone, Copy)]
struct Corner {
    world: Vec3,
    local: Vec3,
    normal: Vec3,
    tangent: Vec4,
    uv: [f32; 2],
}

/// Every triangle of an instance.
fn triangles(
    stage: &Stage,
    instance: &Instance,
    clip_from_world: &Mat4,
    mut each: impl FnMut([Vec4; 3], [Corner; 3]),
) {
    let Some(mesh) = stage.meshes.get(instance.mesh) else { return };
    let place = instance.world_from_mesh;
    for triangle in &mesh.triangles {
        let corners = triangle.map(|c| {
            let v = &mesh.vertices[c as usize];
            let local = Vec3::from_array(v.position);
            let normal = place.transform_vector3(Vec3::from_array(v.normal));
            let [x, y, z, sign] = v.tangent;
            let tangent = place.transform_vector3(Vec3::new(x, y, z)).extend(sign);
            Corner { world: place.transform_point3(local), local, normal, tangent, uv: v.uv }
        });
        each(corners.map(|c| *clip_from_world * c.world.extend(1.0)), corners);
    }
}

/// Means of `fine` by `fine` samples, as bytes.
fn shrunk(colours: &[Vec3], width: usize, height: usize, fine: usize) -> Vec<[u8; 4]> {
    let share = 1.0 / (fine * fine) as f32;
    let pixel = |x: usize, y: usize| {
        let samples = (0..fine * fine)
            .map(|k| colours[(y * fine + k / fine) * width * fine + x * fine + k % fine]);
        let mean: Vec3 = samples.sum::<Vec3>() * share;
        [srgb(mean.x), srgb(mean.y), srgb(mean.z), 255]
    };
    (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect()
}
