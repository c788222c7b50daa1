//! Nut and bolt (Fig. 13): whatever the load and the speed, the bolt advances by the pitch in a turn.

use std::f64::consts::TAU;
use std::path::Path;

use crate::host::{self, at};
use crate::{Check, Host, VerifyError};

/// Metres.
const PITCH: f64 = 0.0007;
/// How long it is watched, seconds: up with a torque, and braked.
const LONG: f64 = 0.6;
/// Below this speed of turning (rad/s) the ratio of speeds has no digits.
const SLOW: f64 = 1.0;
/// Words of the scene, and what makes both threads left-handed.
const HANDS: [(&str, &str); 3] = [
    ("flanks = [1.73, 1.73], left_handed = true", "flanks = [1.73, 1.73], left_handed = false"),
    ("flanks = [1.73, 1.73] }", "flanks = [1.73, 1.73], left_handed = true }"),
    ("\"0.0007 / (2 * pi)\"", "\"-0.0007 / (2 * pi)\""),
];

/// Speed of climbing over speed of turning in every step in which the bolt turns, and how far it goes aside; the same
/// of a thread of the other hand, which advances the other way.
pub(crate) fn advance(host: &dyn Host, folder: &Path) -> Result<Vec<Check>, VerifyError> {
    let path = folder.join("nut_and_bolt.toml");
    let right = host::text(host, &path)?;
    let left = HANDS.iter().fold(right.clone(), |text, (from, to)| text.replace(from, to));
    let mut checks = Vec::new();
    for (name, text, hand) in [("right-handed", &right, 1.0), ("left-handed", &left, -1.0)] {
        let mut scene = host::scene_of(host, &path, text)?;
        let world = &mut scene.world;
        let bolt = world.find("bolt").ok_or_else(|| at(&path, "no body \"bolt\""))?;
        let (mut worst, mut aside, mut turning) = (0.0_f64, 0.0_f64, 0_u32);
        for _ in 0..(LONG / world.settings.dt).round() as u64 {
            world.step();
            let body = &world.bodies()[bolt.0];
            let (turns, climbs) = (body.angular_velocity.y, body.linear_velocity.y);
            aside = aside.max(body.pose.translation.x.hypot(body.pose.translation.z));
            if turns.abs() > SLOW {
                turning += 1;
                worst = worst.max((TAU * climbs / (turns * hand * PITCH) - 1.0).abs());
            }
        }
        let what = format!("{name}: steps of 600 in which it turns");
        checks.push(Check::above(&what, 400.0, f64::from(turning), ""));
        let what = format!("{name}: advance per turn over the pitch, worst step");
        checks.push(Check::below(&what, 1e-5, worst, ""));
        checks.push(Check::below(&format!("{name}: aside"), 1e-9, aside, "m"));
    }
    Ok(checks)
}
