//! Bodies and joints in pictures.

use std::collections::HashMap;

use asperity::body::BodyKind;
use asperity::friction::surface::{Relief, SlopeMap, Structure, TextureMap};
use asperity::geometry::collision::surface::surface_point;
use asperity::geometry::shape::{Shape, Skin};
use asperity::geometry::structure::StructureField;
use asperity::glamx::{DPose3, DQuat, DVec2, DVec3, Mat4, Vec3};
use asperity::joint::JointKind;
use asperity::world::Body;
use asperity_gpu::picture::{
    self, Depth, Fade, Instance, Line, Look, Mesh, Pattern, Shot, Stage, Vertex, linear,
};
use asperity_scene::{Finish, Scene};

use super::camera::{Viewpoint, matrix};
use super::colours::{self, paler};
use super::film::Moment;
use super::roughness::shades;
use super::soft;
use super::weave::weave;
use crate::error::CliError;

/// Everything there is to see, in its own axes.
#[derive(Debug)]
pub(super) struct Scenery {
    viewpoint: Viewpoint,
    things: Vec<Thing>,
    /// By number, as the meshes.
    pub(super) skins: Vec<Skin>,
}

/// A body as it is drawn.
#[derive(Debug)]
pub(super) struct Thing {
    pub(super) body: usize,
    pub(super) mesh: usize,
    look: Look,
    /// The body's axes from those of the mesh.
    pub(super) placed: DPose3,
    /// For what it is seen at earlier times.
    moves: bool,
}

/// Segments around a round shape: as many as its size in the picture needs, so that its outline is
/// off by a fraction of a pixel in a picture of 720 rows.
fn segments(shape: &Shape, viewpoint: &Viewpoint) -> usize {
    let Ok(built) = shape.build() else { return 16 };
    let pixels = 360.0 * built.compute_local_bounding_sphere().radius / viewpoint.half_height();
    (5.0 * pixels.sqrt()).clamp(16.0, 96.0) as usize & !3
}

impl Scenery {
    pub(super) fn new(scene: &Scene, viewpoint: &Viewpoint) -> Result<(Scenery, Stage), CliError> {
        let mut stage = Stage::default();
        let (mut skins, mut things) = (Vec::new(), Vec::new());
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut images: HashMap<usize, usize> = HashMap::new();
        let mut reliefs: HashMap<usize, usize> = HashMap::new();
        let colours = colours::of_bodies(scene);
        for (k, body) in scene.world.bodies().iter().enumerate() {
            let Some(shape) = body.shape() else { continue };
            let (shape, placed) = match shape {
                Shape::HalfSpace { normal } => plane(*normal, body, viewpoint),
                shape => (shape.clone(), DPose3::IDENTITY),
            };
            let grained = texture(scene, body);
            let image = grained.map(|map| match images.get(&body.surface()) {
                Some(known) => *known,
                None => {
                    stage.images.push(match map {
                        Drawn::Grain(map) => weave(map),
                        Drawn::Roughness(map) => shades(map),
                    });
                    images.insert(body.surface(), stage.images.len() - 1);
                    stage.images.len() - 1
                }
            });
            let size = grained.map(|drawn| drawn.map().size());
            let relief = relief(scene, body).filter(|r| size.is_none_or(|s| s == r.map().size()));
            let number = relief.map(|relief| {
                *reliefs.entry(body.surface()).or_insert_with(|| {
                    stage.reliefs.push(slopes(relief.map()));
                    stage.reliefs.len() - 1
                })
            });
            let size = size.or(relief.map(|r| r.map().size())).unwrap_or(DVec2::ONE);
            // Bodies of one shape share its mesh, unless a texture scales its coordinates.
            let mesh = match shape.is_convex().then(|| format!("{shape:?} {size:?}")) {
                Some(key) if known.contains_key(&key) => known[&key],
                key => {
                    let mut skin = shape
                        .skin(segments(&shape, viewpoint), 7.0 * viewpoint.half_height())
                        .map_err(|e| CliError::Input(format!("body \"{}\": {e}", body.name)))?;
                    if let Some(whole @ Shape::HalfSpace { .. }) = body.shape() {
                        on_plane(&mut skin, whole, &placed);
                    }
                    stage.meshes.push(mesh_of(&skin, size));
                    skins.push(skin);
                    known.extend(key.map(|key| (key, skins.len() - 1)));
                    skins.len() - 1
                }
            };
            let look = look(body, colours[k], viewpoint, &skins[mesh]);
            let look = finished(look, scene.finishes.get(body.surface()));
            let mut look = Look { image, relief: number, ..look };
            if image.is_some() && matches!(look.pattern, Pattern::Octants(_)) {
                look.pattern = Pattern::Plain;
            }
            let moves = body.kind != BodyKind::Fixed;
            things.push(Thing { body: k, mesh, look, placed, moves });
        }
        Ok((Scenery { viewpoint: *viewpoint, things, skins }, stage))
    }

    /// Number of bodies that can be seen.
    pub(super) fn bodies(&self) -> usize {
        self.things.len()
    }

    /// All bodies that can be seen.
    pub(super) fn things(&self) -> &[Thing] {
        &self.things
    }

    /// Puts everything into a picture; what moves also as it was before.
    pub(super) fn place(&self, shot: &mut Shot, scene: &Scene, moment: &Moment, before: &[Moment]) {
        for thing in &self.things {
            let now = moment.poses[thing.body];
            self.put(shot, thing, &now, 0.0, 1.0);
            self.edges(shot, thing, &now, 0.0, 1.0);
            if !thing.moves {
                continue;
            }
            // From the latest to the first; what would lie in the same place is left out.
            let size = self.size(thing);
            let mut drawn = vec![now];
            for (k, earlier) in before.iter().enumerate().rev() {
                let pose = earlier.poses[thing.body];
                if drawn.iter().all(|other| differs(other, &pose, size)) {
                    let age = 1.0 - k as f32 / before.len() as f32;
                    // Slightly smaller each, so that faces in one plane have an order.
                    let scale = 1.0 - 0.003 * drawn.len() as f64;
                    self.put(shot, thing, &pose, 0.06 + 0.34 * age, scale);
                    // Edges inside of a later body would shine through it.
                    let apart = |p: &DPose3| p.translation.distance(pose.translation) > 2.0 * size;
                    if drawn.iter().all(apart) {
                        self.edges(shot, thing, &pose, 0.06 + 0.34 * age, scale);
                    }
                    drawn.push(pose);
                }
            }
        }
        for joint in scene.world.joints() {
            self.joint(shot, joint, moment);
        }
        soft::place(shot, scene, moment, before, &self.viewpoint);
    }

    fn put(&self, shot: &mut Shot, thing: &Thing, pose: &DPose3, pale: f32, scale: f64) {
        if !pose.is_finite() {
            return;
        }
        let world = *pose * thing.placed;
        let look = Look { colour: paler(thing.look.colour, pale), ..thing.look };
        let id = thing.body as u32 + 1;
        let size = Mat4::from_scale(Vec3::splat(scale as f32));
        let world_from_mesh = matrix(&self.viewpoint, &world) * size;
        shot.instances.push(Instance { mesh: thing.mesh, world_from_mesh, look, id });
    }

    fn edges(&self, shot: &mut Shot, thing: &Thing, pose: &DPose3, pale: f32, scale: f64) {
        if !pose.is_finite() {
            return;
        }
        let world = *pose * thing.placed;
        let [r, g, b] = paler(thing.look.colour, pale).map(|c| (0.4 + 0.4 * pale) * c);
        shot.lines.extend(self.skins[thing.mesh].edges.iter().map(|ends| Line {
            ends: ends.map(|p| self.viewpoint.near(world.transform_point(p * scale)).to_array()),
            width: 1.3,
            colour: [r, g, b, 1.0],
            depth: Depth::Within,
        }));
    }

    fn joint(&self, shot: &mut Shot, joint: &asperity::joint::JointDesc, moment: &Moment) {
        let b = moment.poses[joint.b.0];
        let a = joint.a.map_or(DPose3::IDENTITY, |a| moment.poses[a.0]);
        let on_a = a.transform_point(joint.frame_a.translation);
        let on_b = b.transform_point(joint.frame_b.translation);
        if !(on_a.is_finite() && on_b.is_finite()) {
            return;
        }
        let [r, g, bl] = linear([70, 72, 78]);
        let mut line = |from: DVec3, to: DVec3, width: f32| {
            shot.lines.push(Line {
                ends: [from, to].map(|p| self.viewpoint.near(p).to_array()),
                width,
                colour: [r, g, bl, 1.0],
                depth: Depth::Through,
            });
        };
        match joint.kind {
            JointKind::Distance(_) => line(on_a, on_b, 2.4),
            _ => {
                if joint.a.is_none() {
                    line(on_a, b.translation, 2.4);
                }
                line(on_b, on_b, 7.0);
            }
        }
        if joint.a.is_none() {
            line(on_a, on_a, 9.0);
        }
    }

    /// How large a thing is: half of its bounds' diagonal.
    pub(super) fn size(&self, thing: &Thing) -> f64 {
        let positions = &self.skins[thing.mesh].positions;
        let low = positions.iter().fold(DVec3::INFINITY, |m, p| m.min(*p));
        let high = positions.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(*p));
        0.5 * low.distance(high)
    }
}

/// Whether two poses of a thing can be told apart.
fn differs(a: &DPose3, b: &DPose3, size: f64) -> bool {
    let turned = a.rotation.angle_between(b.rotation) * size;
    a.translation.distance(b.translation) + turned > 0.3 * size
}

/// A half-space as a plane along y, moved along itself to where the camera looks.
fn plane(normal: DVec3, body: &Body, viewpoint: &Viewpoint) -> (Shape, DPose3) {
    let rotation = DQuat::from_rotation_arc(DVec3::Y, normal.normalize_or(DVec3::Y));
    let frame = DPose3::from_parts(DVec3::ZERO, rotation);
    let looked_at = (body.pose * frame).inverse_transform_point(viewpoint.at);
    // By whole cells, so that the grid keeps its place.
    let cell = cell(viewpoint);
    let along = |x: f64| (x / cell).round() * cell;
    let shift = DVec3::new(along(looked_at.x), 0.0, along(looked_at.z));
    let placed = frame * DPose3::from_parts(shift, DQuat::IDENTITY);
    (Shape::HalfSpace { normal: DVec3::Y }, placed)
}

/// Gives a plane that was moved along itself the coordinates of its whole.
fn on_plane(skin: &mut Skin, whole: &Shape, placed: &DPose3) {
    let back = placed.rotation.inverse();
    for k in 0..skin.positions.len() {
        let (point, normal) =
            (placed.transform_point(skin.positions[k]), placed.rotation * skin.normals[k]);
        let frame = surface_point(whole, 0, point, normal);
        let tangent = back * frame.tangent;
        skin.uvs[k] = frame.uv;
        skin.tangents[k] = [tangent.x, tangent.y, tangent.z, 1.0];
    }
}

/// Distance of grid lines: 1, 2 or 5 times a power of ten metres.
pub(super) fn cell(viewpoint: &Viewpoint) -> f64 {
    let wanted = 0.45 * viewpoint.half_height();
    let power = 10.0_f64.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let near = |s: &f64| (s * power / wanted).ln().abs();
    steps.into_iter().min_by(|a, b| near(a).total_cmp(&near(b))).unwrap_or(1.0) * power
}

fn look(body: &Body, colour: [f32; 3], viewpoint: &Viewpoint, skin: &Skin) -> Look {
    let half = viewpoint.half_height();
    let look = Look { colour, ..Look::default() };
    let grid = Pattern::Grid { size: cell(viewpoint) as f32, strength: 0.2 };
    match body.shape() {
        Some(Shape::HalfSpace { .. }) => {
            let centre = viewpoint.near(viewpoint.at);
            let fade = Fade { centre, inner: 2.4 * half as f32, outer: 6.6 * half as f32 };
            let colour = linear(colours::GROUND);
            Look { colour, pattern: grid, fade: Some(fade), casts_shadow: false, ..look }
        }
        Some(Shape::HeightField { .. }) => Look { pattern: grid, roughness: 0.8, ..look },
        _ => match grain(body) {
            Some(direction) => {
                let width = (0.05 * smallest(skin)).clamp(0.012 * half, 0.035 * half) as f32;
                let direction = direction.as_vec3().to_array();
                let pattern = Pattern::Grain { direction, width, strength: 0.42 };
                Look { pattern, roughness: 0.65, ..look }
            }
            // So that turning can be seen.
            None if body.kind != BodyKind::Fixed
                && (skin.edges.len() < 3 || is_round(body.shape())) =>
            {
                Look { pattern: Pattern::Octants(0.22), ..look }
            }
            None => look,
        },
    }
}

/// A look with what the material says of it.
fn finished(look: Look, finish: Option<&Finish>) -> Look {
    let Some(finish) = finish else { return look };
    Look {
        colour: finish.colour.map_or(look.colour, colours::of_finish),
        roughness: finish.roughness.map_or(look.roughness, |r| r as f32),
        metalness: finish.metalness.map_or(look.metalness, |m| m as f32),
        ..look
    }
}

fn is_round(shape: Option<&Shape>) -> bool {
    matches!(
        shape,
        Some(
            Shape::Sphere { .. }
                | Shape::Capsule { .. }
                | Shape::Cylinder { .. }
                | Shape::Cone { .. }
        )
    )
}

/// The grain of a body that has the same everywhere.
fn grain(body: &Body) -> Option<DVec3> {
    match body.structure() {
        StructureField::Constant(direction) => direction.try_normalize(),
        _ => None,
    }
}

/// A texture that is drawn.
#[derive(Debug, Clone, Copy)]
enum Drawn<'a> {
    /// Directions of a grain.
    Grain(&'a TextureMap),
    /// What modulates a friction tensor.
    Roughness(&'a TextureMap),
}

impl<'a> Drawn<'a> {
    fn map(self) -> &'a TextureMap {
        match self {
            Drawn::Grain(map) | Drawn::Roughness(map) => map,
        }
    }
}

/// The texture that a body's grain or friction tensor comes from.
fn texture<'a>(scene: &'a Scene, body: &Body) -> Option<Drawn<'a>> {
    let surface = scene.world.pairing().surfaces().get(body.surface())?;
    match (body.structure(), &surface.structure) {
        (StructureField::None, Structure::Texture(map)) => Some(Drawn::Grain(map)),
        _ => surface.tensor.as_ref()?.map().map(Drawn::Roughness),
    }
}

/// The roughness of a body's surface.
fn relief<'a>(scene: &'a Scene, body: &Body) -> Option<&'a Relief> {
    scene.world.pairing().surfaces().get(body.surface())?.relief.as_deref()
}

/// A surface's slopes, as pictures take them.
fn slopes(map: &SlopeMap) -> picture::Relief {
    let (width, height) = map.dimensions();
    let [width, height] = [width, height].map(|side| side as u32);
    picture::Relief { width, height, slopes: map.slopes().to_vec() }
}

/// Smallest side of a skin's bounds.
fn smallest(skin: &Skin) -> f64 {
    let low = skin.positions.iter().fold(DVec3::INFINITY, |m, p| m.min(*p));
    let high = skin.positions.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(*p));
    (high - low).min_element()
}

fn mesh_of(skin: &Skin, size: DVec2) -> Mesh {
    let vertices = (0..skin.positions.len()).map(|k| Vertex {
        position: skin.positions[k].as_vec3().to_array(),
        normal: skin.normals[k].as_vec3().to_array(),
        uv: (skin.uvs[k] / size).as_vec2().to_array(),
        tangent: skin.tangents[k].map(|x| x as f32),
    });
    Mesh { vertices: vertices.collect(), triangles: skin.triangles.clone() }
}
