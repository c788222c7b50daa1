//! Where the surfaces of two bodies are at a volume that they share.

use std::f64::consts::TAU;

use asperity_friction::ContactFrame;
use asperity_friction::section::{Area, Section};
use glamx::DVec2;

use crate::world::World;
use asperity_geometry::collision::Shared;
use asperity_geometry::volume::EllipsePatch;

/// The triangles, or parts of compounds, of both bodies at the middle of a volume, where they have any and
/// the section looks at surfaces; and how thick a slab about the middle holds both surfaces, metres.
pub(super) fn parts(
    world: &World,
    shared: &Shared,
    frame: &ContactFrame,
    patch: &EllipsePatch,
    section: &dyn Section,
) -> ([u32; 2], f64) {
    if !section.needs_surfaces() {
        return ([0; 2], 0.0);
    }
    let overlap = &shared.overlap;
    let along = frame.normal.dot(overlap.second_moment * frame.normal) / overlap.volume;
    let thick = TWICE_FURTHEST * along.max(0.0).sqrt();
    let reach = patch.half.max_element() + thick;
    let [a, b] = shared.bodies;
    let at = overlap.centroid;
    let parts = [(a, frame.normal), (b, -frame.normal)]
        .map(|(k, outward)| world.collision.part_at(k, at, outward, reach));
    (parts, thick)
}

/// The ellipse of a patch in the contact plane about its middle, where the whole area is sampled.
pub(super) fn outline(area: Area, frame: &ContactFrame, patch: &EllipsePatch) -> Vec<DVec2> {
    if area == Area::Point {
        return Vec::new();
    }
    let corner = |k: usize| {
        let at = DVec2::from_angle(TAU * k as f64 / CORNERS as f64) * patch.half;
        frame.to_plane(patch.u * at.x + patch.w * at.y)
    };
    (0..CORNERS).map(corner).collect()
}

/// Twice the distance from the centroid to the further surface, in standard deviations along the normal: of
/// a ball's cap, √18 · 4/3. That of a plate is √12.
const TWICE_FURTHEST: f64 = 5.66;
/// Corners of an ellipse's outline.
const CORNERS: usize = 32;
