//! What is asked of a solver and what it answers.

use std::time::Duration;

use crate::residual::Form;
use crate::solver::Refusal;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveOptions {
    /// Residual to reach.
    pub tolerance: f64,
    /// Sweeps over all contacts at most.
    pub max_iterations: usize,
    /// Time at most; checked between sweeps.
    pub time_limit: Option<Duration>,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        SolveOptions { tolerance: 1e-8, max_iterations: 20_000, time_limit: None }
    }
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The residual reached the tolerance.
    Converged,
    /// The iterations ran out.
    IterationLimit,
    /// The time ran out.
    TimeLimit,
    /// No step made progress any more.
    Stalled,
    /// The solver does not take the problem; nothing was done.
    Refused,
}

/// How well a solver takes a law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// As it is.
    Native,
    /// Replaced by something else, which this says.
    Approximate(&'static str),
    /// Not at all.
    Unsupported,
}

/// Something a user should know about a solve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// Blocks whose set was replaced: how many, and by what.
    Approximated(usize, &'static str),
    /// Why the problem was not taken.
    Refused(Refusal),
    /// The residual is measured with an estimate, which this says: it is right but for a factor.
    Estimated(&'static str),
    /// Rows that nothing can move (zero on the diagonal of W); their impulse stays zero.
    Immovable(usize),
    /// Warm-start impulses that were not finite and were set to zero.
    BadWarmStart(usize),
}

/// The outcome of a solve.
#[derive(Debug, Clone, PartialEq)]
pub struct SolveReport {
    /// Which solver.
    pub solver: &'static str,
    /// How it ended.
    pub status: Status,
    /// Sweeps over all contacts.
    pub iterations: usize,
    /// Residual of the problem as given.
    pub residual: f64,
    /// Which form of the residual it is.
    pub form: Form,
    /// Residual of the problem the solver put in its place, where it approximates sets.
    pub own_residual: Option<f64>,
    /// (iteration, residual) as it went; thinned out when long.
    pub history: Vec<(usize, f64)>,
    /// Wall time.
    pub elapsed: Duration,
    /// What a user should know.
    pub notes: Vec<Note>,
}

impl SolveReport {
    pub(crate) fn new(solver: &'static str) -> SolveReport {
        SolveReport {
            solver,
            status: Status::IterationLimit,
            iterations: 0,
            residual: f64::INFINITY,
            form: Form::General,
            own_residual: None,
            history: Vec::with_capacity(HISTORY),
            elapsed: Duration::ZERO,
            notes: Vec::with_capacity(4),
        }
    }

    /// Ready for another solve; keeps the memory.
    pub(crate) fn reset(&mut self) {
        self.history.clear();
        self.notes.clear();
        self.iterations = 0;
        self.status = Status::IterationLimit;
        self.residual = f64::INFINITY;
        self.own_residual = None;
    }

    /// Notes impulses of the warm start that were not finite, and rows that nothing moves, where there are any.
    pub(crate) fn note_start(&mut self, bad: usize, immovable: usize) {
        if bad > 0 {
            self.notes.push(Note::BadWarmStart(bad));
        }
        if immovable > 0 {
            self.notes.push(Note::Immovable(immovable));
        }
    }

    /// The report of a problem that is not taken.
    pub(crate) fn refuse(&mut self, refusal: Refusal) -> &SolveReport {
        self.reset();
        self.status = Status::Refused;
        self.notes.push(Note::Refused(refusal));
        self
    }

    /// Goes on where another solver has left off, unless that refused; returns whether it is within
    /// the tolerance.
    pub(crate) fn absorb(&mut self, other: &SolveReport, tolerance: f64) -> bool {
        if other.status == Status::Refused {
            return false;
        }
        for (iteration, residual) in &other.history {
            self.record(self.iterations + iteration, *residual);
        }
        self.iterations += other.iterations;
        (self.residual, self.form) = (other.residual, other.form);
        let within = self.residual <= tolerance;
        self.status = if within { Status::Converged } else { other.status };
        self.notes.retain(|note| !matches!(note, Note::Estimated(_)));
        for note in &other.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        within
    }

    /// Adds to the history; drops every other entry when it is full.
    pub(crate) fn record(&mut self, iteration: usize, residual: f64) {
        if self.history.len() == HISTORY {
            let mut odd = true;
            self.history.retain(|_| {
                odd = !odd;
                !odd
            });
        }
        self.history.push((iteration, residual));
    }
}

/// Most entries of a history.
const HISTORY: usize = 512;

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Status::Converged => "converged",
            Status::IterationLimit => "iteration limit",
            Status::TimeLimit => "time limit",
            Status::Stalled => "stalled",
            Status::Refused => "refused",
        })
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Note::Approximated(count, how) => write!(f, "{count} friction sets replaced by {how}"),
            Note::Refused(refusal) => refusal.fmt(f),
            Note::Estimated(how) => write!(f, "the residual is measured with {how}"),
            Note::Immovable(count) => {
                write!(
                    f,
                    "{count} rows cannot move (zero on the diagonal of W); their impulse stays zero"
                )
            }
            Note::BadWarmStart(count) => {
                write!(f, "{count} impulses of the warm start were not finite and start at zero")
            }
        }
    }
}
