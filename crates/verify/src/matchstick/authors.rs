//! The authors' own trajectories, whole, against the scenes of their figures.
//!
//! What is known of their program (github.com/erleben/matchstick) and seen in its files: contacts are found once
//! bodies overlap, so that the first step is free fall, and all that follows is ahead by what contacts would have
//! kept back in it; its cylinders are prisms of twenty sides; its friction rows have r-factors of their own, by
//! which boxes slide beside the direction of greatest dissipation. See docs/papers/erleben2020.md.

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

/// Where a body was when.
#[derive(Debug, Clone, Copy)]
struct Sample {
    time: f64,
    place: DVec3,
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
            let [time, x, y, z, ..] = numbers[..] else {
                return Err(at(&path, &format!("line {}: expected a time and a place", k + 1)));
            };
            let sample = Sample { time, place: DVec3::new(x, y, z) };
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

    /// Nine boxes on planks, every sample until 1 s.
    pub(super) fn boxes(&self) -> Result<Vec<Check>, VerifyError> {
        let track = follow(&mut self.scene(LANES)?, 1.0);
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
            let mut worst = 0.0_f64;
            for sample in theirs.body("body_2", 1.0)?.filter(|s| s.time > 0.2) {
                let ours = at_time(ours, sample.time);
                let apart = (sample.place - start - ahead).distance(ours);
                worst = worst.max((apart - 1e-5).max(0.0) / ours.length().max(1e-3));
            }
            let within = BOXES.iter().find(|(name, _)| name == lane).map_or(OFF, |(_, part)| *part);
            checks.push(part_off(&format!("{lane}: authors, 0.2 to 1 s"), worst, within));
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
        let mut prisms = host::scene_of(self.host, &path, &faceted(&text))?;
        prisms.world.settings.dt = 0.002;
        let prisms = follow(&mut prisms, 1.6);
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
        Ok(checks)
    }

    /// The ball before it hits, and the crown of the arch that slides apart, as far as its run is a reference: it
    /// slides on one side only.
    pub(super) fn structures(&self) -> Result<Vec<Check>, VerifyError> {
        let mut checks = Vec::new();
        let balls = follow(&mut self.scene(super::TOWERS)?, 0.4);
        for (file, ball) in [("s001", "left.ball"), ("s100", "right.ball")] {
            let Some(theirs) = self.recording(&format!("prox_stack_{file}.csv"))? else { continue };
            let off = |s: Sample| {
                (s.place - DVec3::new(5.0, 6.0, 0.0)).distance(at_time(&balls[ball], s.time))
            };
            let worst = theirs.body("ball_0", 0.4)?.map(off).fold(0.0, f64::max);
            checks.push(Check::below(&format!("{ball}: authors, to 0.4 s"), 1e-3, worst, "m"));
        }
        if let Some(theirs) = self.recording("prox_arch_s010.csv")? {
            let ours = follow(&mut self.scene(super::ARCHES)?, 1.2);
            let crown: Vec<Sample> = theirs.body("body_10", 1.2)?.collect();
            let first = crown.first().map_or(DVec3::NAN, |s| s.place);
            for time in [0.6, 1.0, 1.2] {
                let sample = crown
                    .iter()
                    .min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()));
                let theirs = sample.map_or(f64::NAN, |s| first.y - s.place.y);
                let found = -at_time(&ours["weak.3"], time).y;
                let what = format!("weak arch: sinking of the crown at {time} s, authors");
                checks.push(Check::relative(&what, theirs, found, 0.15, "m"));
            }
        }
        Ok(checks)
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

/// Their file, the body of the scene, until when it is compared and how near it must be, metres. On its edges a
/// prism on an oblique grain strays: some runs with slightly other contacts scatter by half of what is allowed.
const ROLLING: [(&str, &str, f64, f64); 4] = [
    ("p100_c001", "aligned", 1.0, 0.003),
    ("p100_c010", "isotropic", 1.0, 0.003),
    ("p101_c001", "skids_off", 1.0, 0.02),
    ("p101_c010", "holds", 1.6, 0.06),
];
