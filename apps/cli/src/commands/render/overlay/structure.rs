//! Short lines along the structure direction of surfaces.

use std::collections::HashSet;

use asperity::BodyId;
use asperity::geometry::shape::{Shape, Skin};
use asperity::glamx::DVec3;
use asperity_gpu::picture::{Depth, Line, Shot, linear};
use asperity_scene::Scene;

use crate::commands::render::camera::Viewpoint;
use crate::commands::render::film::Moment;
use crate::commands::render::scenery::{Scenery, Thing};

/// A short line on a body, body axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Streak {
    body: usize,
    ends: [DVec3; 2],
}

/// Most lines on one body, about.
const MOST: f64 = 3000.0;
const INK: [u8; 3] = [38, 30, 22];

/// The lines of all bodies.
pub(super) fn streaks(scene: &Scene, scenery: &Scenery, viewpoint: &Viewpoint) -> Vec<Streak> {
    scenery.things().iter().flat_map(|thing| on_thing(scene, scenery, viewpoint, thing)).collect()
}

/// Where the lines are at a moment.
pub(super) fn draw(shot: &mut Shot, streaks: &[Streak], moment: &Moment, viewpoint: &Viewpoint) {
    let [r, g, b] = linear(INK);
    for streak in streaks {
        let pose = moment.poses[streak.body];
        if pose.is_finite() {
            shot.lines.push(Line {
                ends: streak.ends.map(|p| viewpoint.near(pose.transform_point(p)).to_array()),
                width: 1.7,
                colour: [r, g, b, 0.9],
                depth: Depth::Within,
            });
        }
    }
}

fn on_thing(scene: &Scene, scenery: &Scenery, viewpoint: &Viewpoint, thing: &Thing) -> Vec<Streak> {
    let half = viewpoint.half_height();
    let is_plane =
        matches!(scene.world.bodies()[thing.body].shape(), Some(Shape::HalfSpace { .. }));
    // What has no end is covered where the camera looks.
    let around = Shape::HalfSpace { normal: DVec3::Y }.skin(64, 2.6 * half);
    let skin = match &around {
        Ok(disc) if is_plane => disc,
        _ => &scenery.skins[thing.mesh],
    };
    let spacing = (scenery.size(thing) / 7.0).clamp(half / 45.0, half / 11.0);
    // Each line takes about half a square of the spacing.
    let spacing = spacing.max((2.0 * area(skin) / MOST).sqrt());
    let mut streaks = Vec::new();
    for (part, point, normal) in spread(skin, spacing) {
        let (p, n) = (thing.placed.transform_point(point), thing.placed.rotation * normal);
        let direction = scene.world.structure_at(BodyId(thing.body), part, p, n);
        let Some(along) = direction.try_normalize() else { continue };
        let flat = along - n * n.dot(along);
        // Where the grain comes out of the surface there is no line to draw.
        if flat.length() < 0.2 {
            continue;
        }
        let (middle, reach) = (p + n * (0.002 * half), flat.normalize() * (0.36 * spacing));
        streaks.push(Streak { body: thing.body, ends: [middle - reach, middle + reach] });
    }
    streaks
}

fn area(skin: &Skin) -> f64 {
    let one = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|c| skin.positions[c as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    skin.triangles.iter().map(one).sum()
}

/// Points all over a skin, none nearer to another than `spacing`: part, place and normal.
fn spread(skin: &Skin, spacing: f64) -> Vec<(u32, DVec3, DVec3)> {
    let corner = |t: &[u32; 3]| t.map(|c| skin.positions[c as usize]);
    let total = area(skin);
    let mut kept: Vec<(u32, DVec3, DVec3)> = Vec::new();
    let mut taken: HashSet<[i64; 3]> = HashSet::new();
    let cell = |p: DVec3| (p / (0.6 * spacing)).floor().to_array().map(|x| x as i64);
    // Many more candidates than lines, drawn from a sequence that covers evenly.
    let count = (8.0 * total / (spacing * spacing)).clamp(64.0, 200_000.0);
    let (mut due, mut k) = (0.0, 0_u32);
    for (triangle, part) in skin.triangles.iter().zip(&skin.parts) {
        let [a, b, c] = corner(triangle);
        due += count * 0.5 * (b - a).cross(c - a).length() / total.max(1e-300);
        let normals = triangle.map(|c| skin.normals[c as usize]);
        while due >= 1.0 {
            due -= 1.0;
            k += 1;
            // The plastic number's sequence in the unit square, folded into the triangle.
            let fold = |x: f64| (0.5 + f64::from(k) * x).fract();
            let (mut u, mut v) = (fold(0.754_877_666_246_692_8), fold(0.569_840_290_998_053_2));
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let point = a + (b - a) * u + (c - a) * v;
            let home = cell(point);
            let mut around = (0..27)
                .map(|i| [home[0] + i % 3 - 1, home[1] + i / 3 % 3 - 1, home[2] + i / 9 - 1]);
            let normal = normals[0] * (1.0 - u - v) + normals[1] * u + normals[2] * v;
            let normal = normal.normalize_or(DVec3::Y);
            let crowded = around.any(|near| taken.contains(&near));
            if crowded && too_near(&kept, point, normal, spacing) {
                continue;
            }
            taken.insert(home);
            kept.push((*part, point, normal));
        }
    }
    kept
}

/// Whether there is a line near by on the same side of the body: the other face of a plate may be
/// nearer than the next line.
fn too_near(kept: &[(u32, DVec3, DVec3)], point: DVec3, normal: DVec3, spacing: f64) -> bool {
    kept.iter().any(|(_, p, n)| {
        n.dot(normal) > 0.0 && p.distance_squared(point) < 0.49 * spacing * spacing
    })
}
