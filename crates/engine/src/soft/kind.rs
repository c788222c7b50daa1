/// How contacts of soft bodies act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SoftContacts {
    /// As part of the implicit step: what is held is held while elasticity is solved for. Steps
    /// may be long. There is one Newton iteration.
    #[default]
    Implicit,
    /// After it, by the velocity filter of Pabst 2009. What hangs is held badly in long steps.
    Filter,
    /// As rows of the same contact problem as those of rigid bodies, with the implicit system as
    /// their mass: one solver for everything, to its tolerance, and rigid bodies give way as they
    /// should. Exact, and slower: the rows of a soft body are coupled, each with all the others.
    Solver,
}
