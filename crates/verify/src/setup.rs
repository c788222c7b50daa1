//! Small worlds for the checks.

use std::sync::Arc;

use asperity::body::BodyDesc;
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::{Coulomb, Section};
use asperity::friction::surface::Surface;
use asperity::glamx::{DQuat, DVec3};
use asperity::world::{Settings, World};
use asperity::{BodyId, Shape};

use crate::VerifyError;

/// Any failure to build a world.
pub fn built<T, E: std::fmt::Display>(result: Result<T, E>) -> Result<T, VerifyError> {
    result.map_err(|e| VerifyError::new(e.to_string()))
}

/// A world with one material, this friction, and gravity turned by `slope` radians about z, so
/// that a plane y = 0 is an incline whose fall line is +x.
pub fn sloped(section: Arc<dyn Section>, slope: f64, dt: f64) -> Result<World, VerifyError> {
    let pairing =
        Pairing::new(vec![Surface::new("stuff")], Vec::new(), &Fallback::Section(section));
    let gravity = DVec3::new(slope.sin(), -slope.cos(), 0.0) * 9.81;
    Ok(World::new(Settings { gravity, dt, ..Settings::default() }, built(pairing)?))
}

/// The same with Coulomb friction.
pub fn coulomb(mu: f64, slope: f64, dt: f64) -> Result<World, VerifyError> {
    sloped(Arc::new(Coulomb::new(mu)?), slope, dt)
}

/// The plane y = 0.
pub fn add_floor(world: &mut World) -> Result<BodyId, VerifyError> {
    add(world, BodyDesc::fixed("floor", Shape::HalfSpace { normal: DVec3::Y }))
}

/// A body, with the error as a message.
pub fn add(world: &mut World, desc: BodyDesc) -> Result<BodyId, VerifyError> {
    built(world.add_body(desc))
}

/// A box with these full sizes.
pub fn block(name: &str, size: DVec3) -> BodyDesc {
    BodyDesc::new(name, Shape::Box { half_extents: 0.5 * size })
}

/// Turned about the vertical.
pub fn yaw(angle: f64) -> DQuat {
    DQuat::from_rotation_y(angle)
}

/// Steps until this much time has passed.
pub fn run_for(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / world.settings.dt).round() as usize {
        world.step();
    }
}

/// Where something begins between two numbers, by halving so many times: the middle of what is left.
pub fn beginning(
    [mut low, mut high]: [f64; 2],
    halvings: usize,
    mut has_begun: impl FnMut(f64) -> Result<bool, VerifyError>,
) -> Result<f64, VerifyError> {
    for _ in 0..halvings {
        let middle = 0.5 * (low + high);
        if has_begun(middle)? { high = middle } else { low = middle }
    }
    Ok(0.5 * (low + high))
}

/// Where the centre of mass is.
pub fn centre(world: &World, id: BodyId) -> DVec3 {
    world.bodies()[id.0].centre_of_mass()
}
