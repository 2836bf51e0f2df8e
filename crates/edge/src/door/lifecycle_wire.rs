//! What client and engine say to each other about a lifecycle. Sentences are not part of it.

use kernel::lifecycle::{Budget, NoteKind, Patch, Scope, Status};
use kernel::rollback::Conflicts;
use runtime::lifecycles;
use serde::{Deserialize, Serialize};

/// What can be said to a lifecycle from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum LifecycleSay {
    Start {
        form: Box<lifecycles::Form>,
    },
    /// Bound to the plan that its answerer saw.
    Confirm {
        question: String,
        hash: String,
        scope: Scope,
    },
    Modify {
        text: String,
    },
    Amend {
        patch: Box<Patch>,
    },
    RetryPlan,
    Cancel,
    Abort {
        reason: Option<String>,
    },
    Pause {
        now: bool,
    },
    Resume,
    StopFix,
    /// Without a text it is said to be fixed.
    Fix {
        text: Option<String>,
        add_budget: Option<Budget>,
        accept_definition: Option<String>,
    },
    Skip {
        run_dependants: bool,
    },
    Rollback {
        to: Option<String>,
        plan_hash: Option<String>,
        conflicts: Conflicts,
    },
    /// Bound to the way back that its answerer saw.
    RollbackConfirm {
        question: String,
        hash: String,
        go: bool,
    },
    Update {
        task: String,
        status: Status,
        summary: Option<String>,
    },
    Note {
        kind: NoteKind,
        task: Option<String>,
        text: String,
    },
}

impl LifecycleSay {
    /// Whether it lets more happen than before, so that the workspace has to be trusted.
    #[must_use]
    pub const fn widens(&self) -> bool {
        match self {
            Self::Start { .. }
            | Self::Confirm { .. }
            | Self::Modify { .. }
            | Self::Amend { .. }
            | Self::RetryPlan
            | Self::Resume
            | Self::Fix { .. }
            | Self::Skip { .. }
            | Self::Rollback { .. }
            | Self::Update { .. }
            | Self::RollbackConfirm { go: true, .. } => true,
            Self::Cancel
            | Self::Abort { .. }
            | Self::Pause { .. }
            | Self::StopFix
            | Self::RollbackConfirm { go: false, .. }
            | Self::Note { .. } => false,
        }
    }
}
