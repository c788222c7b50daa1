//! `asperity verify`: closed forms against Asperity, as a table that fails when one is out.

mod appearance;
mod matchstick;
mod planar;
mod pushes;
mod rigid;
pub(crate) mod scenes;
pub(crate) mod setup;
mod tensors;
mod tosses;
pub(crate) mod wrench;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use crate::error::CliError;
use crate::progress::spinner;
use crate::sampler::Which;
use crate::solve::json_error;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to verify.
    name: Name,
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

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    /// The rigid-body engine.
    Rigid,
    /// Real tosses of a cube; needs --data.
    Tosses,
    /// Planar friction: closed forms; with --data the authors' results too.
    Planar,
    /// Real pushes of a triangle; needs --data.
    Pushes,
    /// The scenes of the matchstick paper; with --data the authors' trajectories too.
    Matchstick,
    /// Cloth and soft solids with friction tensors; --full drapes all of the 14,130 faces.
    Tensors,
    /// Friction from normal maps; with --data the normal maps of published assets too.
    Appearance,
    /// Overlaps of closed shapes and contacts by one wrench.
    Wrench,
}

/// One line of the table.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Check {
    /// What is measured.
    pub(crate) what: String,
    /// What theory says.
    pub(crate) expected: String,
    /// What Asperity does.
    pub(crate) found: String,
    /// How far they may be apart.
    pub(crate) allowed: String,
    /// Whether they are.
    pub(crate) holds: bool,
}

impl Check {
    /// `found` within `allowed` of `expected`, absolutely.
    pub(crate) fn near(what: &str, expected: f64, found: f64, allowed: f64, unit: &str) -> Check {
        Check {
            what: what.to_owned(),
            expected: format!("{expected:.6} {unit}"),
            found: format!("{found:.6} {unit}"),
            allowed: format!("+-{allowed:.2e}"),
            holds: (found - expected).abs() <= allowed,
        }
    }

    /// `found` within a fraction of `expected`.
    pub(crate) fn relative(what: &str, expected: f64, found: f64, part: f64, unit: &str) -> Check {
        let allowed = format!("{:.3} %", 100.0 * part);
        Check { allowed, ..Check::near(what, expected, found, part * expected.abs(), unit) }
    }

    /// `found` below `limit`.
    pub(crate) fn below(what: &str, limit: f64, found: f64, unit: &str) -> Check {
        Check {
            what: what.to_owned(),
            expected: "0".to_owned(),
            found: format!("{found:.3e} {unit}"),
            allowed: format!("< {limit:.1e}"),
            holds: found.abs() < limit,
        }
    }

    /// Something that happens or not.
    pub(crate) fn fact(what: &str, expected: &str, found: &str) -> Check {
        Check {
            what: what.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
            allowed: String::new(),
            holds: expected == found,
        }
    }
}

/// Runs the checks; true when all hold.
pub(crate) fn run(args: &Args) -> Result<bool, CliError> {
    let scenes =
        |paper: &str| args.scenes.clone().unwrap_or_else(|| Path::new("scenes").join(paper));
    let groups = match args.name {
        Name::Rigid => rigid::groups(args.full),
        Name::Matchstick => matchstick::groups(scenes("matchstick"), args.data.clone()),
        Name::Appearance => {
            appearance::groups(args.data.clone(), scenes("appearance"), args.sampler)
        }
        Name::Tensors => tensors::groups(scenes("tensors"), args.full),
        Name::Wrench => wrench::groups(scenes("wrench"), args.full),
        Name::Planar => planar::groups(args.data.clone(), scenes("planar"), args.full)?,
        Name::Pushes => {
            let data = args.data.clone().ok_or_else(|| {
                CliError::Input("verify pushes needs --data, the folder of the logs".into())
            })?;
            let run = move || pushes::pushes(&data);
            vec![("pushes of a triangle", Box::new(run) as Box<dyn FnOnce() -> _>)]
        }
        Name::Tosses => {
            let data = args.data.clone().ok_or_else(|| {
                CliError::Input("verify tosses needs --data, the folder of the recordings".into())
            })?;
            let run = move || tosses::tosses(&data);
            vec![("cube tosses", Box::new(run) as Box<dyn FnOnce() -> _>)]
        }
    };
    let wanted = |name: &str| args.only.as_ref().is_none_or(|text| name.contains(text.as_str()));
    let mut checks = Vec::new();
    let mut stdout = std::io::stdout();
    for (name, group) in groups.into_iter().filter(|g| wanted(g.0)) {
        let bar = spinner(name);
        let started = std::time::Instant::now();
        let found = group()?;
        bar.finish_and_clear();
        if !args.json {
            let _ = writeln!(stdout, "{name} ({:.1} s)", started.elapsed().as_secs_f64());
            for check in &found {
                let _ = writeln!(
                    stdout,
                    "  {:4} {:58} {:>18} {:>18} {:>10}",
                    if check.holds { "ok" } else { "OUT" },
                    check.what,
                    check.expected,
                    check.found,
                    check.allowed
                );
            }
        }
        checks.extend(found);
    }
    let out = checks.iter().filter(|c| !c.holds).count();
    if args.json {
        let text = serde_json::to_string_pretty(&checks).map_err(|e| json_error(&e))?;
        let _ = writeln!(stdout, "{text}");
    } else {
        let _ = writeln!(stdout, "{} hold, {out} are out", checks.len() - out);
    }
    Ok(out == 0)
}
