//! Balls and cylinders.

use asperity::Shape;
use asperity::body::BodyDesc;
use asperity::glamx::{DQuat, DVec3};

use crate::Check;
use crate::VerifyError;
use crate::setup::{add, add_floor, coulomb, run_for};

const RADIUS: f64 = 0.1;

fn ball() -> BodyDesc {
    BodyDesc::new("ball", Shape::Sphere { radius: RADIUS }).at(DVec3::Y * RADIUS)
}

/// A cylinder that lies across x.
fn roller() -> BodyDesc {
    BodyDesc::new("roller", Shape::Cylinder { half_height: 0.15, radius: RADIUS })
        .at(DVec3::Y * RADIUS)
        .rotated(DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2))
}

/// Thrown without spin, they end rolling at 5/7 and 2/3 of their speed.
pub(crate) fn rolling() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for (what, desc, part) in
        [("ball, 5/7 v", ball(), 5.0 / 7.0), ("cylinder, 2/3 v", roller(), 2.0 / 3.0)]
    {
        let mut world = coulomb(0.3, 0.0, 0.01)?;
        add_floor(&mut world)?;
        let speed = 2.0;
        let id = add(&mut world, BodyDesc { linear_velocity: DVec3::X * speed, ..desc })?;
        run_for(&mut world, 1.0);
        let body = &world.bodies()[id.0];
        checks.push(Check::relative(what, part * speed, body.linear_velocity.x, 0.001, "m/s"));
        let slip = body.velocity_at(body.centre_of_mass() - DVec3::Y * RADIUS).length();
        checks.push(Check::below("  and it rolls without slip", 1e-6, slip, "m/s"));
    }
    Ok(checks)
}

/// A ball rolls without slip down a slope up to tan α = 7μ/2.
pub(crate) fn slope() -> Result<Vec<Check>, VerifyError> {
    let mu: f64 = 0.2;
    let limit = (3.5 * mu).atan().to_degrees();
    let mut checks = Vec::new();
    for (degrees, expected) in [(limit - 0.2, "rolls"), (limit + 0.2, "slips")] {
        let mut world = coulomb(mu, degrees.to_radians(), 0.01)?;
        add_floor(&mut world)?;
        let id = add(&mut world, ball())?;
        run_for(&mut world, 1.0);
        let body = &world.bodies()[id.0];
        let slip = body.velocity_at(body.centre_of_mass() - DVec3::Y * RADIUS).length();
        let found = if slip < 1e-6 { "rolls" } else { "slips" };
        let what = format!("ball at {degrees:.2} deg (limit {limit:.2})");
        checks.push(Check::fact(&what, expected, found));
        if expected == "rolls" {
            let expected = 5.0 / 7.0 * 9.81 * degrees.to_radians().sin();
            checks.push(Check::relative(
                "  its speed after 1 s",
                expected,
                body.linear_velocity.x,
                0.001,
                "m/s",
            ));
        }
    }
    Ok(checks)
}
