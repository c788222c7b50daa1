//! Seams between bodies that nothing pushes: flush with each other, they are one floor to what slides over them.
//!
//! The nearest point of the next body is on its edge, and the contact there leans, or is that of its side: what comes
//! along would be thrown up or stopped. Where that body does not reach above the plane on which the other one lies
//! already, the contact is one with that plane.

use glamx::DVec3;

use super::collider::{Collider, Geometry, Mobility};
use super::{Collision, Manifold, Point};

/// A plane of what nothing pushes, on one side of which a convex part of a body is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    /// The body, and its part.
    of: (usize, u32),
    /// What it lies on.
    ground: usize,
    /// Towards the body.
    normal: DVec3,
    /// normal·x of its points.
    height: f64,
}

/// A manifold of a convex part of a body on something that nothing pushes.
struct OnGround {
    /// The body, and its part.
    of: (usize, u32),
    /// Which side that is.
    side: usize,
    /// Towards the body.
    normal: DVec3,
}

impl Collision {
    /// Pairs of bodies of which one is flush with what the other lies on, and touches it nowhere yet.
    pub fn flush(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.narrow.manifolds.iter().filter(|m| m.points.is_empty()).map(|m| m.bodies)
    }

    /// Planes on which bodies lie, ordered by these; none where nothing can be flush.
    pub(super) fn planes(&self) -> Vec<Plane> {
        let grounds = self.bodies.iter().flatten().filter(|c| is_ground(c));
        let parts =
            grounds.map(|c| if let Geometry::Parts(parts) = &c.geometry { parts.len() } else { 1 });
        if parts.sum::<usize>() < 2 {
            return Vec::new();
        }
        let plane = |manifold: &Manifold| {
            let OnGround { of, side, normal } = on_ground(&self.bodies, manifold)?;
            let lowest = manifold.points.iter().min_by(|a, b| a.gap.total_cmp(&b.gap))?;
            let above = lowest.gap >= -WITHIN * self.thickness(of.0);
            let at = if side == 0 { lowest.on_a } else { lowest.on_b };
            let ground = manifold.bodies[side];
            above.then(|| Plane { of, ground, normal, height: normal.dot(at) })
        };
        let mut planes: Vec<Plane> = self.narrow.manifolds.iter().filter_map(plane).collect();
        planes.sort_by_key(|plane| plane.of);
        planes
    }
}

/// Gives contacts at seams the normals of the planes on which their bodies lie. What is beyond such a plane can touch
/// a convex part on this side of it there at most.
pub(super) fn close(manifolds: &mut [Manifold], planes: &[Plane], bodies: &[Option<Collider>]) {
    if planes.len() < 2 {
        return;
    }
    for manifold in manifolds {
        let Some(OnGround { of, side, normal }) = on_ground(bodies, manifold) else { continue };
        let first = planes.partition_point(|plane| plane.of < of);
        let own = planes[first..].iter().take_while(|plane| plane.of == of);
        let number = manifold.bodies[side];
        let Some(ground) = &bodies[number] else { continue };
        let thickness = bodies[of.0].as_ref().map_or(0.0, |body| body.thickness);
        let flush = |plane: &&Plane| {
            // A mesh knows its own edges.
            let other = ground.is_simple() || number != plane.ground;
            let leans = other && normal.dot(plane.normal) < 1.0 - SAME;
            let top = leans.then(|| top(ground, manifold, side, plane.normal)).flatten();
            top.is_some_and(|top| top - plane.height <= WITHIN * thickness)
        };
        let Some(plane) = own.into_iter().find(flush) else { continue };
        manifold.normal = if side == 0 { plane.normal } else { -plane.normal };
        if let Some(a) = &bodies[manifold.bodies[0]] {
            manifold.local_normal = a.pose.rotation.inverse() * manifold.normal;
        }
        for point in &mut manifold.points {
            point.gap = manifold.normal.dot(point.on_b - point.on_a);
        }
        // What is above the plane goes down only as the body turns, and then another point is the lowest.
        let most = plane.height + WITHIN * thickness;
        manifold.points.retain(|point| {
            let at = if side == 0 { point.on_b } else { point.on_a };
            plane.normal.dot(at) <= most
        });
    }
}

/// What lies on something that nothing pushes, if a manifold is of such.
fn on_ground(bodies: &[Option<Collider>], manifold: &Manifold) -> Option<OnGround> {
    let [a, b] = manifold.bodies.map(|k| bodies[k].as_ref());
    let (a, b) = (a?, b?);
    let side = usize::from(!is_ground(a));
    let mover = if side == 0 { b } else { a };
    let one = is_ground(a) != is_ground(b) && matches!(mover.geometry, Geometry::Parts(_));
    one.then(|| OnGround {
        of: (manifold.bodies[1 - side], manifold.parts[1 - side]),
        side,
        normal: if side == 0 { manifold.normal } else { -manifold.normal },
    })
}

fn is_ground(body: &Collider) -> bool {
    body.mobility != Mobility::Free
}

/// How far along a direction reaches what touches on this side of a manifold: a part of a compound, triangles of a
/// mesh. `None` where it has no end.
fn top(body: &Collider, manifold: &Manifold, side: usize, normal: DVec3) -> Option<f64> {
    match &body.geometry {
        Geometry::Parts(parts) => {
            let solid = &parts.get(manifold.parts[side] as usize)?.solid;
            Some(solid.core_max(normal) + solid.radius)
        }
        Geometry::Mesh(mesh) => {
            let corners = |point: &Point| mesh.corners(point.parts[side], &body.pose);
            let heights = manifold.points.iter().flat_map(corners).map(|c| normal.dot(c));
            heights.reduce(f64::max)
        }
        Geometry::HalfSpace(_) => None,
    }
}

/// How far one may reach above the other, or a body be within what it lies on, as a part of the body's thickness.
const WITHIN: f64 = 1e-5;

/// Normals this near, as one less the cosine, are the same.
const SAME: f64 = 1e-12;
