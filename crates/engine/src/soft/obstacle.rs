//! Rigid shapes as soft bodies see them: signed distances.

use asperity_soft::contact::{Aabb, Obstacle, SurfaceAxes};
use glamx::{DMat3, DPose3, DVec3};
use parry3d_f64::query::PointQueryWithLocation;
use parry3d_f64::shape::{SharedShape, TriMesh};

use crate::body::Body;
use asperity_geometry::collision::surface::{SurfaceFrame, surface_point};
use asperity_geometry::shape::{MeshData, Shape};

/// A shape that can tell signed distances.
#[derive(Debug)]
pub(super) enum Solid {
    /// From formulas or from parry.
    Simple(Shape, SharedShape),
    /// Triangles; solid from the outside only.
    Surface(Shape, Box<TriMesh>),
    /// Parts of a compound, each placed.
    Parts(Shape, Vec<(DPose3, Solid)>),
}

impl Solid {
    /// `None` where the shape cannot be built; bodies with such shapes are refused before.
    pub(super) fn new(shape: &Shape) -> Option<Solid> {
        let surface = |mesh: &MeshData| {
            let mesh = TriMesh::new(mesh.positions.clone(), mesh.triangles.clone()).ok()?;
            Some(Solid::Surface(shape.clone(), Box::new(mesh)))
        };
        match shape {
            Shape::Mesh(mesh) => surface(mesh),
            Shape::HeightField { .. } => surface(&shape.height_mesh().ok()?),
            Shape::Compound(parts) => {
                let parts = parts.iter().map(|(pose, part)| Some((*pose, Solid::new(part)?)));
                Some(Solid::Parts(shape.clone(), parts.collect::<Option<_>>()?))
            }
            _ => Some(Solid::Simple(shape.clone(), shape.build().ok()?)),
        }
    }

    fn shape(&self) -> &Shape {
        match self {
            Solid::Simple(shape, _) | Solid::Surface(shape, _) | Solid::Parts(shape, _) => shape,
        }
    }

    /// Signed distance, outward normal and part of a point in body axes.
    fn distance(&self, p: DVec3) -> (f64, DVec3, u32) {
        match self {
            Solid::Simple(Shape::HalfSpace { normal }, _) => {
                let n = normal.normalize_or(DVec3::Y);
                (n.dot(p), n, 0)
            }
            Solid::Simple(Shape::Sphere { radius }, _) => {
                (p.length() - radius, p.normalize_or(DVec3::Y), 0)
            }
            Solid::Simple(Shape::Capsule { half_height, radius }, _) => {
                let from = p - DVec3::Y * p.y.clamp(-half_height, *half_height);
                (from.length() - radius, from.normalize_or(DVec3::X), 0)
            }
            Solid::Simple(Shape::Box { half_extents }, _) => from_box(p, *half_extents),
            Solid::Simple(_, parry) => {
                let found = parry.project_local_point(p, false);
                let away = if found.is_inside { found.point - p } else { p - found.point };
                let distance = away.length();
                let signed = if found.is_inside { -distance } else { distance };
                (signed, away.try_normalize().unwrap_or_else(|| slope(parry, p)), 0)
            }
            Solid::Surface(_, mesh) => {
                let (found, (triangle, _)) = mesh.project_local_point_and_get_location(p, false);
                let normal = mesh.triangle(triangle).normal().unwrap_or(DVec3::Y);
                let away = p - found.point;
                let outside = away.dot(normal) >= 0.0;
                let sign = if outside { 1.0 } else { -1.0 };
                let distance = away.length();
                // Close to the surface the direction is rounding.
                let close = ROUNDING * p.abs().max_element();
                let direction = if distance > close { away * (sign / distance) } else { normal };
                (sign * distance, direction, triangle)
            }
            Solid::Parts(_, parts) => {
                let mut best = (f64::INFINITY, DVec3::Y, 0);
                for (k, (pose, part)) in parts.iter().enumerate() {
                    let (d, n, _) = part.distance(pose.inverse_transform_point(p));
                    if d < best.0 {
                        best = (d, pose.rotation * n, k as u32);
                    }
                }
                best
            }
        }
    }

    /// Axes and texture coordinates at a point with this outward normal, all in body axes.
    pub(super) fn surface(&self, p: DVec3, normal: DVec3) -> SurfaceFrame {
        let part = match self {
            Solid::Simple(..) => 0,
            _ => self.distance(p).2,
        };
        surface_point(self.shape(), part, p, normal)
    }

    fn bounds(&self, pose: &DPose3) -> Aabb {
        let around = |low: DVec3, high: DVec3| {
            let (centre, half) = ((low + high) / 2.0, (high - low) / 2.0);
            let m = DMat3::from_quat(pose.rotation);
            let reach = m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z;
            let middle = pose.transform_point(centre);
            Aabb { min: middle - reach, max: middle + reach }
        };
        match self {
            Solid::Simple(Shape::HalfSpace { .. }, _) => {
                Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY }
            }
            Solid::Simple(_, parry) => {
                let b = parry.compute_local_aabb();
                around(b.mins, b.maxs)
            }
            Solid::Surface(_, mesh) => {
                let b = mesh.local_aabb();
                around(b.mins, b.maxs)
            }
            Solid::Parts(_, parts) => {
                let mut all = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
                for (local, part) in parts {
                    let b = part.bounds(&(*pose * *local));
                    all = Aabb { min: all.min.min(b.min), max: all.max.max(b.max) };
                }
                all
            }
        }
    }
}

fn from_box(p: DVec3, half: DVec3) -> (f64, DVec3, u32) {
    let over = p.abs() - half;
    let sign = DVec3::ONE.copysign(p);
    if over.max_element() <= 0.0 {
        let axis = if over.x >= over.y && over.x >= over.z {
            DVec3::X
        } else if over.y >= over.z {
            DVec3::Y
        } else {
            DVec3::Z
        };
        return (over.max_element(), axis * sign, 0);
    }
    let out = over.max(DVec3::ZERO);
    (out.length(), out.normalize_or(DVec3::Y) * sign, 0)
}

/// Part of a point's coordinates below which its distance from a surface is rounding.
const ROUNDING: f64 = 1e-9;

/// Part of a shape's size over which the slope of the distance is taken.
const NEARBY: f64 = 1e-6;

/// Direction in which the distance grows, for a point on the surface.
fn slope(parry: &SharedShape, p: DVec3) -> DVec3 {
    let bounds = parry.compute_local_aabb();
    let e = NEARBY * (bounds.maxs - bounds.mins).max_element();
    let distance = |q: DVec3| {
        parry.distance_to_local_point(q, false)
            * if parry.contains_local_point(q) { -1.0 } else { 1.0 }
    };
    let along = |d: DVec3| distance(p + d * e) - distance(p - d * e);
    DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)).normalize_or(DVec3::Y)
}

/// How a rigid body moves over a step: its pose when that begins, and mean velocities.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RigidMotion {
    pub(super) pose: DPose3,
    /// Centre of mass when the step begins.
    pub(super) centre: DVec3,
    pub(super) linear: DVec3,
    pub(super) angular: DVec3,
}

impl RigidMotion {
    /// Of a body that was at `before` and has moved for `h` seconds.
    pub(super) fn since(body: &Body, before: DPose3, h: f64) -> RigidMotion {
        let centre = before.transform_point(body.centre);
        let mut turn = body.pose.rotation * before.rotation.inverse();
        if turn.w < 0.0 {
            turn = -turn;
        }
        RigidMotion {
            pose: before,
            centre,
            linear: (body.centre_of_mass() - centre) / h,
            angular: turn.to_scaled_axis() / h,
        }
    }

    /// Of a body that is at `before` and has these velocities.
    pub(super) fn new(body: &Body, before: DPose3, linear: DVec3, angular: DVec3) -> RigidMotion {
        RigidMotion { pose: before, centre: before.transform_point(body.centre), linear, angular }
    }

    pub(super) fn velocity(&self, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point - self.centre)
    }
}

/// A rigid body during one step.
pub(super) struct RigidObstacle<'a> {
    solid: &'a Solid,
    /// Its pose: body axes in the world, and the origin. Points go through it in their thousands,
    /// which a matrix does in half the time of a quaternion.
    axes: DMat3,
    origin: DVec3,
    motion: RigidMotion,
    bounds: Aabb,
    group: u32,
}

/// The rigid shapes that soft bodies can touch, each with the number of its body.
pub(super) fn obstacles<'a>(
    solids: &'a [Option<Solid>],
    bodies: &[Body],
    moving: &[RigidMotion],
) -> Vec<(usize, RigidObstacle<'a>)> {
    let obstacle = |k: usize| {
        let group = bodies[k].desc.group;
        Some((k, RigidObstacle::new(solids[k].as_ref()?, moving[k], group)?))
    };
    (0..moving.len()).filter_map(obstacle).collect()
}

impl<'a> RigidObstacle<'a> {
    /// `None` for poses and velocities that are not finite.
    pub(super) fn new(
        solid: &'a Solid,
        motion: RigidMotion,
        group: u32,
    ) -> Option<RigidObstacle<'a>> {
        let RigidMotion { pose, linear, angular, .. } = motion;
        let finite = pose.is_finite() && linear.is_finite() && angular.is_finite();
        finite.then(|| RigidObstacle {
            solid,
            axes: DMat3::from_quat(pose.rotation),
            origin: pose.translation,
            motion,
            bounds: solid.bounds(&pose),
            group,
        })
    }
}

impl RigidObstacle<'_> {
    /// A point in body axes.
    fn local(&self, p: DVec3) -> DVec3 {
        self.axes.transpose() * (p - self.origin)
    }
}

impl Obstacle for RigidObstacle<'_> {
    fn distance(&self, p: DVec3) -> (f64, DVec3) {
        let (d, n, _) = self.solid.distance(self.local(p));
        (d, self.axes * n)
    }

    fn velocity(&self, p: DVec3) -> DVec3 {
        self.motion.velocity(p)
    }

    fn axes(&self, p: DVec3, normal: DVec3) -> SurfaceAxes {
        let frame = self.solid.surface(self.local(p), self.axes.transpose() * normal);
        SurfaceAxes {
            tangent: self.axes * frame.tangent,
            bitangent: self.axes * frame.bitangent,
            uv: frame.uv,
        }
    }

    fn aabb(&self) -> Aabb {
        self.bounds
    }

    fn group(&self) -> u32 {
        self.group
    }
}
