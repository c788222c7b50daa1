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
    /// Of the same example in the paper, where it has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    paper: Option<Published>,
}

/// A row of Table 1: a PC with an Intel Core i9 of 2.4 GHz and an NVIDIA GTX 1650.
#[derive(Debug, Clone, Copy, Serialize)]
struct Published {
    contacts: u32,
    /// All of a step's dynamics, sampling included.
    dynamics_milliseconds: f64,
    /// Rendering of the patches and means over them.
    sampling_milliseconds: f64,
}

/// Table 1, by the names of our scenes: contacts, "Dynamics total", and the sum of the two columns after it.
const TABLE_1: [(&str, u32, f64, f64); 12] = [
    ("four_materials", 16, 3.1, 2.8),
    ("sawtooth_along", 4, 2.7, 2.5),
    ("sawtooth_gentle", 4, 2.7, 2.5),
    ("sawtooth_steep", 4, 2.7, 2.5),
    ("bolas_rough", 45, 41.6, 7.9),
    ("bolas_smooth", 23, 34.1, 3.9),
    ("stacks_forward", 123, 33.1, 4.1),
    ("stacks_sideways", 123, 33.1, 4.1),
    ("bunnies", 10, 3.5, 1.83),
    ("nut_and_bolt", 50, 38.1, 2.74),
    ("worm_backward", 94, 6.3, 2.66),
    ("worm_forward", 94, 6.3, 2.66),
];

/// Steps of each scene at most, and seconds, where not all of it is wanted.
const STEPS: usize = 300;
const LONGEST: Duration = Duration::from_secs(5);

/// A row for every scene of a folder.
pub(super) fn rows(folder: &Path, sampler: Which, whole: bool) -> Result<Vec<SceneRow>, CliError> {
    paths(&Disk::default(), folder)?.iter().map(|path| row(path, sampler, whole)).collect()
}

fn row(path: &Path, sampler: Which, whole: bool) -> Result<SceneRow, CliError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bar = spinner(&name);
    let mut scene = load_scene(path)?;
    sampler.install(&mut scene.world)?;
    let all = (scene.duration / scene.world.settings.dt).round() as usize;
    let world = &mut scene.world;
    let started = Instant::now();
    let (mut steps, mut contacts, mut patches) = (0, 0, 0);
    while steps < if whole { all } else { STEPS } && (whole || started.elapsed() < LONGEST) {
        let report = world.step();
        contacts += report.contacts;
        patches += report.patches;
        steps += 1;
    }
    let (all, sampling) = (started.elapsed(), world.sampling_time());
    bar.finish_and_clear();
    let mean = |total: f64| total / steps.max(1) as f64;
    let paper = TABLE_1.iter().find(|(of, ..)| *of == name);
    let paper = paper.map(|(_, contacts, dynamics, sampling)| Published {
        contacts: *contacts,
        dynamics_milliseconds: *dynamics,
        sampling_milliseconds: *sampling,
    });
    Ok(SceneRow {
        paper,
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
        "{:24} {:>8} {:>8} {:>8} {:>12} {:>12}  {:20}  Table 1: contacts, dynamics, sampling ms\n",
        "scene", "steps", "contacts", "patches", "dynamics ms", "sampling ms", "sampler"
    );
    for r in rows {
        text += &format!(
            "{:24} {:>8} {:>8.1} {:>8.1} {:>12.3} {:>12.3}  {:20}  {}\n",
            r.scene,
            r.steps,
            r.contacts,
            r.patches,
            r.dynamics_milliseconds,
            r.sampling_milliseconds,
            r.sampler,
            r.paper.map_or(String::new(), |p| format!(
                "{:>8} {:>10} {:>10}",
                p.contacts, p.dynamics_milliseconds, p.sampling_milliseconds
            ))
        );
    }
    text
}
