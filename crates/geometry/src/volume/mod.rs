//! The volume that two closed shapes share (Bouchard et al. 2015, sections 3 and 4).
//!
//! The surface of A∩B is the part of A's surface inside B and the part of B's surface inside A.
//! Volume, centroid, second moment and the gradient of the volume are sums over it, by the
//! divergence theorem. For polyhedra they are exact but for rounding:
//!
//! - which corner, edge and triangle lies where is decided exactly (`predicate.rs`), as if B had
//!   been shifted by an infinitesimal; coplanar and identical faces are no special case;
//! - a triangle of A inside B is bounded by pieces of its edges inside B and by segments where
//!   triangles of B cut it. These are found triangle by triangle with the boxes of `bvh.rs`, and
//!   nothing needs to be joined to polygons: a fan from any point of the plane integrates them.
//!   Every crossing point is computed once, so the surface is closed whatever rounding does to it.
//!
//! A surface that meets itself counts with its winding number w: the result is ∫ w_A w_B dV. Two
//! bodies of one compound that overlap count twice there, as their mass does. A surface inside
//! another, turned inwards, is a cavity.
//!
//! Spheres are exact against half-spaces, spheres and flat parts of meshes; against edges and
//! curved parts they are polyhedra, as other round shapes always are ([`Tessellation`]).
//!
//! Where faces are coplanar the volume has a kink and its gradient is the mean of both sides.

mod bvh;
mod chain;
mod closed_shape;
mod crossing;
mod ellipse_patch;
mod feet;
mod half_space;
mod height_field;
mod joined_overlap;
mod mesh;
mod mesh_pair;
mod moments;
mod pieces;
mod predicate;
mod rays;
mod segmentation;
mod sides;
mod sphere;

use glamx::{DMat3, DPose3, DVec2, DVec3};

pub use asperity_friction::extent::{EllipsePatch, NormalRule, PatchShape};
pub use closed_shape::{ClosedShape, Tessellation, VolumeError};
pub(crate) use feet::Foot;
pub use rays::{MAX_RAYS, overlap_by_rays};
pub use sides::{SIDES, Side};

use closed_shape::Form;

/// Directions in the contact plane along which the extent of an overlap is known.
pub const REACHES: usize = asperity_friction::extent::CORNERS;

/// A connected volume that two bodies share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// m³ (Eq. 14).
    pub volume: f64,
    /// World (Eq. 15, with its 1/V).
    pub centroid: DVec3,
    /// ∫ (x−c)(x−c)ᵀ dV about the centroid, world axes, m⁵ (Eq. 16).
    pub second_moment: DMat3,
    /// Change of the volume with a translation of B, ∫ n dA over the surface of B inside A, m².
    /// That of A is its opposite.
    pub gradient_linear: DVec3,
    /// Change of the volume with a rotation of B about the centroid, m³. That of A is its opposite.
    pub gradient_angular: DVec3,
    /// Area of the overlap's whole surface, m².
    pub surface: f64,
    /// How far the overlap reaches from its centroid, metres, along [`REACHES`] directions in the
    /// plane across the volume gradient: k/32 of a turn from the first of [`Overlap::plane`] to the second.
    pub reach: [f64; REACHES],
    /// Where it reaches that far, along the same two axes from the centroid, metres: in this order corners of a
    /// convex polygon, the hull of the overlap seen along its normal. Corners of less than 1/32 of a turn may lack.
    pub outline: [DVec2; REACHES],
    /// The planes between which it lies, where edges of two polyhedra meet in it; none where the gradient
    /// is the normal. See [`Overlap::entered`].
    pub sides: [Side; SIDES],
}

/// Memory that is used again: after a first call with a pair, another one allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    mesh: mesh_pair::Work,
    plane: half_space::Work,
    stack: Vec<u32>,
    /// Whether the last overlaps are those of two meshes.
    meshes: bool,
    segments: segmentation::Segments,
}

/// Finds where two shapes overlap: one entry for each connected volume, in a fixed order. None
/// where they only touch, where a pose is not finite, and for two half-spaces.
pub fn overlaps(
    a: &ClosedShape,
    pose_a: &DPose3,
    b: &ClosedShape,
    pose_b: &DPose3,
    scratch: &mut Scratch,
    out: &mut Vec<Overlap>,
) {
    out.clear();
    scratch.meshes = false;
    if !(pose_a.is_finite() && pose_b.is_finite()) {
        return;
    }
    let meshes = |scratch: &mut Scratch, out: &mut Vec<Overlap>| {
        mesh_pair::overlaps(a.mesh(), pose_a, b.mesh(), pose_b, &mut scratch.mesh, out);
        scratch.mesh.sides(pose_a, out);
        scratch.meshes = true;
    };
    match (&a.form, &b.form) {
        (Form::HalfSpace(_), Form::HalfSpace(_)) => {}
        (Form::HalfSpace(n), Form::Sphere(s)) => {
            out.extend(sphere::sphere_in_plane(s.radius, pose_b, 1, *n, pose_a));
        }
        (Form::Sphere(s), Form::HalfSpace(n)) => {
            out.extend(sphere::sphere_in_plane(s.radius, pose_a, 0, *n, pose_b));
        }
        (Form::Sphere(s), Form::Sphere(r)) => {
            out.extend(sphere::two_spheres(s.radius, pose_a, r.radius, pose_b));
        }
        (Form::HalfSpace(n), _) => {
            half_space::overlaps(b.fine_mesh(), pose_b, 1, (*n, pose_a), &mut scratch.plane, out);
        }
        (_, Form::HalfSpace(n)) => {
            half_space::overlaps(a.fine_mesh(), pose_a, 0, (*n, pose_b), &mut scratch.plane, out);
        }
        (Form::Sphere(s), _) => {
            let stack = &mut scratch.stack;
            match sphere::sphere_in_mesh(s.radius, pose_a, 0, b.mesh(), pose_b, stack) {
                Some(found) => out.push(found),
                None => meshes(scratch, out),
            }
        }
        (_, Form::Sphere(s)) => {
            let stack = &mut scratch.stack;
            match sphere::sphere_in_mesh(s.radius, pose_b, 1, a.mesh(), pose_a, stack) {
                Some(found) => out.push(found),
                None => meshes(scratch, out),
            }
        }
        _ => meshes(scratch, out),
    }
}

/// [`overlaps`], and those on several planes cut into one for each: where the faces of two meshes (or of
/// what stands for a round shape) push in directions further apart than `angle`, radians. Overlaps with
/// half-spaces, and of spheres that are taken exactly, are whole.
pub fn segmented_overlaps(
    [a, b]: [&ClosedShape; 2],
    [pose_a, pose_b]: [&DPose3; 2],
    angle: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Overlap>,
) {
    overlaps(a, pose_a, b, pose_b, scratch, out);
    if scratch.meshes && angle.is_finite() && !out.is_empty() {
        scratch.mesh.segment(pose_a, angle, &mut scratch.segments, out);
    }
}

/// Overlaps of two meshes, and the points on which each of them rests.
pub(crate) fn overlaps_with_feet(
    [a, b]: [&ClosedShape; 2],
    [pose_a, pose_b]: [&DPose3; 2],
    scratch: &mut Scratch,
    out: &mut Vec<Overlap>,
    feet: &mut Vec<Foot>,
) {
    out.clear();
    feet.clear();
    mesh_pair::overlaps(a.mesh(), pose_a, b.mesh(), pose_b, &mut scratch.mesh, out);
    if !out.is_empty() {
        scratch.mesh.feet(pose_a, out, feet);
    }
}
