//! Overlaps and joint errors that a step leaves, and their removal.

use asperity_solve::{SolveOptions, Solver as _};
use glamx::DVec3;
use rayon::prelude::*;

use crate::assemble::changes;
use crate::body::Body;
use crate::dynamics::midpoint::{Midpoint, advance};
use crate::island::Island;
use crate::settings::Settings;
use crate::world::World;

impl World {
    /// Moves bodies apart where they overlap, and joints together where they gape: displacements
    /// along normals and held directions only, which neither friction nor velocities see.
    pub(crate) fn stabilise(&mut self, middle: &mut [Midpoint]) {
        let Settings { slop, margin, .. } = self.settings;
        // Where velocities are only asked for roughly, so are overlaps.
        let hasty = self.settings.is_rough();
        let slop = if hasty { slop.max(0.5 * margin) } else { slop };
        let overlap = self.report.penetration > slop;
        if !overlap && self.joints.is_empty() {
            return;
        }
        for (body, m) in self.bodies.iter().zip(middle.iter_mut()) {
            m.pose = body.pose;
            m.centre = body.centre_of_mass();
        }
        let (islands, assembler) = self.assembler(middle);
        let contacts = assembler.contacts();
        islands.par_iter_mut().for_each(|island| {
            let least = |m: f64, k: &usize| m.min(contacts[*k].gap);
            let deepest = -island.contacts.iter().fold(0.0, least);
            if deepest <= slop && island.joints.is_empty() {
                island.bodies.clear();
                return;
            }
            assembler.position_problem(island, slop);
            // Newton's method takes what sweeps do not move at once, while it is cheap.
            let (tolerance, max_iterations) =
                if island.problem.rows() <= FEW_ROWS { (1e-6, 200) } else { (1e-3, 20) };
            let options = SolveOptions { tolerance, max_iterations, time_limit: None };
            let unit = island.mass_unit();
            let Island { positions, problem, r, .. } = island;
            // Displacements come out the same, whatever impulses are measured in.
            problem.set_mass_unit(unit);
            r.iter_mut().for_each(|r| *r /= unit);
            positions.solve(problem, r, &options);
        });
        for island in self.islands.list_mut() {
            if island.bodies.is_empty() {
                continue;
            }
            changes(island);
            limit(island, &self.bodies);
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

/// Rows up to which all of an overlap is removed in one step.
const FEW_ROWS: usize = 600;
