//! Where everything was at every time: from a run made now, or from a recorded one.

use std::path::Path;

use asperity::glamx::{DPose3, DQuat, DVec3};
use asperity_scene::Scene;
use asperity_scene::record::files::name;
use asperity_scene::record::{Recording, SoftColumns};

use crate::error::CliError;
use crate::progress::simulate;
use crate::recording::{self, SCENE_COPY};
use crate::scene::load_scene;
use asperity_scene::run::Plan;

/// A run, moment by moment.
#[derive(Debug, Default)]
pub(super) struct Film {
    times: Vec<f64>,
    bodies: usize,
    /// All bodies of the first frame, then of the second, and so on.
    poses: Vec<DPose3>,
    velocities: Vec<[DVec3; 2]>,
    touches: Vec<Vec<ContactMark>>,
    /// Soft bodies.
    softs: Vec<SoftColumns>,
}

/// One time of a film.
#[derive(Debug)]
pub(super) struct Moment<'a> {
    /// World from body.
    pub(super) poses: Vec<DPose3>,
    /// m/s and rad/s.
    pub(super) velocities: &'a [[DVec3; 2]],
    /// Contacts of the step that ended last.
    pub(super) touches: &'a [ContactMark],
    /// Positions of the vertices of each soft body.
    pub(super) softs: Vec<Vec<DVec3>>,
}

/// A contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ContactMark {
    /// A and B.
    pub(super) bodies: [usize; 2],
    pub(super) point: DVec3,
    /// From A to B.
    pub(super) normal: DVec3,
    /// On B, newtons.
    pub(super) force: DVec3,
    /// Normal part of it, newtons.
    pub(super) load: f64,
}

/// Frames that are kept of a run that is made now; times between them are interpolated.
const MOST_FRAMES: u64 = 4000;

impl Film {
    /// Runs a scene until the last of the times, or reads a recorded run.
    pub(super) fn open(source: &Path, times: &[f64]) -> Result<(Scene, Film), CliError> {
        let last = times.iter().copied().fold(0.0, f64::max);
        if source.is_dir() {
            let path = source.join(SCENE_COPY);
            if !path.is_file() {
                return Err(CliError::Input(format!(
                    "{}: there is no {SCENE_COPY}; expected a folder that `asperity run SCENE --out DIR` wrote",
                    source.display()
                )));
            }
            let scene = load_scene(&path)?;
            let recording = recording::read(source)?;
            check(source, &recording, &scene)?;
            let mut film = Film::from_recording(recording);
            if !times.is_empty() {
                film.cut(last);
            }
            return Ok((scene, film));
        }
        let mut scene = load_scene(source)?;
        let duration = if times.is_empty() { scene.duration } else { last };
        let mut plan = Plan::new(&scene, Some(duration), 1)?;
        plan.every = plan.steps.div_ceil(MOST_FRAMES).max(1);
        if duration == 0.0 {
            plan.steps = 0;
        }
        let run = simulate(&mut scene, &plan);
        for frozen in &run.summary.frozen {
            eprintln!("{frozen}");
        }
        let film = Film::from_recording(run.recording);
        Ok((scene, film))
    }

    /// Forgets what comes after a time, as if the run had ended there: a recorded run and one that
    /// is made now look the same.
    fn cut(&mut self, last: f64) {
        let frames = self.times.partition_point(|t| *t < last - 1e-9 * (1.0 + last)) + 1;
        self.times.truncate(frames);
        self.touches.truncate(frames);
        self.poses.truncate(frames * self.bodies);
        self.velocities.truncate(frames * self.bodies);
        for soft in &mut self.softs {
            soft.position.truncate(frames * soft.vertices);
        }
    }

    /// A run that was just made.
    pub(super) fn from_recording(recording: Recording) -> Film {
        let poses = recording.position.iter().zip(&recording.rotation);
        let velocities = recording.velocity.iter().zip(&recording.angular_velocity);
        let of = &recording.contacts;
        let touch = |row: usize| ContactMark {
            bodies: of.bodies[row].map(|b| b as usize),
            point: of.point[row].into(),
            normal: of.normal[row].into(),
            force: of.force[row].into(),
            load: of.load[row],
        };
        Film {
            touches: (0..recording.len()).map(|f| of.rows(f).map(touch).collect()).collect(),
            times: recording.world.time,
            bodies: recording.bodies.len(),
            poses: poses.map(|(p, q)| pose(*p, *q)).collect(),
            velocities: velocities.map(|(v, w)| [(*v).into(), (*w).into()]).collect(),
            softs: recording.softs,
        }
    }

    /// Seconds at the end.
    pub(super) fn end(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Number of recorded frames.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// Where the bodies were in a recorded frame.
    pub(super) fn frame(&self, frame: usize) -> &[DPose3] {
        &self.poses[frame * self.bodies..(frame + 1) * self.bodies]
    }

    /// Soft bodies in a recorded frame.
    pub(super) fn soft_frame(&self, frame: usize) -> impl Iterator<Item = &[[f32; 3]]> {
        self.softs.iter().map(move |s| s.frame(frame))
    }

    /// All contacts.
    pub(super) fn touches(&self) -> impl Iterator<Item = &ContactMark> {
        self.touches.iter().flatten()
    }

    /// Any time between the beginning and the end.
    pub(super) fn moment(&self, time: f64) -> Moment<'_> {
        let after = self.times.partition_point(|t| *t <= time + 1e-12 * (1.0 + time));
        let before = after.saturating_sub(1);
        let next = after.min(self.len().saturating_sub(1));
        let span = self.times[next] - self.times[before];
        let share =
            if span > 0.0 { ((time - self.times[before]) / span).clamp(0.0, 1.0) } else { 0.0 };
        let between = |(a, b): (&DPose3, &DPose3)| {
            let at = a.translation.lerp(b.translation, share);
            DPose3::from_parts(at, a.rotation.slerp(b.rotation, share))
        };
        let (from, to) = (self.frame(before), self.frame(next));
        let poses =
            if share == 0.0 { from.to_vec() } else { from.iter().zip(to).map(between).collect() };
        Moment {
            poses,
            velocities: &self.velocities[before * self.bodies..(before + 1) * self.bodies],
            // The nearer of the two.
            touches: &self.touches[if share > 0.5 { next } else { before }],
            softs: self.softs.iter().map(|s| between_frames(s, before, next, share)).collect(),
        }
    }
}

/// Whether a recording is one of this scene: of the same bodies, and not of nothing.
fn check(folder: &Path, recording: &Recording, scene: &Scene) -> Result<(), CliError> {
    let (bodies, softs) = (scene.world.bodies(), scene.world.softs());
    let known = |name: &String| bodies.iter().any(|b| b.name == *name);
    if let Some(name) = recording.bodies.iter().find(|name| !known(name)) {
        let what = format!("the scene has no body \"{name}\"");
        return Err(recording::wrong(folder, name::BODIES, &what));
    }
    if !recording.bodies.iter().eq(bodies.iter().map(|b| &b.name)) {
        let list = |names: Vec<&str>| names.join(", ");
        let recorded = list(recording.bodies.iter().map(String::as_str).collect());
        let expected = list(bodies.iter().map(|b| b.name.as_str()).collect());
        let what = format!("its bodies are {recorded}; expected those of the scene: {expected}");
        return Err(recording::wrong(folder, name::BODIES, &what));
    }
    let fits = recording.softs.len() == softs.len()
        && recording.softs.iter().zip(softs).all(|(recorded, soft)| {
            recorded.name == soft.name
                && recorded.vertices == soft.body.positions.len()
                && recorded.triangles == soft.body.triangles
        });
    if !fits {
        let names = |list: &mut dyn Iterator<Item = (&String, usize)>| {
            let each = list.map(|(name, count)| format!("\"{name}\" of {count} vertices"));
            each.collect::<Vec<_>>().join(", ")
        };
        let recorded = names(&mut recording.softs.iter().map(|s| (&s.name, s.vertices)));
        let expected = names(&mut softs.iter().map(|s| (&s.name, s.body.positions.len())));
        let what = format!(
            "its cloth and soft solids are {recorded}; expected those of the scene: {expected}"
        );
        return Err(recording::wrong(folder, name::ARCHIVE, &what));
    }
    if recording.is_empty() || (bodies.is_empty() && softs.is_empty()) {
        let message = format!("{}: the recording is empty", folder.display());
        return Err(CliError::Input(message));
    }
    Ok(())
}

fn between_frames(soft: &SoftColumns, before: usize, next: usize, share: f64) -> Vec<DVec3> {
    let at = |p: &[f32; 3]| DVec3::from(p.map(f64::from));
    let pairs = soft.frame(before).iter().zip(soft.frame(next));
    pairs.map(|(a, b)| at(a).lerp(at(b), share)).collect()
}

fn pose(position: [f64; 3], rotation: [f64; 4]) -> DPose3 {
    DPose3::from_parts(position.into(), DQuat::from_array(rotation))
}
