//! Collision: which bodies touch, where, and over what area.
//!
//! A manifold is kept while its bodies hardly move against each other: its points stay where they
//! are on each body, and gaps and normal follow the poses (see [`KEPT`]). Otherwise it is found
//! anew. Identity persists either way: the [`Point::id`] of a contact follows from the corners,
//! edges and faces that make it, and [`Point::was`] names the point whose place it takes.

mod axis;
mod broad_phase;
mod circle;
mod collider;
mod contact_plane;
mod disc;
mod feature;
mod feature_overlap;
mod half_space;
mod look_ahead;
mod manifold;
mod mesh;
mod mesh_corners;
mod min_norm;
mod narrow_phase;
mod nearest_points;
mod outline;
mod patch;
mod plane_area;
mod point_key;
mod rest;
mod round_axis;
mod seam;
mod shared_volume;
mod sinking;
mod solid;
pub mod surface;
mod sweep;
pub mod window;

use std::collections::HashSet;

use glamx::{DPose3, DVec3};

pub use narrow_phase::KEPT;
pub use patch::{MAX_LEAN, Patch};
pub use shared_volume::{Cut, Shared};
pub use sinking::SUNK;
pub use sweep::{Hit, Ways};

use crate::shape::{Shape, ShapeError};
use crate::volume::{ClosedShape, Overlap};
use broad_phase::BroadPhase;
use collider::{Collider, Geometry};
pub use collider::{FAR, Mobility};
use narrow_phase::NarrowPhase;
pub use narrow_phase::{Kept, kept};
use shared_volume::SharedVolumes;

/// Most contact points of one manifold.
pub const MAX_POINTS: usize = 8;

/// How far ahead a moving body looks for contacts, at most, in units of its extent.
pub const MAX_REACH: f64 = 4.0;

/// The contacts of two bodies that share a normal.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifold {
    /// Bodies A and B; A has the lower number.
    pub bodies: [usize; 2],
    /// Parts of the bodies: the part of a compound; the flat region of a mesh or height field,
    /// named after its first triangle; otherwise 0.
    pub parts: [u32; 2],
    /// Unit vector from A to B, world axes.
    pub normal: DVec3,
    /// The contact points, in a fixed order.
    pub points: Vec<Point>,
    /// The normal in the axes of A.
    local_normal: DVec3,
}

/// One contact point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// On the surface of A, world.
    pub on_a: DVec3,
    /// On the surface of B, world.
    pub on_b: DVec3,
    /// Metres along the normal from A to B; negative where they overlap.
    pub gap: f64,
    /// What makes the point; it lasts from step to step while those features touch.
    pub id: u64,
    /// The identity under which the last update knew it: its own, or that of a point that was at
    /// this place and is no more.
    pub was: u64,
    /// Sub-shapes at this point, for [`surface::surface_point`]: like the manifold's parts, but
    /// the triangle under the point for a mesh or height field.
    pub parts: [u32; 2],
    /// Where it is on A and on B, each in its own axes.
    pub local: [DVec3; 2],
}

/// Finds contacts: broad phase, pairs and manifolds.
#[derive(Default)]
pub struct Collision {
    bodies: Vec<Option<Collider>>,
    broad: BroadPhase,
    excluded: HashSet<(usize, usize)>,
    pairs: Vec<(usize, usize)>,
    narrow: NarrowPhase,
    /// For [`Collision::look_ahead`].
    ahead: NarrowPhase,
    /// Pairs that touch by volume; nothing where none do.
    by_volume: Option<Box<SharedVolumes>>,
}

impl std::fmt::Debug for Collision {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let bodies = self.bodies.iter().flatten().count();
        let mut out = f.debug_struct("Collision");
        out.field("bodies", &bodies)
            .field("manifolds", &self.narrow.manifolds)
            .finish_non_exhaustive()
    }
}

impl Collision {
    /// Without bodies.
    pub fn new() -> Collision {
        Collision::default()
    }

    /// Gives a body its shape. Bodies that share a group above zero do not touch.
    pub fn add(
        &mut self,
        body: usize,
        shape: &Shape,
        mobility: Mobility,
        group: u32,
    ) -> Result<(), ShapeError> {
        let new = Collider::new(shape, mobility, group)?;
        if self.bodies.len() <= body {
            self.bodies.resize_with(body + 1, || None);
        }
        self.broad.add(body, &new);
        self.bodies[body] = Some(new);
        Ok(())
    }

    /// These two bodies never touch, as when a joint holds them together.
    pub fn exclude(&mut self, a: usize, b: usize) {
        self.excluded.insert((a.min(b), a.max(b)));
    }

    /// Finds all contacts closer than `margin + dt (speed of a + speed of b)` at these poses.
    /// `speed` bounds the speed of any point of a body, m/s; what it adds is at most
    /// [`MAX_REACH`] times the body's extent. Bodies without a finite pose are left out.
    pub fn update(&mut self, poses: &[DPose3], speed: impl Fn(usize) -> f64, dt: f64, margin: f64) {
        self.update_kept(poses, |body| speed(body) * dt, |_| margin, |_| KEPT);
    }

    /// [`Collision::update`] by how far each body may go, with manifolds that are kept while bodies move against
    /// each other by no more than what is `kept` of either, as a part of the smaller one's size. `margin` is that of
    /// a body of some thickness; that of two bodies is the smaller one.
    pub fn update_kept(
        &mut self,
        poses: &[DPose3],
        travel: impl Fn(usize) -> f64,
        margin: impl Fn(f64) -> f64,
        kept: impl Fn(usize) -> f64,
    ) {
        self.place_all(poses, travel, margin);
        for (i, body) in self.bodies.iter_mut().enumerate() {
            if let Some(body) = body {
                (body.looked, body.kept) = (body.travel, kept(i));
                let reach = DVec3::splat(if body.placed { body.travel } else { -f64::INFINITY });
                body.seen = [body.bounds[0] - reach, body.bounds[1] + reach];
            }
        }
        self.broad.update(&self.bodies);
        self.pairs.clear();
        self.broad.pairs(&self.bodies, &mut self.pairs);
        let (bodies, excluded) = (&self.bodies, &self.excluded);
        self.pairs.retain(|&(a, b)| may_touch(bodies, a, b) && !excluded.contains(&(a, b)));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        if let Some(by_volume) = &mut self.by_volume {
            by_volume.update(&mut self.pairs, &self.bodies);
        }
        self.narrow.update(&self.pairs, &self.bodies);
        let planes = self.planes();
        seam::close(&mut self.narrow.manifolds, &planes, &self.bodies);
    }

    /// Places all bodies, and says how far each looks for others.
    fn place_all(
        &mut self,
        poses: &[DPose3],
        travel: impl Fn(usize) -> f64,
        margin: impl Fn(f64) -> f64,
    ) {
        for (i, body) in self.bodies.iter_mut().enumerate() {
            if let Some(body) = body {
                body.place(poses.get(i));
                body.travel = body.bound_travel(travel(i));
                body.margin = margin(body.thickness);
            }
        }
    }

    /// The smallest side of the box around a body's shape, metres; infinite for a half-space, and where there
    /// is no shape.
    pub fn thickness(&self, body: usize) -> f64 {
        let collider = self.bodies.get(body).and_then(Option::as_ref);
        collider.map_or(f64::INFINITY, |c| c.thickness)
    }

    /// The diagonal of that box, metres; infinite for a half-space, and where there is no shape.
    pub fn diagonal(&self, body: usize) -> f64 {
        let collider = self.bodies.get(body).and_then(Option::as_ref);
        collider.map_or(f64::INFINITY, |c| 2.0 * c.size)
    }

    /// What the next update begins with.
    pub fn kept(&self) -> Kept {
        self.narrow.kept()
    }

    /// The next update begins with this.
    pub fn go_back(&mut self, kept: &Kept) {
        self.narrow.go_back(kept);
    }

    /// The manifolds of the last update, ordered by bodies and parts.
    pub fn manifolds(&self) -> &[Manifold] {
        &self.narrow.manifolds
    }

    /// Pairs near each other in the last update whose contacts cannot be computed: a mesh that is open
    /// or inside out against a mesh or height field, and two half-spaces. They pass through each other.
    pub fn unsupported_pairs(&self) -> &[(usize, usize)] {
        &self.narrow.unsupported
    }

    /// The volumes that bodies shared in the last update, of pairs that touch by volume: ordered by
    /// bodies.
    pub fn shared_volumes(&self) -> &[Shared] {
        self.by_volume.as_ref().map_or(&[], |v| &v.shared)
    }

    /// What two bodies that share a volume would share at other poses: the nearest such volume.
    pub fn share_then(&self, now: &Shared, poses: [DPose3; 2]) -> Option<Overlap> {
        self.by_volume.as_ref()?.then(now, poses)
    }

    /// Bodies of which materials touch by volume, and how overlaps are cut: for each two of `materials`,
    /// row by row.
    pub fn touch_by_volume(&mut self, materials: usize, table: Vec<Option<Cut>>) {
        if self.by_volume.is_some() || table.iter().any(Option::is_some) {
            self.by_volume.get_or_insert_default().set_table(materials, table);
        }
    }

    /// Gives a body a closed shape and says which material it has.
    pub fn add_volume(&mut self, body: usize, shape: ClosedShape, material: usize) {
        self.by_volume.get_or_insert_default().add(body, shape, material);
    }

    /// Whether a body has a closed shape.
    pub fn knows_volume(&self, body: usize) -> bool {
        self.by_volume.as_ref().is_some_and(|v| v.knows(body))
    }

    /// Pairs of bodies that were near each other in the last update, but for those that touch by
    /// volume.
    pub fn near_pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// The area over which two bodies touch, for a manifold of the last update.
    pub fn patch(&self, manifold: usize, poses: &[DPose3]) -> Patch {
        let Some(m) = self.narrow.manifolds.get(manifold) else { return Patch::default() };
        self.patch_between(manifold, m.bodies.map(|i| poses.get(i)))
    }

    /// [`Collision::patch`] with the poses of just these two bodies.
    pub fn patch_between(&self, manifold: usize, poses: [Option<&DPose3>; 2]) -> Patch {
        let Some(m) = self.narrow.manifolds.get(manifold) else { return Patch::default() };
        let [a, b] = [0, 1].map(|side| {
            let body = self.bodies.get(m.bodies[side]).and_then(Option::as_ref)?;
            Some(body.at(poses[side]))
        });
        match (a, b) {
            (Some(a), Some(b)) => patch::patch(m, [&a, &b]),
            _ => Patch::default(),
        }
    }
}

/// Whether bodies of two groups touch: those that share one above zero do not. A body and itself are
/// no two bodies.
#[inline]
pub fn groups_touch(a: u32, b: u32) -> bool {
    a == 0 || a != b
}

fn may_touch(bodies: &[Option<Collider>], a: usize, b: usize) -> bool {
    let (Some(Some(x)), Some(Some(y))) = (bodies.get(a), bodies.get(b)) else { return false };
    let unbounded = |c: &Collider| matches!(c.geometry, Geometry::HalfSpace(_));
    may_meet(bodies, a, b) && x.placed && y.placed && (unbounded(x) || unbounded(y) || x.near(y))
}

/// Whether two bodies would touch if they came near each other.
fn may_meet(bodies: &[Option<Collider>], a: usize, b: usize) -> bool {
    let (Some(Some(a)), Some(Some(b))) = (bodies.get(a), bodies.get(b)) else { return false };
    (a.is_active() || b.is_active()) && groups_touch(a.group, b.group)
}
