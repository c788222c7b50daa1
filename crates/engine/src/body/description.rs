//! What a user says of a body: its mass, its motion, its surface.

use asperity_geometry::shape::Shape;
use asperity_geometry::structure::StructureField;
use glamx::{DMat3, DPose3, DQuat, DVec3};

use super::BodyKind;
use crate::world::WorldError;

/// How a body's mass is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mass {
    /// kg/m³; mass, centre and inertia follow from the shape.
    Density(f64),
    /// Kilograms; centre and inertia follow from the shape, scaled.
    Total(f64),
    /// Kilograms, centre of mass and inertia about it in body axes.
    Explicit {
        /// kg.
        mass: f64,
        /// Metres, body axes.
        centre: DVec3,
        /// kg m², body axes.
        inertia: DMat3,
    },
}

/// A body as it is added to a world.
#[derive(Debug, Clone)]
pub struct BodyDesc {
    /// Unique name, for messages and recordings.
    pub name: String,
    /// What moves it.
    pub kind: BodyKind,
    /// Its shape; `None` is a body that touches nothing.
    pub shape: Option<Shape>,
    /// Number of its surface in the world's pairing.
    pub surface: usize,
    /// Where its grain comes from.
    pub structure: StructureField,
    /// Its mass; only used for dynamic bodies.
    pub mass: Mass,
    /// World from body at the start.
    pub pose: DPose3,
    /// m/s at the centre of mass.
    pub linear_velocity: DVec3,
    /// rad/s, world axes.
    pub angular_velocity: DVec3,
    /// Coefficient of restitution, 0 to 1; a pair uses the larger.
    pub restitution: f64,
    /// 1/s.
    pub linear_damping: f64,
    /// 1/s.
    pub angular_damping: f64,
    /// Factor on gravity.
    pub gravity_scale: f64,
    /// Prescribed motion of a kinematic body, sorted by time; velocities follow.
    pub keyframes: Vec<Keyframe>,
    /// Bodies that share a group above zero do not touch each other.
    pub group: u32,
}

/// Where a kinematic body is at one time. Between keyframes it moves straight and turns evenly;
/// before the first and after the last it rests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyframe {
    /// Seconds.
    pub time: f64,
    /// Metres.
    pub position: DVec3,
    /// World from body.
    pub rotation: DQuat,
}

impl Keyframe {
    /// Position and rotation that keyframes, sorted by time, want at a time.
    pub fn pose_at(frames: &[Keyframe], time: f64) -> (DVec3, DQuat) {
        let after = frames.partition_point(|f| f.time <= time);
        match (after.checked_sub(1).map(|i| frames[i]), frames.get(after)) {
            (Some(a), Some(b)) => {
                let s = (time - a.time) / (b.time - a.time);
                (a.position.lerp(b.position, s), a.rotation.slerp(b.rotation, s))
            }
            (Some(a), None) => (a.position, a.rotation),
            (None, Some(b)) => (b.position, b.rotation),
            (None, None) => (DVec3::ZERO, DQuat::IDENTITY),
        }
    }
}

impl BodyDesc {
    /// A dynamic body of density 1000 kg/m³ at the origin, at rest.
    pub fn new(name: impl Into<String>, shape: Shape) -> BodyDesc {
        BodyDesc {
            name: name.into(),
            kind: BodyKind::Dynamic,
            shape: Some(shape),
            surface: 0,
            structure: StructureField::None,
            mass: Mass::Density(1000.0),
            pose: DPose3::IDENTITY,
            linear_velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            restitution: 0.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            gravity_scale: 1.0,
            keyframes: Vec::new(),
            group: 0,
        }
    }

    /// A fixed body.
    pub fn fixed(name: impl Into<String>, shape: Shape) -> BodyDesc {
        BodyDesc { kind: BodyKind::Fixed, ..BodyDesc::new(name, shape) }
    }

    /// Somewhere else.
    #[must_use]
    pub fn at(self, position: DVec3) -> BodyDesc {
        BodyDesc { pose: DPose3::from_parts(position, self.pose.rotation), ..self }
    }

    /// Turned.
    #[must_use]
    pub fn rotated(self, rotation: DQuat) -> BodyDesc {
        BodyDesc { pose: DPose3::from_parts(self.pose.translation, rotation), ..self }
    }
}

/// Mass, centre of mass and inertia about it.
pub(crate) fn mass_of(desc: &BodyDesc) -> Result<(f64, DVec3, DMat3), WorldError> {
    if desc.kind != BodyKind::Dynamic {
        return Ok((f64::INFINITY, DVec3::ZERO, DMat3::ZERO));
    }
    let bad = |what: String| WorldError::Bad(format!("body \"{}\": {what}", desc.name));
    let from_shape = |density: f64| {
        let shape = desc.shape.as_ref().ok_or_else(|| {
            bad("a dynamic body without a shape needs its mass and inertia".to_owned())
        })?;
        let source = |source| WorldError::Shape { body: desc.name.clone(), source };
        let m = shape.mass_properties(density).map_err(source)?;
        Ok::<_, WorldError>((m.mass, m.centre, m.inertia))
    };
    let (mass, centre, inertia) = match desc.mass {
        Mass::Density(density) if density.is_finite() && density > 0.0 => from_shape(density)?,
        Mass::Density(density) => {
            return Err(bad(format!("density {density} is not a finite number above zero")));
        }
        Mass::Total(total) if total.is_finite() && total > 0.0 => {
            let (mass, centre, inertia) = from_shape(1.0)?;
            (total, centre, inertia * (total / mass))
        }
        Mass::Total(total) => {
            return Err(bad(format!("mass {total} is not a finite number above zero")));
        }
        Mass::Explicit { mass, centre, inertia } => (mass, centre, inertia),
    };
    let symmetric = (inertia - inertia.transpose()).abs_diff_eq(DMat3::ZERO, 1e-9 * trace(inertia));
    let positive = inertia.determinant() > 0.0 && trace(inertia) > 0.0;
    if !(mass.is_finite() && mass > 0.0 && centre.is_finite() && symmetric && positive) {
        return Err(bad(format!(
            "mass {mass} kg with this inertia is not physical; expected a positive mass and a symmetric positive definite inertia"
        )));
    }
    Ok((mass, centre, inertia))
}

fn trace(m: DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}
