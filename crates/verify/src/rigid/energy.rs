//! Friction never creates energy.

use asperity::Shape;
use asperity::body::BodyDesc;
use asperity::glamx::{DQuat, DVec3};

use crate::Check;
use crate::VerifyError;
use crate::setup::{add, block, coulomb};

/// A closed box without gravity in which blocks tumble and rub until they come to rest.
pub(crate) fn passivity(full: bool) -> Result<Vec<Check>, VerifyError> {
    let steps = if full { 2000 } else { 400 };
    let mut world = coulomb(0.4, 0.0, 0.01)?;
    world.settings.gravity = DVec3::ZERO;
    for (name, normal) in [
        ("left", DVec3::X),
        ("right", -DVec3::X),
        ("floor", DVec3::Y),
        ("lid", -DVec3::Y),
        ("back", DVec3::Z),
        ("front", -DVec3::Z),
    ] {
        let wall = BodyDesc::fixed(name, Shape::HalfSpace { normal }).at(-normal * 0.6);
        add(&mut world, wall)?;
    }
    for k in 0..27 {
        let cell = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let size = DVec3::new(0.2, 0.12 + 0.01 * f64::from(k % 5), 0.16);
        let wobble = f64::from(k) * 0.7;
        let mut desc = block(&format!("block {k}"), size)
            .at((cell - DVec3::ONE) * 0.36)
            .rotated(DQuat::from_rotation_x(wobble));
        desc.linear_velocity = DVec3::new(wobble.sin(), (1.3 * wobble).cos(), (2.1 * wobble).sin());
        desc.angular_velocity = DVec3::new((1.7 * wobble).cos(), wobble.sin(), 1.0) * 4.0;
        add(&mut world, desc)?;
    }
    let start = world.energy().total();
    let (mut last, mut worst, mut touched) = (start, 0.0_f64, 0);
    for _ in 0..steps {
        touched += world.step().contacts;
        let now = world.energy().total();
        worst = worst.max((now - last) / start);
        last = now;
    }
    Ok(vec![
        Check::below("largest rise of energy in a step", 1e-9, worst.max(0.0), "of its start"),
        Check::fact(
            "  while bodies touch and lose energy",
            "yes",
            if touched > steps && last < 0.9 * start { "yes" } else { "no" },
        ),
    ])
}
