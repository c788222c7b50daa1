//! What the comparison asks of an engine.

use asperity::glamx::DPose3;

use super::snapshot::Snapshot;

/// An engine with a scene in it.
pub(super) trait Engine {
    /// Advances by one step. Only this is timed.
    fn step(&mut self);

    /// Advances by one step and says what it did.
    fn observed_step(&mut self) -> Snapshot;

    /// Where the bodies are, in the order of the scene.
    fn poses(&self) -> Vec<DPose3>;

    /// Sweeps over all contacts in the last step.
    fn sweeps(&self) -> usize;

    /// Residual that the solver is asked for, where it can be asked.
    fn asked(&self) -> Option<f64> {
        None
    }

    /// Asks for another one.
    fn ask(&mut self, _residual: f64) {}
}
