//! How far surfaces of soft bodies are within the distance that they keep from each other, from themselves and from
//! rigid bodies, where all of them are now.

use asperity_soft::contact::{Aabb, Crossing, Detector, Obstacle};
use glamx::DVec3;

use super::obstacle::{RigidMotion, RigidObstacle};
use super::{Soft, SoftBodies};
use crate::audit::{SoftOverlap, Touched};
use crate::body::Body;
use crate::world::World;

impl World {
    /// How many triangles of soft bodies are crossed by edges: none if nothing passed through.
    pub fn soft_crossings(&mut self) -> usize {
        if self.softs.place_now(&self.bodies).is_none() {
            return 0;
        }
        let SoftBodies { stage, positions, .. } = &mut self.softs;
        let Some(stage) = stage else { return 0 };
        stage.detector.crossings(positions).unwrap_or(usize::MAX)
    }
}

impl SoftBodies {
    /// The deepest of all overlaps, if any surfaces are nearer than half the distance that they keep. What pins hold
    /// is where its author put it, and does not count.
    pub(crate) fn worst_overlap(&mut self, bodies: &[Body]) -> Option<SoftOverlap> {
        self.place_now(bodies)?;
        let found = [self.near_meshes(bodies), self.through_meshes(bodies), self.in_rigid(bodies)];
        let worse = |a: SoftOverlap, b: SoftOverlap| if b.depth > a.depth { b } else { a };
        found.into_iter().flatten().reduce(worse)
    }

    /// Puts all vertices, those of rigid features too, where they are now; nothing where there are no contacts.
    fn place_now(&mut self, bodies: &[Body]) -> Option<()> {
        self.stage.as_ref()?;
        for soft in &self.list {
            self.positions[soft.first..soft.first + soft.body.positions.len()]
                .copy_from_slice(&soft.body.positions);
        }
        let first: usize = self.list.iter().map(|s| s.body.positions.len()).sum();
        for (position, now) in self.positions[first..].iter_mut().zip(self.features.now(bodies)) {
            *position = now;
        }
        Some(())
    }

    /// Among features of meshes that touched in the step.
    fn near_meshes(&self, bodies: &[Body]) -> Option<SoftOverlap> {
        let contacts = &self.stage.as_ref()?.contacts().list;
        let several = contacts.iter().filter(|c| c.count > 1);
        let depths = several.map(|c| {
            let kept = c.normal.dot(c.offset) - c.gap;
            (kept - c.combine(&self.positions).length(), [c.vertices[0], c.vertices[3]])
        });
        let least = LEAST * self.stage.as_ref()?.detector.thickness();
        let counts = |(depth, sides): &(f64, [u32; 2])| {
            *depth > least && sides.iter().any(|v| self.inverse_masses[*v as usize] > 0.0)
        };
        let (depth, sides) = depths.filter(counts).reduce(|a, b| if b.0 > a.0 { b } else { a })?;
        self.overlap(bodies, sides, depth)
    }

    /// Among edges that cut faces.
    fn through_meshes(&mut self, bodies: &[Body]) -> Option<SoftOverlap> {
        let Self { stage, positions, list, .. } = self;
        let detector = &mut stage.as_mut()?.detector;
        let pinned = |v: &u32| {
            let of = |s: &&Soft| (s.first..s.first + s.body.pinned.len()).contains(&(*v as usize));
            list.iter()
                .find(of)
                .is_some_and(|s| s.body.pinned[*v as usize - s.first] || s.body.stopped().is_some())
        };
        let thickness = detector.thickness();
        let counts = |c: &Crossing| {
            c.depth > ROUNDING * thickness && !c.edge.iter().chain(&c.face).any(pinned)
        };
        let crossing = detector.deepest_crossing(positions, counts).ok()??;
        self.overlap(bodies, [crossing.edge[0], crossing.face[0]], thickness + crossing.depth)
    }

    /// Of these two vertices' bodies.
    fn overlap(&self, bodies: &[Body], sides: [u32; 2], depth: f64) -> Option<SoftOverlap> {
        let thickness = self.stage.as_ref()?.detector.thickness();
        let of = |v: u32| {
            let soft = self.list.iter().position(|s| (v as usize) < s.range().end);
            soft.map_or_else(
                || {
                    let first = self.list.last().map_or(0, |s| s.range().end);
                    let body = self.features.bodies().nth(v as usize - first);
                    Touched::Rigid(body.unwrap_or(bodies.len()))
                },
                Touched::Soft,
            )
        };
        let [a, b] = sides.map(of);
        match (a, b) {
            (Touched::Soft(soft), other) | (other, Touched::Soft(soft)) => {
                Some(SoftOverlap { soft, other, depth, thickness })
            }
            (Touched::Rigid(_), Touched::Rigid(_)) => None,
        }
    }

    /// Of vertices and edges with rigid shapes.
    fn in_rigid(&self, bodies: &[Body]) -> Option<SoftOverlap> {
        let detector = &self.stage.as_ref()?.detector;
        let thickness = detector.thickness();
        let mut search = Search { least: (1.0 - LEAST) * thickness, distances: Vec::new() };
        let mut worst = None;
        for (k, body) in bodies.iter().enumerate() {
            let Some(solid) = self.solids.get(k).and_then(Option::as_ref) else { continue };
            let still = RigidMotion::new(body, body.pose, DVec3::ZERO, DVec3::ZERO);
            let Some(shape) = RigidObstacle::new(solid, still, body.desc.group) else { continue };
            let bounds = shape.aabb().grown(thickness);
            for (soft, s) in self.list.iter().enumerate() {
                let around = Aabb::around(s.body.positions.iter().copied());
                let touch = s.can_touch(body.desc.group) && s.body.stopped().is_none();
                if touch && around.overlaps(&bounds) && search.look(s, detector, &shape, &bounds) {
                    let depth = thickness - search.least;
                    let other = Touched::Rigid(k);
                    worst = Some(SoftOverlap { soft, other, depth, thickness });
                }
            }
        }
        worst
    }
}

/// A search for the point of soft surfaces that is deepest in rigid shapes.
struct Search {
    /// The least signed distance so far.
    least: f64,
    /// Of each vertex of a body.
    distances: Vec<f64>,
}

impl Search {
    /// Looks at a soft body and a shape; whether anything is deeper than what was known.
    fn look(
        &mut self,
        s: &Soft,
        detector: &Detector,
        shape: &RigidObstacle,
        bounds: &Aabb,
    ) -> bool {
        let before = self.least;
        let x = &s.body.positions;
        self.distances.clear();
        self.distances.extend(x.iter().map(|x| {
            let inside = x.cmpge(bounds.min).all() && x.cmple(bounds.max).all();
            if inside { shape.distance(*x).0 } else { f64::INFINITY }
        }));
        let free = |v: usize| !s.body.pinned[v];
        for t in &s.body.triangles {
            for v in t.map(|v| v as usize).into_iter().filter(|v| free(*v)) {
                self.least = self.least.min(self.distances[v]);
            }
        }
        let range = s.first..s.first + x.len();
        for edge in detector.topology().edges() {
            let [a, b] = edge.map(|v| (v as usize).wrapping_sub(s.first));
            let own = edge.iter().all(|v| range.contains(&(*v as usize)));
            if own && free(a) && free(b) && Aabb::around([x[a], x[b]]).overlaps(bounds) {
                let ends = [a, b].map(|v| match self.distances[v] {
                    d if d.is_finite() => d,
                    _ => shape.distance(x[v]).0,
                });
                self.halve(shape, [x[a], x[b]], ends, HALVINGS);
            }
        }
        self.least < before
    }

    /// Looks at the middle of a piece of an edge, and at both halves, as long as distances at the ends, which change
    /// no faster than places, leave room for less than is known.
    fn halve(&mut self, shape: &RigidObstacle, ends: [DVec3; 2], distances: [f64; 2], left: u32) {
        let length = ends[0].distance(ends[1]);
        if left == 0 || !(0.5 * (distances[0] + distances[1] - length) < self.least) {
            return;
        }
        let middle = ends[0].midpoint(ends[1]);
        let distance = shape.distance(middle).0;
        self.least = self.least.min(distance);
        for (end, there) in ends.into_iter().zip(distances) {
            self.halve(shape, [end, middle], [there, distance], left - 1);
        }
    }
}

/// Part of the distance kept from which on an overlap is looked at.
const LEAST: f64 = 0.5;

/// Part of the distance kept up to which a crossing is rounding, as between the faces of a flat sheet.
const ROUNDING: f64 = 1e-6;

/// How often an edge is halved at most.
const HALVINGS: u32 = 6;
