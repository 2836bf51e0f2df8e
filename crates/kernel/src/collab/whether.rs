//! What others ask of a run's state. Reads only; decides nothing.

use alloc::string::String;

use super::state::{Stage, State};

impl State {
    /// Whether a person's own command made it, which grants what its plan says it launches.
    #[must_use]
    pub fn started_by_person(&self) -> bool {
        self.run().is_some_and(|run| run.created_by == "person")
    }

    /// The question it waits with: its id and the hash of what is being accepted.
    #[must_use]
    pub fn open_question(&self) -> Option<(String, String)> {
        match self {
            Self::Degraded { question, .. } => Some((question.id.clone(), question.hash.clone())),
            Self::New
            | Self::Init { .. }
            | Self::Running { .. }
            | Self::Success { .. }
            | Self::Failed { .. } => None,
        }
    }

    /// Whether it is there, has not ended and is not being cancelled already.
    #[must_use]
    pub const fn cancellable(&self) -> bool {
        match self {
            Self::Init { stage: Stage::Checking, .. } | Self::Degraded { .. } => true,
            Self::Init { stage: Stage::Launching { cancelling, .. }, .. }
            | Self::Running { cancelling, .. } => cancelling.is_none(),
            Self::New | Self::Success { .. } | Self::Failed { .. } => false,
        }
    }

    /// Whether it goes on by itself: a gate, a launch or a deadline is owed, not only a question.
    #[must_use]
    pub const fn at_work(&self) -> bool {
        match self {
            Self::Init { stage: Stage::Checking | Stage::Launching { .. }, .. }
            | Self::Running { .. } => true,
            Self::New | Self::Degraded { .. } | Self::Success { .. } | Self::Failed { .. } => false,
        }
    }
}
