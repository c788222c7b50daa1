//! What a user says of soft bodies: what they are, and how their contacts act.

use asperity_soft::SoftBody;
use asperity_soft::contact::FrictionRule;

use super::grain::RestStructure;

/// A cloth or soft solid to be added to a world.
#[derive(Debug, Clone)]
pub struct SoftDesc {
    /// Unique among all bodies.
    pub name: String,
    /// Its vertices, in the world, and its elements.
    pub body: SoftBody,
    /// Number of its material, for friction.
    pub surface: usize,
    /// Its grain, where that is not its material's.
    pub structure: RestStructure,
    /// Distance that it keeps from others, metres. `None`: the fabric's, or a tenth of the mean
    /// edge if that is more. The largest of all soft bodies counts for all.
    pub thickness: Option<f64>,
    /// Whether it can touch itself.
    pub self_contact: bool,
    /// Bodies that share a group above zero do not touch each other, rigid or soft.
    pub group: u32,
}

/// How contacts of soft bodies act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SoftContacts {
    /// In each step by one of the next two. [`SoftContacts::Solver`] where there are soft solids, a rigid
    /// body that can be pushed is near a soft one, or two soft bodies are near each other: what gives way
    /// on both sides has to be solved for together. [`SoftContacts::Implicit`] for cloth elsewhere.
    #[default]
    Auto,
    /// As part of the implicit step: what is held is held while elasticity is solved for. Steps
    /// may be long. There is one Newton iteration, and more where it made energy. Rigid bodies are walls
    /// in the step, and are pushed when it has ended; soft ones touch each other after it.
    Implicit,
    /// After it, by the velocity filter of Pabst 2009. What hangs is held badly in long steps.
    Filter,
    /// The same with friction as the paper prints it ([`FrictionRule::AsPrinted`]): from the slip
    /// before it. Off a tensor's axes, what should hold creeps.
    FilterAsPrinted,
    /// As rows of the same contact problem as those of rigid bodies, with the implicit system as
    /// their mass: one solver for everything, to its tolerance, and rigid bodies give way as they
    /// should. Exact, and slower: the rows of a soft body are coupled, each with all the others.
    Solver,
}

impl SoftContacts {
    /// The filter's rule of friction, where all contacts are the filter's.
    pub fn filter(self) -> Option<FrictionRule> {
        match self {
            SoftContacts::Filter => Some(FrictionRule::Exact),
            SoftContacts::FilterAsPrinted => Some(FrictionRule::AsPrinted),
            SoftContacts::Auto | SoftContacts::Implicit | SoftContacts::Solver => None,
        }
    }
}

/// The fabric's thickness, or a tenth of the mean edge if that is more.
pub(super) fn usual_thickness(body: &SoftBody) -> f64 {
    let edges = body.triangles.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]);
    let length =
        |e: [u32; 2]| body.positions[e[0] as usize].distance(body.positions[e[1] as usize]);
    let total: f64 = edges.map(length).sum();
    body.thickness().max(0.1 * total / (3 * body.triangles.len()).max(1) as f64)
}
