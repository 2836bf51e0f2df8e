//! The words by which states, commands, events and records are shown, stored and typed. Words only.

use alloc::format;
use alloc::string::String;

use super::command::Command;
use super::event::{ActionResult, Event};
use super::phase::{Action, FailKind, Held, Kind, Leg, PauseReason, Paused, Phase};
use super::state::{Files, HypothesisStatus, Life, Mode, State};
use super::task::{OnError, Origin, TaskMode, TaskStatus};
use super::validation::{Level, TestStatus, Verdict};

impl State {
    /// The seed's status word; `New` and `deleted` where it has none.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Alive(life) => life.phase.status(),
            Self::Deleted { .. } => "deleted",
        }
    }

    /// The column of the table this state stands in.
    #[must_use]
    pub const fn variant(&self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Alive(life) => life.phase.variant(),
            Self::Deleted { .. } => "Deleted",
        }
    }

    /// Whether nothing more is owed and only a new command could move it.
    #[must_use]
    pub const fn ended(&self) -> bool {
        match self {
            Self::New => false,
            Self::Alive(life) => match &life.phase {
                Phase::Completed { .. } | Phase::Failed { tail: None, .. } => true,
                Phase::Created
                | Phase::Acting(_)
                | Phase::Choosing { .. }
                | Phase::Lent { .. }
                | Phase::Paused(_)
                | Phase::Failed { tail: Some(_), .. } => false,
            },
            Self::Deleted { files, .. } => matches!(files, Files::Removed),
        }
    }

    /// The loop, if it is there.
    #[must_use]
    pub const fn life(&self) -> Option<&Life> {
        match self {
            Self::Alive(life) => Some(life),
            Self::New | Self::Deleted { .. } => None,
        }
    }
}

impl Phase {
    /// The seed's status word.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Acting(_) | Self::Choosing { .. } | Self::Lent { .. } => "running",
            Self::Paused(_) => "paused",
            Self::Completed { .. } => "completed",
            Self::Failed { .. } => "failed",
        }
    }

    /// The column of the table.
    #[must_use]
    pub const fn variant(&self) -> &'static str {
        match self {
            Self::Created => "Created",
            Self::Acting(_) => "Acting",
            Self::Choosing { .. } => "Choosing",
            Self::Lent { .. } => "Lent",
            Self::Paused(paused) if paused.live().is_some() => "Paused*",
            Self::Paused(_) => "Paused",
            Self::Completed { .. } => "Completed",
            Self::Failed { tail: Some(_), .. } => "Failed*",
            Self::Failed { tail: None, .. } => "Failed",
        }
    }

    /// The action under way, held, or on its way out.
    #[must_use]
    pub const fn action(&self) -> Option<&Action> {
        match self {
            Self::Acting(action) | Self::Failed { tail: Some(action), .. } => Some(action),
            Self::Paused(Paused { held: Some(held), .. }) => Some(&held.action),
            Self::Created
            | Self::Choosing { .. }
            | Self::Lent { .. }
            | Self::Paused(_)
            | Self::Completed { .. }
            | Self::Failed { tail: None, .. } => None,
        }
    }

    pub(super) const fn action_mut(&mut self) -> Option<&mut Action> {
        match self {
            Self::Acting(action) | Self::Failed { tail: Some(action), .. } => Some(action),
            Self::Paused(Paused { held: Some(held), .. }) => Some(&mut held.action),
            Self::Created
            | Self::Choosing { .. }
            | Self::Lent { .. }
            | Self::Paused(_)
            | Self::Completed { .. }
            | Self::Failed { tail: None, .. } => None,
        }
    }
}

impl Paused {
    /// The question that is open: none while something of it is still at work.
    #[must_use]
    pub const fn open(&self) -> Option<u32> {
        match self.live() {
            Some(_) => None,
            None => self.q,
        }
    }

    /// The held action whose child is alive, if there is one.
    #[must_use]
    pub const fn live(&self) -> Option<&Held> {
        match &self.held {
            Some(held) if held.action.child.is_some() => Some(held),
            Some(_) | None => None,
        }
    }
}

impl Action {
    /// The leg at work; none once all legs are done.
    #[must_use]
    pub fn leg(&self) -> Option<&Leg> {
        self.legs.get(usize::try_from(self.at).unwrap_or(usize::MAX))
    }

    /// Path of the leg's child below the run id. A leg that comes again later in the same action
    /// (a tree is put back before debugging and after it) has a path of its own: under one key the
    /// second child would be taken for the first, which has long ended.
    #[must_use]
    pub fn slot(&self, leg: &Leg) -> String {
        let from = usize::try_from(self.at).unwrap_or(usize::MAX).saturating_add(1);
        let comes_again = self.legs.get(from..).is_some_and(|rest| rest.contains(leg));
        match (self.reask, comes_again) {
            (0, false) => format!("a{}/{}", self.n, leg.word()),
            (0, true) => format!("a{}/{}.first", self.n, leg.word()),
            (again, _) => format!("a{}/{}.r{again}", self.n, leg.word()),
        }
    }
}

impl Leg {
    /// Whether its child may change files: it is begun on the loop's branch only.
    #[must_use]
    pub const fn writes(&self) -> bool {
        match self {
            Self::Work | Self::Instrument | Self::Reproduce | Self::Restore | Self::Check(_) => {
                true
            }
            Self::Breakdown | Self::Explore | Self::Analyze | Self::Seal => false,
        }
    }

    /// Its name in a slot.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Breakdown => "breakdown".into(),
            Self::Work => "work".into(),
            Self::Explore => "explore".into(),
            Self::Instrument => "instrument".into(),
            Self::Reproduce => "reproduce".into(),
            Self::Analyze => "analyze".into(),
            Self::Restore => "restore".into(),
            Self::Check(k) => format!("c{k}"),
            Self::Seal => "seal".into(),
        }
    }

    /// The leg of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "breakdown" => Some(Self::Breakdown),
            "work" => Some(Self::Work),
            "explore" => Some(Self::Explore),
            "instrument" => Some(Self::Instrument),
            "reproduce" => Some(Self::Reproduce),
            "analyze" => Some(Self::Analyze),
            "restore" => Some(Self::Restore),
            "seal" => Some(Self::Seal),
            other => other.strip_prefix('c')?.parse().ok().map(Self::Check),
        }
    }

    /// The action's serial and the leg that a slot `a{n}/{leg}` names.
    #[must_use]
    pub fn of_slot(slot: &str) -> Option<(u32, Self)> {
        let (n, leg) = slot.strip_prefix('a')?.split_once('/')?;
        let word = leg.split_once('.').map_or(leg, |(word, _)| word);
        Some((n.parse().ok()?, Self::named(word)?))
    }
}

impl Kind {
    /// The seed's word for what is in flight.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Develop => "develop",
            Self::Debug => "debug",
            Self::Validate => "validate",
            Self::Complete => "complete",
        }
    }

    /// The seed's word in `last_action` and `completed_actions`.
    #[must_use]
    pub const fn action_word(self) -> &'static str {
        match self {
            Self::Init => "action-init",
            Self::Develop => "action-develop-with-file",
            Self::Debug => "action-debug-with-file",
            Self::Validate => "action-validate-with-file",
            Self::Complete => "action-complete",
        }
    }

    /// Whether its end counts as an iteration.
    #[must_use]
    pub const fn counted(self) -> bool {
        match self {
            Self::Init | Self::Complete => false,
            Self::Develop | Self::Debug | Self::Validate => true,
        }
    }
}

impl Command {
    /// Its name, as listed in `allowed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Create { .. } => "create",
            Self::Import(_) => "import",
            Self::Edit { .. } => "edit",
            Self::Delete => "delete",
            Self::AddTask { .. } => "add_task",
            Self::EditTask { .. } => "edit_task",
            Self::RemoveTask { .. } => "remove_task",
            Self::ReorderTasks { .. } => "reorder_tasks",
            Self::RequeueTask { .. } => "requeue_task",
            Self::Start { .. } => "start",
            Self::SetMode { .. } => "set_mode",
            Self::Pause { .. } => "pause",
            Self::Resume { .. } => "resume",
            Self::Stop { .. } => "stop",
            Self::Retry { .. } => "retry",
            Self::Reopen { .. } => "reopen",
            Self::LegBegan { .. } => "leg_began",
            Self::LegEnded { .. } => "leg_ended",
            Self::Answer { .. } => "answer",
            Self::Complete { .. } => "complete",
            Self::Report(_) => "report",
            Self::Signal { .. } => "signal",
            Self::Timeout { .. } => "timeout",
            Self::ViewsRemoved => "views_removed",
        }
    }

    /// Whether only the engine says it; such commands are never listed as allowed to people.
    #[must_use]
    pub const fn is_engines(&self) -> bool {
        matches!(
            self,
            Self::LegBegan { .. }
                | Self::LegEnded { .. }
                | Self::Timeout { .. }
                | Self::ViewsRemoved
        )
    }
}

impl Event {
    /// The fact's name, as recorded.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::LoopCreated { .. } => "LoopCreated",
            Self::LoopImported(_) => "LoopImported",
            Self::LoopEdited { .. } => "LoopEdited",
            Self::LoopDeleted => "LoopDeleted",
            Self::TaskAdded { .. } => "TaskAdded",
            Self::TaskEdited { .. } => "TaskEdited",
            Self::TaskRemoved { .. } => "TaskRemoved",
            Self::TasksReordered { .. } => "TasksReordered",
            Self::TaskRequeued { .. } => "TaskRequeued",
            Self::LoopStarted { .. } => "LoopStarted",
            Self::ModeSet { .. } => "ModeSet",
            Self::LoopPaused { .. } => "LoopPaused",
            Self::PauseCut => "PauseCut",
            Self::LoopResumed { .. } => "LoopResumed",
            Self::LoopFailed { .. } => "LoopFailed",
            Self::LoopRetried => "LoopRetried",
            Self::LoopReopened => "LoopReopened",
            Self::LegBegan { .. } => "LegBegan",
            Self::LegEnded { .. } => "LegEnded",
            Self::LegChosen { .. } => "LegChosen",
            Self::ActionChosen { .. } => "ActionChosen",
            Self::ActionEnded { .. } => "ActionEnded",
            Self::ActionDropped { .. } => "ActionDropped",
            Self::MenuOpened { .. } => "MenuOpened",
            Self::MenuAnswered { .. } => "MenuAnswered",
            Self::ValidationStaled { .. } => "ValidationStaled",
            Self::ValidationAccepted { .. } => "ValidationAccepted",
            Self::LoopCompleted { .. } => "LoopCompleted",
            Self::SkillReported { .. } => "SkillReported",
            Self::LeaseTaken { .. } => "LeaseTaken",
            Self::LeaseRenewed { .. } => "LeaseRenewed",
            Self::ViewsRemoved => "ViewsRemoved",
        }
    }
}

/// A `word()` for each enum whose words are stored or shown.
macro_rules! words {
    ($($name:ident { $($variant:ident = $word:literal),+ $(,)? })+) => {
        $(impl $name {
            /// Its word in files and records.
            #[must_use]
            pub const fn word(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $word),+ }
            }
        })+
    };
}

words! {
    Mode { Auto = "auto", Interactive = "interactive" }
    TaskMode { Analysis = "analysis", Write = "write", Review = "review" }
    OnError { Continue = "continue", Pause = "pause", FailFast = "fail_fast" }
    Origin {
        Queue = "queue", Breakdown = "breakdown", Fix = "fix", Tests = "tests", Outside = "outside",
    }
    TaskStatus {
        Pending = "pending", InProgress = "in_progress", Completed = "completed", Failed = "failed",
    }
    HypothesisStatus {
        Pending = "pending", Confirmed = "confirmed", Rejected = "rejected",
        Inconclusive = "inconclusive",
    }
    TestStatus { Passed = "passed", Failed = "failed", Skipped = "skipped" }
    Level { Static = "static", Build = "build", Test = "test", Custom = "custom" }
    Verdict {
        Failed = "failed", DefinitionChanged = "definition_changed", NoTests = "no_tests",
        Unparsed = "unparsed", CoverageBelow = "coverage_below", Passed = "passed",
        Accepted = "accepted",
    }
    FailKind {
        Stopped = "stopped", Limit = "limit", Error = "error", FailFast = "fail_fast",
        Cancelled = "cancelled", Imported = "imported",
    }
    PauseReason {
        User = "user", UserExit = "user_exit", Parent = "parent", TaskFailed = "task_failed",
        Blocked = "blocked", Stuck = "stuck", Unverified = "unverified",
        TreeMoving = "tree_moving", IterationLimit = "iteration_limit",
        RunnerLost = "runner_lost", ChildCancelled = "child_cancelled", Imported = "imported",
        Rebuilt = "rebuilt",
    }
    ActionResult { Ok = "ok", Failed = "failed", Blocked = "failed", Dropped = "dropped" }
}
