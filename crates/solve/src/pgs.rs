//! Projected Gauss–Seidel, row by row, with box bounds that follow the normal impulse
//! (Andrews 2021, section 4.4).

use std::time::Instant;

use asperity_friction::set::{BoxSet, Interval, Rotation, Set};
use glamx::DVec2;

use crate::delassus::{BodyBuffers, Delassus, Explicit, OverBodies};
use crate::problem::{ContactProblem, FrictionBlock, Operator};
use crate::prox::{clear_bad, velocity};
use crate::residual::{Form, evaluate, form_of, load};
use crate::solution::{Note, SolveOptions, SolveReport, Status, Support};
use crate::units::Units;

/// Projected Gauss–Seidel. Takes boxes, intervals and joints as they are; other sets are replaced
/// by the box around them, along their own axes where they have any, and the report says so.
#[derive(Debug, Clone)]
pub struct PgsSolver {
    buffers: BodyBuffers,
    units: Units,
    boxed: Vec<FrictionBlock>,
    boxed_units: Units,
    u: Vec<f64>,
    report: SolveReport,
}

impl Default for PgsSolver {
    fn default() -> PgsSolver {
        PgsSolver {
            buffers: BodyBuffers::default(),
            units: Units::default(),
            boxed: Vec::new(),
            boxed_units: Units::default(),
            u: Vec::new(),
            report: SolveReport::new("pgs"),
        }
    }
}

impl PgsSolver {
    /// How a set is taken.
    pub fn supports(set: &Set) -> Support {
        match set {
            Set::Free(_) | Set::Interval(_) | Set::Box(_) => Support::Native,
            Set::Wrench(_) => Support::Unsupported,
            _ => Support::Approximate(AROUND),
        }
    }

    /// Solves a validated problem. `r` is the warm start and receives the impulses.
    pub fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        let started = Instant::now();
        let approximated = self.begin(problem, r);
        let form = form_of(&self.boxed, &mut self.boxed_units);
        let mut run =
            Run { problem, blocks: &self.boxed, units: &self.boxed_units, form, u: &mut self.u };
        let report = &mut self.report;
        let own = match &problem.operator {
            Operator::Explicit(w) => run.sweeps(&mut Explicit(w), r, options, started, report),
            Operator::Factored(f) => {
                run.sweeps(&mut Explicit(f.delassus()), r, options, started, report)
            }
            Operator::Bodies(bodies) => {
                let mut operator = OverBodies::new(bodies, &mut self.buffers);
                run.sweeps(&mut operator, r, options, started, report)
            }
        };
        report.form = form_of(&problem.blocks, &mut self.units);
        report.residual =
            evaluate(&problem.q, &problem.blocks, &self.units, report.form, r, &self.u);
        report.own_residual = (approximated > 0).then_some(own);
        report.elapsed = started.elapsed();
        report
    }

    /// Sweeps until one changes the impulses by no more than `tolerance` of their size: the stopping
    /// criterion of Bouchard 2015, section 6.1.8, with the solver that its point contacts had. Tells
    /// each sweep's change and returns how many there were; `None` where `most` were not enough.
    pub fn sweep_until(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        tolerance: f64,
        most: usize,
        tell: impl FnMut(f64),
    ) -> Option<usize> {
        self.begin(problem, r);
        let form = form_of(&self.boxed, &mut self.boxed_units);
        let mut run =
            Run { problem, blocks: &self.boxed, units: &self.boxed_units, form, u: &mut self.u };
        match &problem.operator {
            Operator::Explicit(w) => run.until(&mut Explicit(w), r, tolerance, most, tell),
            Operator::Factored(f) => {
                run.until(&mut Explicit(f.delassus()), r, tolerance, most, tell)
            }
            Operator::Bodies(bodies) => {
                let mut operator = OverBodies::new(bodies, &mut self.buffers);
                run.until(&mut operator, r, tolerance, most, tell)
            }
        }
    }

    /// Makes everything ready; returns how many sets are not taken as they are.
    fn begin(&mut self, problem: &ContactProblem, r: &mut [f64]) -> usize {
        self.report.reset();
        let approximated = problem
            .blocks
            .iter()
            .filter(|b| matches!(PgsSolver::supports(&b.set), Support::Approximate(_)))
            .count();
        let refused = |b: &&FrictionBlock| PgsSolver::supports(&b.set) == Support::Unsupported;
        let unsupported = problem.blocks.iter().filter(refused).count();
        self.boxed.clear();
        for block in &problem.blocks {
            push_boxed(block, &mut self.boxed);
        }
        self.buffers.prepare(problem);
        self.units.prepare(problem, &problem.blocks, &self.buffers);
        self.boxed_units.prepare(problem, &self.boxed, &self.buffers);
        self.u.clear();
        self.u.resize(problem.rows(), 0.0);
        let bad = clear_bad(r);
        if bad > 0 {
            self.report.notes.push(Note::BadWarmStart(bad));
        }
        if unsupported > 0 {
            self.report.notes.push(Note::Unsupported(unsupported, "wrench"));
        }
        if approximated > 0 {
            self.report.notes.push(Note::Approximated(approximated, AROUND));
        }
        if self.units.immovable > 0 {
            self.report.notes.push(Note::Immovable(self.units.immovable));
        }
        approximated
    }
}

const AROUND: &str = "the box around them";

struct Run<'a> {
    problem: &'a ContactProblem,
    blocks: &'a [FrictionBlock],
    units: &'a Units,
    form: Form,
    u: &'a mut [f64],
}

impl Run<'_> {
    /// Sweeps until the boxed problem is solved; returns its residual and leaves u in `self.u`.
    fn sweeps<D: Delassus>(
        &mut self,
        operator: &mut D,
        r: &mut [f64],
        options: &SolveOptions,
        started: Instant,
        report: &mut SolveReport,
    ) -> f64 {
        operator.reset(r);
        let mut value = f64::INFINITY;
        for sweep in 0..=options.max_iterations {
            if sweep > 0 {
                self.sweep(operator, r);
            }
            report.iterations = sweep;
            if sweep <= 8 || sweep % 8 == 0 || sweep == options.max_iterations {
                for (i, u) in self.u.iter_mut().enumerate() {
                    *u = velocity(self.problem, operator, i, r);
                }
                value = evaluate(&self.problem.q, self.blocks, self.units, self.form, r, self.u);
                report.record(sweep, value);
                if value <= options.tolerance {
                    report.status = Status::Converged;
                    break;
                }
                if options.time_limit.is_some_and(|limit| started.elapsed() > limit) {
                    report.status = Status::TimeLimit;
                    break;
                }
            }
        }
        value
    }

    /// Sweeps until one changes r by little; u is used for what r was.
    fn until<D: Delassus>(
        &mut self,
        operator: &mut D,
        r: &mut [f64],
        tolerance: f64,
        most: usize,
        mut tell: impl FnMut(f64),
    ) -> Option<usize> {
        operator.reset(r);
        for sweep in 1..=most {
            self.u.copy_from_slice(r);
            self.sweep(operator, r);
            let change = r.iter().zip(&*self.u).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            let size = r.iter().map(|x| x * x).sum::<f64>().sqrt();
            let change = if change > 0.0 { change / size } else { 0.0 };
            tell(change);
            if change <= tolerance {
                return Some(sweep);
            }
        }
        None
    }

    fn sweep<D: Delassus>(&self, operator: &mut D, r: &mut [f64]) {
        for unit in &self.units.list {
            let dim = unit.dim();
            let w = &self.units.local[unit.local..unit.local + dim * dim];
            let first = usize::from(unit.normal.is_some());
            if let Some(n) = unit.normal {
                row_step(operator, self.problem, w[0], n, r, |x| x.max(0.0));
            }
            let Some(block) = unit.block.map(|k| &self.blocks[k]) else { continue };
            let load = load(block, r);
            match &block.set {
                Set::Box(set) => {
                    self.box_step(operator, set, load, first, dim, w, unit.rows.start, r);
                }
                set => {
                    for (k, row) in unit.rows.clone().enumerate() {
                        let w_ii = w[(first + k) * (dim + 1)];
                        row_step(operator, self.problem, w_ii, row, r, |x| match set {
                            Set::Interval(s) => s.project(x, load),
                            _ => x,
                        });
                    }
                }
            }
        }
    }

    /// Both axes of a box in turn. They may be turned against the rows.
    #[allow(clippy::too_many_arguments)]
    fn box_step<D: Delassus>(
        &self,
        operator: &mut D,
        set: &BoxSet,
        load: f64,
        first: usize,
        dim: usize,
        w: &[f64],
        row: usize,
        r: &mut [f64],
    ) {
        let entry = |i: usize, j: usize| w[(first + i) * dim + first + j];
        let axis = set.rotation().axis();
        for (direction, bounds) in [(axis, set.first()), (axis.perp(), set.second())] {
            let u = [0, 1].map(|k| velocity(self.problem, operator, row + k, r));
            let w_dd = direction.x * (entry(0, 0) * direction.x + entry(0, 1) * direction.y)
                + direction.y * (entry(1, 0) * direction.x + entry(1, 1) * direction.y);
            if !(w_dd > 0.0) {
                continue;
            }
            let along = direction.dot(DVec2::new(r[row], r[row + 1]));
            let new = bounds.project(along - direction.dot(u.into()) / w_dd, load);
            let delta = direction * (new - along);
            for (k, d) in delta.to_array().into_iter().enumerate() {
                if d != 0.0 && d.is_finite() {
                    r[row + k] += d;
                    operator.add(row + k, d);
                }
            }
        }
    }
}

/// One row: r_i ← bound(r_i − u_i/W_ii).
#[inline]
fn row_step<D: Delassus>(
    operator: &mut D,
    problem: &ContactProblem,
    w_ii: f64,
    row: usize,
    r: &mut [f64],
    bound: impl Fn(f64) -> f64,
) {
    if !(w_ii > 0.0) {
        return;
    }
    let new = bound(r[row] - velocity(problem, operator, row, r) / w_ii);
    if new != r[row] && new.is_finite() {
        operator.add(row, new - r[row]);
        r[row] = new;
    }
}

/// A block as boxes and intervals, along the set's own axes.
fn push_boxed(block: &FrictionBlock, out: &mut Vec<FrictionBlock>) {
    let rows = block.rows.clone();
    let mut push = |from: usize, set: Set| {
        let rows = rows.start + from..rows.start + from + set.dim();
        out.push(FrictionBlock { rows, load: block.load.clone(), set });
    };
    let axes = match &block.set {
        Set::Free(_) | Set::Interval(_) | Set::Box(_) => return push(0, block.set.clone()),
        Set::Wrench(_) => {
            // Left out: nothing acts in these rows.
            if let Ok(nothing) = Interval::symmetric(0.0) {
                (0..block.rows.len()).for_each(|k| push(k, nothing.into()));
            }
            return;
        }
        Set::Ellipse(s) => s.rotation(),
        Set::Ellipsoid(s) => s.section().rotation(),
        Set::LimitSurface(s) => s.section().rotation(),
        _ => Rotation::IDENTITY,
    };
    let dim = block.set.dim();
    let reach = |direction: &[f64]| block.set.support(direction, 1.0).max(0.0);
    for pair in 0..dim / 2 {
        let mut bounds = [0.0; 4];
        let corners = [axes.axis(), -axes.axis(), axes.axis().perp(), -axes.axis().perp()];
        for (bound, corner) in bounds.iter_mut().zip(corners) {
            let mut direction = [0.0; 4];
            direction[2 * pair] = corner.x;
            direction[2 * pair + 1] = corner.y;
            *bound = reach(&direction[..dim]);
        }
        // The bounds are supports of a valid set: finite and not negative.
        if let (Ok(a), Ok(b)) =
            (Interval::new(-bounds[1], bounds[0]), Interval::new(-bounds[3], bounds[2]))
        {
            push(2 * pair, BoxSet::new(a, b, axes).into());
        }
    }
    if dim == 3
        && let Ok(spin) = Interval::new(-reach(&[0.0, 0.0, -1.0]), reach(&[0.0, 0.0, 1.0]))
    {
        push(2, spin.into());
    }
}
