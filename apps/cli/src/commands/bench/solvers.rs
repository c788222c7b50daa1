//! `asperity bench solvers`: every solver on every contact problem of a folder.

use std::path::{Path, PathBuf};

use asperity::solve::{ContactProblem, SolveOptions, SolveReport, solver_named};
use serde::Serialize;

use crate::commands::solve::{read_problem, solver_names};
use crate::error::CliError;
use crate::output::print_as;
use crate::progress::bar;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder with contact problems (JSON); its sub-folders count too.
    #[arg(long)]
    data: PathBuf,
    /// Which solvers.
    #[arg(long, value_delimiter = ',', value_parser = solver_names(), default_values = ["auto", "prox", "pgs"])]
    solvers: Vec<String>,
    /// Residuals to reach, one table column each.
    #[arg(long, value_delimiter = ',', default_values_t = [1e-4, 1e-8, 1e-10])]
    tolerance: Vec<f64>,
    /// Sweeps at most.
    #[arg(long, default_value_t = 20_000)]
    max_iterations: usize,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    problem: String,
    contacts: usize,
    solver: &'static str,
    tolerance: f64,
    status: String,
    residual: f64,
    own_residual: Option<f64>,
    iterations: usize,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let mut paths = Vec::new();
    collect(&args.data, &mut paths)?;
    paths.sort();
    if paths.is_empty() {
        let message = format!("{}: no .json files in this folder", args.data.display());
        return Err(CliError::Input(message));
    }
    let bar = bar(paths.len(), "{bar:30} {pos}/{len} {msg} ({eta} left)");
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for path in &paths {
        let label = path.strip_prefix(&args.data).unwrap_or(path).with_extension("");
        bar.set_message(label.display().to_string());
        match read_problem(path) {
            Ok(problem) => measure(&problem, &label.display().to_string(), args, &mut rows),
            Err(error) => left_out.push(error.to_string()),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    print_as(args.json, &rows, || table(&rows, args))?;
    for message in left_out {
        eprintln!("left out: {message}");
    }
    Ok(())
}

fn measure(problem: &ContactProblem, label: &str, args: &Args, rows: &mut Vec<Row>) {
    for &tolerance in &args.tolerance {
        let options =
            SolveOptions { tolerance, max_iterations: args.max_iterations, time_limit: None };
        for mut solver in args.solvers.iter().filter_map(|name| solver_named(name)) {
            let mut r = vec![0.0; problem.rows()];
            let report = solver.solve(problem, &mut r, &options);
            rows.push(row(problem, label, tolerance, report));
        }
    }
}

fn row(problem: &ContactProblem, label: &str, tolerance: f64, report: &SolveReport) -> Row {
    Row {
        problem: label.to_owned(),
        contacts: problem.normals(),
        solver: report.solver,
        tolerance,
        status: report.status.to_string(),
        residual: report.residual,
        own_residual: report.own_residual,
        iterations: report.iterations,
        seconds: report.elapsed.as_secs_f64(),
    }
}

fn table(rows: &[Row], args: &Args) -> String {
    let width = rows.iter().map(|r| r.problem.len()).max().unwrap_or(0).max(7);
    let mut text = format!(
        "{:width$} {:>8} {:11} {:>8} {:>10} {:>10} {:>10} {:>10}  status\n",
        "problem", "contacts", "solver", "asked", "residual", "own", "iterations", "ms"
    );
    for r in rows {
        let own = r.own_residual.map_or("-".to_owned(), |v| format!("{v:.1e}"));
        text += &format!(
            "{:width$} {:>8} {:6} {:>8.0e} {:>10.1e} {:>10} {:>10} {:>10.3}  {}\n",
            r.problem,
            r.contacts,
            r.solver,
            r.tolerance,
            r.residual,
            own,
            r.iterations,
            r.seconds * 1e3,
            r.status
        );
    }
    text += "\n";
    for solver in &args.solvers {
        for &tolerance in &args.tolerance {
            let of =
                || rows.iter().filter(|r| r.solver == solver.as_str() && r.tolerance == tolerance);
            let reached = of().filter(|r| r.residual <= tolerance).count();
            let seconds: f64 = of().map(|r| r.seconds).sum();
            text += &format!(
                "{solver}: {reached} of {} reach {tolerance:.0e}, {:.1} ms in all\n",
                of().count(),
                seconds * 1e3
            );
        }
    }
    text += "own: residual of the problem that pgs puts in place of a round friction cone, a box\n";
    text
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), CliError> {
    for entry in std::fs::read_dir(folder).map_err(CliError::at(folder))? {
        let path = entry.map_err(CliError::at(folder))?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|e| e == "json") {
            paths.push(path);
        }
    }
    Ok(())
}
