//! `asperity verify`: closed forms against Asperity, as a table that fails when one is out.

use std::path::{Path, PathBuf};
use std::time::Instant;

use asperity::friction::surface::patch::SamplePatches;
use asperity_gpu::PatchSampler;
use asperity_scene::Scene;
use asperity_verify::{Check, Host, Inputs, Progress, Subject, Table, groups};
use clap::ValueEnum;
use indicatif::ProgressBar;

use crate::error::CliError;
use crate::output::{print, print_as};
use crate::progress::spinner;
use crate::sampler::Which;
use crate::scene::load_scene;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to verify.
    subject: Subject,
    /// Run the long forms too.
    #[arg(long)]
    full: bool,
    /// Folder with measured data: the one that holds data/ and golden/, or the folder of the files
    /// themselves.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Folder with the scenes to verify; default scenes/ and the name.
    #[arg(long)]
    scenes: Option<PathBuf>,
    /// Who samples normal maps in scenes.
    #[arg(long, value_enum, default_value = "cpu")]
    sampler: Which,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
    /// Only checks whose name has this in it.
    #[arg(long)]
    only: Option<String>,
}

/// Runs the checks; true when all hold.
pub(crate) fn run(args: &Args) -> Result<bool, CliError> {
    let name = args.subject.to_possible_value();
    let folder = name.as_ref().map_or("", |name| name.get_name());
    let scenes = args.scenes.clone().unwrap_or_else(|| scenes_folder().join(folder));
    let inputs = Inputs { scenes, data: args.data.clone(), full: args.full };
    let host = Disk { sampler: args.sampler, bar: spinner("") };
    let wanted = |name: &str| args.only.as_ref().is_none_or(|text| name.contains(text.as_str()));
    let groups =
        groups(args.subject, &host, &inputs)?.into_iter().filter(|g| wanted(g.0)).collect();
    let mut started = Instant::now();
    let tables = asperity_verify::run(groups, &mut |progress| match progress {
        Progress::Begins(name) => {
            host.bar.set_message(name);
            started = Instant::now();
        }
        Progress::Ended(table) if !args.json => {
            host.bar.suspend(|| print(&text(table, started.elapsed().as_secs_f64())));
        }
        Progress::Ended(_) => {}
    })?;
    host.bar.finish_and_clear();
    let checks: Vec<Check> = tables.into_iter().flat_map(|table| table.checks).collect();
    let out = checks.iter().filter(|c| !c.holds).count();
    let told = checks.iter().filter(|c| c.is_told()).count();
    let hold = checks.len() - out - told;
    let told = if told > 0 { format!(", {told} only told") } else { String::new() };
    print_as(args.json, &checks, || format!("{hold} hold, {out} are out{told}\n"))?;
    Ok(out == 0)
}

/// The folder with the scenes: scenes/ where the command is run or above, or above the program itself.
fn scenes_folder() -> PathBuf {
    let places = [std::env::current_dir().ok(), std::env::current_exe().ok()];
    let above = places.iter().flatten().flat_map(|place| place.ancestors());
    let found = above.map(|folder| folder.join("scenes")).find(|f| f.join("matchstick").is_dir());
    found.unwrap_or_else(|| PathBuf::from("scenes"))
}

/// A group of checks as lines.
fn text(table: &Table, seconds: f64) -> String {
    let mut text = format!("{} ({seconds:.1} s)\n", table.name);
    for check in &table.checks {
        let Check { what, expected, found, allowed, holds } = check;
        let word = if check.is_told() {
            "told"
        } else if *holds {
            "ok"
        } else {
            "OUT"
        };
        text += &format!("  {word:4} {what:58} {expected:>18} {found:>18} {allowed:>10}\n");
    }
    text
}

/// Files from the disk, scenes with all that they name, and the sampler that was asked for.
pub(crate) struct Disk {
    sampler: Which,
    bar: ProgressBar,
}

impl Disk {
    /// Tells on the terminal how far things are.
    pub(crate) fn watched() -> Disk {
        Disk { sampler: Which::Cpu, bar: spinner("") }
    }
}

impl Default for Disk {
    fn default() -> Disk {
        Disk { sampler: Which::Cpu, bar: ProgressBar::hidden() }
    }
}

impl Host for Disk {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|e| e.to_string())
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>, String> {
        let entries = std::fs::read_dir(folder).map_err(|e| e.to_string())?;
        let name = |entry: std::io::Result<std::fs::DirEntry>| match entry {
            Ok(entry) => Ok(entry.file_name().to_string_lossy().into_owned()),
            Err(error) => Err(error.to_string()),
        };
        entries.map(name).collect()
    }

    fn scene(&self, path: &Path) -> Result<Scene, String> {
        load_scene(path).map_err(|e| e.to_string())
    }

    fn sampler(&self) -> Result<Option<Box<dyn SamplePatches>>, String> {
        self.sampler.sampler()
    }

    fn device(&self) -> Result<Box<dyn SamplePatches>, String> {
        match PatchSampler::new() {
            Ok(device) => Ok(Box::new(device)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn watch(&self, what: &str, done: f64) {
        self.bar.set_message(format!("{what}, {:.0} % done", 100.0 * done));
    }
}
