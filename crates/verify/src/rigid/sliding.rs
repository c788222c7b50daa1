//! Blocks that slide, and blocks that must not.

use std::f64::consts::TAU;
use std::sync::Arc;

use asperity::body::BodyDesc;
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::{Composition, FrictionTensors, Matchstick, Section};
use asperity::friction::surface::{Structure, Surface, SurfaceTensor};
use asperity::geometry::structure::StructureField;
use asperity::glamx::{DPose3, DQuat, DVec2, DVec3};
use asperity::world::{Settings, World};
use asperity::{BodyId, Shape};

use crate::Check;
use crate::VerifyError;
use crate::setup::{add, add_floor, beginning, block, built, centre, coulomb, run_for, yaw};

const G: f64 = 9.81;

/// Bodies at rest on a slope with friction to spare stay where they are.
pub(crate) fn creep(full: bool) -> Result<Vec<Check>, VerifyError> {
    let seconds = if full { 60.0 } else { 4.0 };
    let mut checks = Vec::new();
    for dt in [0.002, 0.01] {
        for (name, desc) in resting_bodies() {
            let mut world = coulomb(1.0, 20_f64.to_radians(), dt)?;
            add_floor(&mut world)?;
            let id = add(&mut world, desc)?;
            run_for(&mut world, 1.0);
            let before = centre(&world, id);
            run_for(&mut world, seconds);
            let speed = before.distance(centre(&world, id)) / seconds;
            let what = format!("{name}, dt {} ms, {seconds} s", dt * 1e3);
            checks.push(Check::below(&what, 0.01, speed * 1e6, "um/s"));
        }
    }
    Ok(checks)
}

fn resting_bodies() -> Vec<(&'static str, BodyDesc)> {
    let foot = |angle: f64| {
        let at = DVec3::new(0.1 * angle.cos(), -0.08, 0.1 * angle.sin());
        (DPose3::from_translation(at), Shape::Sphere { radius: 0.02 })
    };
    let top = (DPose3::IDENTITY, Shape::Box { half_extents: DVec3::new(0.1, 0.02, 0.1) });
    let tripod =
        Shape::Compound(vec![top, foot(0.3), foot(0.3 + TAU / 3.0), foot(0.3 + 2.0 * TAU / 3.0)]);
    vec![
        ("box", block("box", DVec3::splat(0.2)).at(DVec3::Y * 0.1)),
        ("tripod on spheres", BodyDesc::new("tripod", tripod).at(DVec3::Y * 0.1)),
        (
            "cylinder on its face",
            BodyDesc::new("can", Shape::Cylinder { half_height: 0.1, radius: 0.1 })
                .at(DVec3::Y * 0.1),
        ),
    ]
}

/// Slides a box with this heading until it rests; returns how far it went and how far it moved
/// in the second after.
fn stop(mu: f64, speed: f64, heading: f64, dt: f64) -> Result<(f64, f64), VerifyError> {
    let mut world = coulomb(mu, 0.0, dt)?;
    add_floor(&mut world)?;
    let mut desc = block("box", DVec3::new(0.2, 0.1, 0.2)).at(DVec3::Y * 0.05);
    desc.linear_velocity = yaw(heading) * DVec3::X * speed;
    let id = add(&mut world, desc)?;
    let start = centre(&world, id);
    run_for(&mut world, 1.5 * speed / (mu * G));
    let end = centre(&world, id);
    run_for(&mut world, 1.0);
    Ok((start.distance(end), end.distance(centre(&world, id))))
}

/// v²/2μg.
pub(crate) fn stopping() -> Result<Vec<Check>, VerifyError> {
    let (mu, speed) = (0.5, 2.0);
    let expected = speed * speed / (2.0 * mu * G);
    let mut checks = Vec::new();
    for dt in [0.002, 0.01] {
        let (distance, after) = stop(mu, speed, 0.0, dt)?;
        let what = format!("2 m/s, mu 0.5, dt {} ms", dt * 1e3);
        checks.push(Check::relative(&what, expected, distance, 0.002, "m"));
        checks.push(Check::below("  then it rests", 1e-9, after, "m in 1 s"));
    }
    Ok(checks)
}

/// The same distance in every direction.
pub(crate) fn isotropy(full: bool) -> Result<Vec<Check>, VerifyError> {
    let count = if full { 360 } else { 72 };
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for k in 0..count {
        let (distance, _) = stop(0.5, 2.0, TAU * f64::from(k) / f64::from(count), 0.01)?;
        (least, most) = (least.min(distance), most.max(distance));
    }
    let spread = 100.0 * (most - least) / least;
    let what = format!("spread of the stopping distance over {count} headings");
    Ok(vec![Check::below(&what, 0.1, spread, "%")])
}

/// A box lets go at atan μ.
pub(crate) fn breakaway() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for mu in [0.2, 0.5, 0.9] {
        let limit = f64::atan(mu).to_degrees();
        let slides = |degrees: f64| -> Result<bool, VerifyError> {
            let mut world = coulomb(mu, degrees.to_radians(), 0.01)?;
            add_floor(&mut world)?;
            let size = DVec3::new(0.4, 0.1, 0.4);
            let id = add(&mut world, block("box", size).at(DVec3::Y * 0.05))?;
            run_for(&mut world, 1.0);
            Ok(centre(&world, id).x > 1e-5)
        };
        let found = beginning([limit - 1.0, limit + 1.0], 10, slides)?;
        checks.push(Check::near(&format!("atan {mu}"), limit, found, 0.05, "deg"));
    }
    Ok(checks)
}

/// The point mass of the spine, as a real box: 35° slope, coefficients (0.2, 0.5) at 45°.
pub(crate) fn headings() -> Result<Vec<Check>, VerifyError> {
    let grain = StructureField::Constant(DVec3::new(1.0, 0.0, -1.0));
    let cone: Arc<dyn Section> = Arc::new(Matchstick::new(0.35, 0.2, 0.5)?);
    let tensor: Arc<dyn Section> =
        Arc::new(FrictionTensors::new(Composition::Additive { kappa: 1.0 })?);
    let mut checks = Vec::new();
    for (what, section, expected) in
        [("matchstick cone", cone, 23.19), ("friction tensors", tensor, 11.39)]
    {
        let plane = Surface::new("plane")
            .with_structure(Structure::None)
            .with_tensor(SurfaceTensor::orthotropic(0.2, 0.5)?);
        let smooth = Surface::new("box").with_mu(0.0)?;
        let pairing = Pairing::new(
            vec![plane, smooth],
            vec![(0, 1, section)],
            &Fallback::Combine(asperity::friction::pairing::Combine::Minimum),
        );
        let slope = 35_f64.to_radians();
        let gravity = DVec3::new(slope.sin(), -slope.cos(), 0.0) * G;
        let mut world = World::new(Settings { gravity, ..Settings::default() }, built(pairing)?);
        // The plane is a slab turned by 45° about its normal, its x axis along the grain.
        let slab = Shape::Box { half_extents: DVec3::new(10.0, 0.5, 10.0) };
        let turned = DQuat::from_rotation_y(45_f64.to_radians());
        let mut plane = BodyDesc::fixed("plane", slab).at(DVec3::Y * -0.5).rotated(turned);
        plane.structure = StructureField::Constant(DVec3::X);
        add(&mut world, plane)?;
        let mut cube = block("box", DVec3::new(0.2, 0.05, 0.2)).at(DVec3::Y * 0.025);
        cube.surface = 1;
        cube.structure = grain.clone();
        let id = add(&mut world, cube)?;
        run_for(&mut world, 1.0);
        let path = path_heading(&world, id);
        checks.push(Check::near(what, expected, path, 0.5, "deg"));
    }
    Ok(checks)
}

/// Angle of the displacement from the fall line (+x), to either side, degrees.
fn path_heading(world: &World, id: BodyId) -> f64 {
    let at = centre(world, id);
    DVec2::new(at.x, at.z).to_angle().to_degrees().abs()
}
