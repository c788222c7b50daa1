//! Half-spaces against everything else.

use glamx::{DPose3, DVec3};

use super::body::Plane;
use super::mesh::MeshIndex;
use super::overlap::{Key, NONE, Raw, View};
use super::solid::Solid;

/// Points of a convex solid over a plane.
pub(crate) fn solid(plane: &Plane, b: &Solid, out: &mut Vec<Raw>) {
    let view = View::new(b.centre, plane.normal, b.size);
    view.on_plane((plane.origin, plane.normal), &b.facing(-plane.normal), out);
}

/// Corners of a mesh near a plane.
pub(crate) fn mesh(plane: &Plane, mesh: &MeshIndex, pose: &DPose3, limit: f64, out: &mut Vec<Raw>) {
    for (i, p) in mesh.positions.iter().enumerate() {
        let p: DVec3 = pose.transform_point(*p);
        let gap = plane.normal.dot(p - plane.origin);
        if gap <= limit {
            let key = Key { kind: 12, a: NONE, b: i as u32 };
            out.push(Raw { a: p - plane.normal * gap, b: p, key });
        }
    }
}
