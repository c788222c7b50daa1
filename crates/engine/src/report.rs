//! What a step did, and energies.

use crate::audit::Audit;
use crate::body::Frozen;
use crate::soft::SoftStep;

/// What a step did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepReport {
    /// Largest residual of any island.
    pub residual: f64,
    /// Most sweeps of any island.
    pub iterations: usize,
    /// Contact points, wrench contacts among them.
    pub contacts: usize,
    /// Contacts by wrench: one for each volume that two bodies share.
    pub wrenches: usize,
    /// Groups of bodies that touch.
    pub islands: usize,
    /// Bodies that sleep.
    pub asleep: usize,
    /// Islands whose solve stopped short of the tolerance; one more where cones of the end of the step did not settle.
    pub unconverged: usize,
    /// Deepest penetration, metres.
    pub penetration: f64,
    /// Near pairs whose contacts cannot be computed; they pass through each other.
    pub unsupported: usize,
    /// Bodies whose step ended early, since they would have been within others: time that they lost.
    pub cut_short: usize,
    /// Bodies stopped in this step.
    pub frozen: Vec<Frozen>,
    /// Patches of surfaces that were looked at.
    pub patches: usize,
    /// Why a device could not sample them; plain code did.
    pub sampler_error: Option<String>,
    /// What happened to soft bodies; `None` where there are none.
    pub soft: Option<SoftStep>,
    /// Why contacts of soft bodies could not be computed; they stood still.
    pub soft_error: Option<String>,
    /// Whether it was sound.
    pub audit: Audit,
}

/// Energies, joules.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// In gravity, zero at the origin, and elastic.
    pub potential: f64,
}

impl Energy {
    /// Kinetic and potential.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}
