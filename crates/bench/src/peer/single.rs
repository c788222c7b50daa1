//! Rapier in single precision.

use asperity::glamx::{DQuat, DVec3};
use rapier::math::{Rotation, Vector};
use rapier3d as rapier;

#[allow(clippy::duplicate_mod, reason = "the same source for another crate")]
#[path = "engine.rs"]
mod engine;

pub(crate) use engine::Rapier;

fn number(x: f64) -> f32 {
    x as f32
}

fn wide(x: f32) -> f64 {
    f64::from(x)
}

fn vector(v: DVec3) -> Vector {
    v.as_vec3()
}

fn wide_vector(v: Vector) -> DVec3 {
    v.as_dvec3()
}

fn rotation(q: DQuat) -> Rotation {
    q.as_quat()
}

fn wide_rotation(q: Rotation) -> DQuat {
    q.as_dquat().normalize()
}
