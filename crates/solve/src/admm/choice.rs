//! Which contacts take part: those that may push. Most of a heap in motion is near but does not touch.

use super::AdmmSolver;
use crate::newton::system::pairs_of;
use crate::problem::Bodies;
use crate::units::Unit;

impl AdmmSolver {
    /// Leaves out contacts without an impulse that open, by the velocities of the warm start.
    pub(super) fn choose(&mut self) {
        let fast = self.u.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        let open = |unit: &Unit| {
            unit.normal.is_some_and(|n| self.u[n] > OPENS * fast)
                && (0..unit.dim()).all(|k| self.first[unit.row(k)] == 0.0)
        };
        self.kept.clear();
        self.kept.extend(self.units.list.iter().map(|unit| !open(unit)));
    }

    /// Takes in those left out that would close; says whether there are any.
    pub(super) fn choose_more(&mut self, tolerance: f64) -> bool {
        let fast = self.u.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        let mut more = false;
        for (unit, kept) in self.units.list.iter().zip(&mut self.kept) {
            if !*kept && unit.normal.is_some_and(|n| self.u[n] < -0.1 * tolerance * fast) {
                (*kept, more) = (true, true);
            }
        }
        more
    }

    /// Gets ready for the contacts that take part; false where the matrix has no factor.
    pub(super) fn gather(&mut self, bodies: &Bodies) -> bool {
        self.list.clear();
        self.active.clear();
        for (unit, _) in self.units.list.iter().zip(&self.kept).filter(|(_, kept)| **kept) {
            self.active.extend((0..unit.dim()).map(|k| unit.row(k) as u32));
            self.list.push(unit.clone());
        }
        self.active.sort_unstable();
        let rows = self.active.iter().map(|row| *row as usize);
        pairs_of(bodies, rows, &mut self.pairs);
        match self.pattern.analyse(bodies.inverse_masses.len(), &self.pairs) {
            None => return false,
            Some(true) => {
                self.factor.prepare(&self.pattern);
                self.lu.prepare(&self.pattern);
            }
            Some(false) => {}
        }
        self.rows.arrange(bodies, &self.pattern.place);
        self.refactor()
    }

    /// Factors for the steps, and starts from r and u; false where the matrix has no factor.
    pub(super) fn refactor(&mut self) -> bool {
        self.set_z();
        self.rows.factor(&self.pattern, &self.active, &self.soft_steps, &mut self.factor)
    }

    /// z for `first` and `u`.
    pub(super) fn set_z(&mut self) {
        for i in self.active.iter().map(|i| *i as usize) {
            self.z[i] = self.first[i] + self.steps[i] * self.u[i];
        }
    }
}

/// Speed at which a contact opens for good, in units of the largest.
const OPENS: f64 = 1e-3;
