//! Backward Euler without contacts: free velocities, positions.

use glamx::DVec3;

use crate::assembly::{Gather, Weights};
use crate::cloth::MembraneTangent;
use crate::matrix_origin::MatrixOrigin;
use crate::system::ALONE;
use crate::{LinearOptions, LinearReport, SoftBody, Trouble};

/// How a step is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepOptions {
    /// Linear systems.
    pub linear: LinearOptions,
    /// Newton iterations. One is the semi-implicit step of Baraff and Witkin (1998), and all that
    /// a step with contacts as part of it takes.
    pub newton: usize,
    /// Whether later Newton iterations are shortened until the energy falls.
    pub line_search: bool,
    /// Whether the matrix is kept while the body's shape stays within the linear tolerance of where
    /// it was assembled. Off, it is assembled in every step: slower, and no better.
    pub keep_matrix: bool,
}

impl Default for StepOptions {
    fn default() -> StepOptions {
        StepOptions {
            linear: LinearOptions::default(),
            newton: 1,
            line_search: true,
            keep_matrix: true,
        }
    }
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SoftReport {
    /// The last linear solve.
    pub linear: LinearReport,
    /// Newton iterations done.
    pub newton: usize,
    /// Why the body was stopped, in this step or before.
    pub trouble: Option<Trouble>,
}

/// Memory of steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    pub(crate) gather: Gather,
    pub(crate) old: Vec<DVec3>,
    pub(crate) moved: Vec<DVec3>,
    pub(crate) force: Vec<DVec3>,
    pub(crate) change: Vec<DVec3>,
    /// Of the membranes, with the weights of the last assembly.
    pub(crate) tangents: Vec<MembraneTangent>,
    /// When that was.
    pub(crate) matrix_origin: MatrixOrigin,
}

impl SoftBody {
    /// Backward Euler without contacts: the velocities after a step of `h` seconds.
    ///
    /// Solves (M + h D + h² K) v' = M v + h f, with f the elastic forces at the present positions
    /// plus weight plus `external` (N per vertex; may be empty), K the stiffness (its negative
    /// part removed) and D the viscosity. This is (M − h ∂f/∂v − h² ∂f/∂x) Δv =
    /// h (f + h ∂f/∂x v) of Baraff and Witkin (1998). More Newton iterations, if asked for, solve
    /// the implicit equation itself. Positions stay; see [`SoftBody::advance`].
    pub fn free_velocities(&mut self, h: f64, gravity: DVec3, external: &[DVec3]) -> SoftReport {
        let mut report = SoftReport { trouble: self.stopped, ..SoftReport::default() };
        if self.stopped.is_some() || self.stop_if_bad(h, gravity, external) {
            report.trouble = self.stopped;
            return report;
        }
        for iteration in 0..self.options.newton.max(1) {
            self.linearise(h, gravity, external, iteration);
            if iteration > 0 {
                self.start_change();
            }
            let s = &mut self.scratch;
            let x = if iteration == 0 { &mut self.velocities } else { &mut s.change };
            let (a, b) = (&self.matrix, &s.force);
            report.linear = self.linear.solve(a, &self.pinned, b, x, &self.options.linear);
            if iteration > 0 {
                self.take_change(h, gravity, external);
            } else {
                self.find_work_at_pins();
            }
            report.newton = iteration + 1;
        }
        self.keep_momentum(h, gravity, external);
        self.stop_if_lost();
        report.trouble = self.stopped;
        report
    }

    /// Work in the last step of what holds pinned vertices, joules. Where a contact pushes one, what it gave it is part
    /// of that and to be taken off.
    pub fn work_at_pins(&self) -> f64 {
        self.work_at_pins
    }

    /// Finds it for a step that ends with the velocities that the body has: what pins give is A v − b.
    pub(crate) fn find_work_at_pins(&mut self) {
        self.work_at_pins = 0.0;
        let moves = |(v, pinned): (&DVec3, &bool)| *pinned && *v != DVec3::ZERO;
        if !self.velocities.iter().zip(&self.pinned).any(moves) {
            return;
        }
        let s = &mut self.scratch;
        self.matrix.multiply(&self.velocities, &mut s.change);
        for i in (0..self.pinned.len()).filter(|i| self.pinned[*i]) {
            self.work_at_pins += (s.change[i] - s.force[i]).dot(self.velocities[i]);
        }
    }

    /// The linear system A v' = b of a Newton iteration: A into the matrix, b into
    /// `scratch.force`. The first one is about the present positions and moves the velocities on
    /// to a good guess; later ones are about the positions that the present
    /// velocities lead to.
    pub(crate) fn linearise(
        &mut self,
        h: f64,
        gravity: DVec3,
        external: &[DVec3],
        iteration: usize,
    ) {
        let n = self.positions.len();
        if iteration == 0 {
            self.guess(gravity * h);
            self.scratch.moved.copy_from_slice(&self.positions);
        } else {
            for i in 0..n {
                self.scratch.moved[i] = self.positions[i] + self.velocities[i] * h;
            }
        }
        self.update_states();
        if iteration > 0 {
            self.let_viscosity_see_half_way();
        }
        self.assemble(Weights { mass: 1.0, elastic: h * h, viscous: h });
        self.add_forces(iteration > 0, gravity, external);
        let s = &mut self.scratch;
        for i in 0..n {
            s.force[i] = s.old[i] * self.masses[i] + s.force[i] * h;
        }
        if iteration > 0 {
            // b = M v₀ + h f − M v + A v.
            self.matrix.multiply(&self.velocities, &mut s.change);
            for i in 0..n {
                s.force[i] += s.change[i] - self.velocities[i] * self.masses[i];
            }
        }
    }

    /// Keeps the velocities of the beginning, and moves them on by `fall`; or, for a
    /// large body whose last step took long, by as much as in that one.
    fn guess(&mut self, fall: DVec3) {
        let again = self.velocities.len() > ALONE && self.linear.gradients.spent() > LONG;
        for i in 0..self.velocities.len() {
            let v = self.velocities[i];
            let before = std::mem::replace(&mut self.scratch.old[i], v);
            if !self.pinned[i] {
                self.velocities[i] += if again { v - before } else { fall };
            }
        }
    }

    /// b − A v in the place of b, and no change yet.
    fn start_change(&mut self) {
        let s = &mut self.scratch;
        self.matrix.multiply(&self.velocities, &mut s.change);
        for (b, av) in s.force.iter_mut().zip(&s.change) {
            *b -= *av;
        }
        s.change.fill(DVec3::ZERO);
    }

    /// Stops the body if a velocity is not finite.
    pub(crate) fn stop_if_lost(&mut self) {
        if let Some(vertex) = self.velocities.iter().position(|v| !v.is_finite()) {
            let value = self.velocities[vertex];
            self.stop(Trouble { vertex, field: "velocities", value });
        }
    }

    /// Moves the vertices for `h` seconds with their velocities.
    pub fn advance(&mut self, h: f64) {
        if self.stopped.is_some() {
            return;
        }
        let bad = |v: &DVec3| !(*v * h).is_finite();
        if let Some(vertex) = self.velocities.iter().position(bad) {
            let value = self.velocities[vertex];
            self.stop(Trouble { vertex, field: "velocities", value });
            return;
        }
        for (x, v) in self.positions.iter_mut().zip(&self.velocities) {
            *x += *v * h;
        }
    }

    /// Stops the body: it keeps its place from now on, and numbers that are not finite become
    /// zero.
    pub fn stop(&mut self, trouble: Trouble) {
        self.stopped.get_or_insert(trouble);
        self.velocities.fill(DVec3::ZERO);
        for x in &mut self.positions {
            if !x.is_finite() {
                *x = DVec3::ZERO;
            }
        }
    }

    /// Adds part or all of a Newton step, so that the incremental potential falls:
    /// ½ |v − v₀|²_M + W(x + h v) + ½ h vᵀDv − h f·v.
    fn take_change(&mut self, h: f64, gravity: DVec3, external: &[DVec3]) {
        let n = self.positions.len();
        let slope: f64 = (0..n).map(|i| self.scratch.force[i].dot(self.scratch.change[i])).sum();
        let start = self.velocities.clone();
        let before = self.potential(h, gravity, external);
        let mut part = 1.0;
        for _ in 0..12 {
            for i in 0..n {
                self.velocities[i] = start[i] + self.scratch.change[i] * part;
            }
            let after = self.potential(h, gravity, external);
            if !self.options.line_search || after <= before - 1e-4 * part * slope {
                return;
            }
            part *= 0.5;
        }
        // Nothing falls any more: rounding is all that is left.
        self.velocities.copy_from_slice(&start);
    }

    /// What the body gains by a step of `h` seconds that ends with its velocities, joules: motion,
    /// height and elastic energy. The step has been linearised.
    pub(crate) fn gained_energy(&mut self, h: f64, gravity: DVec3) -> f64 {
        let mut sum = 0.0;
        for (i, v) in self.velocities.iter().enumerate() {
            let s = &mut self.scratch;
            s.moved[i] = self.positions[i] + *v * h;
            let squares = v.length_squared() - s.old[i].length_squared();
            sum += self.masses[i] * (0.5 * squares - h * gravity.dot(*v));
        }
        sum + self.energy_at(&self.scratch.moved) - self.energy()
    }

    /// The same for a step that ends with these `velocities` after ways at the speeds `paths`.
    pub(crate) fn gained_along(
        &self,
        paths: &[DVec3],
        velocities: &[DVec3],
        (h, gravity): (f64, DVec3),
    ) -> f64 {
        let ends: Vec<DVec3> = self.positions.iter().zip(paths).map(|(x, p)| *x + *p * h).collect();
        let mut sum = self.energy_at(&ends) - self.energy();
        for (i, (path, v)) in paths.iter().zip(velocities).enumerate() {
            let squares = v.length_squared() - self.scratch.old[i].length_squared();
            sum += self.masses[i] * (0.5 * squares - h * gravity.dot(*path));
        }
        sum
    }

    /// The potential whose minimum an implicit step without contacts ends at.
    pub(crate) fn potential(&mut self, h: f64, gravity: DVec3, external: &[DVec3]) -> f64 {
        let n = self.positions.len();
        let mut sum = -0.5 * h * self.viscous_power();
        for i in 0..n {
            let s = &mut self.scratch;
            s.moved[i] = self.positions[i] + self.velocities[i] * h;
            let m = self.masses[i];
            sum += 0.5 * m * (self.velocities[i] - s.old[i]).length_squared();
            let force = gravity * m + external.get(i).copied().unwrap_or_default();
            sum -= h * force.dot(self.velocities[i]);
        }
        sum + self.energy_at(&self.scratch.moved)
    }

    /// Inner forces cannot change the momentum of a body without pins: what is left of the
    /// linear solver's error there is removed.
    pub(crate) fn keep_momentum(&mut self, h: f64, gravity: DVec3, external: &[DVec3]) {
        if self.pinned.iter().any(|p| *p) {
            return;
        }
        let mass = self.mass();
        let mut missing = gravity * (h * mass) - self.gained_momentum();
        for force in external {
            missing += *force * h;
        }
        let shift = missing / mass;
        for v in &mut self.velocities {
            *v += shift;
        }
    }

    /// Momentum gained since the step began, kg m/s.
    pub(crate) fn gained_momentum(&self) -> DVec3 {
        let gain = |i: usize| (self.velocities[i] - self.scratch.old[i]) * self.masses[i];
        (0..self.masses.len()).map(gain).sum()
    }

    pub(crate) fn stop_if_bad(&mut self, h: f64, gravity: DVec3, external: &[DVec3]) -> bool {
        let n = self.positions.len();
        let vectors = [
            ("positions", self.positions.as_slice()),
            ("velocities", self.velocities.as_slice()),
            ("forces", external),
            ("gravity", &[gravity]),
        ];
        let bad = |(field, list): (&'static str, &[DVec3])| {
            let vertex = list.iter().position(|v| !v.is_finite())?;
            Some(Trouble { vertex, field, value: list[vertex] })
        };
        let mut found = vectors.into_iter().find_map(bad);
        if found.is_none() {
            let good = |m: f64| m > 0.0 && m.is_finite();
            let wrong = |i: usize| !self.pinned[i] && !good(self.masses[i]);
            found = (0..n).find(|i| wrong(*i)).map(|vertex| Trouble {
                vertex,
                field: "masses",
                value: DVec3::splat(self.masses[vertex]),
            });
        }
        if found.is_none() && !(h > 0.0 && h.is_finite()) {
            found = Some(Trouble { vertex: 0, field: "step", value: DVec3::splat(h) });
        }
        if let Some(trouble) = found {
            self.stop(trouble);
        }
        self.stopped.is_some()
    }
}

/// Iterations of a step above which the next one begins as that one went.
const LONG: usize = 12;
