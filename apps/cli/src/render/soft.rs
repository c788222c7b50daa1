//! Cloth and soft solids in pictures.

use asperity::deform::SoftBody;
use asperity::glamx::DVec3;
use asperity::scene::Scene;
use asperity_gpu::picture::{Depth, Facet, FacetCorner, Shot};

use super::camera::Viewpoint;
use super::colours::{self, paler};
use super::film::Moment;

/// Puts the surfaces of all soft bodies into a picture, also as they were at earlier moments, the
/// earlier the paler; those throw no shadow on what is there now. Stripes along the weft show how
/// they are stretched and turned.
pub(super) fn place(
    shot: &mut Shot,
    scene: &Scene,
    moment: &Moment,
    before: &[Moment],
    viewpoint: &Viewpoint,
) {
    for (k, soft) in scene.world.softs().iter().enumerate() {
        let fits =
            |m: &&Moment| m.softs.get(k).is_some_and(|x| x.len() == soft.body.positions.len());
        // From the latest to the first; what would lie in the same place is left out.
        let mut drawn: Vec<&[DVec3]> = Vec::new();
        let all: Vec<&Moment> = before.iter().chain([moment]).collect();
        for (i, at) in all.iter().enumerate().rev().filter(|(_, m)| fits(m)) {
            let positions = at.softs[k].as_slice();
            if drawn.iter().all(|other| differs(other, positions)) {
                let age = 1.0 - i as f32 / before.len().max(1) as f32;
                let pale = if i == before.len() { 0.0 } else { 0.06 + 0.34 * age };
                let first = shot.facets.len();
                put(shot, &soft.body, paler(colours::of_soft(k), pale), positions, viewpoint);
                shot.facets[first..].iter_mut().for_each(|f| f.in_sun = i == before.len());
                drawn.push(positions);
            }
        }
    }
}

/// Whether two shapes of a body can be told apart.
fn differs(a: &[DVec3], b: &[DVec3]) -> bool {
    let low = a.iter().fold(DVec3::INFINITY, |m, x| m.min(*x));
    let high = a.iter().fold(DVec3::NEG_INFINITY, |m, x| m.max(*x));
    let apart: f64 = a.iter().zip(b).map(|(a, b)| a.distance(*b)).sum();
    apart > 0.08 * low.distance(high) * a.len() as f64
}

fn put(
    shot: &mut Shot,
    body: &SoftBody,
    colour: [f32; 3],
    positions: &[DVec3],
    viewpoint: &Viewpoint,
) {
    let normals = normals(positions, &body.triangles);
    let width = stripe(&body.uvs);
    for t in &body.triangles {
        let middle = t.iter().map(|i| body.uvs[*i as usize].x).sum::<f64>() / 3.0;
        let shade = if (middle / width).floor().rem_euclid(2.0) < 1.0 { 1.0 } else { 0.72 };
        let [r, g, b] = colour.map(|c| c * shade);
        let corner = |i: u32| FacetCorner {
            position: viewpoint.near(positions[i as usize]).to_array(),
            normal: normals[i as usize].as_vec3().to_array(),
            colour: [r, g, b, 1.0],
        };
        // What is nowhere cannot be drawn.
        if t.iter().all(|i| positions[*i as usize].is_finite()) {
            let corners = t.map(corner);
            shot.facets.push(Facet { corners, depth: Depth::Within, in_sun: true });
        }
    }
}

/// Width of a stripe: a sixteenth of the extent along u.
fn stripe(uvs: &[asperity::glamx::DVec2]) -> f64 {
    let low = uvs.iter().map(|p| p.x).fold(f64::INFINITY, f64::min);
    let high = uvs.iter().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max);
    ((high - low) / 16.0).max(1e-9)
}

/// Normals of vertices: means of those of their triangles, by area.
fn normals(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; positions.len()];
    for t in triangles {
        let [a, b, c] = t.map(|i| positions[i as usize]);
        for i in t {
            sums[*i as usize] += (b - a).cross(c - a);
        }
    }
    sums.into_iter().map(|n| n.normalize_or(DVec3::Y)).collect()
}
