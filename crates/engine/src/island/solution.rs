//! Contact problems of islands: which bodies act on each other, and the solve.

use std::time::{Duration, Instant};

use asperity_solve::{FrictionBlock, Operator, SolveOptions};
use rayon::prelude::*;

use crate::assemble::{Assembler, changes, momenta};
use crate::body::Body;
use crate::drive::Drive;
use crate::dynamics::midpoint::Midpoint;
use crate::island::{Hold, Island};
use crate::settings::FEW_CONTACTS;
use crate::world::World;

impl World {
    /// Groups bodies that act on each other into islands, with what acts between them.
    pub(crate) fn group(&mut self) {
        let World { islands, bodies, contacts, joints, drives, softs, .. } = self;
        let pushed = |k: usize| bodies.get(k).is_none_or(Body::is_pushed);
        let by_contact = contacts.iter().map(|c| (c.bodies[0], c.bodies[1]));
        let by_joint = joints.iter().filter_map(|j| j.a.map(|a| (a.0, j.b.0)));
        let links = by_contact.chain(by_joint).chain(softs.links(bodies.len()));
        let with = softs.count_in_islands();
        islands.group(bodies.len() + with, with, pushed, links);
        for (k, (a, b)) in softs.links(bodies.len()).enumerate() {
            if let Some(island) = islands.of_pair(a, b).filter(|_| softs.can_give(k, bodies)) {
                island.soft_contacts.push(k);
            }
        }
        for (k, contact) in contacts.iter().enumerate() {
            if let Some(island) = islands.of_pair(contact.bodies[0], contact.bodies[1]) {
                island.contacts.push(k);
            }
        }
        for (k, joint) in joints.iter().enumerate() {
            let a = joint.a.map_or(joint.b.0, |a| a.0);
            if let Some(island) = islands.of_pair(a, joint.b.0) {
                island.joints.push(k);
            }
        }
        for (k, drive) in drives.iter().enumerate() {
            if let Drive::Spring { body, stiffness, damping, .. } = drive
                && stiffness + damping > 0.0
                && let Some(island) = islands.of_pair(body.0, body.0)
            {
                island.springs.push(k);
            }
        }
    }

    /// Solves those islands to the end that were solved for roughly while contacts were added.
    pub(crate) fn solve_to_end(&mut self, middle: &[Midpoint]) {
        if self.islands.any_rough() {
            self.begin_with_found();
            self.islands.set_aside(self.contacts.len());
            self.group();
            self.solve(middle, false);
        }
    }

    /// Assembles and solves the problem of each island, side by side; `again` after contacts were added.
    pub(crate) fn solve(&mut self, middle: &[Midpoint], again: bool) {
        let softs = std::mem::take(&mut self.softs);
        let settings = self.settings.clone();
        let solved = std::mem::take(&mut self.islands.solved);
        let added = self.islands.added;
        let (islands, assembler) = self.assembler(middle);
        islands.par_iter_mut().for_each(|island| {
            let started = Instant::now();
            assembler.velocity_problem(island);
            if island.find_again(&solved, added) {
                changes(island);
                return;
            }
            if let Err(e) = softs.append(island, assembler.dof_block(), middle, settings.dt) {
                island.soft_error = Some(e.to_string());
            }
            island.assembling = started.elapsed();
            island.keep.clone_from(&island.r);
            let moves = |k: &&usize| {
                let (m, radius) = (&middle[**k], assembler.body(**k).radius);
                let travel = m.begin_linear.length() + m.begin_angular.length() * radius;
                travel * settings.dt > SLOW * radius
            };
            let moving = island.bodies.iter().filter(moves).count();
            let in_motion = moving as f64 > MOVING * island.bodies.len() as f64;
            let solve = |island: &mut Island| {
                island.solve(&settings, in_motion, again);
                changes(island);
            };
            island.follow(&assembler, in_motion, solve);
            if assembler.soften(island) {
                island.follow(&assembler, in_motion, solve);
            }
            island.solving = started.elapsed().saturating_sub(island.assembling);
            island.restrain(&assembler);
            island.find_soft_impulses();
            foresee(island, middle);
        });
        self.softs = softs;
        self.islands.solved = solved;
        self.islands.solved.clear();
        let all = self.islands.list();
        let failed = all.iter().find_map(|i| i.soft_error.clone());
        self.times.assemble += all.iter().map(|i| i.assembling).sum::<Duration>();
        self.times.solve = all.iter().map(|i| i.solving).sum();
        self.report.soft_error = failed.or(self.report.soft_error.take());
    }
}

impl Island {
    /// Solves few contacts that give once more from nothing, where the impulses of the last step led nowhere: what
    /// bristles carry may turn round from one step to the next, and sweeps from there go back and forth. Keeps the
    /// better one.
    pub(super) fn start_anew(&mut self, options: &SolveOptions) {
        let gives = |b: &FrictionBlock| b.law.rheology.is_some();
        let many = self.roughly || self.contacts.len() > FEW_THAT_GIVE;
        if many || !self.problem.blocks.iter().any(gives) {
            return;
        }
        let kept = self.r.clone();
        self.r.fill(0.0);
        let report = self.solver.solve(&self.problem, &mut self.r, options);
        self.iterations += report.iterations;
        if report.residual < self.residual {
            self.residual = report.residual;
        } else {
            self.r = kept;
        }
    }

    /// Solves, and again with the rows that joints have on the way that was found, until they hold at the end of the
    /// step. Where that does not come about, or is not tried, rows are those half-way.
    fn follow(&mut self, assembler: &Assembler, in_motion: bool, solve: impl Fn(&mut Island)) {
        if self.joints.is_empty() {
            return solve(self);
        }
        let taut = self.bodies.iter().filter_map(|k| assembler.midpoint(*k).taut);
        let taut = taut.map(|taut| taut.most).fold(0.0, f64::max);
        let large = self.contacts.len() > FEW_CONTACTS;
        if taut == 0.0 || in_motion && !large && taut <= TAUT {
            solve(self);
            if large || self.roughly || self.come_about(assembler, &solve) {
                return;
            }
        }
        self.hold = Hold::Velocities;
        assembler.follow_joints(self, true);
        solve(self);
    }

    /// Solves again until joints hold at the end of the step; whether they do.
    fn come_about(&mut self, assembler: &Assembler, solve: &impl Fn(&mut Island)) -> bool {
        let (mut least, mut stalls) = (f64::INFINITY, 0);
        for _ in 0..FOLLOWED {
            let open = assembler.follow_joints(self, false);
            stalls += usize::from(!(open < SLOWEST * least));
            least = least.min(open);
            if open <= OPEN || stalls > STALLS {
                break;
            }
            solve(self);
        }
        least <= OPEN_AT_MOST
    }
}

/// How far joints may be open at the end of a step, in radii of the smaller body, and how often rows follow at most; how
/// far open they may be after that for the step to be taken as it is.
const OPEN: f64 = 1e-11;
const FOLLOWED: usize = 20;
const SLOWEST: f64 = 0.7;
const STALLS: usize = 2;
const OPEN_AT_MOST: f64 = 1e-6;

/// The largest h² K/I with which what swings across taut joints is followed: beyond it, it is faster than any step shows.
const TAUT: f64 = 40.0;

/// How far a body all but at rest goes in a step at most, in units of its radius.
const SLOW: f64 = 1e-3;

/// The part of an island's bodies that may be in motion while it is all but at rest.
const MOVING: f64 = 0.1;

/// Contacts of an island that gives which is solved again from nothing.
const FEW_THAT_GIVE: usize = 64;

/// What the next step begins with. The correction that a step made to the impulses it began with
/// is partly for forces that were wrong, which the next step wants too, and partly to stop what
/// moved, which it does not: with it, what was stopped would set out the other way. Of the
/// correction δ, which changes velocities by d = M⁻¹Jᵀδ, the share that went into the change a of
/// velocities in the whole step is taken back: 1 − ⟨d, a⟩/⟨d, d⟩ of it are kept, in the metric
/// of kinetic energy.
fn foresee(island: &mut Island, middle: &[Midpoint]) {
    let Island { problem, r, keep, change, correction, .. } = island;
    if keep == r {
        return;
    }
    momenta(problem, r.iter().zip(&*keep).map(|(r, warm)| r - warm), correction);
    let Operator::Bodies(operator) = &problem.operator else { return };
    let (mut with_change, mut with_itself) = (0.0, 0.0);
    for (k, body) in island.bodies.iter().enumerate() {
        let (linear, angular) = correction[k];
        let d = operator.inverse_masses[k].apply(linear, angular);
        with_itself += linear.dot(d.0) + angular.dot(d.1);
        let m = &middle[*body];
        let a =
            (m.linear + change[k].0 - m.begin_linear, m.angular + change[k].1 - m.begin_angular);
        with_change += linear.dot(a.0) + angular.dot(a.1);
    }
    let share =
        if with_itself > 0.0 { (1.0 - with_change / with_itself).clamp(0.0, 1.0) } else { 1.0 };
    for (keep, r) in keep.iter_mut().zip(&*r) {
        *keep += share * (r - *keep);
    }
}
