//! Contact points of half-spaces with everything else.

use super::collider::HalfSpace;
use super::contact_plane::ContactPlane;
use super::feature_overlap::PointPair;
use super::mesh::PlacedMesh;
use super::point_key::{Cause, NONE, PointKey};
use super::solid::Solid;

impl HalfSpace {
    /// Points of a convex solid over the boundary.
    pub(crate) fn under_solid(&self, b: &Solid, out: &mut Vec<PointPair>) {
        let view = ContactPlane::new(b.centre, self.normal, b.size);
        view.on_plane((self.origin, self.normal), &b.facing(-self.normal), out);
    }

    /// Corners of a mesh within `limit` of the boundary.
    pub(crate) fn under_mesh(&self, mesh: &PlacedMesh, limit: f64, out: &mut Vec<PointPair>) {
        for (i, p) in mesh.mesh.positions.iter().enumerate() {
            let p = mesh.pose.transform_point(*p);
            let gap = self.normal.dot(p - self.origin);
            if gap <= limit {
                let key = PointKey { cause: Cause::CornerOverHalfSpace, a: NONE, b: i as u32 };
                out.push(PointPair { a: p - self.normal * gap, b: p, key });
            }
        }
    }
}
