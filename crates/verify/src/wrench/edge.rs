//! Cubes at the edge of a block (Bouchard et al. 2015, section 6.1.1, Fig. 6).

use super::convergence::world;
use crate::{Check, VerifyError};

/// Cubes of 0.2 m that fall beside or on the edge of a block. By how much a cube overlaps it across decides: by no more
/// than bodies at rest are in each other, it slides by; by more, it is caught and tips as a pendulum about the edge.
/// In no case is it thrown aside, as along the gradient of the volume it is.
pub(crate) fn edge() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let (mut aside, mut turned, mut late) = (0.0_f64, 0.0_f64, 0.0_f64);
    for over in [2e-5, 5e-5, 1e-4] {
        for (height, dt) in [(0.0, 0.005), (0.005, 0.005), (0.005, 0.0025), (0.02, 0.01)] {
            let end = fall("entered", over, height, dt, 0.4)?;
            aside = aside.max(end.aside.abs());
            turned = turned.max(end.spin.abs());
            late = late.max((end.fall - 0.5 * 9.81 * 0.16).abs());
        }
    }
    checks.push(Check::below("over by up to 0.1 mm: aside", 2e-4, aside, "m"));
    checks.push(Check::below("over by up to 0.1 mm: spin", 1e-3, turned, "rad/s"));
    checks.push(Check::below("over by up to 0.1 mm: short of g t²/2 at 0.4 s", 1e-3, late, "m"));
    for over in [1e-3, 4e-3] {
        let end = fall("entered", over, 0.005, 0.002, 0.1)?;
        let what = format!("over by {} mm: spin 0.1 s after it begins to fall", 1e3 * over);
        checks.push(Check::relative(&what, pendulum(over, 0.005, 0.1), -end.spin, 0.06, "rad/s"));
    }
    let thrown = fall("gradient", 1e-4, 0.005, 0.005, 0.4)?.aside;
    checks.push(Check::above("control: the same 0.1 mm along the gradient", 5e-3, thrown, "m"));
    Ok(checks)
}

/// Where a cube is and how it turns.
struct End {
    aside: f64,
    fall: f64,
    spin: f64,
}

/// A cube that is so far over the block and falls onto its edge from so high, after a time.
fn fall(normal: &str, over: f64, height: f64, dt: f64, time: f64) -> Result<End, VerifyError> {
    let (x, y) = (0.1 - over, 0.1 + height);
    let mut world = world(&format!(
        r#"
version = 1
world = {{ dt = {dt}, contact = {{ model = "wrench", normal = "{normal}" }} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.8 }} }}
body = [ {{ name = "block", kind = "fixed", shape = {{ box = [2, 3, 3] }}, at = [-1, -1.5, 0] }},
         {{ name = "cube", shape = {{ box = [0.2, 0.2, 0.2] }}, at = [{x}, {y}, 0] }} ]
"#
    ))?;
    for _ in 0..(time / dt).round() as usize {
        world.step();
    }
    let body = &world.bodies()[1];
    let at = body.pose.translation;
    Ok(End { aside: at.x - x, fall: y - at.y, spin: body.angular_velocity.z })
}

/// Spin of a cube that falls from a height, is stopped at a corner of the block and turns about that:
/// ω₀ = v x/(k² + r²), then ω' = g x/(k² + r²), k² = w²/6.
fn pendulum(over: f64, height: f64, until: f64) -> f64 {
    let (half, g) = (0.1, 9.81);
    let (x, inertia) = (half - over, 4.0 * half * half / 6.0);
    let square = x * x + half * half;
    let (speed, began) = ((2.0_f64 * g * height).sqrt(), (2.0 * height / g).sqrt());
    let (mut spin, mut turn) = (speed * x / (inertia + square), x.atan2(half));
    let steps = 10_000;
    let step = (until - began) / f64::from(steps);
    for _ in 0..steps {
        spin += g * square.sqrt() * turn.sin() / (inertia + square) * step;
        turn += spin * step;
    }
    spin
}
