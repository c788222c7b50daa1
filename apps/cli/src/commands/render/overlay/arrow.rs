//! Arrows with a round shaft and a pointed head.

use asperity::glamx::DVec3;
use asperity_gpu::picture::{Depth, Facet, FacetCorner};

use crate::commands::render::camera::Viewpoint;

/// Sides of the shaft.
const SIDES: usize = 14;

/// An arrow from a point; `thickness` is the radius of its shaft.
pub(super) fn arrow(
    viewpoint: &Viewpoint,
    from: DVec3,
    vector: DVec3,
    thickness: f64,
    colour: [f32; 3],
) -> Vec<Facet> {
    let Some(along) = vector.try_normalize() else { return Vec::new() };
    let (x, y) = along.any_orthonormal_pair();
    let length = vector.length();
    let head = (6.0 * thickness).min(0.6 * length);
    let neck = length - head;
    let thickness = thickness.min(0.12 * length);
    // Distance along the arrow and from its axis; slope of the normal.
    let rings = [
        (0.0, thickness, 0.0),
        (neck, thickness, 0.0),
        (neck, 2.4 * thickness, -1.0),
        (neck, 2.4 * thickness, 0.4),
        (length, 0.0, 0.4),
    ];
    let [r, g, b] = colour;
    let corner = |(s, radius, slope): (f64, f64, f64), side: usize| {
        let angle = std::f64::consts::TAU * side as f64 / SIDES as f64;
        let out = x * angle.cos() + y * angle.sin();
        let normal = if slope < 0.0 { -along } else { (out + along * slope).normalize() };
        FacetCorner {
            position: viewpoint.near(from + along * s + out * radius).to_array(),
            normal: normal.as_vec3().to_array(),
            colour: [r, g, b, 1.0],
        }
    };
    let mut facets = Vec::new();
    for pair in [[0, 1], [1, 2], [3, 4]] {
        let [low, high] = pair.map(|k| rings[k]);
        let low = if pair == [1, 2] { (low.0, low.1, -1.0) } else { low };
        for side in 0..SIDES {
            let quad = [
                corner(low, side),
                corner(low, side + 1),
                corner(high, side + 1),
                corner(high, side),
            ];
            for corners in [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]] {
                facets.push(Facet { corners, depth: Depth::Through, in_sun: false });
            }
        }
    }
    facets
}
