//! `asperity planar`: friction of one patch, on its own.

mod output;
mod spec;

use std::path::PathBuf;

use asperity::friction::memory::Passivity;
use asperity_verify::experiment::model::{Model, ModelKind};
use asperity_verify::experiment::simulate::{Row, first_load, simulate};
use serde::Serialize;

use crate::error::CliError;
use crate::output::print_as;
use crate::progress::bar;
use spec::Spec;

/// Options of `asperity planar`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The experiment: a patch, friction, and either velocities or a body with loads (TOML; see
    /// scenes/planar/patch).
    spec: PathBuf,
    /// Folder for forces, poses and plots.
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Seconds to simulate, in place of the file's.
    #[arg(long)]
    duration: Option<f64>,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// What is to be said about a model's run.
#[derive(Serialize)]
struct Summary {
    model: &'static str,
    rows: usize,
    seconds: f64,
    /// Largest force and torque of friction on the patch, N and N m.
    largest: [f64; 3],
    /// Position and angle at the end, m and rad.
    end: [f64; 3],
}

#[derive(Serialize)]
struct Report {
    title: String,
    centre_of_pressure: [f64; 2],
    spin_radius: f64,
    mean_squared_radius: f64,
    passive: bool,
    models: Vec<Summary>,
    files: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let spec = spec::read(&args.spec, args.duration)?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(CliError::at(folder))?;
    }
    let pressure = spec.patch.pressure(first_load(&spec.experiment))?;
    let mut results: Vec<(ModelKind, Vec<Row>)> = Vec::new();
    let mut models = Vec::new();
    for &kind in &spec.models {
        let started = std::time::Instant::now();
        let rows = simulate_one(&spec, kind)?;
        let largest = rows.iter().fold([0.0; 3], |m: [f64; 3], r| {
            let w = r.wrench.abs().to_array();
            [m[0].max(w[0]), m[1].max(w[1]), m[2].max(w[2])]
        });
        let end = rows.last().map_or([0.0; 3], |r| r.pose.to_array());
        let seconds = started.elapsed().as_secs_f64();
        models.push(Summary { model: kind.name(), rows: rows.len(), seconds, largest, end });
        results.push((kind, rows));
    }
    let files = match &args.out {
        None => Vec::new(),
        Some(folder) => output::write(folder, &spec, &results)?,
    };
    let report = Report {
        title: spec.title.clone(),
        centre_of_pressure: pressure.centre().to_array(),
        spin_radius: pressure.spin_radius(),
        mean_squared_radius: pressure.gyration2(),
        passive: spec.parameters.passivity() == Passivity::Passive,
        models,
        files: files.iter().map(|f| f.display().to_string()).collect(),
    };
    print_as(args.json, &report, || told(&spec, &report))
}

fn simulate_one(spec: &Spec, kind: ModelKind) -> Result<Vec<Row>, CliError> {
    let load = first_load(&spec.experiment);
    let mut model = Model::new(kind, spec.parameters, &spec.patch, spec.scheme, load)?;
    let bar = bar(1000, "{msg} {bar:30} ({eta} left)");
    bar.set_message(kind.name());
    let rows = simulate(&spec.experiment, &mut model, &mut |part| {
        bar.set_position((part * 1000.0) as u64);
    })?;
    bar.finish_and_clear();
    // A step that is too long for an explicit scheme grows without bound.
    let most = 1e6 * spec.parameters.stiction.max(spec.parameters.coulomb);
    let sound = |r: &Row| {
        let force = r.wrench.x.hypot(r.wrench.y);
        r.pose.is_finite() && r.wrench.is_finite() && force <= most * r.load
    };
    if let Some(bad) = rows.iter().find(|r| !sound(r)) {
        return Err(CliError::Input(format!(
            "the {} model is unstable: friction grows without bound at {} s; use a smaller dt or \
             scheme = \"implicit\"",
            kind.name(),
            bad.t
        )));
    }
    Ok(rows)
}

fn told(spec: &Spec, report: &Report) -> String {
    let [x, y] = report.centre_of_pressure;
    let mut text = format!(
        "patch: centre of pressure ({:.4}, {:.4}) mm, spin radius {:.4} mm\n",
        x * 1e3,
        y * 1e3,
        report.spin_radius * 1e3
    );
    if let Passivity::Active { needed } = spec.parameters.passivity() {
        text += &format!(
            "note: not passive at all velocities: sigma2 is {}, passive from {needed:.3}; a damping \
             that falls with speed (v_d) cures it\n",
            spec.parameters.viscosity
        );
    }
    for m in &report.models {
        let ([fx, fy, tau], [px, py, angle]) = (m.largest, m.end);
        text += &format!(
            "{:12} {} rows in {:.2} s; largest force ({fx:.4}, {fy:.4}) N, torque {:.4} mN m; \
             end ({:.4}, {:.4}) mm, {:.4} deg\n",
            m.model,
            m.rows,
            m.seconds,
            tau * 1e3,
            px * 1e3,
            py * 1e3,
            angle.to_degrees()
        );
    }
    for file in &report.files {
        text += &format!("{file}\n");
    }
    text
}
