//! A coin that rolls round on its rim (Bouchard et al. 2015, section 6.1.5, Fig. 11).

use std::f64::consts::PI;

use super::convergence::world;
use crate::{Check, VerifyError};

/// A coin set on its rim as Euler's disc rolls, its middle at rest: ω = 2 √(g sin α/R) about the line from where it
/// touches to its middle, which goes round with Ω = ω/sin α. Its energy is 3/2 m g R sin α, and what takes it is the
/// load at the rim of the patch, half a chord c = √(2 R e/sin α) behind: α falls with 4/3 √(2 e g)/R and is zero after
/// T = 3 R α/(4 √(2 e g)). The overlap of mean depth D is e = 5/2 D deep at the rim.
pub(crate) fn coin() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    // Without loss it would go round so often.
    let round = going_round(ANGLE);
    let start = Coin::new(r#"{ model = "wrench", target_depth = 1e-6 }"#, 1e-4, 1.0)?;
    let (turns, time) = start.turns(0.1);
    checks.push(Check::relative(
        "turns about the vertical in 0.1 s, 20°",
        round * time / (2.0 * PI),
        turns,
        0.05,
        "",
    ));
    for (contact, what) in [
        (r#"{ model = "wrench", target_depth = 1e-6 }"#, "at rest after"),
        (
            r#"{ model = "wrench", target_depth = 1e-6, spin = "none" }"#,
            "the same without a spin torque",
        ),
    ] {
        let rest = Coin::new(contact, 1e-4, 1.0)?.rests();
        let lasts = 0.75 * RADIUS * ANGLE / (2.0 * 2.5 * DEPTH * 9.81).sqrt();
        checks.push(Check::relative(
            &format!("{what}, 20°, steps of 0.1 ms"),
            lasts,
            rest,
            0.2,
            "s",
        ));
    }
    let control = Coin::new(r#"{ model = "wrench", target_depth = 1e-6 }"#, 1e-4, 0.0)?.rests();
    checks.push(Check::below(
        "control: the same coin without spin lies down after",
        0.3,
        control,
        "s",
    ));
    Ok(checks)
}

/// Mean depth, as in the contacts above, metres.
const DEPTH: f64 = 1e-6;
/// Lean of the coin.
const ANGLE: f64 = 20.0 * PI / 180.0;
const RADIUS: f64 = 0.03;
const HALF: f64 = 0.0015;

fn going_round(angle: f64) -> f64 {
    2.0 * (9.81 / (RADIUS * angle.sin())).sqrt()
}

struct Coin {
    world: asperity::World,
    dt: f64,
}

impl Coin {
    fn new(contact: &str, dt: f64, part: f64) -> Result<Coin, VerifyError> {
        let (sin, cos) = ANGLE.sin_cos();
        let spin = part * going_round(ANGLE) * sin;
        let world = world(&format!(
            r#"
version = 1
world = {{ dt = {dt}, contact = {contact} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.4 }} }}
body = [ {{ name = "table", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }},
         {{ name = "coin", shape = {{ cylinder = [{RADIUS}, {}] }}, density = 8000, at = [0, {}, 0],
            rotate = {{ axis = "z", rad = {ANGLE} }}, spin = [{}, {}, 0] }} ]
"#,
            2.0 * HALF,
            RADIUS * sin + HALF * cos,
            spin * cos,
            spin * sin
        ))?;
        Ok(Coin { world, dt })
    }

    /// When it lies still, at most after five seconds.
    fn rests(mut self) -> f64 {
        for k in 0..(5.0 / self.dt) as usize {
            self.world.step();
            let body = &self.world.bodies()[1];
            if body.pose.translation.y < HALF + 1e-4 && body.angular_velocity.length() < 1.0 {
                return k as f64 * self.dt;
            }
        }
        5.0
    }

    /// How often its axis goes round the vertical in some time.
    fn turns(mut self, time: f64) -> (f64, f64) {
        let heading = |coin: &Coin| {
            let axis = coin.world.bodies()[1].pose.rotation * asperity::glamx::DVec3::Y;
            axis.x.atan2(axis.z)
        };
        let (mut turned, mut last) = (0.0, heading(&self));
        for _ in 0..(time / self.dt).round() as usize {
            self.world.step();
            let now = heading(&self);
            turned += (now - last + PI).rem_euclid(2.0 * PI) - PI;
            last = now;
        }
        (turned.abs() / (2.0 * PI), time)
    }
}
