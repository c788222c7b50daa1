//! Which frames and texture coordinates the corners of triangles have, where these differ from one
//! side of a seam to the other.

use std::collections::BTreeMap;

use glamx::DVec2;

/// Edges of both sides of a seam whose coordinates differ by less, relative to their length, differ
/// by a shift only.
const SAME: f64 = 1e-6;

/// The corners of a mesh. A vertex has one frame and one uv, but at a seam: there it has a uv on
/// either side, and a frame on either side too, unless the grain runs on across the seam.
#[derive(Debug, Clone, Default)]
pub(super) struct Corners {
    /// Frames of the corners of each triangle.
    pub(super) frames: Vec<[u32; 3]>,
    /// How many frames there are: one for each vertex, then those that seams add.
    pub(super) count: usize,
    /// Of each vertex: its uv, the first of several; [`NO_UV`] where no triangle has it.
    pub(super) home: Vec<u32>,
    /// The triangles around vertices with several uvs, from `first[v]` to `first[v + 1]`; `first`
    /// is empty where there are no seams at all.
    first: Vec<u32>,
    around: Vec<u32>,
}

/// The uv of a vertex of no triangle.
pub(super) const NO_UV: u32 = u32::MAX;

impl Corners {
    /// All indices must be in range.
    pub(super) fn new(
        vertices: usize,
        triangles: &[[u32; 3]],
        uv_triangles: &[[u32; 3]],
        uvs: &[DVec2],
    ) -> Corners {
        let mut corners = Corners {
            frames: triangles.to_vec(),
            count: vertices,
            home: vec![NO_UV; vertices],
            ..Corners::default()
        };
        let mut added: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut at_seam = vec![false; vertices];
        for (k, (t, uv)) in triangles.iter().zip(uv_triangles).enumerate() {
            for c in 0..3 {
                let home = &mut corners.home[t[c] as usize];
                if *home == NO_UV {
                    *home = uv[c];
                }
                if *home != uv[c] {
                    let next = (vertices + added.len()) as u32;
                    corners.frames[k][c] = *added.entry([t[c], uv[c]]).or_insert(next);
                    at_seam[t[c] as usize] = true;
                }
            }
        }
        if added.is_empty() {
            return corners;
        }
        corners.count += added.len();
        corners.gather(triangles, &at_seam);
        corners.join(triangles, uv_triangles, uvs, &at_seam);
        corners
    }

    /// The triangle that has all these vertices, where one of them lies at a seam.
    #[inline]
    pub(super) fn triangle(&self, vertices: &[u32], triangles: &[[u32; 3]]) -> Option<usize> {
        if self.first.is_empty() {
            return None;
        }
        let around = |v: u32| {
            let ends = self.first.get(v as usize).zip(self.first.get(v as usize + 1));
            let (start, end) = ends.map_or((0, 0), |(a, b)| (*a as usize, *b as usize));
            &self.around[start..end]
        };
        let list = vertices.iter().map(|v| around(*v)).find(|list| !list.is_empty())?;
        let has_all = |k: &&u32| vertices.iter().all(|v| triangles[**k as usize].contains(v));
        list.iter().find(has_all).map(|k| *k as usize)
    }

    /// Lists the triangles around each vertex at a seam.
    fn gather(&mut self, triangles: &[[u32; 3]], at_seam: &[bool]) {
        let mut first = vec![0; at_seam.len() + 1];
        let seam = |t: &[u32; 3]| t.map(|v| at_seam[v as usize].then_some(v as usize));
        for v in triangles.iter().flat_map(seam).flatten() {
            first[v + 1] += 1;
        }
        for v in 0..at_seam.len() {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        self.around = vec![0; first[at_seam.len()] as usize];
        for (k, t) in triangles.iter().enumerate() {
            for v in seam(t).into_iter().flatten() {
                self.around[next[v] as usize] = k as u32;
                next[v] += 1;
            }
        }
        self.first = first;
    }

    /// Makes one of the frames on both sides of a seam where the grain runs on: where the sides of
    /// an edge differ by a shift only.
    fn join(
        &mut self,
        triangles: &[[u32; 3]],
        uv_triangles: &[[u32; 3]],
        uvs: &[DVec2],
        at_seam: &[bool],
    ) {
        let mut one: Vec<u32> = (0..self.count as u32).collect();
        let mut open: BTreeMap<[u32; 2], (usize, usize)> = BTreeMap::new();
        for (k, t) in triangles.iter().enumerate() {
            for c in 0..3 {
                let (i, j) = (t[c], t[(c + 1) % 3]);
                if !at_seam[i as usize] && !at_seam[j as usize] {
                    continue;
                }
                // The neighbour has the edge the other way round.
                let Some((l, d)) = open.remove(&[j, i]) else {
                    open.insert([i, j], (k, c));
                    continue;
                };
                let flat = |(k, c): (usize, usize)| {
                    let [a, b, o] = [0, 1, 2].map(|n| uvs[uv_triangles[k][(c + n) % 3] as usize]);
                    (b - a, (b - a).perp_dot(o - a))
                };
                let ((here, area), (there, other)) = (flat((k, c)), flat((l, d)));
                if area * other > 0.0 && (here + there).length() <= SAME * here.length() {
                    unite(&mut one, self.frames[k][c], self.frames[l][(d + 1) % 3]);
                    unite(&mut one, self.frames[k][(c + 1) % 3], self.frames[l][d]);
                }
            }
        }
        for frame in self.frames.iter_mut().flatten() {
            *frame = root(&one, *frame);
        }
    }
}

fn root(one: &[u32], mut k: u32) -> u32 {
    while one[k as usize] != k {
        k = one[k as usize];
    }
    k
}

/// The smaller number stands for both.
fn unite(one: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(one, a), root(one, b));
    one[a.max(b) as usize] = a.min(b);
}
