//! `asperity verify tosses`: real tosses of an acrylic cube onto a table.
//!
//! Each recording is simulated from its first row and compared with its whole track. Friction,
//! restitution and the height of the table (the cubes come to rest a little below half their
//! width) are fixed numbers, so that recordings can be held out; [`tune`] found them.

use std::path::Path;
use std::sync::Arc;

use asperity::body::{BodyDesc, Mass};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::glamx::{DMat3, DPose3, DQuat, DVec3};
use asperity::world::{Settings, World};
use asperity::{BodyId, Shape};
use rayon::prelude::*;

use crate::host::{self, at, stem};
use crate::setup::{add, built};
use crate::{Check, Host, VerifyError};

/// Half width of the cube, metres: the data's unit of length.
const HALF: f64 = 0.0524;
/// Recordings per second.
const RATE: f64 = 148.0;
/// Steps between two rows of a recording.
const SUBSTEPS: usize = 4;

/// One row of a recording, SI units.
#[derive(Debug, Clone, Copy)]
struct Row {
    position: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    /// World axes.
    spin: DVec3,
}

/// What is tuned.
#[derive(Debug, Clone, Copy)]
struct Model {
    mu: f64,
    restitution: f64,
    /// Height of the table, half widths.
    table: f64,
}

impl Model {
    /// The model with one number replaced.
    fn with(self, which: usize, value: f64) -> Model {
        match which {
            0 => Model { mu: value, ..self },
            1 => Model { restitution: value, ..self },
            _ => Model { table: value, ..self },
        }
    }
}

/// Errors of one toss: positions in block widths, rotations in degrees.
#[derive(Debug, Clone, Copy)]
struct Errors {
    mean: f64,
    last: f64,
    turn: f64,
    last_turn: f64,
}

/// What [`tune`] found on every tenth of the 285 published tosses (Acosta, Yang and Posa 2022).
const ACRYLIC: Model = Model { mu: 0.18, restitution: 0.1, table: -0.02 };

/// Simulates every toss of a folder and compares with what MuJoCo reaches on the published ones.
pub(crate) fn tosses(host: &dyn Host, data: &Path) -> Result<Vec<Check>, VerifyError> {
    let tracks = read_all(host, data)?;
    let judged: Vec<&Vec<Row>> = tracks.iter().collect();
    let found = errors(&judged, ACRYLIC)?;
    let what = format!("mean position error of {} tosses ({ACRYLIC})", judged.len());
    let last = median(&found, |e| e.last);
    let last_turn = median(&found, |e| e.last_turn);
    Ok(vec![
        at_most(&what, 0.136, mean(&found, |e| e.mean), "widths"),
        at_most("median position error at the end", 0.232, last, "widths"),
        at_most("mean rotation error", 17.9, mean(&found, |e| e.turn), "deg"),
        at_most("median rotation error at the end", 14.5, last_turn, "deg"),
    ])
}

/// Tunes friction, restitution and the height of the table on every tenth toss of a folder, one after the other, by
/// the mean position error; tells what it found, and the error with it of those tosses and of all others.
pub fn tune(host: &dyn Host, data: &Path) -> Result<String, VerifyError> {
    let tracks = read_all(host, data)?;
    let sample: Vec<&Vec<Row>> = tracks.iter().step_by(10).collect();
    let mut model = Model { mu: 0.2, restitution: 0.1, table: 0.0 };
    let mut score = f64::INFINITY;
    let grids: [&[f64]; 3] = [
        &[0.12, 0.14, 0.16, 0.17, 0.18, 0.19, 0.20, 0.22],
        &[0.0, 0.05, 0.1, 0.125, 0.15, 0.175, 0.2, 0.25, 0.3],
        &[-0.03, -0.025, -0.02, -0.015, -0.01, 0.0],
    ];
    for (k, which) in [2, 1, 0, 1, 2, 0, 1].into_iter().enumerate() {
        host.watch("tuning", k as f64 / 7.0);
        for &value in grids[which] {
            let trial = model.with(which, value);
            let found = mean(&errors(&sample, trial)?, |e| e.mean);
            if found < score {
                (score, model) = (found, trial);
            }
        }
    }
    let others = tracks.iter().enumerate().filter(|(k, _)| k % 10 != 0);
    let others: Vec<&Vec<Row>> = others.map(|(_, track)| track).collect();
    let held_out = mean(&errors(&others, model)?, |e| e.mean);
    Ok(format!(
        "{model}\n  mean position error {score:.4} widths on the {} tosses tuned on, {held_out:.4} on the {} \
         others\n",
        sample.len(),
        others.len()
    ))
}

impl std::fmt::Display for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Model { mu, restitution, table } = self;
        write!(f, "mu {mu}, e {restitution}, table {table}")
    }
}

fn at_most(what: &str, limit: f64, found: f64, unit: &str) -> Check {
    Check {
        what: what.to_owned(),
        expected: format!("MuJoCo {limit}"),
        found: format!("{found:.4} {unit}"),
        allowed: format!("<= {limit}"),
        holds: found <= limit,
    }
}

fn errors(tracks: &[&Vec<Row>], model: Model) -> Result<Vec<Errors>, VerifyError> {
    tracks.par_iter().map(|track| simulate(track, model)).collect()
}

fn simulate(track: &[Row], model: Model) -> Result<Errors, VerifyError> {
    let surface = Surface::new("acrylic");
    let section = Arc::new(Coulomb::new(model.mu)?);
    let pairing = Pairing::new(vec![surface], Vec::new(), &Fallback::Section(section));
    let settings = Settings {
        gravity: DVec3::Z * -9.81,
        dt: 1.0 / (RATE * SUBSTEPS as f64),
        ..Settings::default()
    };
    let mut world = World::new(settings, built(pairing)?);
    let table = BodyDesc::fixed("table", Shape::HalfSpace { normal: DVec3::Z });
    add(&mut world, table.at(DVec3::Z * (model.table * HALF)))?;
    let first = track[0];
    let mut cube = BodyDesc::new("cube", Shape::Box { half_extents: DVec3::splat(HALF) });
    cube.pose = DPose3::from_parts(first.position, first.rotation);
    cube.linear_velocity = first.velocity;
    cube.angular_velocity = first.spin;
    cube.restitution = model.restitution;
    cube.mass = Mass::Explicit {
        mass: 0.37,
        centre: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::splat(8.1e-4)),
    };
    let BodyId(id) = add(&mut world, cube)?;
    let mut sum = Errors { mean: 0.0, last: 0.0, turn: 0.0, last_turn: 0.0 };
    for row in &track[1..] {
        for _ in 0..SUBSTEPS {
            world.step();
        }
        let pose = &world.bodies()[id].pose;
        let apart = pose.translation.distance(row.position) / (2.0 * HALF);
        let turn = pose.rotation.angle_between(row.rotation).to_degrees();
        sum =
            Errors { mean: sum.mean + apart, last: apart, turn: sum.turn + turn, last_turn: turn };
    }
    let count = (track.len() - 1).max(1) as f64;
    Ok(Errors { mean: sum.mean / count, turn: sum.turn / count, ..sum })
}

fn mean(errors: &[Errors], of: impl Fn(&Errors) -> f64) -> f64 {
    errors.iter().map(of).sum::<f64>() / errors.len().max(1) as f64
}

fn median(errors: &[Errors], of: impl Fn(&Errors) -> f64) -> f64 {
    let mut values: Vec<f64> = errors.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn read_all(host: &dyn Host, data: &Path) -> Result<Vec<Vec<Row>>, VerifyError> {
    let folder = host::inside(host, data, &["data/cube_tosses", "cube_tosses"]);
    let number = |name: &str| name.strip_suffix(".csv")?.parse::<u32>().ok();
    let mut paths = host::files(host, &folder, |name| number(name).is_some())?;
    paths.sort_by_key(|path| stem(path).parse::<u32>().ok());
    if paths.is_empty() {
        return Err(at(&folder, "no tosses (NUMBER.csv)"));
    }
    paths.iter().map(|path| read_track(host, path)).collect()
}

fn read_track(host: &dyn Host, path: &Path) -> Result<Vec<Row>, VerifyError> {
    let row = |v: [f64; 13]| {
        let rotation = DQuat::from_xyzw(v[4], v[5], v[6], v[3]).normalize();
        Row {
            position: DVec3::new(v[0], v[1], v[2]) * HALF,
            rotation,
            velocity: DVec3::new(v[7], v[8], v[9]) * HALF,
            spin: rotation * DVec3::new(v[10], v[11], v[12]),
        }
    };
    let rows: Vec<Row> = host::numbers(host, path, "13 numbers")?.into_iter().map(row).collect();
    if rows.len() < 2 {
        return Err(at(path, "fewer than two rows"));
    }
    Ok(rows)
}
