//! Colliders: bodies as collision sees them, by shape and pose.

use std::borrow::Cow;
use std::sync::Arc;

use glamx::{DPose3, DVec3};

use super::MAX_REACH;
use super::mesh::TriangleMesh;
use super::narrow_phase::KEPT;
use super::solid::Part;
use crate::shape::{Shape, ShapeError};

/// Beyond this distance from the origin (metres) arithmetic says nothing about contacts.
pub const FAR: f64 = 1e12;

/// Meshes thinner than this part of their size are flat.
const FLAT: f64 = 1e-9;

/// A body as collision sees it.
#[derive(Debug, Clone)]
pub(crate) struct Collider {
    pub(crate) geometry: Geometry,
    pub(crate) mobility: Mobility,
    /// What rests is not looked for on what stands still.
    pub(crate) rests: bool,
    pub(crate) group: u32,
    /// Whether the last pose was finite.
    pub(crate) placed: bool,
    pub(crate) pose: DPose3,
    /// Lowest and highest corner of the box around the shape, world.
    pub(crate) bounds: [DVec3; 2],
    /// How far it may go, metres.
    pub(crate) travel: f64,
    /// How near others are looked for even at rest, metres; infinite for a half-space, which leaves it to them.
    pub(crate) margin: f64,
    /// How far it might have gone in the last update, metres.
    pub(crate) looked: f64,
    /// Lowest and highest corner of the box in which it would have stayed then, world.
    pub(crate) seen: [DVec3; 2],
    /// How far bodies may have moved since their contacts were found, in units of the smaller one's size.
    pub(crate) kept: f64,
    /// Largest distance of a point from the body's origin, metres; infinite for a half-space.
    pub(crate) extent: f64,
    /// Half the diagonal of the box around the shape, metres; infinite for a half-space.
    pub(crate) size: f64,
    /// The smallest side of that box, in the body's axes, metres; as much as `size` for height fields and flat
    /// meshes, which are as thick as one likes.
    pub(crate) thickness: f64,
    is_new: bool,
}

/// What may move a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mobility {
    /// Nothing: it stands still.
    Fixed,
    /// It goes where it is told, whatever it touches.
    Driven,
    /// What it touches.
    Free,
}

/// The shape of a collider: parts are convex.
#[derive(Debug, Clone)]
pub(crate) enum Geometry {
    HalfSpace(HalfSpace),
    Parts(Vec<Part>),
    Mesh(Arc<TriangleMesh>),
}

/// A half-space: all x with normal·(x − origin) ≤ 0, world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HalfSpace {
    /// The normal in body axes.
    local: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) origin: DVec3,
}

impl Collider {
    /// Whether it may go elsewhere.
    pub(crate) fn is_active(&self) -> bool {
        self.mobility != Mobility::Fixed && !self.rests
    }

    /// Whether it has few faces to look at.
    pub(crate) fn is_simple(&self) -> bool {
        !matches!(self.geometry, Geometry::Mesh(_))
    }

    /// Whether it is one convex part.
    pub(crate) fn is_convex(&self) -> bool {
        matches!(&self.geometry, Geometry::Parts(parts) if parts.len() == 1)
    }

    pub(crate) fn new(
        shape: &Shape,
        mobility: Mobility,
        group: u32,
    ) -> Result<Collider, ShapeError> {
        shape.validate()?;
        let parts = |parts: &[(DPose3, Shape)]| {
            let parts = parts.iter().filter_map(|(pose, s)| Part::new(*pose, s).transpose());
            Ok(Geometry::Parts(parts.collect::<Result<Vec<_>, ShapeError>>()?))
        };
        let geometry = match shape {
            Shape::HalfSpace { normal } => {
                let local = normal.normalize();
                Geometry::HalfSpace(HalfSpace { local, normal: local, origin: DVec3::ZERO })
            }
            Shape::Mesh(mesh) => Geometry::Mesh(Arc::new(TriangleMesh::new(mesh))),
            Shape::HeightField { .. } => {
                Geometry::Mesh(Arc::new(TriangleMesh::heights(&shape.height_mesh()?)))
            }
            Shape::Compound(list) => parts(list)?,
            convex => parts(&[(DPose3::IDENTITY, convex.clone())])?,
        };
        let mut body = Collider {
            geometry,
            mobility,
            rests: false,
            group,
            placed: false,
            pose: DPose3::IDENTITY,
            bounds: [DVec3::ZERO; 2],
            travel: 0.0,
            margin: 0.0,
            looked: 0.0,
            seen: [DVec3::INFINITY, DVec3::NEG_INFINITY],
            kept: KEPT,
            extent: f64::INFINITY,
            size: f64::INFINITY,
            thickness: f64::INFINITY,
            is_new: true,
        };
        body.place(Some(&DPose3::IDENTITY));
        if !matches!(body.geometry, Geometry::HalfSpace(_)) {
            body.extent = body.bounds[0].abs().max(body.bounds[1].abs()).length();
            body.size = 0.5 * (body.bounds[1] - body.bounds[0]).length();
            let side = (body.bounds[1] - body.bounds[0]).min_element();
            let is_solid = !matches!(shape, Shape::HeightField { .. }) && side > FLAT * body.size;
            body.thickness = if is_solid { side } else { body.size };
        }
        (body.placed, body.is_new) = (false, true);
        Ok(body)
    }

    /// The middle of the box around it, world.
    pub(crate) fn middle(&self) -> DVec3 {
        0.5 * (self.bounds[0] + self.bounds[1])
    }

    /// How far apart two bodies are looked at, metres.
    pub(crate) fn reach(&self, other: &Collider) -> f64 {
        let margin = self.margin.min(other.margin);
        self.travel + other.travel + if margin.is_finite() { margin } else { 0.0 }
    }

    /// Whether boxes around two bodies overlap, or are no farther apart than is looked at.
    pub(crate) fn near(&self, other: &Collider) -> bool {
        let reach = DVec3::splat(self.reach(other));
        let ([low, high], [other_low, other_high]) = (self.bounds, other.bounds);
        (low - reach).cmple(other_high).all() && (other_low - reach).cmple(high).all()
    }

    /// A distance of travel, bounded by the body's extent.
    pub(crate) fn bound_travel(&self, travel: f64) -> f64 {
        let most = MAX_REACH * (self.bounds[1] - self.bounds[0]).length();
        if travel > 0.0 { travel.min(most) } else { 0.0 }
    }

    /// The body at another pose.
    pub(crate) fn at(&self, pose: Option<&DPose3>) -> Cow<'_, Collider> {
        if self.placed && pose == Some(&self.pose) {
            return Cow::Borrowed(self);
        }
        let mut moved = self.clone();
        moved.place(pose);
        Cow::Owned(moved)
    }

    pub(crate) fn place(&mut self, pose: Option<&DPose3>) {
        let Some(pose) = pose.filter(|p| p.is_finite() && p.rotation.length_squared() > 0.25)
        else {
            self.placed = false;
            return;
        };
        if self.placed && !self.is_new && *pose == self.pose {
            return;
        }
        (self.placed, self.is_new, self.pose) = (true, false, *pose);
        match &mut self.geometry {
            Geometry::HalfSpace(half_space) => {
                half_space.normal = (pose.rotation * half_space.local).normalize();
                half_space.origin = pose.translation;
            }
            Geometry::Parts(parts) => {
                self.bounds = [DVec3::INFINITY, DVec3::NEG_INFINITY];
                for part in parts {
                    part.place(pose);
                    let [low, high] = part.solid.bounds();
                    self.bounds = [self.bounds[0].min(low), self.bounds[1].max(high)];
                }
            }
            Geometry::Mesh(mesh) => self.bounds = mesh.bounds(pose),
        }
        self.placed = self.bounds.iter().all(|b| b.is_finite() && b.abs().max_element() < FAR);
    }
}
