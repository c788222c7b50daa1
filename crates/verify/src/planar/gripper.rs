//! A plate in a gripper under an oscillating load, in the engine: how far it creeps.

use std::path::Path;

use asperity::friction::memory::Parameters;
use asperity::glamx::DVec3;
use asperity_scene::{self as scene, NoAssets};

use super::placings;
use crate::experiment::model::Model;
use crate::experiment::paper;
use crate::experiment::simulate::{Experiment, simulate};
use crate::host;
use crate::setup::built;
use crate::{Check, Group, Host, VerifyError};

pub(crate) fn groups<'a>(
    host: &'a dyn Host,
    scenes: &Path,
    full: bool,
    groups: &mut Vec<Group<'a>>,
) {
    let (name, seconds) = if full {
        ("ten minutes in a gripper", 600.0)
    } else {
        ("twenty seconds in a gripper", 20.0)
    };
    groups.push((name, Box::new(move || hold(seconds))));
    let scenes = scenes.to_owned();
    let beside = scenes.clone();
    let name = "in-hand stick-slip: what the scenes of whole bodies expect";
    groups.push((name, Box::new(move || in_hand(host, &scenes))));
    let name = "in hand and in a gripper: three models beside each other";
    groups.push((name, Box::new(move || placings::table(host, &beside))));
}

/// The planar experiment on a disc that is exactly round, beside the middle of what `in_hand_case*.toml` expect of two
/// fingers and a plate. That they meet it is judged with the other scenes.
fn in_hand(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for case in [1, 2] {
        let experiment = Experiment { hold: 0.0, ..paper::in_hand(case, 1) };
        let mut model = Model::disc(Parameters::default().elasto_plastic(0.9), 0.01)?;
        let rows = simulate(&experiment, &mut model, &mut |_| ())?;
        let pose = rows.last().map_or(DVec3::NAN, |row| row.pose);
        let scene = host::scene(host, &scenes.join(format!("in_hand_case{case}.toml")))?;
        for (name, wanted) in [("x", pose.x), ("y", pose.y), ("angle", pose.z.to_degrees())] {
            let about = scene.expectations.iter().find(|e| e.name == name);
            let middle = about.map_or(f64::NAN, |e| 0.5 * (e.low + e.high));
            let what = format!("case {case}: {name} at the end");
            checks.push(Check::relative(&what, wanted, middle, 1e-2, ""));
        }
    }
    Ok(checks)
}

/// Grip, N; bristles, 1/m; step, s.
const GRIP: f64 = 20.0;
const STIFFNESS: f64 = 1e6;
const DT: f64 = 0.01;
/// The load: amplitude, N, and frequency, Hz. With the weight of 0.98 N at most 4.3 of the 20 N that
/// friction can carry.
const LOAD: DVec3 = DVec3::new(0.0, 3.0, 1.0);
const FREQUENCY: f64 = 0.5;

/// The plate of `scenes/planar/gripper.toml` under a sinusoidal force.
fn hold(seconds: f64) -> Result<Vec<Check>, VerifyError> {
    let text = format!(
        r#"
version = 1
world = {{ dt = {DT}, duration = {seconds}, solver = {{ tolerance = 1e-10 }} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.5 }}, memory = {{ model = "elasto_plastic", sigma0 = {STIFFNESS} }} }}
body = [
  {{ name = "left", kind = "fixed", shape = {{ box = [0.02, 0.04, 0.04] }}, at = [-0.015, 0, 0], material = "any" }},
  {{ name = "plate", shape = {{ box = [0.01, 0.1, 0.1] }}, material = "any" }},
  {{ name = "right", shape = {{ box = [0.02, 0.04, 0.04] }}, at = [0.015, 0, 0], material = "any" }},
]
joint = [ {{ kind = "slider", a = "left", b = "right", at = [0.015, 0, 0], axis = [1, 0, 0], collide = true }} ]
drive = [
  {{ body = "right", force = [-{GRIP}, 0, 0] }},
  {{ body = "plate", force = [{}, {}, {}], scale = {{ sine = [0, 1, {FREQUENCY}] }} }},
]
"#,
        LOAD.x, LOAD.y, LOAD.z
    );
    let mut world = built(scene::load(&text, "a scene made here", &NoAssets))?.world;
    let Some(plate) = world.find("plate") else {
        return Err(VerifyError::new("the gripper has no plate".to_owned()));
    };
    let weight = world.bodies()[plate.0].mass * -9.81 * DVec3::Y;
    // Two patches carry it.
    let give = 1.0 / (2.0 * GRIP * STIFFNESS);
    let steps = (seconds / DT).round() as usize;
    let (mut worst, mut end, mut most) = (0.0_f64, 0.0, 0.0_f64);
    for k in 1..=steps {
        world.step();
        let place = world.bodies()[plate.0].pose.translation;
        let wave = (std::f64::consts::TAU * FREQUENCY * k as f64 * DT).sin();
        let elastic = (weight + LOAD * wave) * give;
        most = most.max(elastic.length());
        end = (place - elastic).length();
        // The first step has no load to bend bristles with.
        worst = worst.max(end);
    }
    let what = format!("{seconds} s: elastic deflection, at most");
    Ok(vec![
        Check::below(&what, 2e-7, most, "m"),
        Check::below(&format!("{seconds} s: beyond it, ever"), 1e-6, worst, "m"),
        Check::below(&format!("{seconds} s: beyond it, at the end"), 1e-6, end, "m"),
    ])
}
