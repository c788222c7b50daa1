//! Rigid shapes that vertices touch, and the search for such contacts.

use glamx::DVec3;

use super::bvh::Aabb;
use super::contact_list::{Contacts, SoftContact, SurfaceAxes, SurfaceContact};
use super::detector::{Detector, Motion};
use super::topology::ContactError;
use asperity_geometry::collision::groups_touch;

/// A rigid shape that vertices cannot enter.
///
/// Corners and edges of a sharp shape can still poke through a coarse face. They are given to the
/// [`Topology`](super::Topology) as a rigid mesh of loose points and edges.
pub trait Obstacle: Sync {
    /// Signed distance from the surface, negative inside, and the unit normal that points out.
    /// The distance may be less than the true one, never more.
    fn distance(&self, p: DVec3) -> (f64, DVec3);

    /// Velocity of the shape's material at a point, m/s.
    fn velocity(&self, p: DVec3) -> DVec3;

    /// Axes and texture coordinates of the surface at a point of it.
    fn axes(&self, p: DVec3, normal: DVec3) -> SurfaceAxes;

    /// A box around the shape.
    fn aabb(&self) -> Aabb;

    /// Meshes of the same group above zero do not touch it.
    fn group(&self) -> u32 {
        0
    }
}

/// How vertices at obstacles are looked for.
struct Search<S, T> {
    /// Distance that counts as a contact, metres.
    thickness: f64,
    /// Whether only vertices count that go on approaching.
    closing_only: bool,
    /// Vertices to be left out.
    skip: S,
    /// Where an obstacle is touched from a point along a path.
    touch: T,
}

impl Detector {
    /// Adds the contacts of vertices with obstacles: those nearer than the thickness, and those
    /// that would come as near within the step.
    pub fn find_obstacles(
        &self,
        obstacles: &[&dyn Obstacle],
        motion: &Motion,
        out: &mut Contacts,
    ) -> Result<(), ContactError> {
        self.find_other_obstacles(obstacles, motion, |_| false, out)
    }

    /// Adds the contacts of vertices with obstacles, each with the plane that the vertex will touch
    /// when the step ends, where that is in reach: what slides under an edge is not held up by it.
    pub fn find_obstacles_ahead(
        &self,
        obstacles: &[&dyn Obstacle],
        motion: &Motion,
        out: &mut Contacts,
    ) -> Result<(), ContactError> {
        let touch = |obstacle: &dyn Obstacle, p: DVec3, path: DVec3| {
            let first = first_touch(obstacle, p, path, self.thickness)?;
            Some(last_touch(obstacle, p, path, self.thickness).unwrap_or(first))
        };
        let search =
            Search { thickness: self.thickness, closing_only: false, skip: |_: u32| false, touch };
        self.search(obstacles, motion, &search, out)
    }

    /// Adds the contacts of all vertices but those to be skipped.
    pub(super) fn find_other_obstacles(
        &self,
        obstacles: &[&dyn Obstacle],
        motion: &Motion,
        skip: impl Fn(u32) -> bool,
        out: &mut Contacts,
    ) -> Result<(), ContactError> {
        let touch = |obstacle: &dyn Obstacle, p: DVec3, path: DVec3| {
            first_touch(obstacle, p, path, self.thickness)
        };
        let search = Search { thickness: self.thickness, closing_only: false, skip, touch };
        self.search(obstacles, motion, &search, out)
    }

    /// Adds the contacts of vertices that would enter an obstacle within the step, or are inside
    /// and go deeper.
    pub fn find_entries(
        &self,
        obstacles: &[&dyn Obstacle],
        motion: &Motion,
        out: &mut Contacts,
    ) -> Result<(), ContactError> {
        let thickness = ENTERED * self.thickness;
        let touch = |obstacle: &dyn Obstacle, p: DVec3, path: DVec3| {
            first_touch(obstacle, p, path, thickness)
        };
        let search = Search { thickness, closing_only: true, skip: |_: u32| false, touch };
        self.search(obstacles, motion, &search, out)
    }

    fn search(
        &self,
        obstacles: &[&dyn Obstacle],
        motion: &Motion,
        search: &Search<
            impl Fn(u32) -> bool,
            impl Fn(&dyn Obstacle, DVec3, DVec3) -> Option<TouchedPlane>,
        >,
        out: &mut Contacts,
    ) -> Result<(), ContactError> {
        let Search { thickness, closing_only, skip, touch } = search;
        let thickness = *thickness;
        motion.check(self.topology.vertex_count())?;
        for (k, obstacle) in obstacles.iter().enumerate() {
            let bounds = obstacle.aabb().grown(thickness * (1.0 + RESTING));
            let group = obstacle.group();
            for &v in self.topology.surface_vertices() {
                if !groups_touch(group, self.topology.group_of(v)) || skip(v) {
                    continue;
                }
                let p = motion.start(v);
                // As the obstacle sees it.
                let path = motion.end(v) - p - obstacle.velocity(p) * motion.dt;
                let end = p + path;
                if !end.is_finite() || !Aabb::around([p, end]).overlaps(&bounds) {
                    continue;
                }
                let Some((gap, normal, point)) = touch(*obstacle, p, path) else { continue };
                let velocity = obstacle.velocity(point);
                let approach = normal.dot(motion.velocities[v as usize] - velocity) * motion.dt;
                if *closing_only && approach + gap.max(0.0) >= -CLOSING * thickness {
                    continue;
                }
                let surface = out.surfaces.len() as u32;
                let axes = obstacle.axes(point, normal);
                let obstacle = k as u32;
                out.surfaces.push(SurfaceContact { obstacle, point, velocity, axes });
                out.list.push(SoftContact {
                    vertices: [v, 0, 0, 0],
                    weights: [1.0, 0.0, 0.0, 0.0],
                    split: 0,
                    count: 1,
                    normal,
                    gap,
                    offset: p - point,
                    surface,
                });
            }
        }
        Ok(())
    }
}

/// Of a point that is near an obstacle or comes near it along `path`: gap, normal, and where it
/// touches. The gap is that of the beginning, over the plane that touches the obstacle there.
fn first_touch(
    obstacle: &dyn Obstacle,
    p: DVec3,
    path: DVec3,
    thickness: f64,
) -> Option<TouchedPlane> {
    let length = path.length();
    let mut s = 0.0;
    for step in 0..=MAX_STEPS {
        // Along the path by steps that cannot reach the surface.
        let at = p + path * s;
        let (distance, normal) = obstacle.distance(at);
        let gap = distance - thickness;
        let near = if step == 0 { RESTING } else { REACHED };
        if gap < near * thickness || step == MAX_STEPS {
            let touch = (gap - normal.dot(path) * s, normal, at - normal * distance);
            return is_usable(normal).then_some(touch);
        }
        s += gap / length;
        if !(s < 1.0) {
            return None;
        }
    }
    None
}

/// Gap, normal and touched point of the end of the path, where that is at the surface or a little
/// beyond it.
fn last_touch(
    obstacle: &dyn Obstacle,
    p: DVec3,
    path: DVec3,
    thickness: f64,
) -> Option<TouchedPlane> {
    let end = p + path;
    let (distance, normal) = obstacle.distance(end);
    let gap = distance - thickness;
    let near = gap < RESTING * thickness && gap > -BEYOND * thickness && is_usable(normal);
    near.then(|| {
        let over_plane = gap - normal.dot(path);
        // Beyond that plane is not yet inside: an overlap is what there is now.
        let overlap = (obstacle.distance(p).0 - thickness).min(0.0);
        (over_plane.max(overlap), normal, end - normal * distance)
    })
}

/// Gap, normal, and the point of an obstacle.
type TouchedPlane = (f64, DVec3, DVec3);

fn is_usable(normal: DVec3) -> bool {
    normal.is_finite() && normal != DVec3::ZERO
}

/// Part of the thickness that a path may end beyond the surface and still be taken by its end.
const BEYOND: f64 = 0.5;

/// Contacts within this part of the thickness count even where nothing closes.
const RESTING: f64 = 0.1;

/// Part of the thickness at which a vertex counts as inside an obstacle.
const ENTERED: f64 = 0.1;

/// Part of the thickness that a vertex may go in without being called back.
const CLOSING: f64 = 1e-6;

/// Part of the thickness at which a moving point counts as arrived.
const REACHED: f64 = 1e-3;

/// Steps along a path at most. What runs along a surface so long is kept off the plane there.
const MAX_STEPS: usize = 64;
