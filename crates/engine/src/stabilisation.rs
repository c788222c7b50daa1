//! Overlaps and joint errors that a step leaves, and their removal.

use asperity_friction::set::Set;
use asperity_solve::{ContactProblem, Scale, SolveOptions, Solver as _};
use glamx::DVec3;
use rayon::prelude::*;

use crate::assemble::changes;
use crate::body::Body;
use crate::contact::Contact;
use crate::dynamics::midpoint::{Midpoint, advance};
use crate::island::Island;
use crate::world::World;

impl World {
    /// Moves bodies apart where they overlap, and joints together where they gape: displacements
    /// along normals and held directions only, which neither friction nor velocities see.
    pub(crate) fn stabilise(&mut self, middle: &mut [Midpoint]) {
        let overlaps = |contact: &Contact| contact.gap < -contact.slop;
        if self.joints.is_empty() && !self.contacts.iter().any(overlaps) {
            return;
        }
        for (body, m) in self.bodies.iter().zip(middle.iter_mut()) {
            m.pose = body.pose;
            m.centre = body.centre_of_mass();
        }
        let (islands, assembler) = self.assembler(middle);
        let contacts = assembler.contacts();
        islands.par_iter_mut().for_each(|island| {
            let overlap = island.contacts.iter().any(|k| overlaps(&contacts[*k]));
            if !overlap && island.joints.is_empty() {
                island.bodies.clear();
                return;
            }
            assembler.position_problem(island);
            // Newton's method takes what sweeps do not move at once, while it is cheap.
            let (tolerance, max_iterations) =
                if island.problem.rows() <= FEW_ROWS { (1e-6, 200) } else { (1e-3, 20) };
            let options = SolveOptions { tolerance, max_iterations, time_limit: None };
            let Island { positions, problem, r, .. } = island;
            let scale = Scale::of(problem);
            if let Some(scale) = &scale {
                problem.rescale(scale, r);
            }
            positions.solve(problem, r, &options);
            if let Some(scale) = &scale {
                problem.rescale(&scale.inverse(), r);
            }
            island.converged = island.joints.is_empty() || joints_close(problem, r);
        });
        for island in self.islands.list_mut() {
            if island.bodies.is_empty() {
                continue;
            }
            changes(island);
            limit(island, &self.bodies);
            if !island.converged {
                // Joints that contradict each other would throw bodies to and fro.
                for (linear, angular) in &mut island.change {
                    (*linear, *angular) = (*linear * TIMID, *angular * TIMID);
                }
            }
            let gravity = self.settings.gravity;
            let lift = |(k, change): (&usize, &(DVec3, DVec3))| {
                let body = &self.bodies[*k];
                -body.mass * body.desc.gravity_scale * gravity.dot(change.0)
            };
            let lifted: f64 = island.bodies.iter().zip(&island.change).map(lift).sum();
            // Wrenches go to the overlap they are meant to have, up and down.
            if island.contacts.iter().all(|k| self.contacts[*k].wrench.is_none()) {
                pay(lifted, &island.bodies, &mut self.bodies);
            }
            for (&k, &(linear, angular)) in island.bodies.iter().zip(&island.change) {
                if linear == DVec3::ZERO && angular == DVec3::ZERO {
                    continue;
                }
                let body = &mut self.bodies[k];
                let before = body.pose.rotation;
                body.pose = advance(&body.pose, body.centre, linear, angular, 1.0);
                // The spin turns with the body: in body axes, and so in energy, it stays the same.
                let turn = body.pose.rotation * before.inverse();
                body.angular_velocity = turn * body.angular_velocity;
            }
        }
    }
}

/// Whether displacements close joints by half, at least, or errors of joints are nothing beside overlaps.
fn joints_close(problem: &ContactProblem, r: &[f64]) -> bool {
    let mut left = vec![0.0; problem.rows()];
    problem.velocities(r, &mut left);
    let held = problem.blocks.iter().filter(|b| matches!(b.law.set, Set::Free(_)));
    let worst =
        |m: [f64; 2], row: usize| [m[0].max(problem.q[row].abs()), m[1].max(left[row].abs())];
    let [before, after] = held.flat_map(|b| b.rows.clone()).fold([0.0; 2], worst);
    let largest = problem.q.iter().fold(0.0, |m: f64, q| m.max(q.abs()));
    after <= 0.5 * before || before < 0.01 * largest
}

/// Takes the energy by which bodies are lifted from that of their motion.
fn pay(lifted: f64, island: &[usize], bodies: &mut [Body]) {
    let kinetic: f64 = island.iter().map(|k| bodies[*k].energy(DVec3::ZERO).kinetic).sum();
    if !(lifted > FREE * kinetic && kinetic > 0.0) {
        return;
    }
    let slower = (1.0 - lifted / kinetic).max(0.0).sqrt();
    for &k in island {
        bodies[k].linear_velocity *= slower;
        bodies[k].angular_velocity *= slower;
    }
}

/// Keeps displacements to the size of what they remove. Overlaps that contradict each other, as
/// of a body in a wedge that is too narrow, would else be answered by ever larger ones.
fn limit(island: &mut Island, bodies: &[Body]) {
    let Island { problem, joints, change, .. } = island;
    let deepest = problem.q.iter().fold(0.0, |m: f64, error| m.max(-error));
    let worst = problem
        .q
        .iter()
        .fold(deepest, |m, error| if joints.is_empty() { m } else { m.max(error.abs()) });
    let most = 2.0 * worst * (1 + joints.len()) as f64;
    let travel = |k: usize, c: &(DVec3, DVec3)| c.0.length() + c.1.length() * bodies[k].radius;
    let farthest =
        island.bodies.iter().zip(&*change).fold(0.0, |m: f64, (k, c)| m.max(travel(*k, c)));
    if farthest > most {
        for (linear, angular) in change {
            *linear *= most / farthest;
            *angular *= most / farthest;
        }
    }
}

/// The part of displacements that is taken where errors cannot all be removed.
const TIMID: f64 = 0.1;

/// How little bodies may be lifted for nothing, of their kinetic energy: what slides goes on.
const FREE: f64 = 1e-6;

/// Rows up to which all of an overlap is removed in one step.
const FEW_ROWS: usize = 600;
