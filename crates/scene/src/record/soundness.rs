//! What was unsound in the steps of a run: energy from nowhere, overlaps, stretches, joints that gape.

use asperity::audit::{Overlap, SoftOverlap, Touched};
use asperity::world::World;
use serde::{Deserialize, Serialize};

use super::edges::Edges;
use crate::plausibility::by_volume;

/// What was unsound in all steps seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Soundness {
    /// What energy did.
    pub energy: EnergyRise,
    /// The overlap that was deepest against the thinner body.
    pub overlap: Option<DeepestOverlap>,
    /// The overlap of a soft body's surface that was deepest against the distance it keeps.
    #[serde(default)]
    pub soft_overlap: Option<DeepestSoftOverlap>,
    /// The edge of a soft body that was stretched most.
    pub stretch: Option<LargestStretch>,
    /// The joint that gaped most against the smaller body.
    pub gape: Option<WidestGape>,
    /// Most pairs in a step whose contacts cannot be computed: they pass through each other.
    pub unsupported: usize,
    /// How often a body's step ended early, since it would have been within another.
    #[serde(default)]
    pub cut_short: u64,
}

/// Energy that came neither from motion, height and strain nor from outside, joules. Of what bodies in
/// contact with each other lose, nothing is set against what others gain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyRise {
    /// Sum over all steps.
    pub sum: f64,
    /// Largest of one step.
    pub largest: f64,
    /// Which step.
    pub step: u64,
    /// What joints took from bodies in all steps, since a step is too long for what they hold.
    #[serde(default)]
    pub joints: f64,
    /// Work from outside so far.
    pub work: f64,
    /// Largest kinetic energy.
    pub kinetic: f64,
    /// Lowest and highest potential energy; none before the first step.
    pub potential: Option<[f64; 2]>,
    /// What lifts every body by its own thickness: the scale where nothing moves.
    pub weight: f64,
}

/// An overlap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeepestOverlap {
    /// Names of the two bodies.
    pub bodies: [String; 2],
    /// Metres.
    pub depth: f64,
    /// Of the thinner one, metres.
    pub thickness: f64,
    /// At the end of which step; 0 is the start.
    pub step: u64,
}

/// A soft body's surface too near to something, or through it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeepestSoftOverlap {
    /// Names of the soft body and of the other; the same twice where it touches itself.
    pub bodies: [String; 2],
    /// By how much they are too near, metres.
    pub depth: f64,
    /// The distance that surfaces keep, metres.
    pub thickness: f64,
    /// At the end of which step.
    pub step: u64,
}

/// A stretch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LargestStretch {
    /// Name of the soft body.
    pub body: String,
    /// Length of the edge over that at the start.
    pub stretch: f64,
    /// In which step.
    pub step: u64,
}

/// A joint that gapes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WidestGape {
    /// Name of the joint.
    pub joint: String,
    /// Metres.
    pub gape: f64,
    /// Of the smaller body, metres.
    pub size: f64,
    /// In which step.
    pub step: u64,
}

impl EnergyRise {
    /// The scale: largest kinetic energy, the span of potential energy, and what lifts every body by its own
    /// thickness; joules.
    pub fn reference(&self) -> f64 {
        let span = self.potential.map_or(0.0, |[low, high]| high - low);
        self.kinetic + span + self.weight
    }

    /// The sum as a part of the scale.
    pub fn part(&self) -> f64 {
        self.as_part(self.sum)
    }

    /// What joints took as a part of the scale.
    pub fn joints_part(&self) -> f64 {
        self.as_part(self.joints)
    }

    fn as_part(&self, energy: f64) -> f64 {
        if energy > 0.0 { energy / self.reference() } else { 0.0 }
    }
}

impl DeepestOverlap {
    /// Depth as a part of the thinner body.
    pub fn part(&self) -> f64 {
        self.depth / self.thickness
    }
}

impl DeepestSoftOverlap {
    /// Depth as a part of the distance kept: above one where surfaces are through each other.
    pub fn part(&self) -> f64 {
        self.depth / self.thickness
    }
}

impl WidestGape {
    /// The gape as a part of the smaller body.
    pub fn part(&self) -> f64 {
        self.gape / self.size
    }
}

impl Soundness {
    pub(super) fn see(&mut self, world: &World, edges: &[Edges]) {
        if world.steps().is_multiple_of(LOOK_EVERY) {
            // What contacts say of the end of a step is not all there may be. Bodies that touch by the volume they share are meant to overlap.
            let overlaps = world.overlaps().into_iter().filter(|o| !by_volume(world, o.bodies));
            for overlap in overlaps {
                self.see_overlap(world, &overlap);
            }
        }
        if world.steps() == 0 {
            return;
        }
        let (audit, step) = (&world.report().audit, world.steps());
        self.energy.see(world);
        self.unsupported = self.unsupported.max(world.report().unsupported);
        self.cut_short += world.report().cut_short as u64;
        if let Some(overlap) = &audit.overlap {
            self.see_overlap(world, overlap);
        }
        if let Some(overlap) = &audit.soft {
            self.see_soft_overlap(world, overlap);
        }
        if let Some(g) = audit.gape
            && self.gape.as_ref().is_none_or(|worst| g.part() > worst.part())
        {
            let joint = world.joints()[g.joint.0].name.clone();
            self.gape = Some(WidestGape { joint, gape: g.gape, size: g.size, step });
        }
        for (soft, edges) in world.softs().iter().zip(edges) {
            let [_, stretch] = edges.stretch(&soft.body.triangles, &soft.body.positions);
            if self.stretch.as_ref().is_none_or(|worst| stretch > worst.stretch) {
                self.stretch = Some(LargestStretch { body: soft.name.clone(), stretch, step });
            }
        }
    }
}

impl Soundness {
    fn see_overlap(&mut self, world: &World, overlap: &Overlap) {
        if self.overlap.as_ref().is_none_or(|worst| overlap.part() > worst.part()) {
            let bodies = overlap.bodies.map(|k| world.bodies()[k].name.clone());
            let Overlap { depth, thickness, .. } = *overlap;
            self.overlap = Some(DeepestOverlap { bodies, depth, thickness, step: world.steps() });
        }
    }
}

impl Soundness {
    fn see_soft_overlap(&mut self, world: &World, overlap: &SoftOverlap) {
        if self.soft_overlap.as_ref().is_none_or(|worst| overlap.part() > worst.part()) {
            let SoftOverlap { soft, other, depth, thickness } = *overlap;
            let name = |touched: Touched| match touched {
                Touched::Rigid(k) => world.bodies()[k].name.clone(),
                Touched::Soft(k) => world.softs()[k].name.clone(),
            };
            let bodies = [name(Touched::Soft(soft)), name(other)];
            let step = world.steps();
            self.soft_overlap = Some(DeepestSoftOverlap { bodies, depth, thickness, step });
        }
    }
}

impl EnergyRise {
    fn see(&mut self, world: &World) {
        let energy = &world.report().audit.energy;
        if self.potential.is_none() {
            self.weight = weight(world);
        }
        self.sum += energy.rise;
        self.work += energy.work;
        self.joints += energy.joints;
        if energy.rise > self.largest {
            (self.largest, self.step) = (energy.rise, world.steps());
        }
        for seen in [energy.begin, energy.end].into_iter().filter(|e| e.total().is_finite()) {
            self.kinetic = self.kinetic.max(seen.kinetic);
            let [low, high] = self.potential.unwrap_or([seen.potential; 2]);
            self.potential = Some([low.min(seen.potential), high.max(seen.potential)]);
        }
    }
}

/// What lifts every rigid body by its own thickness, and every soft one by the longest side of the box around it.
fn weight(world: &World) -> f64 {
    let gravity = world.settings.gravity.length();
    let rigid = world.bodies().iter().enumerate().map(|(k, body)| {
        let thickness = world.collision().thickness(k);
        body.mass * thickness
    });
    let soft = world.softs().iter().map(|soft| {
        let positions = &soft.body.positions;
        let low = positions.iter().copied().reduce(glamx::DVec3::min).unwrap_or_default();
        let high = positions.iter().copied().reduce(glamx::DVec3::max).unwrap_or_default();
        soft.body.mass() * (high - low).max_element()
    });
    gravity * rigid.chain(soft).filter(|x| x.is_finite()).sum::<f64>()
}

/// Steps after which overlaps are looked for anew, by where bodies are alone: it takes as long as a step.
const LOOK_EVERY: u64 = 100;
