/// How contacts of soft bodies with rigid shapes act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SoftContacts {
    /// As part of the implicit step: what is held is held while elasticity is solved for. Steps
    /// may be long. There is one Newton iteration.
    #[default]
    Implicit,
    /// After it, by the velocity filter of Pabst 2009. What hangs is held badly in long steps.
    Filter,
}
