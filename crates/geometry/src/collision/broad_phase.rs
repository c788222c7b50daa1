//! Broad phase: pairs of bodies whose boxes overlap.
//!
//! Two trees, of bodies that move and of those that are fixed or rest, which are never tested against each
//! other. Half-spaces have no box and are tested against every movable body.

use glamx::DVec3;
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume as _};
use parry3d_f64::partitioning::{Bvh, BvhNode, BvhWorkspace};

use super::collider::{Collider, Geometry};

#[derive(Default)]
pub(crate) struct BroadPhase {
    movable: Bvh,
    fixed: Bvh,
    planes: Vec<usize>,
    workspace: BvhWorkspace,
    fixed_bounds: Vec<Option<[DVec3; 2]>>,
}

impl BroadPhase {
    pub(crate) fn add(&mut self, body: usize, new: &Collider) {
        // A body given another shape leaves where it was.
        self.movable.remove(body as u32);
        self.fixed.remove(body as u32);
        self.planes.retain(|&p| p != body);
        if matches!(new.geometry, Geometry::HalfSpace(_)) {
            self.planes.push(body);
            self.planes.sort_unstable();
        }
        if self.fixed_bounds.len() <= body {
            self.fixed_bounds.resize(body + 1, None);
        }
        self.fixed_bounds[body] = None;
    }

    pub(crate) fn update(&mut self, bodies: &[Option<Collider>]) {
        let mut fixed_changed = false;
        for (i, body) in bodies.iter().enumerate() {
            let Some(body) = body else { continue };
            if matches!(body.geometry, Geometry::HalfSpace(_)) || !body.placed {
                continue;
            }
            let reach = DVec3::splat(body.travel + body.margin);
            let bounds = [body.bounds[0] - reach, body.bounds[1] + reach];
            let aabb = Aabb::new(bounds[0], bounds[1]);
            if body.is_active() {
                self.movable.insert_or_update_partially(aabb, i as u32, 0.0);
            } else if self.fixed_bounds[i] != Some(bounds) {
                self.fixed_bounds[i] = Some(bounds);
                self.fixed.insert_or_update_partially(aabb, i as u32, 0.0);
                fixed_changed = true;
            }
        }
        self.movable.refit(&mut self.workspace);
        self.movable.optimize_incremental(&mut self.workspace);
        self.movable.refit(&mut self.workspace);
        if fixed_changed {
            self.fixed.refit(&mut self.workspace);
            self.fixed.optimize_incremental(&mut self.workspace);
            self.fixed.refit(&mut self.workspace);
        }
    }

    /// Moves a body from one tree to the other, at the next update.
    pub(crate) fn forget(&mut self, body: usize) {
        self.movable.remove(body as u32);
        self.fixed.remove(body as u32);
        self.fixed_bounds[body] = None;
    }

    /// Bodies that are half-spaces.
    pub(crate) fn planes(&self) -> impl Iterator<Item = usize> {
        self.planes.iter().copied()
    }

    /// Bodies whose boxes in the last update overlap this one, but for half-spaces.
    pub(crate) fn near(&self, [low, high]: [DVec3; 2]) -> impl Iterator<Item = usize> {
        let aabb = Aabb::new(low, high);
        let meets = move |node: &BvhNode| node.aabb().intersects(&aabb);
        self.movable.leaves(meets).chain(self.fixed.leaves(meets)).map(|k| k as usize)
    }

    /// Appends pairs (lower number first), in any order.
    pub(crate) fn pairs(&mut self, bodies: &[Option<Collider>], out: &mut Vec<(usize, usize)>) {
        let mut push = |a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            out.push((a.min(b), a.max(b)));
        };
        self.movable.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut push);
        for (a, b) in self.movable.leaf_pairs(&self.fixed, BvhNode::intersects) {
            push(a, b);
        }
        self.on_planes(bodies, out);
    }

    /// Appends bodies near half-spaces with these.
    pub(crate) fn on_planes(&self, bodies: &[Option<Collider>], out: &mut Vec<(usize, usize)>) {
        for &plane in &self.planes {
            let Some(plane_body) = &bodies[plane] else { continue };
            let Geometry::HalfSpace(boundary) = &plane_body.geometry else { continue };
            for (i, body) in bodies.iter().enumerate() {
                let Some(body) = body else { continue };
                if i == plane || !(body.is_active() || plane_body.is_active()) {
                    continue;
                }
                let is_plane = matches!(body.geometry, Geometry::HalfSpace(_));
                let [low, high] = body.bounds;
                let half = 0.5 * (high - low);
                let height = boundary.normal.dot(0.5 * (low + high) - boundary.origin)
                    - boundary.normal.abs().dot(half);
                if is_plane || height <= body.reach(plane_body) {
                    out.push((i.min(plane), i.max(plane)));
                }
            }
        }
    }
}
