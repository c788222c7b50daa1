//! A pivoting method with limit surfaces that are refined (Erleben 2020, section 4.3).
//!
//! 1. The problem without friction gives the first normal impulses.
//! 2. Each cone becomes a box at these loads, along the direction in which its contact slides or would slide. Block
//!    pivots ([`bard`]) find out which rows are within their bounds and which are at them, by direct solves that hold
//!    normal impulses and friction together.
//! 3. With these labels, friction at its bound is tied to its load, and one more direct solve finds both.
//! 4. Loads and directions are those found; the boxes are drawn anew from step 2, until nothing changes.
//!
//! The paper leaves open how the limit surface is made linear. Here it is the line (with drilling: the plane) that
//! touches the ball where x − u points to, x the friction and u the slip: along it friction is bounded by the load,
//! across it a row with the compliance (‖x − u‖ − N)/N takes the bend of the surface. So a step is Newton's where labels
//! stay as they are.
//!
//! Bodies that are held more than once leave W without an inverse: a small share ε of W's size is added to the diagonal
//! and taken back from the impulses before, which leaves the solution as it is.

mod bard;

use std::time::Instant;

use asperity_friction::Law;
use asperity_friction::set::Set;
use glamx::{DMat3, DVec3};

use crate::delassus::BodyBuffers;
use crate::problem::ContactProblem;
use crate::prox::clear_bad;
use crate::residual::{evaluate, form_of};
use crate::solution::{SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver};
use crate::unit_balls::{Shape, UnitBalls, read, refuses};
use crate::units::Units;
use bard::{Bard, Label, Tie};

/// Block pivots with refined limit surfaces. Takes discs, ellipses, ellipsoids, boxes, intervals and joints as they
/// are, over at most [`PivotingSolver::most_rows`] rows.
///
/// Owns its memory: nothing is allocated for a problem no larger than the last.
#[derive(Debug, Clone)]
pub struct PivotingSolver {
    /// Most rows; a direct solve costs their third power.
    pub most_rows: usize,
    /// Whether it begins with the impulses it is given, and stays near them where bodies are held more than once,
    /// rather than without friction.
    pub warm: bool,
    buffers: BodyBuffers,
    units: Units,
    balls: UnitBalls,
    bard: Bard,
    /// Axes of the box of each piece.
    frames: Vec<DMat3>,
    ties: Vec<Tie>,
    /// Share of the diagonal that is added to it.
    epsilon: f64,
    x: Vec<f64>,
    /// What x was, and what the pivots alone give.
    from: Vec<f64>,
    pivoted: Vec<f64>,
    best: Vec<f64>,
    scaled_u: Vec<f64>,
    loads: Vec<f64>,
    r: Vec<f64>,
    u: Vec<f64>,
    report: SolveReport,
}

impl Default for PivotingSolver {
    fn default() -> PivotingSolver {
        PivotingSolver {
            most_rows: 900,
            warm: false,
            buffers: BodyBuffers::default(),
            units: Units::default(),
            balls: UnitBalls::default(),
            bard: Bard::default(),
            frames: Vec::new(),
            ties: Vec::new(),
            epsilon: EPSILONS[0],
            x: Vec::new(),
            from: Vec::new(),
            pivoted: Vec::new(),
            best: Vec::new(),
            scaled_u: Vec::new(),
            loads: Vec::new(),
            r: Vec::new(),
            u: Vec::new(),
            report: SolveReport::new("pivoting"),
        }
    }
}

impl PivotingSolver {
    fn prepare(&mut self, problem: &ContactProblem) {
        self.report.reset();
        self.buffers.prepare(problem);
        self.units.prepare(problem, &self.buffers);
        self.report.form = form_of(problem, &mut self.units);
        self.units.measure();
        self.balls.prepare(problem, &self.buffers, &self.units);
        let n = problem.rows();
        self.bard.resize(n);
        for list in [
            &mut self.x,
            &mut self.from,
            &mut self.pivoted,
            &mut self.best,
            &mut self.scaled_u,
            &mut self.r,
            &mut self.u,
        ] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.loads.clear();
        self.loads.resize(self.balls.pieces.len(), 0.0);
        self.frames.clear();
        self.frames.resize(self.balls.pieces.len(), DMat3::IDENTITY);
        self.ties.clear();
        self.ties.reserve(n);
    }

    /// Steps 1 to 4.
    fn run(
        &mut self,
        problem: &ContactProblem,
        options: &SolveOptions,
        started: Instant,
    ) -> Status {
        let (mut slow, mut least) = (0, f64::INFINITY);
        self.epsilon = EPSILONS[0];
        self.loads.fill(0.0);
        if self.warm {
            self.bard.labels.fill(Label::Free);
        } else {
            self.x.fill(0.0);
            self.pivot(options, true); // without friction
            self.x.copy_from_slice(&self.pivoted);
            self.judge(problem);
        }
        while self.report.residual > options.tolerance {
            if self.report.iterations >= options.max_iterations {
                return Status::IterationLimit;
            }
            if options.time_limit.is_some_and(|limit| started.elapsed() > limit) {
                return Status::TimeLimit;
            }
            self.epsilon = EPSILONS[(slow / CHANCE) % EPSILONS.len()];
            self.set_loads(slow % CHANCE);
            self.pivot(options, false);
            let tied = self.solve_tied(problem);
            self.x.copy_from_slice(&self.pivoted);
            let plain = self.judge(problem);
            let value = match tied {
                Some(value) if value < plain => {
                    std::mem::swap(&mut self.x, &mut self.from);
                    value
                }
                _ => plain,
            };
            slow = if value < 0.9 * least { 0 } else { slow + 1 };
            least = least.min(value);
            if slow >= MOST_SLOW {
                return Status::Stalled;
            }
        }
        Status::Converged
    }

    /// Loads of x; where steps lead nowhere, half-way to them.
    fn set_loads(&mut self, slow: usize) {
        let part = if slow > PATIENCE { 0.5 } else { 1.0 };
        for (piece, load) in self.balls.pieces.iter().zip(&mut self.loads) {
            *load += part * (self.balls.load(piece, &self.x) - *load);
        }
    }

    /// Draws the boxes at `loads` about x and pivots; the result is in `pivoted`.
    fn pivot(&mut self, options: &SolveOptions, fresh: bool) {
        let n = self.x.len();
        self.balls.scaled_velocities(&self.x, &mut self.scaled_u);
        let bard = &mut self.bard;
        bard.h.clone_from(&self.balls.w);
        bard.b.copy_from_slice(&self.balls.q);
        for (number, piece) in self.balls.pieces.iter().enumerate() {
            let (rows, load) = (piece.rows.clone(), self.loads[number]);
            let (at, slip) = (read(&self.x[rows.clone()]), read(&self.scaled_u[rows.clone()]));
            let mut bounds = [(-load, load); 3];
            let mut bend = 0.0;
            match piece.shape {
                Shape::Normal => bounds[0] = (0.0, f64::INFINITY),
                Shape::Free => bounds[0] = (f64::NEG_INFINITY, f64::INFINITY),
                Shape::Sides(sides) => {
                    for (bound, side) in bounds.iter_mut().zip(sides) {
                        *bound = (side.min() * load, side.max() * load);
                    }
                }
                Shape::Ball | Shape::Corners => {
                    let trial = at - slip;
                    self.frames[number] = frame(trial, rows.len());
                    turn(&mut bard.h, &mut bard.b, rows.clone(), &self.frames[number]);
                    if trial.length() > load && load > 0.0 {
                        bend = (trial.length() - load) / load;
                        bard.labels[rows.start] = Label::High;
                    } else if !fresh {
                        bard.labels[rows.clone()].fill(Label::Free);
                    }
                }
            }
            let before = self.frames[number].transpose() * at;
            for (k, i) in rows.enumerate() {
                (bard.low[i], bard.high[i]) = bounds[k];
                let epsilon = self.epsilon * bard.h[i * n + i].max(LEAST_DIAGONAL);
                bard.h[i * n + i] += epsilon + if k > 0 { bend } else { 0.0 };
                bard.b[i] -= epsilon * before[k];
                let shut = bard.low[i] == bard.high[i];
                if shut || fresh && piece.shape != Shape::Free {
                    bard.labels[i] = Label::Low;
                } else if bard.labels[i] == Label::Low && bard.low[i] == f64::NEG_INFINITY {
                    bard.labels[i] = Label::Free;
                }
            }
        }
        let left = options.max_iterations.saturating_sub(self.report.iterations);
        let (solves, _) = bard.run(left.clamp(1, MOST_PIVOTS));
        self.report.iterations += solves;
        for (piece, frame) in self.balls.pieces.iter().zip(&self.frames) {
            let rows = piece.rows.clone();
            let y = *frame * read(&bard.y[rows.clone()]);
            self.pivoted[rows.clone()].copy_from_slice(&y.to_array()[..rows.len()]);
        }
    }

    /// Ties friction at its bounds to its load and solves for both. Leaves x in `from`, returns its residual.
    fn solve_tied(&mut self, problem: &ContactProblem) -> Option<f64> {
        self.ties.clear();
        for piece in self.balls.pieces.iter().filter(|piece| piece.constant.is_none()) {
            for (k, row) in piece.rows.clone().enumerate() {
                let per_load = match (piece.shape, self.bard.labels[row]) {
                    (Shape::Normal | Shape::Free, _) | (_, Label::Free) => continue,
                    (Shape::Sides(sides), Label::Low) => sides[k].min(),
                    (Shape::Sides(sides), Label::High) => sides[k].max(),
                    (_, Label::Low) => -1.0,
                    (_, Label::High) => 1.0,
                };
                for normal in piece.normals.clone() {
                    let times = per_load * self.balls.share(piece, normal);
                    self.ties.push(Tie { row, to: normal, times });
                }
            }
        }
        if !self.bard.solve_tied(&self.ties) {
            return None;
        }
        self.report.iterations += 1;
        for (piece, frame) in self.balls.pieces.iter().zip(&self.frames) {
            let rows = piece.rows.clone();
            let y = *frame * read(&self.bard.y[rows.clone()]);
            self.x[rows.clone()].copy_from_slice(&y.to_array()[..rows.len()]);
        }
        let value = self.judge(problem);
        self.from.copy_from_slice(&self.x);
        Some(value)
    }

    /// Residual of x; kept if it is the smallest.
    fn judge(&mut self, problem: &ContactProblem) -> f64 {
        self.balls.impulses(&self.x, &mut self.r);
        self.balls.velocities(problem, &self.r, &mut self.u);
        let value = evaluate(problem, &self.units, self.report.form, &self.r, &self.u);
        self.report.record(self.report.iterations, value);
        if value < self.report.residual {
            self.report.residual = value;
            self.best.copy_from_slice(&self.r);
        }
        value
    }
}

/// Axes of a box in so many rows, the first along `v`.
fn frame(v: DVec3, dim: usize) -> DMat3 {
    let length = v.length();
    if !(length > 0.0 && length.is_finite()) {
        return DMat3::IDENTITY;
    }
    let first = v / length;
    match dim {
        1 => DMat3::from_diagonal(DVec3::new(first.x, 1.0, 1.0)),
        2 => DMat3::from_cols(first, DVec3::new(-first.y, first.x, 0.0), DVec3::Z),
        _ => {
            let second = first.any_orthonormal_vector();
            DMat3::from_cols(first, second, first.cross(second))
        }
    }
}

/// Writes rows and columns of a matrix, and a vector, along the axes.
fn turn(h: &mut [f64], b: &mut [f64], rows: std::ops::Range<usize>, axes: &DMat3) {
    let n = b.len();
    let dim = rows.len();
    let along = |v: DVec3| (axes.transpose() * v).to_array();
    for row in h.chunks_exact_mut(n).chain([b]) {
        let turned = along(read(&row[rows.clone()]));
        row[rows.clone()].copy_from_slice(&turned[..dim]);
    }
    for j in 0..n {
        let at = |k: usize| if k < dim { h[(rows.start + k) * n + j] } else { 0.0 };
        let turned = along(DVec3::new(at(0), at(1), at(2)));
        for (k, i) in rows.clone().enumerate() {
            h[i * n + j] = turned[k];
        }
    }
}

impl Solver for PivotingSolver {
    fn name(&self) -> &'static str {
        "pivoting"
    }

    fn supports(&self, law: &Law) -> Support {
        let known = match &law.set {
            Set::Free(_) | Set::Interval(_) | Set::Box(_) => true,
            set => set.ball_map().is_some(),
        };
        if known && law.rheology.is_none() { Support::Native } else { Support::Unsupported }
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        refuses(self, problem, self.most_rows)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        let started = Instant::now();
        if let Some(refusal) = self.refuses(problem) {
            return self.report.refuse(refusal);
        }
        self.prepare(problem);
        self.report.note_start(clear_bad(r), self.units.immovable);
        self.balls.pull(r, &mut self.x);
        self.judge(problem);
        self.report.status = if self.report.residual <= options.tolerance {
            Status::Converged
        } else {
            self.run(problem, options, started)
        };
        r.copy_from_slice(&self.best);
        self.report.elapsed = started.elapsed();
        &self.report
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

/// What is added to the diagonal, in units of it, by turns where one leads nowhere; and after how many drawings the
/// next has its turn. Labels are found sooner with more of it, the last digits with less: with 1e-7 throughout, 79
/// steps of the arch of scenes/matchstick are not solved, with these 8.
const EPSILONS: [f64; 4] = [1e-4, 1e-6, 1e-3, 1e-5];
const CHANCE: usize = 8;

/// Least number on a diagonal: where a set has no width, or nothing moves.
const LEAST_DIAGONAL: f64 = 1e-7;

/// Direct solves for one drawing of the boxes at most.
const MOST_PIVOTS: usize = 50;

/// Drawings in a row that may bring less than a tenth; after how many of them loads go half-way.
const MOST_SLOW: usize = 40;
const PATIENCE: usize = 4;
