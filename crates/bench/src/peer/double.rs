//! Rapier in double precision.

use asperity::glamx::{DQuat, DVec3};
use rapier3d_f64 as rapier;

#[allow(clippy::duplicate_mod, reason = "the same source for another crate")]
#[path = "engine.rs"]
mod engine;

pub(crate) use engine::Rapier;

fn number(x: f64) -> f64 {
    x
}

fn wide(x: f64) -> f64 {
    x
}

fn vector(v: DVec3) -> DVec3 {
    v
}

fn wide_vector(v: DVec3) -> DVec3 {
    v
}

fn rotation(q: DQuat) -> DQuat {
    q
}

fn wide_rotation(q: DQuat) -> DQuat {
    q
}
