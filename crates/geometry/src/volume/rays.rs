//! The paper's way to find an overlap: parallel rays in three orthogonal directions (section 4.1).
//!
//! Along each ray the pieces inside both bodies are found from the crossings with their surfaces;
//! volume and moments are those of the pieces, thick as the rays are apart, and their mean over the
//! three directions. A ray that leaves or enters B at the end of a piece sees a cell of B's surface
//! inside A from the side, which is that component of the gradient of the volume. The error falls
//! with the distance of the rays; [`overlaps`](super::overlaps) has none.

use asperity_friction::law::ContactFrame;
use glamx::{DMat3, DPose3, DVec2, DVec3};
use robust::{Coord, orient2d};

use super::bvh::Aabb;
use super::closed_shape::Form;
use super::crossing::Pair;
use super::mesh::Mesh;
use super::moments::outer;
use super::pieces::circle;
use super::{ClosedShape, Overlap, REACHES};

/// Rays across the longest side, at most.
pub const MAX_RAYS: usize = 4096;

/// A ray through a surface.
#[derive(Debug, Clone, Copy)]
struct Hit {
    ray: u32,
    along: f64,
    side: usize,
    /// +1 into the body.
    sign: i32,
}

/// A grid of rays along an axis of A.
struct Grid {
    /// Axes: along the rays, and the two across.
    axes: [usize; 3],
    low: DVec2,
    cell: f64,
    count: [usize; 2],
}

/// All that two shapes share, as one overlap, from rays along the axes of A: `rays` of them
/// (2 to [`MAX_RAYS`]) across the longest side of the region that both may share. None where no ray
/// finds anything.
pub fn overlap_by_rays(
    a: &ClosedShape,
    pose_a: &DPose3,
    b: &ClosedShape,
    pose_b: &DPose3,
    rays: usize,
) -> Option<Overlap> {
    if !(pose_a.is_finite() && pose_b.is_finite()) {
        return None;
    }
    let (slab_a, slab_b) = (slab(a, pose_a, b, pose_b), slab(b, pose_b, a, pose_a));
    let mesh_a = slab_a.as_ref().map_or_else(|| a.mesh(), |s| &s.0);
    let mesh_b = slab_b.as_ref().map_or_else(|| b.mesh(), |s| &s.0);
    let pose_a = slab_a.as_ref().map_or(*pose_a, |s| s.1);
    let pose_b = slab_b.as_ref().map_or(*pose_b, |s| s.1);
    let pair = Pair::new(mesh_a, &pose_a, mesh_b, &pose_b);
    let other = pair.place.bounds(&mesh_b.bvh.bounds());
    let own = mesh_a.bvh.bounds();
    let region = Aabb { low: own.low.max(other.low), high: own.high.min(other.high) };
    if !(region.size().min_element() > 0.0 && region.size().is_finite()) {
        return None;
    }
    let cell = region.size().max_element() / rays.clamp(2, MAX_RAYS) as f64;
    let mut sums = Sums::about(0.5 * (region.low + region.high));
    for axis in 0..3 {
        let axes = [axis, (axis + 1) % 3, (axis + 2) % 3];
        let across = |v: DVec3| DVec2::new(v[axes[1]], v[axes[2]]);
        let count = (across(region.size()) / cell).ceil().max(DVec2::ONE);
        // The grid is as wide as the region, or a little wider, about its middle.
        let low = across(sums.origin) - 0.5 * cell * count;
        let count = [count.x as usize, count.y as usize];
        sums.cast(&pair, &Grid { axes, low, cell, count });
    }
    sums.overlap(&pose_a)
}

/// A half-space as a box that reaches beyond the other body, with its pose.
fn slab(
    shape: &ClosedShape,
    pose: &DPose3,
    other: &ClosedShape,
    at: &DPose3,
) -> Option<(Mesh, DPose3)> {
    let Form::HalfSpace(normal) = shape.form else { return None };
    let bounds = other.mesh().bvh.bounds();
    let size = 2.0 * bounds.magnitude().max(crate::shape::MIN_SIZE);
    if !size.is_finite() {
        return None;
    }
    let normal = pose.rotation * normal;
    let frame = ContactFrame::from_normal(normal);
    let height = normal.dot(at.translation - pose.translation);
    let depth = size + height.abs();
    let axes = DMat3::from_cols(frame.t, frame.b, normal);
    let foot = at.translation - normal * (height + depth);
    let pose = DPose3::from_parts(foot, glamx::DRot3::from_mat3(&axes));
    let poly = crate::shape::Polyhedron::cuboid(DVec3::new(size, size, depth));
    let mesh = Mesh::new(&poly.vertices, &poly.triangles()).ok()?;
    Some((mesh, pose))
}

/// Sums over the pieces of all rays.
struct Sums {
    origin: DVec3,
    volume: f64,
    first: DVec3,
    second: DMat3,
    gradient: DVec3,
    torque: DVec3,
    surface: f64,
    /// Ends of the pieces.
    points: Vec<DVec3>,
}

impl Sums {
    fn about(origin: DVec3) -> Sums {
        Sums {
            origin,
            volume: 0.0,
            first: DVec3::ZERO,
            second: DMat3::ZERO,
            gradient: DVec3::ZERO,
            torque: DVec3::ZERO,
            surface: 0.0,
            points: Vec::new(),
        }
    }

    /// Rays along one axis.
    fn cast(&mut self, pair: &Pair, grid: &Grid) {
        let mut hits = Vec::new();
        for side in 0..2 {
            for face in 0..pair.meshes[side].triangles.len() {
                grid.hit(side, pair.corners(side, face as u32), &mut hits);
            }
        }
        // Both surfaces at one place: into before out of, whatever the order was.
        let key = |h: &Hit| (h.ray, -h.sign, h.side);
        hits.sort_unstable_by(|a, b| {
            a.ray.cmp(&b.ray).then(a.along.total_cmp(&b.along)).then(key(a).cmp(&key(b)))
        });
        let area = grid.cell * grid.cell;
        for hits in hits.chunk_by(|a, b| a.ray == b.ray) {
            let mut winding = [0, 0];
            for pair in hits.windows(2) {
                winding[pair[0].side] += pair[0].sign;
                let both = f64::from(winding[0] * winding[1]);
                if both != 0.0 {
                    self.piece(grid, pair[0], pair[1], both * area);
                }
            }
            // B's surface inside A, seen along the ray: out of B its normal points along it.
            let mut inside = 0;
            for hit in hits {
                if hit.side == 0 {
                    inside += hit.sign;
                } else if inside != 0 {
                    let flow = -f64::from(hit.sign * inside) * area;
                    let (along, at) = (DVec3::AXES[grid.axes[0]], grid.place(hit));
                    self.gradient += along * flow;
                    self.torque += (at - self.origin).cross(along * flow);
                }
            }
        }
    }

    /// A piece of a ray inside both, so thick.
    fn piece(&mut self, grid: &Grid, from: Hit, to: Hit, thick: f64) {
        let [p, q] = [from, to].map(|h| grid.place(&h) - self.origin);
        self.points.extend([p, q]);
        // A third each: three directions.
        let volume = thick * (to.along - from.along) / 3.0;
        self.volume += volume;
        self.first += (p + q) * (0.5 * volume);
        let ends = outer(p, p) + outer(q, q) + outer(p + q, p + q);
        self.second += ends * (volume / 6.0);
        self.surface += 2.0 * thick;
    }

    fn overlap(&self, world: &DPose3) -> Option<Overlap> {
        if !(self.volume > 0.0) {
            return None;
        }
        let mean = self.first / self.volume;
        let turn = DMat3::from_quat(world.rotation);
        let second = self.second - outer(mean, mean) * self.volume;
        let mut overlap = Overlap {
            volume: self.volume,
            centroid: world.transform_point(self.origin + mean),
            second_moment: turn * second * turn.transpose(),
            gradient_linear: turn * self.gradient,
            gradient_angular: turn * (self.torque - mean.cross(self.gradient)),
            surface: self.surface,
            reach: [0.0; REACHES],
            outline: [DVec2::ZERO; REACHES],
            sides: Default::default(),
        };
        let [t, b] = overlap.plane().map(|axis| turn.transpose() * axis);
        let circle = circle();
        for p in &self.points {
            overlap.extend([t, b].map(|axis| (*p - mean).dot(axis)), &circle);
        }
        Some(overlap)
    }
}

impl Grid {
    /// Where a hit is, axes of A.
    fn place(&self, hit: &Hit) -> DVec3 {
        let (i, j) = (hit.ray as usize / self.count[1], hit.ray as usize % self.count[1]);
        let mut p = DVec3::ZERO;
        p[self.axes[0]] = hit.along;
        p[self.axes[1]] = self.ray(0, i);
        p[self.axes[2]] = self.ray(1, j);
        p
    }

    fn ray(&self, way: usize, i: usize) -> f64 {
        self.low[way] + (i as f64 + 0.5) * self.cell
    }

    /// Hits of all rays on a triangle.
    fn hit(&self, side: usize, corners: [DVec3; 3], hits: &mut Vec<Hit>) {
        let flat = corners.map(|p| DVec2::new(p[self.axes[1]], p[self.axes[2]]));
        let low = flat[0].min(flat[1]).min(flat[2]);
        let high = flat[0].max(flat[1]).max(flat[2]);
        let range = |way: usize| {
            let at = |x: f64| (x - self.low[way]) / self.cell;
            let (first, last) = ((at(low[way]) - 1.5).max(0.0), (at(high[way]) + 1.5).max(0.0));
            first as usize..(last as usize).min(self.count[way])
        };
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        for i in range(0) {
            for j in range(1) {
                let p = DVec2::new(self.ray(0, i), self.ray(1, j));
                let left = [0, 1, 2].map(|k| left_of(flat[k], flat[(k + 1) % 3], p));
                if left[0] != left[1] || left[1] != left[2] {
                    continue;
                }
                let from = p - flat[0];
                let slope = from.x * normal[self.axes[1]] + from.y * normal[self.axes[2]];
                let along = corners[0][self.axes[0]] - slope / normal[self.axes[0]];
                let [a, b, c] = corners.map(|c| c[self.axes[0]]);
                let along = if along.is_finite() { along } else { (a + b + c) / 3.0 };
                let along = along.clamp(a.min(b).min(c), a.max(b).max(c));
                // Seen along the ray, the face of a body that it enters runs clockwise.
                let sign = if left[0] { -1 } else { 1 };
                hits.push(Hit { ray: (i * self.count[1] + j) as u32, along, side, sign });
            }
        }
    }
}

/// Whether a point lies to the left of a line, decided exactly; a point on it is thought to be
/// shifted by an infinitesimal, the same for all lines, so that no ray slips through an edge.
fn left_of(a: DVec2, b: DVec2, p: DVec2) -> bool {
    let at = |p: DVec2| Coord { x: p.x, y: p.y };
    let turn = orient2d(at(a), at(b), at(p));
    if turn != 0.0 {
        return turn > 0.0;
    }
    if b.y == a.y { b.x > a.x } else { b.y < a.y }
}
