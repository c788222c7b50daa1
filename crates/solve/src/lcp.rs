//! The contact problem as one of linear complementarity, with polygons in the place of round sets, solved by
//! Lemke's method (Erleben 2020, section 4.1; the form is that of Stewart and Trinkle 1996, and of Anitescu and
//! Potra 1997).
//!
//! Friction is f = Σ βᵢ pᵢ with points pᵢ of the limit curve and βᵢ ≥ 0, and the load N = Σ βᵢ + ζ. With a
//! multiplier λ, which is the power of friction per unit load,
//!
//! - 0 ≤ r_n ⊥ u_n ≥ 0,
//! - 0 ≤ β ⊥ pᵀu + λ ≥ 0,
//! - 0 ≤ λ ⊥ N − Σ β ≥ 0;
//!
//! a row of a joint is two unknowns, r = r⁺ − r⁻, each with its own sign of u.
//!
//! What is solved is the problem of the polygons, which is what `own_residual` and `Status::Converged` are about.
//! The residual is that of the problem as given: with facets it ends where their accuracy does. The points of
//! discs and ellipses are those of the limit curve at equal angles of the unit disc that E makes the set of, so that
//! every facet stands for the same part of the coefficient: a polygon of K points is short of it by
//! 1 − cos(π/K) = π²/2K² at most, in the middle of its facets. Forces slide off in the directions of facets,
//! which is an error of the direction of up to π/K.

mod lemke;
mod unknowns;

use std::f64::consts::TAU;
use std::time::Instant;

use asperity_friction::Law;
use asperity_friction::random::Rng;
use asperity_friction::set::{Polygon, Set};
use glamx::DVec2;

use crate::delassus::BodyBuffers;
use crate::dense::least_squares::LeastSquares;
use crate::problem::ContactProblem;
use crate::prox::clear_bad;
use crate::residual::{evaluate, form_of};
use crate::solution::{Note, SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver, Untaken};
use crate::unit_balls::{UnitBalls, refuses};
use crate::units::Units;
use lemke::{End, Lemke};
use unknowns::{Unknown, entry};

/// Lemke's method over polygons. Takes joints, intervals, boxes and polygons as they are, discs and ellipses as
/// polygons; up to 2,000 unknowns, which are a hundred contacts with 16 directions.
///
/// Owns its memory: nothing is allocated for a problem no larger than the last.
#[derive(Debug, Clone)]
pub struct LcpSolver {
    /// Directions of friction: corners of the polygon in the place of a disc or an ellipse, 3 at least.
    pub directions: usize,
    buffers: BodyBuffers,
    units: Units,
    balls: UnitBalls,
    /// In the place of the unit disc.
    polygon: Option<Polygon>,
    unknowns: Vec<Unknown>,
    q: Vec<f64>,
    lemke: Lemke,
    active: Vec<usize>,
    basis: Vec<f64>,
    rhs: Vec<f64>,
    exact: Vec<f64>,
    system: LeastSquares,
    z: Vec<f64>,
    x: Vec<f64>,
    kept: Vec<f64>,
    scaled_u: Vec<f64>,
    r: Vec<f64>,
    u: Vec<f64>,
    report: SolveReport,
}

impl Default for LcpSolver {
    fn default() -> LcpSolver {
        LcpSolver {
            directions: DIRECTIONS,
            buffers: BodyBuffers::default(),
            units: Units::default(),
            balls: UnitBalls::default(),
            polygon: None,
            unknowns: Vec::new(),
            q: Vec::new(),
            lemke: Lemke::default(),
            active: Vec::new(),
            basis: Vec::new(),
            rhs: Vec::new(),
            exact: Vec::new(),
            system: LeastSquares::default(),
            z: Vec::new(),
            x: Vec::new(),
            kept: Vec::new(),
            scaled_u: Vec::new(),
            r: Vec::new(),
            u: Vec::new(),
            report: SolveReport::new("lcp"),
        }
    }
}

impl LcpSolver {
    /// Makes everything ready; returns how many sets are not taken as they are.
    fn prepare(&mut self, problem: &ContactProblem) -> usize {
        self.report.reset();
        self.buffers.prepare(problem);
        self.units.prepare(problem, &self.buffers);
        self.report.form = form_of(problem, &mut self.units);
        self.units.measure();
        self.balls.prepare(problem, &self.buffers, &self.units);
        let corners = self.directions.max(3);
        if self.polygon.as_ref().is_none_or(|p| p.corners().len() != corners) {
            let corner = |k: usize| DVec2::from_angle(TAU * k as f64 / corners as f64);
            let points: Vec<DVec2> = (0..corners).map(corner).collect();
            self.polygon = Polygon::from_points(&points).ok();
        }
        for list in [&mut self.x, &mut self.kept, &mut self.scaled_u, &mut self.r, &mut self.u] {
            list.clear();
            list.resize(problem.rows(), 0.0);
        }
        let replaced = |set: &Set| matches!(set, Set::Disk(_) | Set::Ellipse(_));
        problem.blocks.iter().filter(|b| replaced(&b.law.set)).count()
    }

    /// Pivots, then solves for the unknowns of the basis afresh. The first `attempt` lifts all rows alike, others
    /// at random.
    fn pivot(&mut self, options: &SolveOptions, started: Instant, attempt: usize) -> End {
        let (unknowns, balls) = (&self.unknowns, &self.balls);
        let entry = |i: usize, j: usize| entry(balls, unknowns, i, j);
        let mut rng = Rng::new(attempt as u64);
        let lift = || if attempt == 0 { 1.0 } else { rng.uniform(0.5, 2.0) };
        self.lemke.prepare(&self.q, lift, entry);
        let report = &mut self.report;
        let end = self.lemke.run(|| {
            let late = options.time_limit.is_some_and(|limit| started.elapsed() > limit);
            let more = report.iterations < options.max_iterations && !late;
            report.status = if late { Status::TimeLimit } else { Status::IterationLimit };
            report.iterations += usize::from(more);
            more
        });
        self.lemke.unknowns(&mut self.z);
        if end != End::Solved {
            return end;
        }
        self.lemke.active(&mut self.active);
        self.basis.clear();
        self.rhs.clear();
        for i in &self.active {
            self.basis.extend(self.active.iter().map(|j| entry(*i, *j)));
            self.rhs.push(self.q[*i]);
        }
        self.exact.clear();
        self.exact.resize(self.active.len(), 0.0);
        if !self.active.is_empty() {
            self.system.solve(&self.basis, &self.rhs, 0.0, &mut self.exact);
        }
        end
    }

    /// x from the unknowns, and r, u and both residuals from x.
    fn take(&mut self, problem: &ContactProblem, replaced: bool) -> f64 {
        self.x.fill(0.0);
        for (unknown, z) in self.unknowns.iter().zip(&self.z) {
            if let Unknown::Impulse(rows, _) = unknown {
                for (row, part) in rows {
                    self.x[*row] += part * z;
                }
            }
        }
        self.judge(problem, replaced)
    }

    /// The residual that decides, of x: that of the polygons, where there are such.
    fn judge(&mut self, problem: &ContactProblem, replaced: bool) -> f64 {
        self.balls.impulses(&self.x, &mut self.r);
        self.balls.velocities(problem, &self.r, &mut self.u);
        if replaced {
            self.balls.scaled_velocities(&self.x, &mut self.scaled_u);
            self.balls.error(problem, self.polygon.as_ref(), &self.x, &self.scaled_u)
        } else {
            self.residual(problem)
        }
    }

    fn residual(&self, problem: &ContactProblem) -> f64 {
        evaluate(problem, &self.units, self.report.form, &self.r, &self.u)
    }

    /// The better of what the pivots and the fresh solution of their basis give.
    fn best(&mut self, problem: &ContactProblem, replaced: bool, end: End) -> f64 {
        let pivoted = self.take(problem, replaced);
        if end != End::Solved {
            return pivoted;
        }
        for (i, z) in self.active.iter().zip(&mut self.exact) {
            std::mem::swap(&mut self.z[*i], z);
        }
        let exact = self.take(problem, replaced);
        if exact <= pivoted {
            return exact;
        }
        for (i, z) in self.active.iter().zip(&mut self.exact) {
            std::mem::swap(&mut self.z[*i], z);
        }
        self.take(problem, replaced)
    }

    /// Attempts until one is within the tolerance: where rounding leads the pivots to a ray, others may not meet it.
    /// Leaves x of the best.
    fn attempt(
        &mut self,
        problem: &ContactProblem,
        options: &SolveOptions,
        started: Instant,
        replaced: bool,
    ) -> f64 {
        self.list_unknowns(problem);
        let mut least = f64::INFINITY;
        for attempt in 0..ATTEMPTS {
            let end = self.pivot(options, started, attempt);
            let own = self.best(problem, replaced, end);
            if own < least {
                least = own;
                self.kept.clone_from(&self.x);
            }
            if least <= options.tolerance {
                self.report.status = Status::Converged;
                break;
            }
            if end == End::Stopped {
                break; // the status says why
            }
            self.report.status = Status::Stalled;
        }
        if least.is_finite() {
            self.x.clone_from(&self.kept);
        }
        self.judge(problem, replaced)
    }

    fn run(&mut self, problem: &ContactProblem, r: &mut [f64], options: &SolveOptions) {
        let started = Instant::now();
        let approximated = self.prepare(problem);
        let replaced = approximated > 0;
        let bad = clear_bad(r);
        if bad > 0 {
            self.report.notes.push(Note::BadWarmStart(bad));
        }
        if replaced {
            self.report.notes.push(Note::Approximated(approximated, POLYGONS));
        }
        if self.units.immovable > 0 {
            self.report.notes.push(Note::Immovable(self.units.immovable));
        }
        self.balls.pull(r, &mut self.x);
        let before = self.judge(problem, replaced);
        let mut own = before;
        if before <= options.tolerance {
            self.report.status = Status::Converged;
        } else {
            own = self.attempt(problem, options, started, replaced);
            if !(own <= before) {
                self.balls.pull(r, &mut self.x);
                own = self.judge(problem, replaced);
            }
        }
        self.report.record(self.report.iterations, own);
        r.copy_from_slice(&self.r);
        self.report.residual = self.residual(problem);
        self.report.own_residual = replaced.then_some(own);
        self.report.elapsed = started.elapsed();
    }
}

impl Solver for LcpSolver {
    fn name(&self) -> &'static str {
        "lcp"
    }

    fn supports(&self, law: &Law) -> Support {
        match &law.set {
            _ if law.rheology.is_some() => Support::Unsupported,
            Set::Free(_) | Set::Interval(_) | Set::Box(_) | Set::Polygon(_) => Support::Native,
            Set::Disk(_) | Set::Ellipse(_) => Support::Approximate(POLYGONS),
            _ => Support::Unsupported,
        }
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        refuses(self, problem, usize::MAX).or_else(|| {
            let what = Untaken::Size("more than 2,000 unknowns, two and its directions a contact");
            let refusal = Refusal { solver: self.name(), what, instead: INSTEAD };
            (self.size(problem) > MOST_UNKNOWNS).then_some(refusal)
        })
    }

    fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        if let Some(refusal) = self.refuses(problem) {
            return self.report.refuse(refusal);
        }
        self.run(problem, r, options);
        &self.report
    }

    fn set_directions(&mut self, directions: usize) -> bool {
        self.directions = directions;
        true
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

const POLYGONS: &str = "polygons of points of their limit curves";

/// Directions of friction, unless told.
const DIRECTIONS: usize = 16;

/// Unknowns at most: pivots cost their second power, and there are a few for each.
const MOST_UNKNOWNS: usize = 2000;

/// Attempts at most.
const ATTEMPTS: usize = 5;

const INSTEAD: &str = "fewer directions, or \"prox\", which takes every problem";
