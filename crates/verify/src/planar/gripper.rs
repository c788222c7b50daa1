//! A plate in a gripper under an oscillating load, in the engine: how far it creeps.

use std::path::Path;
use std::time::Instant;

use asperity::friction::extent::Shape;
use asperity::friction::memory::Parameters;
use asperity::glamx::DVec3;
use asperity_scene::{self as scene, NoAssets};

use crate::experiment::model::{GridPatch, Model, ModelKind, Scheme};
use crate::experiment::paper;
use crate::experiment::simulate::{Experiment, first_load, simulate};
use crate::host;
use crate::scenes::whole;
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
    let name = "in-hand stick-slip: three models beside each other";
    groups.push((name, Box::new(move || three_models(host, &beside))));
}

/// The authors' circle in hand with a bristle in every cell, with three and the table of their limit surface, and in a
/// world with three bristles for each fingertip: how far the plate turns, how long that takes, and that
/// every step of the world reaches its tolerance.
fn three_models(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let patch = GridPatch::of_paper(Shape::Circle);
    let p = Parameters::default().elasto_plastic(0.9);
    let mut checks = Vec::new();
    for case in [1, 2] {
        let experiment = paper::in_hand(case, 1);
        let planar = |kind| {
            let started = Instant::now();
            let load = first_load(&experiment);
            let mut model = Model::new(kind, p, &patch, Scheme::Explicit, load)?;
            let rows = simulate(&experiment, &mut model, &mut |_| ())?;
            let turned = rows.last().map_or(f64::NAN, |row| row.pose.z.to_degrees());
            Ok::<_, VerifyError>((turned, started.elapsed().as_secs_f64()))
        };
        let (distributed, slow) = planar(ModelKind::Distributed)?;
        let (reduced, fast) = planar(ModelKind::Reduced)?;
        let name = format!("in_hand_case{case}_grid");
        let mut scene = host::scene(host, &scenes.join(format!("{name}.toml")))?;
        let started = Instant::now();
        let run = whole(host, &name, &mut scene)?;
        let took = started.elapsed().as_secs_f64();
        let last = run.recording.values.last().copied().unwrap_or(f64::NAN);
        let rows = [
            ("reduced, table", reduced, fast, 0.03),
            ("three bristles for a patch, in a world", last, took, 0.05),
        ];
        let of = format!("case {case}, distributed ({slow:.2} s)");
        for (what, turned, seconds, part) in rows {
            let what = format!("{of} and {what} ({seconds:.2} s)");
            checks.push(Check::relative(&what, distributed, turned, part, "deg"));
        }
        let short = run.summary.unconverged;
        let what = format!("case {case}: steps of the world that stop short");
        // Of 2,000; the residual asked for is 1e-8.
        checks.push(Check::below(&what, 3.0, short as f64, "steps"));
    }
    Ok(checks)
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
