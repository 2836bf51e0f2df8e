//! What others ask of a run's state. Reads only; decides nothing.

use super::state::{Stage, State};

impl State {
    /// Whether a person's own command made it, which grants what its plan says it launches.
    #[must_use]
    pub fn started_by_person(&self) -> bool {
        self.run().is_some_and(|run| run.created_by == "person")
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
