//! The authors' own trajectories, whole, against the scenes of their figures.
//!
//! What is known of their program (github.com/erleben/matchstick) and seen in its files: contacts are found once
//! bodies overlap, so that the first step is free fall, and all that follows is ahead by what contacts would have
//! kept back in it; its cylinders are prisms of twenty sides; its friction rows have r-factors of their own, by
//! which boxes slide beside the direction of greatest dissipation. See docs/papers/erleben2020.md.

mod structures;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asperity::body::Body;
use asperity::glamx::{DQuat, DVec3};
use asperity_scene::Scene;

use super::{GRAVITY, LANES, lane_acceleration, lane_grains};
use crate::host::{self, at};
use crate::{Check, Host, VerifyError};

/// Steps of theirs, seconds.
const STEP: f64 = 0.01;

/// Where a body was when, and how turned.
#[derive(Debug, Clone, Copy)]
struct Sample {
    time: f64,
    place: DVec3,
    turn: DQuat,
}

/// One of their files.
struct Recording {
    path: PathBuf,
    bodies: BTreeMap<String, Vec<Sample>>,
}

impl Recording {
    fn read(host: &dyn Host, path: PathBuf) -> Result<Recording, VerifyError> {
        let text = host::text(host, &path)?;
        let mut bodies: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
        for (k, line) in text.lines().enumerate().skip(1) {
            let (name, rest) = line.split_once(',').unwrap_or((line, ""));
            let numbers: Vec<f64> = rest.split(',').filter_map(|t| t.trim().parse().ok()).collect();
            let [time, x, y, z, qs, qx, qy, qz] = numbers[..] else {
                let message = format!("line {}: expected a time, a place and a quaternion", k + 1);
                return Err(at(&path, &message));
            };
            let turn = DQuat::from_xyzw(qx, qy, qz, qs);
            let sample = Sample { time, place: DVec3::new(x, y, z), turn };
            bodies.entry(name.to_owned()).or_default().push(sample);
        }
        Ok(Recording { path, bodies })
    }

    /// The samples of a body up to a time.
    fn body(&self, name: &str, until: f64) -> Result<impl Iterator<Item = Sample>, VerifyError> {
        let all = self.bodies.get(name);
        let all = all.ok_or_else(|| at(&self.path, &format!("no rows of {name}")))?;
        Ok(all.iter().copied().take_while(move |s| s.time < until + 1e-6))
    }
}

/// Their files, and the scenes beside which they are held.
pub(super) struct Authors<'a> {
    host: &'a dyn Host,
    folder: PathBuf,
    scenes: PathBuf,
    files: Vec<String>,
}

impl<'a> Authors<'a> {
    pub(super) fn find(
        host: &'a dyn Host,
        data: &Path,
        scenes: &Path,
    ) -> Result<Authors<'a>, VerifyError> {
        let folder = host::inside(host, data, &["golden/matchstick"]);
        let files = host.list(&folder).map_err(|e| at(&folder, &e))?;
        Ok(Authors { host, folder, scenes: scenes.to_owned(), files })
    }

    /// One of their recordings; nothing where it is not there.
    fn recording(&self, file: &str) -> Result<Option<Recording>, VerifyError> {
        if !self.files.iter().any(|known| known == file) {
            return Ok(None);
        }
        Recording::read(self.host, self.folder.join(file)).map(Some)
    }

    fn scene(&self, file: &str) -> Result<Scene, VerifyError> {
        host::scene(self.host, &self.scenes.join(file))
    }

    /// Nine boxes on planks, every sample until 1 s; those that go straight, until they leave their plank at its end.
    pub(super) fn boxes(&self) -> Result<Vec<Check>, VerifyError> {
        let track = follow(&mut self.scene(LANES)?, 2.5);
        let slope = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
        // 7 m up a plank from its middle, half its thickness and that of the box above it.
        let start = DVec3::Y * MIDDLE + slope * DVec3::new(7.0, 0.25 + 1.0 / 3.0, 0.0);
        let mut checks = Vec::new();
        for (lane, ours) in &track {
            let Some(grains) = lane_grains(lane) else { continue };
            let Some(theirs) = self.recording(&format!("prox_box_plane_{lane}.csv"))? else {
                continue;
            };
            let ahead = (DVec3::Y * -GRAVITY - lane_acceleration(grains)) * (STEP * STEP);
            let off = |until: f64| -> Result<f64, VerifyError> {
                let part = |sample: Sample| {
                    let ours = at_time(ours, sample.time);
                    let apart = (sample.place - start - ahead).distance(ours);
                    (apart - 1e-5).max(0.0) / ours.length().max(1e-3)
                };
                let samples = theirs.body("body_2", until)?.filter(|s| s.time > 0.2);
                Ok(samples.map(part).fold(0.0, f64::max))
            };
            let within = BOXES.iter().find(|(name, _)| name == lane).map_or(OFF, |(_, part)| *part);
            checks.push(part_off(&format!("{lane}: authors, 0.2 to 1 s"), off(1.0)?, within));
            if let Some((_, until, within)) = WHOLE.iter().find(|(name, ..)| name == lane) {
                let what = format!("{lane}: authors, 0.2 to {until} s");
                checks.push(part_off(&what, off(*until)?, *within));
            }
        }
        if checks.is_empty() {
            return Err(at(&self.folder, "no trajectories (prox_box_plane_*.csv)"));
        }
        Ok(checks)
    }

    /// Cylinders with twenty sides as theirs, and round ones, which must not do.
    pub(super) fn cylinders(&self) -> Result<Vec<Check>, VerifyError> {
        let path = self.scenes.join(super::CYLINDERS);
        let text = host::text(self.host, &path)?;
        let faceted = faceted(&text);
        let mut prisms = host::scene_of(self.host, &path, &faceted)?;
        prisms.world.settings.dt = 0.002;
        let prisms = follow(&mut prisms, 2.0);
        let round = follow(&mut self.scene(super::CYLINDERS)?, 1.6);
        let mut checks = Vec::new();
        for (file, name, until, within) in ROLLING {
            let file = format!("prox_rolling_cylinder_{file}.csv");
            let Some(theirs) = self.recording(&file)? else { continue };
            let slope = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
            let start = DVec3::Y * MIDDLE + slope * DVec3::new(7.0, 0.75, 0.0);
            let samples: Vec<Sample> = theirs.body("body_2", until)?.collect();
            // Along the slope and across; they bounce a little on their edges. Where one rolls on an oblique grain, it
            // strays by what its edges happen to meet, and only the way down is compared.
            let apart = |track: &Track| {
                let ours = &track[name];
                let off = |s: &Sample| {
                    let off = slope.inverse() * (s.place - start - at_time(ours, s.time));
                    if name == "holds" { off.x.abs() } else { off.x.hypot(off.z) }
                };
                samples.iter().map(off).fold(0.0, f64::max)
            };
            let [prism, round] = [apart(&prisms), apart(&round)];
            let what = format!("{name}, prism of 20 sides: authors, to {until} s");
            checks.push(Check::below(&what, within, prism, "m"));
            if name == "skids_off" || name == "holds" {
                let what = format!("{name}, round: farther off than that");
                let far = if round > 1.5 * within { "yes" } else { "no" };
                checks.push(Check::fact(&what, "yes", far));
            }
        }
        checks.extend(self.struck(&faceted, &prisms)?);
        Ok(checks)
    }

    /// The cylinder that rolls as if on rails, after 1.1 s. Theirs is struck there: it pitches, and from one sample to
    /// the next turns about the normal of its plank at 15 degrees a second, while ours goes straight on. Struck as
    /// theirs is, ours goes the same way; not struck, it does not.
    fn struck(&self, faceted: &str, straight: &Track) -> Result<Vec<Check>, VerifyError> {
        let Some(theirs) = self.recording("prox_rolling_cylinder_p100_c001.csv")? else {
            return Ok(Vec::new());
        };
        let slope = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
        let samples: Vec<Sample> = theirs.body("body_2", 2.0)?.collect();
        // How far its axis, across the plank at first, has turned about the normal.
        let Some(first) = samples.first() else { return Ok(Vec::new()) };
        let axis = first.turn.inverse() * DVec3::Z;
        let yaw = |time: f64| {
            let near =
                |a: &&Sample, b: &&Sample| (a.time - time).abs().total_cmp(&(b.time - time).abs());
            let turn = samples.iter().min_by(near).map_or(DQuat::NAN, |s| s.turn);
            let axis = slope.inverse() * (turn * axis);
            axis.x.atan2(axis.z)
        };
        let rate = (yaw(STRUCK + 0.2) - yaw(STRUCK + 0.08)) / 0.12;
        let path = self.scenes.join(super::CYLINDERS);
        let mut scene = host::scene_of(self.host, &path, faceted)?;
        scene.world.settings.dt = 0.002;
        let before = follow(&mut scene, STRUCK);
        if let Some(id) = scene.world.find("aligned") {
            let body = &scene.world.bodies()[id.0];
            let (linear, angular) = (body.linear_velocity, body.angular_velocity);
            scene.world.set_velocity(id, linear, angular + slope * DVec3::Y * rate);
        }
        let after = follow(&mut scene, 2.0 - STRUCK);
        let start = DVec3::Y * MIDDLE + slope * DVec3::new(7.0, 0.75, 0.0);
        let gone = before["aligned"].last().map_or(DVec3::NAN, |(_, moved)| *moved);
        // Down the slope and aside.
        let off = |ours: &dyn Fn(f64) -> DVec3| {
            let late = samples.iter().filter(|s| s.time > STRUCK);
            late.fold([0.0_f64; 2], |[down, aside], s| {
                let off = slope.inverse() * (s.place - start - ours(s.time));
                [down.max(off.x.abs()), aside.max(off.z.abs())]
            })
        };
        let struck = off(&|time| gone + at_time(&after["aligned"], time));
        let not = off(&|time| at_time(&straight["aligned"], time));
        let far = if not[1] > 3.0 * ASIDE { "yes" } else { "no" };
        let rate = format!("struck at {STRUCK} s ({:.1} deg/s)", rate.to_degrees());
        Ok(vec![
            Check::below(
                &format!("aligned, {rate}: authors, aside, to 2 s"),
                ASIDE,
                struck[1],
                "m",
            ),
            Check::below(&format!("aligned, {rate}: authors, down, to 2 s"), DOWN, struck[0], "m"),
            Check::fact("aligned, not struck: farther aside than that", "yes", far),
        ])
    }
}

/// How far each body was from where it began, at every step.
pub(super) type Track = BTreeMap<String, Vec<(f64, DVec3)>>;

/// Steps a scene for so long.
pub(super) fn follow(scene: &mut Scene, seconds: f64) -> Track {
    let mut track = Track::new();
    let begin: Vec<DVec3> = scene.world.bodies().iter().map(Body::centre_of_mass).collect();
    for _ in 0..(seconds / scene.world.settings.dt).round() as usize {
        scene.world.step();
        let time = scene.world.time();
        for (body, begin) in scene.world.bodies().iter().zip(&begin) {
            let moved = body.centre_of_mass() - *begin;
            track.entry(body.name.clone()).or_default().push((time, moved));
        }
    }
    track
}

/// Where it was at a time at the end of a step.
pub(super) fn at_time(path: &[(f64, DVec3)], time: f64) -> DVec3 {
    let near = path.iter().min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs()));
    near.map_or(DVec3::NAN, |(_, moved)| *moved)
}

/// Cylinders of radius 0.5 and length 1 as prisms of twenty sides, an edge downwards on a slope of 45 degrees.
fn faceted(text: &str) -> String {
    let corner = |k: usize, y: f64| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / 20.0).sin_cos();
        format!("[{:.9}, {y}, {:.9}]", 0.5 * cos, 0.5 * sin)
    };
    let corners = [-0.5, 0.5].map(|y| (0..20).map(|k| corner(k, y)).collect::<Vec<_>>().join(", "));
    let hull = format!("{{ hull = [{}] }}", corners.join(", "));
    let turned = "rotate = [{ axis = \"x\", deg = 90 }, { axis = \"z\", deg = 45 }]";
    text.replace("{ cylinder = [0.5, 1] }", &hull)
        .replace("rotate = { axis = \"x\", deg = 90 }", turned)
}

/// When their aligned cylinder is struck, seconds, and how far one struck alike is off at most until 2 s, metres:
/// aside, and down the slope, where theirs stays behind by 1 % of the way for a reason not known.
const STRUCK: f64 = 1.16;
const ASIDE: f64 = 0.08;
const DOWN: f64 = 0.12;

fn part_off(what: &str, found: f64, within: f64) -> Check {
    Check {
        what: what.to_owned(),
        expected: "0".to_owned(),
        found: format!("{:.4} % off", 100.0 * found),
        allowed: format!("{:.3} %", 100.0 * within),
        holds: found <= within,
    }
}

/// Height of the middle of their plank, metres.
const MIDDLE: f64 = 5.48008;

/// How far their boxes are off at most, of the way gone: r-factors of single rows lead them aside by 0.4 and 0.5 %
/// on oblique grains, 3.1 % where plank and box are 45 degrees apart with the plank's grain across, and about 1 % on
/// crossed grains, where the cone is round. (Found with the sweeps of their program on random contact points; one
/// factor for both rows gives the closed form.) Along the grain and at rest there is no such error.
const BOXES: [(&str, f64); 6] = [
    ("p100_b100", 2e-5),
    ("p001_b001", 0.0),
    ("p100_b101", 0.007),
    ("p101_b101", 0.007),
    ("p100_b001", 0.012),
    ("p001_b100", 0.012),
];
/// The same of any other pair of grains.
const OFF: f64 = 0.04;

/// Boxes that stay on their planks, until these come to an end (13 m down) or the run does, and how far they are off
/// at most. Those on crossed grains drift aside a little faster the longer they go.
const WHOLE: [(&str, f64, f64); 4] = [
    ("p100_b100", 2.2, 1e-3),
    ("p001_b001", 2.5, 0.0),
    ("p100_b001", 2.2, 0.03),
    ("p001_b100", 2.2, 0.012),
];

/// Their file, the body of the scene, until when it is compared and how near it must be, metres. On its edges a
/// prism on an oblique grain strays: some runs with slightly other contacts scatter by half of what is allowed.
const ROLLING: [(&str, &str, f64, f64); 4] = [
    ("p100_c001", "aligned", 1.0, 0.003),
    ("p100_c010", "isotropic", 1.0, 0.003),
    ("p101_c001", "skids_off", 1.0, 0.02),
    ("p101_c010", "holds", 1.6, 0.06),
];
