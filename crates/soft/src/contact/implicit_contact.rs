//! Contacts as part of the implicit step.
//!
//! Backward Euler with contacts is A v = b + r: what touches an obstacle is held, and the reaction
//! r = A v − b at it is the contact impulse. Its normal part is the load N. Friction of a vertex
//! that slides with the velocity u over the obstacle, −N T(û) = −(N/s) T(u) with s = ‖u‖, is a drag
//! in the matrix: (A + (N/s) Q) v = b. What sticks has the drag of a very small slip. Who touches, N and s follow from the last solve, a few times over, each from where
//! the last one ended. With s given this is linear, also off a tensor's axes, and never adds energy.

use asperity_friction::Law;
use glamx::DVec3;

use super::contact_list::Contacts;
use super::held_features::AddedBlocks;
use super::held_vertices::{HeldVertices, Hold, Verdict};
use super::topology::Topology;
use crate::SoftBody;
use crate::freedom::Partly;
use crate::gradients::Held;
use crate::system::ALONE;

/// Contacts of soft bodies with obstacles, solved together with elasticity. Remembers loads and
/// who stuck. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub struct ImplicitContact {
    /// How long it tries.
    pub options: ImplicitOptions,
    pub(crate) vertices: HeldVertices,
    held: Vec<bool>,
    partly: Vec<Partly>,
    added: AddedBlocks,
    right: Vec<DVec3>,
    /// Speed of what sticks, m/s.
    pub(super) creep: f64,
}

/// How long an [`ImplicitContact`] tries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImplicitOptions {
    /// Linear solves of a step at most.
    pub rounds: usize,
    /// Linearisations of a step at most. More than one where the first made energy: a flat sheet
    /// that is caught at a vertex has no stiffness across its plane.
    pub linearisations: usize,
    /// Misfit of friction at which it is content; see [`ImplicitReport::misfit`].
    pub tolerance: f64,
}

impl Default for ImplicitOptions {
    fn default() -> ImplicitOptions {
        ImplicitOptions { rounds: 10, linearisations: 12, tolerance: 1e-3 }
    }
}

/// What an [`ImplicitContact`] did in a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ImplicitReport {
    /// Linear solves; the most that a body took.
    pub rounds: usize,
    /// Iterations of conjugate gradients in all of them.
    pub iterations: usize,
    /// Largest residual of a body's last linear solve.
    pub linear_residual: f64,
    /// Vertices that stick.
    pub sticking: usize,
    /// Vertices that slide.
    pub sliding: usize,
    /// Vertices that had not settled which of the two they do when the rounds were used up.
    pub unsettled: usize,
    /// Friction that acts less friction by the law at the velocities and loads reached, over the
    /// loads; root of sums of squares.
    pub misfit: f64,
}

impl ImplicitContact {
    /// One linear solve of a body with what is held now, and what follows from it. Returns whether
    /// everything has settled.
    pub(crate) fn round(
        &mut self,
        body: &mut SoftBody,
        first: usize,
        problem: &Problem,
        round: usize,
        report: &mut ImplicitReport,
    ) -> bool {
        let n = body.positions.len();
        let range = first..first + n;
        self.hold(body, first, problem);
        let rough = if round == 0 { body.restless } else { body.changed };
        let held = Held {
            whole: &self.held,
            partly: &self.partly,
            links: &self.added.links,
            scale: &body.scratch.force,
            like_last: round > 0,
            gain: if n > ALONE && rough && round + EXACT < self.options.rounds {
                GAIN
            } else {
                0.0
            },
        };
        let linear = body.linear.solve_held(
            &body.matrix,
            held,
            &self.right,
            &mut body.velocities,
            &body.options.linear,
        );
        report.rounds = report.rounds.max(round + 1);
        report.iterations += linear.iterations;
        let last = round + 2 >= self.options.rounds;
        let mut verdict = Verdict::default();
        let given = &mut self.added.given;
        self.vertices.judge_features((body, first), problem, last, given, &mut verdict);
        for k in 0..self.vertices.count() {
            let Some(v) = self.vertices.vertex(k, &range) else { continue };
            let i = v as usize - first;
            if !body.pinned[i] {
                let reaction =
                    body.linear.gradients.product[i] - body.scratch.force[i] - self.added.given[i];
                let inverse_mass = 1.0 / body.masses[i];
                let at = (body.velocities[i], reaction, inverse_mass);
                self.vertices.judge(v, problem, at, last, &mut verdict);
            }
        }
        self.vertices.relax(&range, problem.creep);
        let misfit = verdict.misfit();
        body.changed = verdict.changed > 0;
        body.restless = body.changed || (body.restless && round > 0);
        let settled = body.linear.gradients.reached
            && verdict.changed == 0
            && misfit <= self.options.tolerance;
        if settled || round + 1 == self.options.rounds {
            report.sticking += verdict.sticking;
            report.sliding += verdict.sliding;
            report.unsettled += verdict.changed;
            report.misfit = report.misfit.max(misfit);
            report.linear_residual = report.linear_residual.max(linear.residual);
        }
        settled
    }

    /// What contacts hold of a body now, and what they add to its matrix and right-hand side.
    fn hold(&mut self, body: &mut SoftBody, first: usize, problem: &Problem) {
        let range = first..first + body.positions.len();
        self.held.clear();
        self.held.extend_from_slice(&body.pinned);
        self.partly.clear();
        self.right.clear();
        self.right.extend_from_slice(&body.scratch.force);
        for k in 0..self.vertices.count() {
            let Some(v) = self.vertices.vertex(k, &range) else { continue };
            let i = v as usize - first;
            if body.pinned[i] {
                continue;
            }
            match self.vertices.hold(v, problem, body.velocities[i], &mut self.right[i]) {
                Hold::Free => {}
                Hold::Whole(velocity) => {
                    self.held[i] = true;
                    body.velocities[i] = velocity;
                }
                Hold::Part { free, drag, velocity } => {
                    self.partly.push(Partly { vertex: i, free, drag, links: [0; 2] });
                    body.velocities[i] = velocity;
                }
            }
        }
        self.vertices.hold_features(
            (body, first),
            problem,
            &self.held,
            (&mut self.partly, &mut self.right),
            &mut self.added,
        );
    }

    /// Impulse on B of each contact, world, N s.
    pub fn impulses(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.vertices.list.iter().map(|t| t.impulse)
    }
}

/// What contacts of a step are: obstacles' only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) contacts: &'a Contacts,
    /// None at all means no friction.
    pub(crate) laws: &'a [Law],
    pub(crate) dt: f64,
    pub(crate) thickness: f64,
    /// Speed of what sticks, m/s.
    pub(crate) creep: f64,
    pub(crate) topology: &'a Topology,
}

impl Problem<'_> {
    /// Whether a vertex is a corner of a rigid shape.
    pub(crate) fn is_rigid(&self, vertex: usize) -> bool {
        self.topology.is_rigid(vertex as u32)
    }
}

/// Part of its residual that a linear solve of a large body leaves, as long as who touches changes.
/// Where nobody does, and for small bodies, solves go to the tolerance: near the limit of friction
/// what is left would look like sticking, and a cloth would begin to slide late.
const GAIN: f64 = 0.1;

/// Rounds at the end whose linear solves go to the tolerance.
const EXACT: usize = 4;
