//! Equilibrium of a body.

use glamx::DVec3;

use crate::assembly::Weights;
use crate::{LinearOptions, Method, SoftBody};

/// How a search for equilibrium ended.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StaticReport {
    /// Newton iterations.
    pub iterations: usize,
    /// Norm of the forces left over the norm of the given ones.
    pub residual: f64,
    /// Whether the residual fell below the tolerance.
    pub converged: bool,
}

impl SoftBody {
    /// Moves the vertices to where elastic forces, weight and `external` forces (N per vertex; may
    /// be empty) balance, and sets the velocities to zero.
    ///
    /// Newton's method on the energy with a line search and Cholesky factors. `tolerance` is the
    /// relative residual to reach. Where the stiffness alone is no help (a slack cloth), a
    /// multiple of the mass is added to it, which grows when steps fail and falls when they
    /// succeed.
    pub fn relax(
        &mut self,
        gravity: DVec3,
        external: &[DVec3],
        tolerance: f64,
        max_iterations: usize,
    ) -> StaticReport {
        let mut report = StaticReport::default();
        let n = self.positions.len();
        self.velocities.fill(DVec3::ZERO);
        let direct = LinearOptions { method: Method::Cholesky, ..self.options.linear };
        let given: f64 = (0..n)
            .filter(|i| !self.pinned[*i])
            .map(|i| self.given(i, gravity, external).length_squared())
            .sum::<f64>()
            .sqrt();
        let mut damping = 1.0;
        while report.iterations < max_iterations && self.stopped.is_none() {
            self.scratch.moved.copy_from_slice(&self.positions);
            self.update_states();
            self.add_forces(false, gravity, external);
            let left = (0..n)
                .filter(|i| !self.pinned[*i])
                .map(|i| self.scratch.force[i].length_squared())
                .sum::<f64>()
                .sqrt();
            report.residual = if left == 0.0 { 0.0 } else { left / given };
            report.converged = report.residual <= tolerance;
            if report.converged || !left.is_finite() {
                break;
            }
            report.iterations += 1;
            self.assemble(Weights { mass: damping, elastic: 1.0, viscous: 0.0 });
            let s = &mut self.scratch;
            s.change.fill(DVec3::ZERO);
            self.linear.solve(&self.matrix, &self.pinned, &s.force, &mut s.change, &direct);
            let part = self.descend(gravity, external);
            damping = if part >= 1.0 { damping * 0.1 } else { damping * 4.0 };
            damping = damping.max(1e-9);
        }
        report
    }

    /// Goes along `scratch.change` as far as the potential falls; returns the part taken.
    fn descend(&mut self, gravity: DVec3, external: &[DVec3]) -> f64 {
        let n = self.positions.len();
        let slope: f64 = (0..n).map(|i| self.scratch.force[i].dot(self.scratch.change[i])).sum();
        let before = self.energy();
        let mut part = 1.0;
        for _ in 0..30 {
            let mut work = 0.0;
            for i in 0..n {
                let step = self.scratch.change[i] * part;
                self.scratch.moved[i] = self.positions[i] + step;
                work += self.given(i, gravity, external).dot(step);
            }
            let change = self.energy_at(&self.scratch.moved) - before - work;
            let small = 1e-7 * (before.abs() + work.abs());
            // Differences of small energies are rounding; there the forces tell the way.
            if change <= -1e-4 * part * slope
                || (change.abs() <= small && self.slope_at_moved(gravity, external) <= 0.5 * slope)
            {
                std::mem::swap(&mut self.positions, &mut self.scratch.moved);
                return part;
            }
            part *= 0.5;
        }
        0.0
    }

    /// How much force there is along `scratch.change` at `scratch.moved`, in either sense.
    fn slope_at_moved(&mut self, gravity: DVec3, external: &[DVec3]) -> f64 {
        self.update_states();
        self.add_forces(false, gravity, external);
        let s = &self.scratch;
        s.force.iter().zip(&s.change).map(|(f, d)| f.dot(*d)).sum::<f64>().abs()
    }

    fn given(&self, i: usize, gravity: DVec3, external: &[DVec3]) -> DVec3 {
        gravity * self.masses[i] + external.get(i).copied().unwrap_or_default()
    }
}
