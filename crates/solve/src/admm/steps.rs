//! How long the steps of each row are: by its own W, and by what the contact does.

use asperity_friction::set::Set;

use super::AdmmSolver;
use crate::problem::ContactProblem;
use crate::units::{Unit, Units, torque_scale};

impl AdmmSolver {
    /// The steps to begin with: thirty times what W on its own would ask for, with normal rows in units
    /// in which cones are round and a right angle wide; half by the W of each contact and half by the
    /// largest.
    pub(super) fn set_steps(&mut self, problem: &ContactProblem) {
        self.base.clear();
        self.base.resize(problem.rows(), 1.0);
        let units = &self.units;
        let largest =
            units.list.iter().map(|unit| widest(problem, units, unit)).fold(0.0, f64::max);
        for unit in &units.list {
            let w = (widest(problem, units, unit) * largest).sqrt();
            if !(w > 0.0) {
                continue;
            }
            for k in 0..unit.dim() {
                self.base[unit.row(k)] = LENGTH * unit_of(problem, unit, k).powi(2) / w;
            }
        }
        self.steps.clone_from(&self.base);
        self.soften(problem);
    }

    /// R/(1 + R C) for the steps R and the compliance C.
    pub(super) fn soften(&mut self, problem: &ContactProblem) {
        self.soft_steps.clear();
        let soft = |(i, step): (usize, &f64)| step / (1.0 + step * problem.give(i));
        self.soft_steps.extend(self.steps.iter().enumerate().map(soft));
    }

    /// Longer steps where contacts hold, shorter ones where they are open: towards what Newton's
    /// method would take, some way each time. False where the matrix has no factor.
    pub(super) fn adapt(&mut self, problem: &ContactProblem) -> bool {
        for unit in &self.list {
            let first = usize::from(unit.normal.is_some());
            let a = |row: usize| 2.0 * self.first[row] - self.z[row];
            let mut holds = unit.normal.is_none_or(|n| self.second[n] > 0.0);
            let pushes = holds;
            let size = (0..unit.dim()).fold(0.0_f64, |m, k| m.max(self.second[unit.row(k)].abs()));
            holds &= unit.rows.clone().all(|i| (self.second[i] - a(i)).abs() <= 1e-12 * size);
            for k in 0..unit.dim() {
                let row = unit.row(k);
                let factor = if holds {
                    LONGEST
                } else if k < first && pushes {
                    1.0
                } else {
                    SHORTEST
                };
                let step = self.steps[row] * factor.powf(PACE);
                self.steps[row] = step.clamp(SHORTEST * self.base[row], LONGEST * self.base[row]);
            }
        }
        self.soften(problem);
        self.refactor()
    }
}

/// The largest number on the diagonal of a unit's W, in its units.
fn widest(problem: &ContactProblem, units: &Units, unit: &Unit) -> f64 {
    let dim = unit.dim();
    let w = |k: usize| units.local[unit.local + k * dim + k] * unit_of(problem, unit, k).powi(2);
    (0..dim).map(w).fold(0.0, f64::max)
}

/// Unit of the impulse in a unit's k-th row: 1/μ in a normal row that loads friction, a radius in a torque row.
fn unit_of(problem: &ContactProblem, unit: &Unit, k: usize) -> f64 {
    let Some(block) = unit.block.filter(|_| k == 0 && unit.normal.is_some()) else {
        return torque_scale(unit, k);
    };
    let mu = match &problem.blocks[block].law.set {
        Set::Disk(disk) => disk.radius(),
        Set::Free(_) | Set::Wrench(_) => 1.0,
        set => {
            let mut one = [0.0; crate::local::MAX_LOCAL];
            let mut along = |k: usize, sign: f64| {
                one = [0.0; crate::local::MAX_LOCAL];
                one[k] = sign;
                set.support(&one[..set.dim()], 1.0)
            };
            let last = set.dim().min(2) - 1;
            0.25 * (along(0, 1.0) + along(0, -1.0) + along(last, 1.0) + along(last, -1.0))
        }
    };
    if mu > 1e-3 { 1.0 / mu } else { 1e3 }
}

/// Steps, in units of 1/W.
const LENGTH: f64 = 30.0;

/// Of these, the longest and the shortest there may be, and the power of that by which they change at a time.
const LONGEST: f64 = 100.0;
const SHORTEST: f64 = 0.3;
const PACE: f64 = 0.5;
