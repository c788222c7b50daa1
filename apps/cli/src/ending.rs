//! How a command ended, and its exit code.

use std::process::ExitCode;

/// How a command that could be executed ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// All is well: exit code 0.
    Good,
    /// Something that was judged did not hold: exit code 1.
    Missed,
    /// A run that is not to be trusted, whatever it was judged to be: exit code 3.
    Unsound,
}

impl Ending {
    /// What the shell is told; 2 is for what could not be executed.
    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Ending::Good => 0,
            Ending::Missed => 1,
            Ending::Unsound => 3,
        })
    }
}

impl From<bool> for Ending {
    /// From whether what was judged held.
    fn from(held: bool) -> Ending {
        if held { Ending::Good } else { Ending::Missed }
    }
}
