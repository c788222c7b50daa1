//! What a body shows in a small window about a contact: flat pieces with texture coordinates.
//!
//! Faces of primitives are taken to lie in the contact plane: how far a body leans there is not
//! roughness. Round ones are seen as far as they stay within the window's depth. Triangles of
//! meshes and height fields are seen as they lie.

use asperity_friction::ContactFrame;
use asperity_friction::surface::SurfacePoint;
use asperity_friction::surface::patch::{Batch, Facet, Outline, Window};
use glamx::{DMat3, DPose3, DVec2, DVec3};

use super::Collision;
use super::collider::Geometry;
use super::feature::Feature;
use super::mesh::TriangleMesh;
use super::nearest_points::on_polygon;
use super::solid::Part;
use super::surface::{SurfaceFrame, surface_point};
use crate::shape::Shape;

/// A window in the contact plane.
#[derive(Debug)]
pub struct View {
    /// The contact frame.
    pub frame: ContactFrame,
    /// Its middle, world.
    pub at: DVec3,
    /// Its size, raster and outline.
    pub window: Window,
    /// Where the corners of the patch begin in the batch.
    pub first_corner: usize,
}

/// One of the two bodies at the contact.
#[derive(Debug)]
pub struct Shown<'a> {
    /// Its number.
    pub body: usize,
    /// Its shape.
    pub shape: &'a Shape,
    /// Part of the shape, as the manifold has it.
    pub part: u32,
    /// 0 for A, 1 for B.
    pub side: usize,
    /// The surface at the contact point.
    pub surface: SurfacePoint<'a>,
    /// The contact point, world.
    pub point: DVec3,
}

impl View {
    /// In the coordinates of the contact.
    fn local(&self, p: DVec3) -> DVec3 {
        let d = p - self.at;
        self.frame.to_plane(d).extend(d.dot(self.frame.normal))
    }

    /// How far from its middle the window reaches.
    fn reach(&self) -> f64 {
        0.5 * self.window.size.length()
    }

    /// How far from the contact a surface of this radius is seen.
    fn cap(&self, radius: f64) -> f64 {
        (radius * self.window.depth).sqrt()
    }

    /// A convex polygon, as an outline; everything where it holds the whole window.
    fn polygon(&self, corners: &[DVec2], batch: &mut Batch) -> Outline {
        let n = corners.len();
        let reach = self.reach();
        let edge = |k: usize| {
            let (a, b) = (corners[k], corners[(k + 1) % n]);
            (b - a).perp_dot(-a) / (b - a).length()
        };
        let distances = || (0..n).map(edge).filter(|d| d.is_finite());
        if distances().all(|d| d >= reach) || distances().all(|d| -d >= reach) {
            return Outline::Everything;
        }
        let first = (batch.corners.len() - self.first_corner) as u32;
        batch.corners.extend_from_slice(corners);
        Outline::Polygon { first, count: n as u32 }
    }
}

impl Collision {
    /// Appends the facets of a body in the window.
    pub fn show(&self, shown: &Shown, view: &View, batch: &mut Batch) {
        let Some(Some(body)) = self.bodies.get(shown.body) else { return };
        if let Geometry::Mesh(index) = &body.geometry {
            triangles(index, &body.pose, shown, view, batch);
            return;
        }
        let axes = shown.surface.axes_in(&view.frame);
        let offset = view.frame.to_plane(view.at - shown.point);
        let facet = Facet::flat(axes, shown.surface.uv + axes.transpose() * offset, shown.side);
        let Geometry::Parts(parts) = &body.geometry else {
            batch.facets.push(facet);
            return;
        };
        let Some(part) = parts.get(shown.part as usize) else { return };
        let outward = if shown.side == 0 { view.frame.normal } else { -view.frame.normal };
        let flat = |p: DVec3| view.local(p).truncate();
        let curved = curvature(shown.shape, shown.part).map(|radius| view.cap(radius));
        let mut corners = [DVec2::ZERO; MAX_CORNERS];
        let outline = match (part.solid.facing(outward), curved) {
            (Feature::Polygon(poly, face), _) => {
                let list = &poly.local.faces[face].corners;
                let few = &mut corners[..list.len().min(MAX_CORNERS)];
                for (to, from) in few.iter_mut().zip(list) {
                    *to = flat(poly.vertices[*from as usize]);
                }
                // A face of more corners than anyone draws is as good as endless.
                if list.len() > MAX_CORNERS {
                    Outline::Everything
                } else {
                    view.polygon(few, batch)
                }
            }
            (Feature::Disc(disc), _) => {
                let centre = flat(disc.centre);
                if centre.length() + view.reach() <= disc.radius {
                    Outline::Everything
                } else {
                    Outline::Disc { centre, radius: disc.radius }
                }
            }
            (Feature::Segment(ends), Some(cap)) => {
                let [p, q] = ends.map(flat);
                let across = (q - p).perp().normalize_or_zero() * cap;
                view.polygon(&[p - across, q - across, q + across, p + across], batch)
            }
            (Feature::Point(..), Some(cap)) => {
                Outline::Disc { centre: flat(shown.point), radius: cap }
            }
            // The edge or corner of a polyhedron.
            _ => Outline::Everything,
        };
        batch.facets.push(facet.within(outline));
    }
}

impl Collision {
    /// The pose that a body collided in.
    pub fn pose(&self, body: usize) -> Option<DPose3> {
        self.bodies.get(body)?.as_ref().filter(|b| b.placed).map(|b| b.pose)
    }

    /// Which triangle of a body that is a mesh or a height field is nearest to a point, of those that face
    /// `outward` and come within `reach` of it; which part of a compound the point is in deepest, or nearest
    /// to. The first where there is none.
    pub fn part_at(&self, body: usize, at: DVec3, outward: DVec3, reach: f64) -> u32 {
        let Some(Some(body)) = self.bodies.get(body) else { return 0 };
        let index = match &body.geometry {
            Geometry::HalfSpace(_) => return 0,
            Geometry::Parts(parts) => {
                let distance = |(k, part): (usize, &Part)| (part.solid.distance(at), k as u32);
                let parts = parts.iter().enumerate().map(distance);
                return parts.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, k)| k);
            }
            Geometry::Mesh(index) => index,
        };
        let at = body.pose.inverse_transform_point(at);
        let outward = body.pose.rotation.inverse() * outward;
        let mut nearest = (f64::INFINITY, 0);
        index.each_near(at - reach, at + reach, |t| {
            let triangle = &index.triangles[t as usize];
            if triangle.normal.dot(outward) > LEAST_FACING {
                let corner = |k: usize| index.positions[triangle.corners[k] as usize];
                let (foot, _) = on_polygon(corner, 3, triangle.normal, at);
                let distance = foot.distance_squared(at);
                // Ties by number, so that the order of the tree does not matter.
                if (distance, t) < nearest {
                    nearest = (distance, t);
                }
            }
        });
        nearest.1
    }
}

/// Most corners of a face whose outline is looked at.
const MAX_CORNERS: usize = 64;

/// The smallest radius of curvature of a round shape.
fn curvature(shape: &Shape, part: u32) -> Option<f64> {
    match shape {
        Shape::Sphere { radius }
        | Shape::Capsule { radius, .. }
        | Shape::Cylinder { radius, .. }
        | Shape::Cone { radius, .. } => Some(*radius),
        Shape::Compound(parts) => parts.get(part as usize).and_then(|(_, s)| curvature(s, 0)),
        _ => None,
    }
}

/// Triangles in the window that face the other body.
fn triangles(index: &TriangleMesh, pose: &DPose3, shown: &Shown, view: &View, batch: &mut Batch) {
    let outward = if shown.side == 0 { 1.0 } else { -1.0 };
    let reach = view.reach() + view.window.depth;
    let middle = pose.inverse_transform_point(view.at);
    index.each_near(middle - reach, middle + reach, |t| {
        let triangle = &index.triangles[t as usize];
        let normal = view.local(view.at + pose.rotation * triangle.normal);
        if !(normal.z * outward > LEAST_FACING) {
            return;
        }
        let positions = triangle.corners.map(|c| index.positions[c as usize]);
        let corners = positions.map(|p| view.local(pose.transform_point(p)));
        let low = corners[0].min(corners[1]).min(corners[2]);
        let high = corners[0].max(corners[1]).max(corners[2]);
        let half = 0.5 * view.window.depth;
        let apart = low.z > half
            || high.z < -half
            || low.truncate().max_element() > view.reach()
            || high.truncate().min_element() < -view.reach();
        if apart {
            return;
        }
        let centre = (positions[0] + positions[1] + positions[2]) / 3.0;
        let frame = surface_point(shown.shape, t, centre, triangle.normal);
        let uvs = corner_uvs(shown.shape, triangle.corners, positions, centre, &frame);
        let turn = |v: DVec3| view.local(view.at + pose.rotation * v);
        let axes = DMat3::from_cols(turn(frame.tangent), turn(frame.bitangent), normal);
        let first = batch.corners.len() - view.first_corner;
        if let Some(facet) = Facet::triangle(corners, uvs, axes, first as u32) {
            batch.corners.extend(corners.map(DVec3::truncate));
            batch.facets.push(facet);
        }
    });
}

/// A triangle is seen if the cosine of its lean is more than this.
const LEAST_FACING: f64 = 0.05;

/// Texture coordinates at the corners of a triangle, metres.
fn corner_uvs(
    shape: &Shape,
    corners: [u32; 3],
    positions: [DVec3; 3],
    centre: DVec3,
    frame: &SurfaceFrame,
) -> [DVec2; 3] {
    if let Shape::Mesh(mesh) = shape
        && let [Some(a), Some(b), Some(c)] = corners.map(|c| mesh.uvs.get(c as usize).copied())
    {
        return [a, b, c];
    }
    positions.map(|p| {
        let d = p - centre;
        frame.uv + DVec2::new(d.dot(frame.tangent), d.dot(frame.bitangent))
    })
}
