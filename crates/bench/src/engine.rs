//! What comparisons ask of an engine.

use asperity::glamx::{DPose3, DVec3};

use crate::item::Item;
use crate::snapshot::{Figures, Snapshot};

/// An engine with a scene in it.
pub(crate) trait Engine {
    /// Advances by one step. Only this is timed.
    fn step(&mut self);

    /// Advances by one step and says what it did.
    fn observed_step(&mut self) -> Snapshot;

    /// Advances by one step and judges it.
    fn judged_step(&mut self, items: &[Item]) -> Figures {
        self.observed_step().figures(items)
    }

    /// Where the bodies are, in the order of the scene.
    fn poses(&self) -> Vec<DPose3>;

    /// How fast they are: m/s at the centre of mass, rad/s.
    fn velocities(&self) -> Vec<[DVec3; 2]>;

    /// Contact points of the last step that carry something.
    fn touches(&self) -> usize;

    /// Seconds in which the last step found contacts, and those of its last solve, where it tells.
    fn parts(&self) -> Option<[f64; 2]> {
        None
    }

    /// Bodies that sleep; `None` where it cannot let any.
    fn asleep(&self) -> Option<usize>;

    /// Sweeps over all contacts in the last step.
    fn sweeps(&self) -> usize;

    /// Residual that the solver is asked for, where it can be asked.
    fn asked(&self) -> Option<f64> {
        None
    }

    /// Asks for another one.
    fn ask(&mut self, _residual: f64) {}
}
