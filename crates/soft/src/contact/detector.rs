//! Which vertices and faces, and which edges, are within a thickness of each other.

use glamx::DVec3;

use super::bvh::{Aabb, Bvh, Found};
use super::closest_points::{Region, point_triangle, segments};
use super::contact_list::{Contacts, NO_SURFACE, SoftContact};
use super::impact_times::Impact;
use super::known_gaps::KnownGaps;
use super::rings::{Rings, stay_apart};
use super::topology::{ContactError, Primitive, Topology, same_length};

/// Finds what is near, within a mesh and between meshes. Keeps its memory.
#[derive(Debug, Clone)]
pub struct Detector {
    pub(crate) topology: Topology,
    pub(crate) thickness: f64,
    pub(crate) tree: Bvh,
    boxes: Vec<Aabb>,
    active: Vec<bool>,
    pub(crate) rings: Rings,
    found: Vec<Found<SoftContact>>,
    pub(crate) impacts: Vec<Found<Impact>>,
    pub(crate) ends: Vec<DVec3>,
    pub(crate) gaps: KnownGaps,
}

/// Where the vertices are and how they move. Lengths are those of the topology.
#[derive(Debug, Clone, Copy)]
pub struct Motion<'a> {
    /// Metres, when the step begins.
    pub positions: &'a [DVec3],
    /// Over the step, m/s.
    pub velocities: &'a [DVec3],
    /// Length of the step, seconds.
    pub dt: f64,
}

impl Motion<'_> {
    #[inline]
    pub(crate) fn start(&self, v: u32) -> DVec3 {
        self.positions[v as usize]
    }

    #[inline]
    pub(crate) fn end(&self, v: u32) -> DVec3 {
        self.positions[v as usize] + self.velocities[v as usize] * self.dt
    }

    pub(crate) fn check(&self, count: usize) -> Result<(), ContactError> {
        same_length("positions", self.positions.len(), count)?;
        same_length("velocities", self.velocities.len(), count)?;
        if self.dt >= 0.0 && self.dt.is_finite() {
            return Ok(());
        }
        let expected = "a finite time, zero or more";
        Err(ContactError::Value { what: "time step", value: self.dt, expected })
    }
}

impl Detector {
    /// Surfaces keep a distance of `thickness` metres.
    pub fn new(topology: Topology, thickness: f64) -> Result<Detector, ContactError> {
        if !(thickness > 0.0 && thickness.is_finite()) {
            let expected = "a finite length above zero";
            return Err(ContactError::Value { what: "thickness", value: thickness, expected });
        }
        Ok(Detector {
            tree: Bvh::of_kin(topology.kin()),
            topology,
            thickness,
            boxes: Vec::new(),
            active: Vec::new(),
            rings: Rings::default(),
            found: Vec::new(),
            impacts: Vec::new(),
            ends: Vec::new(),
            gaps: KnownGaps::default(),
        })
    }

    /// The topology.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The distance that surfaces keep, metres.
    pub fn thickness(&self) -> f64 {
        self.thickness
    }

    /// Adds the contacts between features of meshes: those nearer than the thickness, or nearer
    /// than twice the thickness and closing to less than it within the step.
    pub fn find(&mut self, motion: &Motion, out: &mut Contacts) -> Result<(), ContactError> {
        self.search_meshes(motion, false, out)
    }

    /// Adds what features of meshes and those of rigid shapes, or of one mesh, are nearer than twice
    /// the thickness, whether or not they close.
    pub(super) fn find_near(
        &mut self,
        motion: &Motion,
        out: &mut Contacts,
    ) -> Result<(), ContactError> {
        if self.topology.any_is_rigid() || self.topology.any_touches_itself() {
            self.search_meshes(motion, true, out)?;
        }
        Ok(())
    }

    /// Contacts of meshes; or, `ahead`, all that may become one of a mesh with itself or a rigid
    /// shape.
    fn search_meshes(
        &mut self,
        motion: &Motion,
        ahead: bool,
        out: &mut Contacts,
    ) -> Result<(), ContactError> {
        motion.check(self.topology.vertex_count())?;
        let margin = 0.5 * self.thickness * REACH;
        if self.are_all_apart(motion, margin) {
            return Ok(());
        }
        out.left_out += self.refit(motion, None, margin, None);
        let mut found = std::mem::take(&mut self.found);
        let (topology, rings) = (&self.topology, &self.rings);
        let near = Near { topology, rings, motion, thickness: self.thickness, ahead };
        self.tree.self_overlaps(&mut found, |a, b, list| near.primitives(a, b, list));
        let first = out.list.len();
        for piece in &found {
            out.list.extend_from_slice(&piece.items);
        }
        // The tree's own order depends on where things were when it was made.
        out.list[first..].sort_by_key(|c| (c.split, c.vertices));
        self.found = found;
        Ok(())
    }

    /// Fits the tree to the motion, over the whole step (`ends`) or to its beginning; returns how
    /// many primitives have numbers that are not finite. Primitives with an `active` vertex are
    /// to be tested; none given means all.
    pub(crate) fn refit(
        &mut self,
        motion: &Motion,
        ends: Option<&[DVec3]>,
        margin: f64,
        active: Option<&[bool]>,
    ) -> usize {
        let mut left_out = 0;
        self.boxes.clear();
        for p in &self.topology.primitives {
            let start = p.corners.map(|v| motion.start(v));
            let mut b = Aabb::around(start);
            let mut finite = p.corners.iter().all(|v| {
                motion.start(*v).is_finite() && motion.velocities[*v as usize].is_finite()
            });
            if let Some(ends) = ends {
                let end = p.corners.map(|v| ends[v as usize]);
                b = b.merged(Aabb::around(end));
                finite &= b.min.is_finite() && b.max.is_finite();
            }
            left_out += usize::from(!finite);
            self.boxes.push(if finite { b.grown(margin) } else { Aabb::EMPTY });
        }
        self.tree.refit(&self.boxes);
        self.rings.update(&self.topology, motion.positions, ends);
        self.active.clear();
        if let Some(active) = active {
            let any = |p: &Primitive| p.corners.iter().any(|v| active[*v as usize]);
            self.active.extend(self.topology.primitives.iter().map(any));
        }
        self.tree.mark(active.map(|_| self.active.as_slice()));
        left_out
    }
}

/// Surfaces are looked at up to this many thicknesses apart.
const REACH: f64 = 2.0;

/// Contacts within this part of the thickness count even where nothing closes.
const RESTING: f64 = 0.1;

/// How far, as a cosine, a direction may lean into a face that begins at an edge and still count
/// as that edge's.
const LEAN: f64 = 1e-3;

struct Near<'a> {
    topology: &'a Topology,
    rings: &'a Rings,
    motion: &'a Motion<'a>,
    thickness: f64,
    /// Whether only features of one mesh and rigid ones count, and these however they move.
    ahead: bool,
}

impl Near<'_> {
    fn primitives(&self, a: u32, b: u32, list: &mut Vec<SoftContact>) {
        // Whichever the tree comes upon first.
        let (a, b) = (a.min(b) as usize, a.max(b) as usize);
        let (p, q) = (&self.topology.primitives[a], &self.topology.primitives[b]);
        let rigid = |p: &Primitive| self.topology.is_rigid(p.corners[0]);
        let [of_p, of_q] = [p, q].map(|p| self.topology.body[p.corners[0] as usize]);
        if (self.ahead && of_p != of_q && !rigid(p) && !rigid(q))
            || !self.topology.may_touch(p.corners[0], q.corners[0])
            || self.rings.part(p, q)
            || stay_apart(p, q, self.motion.positions, self.motion.positions)
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
                    self.edge_edge(p.edges[i], q.edges[j], list);
                }
            }
        }
    }

    fn vertex_face(&self, v: u32, face: &Primitive, list: &mut Vec<SoftContact>) {
        let p = self.motion.start(v);
        let corners = face.corners.map(|c| self.motion.start(c));
        let reach = REACH * self.thickness;
        let bounds = Aabb::around(corners).grown(reach);
        if !(p.cmpge(bounds.min).all() && p.cmple(bounds.max).all()) {
            return;
        }
        let (bary, region) = point_triangle(p, corners);
        let foot = corners[0] * bary[0] + corners[1] * bary[1] + corners[2] * bary[2];
        let offset = p - foot;
        if !(offset.length_squared() < reach * reach) || !self.nearest(face, region, foot, offset) {
            return;
        }
        let [a, b, c] = face.corners;
        let weights = [-bary[0], -bary[1], -bary[2], 1.0];
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let stencil = Stencil { vertices: [a, b, c, v], weights, split: 3 };
        self.push(&stencil, offset, normal, list);
    }

    /// Whether the foot is nearest to the point also among the faces beside this one, and this
    /// face is the one to say so.
    fn nearest(&self, face: &Primitive, region: Region, foot: DVec3, offset: DVec3) -> bool {
        match region {
            Region::Face => true,
            Region::Edge(k) => face.owns_edge[k] && self.beyond_faces(face.edges[k], foot, offset),
            Region::Corner(k) => {
                let corner = face.corners[k];
                let at = self.motion.start(corner);
                let neighbours = self.topology.neighbours.of(corner);
                // Faces would do, but edges are as good: a face's least distance is at its edges.
                face.owns[k]
                    && neighbours.iter().all(|n| {
                        let d = self.motion.start(*n) - at;
                        offset.dot(d) <= LEAN * offset.length() * d.length()
                    })
            }
        }
    }

    /// Whether a direction from a point of an edge leans into none of the faces at the edge.
    fn beyond_faces(&self, edge: u32, foot: DVec3, direction: DVec3) -> bool {
        let [a, b] = self.topology.edges[edge as usize];
        let (start, end) = (self.motion.start(a), self.motion.start(b));
        let along = (end - start).normalize_or_zero();
        self.topology.edge_faces.of(edge).iter().all(|f| {
            let corners = self.topology.primitives[*f as usize].corners;
            let Some(third) = corners.into_iter().find(|c| *c != a && *c != b) else { return true };
            let inward = self.motion.start(third) - foot;
            let inward = inward - along * along.dot(inward);
            direction.dot(inward) <= LEAN * direction.length() * inward.length()
        })
    }

    fn edge_edge(&self, e: u32, f: u32, list: &mut Vec<SoftContact>) {
        let ([a, b], [c, d]) = (self.topology.edges[e as usize], self.topology.edges[f as usize]);
        if a == c || a == d || b == c || b == d {
            return;
        }
        let [pa, pb, pc, pd] = [a, b, c, d].map(|v| self.motion.start(v));
        let reach = REACH * self.thickness;
        if !Aabb::around([pa, pb]).grown(reach).overlaps(&Aabb::around([pc, pd])) {
            return;
        }
        let (s, t) = segments([pa, pb], [pc, pd]);
        // At an end it is a vertex and a face.
        if !(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) {
            return;
        }
        let (foot, head) = (pa + (pb - pa) * s, pc + (pd - pc) * t);
        let offset = head - foot;
        if !(offset.length_squared() < reach * reach)
            || !self.beyond_faces(e, foot, offset)
            || !self.beyond_faces(f, head, -offset)
        {
            return;
        }
        let normal = (pb - pa).cross(pd - pc);
        let weights = [s - 1.0, -s, 1.0 - t, t];
        let stencil = Stencil { vertices: [a, b, c, d], weights, split: 2 };
        self.push(&stencil, offset, normal, list);
    }

    fn push(&self, stencil: &Stencil, offset: DVec3, fallback: DVec3, list: &mut Vec<SoftContact>) {
        let Stencil { vertices, weights, split } = *stencil;
        let distance = offset.length();
        let mut c = SoftContact {
            vertices,
            weights,
            split,
            count: 4,
            normal: offset / distance,
            gap: 0.0,
            offset,
            surface: NO_SURFACE,
        };
        let thickness = kept_distance(self.topology, &c, self.thickness);
        c.gap = distance - thickness;
        let slip = c.combine(self.motion.velocities);
        if !(distance > TOUCHING * self.thickness) {
            // No direction to be had: the normal of the face or of both edges, against the
            // approach.
            let n = fallback.normalize_or_zero();
            c.normal = if n.dot(slip) > 0.0 { -n } else { n };
        }
        if c.normal != DVec3::ZERO && (self.ahead || touches(&c, slip, thickness, self.motion.dt)) {
            list.push(c);
        }
    }
}

/// The distance that the two sides of a contact between meshes keep: the thickness, or, of one body,
/// less where they are closer at rest.
pub(super) fn kept_distance(topology: &Topology, c: &SoftContact, thickness: f64) -> f64 {
    let (first, last) = (c.vertices[0] as usize, c.vertices[3] as usize);
    if topology.rest.is_empty() || topology.body[first] != topology.body[last] {
        return thickness;
    }
    thickness.min(REST * c.combine(&topology.rest).length())
}

/// Whether what has this slip is near, or comes within the thickness in the step.
pub(super) fn touches(c: &SoftContact, slip: DVec3, thickness: f64, dt: f64) -> bool {
    c.gap < RESTING * thickness || c.gap + dt * slip.dot(c.normal) < 0.0
}

/// The four vertices of a contact between meshes, as in [`SoftContact`].
struct Stencil {
    vertices: [u32; 4],
    weights: [f64; 4],
    split: u8,
}

/// Part of the thickness at which two points count as one.
const TOUCHING: f64 = 1e-9;

/// Part of the distance at rest that features of one body keep.
const REST: f64 = 0.9;
