//! Cloth and soft solids in pictures.

use asperity::body::BodyKind;
use asperity::deform::SoftBody;
use asperity::glamx::{DVec2, DVec3};
use asperity_gpu::picture::{Depth, Facet, FacetCorner, Shot};
use asperity_scene::Scene;

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
    // Rigid bodies that move have the first colours.
    let moving = scene.world.bodies().iter().filter(|b| b.kind != BodyKind::Fixed).count();
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
                let finish = scene.finishes.get(soft.surface).and_then(|f| f.colour);
                let colour =
                    finish.map_or_else(|| colours::of_soft(moving + k), colours::of_finish);
                let colour = paler(colour, pale);
                put(shot, &soft.body, colour, positions, viewpoint);
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
    for (t, uv) in body.triangles.iter().zip(&body.uv_triangles) {
        // What is nowhere cannot be drawn.
        if !t.iter().all(|i| positions[*i as usize].is_finite()) {
            continue;
        }
        let corners = [0, 1, 2].map(|c| {
            let i = t[c] as usize;
            let across = body.uvs[uv[c] as usize].x / width;
            Corner { across, position: positions[i], normal: normals[i] }
        });
        for (stripe, piece) in pieces(corners) {
            let shade = if stripe.rem_euclid(2.0) < 1.0 { 1.0 } else { 0.72 };
            let [r, g, b] = colour.map(|c| c * shade);
            let corner = |p: Corner| FacetCorner {
                position: viewpoint.near(p.position).to_array(),
                normal: p.normal.as_vec3().to_array(),
                colour: [r, g, b, 1.0],
            };
            for k in 2..piece.len() {
                let corners = [piece[0], piece[k - 1], piece[k]].map(corner);
                shot.facets.push(Facet { corners, depth: Depth::Within, in_sun: true });
            }
        }
    }
}

/// A corner of a triangle; `across` counts stripes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Corner {
    across: f64,
    position: DVec3,
    normal: DVec3,
}

/// Most stripes that a triangle is cut into; one that spans more has the colour of its middle.
const MOST: f64 = 8.0;

/// A triangle cut where stripes begin: the number of each stripe, and the corners in it.
fn pieces(triangle: [Corner; 3]) -> Vec<(f64, Vec<Corner>)> {
    let low = triangle.iter().map(|p| p.across).fold(f64::INFINITY, f64::min).floor();
    let high = triangle.iter().map(|p| p.across).fold(f64::NEG_INFINITY, f64::max).ceil();
    if !(high - low <= MOST) {
        let middle = triangle.iter().map(|p| p.across).sum::<f64>() / 3.0;
        return vec![(middle.floor(), triangle.to_vec())];
    }
    let mut list = Vec::new();
    let mut rest = triangle.to_vec();
    let mut stripe = low;
    while stripe + 1.0 < high {
        list.push((stripe, side(&rest, |p| stripe + 1.0 - p.across)));
        rest = side(&rest, |p| p.across - stripe - 1.0);
        stripe += 1.0;
    }
    list.push((stripe, rest));
    list
}

/// The part of a polygon where `inside` is not negative.
fn side(polygon: &[Corner], inside: impl Fn(&Corner) -> f64) -> Vec<Corner> {
    let mut part = Vec::with_capacity(polygon.len() + 1);
    for (i, a) in polygon.iter().enumerate() {
        let b = &polygon[(i + 1) % polygon.len()];
        let (at_a, at_b) = (inside(a), inside(b));
        if at_a >= 0.0 {
            part.push(*a);
        }
        if (at_a > 0.0 && at_b < 0.0) || (at_a < 0.0 && at_b > 0.0) {
            let share = at_a / (at_a - at_b);
            part.push(Corner {
                across: a.across + (b.across - a.across) * share,
                position: a.position.lerp(b.position, share),
                normal: a.normal.lerp(b.normal, share).normalize_or(a.normal),
            });
        }
    }
    part
}

/// Width of a stripe: a sixteenth of the extent along u.
fn stripe(uvs: &[DVec2]) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_are_cut_where_stripes_begin_and_nothing_is_lost() {
        let corner = |x: f64, y: f64| Corner {
            across: x,
            position: DVec3::new(x, y, 0.0),
            normal: DVec3::Z,
        };
        let area = |polygon: &[Corner]| -> f64 {
            let twice = |k: usize| {
                let [a, b, c] = [0, k - 1, k].map(|i| polygon[i].position);
                (b - a).cross(c - a).z
            };
            (2..polygon.len()).map(twice).sum::<f64>() / 2.0
        };
        let triangle = [corner(-0.5, 0.0), corner(2.7, 0.4), corner(1.0, 2.0)];
        let list = pieces(triangle);
        assert_eq!(
            list.iter().map(|(stripe, _)| *stripe).collect::<Vec<_>>(),
            [-1.0, 0.0, 1.0, 2.0]
        );
        for (stripe, piece) in &list {
            assert!(
                piece
                    .iter()
                    .all(|p| p.across >= stripe - 1e-12 && p.across <= stripe + 1.0 + 1e-12)
            );
        }
        let sum: f64 = list.iter().map(|(_, piece)| area(piece)).sum();
        assert!((sum - area(&triangle)).abs() < 1e-12);
        // One that lies in a stripe stays whole; a huge one is not cut into thousands.
        assert_eq!(pieces([corner(1.0, 0.0), corner(2.0, 0.0), corner(1.5, 1.0)]).len(), 1);
        assert_eq!(pieces([corner(0.0, 0.0), corner(1e9, 0.0), corner(0.0, 1.0)]).len(), 1);
    }
}
