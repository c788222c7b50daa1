//! What a run came to, as data.

use std::time::Duration;

use asperity::world::Frozen;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Fault, Judgement, Plan, Run};
use crate::Scene;
use crate::record::{Channel, Inventory, PairUse, Soundness};

/// What a run came to. Written as `run.json`, beside the recording.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// Which layout this is.
    pub format: String,
    /// The scene file.
    pub scene: String,
    /// What the scene is, in one line.
    pub title: Option<String>,
    /// Length of a step, seconds.
    pub dt: f64,
    /// Number of steps.
    pub steps: u64,
    /// Every so many were recorded.
    pub every: u64,
    /// Seconds.
    pub simulated_seconds: f64,
    /// Seconds.
    pub wall_seconds: f64,
    /// Bodies that are dynamic, kinematic, fixed.
    pub bodies: [usize; 3],
    /// Contact points at the end.
    pub contacts: usize,
    /// Contact points of the step that had most.
    pub most_contacts: usize,
    /// Deepest penetration, metres.
    pub penetration: f64,
    /// Residual that was asked for.
    pub tolerance: f64,
    /// Largest residual of any step; null where it is not a number.
    pub worst_residual: Option<f64>,
    /// In which step.
    pub worst_step: u64,
    /// Most sweeps of any step.
    pub most_iterations: usize,
    /// Steps that stopped short of the tolerance.
    pub unconverged_steps: u64,
    /// Patches of surfaces looked at in the step that had most.
    #[serde(default)]
    pub most_patches: usize,
    /// Cloth and soft solids: how many.
    #[serde(default)]
    pub soft_bodies: usize,
    /// Most contacts of theirs in a step.
    #[serde(default)]
    pub soft_contacts: usize,
    /// Deepest overlap of their thicknesses, metres.
    #[serde(default)]
    pub soft_overlap: f64,
    /// Energy that steps would have given them from nowhere, joules, in all: they were made shorter for it.
    #[serde(default)]
    pub soft_held_back: f64,
    /// The largest part of their motion that this took in a step.
    #[serde(default)]
    pub soft_slowed: f64,
    /// Largest residual of the velocity filter, of one step in sixteen; none where there is none.
    #[serde(default)]
    pub soft_residual: Option<f64>,
    /// Why contacts of soft bodies could not be computed.
    #[serde(default)]
    pub soft_error: Option<String>,
    /// Who looked at them.
    #[serde(default)]
    pub sampler: String,
    /// Why a device could not.
    #[serde(default)]
    pub sampler_error: Option<String>,
    /// Bodies that were stopped.
    pub frozen: Vec<Stopped>,
    /// What was unsound in it, in numbers.
    #[serde(default)]
    pub soundness: Soundness,
    /// What makes it not to be trusted, the gross first.
    #[serde(default)]
    pub faults: Vec<Fault>,
    /// What was told when the scene was read.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Friction of the materials that touched.
    pub pairs: Vec<PairUse>,
    /// Changes when any bit of the last state does; hexadecimal.
    pub state_hash: String,
    /// What was watched.
    pub probes: Vec<Channel>,
    /// What was expected of it.
    pub expectations: Vec<Judgement>,
}

/// A body that was stopped.
#[derive(Debug, Clone, Serialize, Deserialize, Error)]
#[error("\"{body}\" in step {step}: its {field} is not finite ({cause})")]
pub struct Stopped {
    /// Its name.
    pub body: String,
    /// In which step, counted from 1.
    pub step: u64,
    /// Which of its numbers went bad.
    pub field: String,
    /// Why.
    pub cause: String,
}

impl Report {
    /// Puts together what is known after a run of a scene that is called `name`. How long it took is
    /// for the caller to say: [`Report::took`].
    pub fn new(name: &str, scene: &Scene, plan: &Plan, run: &Run) -> Report {
        let (world, summary) = (&scene.world, &run.summary);
        let held = Inventory::of(world);
        let touched = summary.touched.iter().filter_map(|pair| PairUse::of(world, *pair));
        let judged = scene.expectations.iter().zip(&run.verdicts);
        Report {
            format: "asperity-run-1".to_owned(),
            scene: name.to_owned(),
            title: scene.title.clone(),
            dt: world.settings.dt,
            steps: summary.steps,
            every: plan.every,
            simulated_seconds: summary.time,
            wall_seconds: 0.0,
            bodies: [held.dynamic, held.kinematic, held.fixed],
            contacts: summary.contacts,
            most_contacts: summary.most_contacts,
            penetration: summary.penetration,
            tolerance: world.settings.solver.tolerance,
            worst_residual: Some(summary.worst_residual).filter(|r| r.is_finite()),
            worst_step: summary.worst_step,
            most_iterations: summary.most_iterations,
            unconverged_steps: summary.unconverged,
            most_patches: summary.most_patches,
            soft_bodies: world.softs().len(),
            soft_contacts: summary.soft_contacts,
            soft_overlap: summary.soft_overlap,
            soft_held_back: summary.soft_held_back,
            soft_slowed: summary.soft_slowed,
            soft_residual: summary.soft_residual,
            soft_error: summary.soft_error.as_ref().map(|(step, e)| format!("step {step}: {e}")),
            sampler: summary.sampler.clone(),
            sampler_error: summary
                .sampler_error
                .as_ref()
                .map(|(step, error)| format!("step {step}: {error}; plain code went on")),
            frozen: summary.frozen.iter().map(Stopped::new).collect(),
            soundness: summary.soundness.clone(),
            faults: Fault::of(scene, run),
            warnings: scene.warnings.iter().map(ToString::to_string).collect(),
            pairs: touched.collect(),
            state_hash: format!("{:016x}", world.state_hash()),
            probes: run.recording.channels.clone(),
            expectations: judged.map(|(e, v)| Judgement::new(e, v)).collect(),
        }
    }

    /// The report with the time that the run took.
    #[must_use]
    pub fn took(self, wall: Duration) -> Report {
        Report { wall_seconds: wall.as_secs_f64(), ..self }
    }

    /// Whether the run is not to be trusted: it has a gross fault that the scene does not allow. In a strict run
    /// every other one counts too, and every warning when the scene was read.
    pub fn fails(&self, strict: bool) -> bool {
        self.faults.iter().any(|fault| fault.fails(strict)) || strict && !self.warnings.is_empty()
    }

    /// Number of expectations that were missed.
    pub fn missed(&self) -> usize {
        self.expectations.iter().filter(|e| e.is_missed()).count()
    }
}

impl Stopped {
    fn new(frozen: &Frozen) -> Stopped {
        Stopped {
            body: frozen.body.clone(),
            step: frozen.step,
            field: frozen.field.to_owned(),
            cause: frozen.cause.to_owned(),
        }
    }
}
