//! What every solver is: one trait, and the one list of those there are.

use asperity_friction::Law;
use thiserror::Error;

use crate::admm::AdmmSolver;
use crate::auto::AutoSolver;
use crate::dense::DenseSolver;
use crate::lcp::LcpSolver;
use crate::ncp::{NcpForm, NcpSolver};
use crate::newton::NewtonSolver;
use crate::pgs::PgsSolver;
use crate::pivoting::PivotingSolver;
use crate::problem::ContactProblem;
use crate::prox::{LocalSolve, ProxSolver};
use crate::r_factor::RFactor;
use crate::resting::RestingSolver;
use crate::solution::{SolveOptions, SolveReport, Support};
use crate::split::SplitSolver;

/// A solver of contact problems. It owns its memory: nothing is allocated for a problem of a size it
/// has solved before (but by [`SplitSolver`], which factors sparse matrices).
pub trait Solver: std::fmt::Debug + Send + Sync {
    /// Its name in [`SOLVERS`].
    fn name(&self) -> &'static str;

    /// How well it takes a law.
    fn supports(&self, law: &Law) -> Support;

    /// Why it does not take a problem, which is valid; `None` where it does.
    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal>;

    /// Solves a valid problem. `r` is the warm start and receives the impulses with the smallest
    /// residual met. Where it refuses, `r` is as it was, and the report says so.
    fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport;

    /// Goes on with the problem of the last solve, in which nothing has changed, from the impulses that it left. What
    /// was prepared for it need not be prepared again.
    fn resume(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        self.solve(problem, r, options)
    }

    /// Tells it that its problems are the steps of a world, each started from the last; `rough` says
    /// that a few sweeps will do. Most solvers do the same either way.
    fn expect_series(&mut self, rough: bool) {
        let _ = rough;
    }

    /// Tells it whether the bodies of its next problem are all but at rest, and so those of many more. Most solvers do
    /// the same either way.
    fn expect_rest(&mut self, rests: bool) {
        let _ = rests;
    }

    /// How many directions of friction it tells apart, where it puts facets in the place of round sets; returns
    /// whether it does.
    fn set_directions(&mut self, directions: usize) -> bool {
        let _ = directions;
        false
    }

    /// A copy with the same settings and memory.
    fn boxed(&self) -> Box<dyn Solver>;
}

impl Clone for Box<dyn Solver> {
    fn clone(&self) -> Box<dyn Solver> {
        self.as_ref().boxed()
    }
}

/// Why a solver does not take a problem.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("solver \"{solver}\" does not take {what}; {instead}")]
pub struct Refusal {
    /// Which solver.
    pub solver: &'static str,
    /// What it does not take.
    pub what: Untaken,
    /// What to do instead.
    pub instead: &'static str,
}

/// What a solver does not take.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Untaken {
    /// Where W comes from.
    #[error("{0}")]
    Operator(&'static str),
    /// A set.
    #[error("sets of shape {shape} (block {block})")]
    Set {
        /// Number of the block.
        block: usize,
        /// Its shape.
        shape: &'static str,
    },
    /// What loads a block.
    #[error("this load of a {shape} (block {block})")]
    Load {
        /// Number of the block.
        block: usize,
        /// Shape of its set.
        shape: &'static str,
    },
    /// A law that gives or drags.
    #[error("laws with bias, compliance or drag (block {0})")]
    Rheology(usize),
    /// A body or a point that cannot move or turn.
    #[error("a mass that is infinite or not positive definite (block {0} of degrees of freedom)")]
    Mass(usize),
    /// A problem that would be too much work or memory.
    #[error("{0}")]
    Size(&'static str),
    /// A problem unlike the last.
    #[error("problems with fewer than {0} alike before them")]
    Unlike(usize),
}

/// One solver of the list.
#[derive(Debug, Clone, Copy)]
pub struct SolverEntry {
    /// As in files and on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// A fresh one.
    pub make: fn() -> Box<dyn Solver>,
}

/// Every solver there is.
pub const SOLVERS: &[SolverEntry] = &[
    SolverEntry {
        name: "auto",
        about: "sweeps, then Newton's method where they are slow; splitting for soft bodies",
        make: || Box::new(AutoSolver::default()),
    },
    SolverEntry {
        name: "prox",
        about: "block Gauss–Seidel with exact local solves, extrapolated; takes everything",
        make: || Box::new(ProxSolver::default()),
    },
    SolverEntry {
        name: "prox_local",
        about: "proximal steps with r = 1/W_ii (Erleben 2020)",
        make: || Box::new(ProxSolver::new(LocalSolve::Step(RFactor::Local))),
    },
    SolverEntry {
        name: "prox_global",
        about: "proximal steps with one r for all (Erleben 2020)",
        make: || Box::new(ProxSolver::new(LocalSolve::Step(RFactor::Global))),
    },
    SolverEntry {
        name: "prox_block",
        about: "proximal steps with the inverse of W_ii (Erleben 2020); wrong where contacts slide",
        make: || Box::new(ProxSolver::new(LocalSolve::Step(RFactor::BlockInverse))),
    },
    SolverEntry {
        name: "pgs",
        about: "projected Gauss–Seidel by rows, with the boxes around sets (Andrews 2021)",
        make: || Box::new(PgsSolver::default()),
    },
    SolverEntry {
        name: "newton",
        about: "Newton's method over all bodies at once; discs, ellipses, ellipsoids, polygons, boxes, patches",
        make: || Box::new(NewtonSolver::default()),
    },
    SolverEntry {
        name: "dense",
        about: "Newton's method on the impulses with a dense W; small problems of any origin",
        make: || Box::new(DenseSolver::default()),
    },
    SolverEntry {
        name: "lcp",
        about: "Lemke's pivots with polygons in the place of round sets (Erleben 2020); to a hundred contacts",
        make: || Box::new(LcpSolver::default()),
    },
    SolverEntry {
        name: "ncp",
        about: "Newton's method on the implicit function of cones (Erleben 2020); to 150 contacts",
        make: || Box::new(NcpSolver::default()),
    },
    SolverEntry {
        name: "ncp_printed",
        about: "the same with the equations as printed, which are slow and not enough",
        make: || Box::new(NcpSolver::new(NcpForm::Printed)),
    },
    SolverEntry {
        name: "pivoting",
        about: "block pivots with refined limit surfaces (Erleben 2020); to 300 contacts",
        make: || Box::new(PivotingSolver::default()),
    },
    SolverEntry {
        name: "resting",
        about: "a few steps with one kept elimination, for bodies at rest",
        make: || Box::new(RestingSolver::default()),
    },
    SolverEntry {
        name: "admm",
        about: "alternating directions, then Newton's method, for heaps; takes all but wrenches",
        make: || Box::new(AdmmSolver::default()),
    },
    SolverEntry {
        name: "split",
        about: "Douglas–Rachford splitting, for soft bodies whose W is dense",
        make: || Box::new(SplitSolver::default()),
    },
];

/// The solver of a name, fresh.
pub fn solver_named(name: &str) -> Option<Box<dyn Solver>> {
    SOLVERS.iter().find(|entry| entry.name == name).map(|entry| (entry.make)())
}
