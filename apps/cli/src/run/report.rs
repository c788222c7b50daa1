//! What a run came to, for people and for programs.

use std::path::{Path, PathBuf};

use asperity::world::Frozen;
use asperity_scene::Scene;
use asperity_scene::record::{Channel, Inventory, PairUse};
use serde::{Deserialize, Serialize};

use super::judgement::Judgement;
use super::simulate::{Outcome, Plan};

/// What a run came to. Written as `run.json`, beside the recording.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Report {
    /// Which layout this is.
    pub(crate) format: String,
    /// The scene file.
    pub(crate) scene: String,
    /// What the scene is, in one line.
    pub(crate) title: Option<String>,
    /// Length of a step, seconds.
    pub(crate) dt: f64,
    /// Number of steps.
    pub(crate) steps: u64,
    /// Every so many were recorded.
    pub(crate) every: u64,
    /// Seconds.
    pub(crate) simulated_seconds: f64,
    /// Seconds.
    pub(crate) wall_seconds: f64,
    /// Bodies that are dynamic, kinematic, fixed.
    pub(crate) bodies: [usize; 3],
    /// Contact points at the end.
    pub(crate) contacts: usize,
    /// Contact points of the step that had most.
    pub(crate) most_contacts: usize,
    /// Deepest penetration, metres.
    pub(crate) penetration: f64,
    /// Residual that was asked for.
    pub(crate) tolerance: f64,
    /// Largest residual of any step; null where it is not a number.
    pub(crate) worst_residual: Option<f64>,
    /// In which step.
    pub(crate) worst_step: u64,
    /// Most sweeps of any step.
    pub(crate) most_iterations: usize,
    /// Steps that stopped short of the tolerance.
    pub(crate) unconverged_steps: u64,
    /// Patches of surfaces looked at in the step that had most.
    #[serde(default)]
    pub(crate) most_patches: usize,
    /// Cloth and soft solids: how many.
    #[serde(default)]
    pub(crate) soft_bodies: usize,
    /// Most contacts of theirs in a step.
    #[serde(default)]
    pub(crate) soft_contacts: usize,
    /// Deepest overlap of their thicknesses, metres.
    #[serde(default)]
    pub(crate) soft_overlap: f64,
    /// Largest residual of the velocity filter, of one step in sixteen; none where there is none.
    #[serde(default)]
    pub(crate) soft_residual: Option<f64>,
    /// Why contacts of soft bodies could not be computed.
    #[serde(default)]
    pub(crate) soft_error: Option<String>,
    /// Who looked at them.
    #[serde(default)]
    pub(crate) sampler: String,
    /// Why a device could not.
    #[serde(default)]
    pub(crate) sampler_error: Option<String>,
    /// Bodies that were stopped.
    pub(crate) frozen: Vec<Stopped>,
    /// Friction of the materials that touched.
    pub(crate) pairs: Vec<PairLine>,
    /// Changes when any bit of the last state does; hexadecimal.
    pub(crate) state_hash: String,
    /// What was watched.
    pub(crate) probes: Vec<ProbeLine>,
    /// What was expected of it.
    pub(crate) expectations: Vec<Judgement>,
}

/// A body that was stopped.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Stopped {
    pub(crate) body: String,
    pub(crate) step: u64,
    pub(crate) field: String,
    pub(crate) cause: String,
}

/// The friction of a pair of materials.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PairLine {
    pub(crate) materials: [String; 2],
    pub(crate) section: String,
    pub(crate) origin: String,
}

/// A number that was watched.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ProbeLine {
    pub(crate) name: String,
    pub(crate) unit: String,
}

impl Report {
    /// Puts together what is known after a run.
    pub(crate) fn new(path: &Path, scene: &Scene, plan: &Plan, outcome: &Outcome) -> Report {
        let (world, summary) = (&scene.world, &outcome.summary);
        let held = Inventory::of(world);
        let touched = summary.touched.iter().filter_map(|pair| PairUse::of(world, *pair));
        let judged = scene.expectations.iter().zip(&outcome.verdicts);
        Report {
            format: "asperity-run-1".to_owned(),
            scene: path.display().to_string(),
            title: scene.title.clone(),
            dt: world.settings.dt,
            steps: summary.steps,
            every: plan.every,
            simulated_seconds: summary.time,
            wall_seconds: outcome.wall.as_secs_f64(),
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
            soft_residual: summary.soft_residual,
            soft_error: summary.soft_error.as_ref().map(|(step, e)| format!("step {step}: {e}")),
            sampler: summary.sampler.clone(),
            sampler_error: summary
                .sampler_error
                .as_ref()
                .map(|(step, error)| format!("step {step}: {error}; plain code went on")),
            frozen: summary.frozen.iter().map(Stopped::new).collect(),
            pairs: touched.map(PairLine::new).collect(),
            state_hash: format!("{:016x}", world.state_hash()),
            probes: outcome.recording.channels.iter().map(ProbeLine::new).collect(),
            expectations: judged.map(|(e, v)| Judgement::new(e, v)).collect(),
        }
    }

    /// Number of expectations that were missed.
    pub(crate) fn missed(&self) -> usize {
        self.expectations.iter().filter(|e| e.is_missed()).count()
    }

    /// The summary that people read.
    pub(crate) fn text(&self, written: &[PathBuf]) -> String {
        let mut text = format!("{}\n", self.title.as_deref().unwrap_or(&self.scene));
        let mut line = |name: &str, what: String| text += &format!("  {name:<12} {what}\n");
        line("run", self.pace());
        let [dynamic, kinematic, fixed] = self.bodies;
        line("bodies", format!("{dynamic} dynamic, {kinematic} kinematic, {fixed} fixed"));
        line(
            "contacts",
            format!(
                "{} at the end, {} at most, {:.1e} m deep at most",
                self.contacts, self.most_contacts, self.penetration
            ),
        );
        line("solver", self.solver());
        for (i, pair) in self.pairs.iter().enumerate() {
            line(if i == 0 { "friction" } else { "" }, pair.to_string());
        }
        if self.soft_bodies > 0 {
            let residual = self.soft_residual.map_or_else(
                || "in the contact solver".to_owned(),
                |value| format!("residual of the filter {value:.1e}"),
            );
            line(
                "soft",
                format!(
                    "{} bodies, {} contacts at most, {:.1e} m deep at most, {residual}",
                    self.soft_bodies, self.soft_contacts, self.soft_overlap
                ),
            );
        }
        if let Some(error) = &self.soft_error {
            line("soft", format!("stood still in {error}"));
        }
        if self.most_patches > 0 {
            let (most, sampler) = (self.most_patches, &self.sampler);
            line("patches", format!("{most} a step at most, sampled by {sampler}"));
        }
        if let Some(error) = &self.sampler_error {
            line("sampler", error.clone());
        }
        for (i, stopped) in self.frozen.iter().enumerate() {
            line(if i == 0 { "stopped" } else { "" }, stopped.to_string());
        }
        line("state", self.state_hash.clone());
        for (i, judgement) in self.expectations.iter().enumerate() {
            line(if i == 0 { "expected" } else { "" }, judgement.to_string());
        }
        if self.expectations.is_empty() {
            line("expected", "nothing".to_owned());
        }
        match written.first().and_then(|path| path.parent()) {
            Some(folder) => {
                let names: Vec<_> = written.iter().filter_map(|path| path.file_name()).collect();
                let names: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
                line("wrote", format!("{}: {}", folder.display(), names.join(", ")));
            }
            None => line("wrote", "nothing; --out DIR records the run".to_owned()),
        }
        let (missed, all) = (self.missed(), self.expectations.len());
        if missed > 0 {
            text += &format!("{missed} of {all} expectations missed\n");
        }
        text
    }

    fn pace(&self) -> String {
        format!(
            "{} steps of {} s: {} s simulated in {:.3} s, {:.0} steps/s",
            self.steps,
            self.dt,
            crate::draw::short(self.simulated_seconds),
            self.wall_seconds,
            self.steps as f64 / self.wall_seconds.max(1e-9)
        )
    }

    fn solver(&self) -> String {
        let residual = match self.worst_residual {
            Some(residual) => format!("{residual:.1e}"),
            None => "not a number".to_owned(),
        };
        let steps = match self.unconverged_steps {
            0 => format!("every step reached {:.0e}", self.tolerance),
            1 => format!("1 step did not reach {:.0e}", self.tolerance),
            n => format!("{n} steps did not reach {:.0e}", self.tolerance),
        };
        format!(
            "worst residual {residual} (step {}), {} iterations at most, {steps}",
            self.worst_step, self.most_iterations
        )
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

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Stopped { body, step, field, cause } = self;
        write!(f, "\"{body}\" in step {step}: its {field} is not finite ({cause})")
    }
}

impl PairLine {
    /// As the library tells it.
    pub(crate) fn new(pair: PairUse) -> PairLine {
        let PairUse { materials, section, origin } = pair;
        PairLine { materials, section: section.to_owned(), origin }
    }
}

impl std::fmt::Display for PairLine {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let [a, b] = &self.materials;
        write!(f, "{a} on {b}: {} ({})", self.section, self.origin)
    }
}

impl ProbeLine {
    fn new(channel: &Channel) -> ProbeLine {
        ProbeLine { name: channel.name.clone(), unit: channel.unit.clone() }
    }
}
