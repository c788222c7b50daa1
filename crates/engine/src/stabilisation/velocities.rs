//! Velocities at the end of a step that joints do not leave free, and their removal.
//!
//! Over a step joints hold the mean of the velocities ([`crate::dynamics::way`]), which does no work. At its end they
//! may be off by what the step is too long for, to one side in one step and to the other in the next. What is off there
//! is taken from them by impulses along the rows, v' = v − M⁻¹Jᵀ(J M⁻¹Jᵀ)⁻¹ (J v − b), as RATTLE does (Andersen 1983).
//! That takes energy, of the fourth order in the step where motion is smooth.

use asperity_solve::{Scale, SolveOptions, Solver as _};
use glamx::{DMat3, DPose3};
use rayon::prelude::*;

use crate::assemble::changes;
use crate::audit::Ledger;
use crate::audit::work::row_work;
use crate::dynamics::joint_rows::{Moment, Role, joint_rows};
use crate::dynamics::midpoint::Midpoint;
use crate::island::{Hold, Island};
use crate::world::World;

impl World {
    /// Takes from bodies what joints do not leave free of their velocities, where they are now.
    pub(crate) fn settle_joints(&mut self, middle: &mut [Midpoint], ledger: &mut Ledger) {
        if self.joints.is_empty() {
            return;
        }
        for (body, m) in self.bodies.iter().zip(middle.iter_mut()).filter(|(b, _)| b.is_pushed()) {
            let by_forces = m.linear - m.begin_linear;
            (m.pose, m.centre) = (body.pose, body.centre_of_mass());
            (m.linear, m.angular) = (body.linear_velocity, body.angular_velocity);
            let rotation = DMat3::from_quat(body.pose.rotation);
            m.inverse_inertia = rotation * body.inverse_inertia * rotation.transpose();
            // Unused from here on: how fast things change.
            m.begin_linear = by_forces;
        }
        let (islands, assembler) = self.assembler(middle);
        islands.par_iter_mut().for_each(|island| {
            island.change.clear();
            if island.joints.is_empty() || island.hold == Hold::Velocities {
                return;
            }
            assembler.joint_velocity_problem(island);
            let fast = |k: &usize| {
                let m = assembler.midpoint(*k);
                let turn = m.angular.length() * assembler.body(*k).radius;
                m.linear.length() + m.begin_linear.length() + turn
            };
            let fastest = island.bodies.iter().map(fast).fold(0.0, f64::max);
            let Island { positions, problem, r, .. } = &mut *island;
            if !problem.q.iter().any(|q| q.abs() > UNSEEN * fastest) {
                return;
            }
            let scale = Scale::of(problem);
            if let Some(scale) = &scale {
                problem.rescale(scale, r);
            }
            positions.solve(problem, r, &OPTIONS);
            if let Some(scale) = &scale {
                problem.rescale(&scale.inverse(), r);
            }
            changes(island);
        });
        for m in middle.iter_mut() {
            (m.begin_linear, m.begin_angular) = (m.linear, m.angular);
        }
        self.take_settled(middle, ledger);
    }

    /// Takes over the velocities, and counts work of what is moved from outside.
    fn take_settled(&mut self, middle: &mut [Midpoint], ledger: &mut Ledger) {
        self.islands.add_changes(middle);
        let gravity = self.settings.gravity;
        for island in self.islands.list().iter().filter(|island| !island.change.is_empty()) {
            let mut taken = 0.0;
            for &k in &island.bodies {
                let body = &mut self.bodies[k];
                taken += body.energy(gravity).kinetic;
                (body.linear_velocity, body.angular_velocity) =
                    (middle[k].linear, middle[k].angular);
                taken -= body.energy(gravity).kinetic;
            }
            let (mut first, h) = (0, self.settings.dt);
            for (&k, &count) in island.joints.iter().zip(&island.joint_rows) {
                let joint = &self.joints[k];
                let bodies = [joint.a.map(|a| a.0), Some(joint.b.0)];
                let [a, b] = bodies.map(|k| k.map_or(DPose3::IDENTITY, |k| middle[k].pose));
                let moment = Moment { begin: self.time(), gone: h, h };
                let rows = joint_rows(joint, &a, &b, &moment);
                let held = rows.as_slice().iter().filter(|row| row.role == Role::Hold);
                let given = first..first + count;
                for ((row, jacobian), r) in
                    held.zip(&island.jacobians[given.clone()]).zip(&island.r[given])
                {
                    for (body, work) in row_work(row, jacobian, *r, bodies, middle) {
                        ledger.work[body] += work;
                        taken += work;
                    }
                }
                first += count;
            }
            ledger.joints[island.bodies[0]] += taken;
        }
    }
}

/// What is off by no more than this part of the fastest body's speed is left.
const UNSEEN: f64 = 1e-12;

/// What is left is of the next step.
const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-8, max_iterations: 200, time_limit: None };
