//! Contacts, dynamics and sampling of whole scenes, as Table 1 of Andrews et al. 2021 has them.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::commands::verify::Disk;
use crate::error::CliError;
use crate::progress::spinner;
use crate::sampler::Which;
use crate::scene::load_scene;
use asperity_verify::scenes::paths;

#[derive(Serialize)]
pub(super) struct SceneRow {
    scene: String,
    sampler: String,
    steps: usize,
    /// Means over the steps.
    contacts: f64,
    patches: f64,
    dynamics_milliseconds: f64,
    sampling_milliseconds: f64,
}

/// Steps of each scene at most, and seconds.
const STEPS: usize = 300;
const LONGEST: Duration = Duration::from_secs(5);

/// A row for every scene of a folder.
pub(super) fn rows(folder: &Path, sampler: Which) -> Result<Vec<SceneRow>, CliError> {
    paths(&Disk::default(), folder)?.iter().map(|path| row(path, sampler)).collect()
}

fn row(path: &Path, sampler: Which) -> Result<SceneRow, CliError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bar = spinner(&name);
    let mut scene = load_scene(path)?;
    sampler.install(&mut scene.world)?;
    let world = &mut scene.world;
    let started = Instant::now();
    let (mut steps, mut contacts, mut patches) = (0, 0, 0);
    while steps < STEPS && started.elapsed() < LONGEST {
        let report = world.step();
        contacts += report.contacts;
        patches += report.patches;
        steps += 1;
    }
    let (all, sampling) = (started.elapsed(), world.sampling_time());
    bar.finish_and_clear();
    let mean = |total: f64| total / steps.max(1) as f64;
    Ok(SceneRow {
        scene: name,
        sampler: world.sampler(),
        steps,
        contacts: mean(contacts as f64),
        patches: mean(patches as f64),
        dynamics_milliseconds: mean(1e3 * all.saturating_sub(sampling).as_secs_f64()),
        sampling_milliseconds: mean(1e3 * sampling.as_secs_f64()),
    })
}

/// For people.
pub(super) fn table(rows: &[SceneRow]) -> String {
    let mut text = format!(
        "{:24} {:>8} {:>8} {:>8} {:>12} {:>12}  sampler\n",
        "scene", "steps", "contacts", "patches", "dynamics ms", "sampling ms"
    );
    for r in rows {
        text += &format!(
            "{:24} {:>8} {:>8.1} {:>8.1} {:>12.3} {:>12.3}  {}\n",
            r.scene,
            r.steps,
            r.contacts,
            r.patches,
            r.dynamics_milliseconds,
            r.sampling_milliseconds,
            r.sampler
        );
    }
    text
}
