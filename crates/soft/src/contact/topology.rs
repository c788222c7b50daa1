//! Faces, edges and vertices that can touch, each named once.

use std::collections::HashMap;
use std::ops::Range;

use glamx::DVec3;
use thiserror::Error;

use super::bvh::Bvh;
use asperity_geometry::collision::groups_touch;

/// Why contacts of deformables could not be set up.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ContactError {
    /// An index beyond the vertices of its mesh.
    #[error("mesh {mesh}: {what} {index} names vertex {vertex}; expected one within {range:?}")]
    Index {
        /// Which mesh.
        mesh: usize,
        /// `triangle`, `edge` or `point`.
        what: &'static str,
        /// Which of them.
        index: usize,
        /// The vertex it names.
        vertex: u32,
        /// The vertices of the mesh.
        range: Range<u32>,
    },
    /// A list of the wrong length.
    #[error("{what} has {found} entries; expected {expected}")]
    Length {
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// A law that gives before it slips, or drags beside the slip.
    #[error(
        "the friction law of a contact has a bias, a compliance or a drag, which only a general \
         solver takes; expected a set that scales with the load"
    )]
    Rheology,
    /// A number out of range.
    #[error("{what} is {value}; expected {expected}")]
    Value {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
}

/// The features of one body that can touch others: all indices are into the vertices of all
/// bodies together.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactMesh<'a> {
    /// The body's vertices.
    pub vertices: Range<u32>,
    /// Faces of the surface. Their edges and corners are features too.
    pub triangles: &'a [[u32; 3]],
    /// Edges that belong to no face: those of a rigid shape whose faces are an
    /// [`Obstacle`](super::Obstacle).
    pub edges: &'a [[u32; 2]],
    /// Vertices that belong to no face: corners of a rigid shape.
    pub points: &'a [u32],
    /// Whether the body can touch itself.
    pub self_contact: bool,
    /// Whether these are features of a rigid shape: they touch faces and edges of deformables, but
    /// neither obstacles nor each other.
    pub rigid: bool,
}

/// What can touch: faces, edges and vertices of all bodies, each named once.
///
/// A *primitive* is a face, a loose edge or a loose point. Every edge and every vertex is owned by
/// one primitive, so that one tree over primitives finds each pair of features exactly once.
#[derive(Debug, Clone, Default)]
pub struct Topology {
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) edges: Vec<[u32; 2]>,
    /// Faces at each edge, as primitives.
    pub(crate) edge_faces: Adjacency,
    /// The far ends of the edges at each vertex.
    pub(crate) neighbours: Adjacency,
    /// Vertices whose faces, all seen from the same side, close around them.
    pub(crate) closed_rings: Vec<bool>,
    pub(crate) body: Vec<u32>,
    /// Whether each body touches itself, and whether it is rigid.
    kinds: Vec<(bool, bool)>,
    /// Of each body; see [`groups_touch`].
    groups: Vec<u32>,
    surface: Vec<u32>,
    pub(crate) rest: Vec<DVec3>,
    flattened: usize,
}

/// A face, a loose edge (a, b, b) or a loose point (a, a, a).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Primitive {
    pub(crate) corners: [u32; 3],
    pub(crate) is_face: bool,
    /// Whether it owns its k-th corner.
    pub(crate) owns: [bool; 3],
    /// The edge from corner k to the next.
    pub(crate) edges: [u32; 3],
    /// Whether it owns its k-th edge.
    pub(crate) owns_edge: [bool; 3],
}

/// No edge.
pub(crate) const NONE: u32 = u32::MAX;

impl Topology {
    /// The features of these meshes over `vertex_count` vertices. A triangle that names a vertex
    /// twice counts as an edge; see [`Topology::flattened`].
    pub fn new(vertex_count: usize, meshes: &[ContactMesh]) -> Result<Topology, ContactError> {
        let mut topology = Topology {
            body: vec![NONE; vertex_count],
            kinds: meshes.iter().map(|m| (m.self_contact, m.rigid)).collect(),
            groups: vec![0; meshes.len()],
            ..Topology::default()
        };
        let mut known = Known { owned: vec![false; vertex_count], edges: HashMap::new() };
        for (k, mesh) in meshes.iter().enumerate() {
            check(k, mesh, vertex_count)?;
            for v in mesh.vertices.clone() {
                topology.body[v as usize] = k as u32;
            }
            for t in mesh.triangles {
                let flat = t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
                if flat {
                    topology.flattened += 1;
                    let other = if t[0] == t[1] { t[2] } else { t[1] };
                    topology.push(&mut known, [t[0], other, other], false);
                } else {
                    topology.push(&mut known, *t, true);
                }
            }
            for e in mesh.edges {
                topology.push(&mut known, [e[0], e[1], e[1]], false);
            }
            for &p in mesh.points {
                topology.push(&mut known, [p; 3], false);
            }
        }
        let faces = topology.primitives.iter().enumerate().filter(|(_, p)| p.is_face);
        let at_edges = faces.flat_map(|(i, p)| p.edges.map(|e| (e, i as u32)));
        topology.edge_faces = Adjacency::new(topology.edges.len(), at_edges);
        topology.closed_rings = topology.find_closed_rings();
        let rigid = |v: u32| meshes.get(topology.body[v as usize] as usize).is_none_or(|m| m.rigid);
        let owned = known.owned.iter().zip(0_u32..);
        topology.surface =
            owned.filter(|(owned, v)| **owned && !rigid(*v)).map(|(_, v)| v).collect();
        let ends = topology.edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]);
        topology.neighbours = Adjacency::new(vertex_count, ends);
        Ok(topology)
    }

    /// With the positions at rest: features of one body that are closer at rest than the
    /// thickness keep the distance they have there.
    pub fn with_rest(mut self, rest: &[DVec3]) -> Result<Topology, ContactError> {
        same_length("rest positions", rest.len(), self.vertex_count())?;
        self.rest = rest.to_vec();
        Ok(self)
    }

    /// With a group for each mesh. Meshes that share one above zero do not touch each other, nor do
    /// they touch obstacles of it ([`Obstacle::group`](super::Obstacle::group)).
    pub fn with_groups(mut self, groups: &[u32]) -> Result<Topology, ContactError> {
        same_length("groups of meshes", groups.len(), self.kinds.len())?;
        self.groups.copy_from_slice(groups);
        Ok(self)
    }

    /// The group of a vertex's mesh.
    #[inline]
    pub(crate) fn group_of(&self, vertex: u32) -> u32 {
        self.groups[self.body[vertex as usize] as usize]
    }

    /// Vertices of all bodies.
    pub fn vertex_count(&self) -> usize {
        self.body.len()
    }

    /// All edges, each once.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// All faces, with three different corners each.
    pub fn faces(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.primitives.iter().filter(|p| p.is_face).map(|p| p.corners)
    }

    /// Triangles that name a vertex twice and were taken as edges.
    pub fn flattened(&self) -> usize {
        self.flattened
    }

    /// Vertices of deformables that can touch something.
    pub fn surface_vertices(&self) -> &[u32] {
        &self.surface
    }

    /// Whether the bodies of two vertices may touch.
    #[inline]
    pub(crate) fn may_touch(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.body[a as usize] as usize, self.body[b as usize] as usize);
        if a == b {
            return self.kinds[a].0;
        }
        !(self.kinds[a].1 && self.kinds[b].1) && groups_touch(self.groups[a], self.groups[b])
    }

    /// For each primitive the kin that it never touches: its body, or all that is rigid.
    pub(crate) fn kin(&self) -> Vec<u32> {
        let of = |p: &Primitive| match self.kinds[self.body[p.corners[0] as usize] as usize] {
            (true, _) => Bvh::NO_KIN,
            (false, true) => self.kinds.len() as u32,
            (false, false) => self.body[p.corners[0] as usize],
        };
        self.primitives.iter().map(of).collect()
    }

    /// Whether any body touches itself.
    #[inline]
    pub(crate) fn any_touches_itself(&self) -> bool {
        self.kinds.iter().any(|(itself, _)| *itself)
    }

    /// Whether any body is rigid.
    pub(crate) fn any_is_rigid(&self) -> bool {
        self.kinds.iter().any(|(_, rigid)| *rigid)
    }

    /// Whether the body of a vertex is rigid.
    #[inline]
    pub(crate) fn is_rigid(&self, vertex: u32) -> bool {
        self.kinds[self.body[vertex as usize] as usize].1
    }

    /// Whether the body of a vertex touches itself.
    #[inline]
    pub(crate) fn touches_itself(&self, vertex: u32) -> bool {
        self.kinds[self.body[vertex as usize] as usize].0
    }

    /// Every spoke at the vertex must begin one face and end one. (Two rings at one vertex are
    /// told from one by the turns that they make.)
    fn find_closed_rings(&self) -> Vec<bool> {
        let mut spokes: Vec<HashMap<u32, [u8; 2]>> = vec![HashMap::new(); self.body.len()];
        for p in self.primitives.iter().filter(|p| p.is_face) {
            for k in 0..3 {
                let at = &mut spokes[p.corners[k] as usize];
                for (side, far) in [(k + 1) % 3, (k + 2) % 3].into_iter().enumerate() {
                    let count = &mut at.entry(p.corners[far]).or_default()[side];
                    *count = count.saturating_add(1);
                }
            }
        }
        spokes.iter().map(|at| at.len() >= 3 && at.values().all(|count| *count == [1, 1])).collect()
    }

    fn push(&mut self, known: &mut Known, corners: [u32; 3], is_face: bool) {
        let mut p = Primitive {
            corners,
            is_face,
            owns: [false; 3],
            edges: [NONE; 3],
            owns_edge: [false; 3],
        };
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            p.owns[k] = !std::mem::replace(&mut known.owned[a as usize], true);
            if a != b {
                let next = self.edges.len() as u32;
                let id = *known.edges.entry([a.min(b), a.max(b)]).or_insert(next);
                if id == next {
                    self.edges.push([a, b]);
                    p.owns_edge[k] = true;
                }
                p.edges[k] = id;
            }
        }
        self.primitives.push(p);
    }
}

struct Known {
    owned: Vec<bool>,
    edges: HashMap<[u32; 2], u32>,
}

fn check(k: usize, mesh: &ContactMesh, count: usize) -> Result<(), ContactError> {
    let range = mesh.vertices.clone();
    if range.end as usize > count || range.start > range.end {
        let expected = count;
        return Err(ContactError::Length {
            what: "vertices of a mesh",
            found: range.end as usize,
            expected,
        });
    }
    let bad = |what, index, vertex| ContactError::Index {
        mesh: k,
        what,
        index,
        vertex,
        range: range.clone(),
    };
    let find = |list: &[u32]| list.iter().copied().find(|v| !range.contains(v));
    for (i, t) in mesh.triangles.iter().enumerate() {
        if let Some(v) = find(t) {
            return Err(bad("triangle", i, v));
        }
    }
    for (i, e) in mesh.edges.iter().enumerate() {
        if let Some(v) = find(e) {
            return Err(bad("edge", i, v));
        }
    }
    match find(mesh.points) {
        Some(v) => Err(bad("point", mesh.points.iter().position(|p| *p == v).unwrap_or(0), v)),
        None => Ok(()),
    }
}

pub(crate) fn same_length(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), ContactError> {
    if found == expected { Ok(()) } else { Err(ContactError::Length { what, found, expected }) }
}

/// Lists of numbers, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Adjacency {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Adjacency {
    fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Adjacency {
        let mut start = vec![0_u32; count + 1];
        for (of, _) in pairs.clone() {
            start[of as usize + 1] += 1;
        }
        for i in 0..count {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut items = vec![0; start[count] as usize];
        for (of, item) in pairs {
            items[next[of as usize] as usize] = item;
            next[of as usize] += 1;
        }
        Adjacency { start, items }
    }

    #[inline]
    pub(crate) fn of(&self, i: u32) -> &[u32] {
        &self.items[self.start[i as usize] as usize..self.start[i as usize + 1] as usize]
    }
}
