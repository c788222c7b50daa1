//! A recorded run by its bodies.

use std::path::Path;

use asperity_scene::record::{Recording, SoftColumns};
use asperity_scene::run::Report;

use crate::error::CliError;
use crate::recording::{self, REPORT};

/// A recorded run.
#[derive(Debug)]
pub(super) struct Data {
    /// What the run came to.
    pub(super) report: Report,
    /// What was recorded.
    pub(super) recording: Recording,
    bodies: Vec<Body>,
    softs: Vec<Soft>,
}

/// One body over time.
#[derive(Debug, Default, Clone)]
pub(super) struct Body {
    /// Its name.
    pub(super) name: String,
    /// Seconds.
    pub(super) time: Vec<f64>,
    /// Metres.
    pub(super) position: Vec<[f64; 3]>,
    /// m/s.
    pub(super) velocity: Vec<[f64; 3]>,
}

/// A cloth or soft solid over time.
#[derive(Debug, Default, Clone)]
pub(super) struct Soft {
    /// Its name, and its centre of mass as that of a rigid body.
    pub(super) body: Body,
    /// Sides of the box around it, metres.
    pub(super) extent: Vec<[f64; 3]>,
    /// Length of its surface's edges over that at the start: of all, and of the longest drawn.
    pub(super) stretch: Vec<[f64; 2]>,
    /// Kinetic and elastic, joules.
    pub(super) energy: Vec<[f64; 2]>,
}

impl Data {
    /// Reads what `asperity run --out` wrote.
    pub(super) fn read(folder: &Path) -> Result<Data, CliError> {
        let path = folder.join(REPORT);
        let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => CliError::Input(format!(
                "{}: there is no {REPORT}; expected a folder that `asperity run SCENE --out DIR` wrote",
                folder.display()
            )),
            _ => CliError::at(&path)(error),
        })?;
        let report = serde_json::from_str(&text)
            .map_err(|e| CliError::Input(format!("{}: {e}", path.display())))?;
        let recording = recording::read(folder)?;
        let bodies = (0..recording.bodies.len()).map(|k| Body::new(&recording, k)).collect();
        let time = &recording.world.time;
        let softs = recording.softs.iter().map(|soft| Soft::new(time, soft)).collect();
        Ok(Data { report, recording, bodies, softs })
    }

    /// What the run was of.
    pub(super) fn title(&self) -> String {
        self.report.title.clone().unwrap_or_else(|| self.report.scene.clone())
    }

    /// How it was run.
    pub(super) fn subtitle(&self) -> String {
        let Report { scene, steps, dt, state_hash, .. } = &self.report;
        format!("{scene}: {steps} steps of {dt} s, state {state_hash}")
    }

    /// Time and a number for each frame.
    pub(super) fn over_time(&self, values: impl IntoIterator<Item = f64>) -> Vec<[f64; 2]> {
        self.recording.world.time.iter().zip(values).map(|(t, v)| [*t, v]).collect()
    }

    /// Time and a probe; empty where it was not recorded.
    pub(super) fn probe(&self, head: &str) -> Vec<[f64; 2]> {
        let Recording { channels, values, .. } = &self.recording;
        let found = channels.iter().position(|channel| channel.head() == head);
        let column = |k: usize| values.iter().copied().skip(k).step_by(channels.len());
        found.map_or(Vec::new(), |k| self.over_time(column(k)))
    }

    /// The rigid and the soft bodies of some names, in their order.
    pub(super) fn named(&self, names: &[String]) -> Result<(Vec<&Body>, Vec<&Soft>), CliError> {
        let (mut bodies, mut softs) = (Vec::new(), Vec::new());
        for name in names {
            let body = self.bodies.iter().find(|b| b.name == *name);
            let soft = self.softs.iter().find(|s| s.body.name == *name);
            if body.is_none() && soft.is_none() {
                return Err(self.unknown(name));
            }
            bodies.extend(body);
            softs.extend(soft);
        }
        Ok((bodies, softs))
    }

    fn unknown(&self, name: &str) -> CliError {
        let most = 20;
        let all = self.bodies.iter().chain(self.softs.iter().map(|s| &s.body));
        let names: Vec<&str> = all.clone().map(|b| b.name.as_str()).take(most).collect();
        let more = if all.count() > most { ", ..." } else { "" };
        let names = names.join(", ");
        CliError::Input(format!("there is no body \"{name}\"; expected one of {names}{more}"))
    }

    /// The rigid and the soft bodies that come farthest from their start, so many of each, in the
    /// order of the scene.
    pub(super) fn liveliest(&self, count: usize) -> (Vec<&Body>, Vec<&Soft>) {
        (liveliest(&self.bodies, |body| body, count), liveliest(&self.softs, |s| &s.body, count))
    }
}

/// Those that come farthest from their start, in their order.
fn liveliest<T>(all: &[T], body: impl Fn(&T) -> &Body, count: usize) -> Vec<&T> {
    let reach: Vec<f64> = all.iter().map(|one| body(one).reach()).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&i, &j| reach[j].total_cmp(&reach[i]));
    order.truncate(count);
    order.retain(|&i| reach[i] > 0.0);
    order.sort_unstable();
    order.into_iter().map(|i| &all[i]).collect()
}

impl Body {
    /// A rigid body by its number.
    fn new(recording: &Recording, number: usize) -> Body {
        let bodies = recording.bodies.len();
        let of = |rows: &[[f64; 3]]| rows.iter().copied().skip(number).step_by(bodies).collect();
        Body {
            name: recording.bodies[number].clone(),
            time: recording.world.time.clone(),
            position: of(&recording.position),
            velocity: of(&recording.velocity),
        }
    }

    /// Where it is from its start, metres.
    pub(super) fn displacement(&self) -> Vec<[f64; 3]> {
        let Some(start) = self.position.first() else { return Vec::new() };
        self.position.iter().map(|p| [0, 1, 2].map(|k| p[k] - start[k])).collect()
    }

    /// Greatest distance from its start, metres.
    fn reach(&self) -> f64 {
        let length = |d: &[f64; 3]| d.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.displacement().iter().map(length).fold(0.0, f64::max)
    }
}

impl Soft {
    fn new(time: &[f64], soft: &SoftColumns) -> Soft {
        let body = Body {
            name: soft.name.clone(),
            time: time.to_vec(),
            position: soft.centre.clone(),
            velocity: soft.velocity.clone(),
        };
        let energy = soft.kinetic.iter().zip(&soft.elastic).map(|(k, e)| [*k, *e]).collect();
        Soft { body, extent: soft.extent.clone(), stretch: soft.stretch.clone(), energy }
    }
}
