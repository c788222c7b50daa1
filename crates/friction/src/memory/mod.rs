//! Friction that remembers: one file per model, each from a law without memory to one with.
//!
//! A memory acts where its law acts: at a point in the rows (t, b), on a whole patch also in spin.
//! What it keeps between steps is a [`Past`], which whoever steps the bodies holds, turns with them and
//! hands back.

mod bristles;
mod rate_and_state;

pub use bristles::{
    Bristles, Distributed, Parameters, Passivity, Placing, Plasticity, Reduced, bristle,
    elasto_plastic,
};
pub use rate_and_state::{Evolution, RateAndState};

use std::sync::Arc;

use glamx::{DQuat, DVec3};

use crate::FrictionError;
use crate::extent::{Bed, Extent, Fineness};
use crate::law::{ContactFrame, Law};
use crate::registry::Model;
use crate::section::Section;
use crate::set::MAX_DIM;

/// All memories by name.
pub static MEMORIES: &[&Model<Arc<dyn Memory>>] = &[
    &bristles::LUGRE,
    &bristles::LUGRE_PASSIVE,
    &bristles::ELASTO_PLASTIC,
    &rate_and_state::MODEL,
];

/// A model of friction that remembers.
///
/// A step asks for [`law`](Memory::law), solves, and asks for [`remember`](Memory::remember) with
/// the same moment and past; what both need they compute alike, so that nothing but the past is kept.
/// Friction must never give back more than was put in; `testing::check_memory` (feature `testing`)
/// proves it.
pub trait Memory: std::fmt::Debug + Send + Sync {
    /// The model's name in scene files and messages.
    fn name(&self) -> &'static str;

    /// The law of the next step, from the law without memory and what is remembered; `past` is `None`
    /// for a new contact. `None` where the model cannot act: the contact then has what it would have
    /// without a whole patch.
    fn law(&self, without: Law, moment: &Moment, past: Option<&Past>) -> Option<Law>;

    /// What is remembered after a step that carried this; `None` where nothing is, as without load.
    fn remember(&self, moment: &Moment, past: Option<&Past>, carried: &Carried) -> Option<Past>;

    /// Energy that is stored in what is remembered, per unit load, metres: it may be given back.
    fn stored(&self, moment: &Moment, past: &Past) -> f64 {
        let _ = (moment, past);
        0.0
    }

    /// Whether the law is to be made again, about the twist that a step was found to end with: it went
    /// too far from the one that its law was made about.
    fn is_far(&self, moment: &Moment, past: Option<&Past>, end: DVec3) -> bool {
        let _ = (moment, past, end);
        false
    }

    /// What is to be told about the memory with a section whose coefficient at a speed, m/s, is this; where
    /// it may give energy of its own, as LuGre's bristles may.
    fn caution(&self, coefficient: &dyn Fn(f64) -> f64) -> Option<String> {
        let _ = coefficient;
        None
    }

    /// The cells of a patch that it asks for: then a moment has them.
    fn cells(&self) -> Option<Fineness> {
        None
    }

    /// Whether the memory goes with an extent and a section; an error that says what does. Called
    /// when a scene is loaded; wrenches are refused before.
    fn check(&self, extent: &Extent, section: &dyn Section) -> Result<(), FrictionError> {
        let _ = (extent, section);
        Ok(())
    }
}

/// A contact when the step begins, as far as its memory is concerned.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Axes of the law.
    pub frame: ContactFrame,
    /// Velocity of B against A at the centre of the load: (t, b, spin), m/s and rad/s.
    pub twist: DVec3,
    /// The same when the step was found to end, where its law is made again about that.
    pub found: Option<DVec3>,
    /// Friction on B in steady sliding with the found twist, or else with that of the beginning, per
    /// unit load: (t, b, spin), 1 and m.
    pub steady: DVec3,
    /// r: torque of pure spin per unit load and coefficient, metres; one at a point.
    pub spin_radius: f64,
    /// u: mean squared radius of the patch, m²; zero at a point.
    pub gyration2: f64,
    /// Coefficient of the section, per unit load: along the slip, or at rest on the mean.
    pub coefficient: f64,
    /// Normal force of the last step, newtons; `None` when the contact is new.
    pub last_load: Option<f64>,
    /// Length of the step, seconds.
    pub dt: f64,
    /// The cells of the patch, where the memory asks for them.
    pub cells: Option<Arc<LoadedCells>>,
}

/// Cells of a patch, and the section's coefficient in each at the speed with which it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedCells {
    /// Where they are and what they carry.
    pub bed: Arc<Bed>,
    /// As many as there are cells.
    pub friction: Vec<f64>,
}

impl Moment {
    /// The twist about which the law is made.
    pub fn about(&self) -> DVec3 {
        self.found.unwrap_or(self.twist)
    }

    /// The same with the steady friction that the law without memory has.
    #[must_use]
    pub fn of_law(self, without: &Law) -> Moment {
        // Torques in units (a power of two) about as large as the patch: rounding then is the same in all.
        let unit = without.set.patch_radius().log2().round().exp2();
        let scaled = without.set.in_torque_units(unit);
        let (set, arm) = scaled.as_ref().map_or((&without.set, 1.0), |set| (set, unit));
        let arms = DVec3::new(1.0, 1.0, arm);
        let (dim, mut force, mut slip) = (set.dim(), [0.0; MAX_DIM], [0.0; MAX_DIM]);
        slip[..3].copy_from_slice(&(self.about() * arms).to_array());
        set.traction(&slip[..dim], 1.0, &mut force[..dim]);
        Moment { steady: DVec3::from_slice(&force) * arms, ..self }
    }
}

/// What a contact remembers from step to step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Past {
    /// In the contact plane, metres, world axes: turns with the bodies, and changes its sign when A and
    /// B are exchanged.
    pub vector: DVec3,
    /// What does neither; each model says what they are.
    pub numbers: [f64; 2],
    /// The bristles of all cells, where each has one.
    pub bristles: Option<Arc<[Bent]>>,
}

/// A bent bristle of a patch, world axes in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bent {
    /// Where it is, from the centroid of the patch.
    pub place: DVec3,
    /// How far it is bent; changes its sign when A and B are exchanged.
    pub by: DVec3,
}

impl Past {
    /// The same when the bodies have turned.
    #[must_use]
    pub fn turned(&self, turn: DQuat) -> Past {
        let bent = |b: &Bent| Bent { place: turn * b.place, by: turn * b.by };
        let bristles = self.bristles.as_ref().map(|all| all.iter().map(bent).collect());
        Past { vector: turn * self.vector, numbers: self.numbers, bristles }
    }
}

/// What a contact carried in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Friction on B within the law's set, without drag: (t, b, spin), N and N m.
    pub wrench: DVec3,
    /// What scaled the law, newtons.
    pub load: f64,
    /// Velocity of B against A when the step ends: (t, b, spin), m/s and rad/s.
    pub twist: DVec3,
}
