//! How the natural map of all units changes with the impulses.

use super::DenseSolver;
use crate::local::MAX_LOCAL;
use crate::problem::ContactProblem;
use crate::residual::unit_error;
use crate::units::Unit;

/// What is changed to see what it does.
#[derive(Clone, Copy)]
enum Change {
    Impulse(usize),
    Velocity(usize),
}

impl DenseSolver {
    /// J = ∂F/∂r + ∂F/∂u W at `r` and `u`, everything in its units.
    pub(super) fn set_jacobian(&mut self, problem: &ContactProblem) {
        let n = self.r.len();
        self.jacobian.fill(0.0);
        for number in 0..self.units.list.len() {
            let unit = self.units.list[number].clone();
            let (dim, root) = (unit.dim(), unit.rho.sqrt());
            if !(root > 0.0) {
                continue; // cannot move: F is zero
            }
            let reach = self.reach(problem, &unit);
            let loads = unit.block.map_or(0..0, |k| problem.blocks[k].normals.clone());
            let foreign = loads.filter(|row| Some(*row) != unit.normal);
            for column in (0..dim).map(|k| unit.row(k)).chain(foreign) {
                // In impulses as the unit measures them; a load has no patch radius.
                let t = self.radius(&unit, column);
                let slope = self.slope(problem, number, Change::Impulse(column), reach * t);
                for k in 0..dim {
                    self.jacobian[unit.row(k) * n + column] += slope[k] * self.scale[column] / root;
                }
            }
            for k in 0..dim {
                let row = unit.row(k);
                let h = reach / (unit.rho * self.radius(&unit, row));
                let slope = self.slope(problem, number, Change::Velocity(row), h);
                for i in (0..dim).filter(|i| slope[*i] != 0.0) {
                    let (to, factor) = (unit.row(i) * n, slope[i] / root);
                    for j in 0..n {
                        self.jacobian[to + j] += factor * self.w[row * n + j] * self.scale[j];
                    }
                }
            }
        }
    }

    /// The patch radius for a unit's torque rows, one for other rows.
    fn radius(&self, unit: &Unit, row: usize) -> f64 {
        let own = (0..unit.dim()).any(|k| unit.row(k) == row);
        if own { self.scale[row] / unit.rho.sqrt() } else { 1.0 }
    }

    /// What counts as small for a unit's impulses: a share of them and of its velocities.
    fn reach(&self, problem: &ContactProblem, unit: &Unit) -> f64 {
        let mut largest = unit.block.map_or(0.0, |k| problem.blocks[k].load(&self.r));
        for row in (0..unit.dim()).map(|k| unit.row(k)) {
            let t = self.radius(unit, row);
            largest = largest.max(self.r[row].abs() / t).max(unit.rho * t * self.u[row].abs());
        }
        DIFFERENCE * if largest > 0.0 { largest } else { 1.0 }
    }

    /// How the errors of the unit of this number change, by differences of ±h.
    fn slope(
        &mut self,
        problem: &ContactProblem,
        number: usize,
        change: Change,
        h: f64,
    ) -> [f64; MAX_LOCAL] {
        let mut at = |shift: f64| {
            let place = match change {
                Change::Impulse(row) => &mut self.r[row],
                Change::Velocity(row) => &mut self.u[row],
            };
            let before = *place;
            *place = before + shift;
            let moved = *place - before;
            let unit = &self.tilted[number];
            let errors = unit_error(problem, &self.units, unit, [&self.r, &self.u]);
            match change {
                Change::Impulse(row) => self.r[row] = before,
                Change::Velocity(row) => self.u[row] = before,
            }
            (errors, moved)
        };
        let (above, below) = (at(h), at(-h));
        let width = above.1 - below.1;
        std::array::from_fn(|k| if width > 0.0 { (above.0[k] - below.0[k]) / width } else { 0.0 })
    }
}

/// Width of differences, as a share of what is large.
const DIFFERENCE: f64 = 1e-7;
