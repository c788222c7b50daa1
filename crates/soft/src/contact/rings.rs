//! Faces that share a vertex are always near each other. Most of them can be told apart at once.

use glamx::DVec3;

use super::topology::{Primitive, Topology};

/// Which vertices have faces around them that share nothing but that vertex and common edges, all
/// the way through a step. Keeps its memory.
///
/// That is so where the faces go once around the vertex and, seen from some direction, all show
/// the same side. The normal of a face is quadratic in time: a mean of three normals. While all
/// of them are seen from one side, the number of turns cannot change, and it is counted at the
/// beginning.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rings {
    ups: Vec<DVec3>,
    turns: Vec<u8>,
    normals: Vec<[DVec3; 3]>,
    flat: Vec<bool>,
}

impl Rings {
    /// Looks at a step along straight paths; no `ends` is one without motion.
    pub(crate) fn update(&mut self, topology: &Topology, starts: &[DVec3], ends: Option<&[DVec3]>) {
        self.ups.clear();
        self.ups.resize(starts.len(), DVec3::ZERO);
        self.normals.clear();
        // Within one body: those that do not touch themselves do not matter.
        let counts = |p: &&Primitive| p.is_face && topology.touches_itself(p.corners[0]);
        for p in topology.primitives.iter().filter(counts) {
            let from = |x: &[DVec3], k: usize| x[p.corners[k] as usize] - x[p.corners[0] as usize];
            let (a, b) = (from(starts, 1), from(starts, 2));
            let first = a.cross(b);
            let normals = match ends {
                None => [first; 3],
                Some(ends) => {
                    let (c, d) = (from(ends, 1), from(ends, 2));
                    [first, a.cross(d) + c.cross(b), c.cross(d)]
                }
            };
            let up = first * (1.0 / first.length());
            for v in p.corners {
                self.ups[v as usize] += up;
            }
            self.normals.push(normals);
        }
        self.turns.clear();
        self.turns.resize(starts.len(), 0);
        self.flat.clear();
        self.flat.extend_from_slice(&topology.closed_rings);
        let faces = topology.primitives.iter().filter(counts);
        for (p, normals) in faces.zip(&self.normals) {
            for k in 0..3 {
                let v = p.corners[k] as usize;
                if !self.flat[v] {
                    continue;
                }
                let up = self.ups[v];
                let Some(first) = topology.neighbours.of(v as u32).first() else { continue };
                let from = |w: u32| starts[w as usize] - starts[v];
                let (a, b) = (from(p.corners[(k + 1) % 3]), from(p.corners[(k + 2) % 3]));
                let ray = from(*first);
                let holds_ray = up.dot(a.cross(ray)) >= 0.0 && up.dot(ray.cross(b)) > 0.0;
                self.turns[v] = self.turns[v].saturating_add(u8::from(holds_ray));
                self.flat[v] = normals.iter().all(|n| clear(up, *n));
            }
        }
        for (flat, turns) in self.flat.iter_mut().zip(&self.turns) {
            *flat &= *turns == 1;
        }
    }

    /// Whether two primitives share such a vertex.
    #[inline]
    pub(crate) fn part(&self, p: &Primitive, q: &Primitive) -> bool {
        p.corners.iter().any(|v| self.flat[*v as usize] && q.corners.contains(v))
    }
}

/// Whether two faces that share a vertex or an edge have nothing else in common, all the way from
/// `starts` to `ends` (straight paths). False where it is not plain to see.
#[inline]
pub(crate) fn stay_apart(p: &Primitive, q: &Primitive, starts: &[DVec3], ends: &[DVec3]) -> bool {
    let shared = |k: usize| q.corners.iter().position(|v| *v == p.corners[k]);
    let common = [shared(0), shared(1), shared(2)];
    let count = common.iter().flatten().count();
    if count == 0 || !p.is_face || !q.is_face {
        return false;
    }
    // Corners of both, from the shared one on.
    let turned =
        |f: &Primitive, k: usize| [f.corners[k], f.corners[(k + 1) % 3], f.corners[(k + 2) % 3]];
    for k in 0..3 {
        let Some(j) = common[k] else { continue };
        if count == 1 {
            return a_plane_parts(turned(p, k), turned(q, j), starts, ends);
        }
        if count == 2
            && let Some(next) = common[(k + 1) % 3]
        {
            // The edge runs from k to k + 1 in p; the other way in q, if both look the same way.
            let same_side = (next + 1) % 3 == j;
            return both_look_up(turned(p, k), turned(q, j), same_side, starts, ends);
        }
    }
    true
}

/// Faces (v, a, b) and (v, c, d): a plane through v has a, b on one side and c, d on the other.
/// Distances from a plane that moves with v are linear in time.
fn a_plane_parts(p: [u32; 3], q: [u32; 3], starts: &[DVec3], ends: &[DVec3]) -> bool {
    let from = |x: &[DVec3], t: [u32; 3], k: usize| x[t[k] as usize] - x[t[0] as usize];
    let mut points = [DVec3::ZERO; 8];
    let mut normal = DVec3::ZERO;
    for (i, x) in [starts, ends].into_iter().enumerate() {
        let [a, b] = [from(x, p, 1), from(x, p, 2)];
        let [c, d] = [from(x, q, 1), from(x, q, 2)];
        points[4 * i..4 * i + 4].copy_from_slice(&[a, b, -c, -d]);
        let (out_p, out_q) = (a + b, c + d);
        normal += out_p * out_q.length_squared() - out_q * out_p.length_squared();
    }
    points.iter().all(|x| clear(normal, *x))
}

/// Faces that share an edge: seen from some direction, both show the same side, all the way. Then
/// they lie on either side of the edge. The normal is quadratic in time and a mean of three.
fn both_look_up(
    p: [u32; 3],
    q: [u32; 3],
    same_side: bool,
    starts: &[DVec3],
    ends: &[DVec3],
) -> bool {
    let normals = |t: [u32; 3]| {
        let from = |x: &[DVec3], k: usize| x[t[k] as usize] - x[t[0] as usize];
        let (a, b, c, d) = (from(starts, 1), from(starts, 2), from(ends, 1), from(ends, 2));
        [a.cross(b), a.cross(d) + c.cross(b), c.cross(d)]
    };
    let (n, mut m) = (normals(p), normals(q));
    if !same_side {
        m = m.map(|x| -x);
    }
    let up = [n[0], n[2], m[0], m[2]].iter().map(|x| *x * (1.0 / x.length())).sum::<DVec3>();
    n.iter().chain(&m).all(|x| clear(up, *x))
}

/// Whether two directions are less than a right angle apart, and not just so.
#[inline]
fn clear(a: DVec3, b: DVec3) -> bool {
    let along = a.dot(b);
    along > 0.0 && along * along > CLEAR2 * a.length_squared() * b.length_squared()
}

/// Squared cosine of the angle that counts as plain to see.
const CLEAR2: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    fn face(corners: [u32; 3]) -> Primitive {
        let [owns, owns_edge] = [[false; 3]; 2];
        Primitive { corners, is_face: true, owns, edges: [0; 3], owns_edge }
    }

    #[test]
    fn hinges_are_told_apart_until_they_fold() {
        let hinge = |angle: f64| {
            let flap = DVec3::new(0.5, -angle.cos(), angle.sin());
            [DVec3::ZERO, DVec3::X, DVec3::new(0.5, 1.0, 0.0), flap]
        };
        let (flat, bent, folded) = (hinge(0.0), hinge(1.2), hinge(std::f64::consts::PI));
        for q in [[1, 0, 3], [0, 3, 1], [3, 1, 0], [0, 1, 3]] {
            let apart =
                |a: &[DVec3; 4], b: &[DVec3; 4]| stay_apart(&face([0, 1, 2]), &face(q), a, b);
            assert!(apart(&flat, &flat) && apart(&flat, &bent), "{q:?}");
            assert!(!apart(&flat, &folded) && !apart(&folded, &folded), "{q:?}");
        }
    }

    #[test]
    fn faces_at_a_vertex_are_told_apart_unless_one_reaches_the_other() {
        let mut x = [DVec3::ZERO, DVec3::X, DVec3::ONE, -DVec3::X, DVec3::new(-1.0, -1.0, 0.0)];
        let (p, q) = (face([0, 1, 2]), face([3, 0, 4]));
        assert!(stay_apart(&p, &q, &x, &x));
        let before = x;
        x[3] = DVec3::new(1.0, 0.2, 0.1);
        assert!(!stay_apart(&p, &q, &before, &x));
        x[4] = DVec3::splat(f64::NAN);
        assert!(!stay_apart(&p, &q, &before, &x));
    }
}
