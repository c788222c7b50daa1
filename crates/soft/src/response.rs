//! What impulses do to a body within its implicit step: v = A⁻¹ (b + p) with the factored matrix A.

use glamx::DVec3;

use crate::cholesky::Cholesky;
use crate::{SoftBody, Trouble};

impl SoftBody {
    /// Forgets which vertices touched in the last step, where contacts are no longer part of the body's own
    /// implicit step.
    pub fn forget_loads(&mut self) {
        self.loads.fill(0.0);
        self.feature_loads.clear();
    }

    /// Begins an implicit step of `h` seconds that contacts will be part of: the matrix
    /// A = M + h D + h² K is factored, and the velocities become those without contacts. There is
    /// one Newton iteration. Positions stay. A body with bad numbers is stopped, as in
    /// [`SoftBody::free_velocities`].
    pub fn begin_response(&mut self, h: f64, gravity: DVec3) {
        if self.stopped.is_some() || self.stop_if_bad(h, gravity, &[]) {
            return;
        }
        self.linearise(h, gravity, &[], 0);
        self.respond_freely();
    }

    /// Takes that part of the way from these velocities to the present ones at which the step's potential is least,
    /// with the impulses (N s; may be empty) that contacts and pins give it.
    pub(crate) fn take_best_part(
        &mut self,
        start: &[DVec3],
        impulses: &[DVec3],
        (h, gravity): (f64, DVec3),
    ) {
        let end = self.velocities.clone();
        let less = |body: &SoftBody| -> f64 {
            impulses.iter().zip(&body.velocities).map(|(p, v)| p.dot(*v)).sum()
        };
        let mut best = (1.0, self.potential(h, gravity, &[]) - less(self));
        for part in PARTS {
            for (v, (a, b)) in self.velocities.iter_mut().zip(start.iter().zip(&end)) {
                *v = a.lerp(*b, part);
            }
            let potential = self.potential(h, gravity, &[]) - less(self);
            if potential < best.1 {
                best = (part, potential);
            }
        }
        for (v, (a, b)) in self.velocities.iter_mut().zip(start.iter().zip(&end)) {
            *v = if best.0 == 1.0 { *b } else { a.lerp(*b, best.0) };
        }
    }

    /// Factors the matrix and finds the velocities without contacts.
    fn respond_freely(&mut self) {
        let direct = self.linear.cholesky.get_or_insert_with(|| Cholesky::new(&self.matrix));
        let factored = direct.factor(&self.matrix, &self.pinned)
            && direct.solve(&self.matrix, &self.pinned, &self.scratch.force, &mut self.velocities);
        if !factored {
            // Positive definite by construction: only an overflow gets here.
            self.stop(Trouble { vertex: 0, field: "stiffness", value: DVec3::NAN });
        }
        self.stop_if_lost();
    }

    /// Energy that the step which [`SoftBody::begin_response`] began would bring from nowhere with the velocities
    /// that the body has, joules: more than contacts and pins do work, since a step is linear and the body is not.
    /// Zero up to rounding. Leaves their impulses A v − b in `scratch.change`.
    pub fn rise_of_response(&mut self, h: f64, gravity: DVec3) -> f64 {
        if self.stopped.is_some() {
            return 0.0;
        }
        let s = &mut self.scratch;
        self.matrix.multiply(&self.velocities, &mut s.change);
        let mut work = 0.0;
        for ((r, b), v) in s.change.iter_mut().zip(&s.force).zip(&self.velocities) {
            *r -= *b;
            work += r.dot(*v);
        }
        let rise = self.gained_energy(h, gravity) - work;
        if rise > LEAST_RISE * (self.kinetic_energy() + work.abs()) { rise } else { 0.0 }
    }

    /// Linearises the step that [`SoftBody::begin_response`] began about the end that the present velocities lead
    /// to, or velocities on the way to them from those of the last time. The velocities become those without
    /// contacts; what they were is left in `about`. Comes after [`SoftBody::rise_of_response`].
    pub fn continue_response(&mut self, h: f64, gravity: DVec3, about: &mut Vec<DVec3>) {
        if self.stopped.is_none() {
            if about.len() == self.velocities.len() {
                let impulses = std::mem::take(&mut self.scratch.change);
                self.take_best_part(about, &impulses, (h, gravity));
                self.scratch.change = impulses;
            }
            about.clone_from(&self.velocities);
            self.linearise(h, gravity, &[], 1);
            self.respond_freely();
        }
    }

    /// Ends the step that [`SoftBody::begin_response`] began: `impulses` (N s, one for each vertex)
    /// change the velocities `free` that it left.
    pub fn end_response(&mut self, free: &[DVec3], impulses: &[DVec3]) {
        if self.stopped.is_some() {
            return;
        }
        let change = &mut self.scratch.change;
        change.fill(DVec3::ZERO);
        if let Some(direct) = &mut self.linear.cholesky {
            direct.solve(&self.matrix, &self.pinned, impulses, change);
        }
        for ((v, free), change) in self.velocities.iter_mut().zip(free).zip(&*change) {
            *v = *free + *change;
        }
        self.stop_if_lost();
        self.find_work_at_pins();
    }
}

/// Parts of the way of an iteration that are tried beside the whole of it.
const PARTS: [f64; 3] = [0.5, 0.25, 0.125];

/// Gain that is not worth another linearisation, as part of the motion's energy and the work.
const LEAST_RISE: f64 = 1e-9;
