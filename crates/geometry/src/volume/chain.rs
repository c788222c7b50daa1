//! From crossings to the boundary of the overlap's faces.

use glamx::DVec3;

use super::crossing::{Crossing, End, FaceCut, Pair};

/// A piece of the boundary of a face of the overlap, between two points. The face is to its left
/// seen from outside, so many times.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) weight: i32,
}

/// The links of one triangle of A or B.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub(super) side: usize,
    /// Its number there.
    pub(super) triangle: u32,
    /// Its links begin here and end where the next face's begin.
    pub(super) first: u32,
}

/// Faces of overlaps, each bounded by links between points.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinkedSurface<'a> {
    pub(super) points: &'a [DVec3],
    pub(super) links: &'a [Link],
    pub(super) faces: &'a [Face],
}

/// What is known about the corners and triangles of one mesh; unknown before and after a call.
#[derive(Debug, Clone, Default)]
struct Known {
    /// How often the other body winds around a corner.
    winding: Vec<i32>,
    /// Number of a corner among the points.
    number: Vec<u32>,
    state: Vec<State>,
    corners: Vec<u32>,
    faces: Vec<u32>,
    queue: Vec<u32>,
    /// Which components of the mesh are settled.
    components: Vec<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Unseen,
    /// Cut, not visited yet.
    Cut,
    CutDone,
    Done,
}

/// The boundary of the overlap's faces.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    points: Vec<DVec3>,
    links: Vec<Link>,
    faces: Vec<Face>,
    known: [Known; 2],
    stack: Vec<u32>,
}

const UNKNOWN: i32 = i32::MIN;

impl<'a> LinkedSurface<'a> {
    /// All faces, each with its links.
    pub(super) fn faces(self) -> impl Iterator<Item = (&'a Face, &'a [Link])> {
        let LinkedSurface { links, faces, .. } = self;
        faces.iter().enumerate().map(move |(f, face)| {
            let end = faces.get(f + 1).map_or(links.len(), |next| next.first as usize);
            (face, &links[face.first as usize..end])
        })
    }
}

impl Chain {
    /// What was built last.
    pub(super) fn surface(&self) -> LinkedSurface<'_> {
        LinkedSurface { points: &self.points, links: &self.links, faces: &self.faces }
    }

    /// Collects all links. Crossings are in their order along edges.
    pub(super) fn build(
        &mut self,
        pair: &mut Pair,
        crossings: &[Vec<Crossing>; 2],
        cuts: &mut [FaceCut],
    ) {
        self.points.clear();
        self.links.clear();
        self.faces.clear();
        for side in crossings {
            self.points.extend(side.iter().map(|c| c.point));
        }
        for side in 0..2 {
            self.settle(side, pair, &crossings[side], cuts);
            cuts.sort_unstable_by_key(|c| (c.faces[side], c.faces[1 - side]));
            self.cut_faces(side, pair, crossings, cuts);
            self.whole_faces(side, pair);
        }
    }

    /// Finds how often the other body winds around the corners of cut triangles and of those
    /// inside: by a ray for one corner of each region, then from corner to corner.
    fn settle(&mut self, side: usize, pair: &mut Pair, crossings: &[Crossing], cuts: &[FaceCut]) {
        let mesh = pair.meshes[side];
        let known = &mut self.known[side];
        known.prepare(mesh.positions.len(), mesh.triangles.len(), mesh.components.len());
        for cut in cuts {
            let face = cut.faces[side];
            if known.state[face as usize] == State::Unseen {
                known.state[face as usize] = State::Cut;
                known.faces.push(face);
            }
        }
        known.faces.sort_unstable();
        for k in 0..known.faces.len() {
            let face = known.faces[k];
            known.components[mesh.component_of[face as usize] as usize] = true;
            if known.state[face as usize] != State::Cut {
                continue;
            }
            let corners = mesh.triangles[face as usize];
            if corners.iter().all(|c| known.winding[*c as usize] == UNKNOWN) {
                let winding = pair.winding(side, corners[0], &mut self.stack);
                known.set(corners[0], winding);
            }
            known.spread(mesh, face, crossings);
        }
        let mut others = pair.meshes[1 - side].bvh.bounds();
        let place = pair.place;
        if side == 0 {
            others = place.bounds(&others);
        }
        for (k, component) in mesh.components.iter().enumerate() {
            let bounds = if side == 0 { component.bounds } else { place.bounds(&component.bounds) };
            if known.components[k] || !bounds.meets(&others) {
                continue;
            }
            let corner = mesh.triangles[component.triangle as usize][0];
            let winding = pair.winding(side, corner, &mut self.stack);
            if winding != 0 {
                known.set(corner, winding);
                known.spread(mesh, component.triangle, crossings);
            }
        }
    }

    /// Links of triangles that are cut; `cuts` in the order of the faces of this side.
    fn cut_faces(
        &mut self,
        side: usize,
        pair: &Pair,
        crossings: &[Vec<Crossing>; 2],
        cuts: &[FaceCut],
    ) {
        let mesh = pair.meshes[side];
        let offset = if side == 0 { 0 } else { crossings[0].len() };
        for cuts in cuts.chunk_by(|a, b| a.faces[side] == b.faces[side]) {
            let face = cuts[0].faces[side] as usize;
            let (triangle, first) = (face as u32, self.links.len() as u32);
            self.faces.push(Face { side, triangle, first });
            for cut in cuts {
                let (from, to) = if side == 0 { (cut.from, cut.to) } else { (cut.to, cut.from) };
                if let (Some(from), Some(to)) = (number(crossings, from), number(crossings, to)) {
                    self.links.push(Link { from, to, weight: 1 });
                }
            }
            for k in 0..3 {
                let (begin, end) = (mesh.triangles[face][k], mesh.triangles[face][(k + 1) % 3]);
                let range = of_edge(&crossings[side], mesh.edges[face][k]);
                let mut weight = self.known[side].winding[begin as usize];
                if weight == UNKNOWN {
                    continue;
                }
                let (count, forward) = (range.len(), begin < end);
                let mut from = if weight == 0 { 0 } else { self.corner(side, pair, begin) };
                for i in 0..count {
                    let at = range.start + if forward { i } else { count - 1 - i };
                    let to = (offset + at) as u32;
                    if weight != 0 {
                        self.links.push(Link { from, to, weight });
                    }
                    let sign = crossings[side][at].sign;
                    weight += if forward { sign } else { -sign };
                    from = to;
                }
                if weight != 0 {
                    let to = self.corner(side, pair, end);
                    self.links.push(Link { from, to, weight });
                }
            }
        }
    }

    /// Links of triangles that lie inside.
    fn whole_faces(&mut self, side: usize, pair: &Pair) {
        for k in 0..self.known[side].faces.len() {
            let face = self.known[side].faces[k] as usize;
            if self.known[side].state[face] != State::Done {
                continue;
            }
            let corners = pair.meshes[side].triangles[face];
            let weight = self.known[side].winding[corners[0] as usize];
            if weight == 0 {
                continue;
            }
            let (triangle, first) = (face as u32, self.links.len() as u32);
            self.faces.push(Face { side, triangle, first });
            let [a, b, c] = corners.map(|c| self.corner(side, pair, c));
            // The third link would end where the fan begins.
            self.links.extend([Link { from: a, to: b, weight }, Link { from: b, to: c, weight }]);
        }
    }

    /// The number of a corner among the points.
    fn corner(&mut self, side: usize, pair: &Pair, corner: u32) -> u32 {
        let number = &mut self.known[side].number[corner as usize];
        if *number == u32::MAX {
            *number = self.points.len() as u32;
            self.points.push(pair.point(side, corner));
        }
        *number
    }

    /// Forgets what was known of these meshes.
    pub(super) fn forget(&mut self) {
        for known in &mut self.known {
            for corner in known.corners.drain(..) {
                known.winding[corner as usize] = UNKNOWN;
                known.number[corner as usize] = u32::MAX;
            }
            for face in known.faces.drain(..) {
                known.state[face as usize] = State::Unseen;
            }
        }
    }
}

impl Known {
    fn prepare(&mut self, corners: usize, faces: usize, components: usize) {
        if self.winding.len() < corners {
            self.winding.resize(corners, UNKNOWN);
            self.number.resize(corners, u32::MAX);
        }
        if self.state.len() < faces {
            self.state.resize(faces, State::Unseen);
        }
        self.components.clear();
        self.components.resize(components, false);
    }

    fn set(&mut self, corner: u32, winding: i32) {
        self.winding[corner as usize] = winding;
        self.corners.push(corner);
    }

    /// From a triangle with a corner that is known to all cut and inner triangles around it.
    fn spread(&mut self, mesh: &super::mesh::Mesh, face: u32, crossings: &[Crossing]) {
        self.visit(face);
        while let Some(face) = self.queue.pop() {
            let corners = mesh.triangles[face as usize];
            let edges = mesh.edges[face as usize];
            let Some(first) = (0..3).find(|k| self.winding[corners[*k] as usize] != UNKNOWN) else {
                continue;
            };
            for step in 0..2 {
                let k = (first + step) % 3;
                let (begin, end) = (corners[k], corners[(k + 1) % 3]);
                if self.winding[end as usize] == UNKNOWN {
                    let range = of_edge(crossings, edges[k]);
                    let sum: i32 = crossings[range].iter().map(|c| c.sign).sum();
                    let sum = if begin < end { sum } else { -sum };
                    self.set(end, self.winding[begin as usize] + sum);
                }
            }
            for k in 0..3 {
                let next = mesh.neighbours[face as usize][k];
                let inside = [corners[k], corners[(k + 1) % 3]]
                    .iter()
                    .any(|c| self.winding[*c as usize] != 0);
                if inside || self.state[next as usize] == State::Cut {
                    self.visit(next);
                }
            }
        }
    }

    fn visit(&mut self, face: u32) {
        match self.state[face as usize] {
            State::Unseen => {
                self.state[face as usize] = State::Done;
                self.faces.push(face);
                self.queue.push(face);
            }
            // Listed already.
            State::Cut => {
                self.state[face as usize] = State::CutDone;
                self.queue.push(face);
            }
            State::CutDone | State::Done => {}
        }
    }
}

/// The crossings on an edge.
fn of_edge(crossings: &[Crossing], edge: u32) -> std::ops::Range<usize> {
    let first = crossings.partition_point(|c| c.edge < edge);
    let count = crossings[first..].iter().take_while(|c| c.edge == edge).count();
    first..first + count
}

/// The number of a crossing among the points.
fn number(crossings: &[Vec<Crossing>; 2], end: End) -> Option<u32> {
    let list = &crossings[end.side];
    let at = of_edge(list, end.edge).find(|i| list[*i].face == end.face)?;
    Some((if end.side == 0 { at } else { crossings[0].len() + at }) as u32)
}
