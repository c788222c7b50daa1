//! One step of the world, in order.

use std::time::{Duration, Instant};

use glamx::DVec3;
use rayon::prelude::*;

use crate::assemble::{Parts, changes, momenta};
use crate::body::BodyKind;
use crate::drive::Drive;
use crate::dynamics::rigid::{Middle, advance, half_way};
use crate::island::{Island, Islands, SoftRows};
use crate::world::{Body, Frozen, Settings, StepReport, World};
use asperity_geometry::collision::kept;
use asperity_solve::Operator;

impl World {
    /// Advances the world by one step.
    pub fn step(&mut self) -> &StepReport {
        self.report = StepReport::default();
        self.apply_drives();
        self.freeze_bad("force", "the force applied to it", |b| (b.force + b.torque).is_finite());
        let before: Vec<_> = if self.softs().is_empty() {
            Vec::new()
        } else {
            self.bodies.iter().map(|b| b.pose).collect()
        };
        // 1. Half-way with the old velocities; free velocities.
        let mut middle = self.half_way();
        // 2. Contacts there.
        let started = Instant::now();
        self.detect(&middle);
        self.times.detect = started.elapsed();
        // 3, 4. Surfaces and friction laws.
        self.find_contacts(&middle);
        // Cloth and soft solids whose contacts are solved for with the others.
        self.meet_soft(&before, &middle);
        // 5, 6. One contact problem per island, solved side by side.
        self.group();
        self.times.assemble = started.elapsed().saturating_sub(self.times.detect);
        self.solve(&middle);
        self.solve_met(&before, &middle);
        // 7. New velocities.
        self.apply(&mut middle);
        // 8. Memory.
        self.cache.store(&self.contacts);
        self.remember_wrenches();
        // 9. The other half; overlaps and joint errors removed.
        self.advance(&middle);
        self.stabilise(&mut middle);
        // Cloth and soft solids, with the rigid bodies' motion given; or just their positions.
        self.step_soft(&before);
        // 10. What happened.
        self.finish();
        self.steps += 1;
        &self.report
    }

    pub(crate) fn half_way(&self) -> Vec<Middle> {
        let time = self.time();
        self.bodies.iter().map(|b| half_way(b, &self.settings, time)).collect()
    }

    pub(crate) fn detect(&mut self, middle: &[Middle]) {
        let poses: Vec<_> = middle.iter().map(|m| m.pose).collect();
        let bodies = &self.bodies;
        // The fastest point of a body in what remains of the step.
        let speed = |k: usize| {
            let m = &middle[k];
            m.linear.length() + m.angular.length() * bodies[k].radius
        };
        let Settings { dt, margin, solver, .. } = &self.settings;
        self.collision.update_kept(&poses, speed, 0.5 * dt, *margin, kept(solver.tolerance));
    }

    pub(crate) fn group(&mut self) {
        let World { islands, bodies, contacts, joints, drives, softs, .. } = self;
        let pushed = |k: usize| bodies.get(k).is_none_or(Body::is_pushed);
        let by_contact = contacts.iter().map(|c| (c.bodies[0], c.bodies[1]));
        let by_joint = joints.iter().filter_map(|j| j.a.map(|a| (a.0, j.b.0)));
        let links = by_contact.chain(by_joint).chain(softs.links(bodies.len()));
        let with = softs.coupled_count();
        islands.group(bodies.len() + with, with, pushed, links);
        for (k, (a, b)) in softs.links(bodies.len()).enumerate() {
            if let Some(island) = islands.of_pair(a, b) {
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
            if let Drive::Spring { body, .. } = drive
                && let Some(island) = islands.of_pair(body.0, body.0)
            {
                island.springs.push(k);
            }
        }
    }

    pub(crate) fn solve(&mut self, middle: &[Middle]) {
        let World {
            islands,
            contacts,
            blocks,
            joints,
            drives,
            joint_impulses,
            settings,
            softs,
            ..
        } = self;
        let Islands { pool, count, block, .. } = islands;
        let parts = Parts {
            middle,
            block,
            contacts,
            blocks,
            joints,
            drives,
            joint_impulses,
            time: self.steps as f64 * settings.dt,
            h: settings.dt,
        };
        let bodies = &self.bodies;
        pool[..*count].par_iter_mut().for_each(|island| {
            let started = Instant::now();
            parts.velocity_problem(island);
            if let Err(e) = softs.append(island, block, middle, settings.dt) {
                island.soft_error = Some(e.to_string());
            }
            island.assembling = started.elapsed();
            island.keep.clone_from(&island.r);
            island.solve(settings);
            for _ in 0..RELOADS {
                if !parts.reload(island) {
                    break;
                }
                island.solve(settings);
            }
            island.solving = started.elapsed().saturating_sub(island.assembling);
            changes(island);
            if let Some(SoftRows { first, problem, impulses }) = &mut island.soft {
                impulses.extend(problem.to_world(&island.r[*first..]));
            }
            if settings.is_rough() {
                // What is left undone goes on in the next step.
                island.keep.clone_from(&island.r);
            } else {
                foresee(island, bodies, middle);
            }
        });
        let all = &pool[..*count];
        let failed = all.iter().find_map(|i| i.soft_error.clone());
        self.report.soft_error = failed.or(self.report.soft_error.take());
        self.times.assemble += all.iter().map(|i| i.assembling).sum::<Duration>();
        self.times.solve = all.iter().map(|i| i.solving).sum();
    }

    /// Velocities at the end of the step, and what the contacts carried.
    fn apply(&mut self, middle: &mut [Middle]) {
        let h = self.settings.dt;
        for island in &self.islands.pool[..self.islands.count] {
            for (&k, (linear, angular)) in island.bodies.iter().zip(&island.change) {
                middle[k].linear += *linear;
                middle[k].angular += *angular;
            }
            let mut row = 0;
            for (&k, &count) in island.joints.iter().zip(&island.joint_rows) {
                let last = &mut self.joint_impulses[k];
                last[..count].copy_from_slice(&island.keep[row..row + count]);
                row += count;
            }
            row += 3 * island.springs.len();
            for &k in &island.contacts {
                let contact = &mut self.contacts[k];
                let r = &island.r[row..row + 1 + contact.friction_rows()];
                if contact.wrench.is_some() {
                    contact.carry_wrench(r, &island.keep[row..row + r.len()], h);
                    row += r.len();
                    continue;
                }
                let frame = &contact.frame;
                contact.impulse = frame.normal * r[0];
                for (direction, value) in [frame.t, frame.b].iter().zip(&r[1..]) {
                    contact.impulse += *direction * *value;
                }
                contact.spin_impulse = if r.len() == 4 { r[3] } else { 0.0 };
                contact.load = r[0] / h;
                let keep = &island.keep[row..row + r.len()];
                contact.next = (frame.normal * keep[0], if r.len() == 4 { keep[3] } else { 0.0 });
                for (direction, value) in [frame.t, frame.b].iter().zip(&keep[1..]) {
                    contact.next.0 += *direction * *value;
                }
                row += r.len();
            }
            for at in &island.patches {
                self.blocks[at.block].carry(at, &island.r, &island.keep, &mut self.contacts, h);
            }
            self.report.residual = self.report.residual.max(island.residual);
            self.report.iterations = self.report.iterations.max(island.iterations);
            self.report.unconverged += usize::from(!island.converged);
        }
        for (body, m) in self.bodies.iter_mut().zip(middle) {
            if body.is_pushed() || body.kind == BodyKind::Kinematic {
                (body.linear_velocity, body.angular_velocity) = (m.linear, m.angular);
            }
        }
    }

    fn advance(&mut self, middle: &[Middle]) {
        let h = self.settings.dt;
        for (body, m) in self.bodies.iter_mut().zip(middle) {
            if body.kind != BodyKind::Fixed && body.frozen.is_none() {
                body.pose = advance(&m.pose, body.centre, m.linear, m.angular, 0.5 * h);
            }
            (body.force, body.torque) = (DVec3::ZERO, DVec3::ZERO);
        }
        // Where each contact is at the end of the step, and how it slips there.
        for contact in &mut self.contacts {
            let velocity_at = |point: DVec3| {
                let [a, b] = contact.bodies.map(|k| {
                    let m = &middle[k];
                    m.linear + m.angular.cross(point - m.centre)
                });
                b - a
            };
            let velocity = velocity_at(contact.point);
            let mut normal = velocity.dot(contact.frame.normal);
            contact.slip = velocity - contact.frame.normal * normal;
            if let Some(wrench) = &contact.wrench {
                normal = velocity_at(wrench.centre).dot(contact.frame.normal);
            }
            contact.gap += 0.5 * h * normal;
            if let Some(wrench) = &contact.wrench {
                // What the load is meant to press in does not count.
                contact.gap += wrench.compliance * contact.load;
                self.report.wrenches += 1;
            }
            self.report.penetration = self.report.penetration.max(-contact.gap);
        }
    }

    fn finish(&mut self) {
        self.freeze_bad("velocity", "its motion overflowed", |b| {
            b.linear_velocity.is_finite() && b.angular_velocity.is_finite()
        });
        self.freeze_bad("pose", "its motion overflowed", |b| b.pose.is_finite());
        self.report.contacts = self.contacts.len();
        self.report.islands = self.islands.count;
        self.report.unsupported = self.collision.unsupported_pairs().len();
    }

    /// Stops each body whose numbers went bad, by name, and lets the rest go on.
    fn freeze_bad(
        &mut self,
        field: &'static str,
        cause: &'static str,
        good: impl Fn(&Body) -> bool,
    ) {
        let step = self.steps + 1;
        for body in self.bodies.iter_mut().filter(|b| b.frozen.is_none()) {
            if good(body) {
                continue;
            }
            let frozen = Frozen { body: body.name.clone(), step, field, cause };
            body.frozen = Some(frozen.clone());
            (body.linear_velocity, body.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
            (body.force, body.torque) = (DVec3::ZERO, DVec3::ZERO);
            if !body.pose.is_finite() {
                body.pose = body.desc.pose;
            }
            self.report.frozen.push(frozen);
        }
    }

    fn apply_drives(&mut self) {
        let (time, h) = (self.time(), self.settings.dt);
        for drive in &self.drives {
            let (body, force, torque, point) = match drive {
                Drive::Force { body, force, torque, scale, point, from, until }
                    if *from <= time && time < *until =>
                {
                    // Half-way through the step, so that a whole cycle does what it should.
                    let scale = scale.at(time + 0.5 * h);
                    (body, *force * scale, *torque * scale, point)
                }
                Drive::Impulse { body, impulse, point, time: at }
                    if time <= *at && *at < time + h =>
                {
                    (body, *impulse / h, DVec3::ZERO, point)
                }
                _ => continue,
            };
            let body = &mut self.bodies[body.0];
            let arm = body.pose.rotation * (*point - body.centre);
            body.force += force;
            body.torque += torque + arm.cross(force);
        }
    }
}

/// What the next step begins with. The correction that a step made to the impulses it began with
/// is partly for forces that were wrong, which the next step wants too, and partly to stop what
/// moved, which it does not: with it, what was stopped would set out the other way. Of the
/// correction δ, which changes velocities by d = M⁻¹Jᵀδ, the share that went into the change a of
/// velocities in the whole step is taken back: 1 − ⟨d, a⟩/⟨d, d⟩ of it are kept, in the metric
/// of kinetic energy.
fn foresee(island: &mut Island, bodies: &[Body], middle: &[Middle]) {
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
        let (b, m) = (&bodies[*body], &middle[*body]);
        let a = (
            m.linear + change[k].0 - b.linear_velocity,
            m.angular + change[k].1 - b.angular_velocity,
        );
        with_change += linear.dot(a.0) + angular.dot(a.1);
    }
    let share =
        if with_itself > 0.0 { (1.0 - with_change / with_itself).clamp(0.0, 1.0) } else { 1.0 };
    for (keep, r) in keep.iter_mut().zip(&*r) {
        *keep += share * (r - *keep);
    }
}

/// How often an island is solved again at most, where bristles were given the load of the last step
/// and it turns out to be another.
const RELOADS: usize = 8;
