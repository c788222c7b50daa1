//! Projected Gauss–Seidel, row by row, with box bounds that follow the normal impulse
//! (Andrews 2021, section 4.4).

use std::time::Instant;

use asperity_friction::Law;
use asperity_friction::set::{Axis, AxisBox, Kind, MAX_DIM, Set};

use crate::block::FrictionBlock;
use crate::coupling::refuses_many;
use crate::delassus::{BodyBuffers, Delassus, Explicit, OverBodies};
use crate::problem::{ContactProblem, Operator};
use crate::prox::{clear_bad, velocity};
use crate::residual::{Form, evaluate, evaluate_boxed, form_of};
use crate::rheology::{Loaded, read};
use crate::solution::{Note, SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver, Untaken};
use crate::units::{Unit, Units};

/// Projected Gauss–Seidel. Takes boxes, intervals and joints as they are; other sets are replaced
/// by the box around them, along their own axes where they have any, and the report says so.
#[derive(Debug, Clone)]
pub struct PgsSolver {
    buffers: BodyBuffers,
    units: Units,
    /// The box of each block.
    boxes: Vec<AxisBox>,
    u: Vec<f64>,
    report: SolveReport,
}

impl Default for PgsSolver {
    fn default() -> PgsSolver {
        PgsSolver {
            buffers: BodyBuffers::default(),
            units: Units::default(),
            boxes: Vec::new(),
            u: Vec::new(),
            report: SolveReport::new("pgs"),
        }
    }
}

impl PgsSolver {
    /// Sweeps until one changes the impulses by no more than `tolerance` of their size: the stopping
    /// criterion of Bouchard 2015, section 6.1.8, with the solver that its point contacts had. Tells
    /// each sweep's change and returns how many there were; `None` where `most` were not enough, or
    /// where the problem is not taken.
    pub fn sweep_until(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        tolerance: f64,
        most: usize,
        tell: impl FnMut(f64),
    ) -> Option<usize> {
        if self.refuses(problem).is_some() {
            return None;
        }
        let replaced = self.begin(problem, r) > 0;
        let PgsSolver { units, boxes, u, .. } = self;
        let mut run = Run { problem, boxes, units, form: Form::General, replaced, u };
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
        let replaced =
            |b: &&FrictionBlock| matches!(self.supports(&b.law), Support::Approximate(_));
        let approximated = problem.blocks.iter().filter(replaced).count();
        self.boxes.clear();
        self.boxes.extend(problem.blocks.iter().map(|b| b.law.set.around().unwrap_or_default()));
        self.buffers.prepare(problem);
        self.units.prepare(problem, &self.buffers);
        self.u.clear();
        self.u.resize(problem.rows(), 0.0);
        let bad = clear_bad(r);
        if bad > 0 {
            self.report.notes.push(Note::BadWarmStart(bad));
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

impl Solver for PgsSolver {
    fn name(&self) -> &'static str {
        "pgs"
    }

    fn supports(&self, law: &Law) -> Support {
        match law.set {
            Set::Free(_) | Set::Interval(_) | Set::Box(_) => Support::Native,
            _ if law.set.kind() == Kind::LocalSolve => Support::Unsupported,
            _ => Support::Approximate(AROUND),
        }
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        let refused = |b: &FrictionBlock| self.supports(&b.law) == Support::Unsupported;
        let Some(block) = problem.blocks.iter().position(refused) else {
            return refuses_many(self.name(), problem);
        };
        let what = Untaken::Set { block, shape: problem.blocks[block].law.set.name() };
        Some(Refusal { solver: self.name(), what, instead: "\"prox\" takes every set" })
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
        let approximated = self.begin(problem, r);
        let PgsSolver { units, boxes, u, report, buffers } = self;
        report.form = form_of(problem, units);
        if approximated > 0 && report.form == Form::Coulomb {
            units.measure(); // boxes have the general form
        }
        let replaced = approximated > 0;
        let mut run = Run { problem, boxes, units, form: report.form, replaced, u };
        let own = match &problem.operator {
            Operator::Explicit(w) => run.sweeps(&mut Explicit(w), r, options, started, report),
            Operator::Factored(f) => {
                run.sweeps(&mut Explicit(f.delassus()), r, options, started, report)
            }
            Operator::Bodies(bodies) => {
                run.sweeps(&mut OverBodies::new(bodies, buffers), r, options, started, report)
            }
        };
        report.residual = evaluate(problem, units, report.form, r, u);
        report.own_residual = replaced.then_some(own);
        report.elapsed = started.elapsed();
        report
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

const AROUND: &str = "the box around them";

struct Run<'a> {
    problem: &'a ContactProblem,
    boxes: &'a [AxisBox],
    units: &'a Units,
    form: Form,
    /// Whether a box is not the set itself.
    replaced: bool,
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
                value = if self.replaced {
                    evaluate_boxed(self.problem, self.units, self.boxes, r, self.u)
                } else {
                    evaluate(self.problem, self.units, self.form, r, self.u)
                };
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
            if let Some(n) = unit.normal
                && w[0] > 0.0
            {
                let new = (r[n] - velocity(self.problem, operator, n, r) / w[0]).max(0.0);
                change(operator, n, new - r[n], r);
            }
            let Some(number) = unit.block else { continue };
            let block = &self.problem.blocks[number];
            let load = block.load(r);
            if unit.alone && !(load > 0.0) {
                // Nothing acts in these rows.
                unit.rows.clone().for_each(|row| change(operator, row, -r[row], r));
                continue;
            }
            let rheology = block.law.rheology.as_deref();
            let law = rheology.map(|rheology| Loaded::new(rheology, unit.rows.len(), load));
            for axis in self.boxes[number].axes() {
                self.axis_step(operator, unit, axis, (law.as_ref(), load), r);
            }
        }
    }

    /// One axis of a box: f ← bound(f − ξ/(w + c)) along it, which changes r by 1/(1 + w d) of that,
    /// with c and d the compliance and the drag along it, and w that of W less what drags.
    fn axis_step<D: Delassus>(
        &self,
        operator: &mut D,
        unit: &Unit,
        axis: &Axis,
        (law, load): (Option<&Loaded>, f64),
        r: &mut [f64],
    ) {
        let (dim, rows) = (unit.dim(), unit.rows.clone());
        let first = dim - rows.len();
        let w = &self.units.local[unit.local..unit.local + dim * dim];
        let on_axis = |k: &usize| axis.direction[*k] != 0.0;
        let (mut w_dd, mut slip) = (0.0, [0.0; MAX_DIM]);
        for i in (0..rows.len()).filter(|i| law.is_some() || on_axis(i)) {
            slip[i] = velocity(self.problem, operator, rows.start + i, r);
            for j in 0..rows.len() {
                let entry = w[(first + i) * dim + first + j];
                w_dd += axis.direction[i] * entry * axis.direction[j];
            }
        }
        let (mut force, mut share) = (axis.along(&r[rows.clone()]), 1.0);
        let mut speed = axis.along(&slip);
        let mut inverse = w_dd;
        if let Some(law) = law {
            let (f, xi) = law.inside(&r[rows.clone()], &slip[..rows.len()]);
            (force, speed) = (axis.along(&f.to_array()), axis.along(&xi.to_array()));
            let direction = read(&axis.direction);
            share = 1.0 / (1.0 + w_dd * law.drag_along(direction));
            inverse = w_dd * share + law.give_along(direction);
        }
        if !(inverse > 0.0) {
            return;
        }
        let new = axis.project(force - speed / inverse, load);
        for (k, row) in rows.enumerate() {
            change(operator, row, axis.direction[k] * (new - force) * share, r);
        }
    }
}

/// Adds to one impulse what is finite.
#[inline]
fn change<D: Delassus>(operator: &mut D, row: usize, delta: f64, r: &mut [f64]) {
    if delta != 0.0 && delta.is_finite() {
        r[row] += delta;
        operator.add(row, delta);
    }
}
