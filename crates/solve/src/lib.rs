//! Contact problems and their solvers. This crate knows sets, not models and not bodies.
//!
//! A [`ContactProblem`] is: rows with relative velocities u = W r + q, normal rows that push
//! (0 ≤ r ⊥ u ≥ 0), and friction blocks whose impulse lies in a set scaled by the load of the
//! normal rows they name. W is given, or it is J M⁻¹ Jᵀ of rows over degree-of-freedom blocks.
//!
//! - [`ProxSolver`]: block Gauss–Seidel with an exact local solve per contact, or with the
//!   proximal steps of Erleben 2020, Algorithm 2. Every set, natively.
//! - [`DenseSolver`]: all impulses of a small problem at once, with W as a matrix; bodies may be held
//!   more than once. Every set but wrenches.
//! - [`NewtonSolver`]: all contacts of some bodies at once; [`RestingSolver`]: bodies at rest, with the
//!   elimination of earlier steps. Discs, ellipses, ellipsoids, polygons, boxes and what joints need.
//! - [`AdmmSolver`]: all contacts of many bodies, by turns with one kept elimination and with Newton's
//!   method; for heaps. Every set but wrenches.
//! - [`PgsSolver`]: projected Gauss–Seidel with box bounds (Andrews 2021, section 4.4).
//! - [`LcpSolver`]: Lemke's pivots, with polygons in the place of round sets (Erleben 2020, section 4.1).
//! - [`NcpSolver`]: Newton's method on the implicit function of cones (Erleben 2020, section 4.2).
//! - [`PivotingSolver`]: block pivots with limit surfaces that are refined (Erleben 2020, section 4.3).
//! - [`SplitSolver`]: everything that is linear at once, then forces contact by contact, in turns.
//!   For soft bodies, whose W is dense while their [`Coupling`] is sparse.
//! - [`residual`]: the one measure of error that every solver reports.
//!
//! ```
//! use asperity_friction::set::{Disk, Set};
//! use asperity_solve::{ContactProblem, ProxSolver, SolveOptions, Solver, SparseMatrix};
//!
//! // One contact (normal, t, b) that presses down at 1 m/s and slides at 2 m/s.
//! let w = SparseMatrix::from_triplets(3, 3, [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)])?;
//! let sets = vec![Set::from(Disk::new(0.5)?)];
//! let problem = ContactProblem::explicit("slide", w, vec![-1.0, 2.0, 0.0], sets)?;
//! let mut r = vec![0.0; 3];
//! let report = ProxSolver::default().solve(&problem, &mut r, &SolveOptions::default()).clone();
//! assert!(report.residual <= 1e-8);
//! assert!((r[0] - 1.0).abs() < 1e-8 && (r[1] + 0.5).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod admm;
mod anderson;
mod assembler;
mod auto;
mod block;
mod block_lu;
mod coupling;
mod delassus;
mod dense;
mod error;
mod factored;
mod heap;
pub mod json;
mod lcp;
mod local;
mod ncp;
mod newton;
mod pgs;
mod pivoting;
mod problem;
mod prox;
mod r_factor;
mod residual;
mod resting;
mod rheology;
mod scale;
mod solution;
mod solver;
mod sparse;
mod split;
#[cfg(feature = "testing")]
pub mod testing;
mod unit_balls;
mod units;
mod vectors;

pub use admm::AdmmSolver;
pub use assembler::{Lever, Row, RowAssembler, over_step};
pub use auto::AutoSolver;
pub use block::FrictionBlock;
pub use coupling::Coupling;
pub use dense::DenseSolver;
pub use error::ProblemError;
pub use factored::Factored;
pub use lcp::LcpSolver;
pub use ncp::{NcpForm, NcpSolver};
pub use newton::NewtonSolver;
pub use pgs::PgsSolver;
pub use pivoting::PivotingSolver;
pub use problem::{Bodies, ContactProblem, InverseMass, Operator, RowEntry};
pub use prox::{Changed, LocalSolve, ProxSolver, Relinearise};
pub use r_factor::RFactor;
pub use residual::{Form, Residual, WithoutUnits, residual, residual_without_units};
pub use resting::RestingSolver;
pub use scale::Scale;
pub use solution::{Note, SolveOptions, SolveReport, Status, Support};
pub use solver::{Refusal, SOLVERS, Solver, SolverEntry, Untaken, solver_named};
pub use sparse::SparseMatrix;
pub use split::SplitSolver;
