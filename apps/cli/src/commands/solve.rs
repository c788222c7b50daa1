//! `asperity solve`: one contact problem, one solver.

use std::path::{Path, PathBuf};
use std::time::Duration;

use asperity::friction::set::{Kind, Set};
use asperity::solve::{
    ContactProblem, Form, ProxSolver, SOLVERS, SolveOptions, SolveReport, Solver, SolverEntry,
    Status, json, residual_without_units, solver_named,
};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::Serialize;

use crate::ending::Ending;
use crate::error::{CliError, json_error};
use crate::output::{print, write_whole};

/// Solve a contact problem. Exit code 0 when it is solved; 1 when it is not, with what was
/// reached written or printed all the same; 2 when the input is bad.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Contact problem (JSON).
    problem: PathBuf,
    /// Which solver.
    #[arg(long, value_parser = solver_names(), default_value = "auto")]
    solver: String,
    /// With prox: what is done at each contact.
    #[arg(long, value_enum, default_value_t = Step::Exact)]
    step: Step,
    /// Residual to reach.
    #[arg(long, default_value_t = 1e-10, value_parser = positive)]
    tolerance: f64,
    /// Sweeps over all contacts at most.
    #[arg(long, default_value_t = 20_000)]
    max_iterations: usize,
    /// With lcp: directions of friction, which are the corners of polygons in the place of round sets.
    #[arg(long)]
    directions: Option<usize>,
    /// Seconds at most.
    #[arg(long, value_parser = positive)]
    time_limit: Option<f64>,
    /// Print the outcome as JSON.
    #[arg(long)]
    json: bool,
    /// Write the solution (r and u as plain arrays) to this JSON file.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// What prox does at each contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// Solve it exactly.
    Exact,
    /// A proximal step with r = 1/W_ii: the solver "prox_local".
    LocalR,
    /// A proximal step with one r for all: "prox_global".
    GlobalR,
    /// A proximal step with the inverse of the contact's block: "prox_block".
    BlockR,
}

/// The names of all solvers, as a parser.
pub(crate) fn solver_names() -> PossibleValuesParser {
    let value = |entry: &SolverEntry| PossibleValue::new(entry.name).help(entry.about);
    PossibleValuesParser::new(SOLVERS.iter().map(value))
}

/// A finite number above zero.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("expected a finite number above zero".to_owned()),
    }
}

#[derive(Serialize)]
struct Outcome<'a> {
    format: &'static str,
    name: &'a str,
    contacts: usize,
    rows: usize,
    solver: &'static str,
    status: String,
    iterations: usize,
    residual: f64,
    residual_form: &'static str,
    residual_without_units: f64,
    residual_of_motion: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    own_residual: Option<f64>,
    seconds: f64,
    notes: Vec<String>,
    history: &'a [(usize, f64)],
    #[serde(skip_serializing_if = "Option::is_none")]
    r: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    u: Option<&'a [f64]>,
}

pub(crate) fn run(args: &Args) -> Result<Ending, CliError> {
    let problem = read_problem(&args.problem)?;
    let options = SolveOptions {
        tolerance: args.tolerance,
        max_iterations: args.max_iterations,
        time_limit: args.time_limit.map(Duration::from_secs_f64),
    };
    let mut r = vec![0.0; problem.rows()];
    let mut solver = chosen(args)?;
    if let Some(refusal) = solver.refuses(&problem) {
        return Err(CliError::Input(format!("{}: {refusal}", args.problem.display())));
    }
    let begun = if solver.name() == "auto" { begin(&problem, &options, &mut r) } else { None };
    let mut report = solver.solve(&problem, &mut r, &options).clone();
    if let Some(begun) = begun {
        report.iterations += begun.iterations;
        report.elapsed += begun.elapsed;
    }
    go_on(&problem, solver.as_mut(), &options, &mut r, &mut report);
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(&r, &mut u);
    let without_units = residual_without_units(&problem, &r);
    let outcome = |arrays: bool| Outcome {
        format: "asperity-solution-1",
        name: &problem.name,
        contacts: problem.normals(),
        rows: problem.rows(),
        solver: report.solver,
        status: report.status.to_string(),
        iterations: report.iterations,
        residual: report.residual,
        residual_form: form_name(report.form),
        residual_without_units: without_units.value,
        residual_of_motion: without_units.of_motion,
        own_residual: report.own_residual,
        seconds: report.elapsed.as_secs_f64(),
        notes: report.notes.iter().map(ToString::to_string).collect(),
        history: &report.history,
        r: arrays.then_some(&r),
        u: arrays.then_some(&u),
    };
    if let Some(path) = &args.out {
        let text = serde_json::to_string(&outcome(true)).map_err(|e| json_error(&e))?;
        write_whole(path, text.as_bytes())?;
    }
    let text = if args.json {
        serde_json::to_string(&outcome(args.out.is_none())).map_err(|e| json_error(&e))? + "\n"
    } else {
        describe(&problem, &report, without_units.value, args)
    };
    print(&text);
    let converged = report.status == Status::Converged;
    let moved = without_units.of_motion;
    if !converged {
        let (reached, asked) = (report.residual, args.tolerance);
        eprintln!("not solved: residual {reached:.2e}, {asked:.2e} was asked");
    } else if moved > MOST_OF_MOTION {
        eprintln!(
            "not solved: velocities are out by {moved:.2e} of the motion, however large impulses are; \
             do contacts contradict each other?"
        );
    }
    Ok(Ending::from(converged && moved <= MOST_OF_MOTION))
}

/// A few sweeps in any case: where some free velocities are huge beside others, no impulses at all are
/// within the tolerance. None over blocks with torques, single ones of which may take seconds.
fn begin(problem: &ContactProblem, options: &SolveOptions, r: &mut [f64]) -> Option<SolveReport> {
    let quick = |set: &Set| set.dim() <= 2 || set.kind() == Kind::LocalSolve;
    let mut sweeps = ProxSolver::default();
    sweeps.in_series = true;
    if sweeps.refuses(problem).is_some() || !problem.blocks.iter().all(|b| quick(&b.law.set)) {
        return None;
    }
    let max_iterations = FIRST_SWEEPS.min(options.max_iterations);
    let few = SolveOptions { max_iterations, ..*options };
    Some(sweeps.solve(problem, r, &few).clone())
}

/// Where the residual is within the tolerance and the one without units is not: until that is, too,
/// or for a while.
fn go_on(
    problem: &ContactProblem,
    solver: &mut dyn Solver,
    options: &SolveOptions,
    r: &mut Vec<f64>,
    report: &mut SolveReport,
) {
    let before = residual_without_units(problem, r).value;
    if report.status != Status::Converged || before <= options.tolerance {
        return;
    }
    let tolerance = 0.5 * options.tolerance * report.residual / before;
    let max_iterations = options.max_iterations.min(MORE_SWEEPS);
    let mut better = r.clone();
    let more = SolveOptions { tolerance, max_iterations, ..*options };
    let after = solver.solve(problem, &mut better, &more).clone();
    if after.residual <= report.residual && residual_without_units(problem, &better).value < before
    {
        *r = better;
        report.iterations += after.iterations;
        report.elapsed += after.elapsed;
        report.residual = after.residual;
    }
}

/// Sweeps before the solver begins, and at most for the sake of the residual without units.
const FIRST_SWEEPS: usize = 4;
const MORE_SWEEPS: usize = 1000;

/// Most error over velocities alone. Where there is a solution it is some powers of ten below; where there
/// is none it is about one, while the residual falls with growing impulses.
const MOST_OF_MOTION: f64 = 1e-3;

/// The solver that was asked for.
fn chosen(args: &Args) -> Result<Box<dyn Solver>, CliError> {
    let name = match (args.solver.as_str(), args.step) {
        (name, Step::Exact) => name,
        ("auto" | "prox", Step::LocalR) => "prox_local",
        ("auto" | "prox", Step::GlobalR) => "prox_global",
        ("auto" | "prox", Step::BlockR) => "prox_block",
        (name, _) => {
            let message = format!("--step is for the solver \"prox\", not for \"{name}\"");
            return Err(CliError::Input(message));
        }
    };
    let mut solver = solver_named(name)
        .ok_or_else(|| CliError::Input(format!("there is no solver \"{name}\"")))?;
    if let Some(directions) = args.directions
        && !(directions >= 3 && solver.set_directions(directions))
    {
        let message = "--directions is for the solver \"lcp\", and at least 3".to_owned();
        return Err(CliError::Input(message));
    }
    Ok(solver)
}

fn describe(
    problem: &ContactProblem,
    report: &SolveReport,
    without_units: f64,
    args: &Args,
) -> String {
    let mut text = format!(
        "{}: {} contacts, {} rows\n{}: {} after {} iterations, residual {:.2e} ({}), \
         {without_units:.2e} without units, {:.3} ms\n",
        if problem.name.is_empty() { "contact problem" } else { &problem.name },
        problem.normals(),
        problem.rows(),
        report.solver,
        report.status,
        report.iterations,
        report.residual,
        form_name(report.form),
        report.elapsed.as_secs_f64() * 1e3,
    );
    if let Some(own) = report.own_residual {
        text += &format!("residual of the problem it solved instead: {own:.2e}\n");
    }
    for note in &report.notes {
        text += &format!("note: {note}\n");
    }
    if let Some(path) = &args.out {
        text += &format!("wrote {}\n", path.display());
    }
    text
}

pub(crate) fn form_name(form: Form) -> &'static str {
    match form {
        Form::Coulomb => "De Saxce natural map",
        Form::General => "natural map of each block",
    }
}

pub(crate) fn read_problem(path: &Path) -> Result<ContactProblem, CliError> {
    let text = std::fs::read_to_string(path).map_err(CliError::at(path))?;
    json::read(&text).map_err(|e| CliError::Input(format!("{}: {e}", path.display())))
}
