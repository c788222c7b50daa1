//! Cloth and soft solids in pictures.

use asperity::glamx::DVec3;
use asperity::scene::Scene;
use asperity_gpu::picture::{Depth, Facet, FacetCorner, Shot};

use super::camera::Viewpoint;
use super::colours;
use super::film::Moment;

/// Puts the surfaces of all soft bodies into a picture. Stripes along the weft show how they are
/// stretched and turned.
pub(super) fn place(shot: &mut Shot, scene: &Scene, moment: &Moment, viewpoint: &Viewpoint) {
    for (k, (soft, positions)) in scene.world.softs().iter().zip(&moment.softs).enumerate() {
        if positions.len() != soft.body.positions.len() {
            continue;
        }
        let triangles = &soft.body.triangles;
        let normals = normals(positions, triangles);
        let width = stripe(&soft.body.uvs);
        for t in triangles {
            let middle = t.iter().map(|i| soft.body.uvs[*i as usize].x).sum::<f64>() / 3.0;
            let shade = if (middle / width).floor().rem_euclid(2.0) < 1.0 { 1.0 } else { 0.72 };
            let [r, g, b] = colours::of_soft(k).map(|c| c * shade);
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
