//! The area over which two bodies touch.

use glamx::{DMat3, DVec2, DVec3};

use super::Manifold;
use super::collider::{Collider, Geometry};
use super::contact_plane::ContactPlane;
use super::feature::Feature;
use super::mesh::{PlacedMesh, TriangleMesh};
use super::outline::convex_outline;
use super::plane_area::PlaneArea;
use super::solid::{Part, Solid};

/// Faces that lean less than this (radians) against the contact plane touch over their area.
pub const MAX_LEAN: f64 = 1e-3;

/// The area over which two bodies touch: a polygon, a disc, a part of a disc, a line or a point.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Patch {
    /// Corners counter-clockwise about the normal, world; a disc has 64. Two for a line, one for a
    /// point. Of an area with holes, or in several places, the outline around it all.
    pub outline: Vec<DVec3>,
    /// Convex pieces that such an area is made of, corners counter-clockwise, world; of others none.
    pub pieces: Vec<Vec<DVec3>>,
    /// Square metres; 0 for a line or a point.
    pub area: f64,
    /// Of the area, or the middle of the line; world.
    pub centroid: DVec3,
    /// Centre and radius where the area is a whole disc.
    pub disc: Option<(DVec3, f64)>,
}

impl ContactPlane {
    fn lies_in(&self, normal: DVec3) -> bool {
        normal.cross(self.normal).length() < MAX_LEAN
    }

    /// A face or disc, where it lies in the plane.
    fn area(&self, f: &Feature) -> Option<PlaneArea> {
        let (_, normal) = f.plane()?;
        if !self.lies_in(normal) {
            return None;
        }
        match f {
            Feature::Polygon(poly, face) => {
                let corners = &poly.local.faces[*face].corners;
                Some(self.polygon(corners.iter().map(|&c| poly.vertices[c as usize])))
            }
            Feature::Disc(d) => Some(PlaneArea::disc(self.flat(d.centre), d.radius)),
            _ => None,
        }
    }

    fn polygon(&self, corners: impl Iterator<Item = DVec3>) -> PlaneArea {
        PlaneArea::polygon(corners.map(|c| self.flat(c)).collect())
    }
}

/// The patch of a manifold between these two.
pub(crate) fn patch(m: &Manifold, of: [&Collider; 2]) -> Patch {
    if m.points.is_empty() {
        return Patch::default();
    }
    let middle = m.points.iter().map(|p| 0.5 * (p.on_a + p.on_b)).sum::<DVec3>();
    let plane = ContactPlane::new(middle / m.points.len() as f64, m.normal, 0.0);
    let pieces = match (&of[0].geometry, &of[1].geometry) {
        (Geometry::HalfSpace(_), _) => alone(&plane, m, of[1], 1),
        (_, Geometry::HalfSpace(_)) => alone(&plane, m, of[0], 0),
        (Geometry::Mesh(_), Geometry::Parts(parts)) => {
            let part = parts.get(m.parts[1] as usize);
            part.map_or_else(Vec::new, |p| on_mesh(&plane, m, of[0], 0, &p.solid))
        }
        (Geometry::Parts(parts), Geometry::Mesh(_)) => {
            let part = parts.get(m.parts[0] as usize);
            part.map_or_else(Vec::new, |p| on_mesh(&plane, m, of[1], 1, &p.solid))
        }
        (Geometry::Parts(a), Geometry::Parts(b)) => {
            let solid = |parts: &[Part], i: u32, n: DVec3| {
                parts.get(i as usize).and_then(|p| plane.area(&p.solid.facing(n)))
            };
            let both = solid(a, m.parts[0], m.normal).zip(solid(b, m.parts[1], -m.normal));
            both.and_then(|(a, b)| a.and(&b)).into_iter().collect()
        }
        (Geometry::Mesh(_), Geometry::Mesh(_)) => between_meshes(&plane, m, of),
    };
    let area: f64 = pieces.iter().map(|p| p.area).sum();
    if area > 0.0 { joined(&plane, &pieces, area) } else { line(&plane, m) }
}

/// A solid's or mesh's own face on a half-space. `side` is the solid's place in the manifold.
fn alone(plane: &ContactPlane, m: &Manifold, body: &Collider, side: usize) -> Vec<PlaneArea> {
    let towards = if side == 1 { -m.normal } else { m.normal };
    match &body.geometry {
        Geometry::Parts(parts) => {
            let part = parts.get(m.parts[side] as usize);
            part.and_then(|p| plane.area(&p.solid.facing(towards))).into_iter().collect()
        }
        Geometry::Mesh(mesh) => level_triangles(plane, m, body, mesh, side),
        Geometry::HalfSpace(_) => Vec::new(),
    }
}

/// Triangles of a mesh that lie in the plane where its points are. `side` is its place in the manifold.
fn level_triangles(
    plane: &ContactPlane,
    m: &Manifold,
    body: &Collider,
    mesh: &TriangleMesh,
    side: usize,
) -> Vec<PlaneArea> {
    let towards = if side == 1 { -m.normal } else { m.normal };
    let turn = DMat3::from_quat(body.pose.rotation);
    let low = m.points.iter().map(|p| if side == 1 { p.on_b } else { p.on_a });
    let level = low.map(|p| towards.dot(p)).fold(f64::NEG_INFINITY, f64::max);
    let extent = (body.bounds[1] - body.bounds[0]).length();
    let touching = |&t: &u32| {
        let normal = turn * mesh.triangles[t as usize].normal;
        let near = |c: &DVec3| (level - towards.dot(*c)).abs() < MAX_LEAN * extent;
        plane.lies_in(normal)
            && normal.dot(towards) > 0.0
            && mesh.corners(t, &body.pose).iter().all(near)
    };
    (0..mesh.triangles.len() as u32)
        .filter(touching)
        .map(|t| plane.polygon(mesh.corners(t, &body.pose).into_iter()))
        .collect()
}

/// Where level triangles of two meshes overlap.
fn between_meshes(plane: &ContactPlane, m: &Manifold, of: [&Collider; 2]) -> Vec<PlaneArea> {
    let level = |side: usize| match &of[side].geometry {
        Geometry::Mesh(mesh) => level_triangles(plane, m, of[side], mesh, side),
        _ => Vec::new(),
    };
    let (a, b) = (level(0), level(1));
    a.iter().flat_map(|a| b.iter().filter_map(|b| a.and(b))).collect()
}

/// A solid's face over the triangles of a flat region. `side` is the mesh's place.
fn on_mesh(
    plane: &ContactPlane,
    m: &Manifold,
    body: &Collider,
    side: usize,
    solid: &Solid,
) -> Vec<PlaneArea> {
    let Geometry::Mesh(mesh) = &body.geometry else { return Vec::new() };
    let out_of_mesh = if side == 0 { m.normal } else { -m.normal };
    let Some(face) = plane.area(&solid.facing(-out_of_mesh)) else { return Vec::new() };
    let turn = DMat3::from_quat(body.pose.rotation);
    let reach = m.points.iter().map(|p| p.gap.abs()).fold(0.0, f64::max) + 1e-9 * solid.size;
    let mut near = Vec::new();
    PlacedMesh::new(mesh, &body.pose).near(solid, reach, &mut near);
    near.retain(|&t| {
        let triangle = &mesh.triangles[t as usize];
        let normal = turn * triangle.normal;
        triangle.region == m.parts[side] && plane.lies_in(normal) && normal.dot(out_of_mesh) > 0.0
    });
    let pieces = near
        .iter()
        .filter_map(|&t| face.and(&plane.polygon(mesh.corners(t, &body.pose).into_iter())));
    let pieces: Vec<PlaneArea> = pieces.collect();
    let area: f64 = pieces.iter().map(|p| p.area).sum();
    // All of the face is covered: the face itself is exact.
    if (area - face.area).abs() <= 1e-9 * face.area { vec![face] } else { pieces }
}

fn joined(plane: &ContactPlane, pieces: &[PlaneArea], area: f64) -> Patch {
    let centroid = pieces.iter().map(|p| p.centroid * p.area).sum::<DVec2>() / area;
    let outline = if let [only] = pieces {
        only.outline()
    } else {
        let all: Vec<DVec2> = pieces.iter().flat_map(PlaneArea::outline).collect();
        convex_outline(&all, 1e-12 * area.sqrt()).into_iter().map(|i| all[i]).collect()
    };
    let disc = match pieces {
        [only] => only.whole_disc().map(|(c, r)| (plane.space(c), r)),
        _ => None,
    };
    // Pieces that leave nothing out within their outline are one convex area.
    let full = PlaneArea::polygon(outline.clone()).area;
    let pieces = if pieces.len() > 1 && full - area > WHOLE * full {
        let sound = pieces.iter().filter(|p| p.area > SLIVER * area);
        sound.map(|p| p.outline().into_iter().map(|q| plane.space(q)).collect()).collect()
    } else {
        Vec::new()
    };
    Patch {
        outline: outline.into_iter().map(|q| plane.space(q)).collect(),
        pieces,
        area,
        centroid: plane.space(centroid),
        disc,
    }
}

/// The points that touch, as a line or a point.
fn line(plane: &ContactPlane, m: &Manifold) -> Patch {
    let least = m.points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
    let extent = m.points.iter().map(|p| (p.on_b - m.points[0].on_b).length()).fold(0.0, f64::max);
    let touching: Vec<DVec3> = m
        .points
        .iter()
        .filter(|p| p.gap <= least + MAX_LEAN * extent)
        .map(|p| 0.5 * (p.on_a + p.on_b))
        .collect();
    let flat: Vec<DVec2> = touching.iter().map(|p| plane.flat(*p)).collect();
    let corners = convex_outline(&flat, MAX_LEAN * extent);
    let outline: Vec<DVec3> = match corners.len() {
        0 => touching.clone(),
        _ => corners.iter().map(|&i| touching[i]).collect(),
    };
    let centroid = outline.iter().sum::<DVec3>() / outline.len() as f64;
    Patch { outline, pieces: Vec::new(), area: 0.0, centroid, disc: None }
}

/// Areas that fill their outline but for this part are convex.
const WHOLE: f64 = 1e-9;
/// Pieces smaller than this part of all are none.
const SLIVER: f64 = 1e-12;
