//! Continuous detection: which features would meet, or pass through each other, within a step
//! (Bridson et al. 2002; Provot 1997). Vertices move along straight lines.

use glamx::DVec3;

use super::bvh::Aabb;
use super::closest_points::{point_triangle, segments};
use super::contact_list::{NO_SURFACE, SoftContact};
use super::cubic::{roots, volume};
use super::detector::{Detector, Motion};
use super::rings::{Rings, stay_apart};
use super::topology::{ContactError, Primitive, Topology, same_length};

/// Four points that would meet, with the time of the step (0 to 1) at which they do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// When, 0 to 1.
    pub time: f64,
    /// The contact, with normal and weights of that time. Its `gap` is what the two may approach
    /// each other along the normal, over the whole step, with a rest of distance left.
    pub contact: SoftContact,
}

/// The first time, 0 to 1, at which a moving vertex meets a moving triangle: positions at the
/// beginning and at the end, the vertex last. Distances up to `tolerance` count as met.
pub fn vertex_face_time(start: [DVec3; 4], end: [DVec3; 4], tolerance: f64) -> Option<f64> {
    first_time(start, end, tolerance, Pair::VertexFace)
}

/// The first time, 0 to 1, at which two moving edges meet: the ends of one, then of the other.
pub fn edge_edge_time(start: [DVec3; 4], end: [DVec3; 4], tolerance: f64) -> Option<f64> {
    first_time(start, end, tolerance, Pair::EdgeEdge)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pair {
    VertexFace,
    EdgeEdge,
}

impl Pair {
    /// Weights of the closest points: B's less A's is Σ wᵢ xᵢ.
    fn weights(self, x: [DVec3; 4]) -> [f64; 4] {
        match self {
            Pair::VertexFace => {
                let (b, _) = point_triangle(x[3], [x[0], x[1], x[2]]);
                [-b[0], -b[1], -b[2], 1.0]
            }
            Pair::EdgeEdge => {
                let (s, t) = segments([x[0], x[1]], [x[2], x[3]]);
                [s - 1.0, -s, 1.0 - t, t]
            }
        }
    }

    /// Normal of the face, or of both edges.
    fn normal(self, x: [DVec3; 4]) -> DVec3 {
        match self {
            Pair::VertexFace => (x[1] - x[0]).cross(x[2] - x[0]),
            Pair::EdgeEdge => (x[1] - x[0]).cross(x[3] - x[2]),
        }
    }
}

fn sum(w: [f64; 4], x: [DVec3; 4]) -> DVec3 {
    x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3]
}

fn at(start: [DVec3; 4], path: [DVec3; 4], t: f64) -> [DVec3; 4] {
    [0, 1, 2, 3].map(|i| start[i] + path[i] * t)
}

fn first_time(start: [DVec3; 4], end: [DVec3; 4], tolerance: f64, pair: Pair) -> Option<f64> {
    let path = [0, 1, 2, 3].map(|i| end[i] - start[i]);
    let distance = |t: f64| {
        let x = at(start, path, t);
        sum(pair.weights(x), x).length()
    };
    if !(distance(0.0) > tolerance) {
        return Some(0.0);
    }
    let edges = [1, 2, 3].map(|i| start[i] - start[0]);
    let paths = [1, 2, 3].map(|i| path[i] - path[0]);
    // Rounding of the volume, from the sizes that go into it.
    let size = [0, 1, 2].map(|i| edges[i].length() + paths[i].length());
    let reach = start.iter().fold(0.0_f64, |m, x| m.max(x.abs().max_element()));
    let noise =
        NOISE * (size[0] * size[1] * size[2] + reach * size[0].max(size[1]).max(size[2]).powi(2));
    if let Some(times) = roots(volume(edges, paths), noise) {
        return times.as_slice().iter().copied().find(|t| distance(*t) <= tolerance);
    }
    // All in one plane throughout. The distance falls no faster than the fastest point moves
    // against the others: steps that it cannot close.
    let mean = (path[0] + path[1] + path[2] + path[3]) * 0.25;
    let side = |list: &[usize]| list.iter().map(|i| (path[*i] - mean).length()).fold(0.0, f64::max);
    let speed = match pair {
        Pair::VertexFace => side(&[0, 1, 2]) + side(&[3]),
        Pair::EdgeEdge => side(&[0, 1]) + side(&[2, 3]),
    };
    let mut t = 0.0;
    for _ in 0..MAX_ADVANCES {
        let room = distance(t) - 0.5 * tolerance;
        if room <= 0.5 * tolerance {
            return Some(t);
        }
        t += room / speed;
        if !(t <= 1.0) {
            return None;
        }
    }
    Some(t)
}

/// Relative rounding of a volume.
const NOISE: f64 = 1e-15;

/// Steps towards each other at most; what is not apart by then counts as met.
const MAX_ADVANCES: usize = 200;

/// Relative rounding of a distance, with room.
const ROUNDING: f64 = 1e-13;

/// Part of the thickness up to which distances count as met.
const MET: f64 = 1e-3;

/// Part of the distance at the beginning that is left at the end.
const LEFT: f64 = 0.1;

struct Sweep<'a> {
    topology: &'a Topology,
    rings: &'a Rings,
    starts: &'a [DVec3],
    ends: &'a [DVec3],
    thickness: f64,
    /// Vertices of one zone do not meet.
    zones: &'a [u32],
    /// What else is looked at has been before.
    active: Option<&'a [bool]>,
}

impl Sweep<'_> {
    fn primitives(&self, a: u32, b: u32, list: &mut Vec<Impact>) {
        // Whichever the tree comes upon first.
        let (a, b) = (a.min(b) as usize, a.max(b) as usize);
        let (p, q) = (&self.topology.primitives[a], &self.topology.primitives[b]);
        if !self.topology.may_touch(p.corners[0], q.corners[0])
            || self.rings.part(p, q)
            || stay_apart(p, q, self.starts, self.ends)
        {
            return;
        }
        for (vertices, face) in [(p, q), (q, p)] {
            for k in 0..3 {
                let v = vertices.corners[k];
                if vertices.owns[k] && face.is_face && !face.corners.contains(&v) {
                    self.vertex_face(v, face, list);
                }
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                if p.owns_edge[i] && q.owns_edge[j] {
                    let a = self.topology.edges[p.edges[i] as usize];
                    let b = self.topology.edges[q.edges[j] as usize];
                    self.edge_edge(a, b, list);
                }
            }
        }
    }

    fn vertex_face(&self, v: u32, face: &Primitive, list: &mut Vec<Impact>) {
        let [a, b, c] = face.corners;
        if self.to_do(&[a, b, c, v]) && self.swept(&face.corners).overlaps(&self.swept(&[v])) {
            self.test([a, b, c, v], Pair::VertexFace, list);
        }
    }

    fn edge_edge(&self, a: [u32; 2], b: [u32; 2], list: &mut Vec<Impact>) {
        let shared = a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
        let all = [a[0], a[1], b[0], b[1]];
        if !shared && self.to_do(&all) && self.swept(&a).overlaps(&self.swept(&b)) {
            self.test(all, Pair::EdgeEdge, list);
        }
    }

    #[inline]
    fn to_do(&self, vertices: &[u32]) -> bool {
        self.active.is_none_or(|active| vertices.iter().any(|v| active[*v as usize]))
    }

    #[inline]
    fn swept(&self, vertices: &[u32]) -> Aabb {
        let both = |v: &u32| [self.starts[*v as usize], self.ends[*v as usize]];
        Aabb::around(vertices.iter().flat_map(both)).grown(MET * self.thickness)
    }

    fn test(&self, vertices: [u32; 4], pair: Pair, list: &mut Vec<Impact>) {
        if self
            .zones
            .get(vertices[0] as usize)
            .is_some_and(|z| vertices.iter().all(|v| self.zones[*v as usize] == *z))
        {
            return;
        }
        let start = vertices.map(|v| self.starts[v as usize]);
        let end = vertices.map(|v| self.ends[v as usize]);
        let path = [0, 1, 2, 3].map(|i| end[i] - start[i]);
        let before = sum(pair.weights(start), start);
        let distance = before.length();
        // The distance closes no faster than two of the points.
        let between: &[(usize, usize)] = match pair {
            Pair::VertexFace => &[(0, 3), (1, 3), (2, 3)],
            Pair::EdgeEdge => &[(0, 2), (0, 3), (1, 2), (1, 3)],
        };
        let speed2 = |(i, j): &(usize, usize)| (path[*i] - path[*j]).length_squared();
        let fastest = between.iter().map(speed2).fold(0.0, f64::max).sqrt();
        if distance > fastest + MET * self.thickness {
            return;
        }
        // Features that begin nearer than what counts as met would always meet.
        let tolerance = (MET * self.thickness).min(0.5 * LEFT * distance);
        let reach = start.iter().fold(0.0_f64, |m, x| m.max(x.abs().max_element()));
        let tolerance = tolerance.max(ROUNDING * reach);
        let Some(time) = first_time(start, end, tolerance, pair).or_else(|| {
            // Also where they end up much too near.
            let left = sum(pair.weights(end), end).length();
            (left < tolerance).then_some(1.0)
        }) else {
            return;
        };
        let x = at(start, path, time);
        let weights = pair.weights(x);
        let (offset, apart) = (sum(weights, start), sum(weights, x));
        let mut normal = pair.normal(x).normalize_or_zero();
        if time == 0.0 || normal == DVec3::ZERO || normal.dot(offset).abs() <= 1e-6 * distance {
            // In one plane all the time, or parallel: as they lie.
            normal = apart.normalize_or_zero();
            if normal == DVec3::ZERO {
                normal = before.normalize_or_zero();
            }
        }
        let closing = sum(weights, path).dot(normal);
        if normal.dot(offset) < 0.0 || (normal.dot(offset) == 0.0 && closing > 0.0) {
            normal = -normal;
        }
        let height = normal.dot(offset);
        let left = LEFT * height.min(self.thickness);
        let split = if pair == Pair::VertexFace { 3 } else { 2 };
        list.push(Impact {
            time,
            contact: SoftContact {
                vertices,
                weights,
                split,
                count: 4,
                normal,
                gap: height - left,
                offset,
                surface: NO_SURFACE,
            },
        });
    }
}

impl Detector {
    /// Everything that would meet within the step, in an order that only the topology decides;
    /// returns how many primitives were left out because their numbers are not finite.
    ///
    /// Vertices with the same number in `zones` (may be empty) do not meet. Only features near
    /// vertices that are `active` are looked at; none given means all.
    pub fn find_impacts(
        &mut self,
        motion: &Motion,
        zones: &[u32],
        active: Option<&[bool]>,
        out: &mut Vec<Impact>,
    ) -> Result<usize, ContactError> {
        let count = self.topology.vertex_count();
        motion.check(count)?;
        if !zones.is_empty() {
            same_length("zones", zones.len(), count)?;
        }
        same_length("active vertices", active.map_or(count, <[bool]>::len), count)?;
        out.clear();
        if self.are_all_apart(motion, MET * self.thickness) {
            return Ok(0);
        }
        // What all have in common does not matter; seen from there, paths are shorter.
        let finite = motion.velocities.iter().filter(|v| v.is_finite());
        let (sum, number) = finite.fold((DVec3::ZERO, 0.0), |(s, n), v| (s + *v, n + 1.0));
        let drift = if number > 0.0 { sum / number } else { DVec3::ZERO };
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        let paths = motion.velocities.iter().map(|v| (*v - drift) * motion.dt);
        ends.extend(motion.positions.iter().zip(paths).map(|(x, path)| *x + path));
        let left_out = self.refit(motion, Some(&ends), MET * self.thickness, active);
        let mut found = std::mem::take(&mut self.impacts);
        let sweep = Sweep {
            topology: &self.topology,
            rings: &self.rings,
            starts: motion.positions,
            ends: &ends,
            thickness: self.thickness,
            zones,
            active,
        };
        self.tree.self_overlaps(&mut found, |a, b, list| sweep.primitives(a, b, list));
        for piece in &found {
            out.extend_from_slice(&piece.items);
        }
        out.sort_by_key(|i| (i.contact.split, i.contact.vertices));
        self.impacts = found;
        self.ends = ends;
        Ok(left_out)
    }
}
