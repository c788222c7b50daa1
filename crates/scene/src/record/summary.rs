//! All steps of a run in a few numbers.

use std::collections::BTreeSet;

use asperity::world::{Frozen, World};

use super::edges::Edges;
use super::soundness::Soundness;

/// What was seen of all steps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// Steps since the start.
    pub steps: u64,
    /// Simulated seconds.
    pub time: f64,
    /// Largest residual of any step.
    pub worst_residual: f64,
    /// In which step; 0 where no step had a residual.
    pub worst_step: u64,
    /// Contact points of the last step.
    pub contacts: usize,
    /// Contact points of the step that had most.
    pub most_contacts: usize,
    /// Most sweeps of any step.
    pub most_iterations: usize,
    /// Deepest penetration, metres.
    pub penetration: f64,
    /// Steps in which an island stopped short of the tolerance.
    pub unconverged: u64,
    /// Patches of surfaces looked at in the step that had most.
    pub most_patches: usize,
    /// Who looked at them in the last step.
    pub sampler: String,
    /// The first step in which a device could not, and why.
    pub sampler_error: Option<(u64, String)>,
    /// Contacts of soft bodies in the step that had most.
    pub soft_contacts: usize,
    /// Deepest overlap of soft bodies' thicknesses, metres.
    pub soft_overlap: f64,
    /// Energy that steps would have given soft bodies from nowhere, joules, in all: they were made shorter for it.
    pub soft_held_back: f64,
    /// The largest part of their motion that this took in a step.
    pub soft_slowed: f64,
    /// Largest residual of the velocity filter where it was measured, in one step of sixteen; none where the contact
    /// solver does its work.
    pub soft_residual: Option<f64>,
    /// The first step in which contacts of soft bodies could not be computed, and why.
    pub soft_error: Option<(u64, String)>,
    /// Bodies that were stopped, in order.
    pub frozen: Vec<Frozen>,
    /// Numbers of the surfaces that touched each other, smaller first.
    pub touched: BTreeSet<[usize; 2]>,
    /// What was unsound.
    pub soundness: Soundness,
}

impl Summary {
    pub(super) fn see(&mut self, world: &World, edges: &[Edges]) {
        self.soundness.see(world, edges);
        let report = world.report();
        (self.steps, self.time) = (world.steps(), world.time());
        if report.residual > self.worst_residual || report.residual.is_nan() {
            (self.worst_residual, self.worst_step) = (report.residual, world.steps());
        }
        self.contacts = report.contacts;
        self.most_contacts = self.most_contacts.max(report.contacts);
        self.most_iterations = self.most_iterations.max(report.iterations);
        self.penetration = self.penetration.max(report.penetration);
        self.unconverged += u64::from(report.unconverged > 0);
        self.most_patches = self.most_patches.max(report.patches);
        if report.patches > 0 {
            self.sampler = world.sampler();
        }
        if let (None, Some(error)) = (&self.sampler_error, &report.sampler_error) {
            self.sampler_error = Some((world.steps(), error.clone()));
        }
        if let Some(soft) = &report.soft {
            self.soft_contacts = self.soft_contacts.max(soft.contact.contacts);
            self.soft_overlap = self.soft_overlap.max(soft.contact.overlap);
            self.soft_held_back += soft.held_back;
            self.soft_slowed = self.soft_slowed.max(soft.slowed);
            let measured = self.soft_residual.into_iter().chain(soft.contact.residual);
            self.soft_residual = measured.reduce(f64::max);
        }
        if let (None, Some(error)) = (&self.soft_error, &report.soft_error) {
            self.soft_error = Some((world.steps(), error.clone()));
        }
        self.frozen.extend_from_slice(&report.frozen);
        let mut last = None;
        for contact in world.contacts() {
            let mut pair = contact.bodies.map(|k| world.bodies()[k].surface());
            pair.sort_unstable();
            // Contacts come manifold by manifold: most repeat the pair before.
            if last != Some(pair) {
                self.touched.insert(pair);
                last = Some(pair);
            }
        }
    }
}
