//! Triangle meshes: a tree of triangles, and which normals each triangle may push along.
//!
//! A solid that slides over flat triangles must not catch on the edges between them. A triangle
//! pushes along its own normal, and beyond it only over an edge that is convex, up to the
//! neighbour's normal.

use std::collections::HashMap;
use std::sync::OnceLock;

use glamx::{DMat3, DPose3, DVec3};
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};

use super::mesh_corners::Corners;
use super::solid::Solid;
use crate::shape::MeshData;
use crate::volume::ClosedShape;

/// Triangles whose planes differ by less (radians) are one flat region.
const FLAT: f64 = 1e-9;
/// A normal that leans less than this over an edge does not lean.
pub(crate) const UPRIGHT: f64 = 1e-6;

/// A mesh or a height field, in body axes.
#[derive(Debug, Clone)]
pub(crate) struct TriangleMesh {
    pub(crate) positions: Vec<DVec3>,
    pub(crate) triangles: Vec<Triangle>,
    /// Positions of each flat region, but for large ones; by the number of the region.
    regions: HashMap<u32, Vec<u32>>,
    /// The box around a mesh that has no end, which nothing is within that is beside it; body axes.
    around: Option<[DVec3; 2]>,
    tree: Bvh,
    corners: Corners,
    /// Whether it is a height field.
    heights: bool,
    /// What it encloses, once another mesh came near; nothing where it is open.
    closed: OnceLock<Option<Box<ClosedShape>>>,
}

/// A mesh at a pose, with the rotation as a matrix.
#[derive(Clone, Copy)]
pub(crate) struct PlacedMesh<'a> {
    pub(crate) mesh: &'a TriangleMesh,
    pub(crate) pose: &'a DPose3,
    turn: DMat3,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub(crate) corners: [u32; 3],
    pub(crate) normal: DVec3,
    /// The first triangle of its flat region.
    pub(crate) region: u32,
    edges: [Border; 3],
    /// Whether it answers for each of its corners, see [`share_corners`].
    answers: [bool; 3],
}

/// What lies beyond an edge.
#[derive(Debug, Clone, Copy)]
enum Border {
    /// Nothing.
    Open,
    /// A triangle in the same plane or above it.
    Smooth,
    /// A triangle that falls away: the direction in it away from the edge. The one with the lower
    /// number answers for the edge.
    Convex { into: DVec3, mine: bool },
}

/// The rules of one triangle, in the world.
pub(crate) struct Weld<'a> {
    normal: DVec3,
    /// Out of the triangle across each edge, in its plane.
    outward: [DVec3; 3],
    edges: [Border; 3],
    of: &'a PlacedMesh<'a>,
    triangle: &'a Triangle,
}

/// What a triangle makes of a normal.
pub(crate) enum Lean {
    /// It is the triangle's to push along.
    Within,
    /// The triangle's own normal instead.
    Flat(DVec3),
    /// Another triangle's.
    Elsewhere,
}

impl TriangleMesh {
    pub(crate) fn new(mesh: &MeshData) -> TriangleMesh {
        let weld = mesh.welded();
        let at = |i: u32| mesh.positions[i as usize];
        let mut across: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
        for (t, c) in mesh.triangles.iter().enumerate() {
            for k in 0..3 {
                let edge = (weld[c[k] as usize], weld[c[(k + 1) % 3] as usize]);
                across.entry(edge).or_default().push(t as u32);
            }
        }
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(at);
            (b - a).cross(c - a).normalize()
        };
        let normals: Vec<DVec3> = mesh.triangles.iter().map(normal).collect();
        let mut region: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
        let mut triangles = Vec::with_capacity(mesh.triangles.len());
        for (t, &corners) in mesh.triangles.iter().enumerate() {
            let edges = [0, 1, 2].map(|k| {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                let reverse = (weld[to as usize], weld[from as usize]);
                let forward = (reverse.1, reverse.0);
                let alone = across[&forward].len() == 1;
                match across.get(&reverse).map(Vec::as_slice) {
                    Some(&[other]) if alone => {
                        let n = normals[other as usize];
                        let along = (at(to) - at(from)).normalize();
                        // From the edge into the neighbour, whose edge runs the other way.
                        let into = along.cross(n);
                        let rise = into.dot(normals[t]);
                        if rise.abs() <= FLAT && n.dot(normals[t]) < 0.0 {
                            // The other face of a sheet.
                            Border::Open
                        } else if rise >= -FLAT {
                            if rise <= FLAT {
                                unite(&mut region, t as u32, other);
                            }
                            Border::Smooth
                        } else {
                            Border::Convex { into, mine: (t as u32) < other }
                        }
                    }
                    _ => Border::Open,
                }
            });
            let answers = [false; 3];
            triangles.push(Triangle { corners, normal: normals[t], region: 0, edges, answers });
        }
        for t in 0..triangles.len() {
            triangles[t].region = root(&mut region, t as u32);
        }
        let boxes = mesh.triangles.iter().map(|c| {
            let [a, b, c] = c.map(at);
            Aabb::new(a.min(b).min(c), a.max(b).max(c))
        });
        let boxes: Vec<Aabb> = boxes.collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let corners = Corners::new(mesh, &weld);
        share_corners(&mut triangles, &weld);
        let closed = OnceLock::new();
        let positions = mesh.positions.clone();
        let regions = corners_of_regions(&triangles);
        let is_open = |t: &Triangle| t.edges.iter().any(|e| matches!(e, Border::Open));
        let wider = |[low, high]: [DVec3; 2], p: &DVec3| [low.min(*p), high.max(*p)];
        let bounds = positions.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], wider);
        let around = (!triangles.iter().any(is_open)).then_some(bounds);
        TriangleMesh {
            positions,
            triangles,
            regions,
            around,
            tree,
            corners,
            heights: false,
            closed,
        }
    }

    /// The triangles of a height field, below which is a solid.
    pub(crate) fn heights(mesh: &MeshData) -> TriangleMesh {
        TriangleMesh { heights: true, ..TriangleMesh::new(mesh) }
    }

    /// What the mesh encloses; nothing where it is open or inside out.
    pub(crate) fn closed(&self) -> Option<&ClosedShape> {
        let make = || {
            let corners: Vec<[u32; 3]> = self.triangles.iter().map(|t| t.corners).collect();
            ClosedShape::of_triangles(&self.positions, &corners, self.heights).ok().map(Box::new)
        };
        self.closed.get_or_init(make).as_deref()
    }

    pub(crate) fn bounds(&self, pose: &DPose3) -> [DVec3; 2] {
        let start = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        self.positions.iter().fold(start, |[low, high], p| {
            let p = pose.transform_point(*p);
            [low.min(p), high.max(p)]
        })
    }

    /// Triangles whose boxes meet a box in body axes, in an order that depends on the mesh alone.
    pub(crate) fn each_near(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(u32)) {
        self.tree.intersect_aabb(&Aabb::new(low, high)).for_each(&mut visit);
    }

    /// The corners of a triangle, world.
    pub(crate) fn corners(&self, triangle: u32, pose: &DPose3) -> [DVec3; 3] {
        let corners = self.triangles[triangle as usize].corners;
        corners.map(|c| pose.transform_point(self.positions[c as usize]))
    }
}

impl PlacedMesh<'_> {
    pub(crate) fn new<'a>(mesh: &'a TriangleMesh, pose: &'a DPose3) -> PlacedMesh<'a> {
        PlacedMesh { mesh, pose, turn: DMat3::from_quat(pose.rotation) }
    }

    /// Triangles whose boxes come within `limit` of a solid, in ascending order.
    pub(crate) fn near(&self, b: &Solid, limit: f64, out: &mut Vec<u32>) {
        let turn = &self.turn;
        let high = |n: DVec3| b.core_max(n) - n.dot(self.pose.translation) + b.radius + limit;
        let max = DVec3::new(high(turn.x_axis), high(turn.y_axis), high(turn.z_axis));
        let min = -DVec3::new(high(-turn.x_axis), high(-turn.y_axis), high(-turn.z_axis));
        out.clear();
        self.mesh.each_near(min, max, |t| out.push(t));
        out.sort_unstable();
    }

    /// Whether a point may be within the mesh, or no farther than `reach` from it.
    pub(crate) fn may_hold(&self, point: DVec3, reach: f64) -> bool {
        self.mesh.around.is_none_or(|[low, high]| {
            let at = self.pose.inverse_transform_point(point);
            (low - reach).cmple(at).all() && at.cmple(high + reach).all()
        })
    }

    /// Whether the flat region of a triangle with these corners goes no farther along a direction than they do.
    pub(crate) fn ends_at(&self, triangle: u32, corners: [DVec3; 3], direction: DVec3) -> bool {
        let region = self.mesh.triangles[triangle as usize].region;
        let Some(all) = self.mesh.regions.get(&region) else { return false };
        let own = corners.map(|c| direction.dot(c)).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let size = corners[0].distance(corners[1]).max(corners[0].distance(corners[2]));
        let at = |p: &u32| self.pose.transform_point(self.mesh.positions[*p as usize]);
        all.iter().all(|p| direction.dot(at(p)) <= own + UPRIGHT * size)
    }

    /// The normal of a triangle, world.
    pub(crate) fn normal(&self, triangle: u32) -> DVec3 {
        (self.turn * self.mesh.triangles[triangle as usize].normal).normalize()
    }

    /// The rules of a triangle with these corners in the world.
    pub(crate) fn weld(&self, triangle: u32, corners: [DVec3; 3]) -> Weld<'_> {
        let (t, turn) = (&self.mesh.triangles[triangle as usize], self.turn);
        let normal = self.normal(triangle);
        let outward = [0, 1, 2]
            .map(|k| (corners[(k + 1) % 3] - corners[k]).cross(normal).normalize_or_zero());
        let edges = t.edges.map(|e| match e {
            Border::Convex { into, mine } => Border::Convex { into: turn * into, mine },
            other => other,
        });
        Weld { normal, outward, edges, of: self, triangle: t }
    }
}

impl Weld<'_> {
    pub(crate) fn normal(&self) -> DVec3 {
        self.normal
    }

    /// Whether it may push along another normal than its own.
    pub(crate) fn has_free_edge(&self) -> bool {
        !self.edges.iter().all(|e| matches!(e, Border::Smooth))
            || self.triangle.answers.contains(&true)
    }

    /// Whether it answers for an edge that falls away, or for one where the mesh ends.
    pub(crate) fn has_own_edge(&self) -> bool {
        let own = |e: &Border| matches!(e, Border::Open | Border::Convex { mine: true, .. });
        self.edges.iter().any(own)
    }

    /// Whether the mesh has an end in a direction.
    pub(crate) fn ends_towards(&self, direction: DVec3) -> bool {
        let mut sides = self.edges.iter().zip(&self.outward);
        sides.any(|(edge, outward)| matches!(edge, Border::Open) && direction.dot(*outward) > 0.0)
    }

    /// How far a normal leans over each edge: over one beyond an edge, over the two of a corner beyond that. Beyond an
    /// edge of an obtuse triangle it may point away from another one, too, and does not lean over that.
    fn leans_over(&self, n: DVec3) -> [f64; 3] {
        let mut over = [0.0; 3];
        let aside = n - self.normal * n.dot(self.normal);
        let turn = |a: DVec3, b: DVec3| self.normal.dot(a.cross(b));
        for k in 0..3 {
            let next = (k + 1) % 3;
            let [first, second] = [k, next].map(|k| self.outward[k]);
            let parts = [turn(aside, second), turn(first, aside)];
            let whole = turn(first, second);
            if whole > 0.0 && parts.iter().all(|part| *part >= -UPRIGHT * UPRIGHT) {
                (over[k], over[next]) = (parts[0] / whole, parts[1] / whole);
                break;
            }
        }
        over
    }

    /// Whether a normal leans over a corner, no edge from there rises above the plane across the normal, and it is this
    /// triangle that answers for that. Neighbours over single edges do not say so: beside an acute corner one may rise
    /// across the edge and yet fall away from the corner, and edges that fall away may lie beside one in a hollow.
    fn answers_for_corner(&self, n: DVec3, over: &[f64; 3]) -> bool {
        // Edge k goes from corner k to the next: the corner between edges k and k + 1 is the latter's first.
        let corner = (0..3).find(|k| over[(k + 2) % 3] > UPRIGHT && over[*k] > UPRIGHT);
        let Some(k) = corner.filter(|k| self.triangle.answers[*k]) else { return false };
        let mesh = self.of.mesh;
        let n = self.of.turn.transpose() * n;
        mesh.corners.falls_away(&mesh.positions, self.triangle.corners[k], n)
    }

    pub(crate) fn lean(&self, n: DVec3) -> Lean {
        if n.dot(self.normal) < -UPRIGHT {
            return Lean::Elsewhere;
        }
        let over = self.leans_over(n);
        if self.answers_for_corner(n, &over) {
            return Lean::Within;
        }
        let mut answer = Lean::Within;
        for (edge, over) in self.edges.iter().zip(over) {
            if over <= UPRIGHT {
                continue;
            }
            match edge {
                Border::Open => {}
                Border::Smooth => answer = Lean::Flat(self.normal),
                Border::Convex { into, mine } => {
                    if !mine || n.dot(*into) > -UPRIGHT {
                        return Lean::Elsewhere;
                    }
                }
            }
        }
        answer
    }
}

/// Lets the triangle of the lowest number answer for a corner from which an edge falls away.
fn share_corners(triangles: &mut [Triangle], weld: &[u32]) {
    let at = |triangle: &Triangle, k: usize| weld[triangle.corners[k % 3] as usize] as usize;
    let mut free = vec![false; weld.len()];
    for triangle in triangles.iter() {
        for (k, edge) in triangle.edges.iter().enumerate() {
            if matches!(edge, Border::Convex { .. }) {
                (free[at(triangle, k)], free[at(triangle, k + 1)]) = (true, true);
            }
        }
    }
    for triangle in triangles {
        triangle.answers = [0, 1, 2].map(|k| std::mem::take(&mut free[at(triangle, k)]));
    }
}

/// Positions of regions of at most [`SMALL`] of them.
fn corners_of_regions(triangles: &[Triangle]) -> HashMap<u32, Vec<u32>> {
    let mut regions: HashMap<u32, Vec<u32>> = HashMap::new();
    for triangle in triangles {
        regions.entry(triangle.region).or_default().extend(triangle.corners);
    }
    for corners in regions.values_mut() {
        corners.sort_unstable();
        corners.dedup();
    }
    regions.retain(|_, corners| corners.len() <= SMALL);
    regions
}

/// Regions that are looked at corner by corner have no more of them.
const SMALL: usize = 512;

fn root(of: &mut [u32], mut i: u32) -> u32 {
    while of[i as usize] != i {
        of[i as usize] = of[of[i as usize] as usize];
        i = of[i as usize];
    }
    i
}

/// Joins two regions under the lower number.
fn unite(of: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(of, a), root(of, b));
    of[a.max(b) as usize] = a.min(b);
}
