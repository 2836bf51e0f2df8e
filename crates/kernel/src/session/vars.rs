//! The seed's variables, as functions of where a session stands. They are never kept: what they say
//! is what is.

use serde_json::{Value, json};

use super::asked::Stop;
use super::state::{Base, Flow, Frame, How, Life, Mode, Origin, Unit};

/// The variables that each step of the reset clears, in its order.
pub const RESET: [&[&str]; 4] = [
    &["CREATED_PACKAGE", "CURRENT_PACKAGE", "KB_SKIPPED", "ACTIVE_TOOL", "SUSPENDED_STAGE"],
    &["TOOL_NESTING", "SILENCE_BROKEN"],
    &["CURRENT_STAGE", "STAGE_ENTRY_MODE"],
    &["WORKFLOW_MODE"],
];

/// All variables of a session; every key is always there.
#[must_use]
pub fn of(life: &Life) -> Value {
    let base = life.base();
    let flow = match base {
        Base::Flow { flow, .. } => Some(&**flow),
        Base::Idle { .. } | Base::Job { .. } => None,
    };
    let stage = match base {
        Base::Flow { stage, .. } => Some(stage.name().word()),
        Base::Idle { .. } | Base::Job { .. } => None,
    };
    let tools = || {
        life.frames().iter().filter_map(|frame| match frame {
            Frame::Tool(tool) => Some(tool.name.as_str()),
            Frame::Relating { .. }
            | Frame::Replacing { .. }
            | Frame::Embedded { .. }
            | Frame::Chat(_) => None,
        })
    };
    let direct = flow.is_some_and(|flow| flow.origin == Origin::Exec);
    let path = |package: Option<&super::state::Package>| {
        package.map(|package| alloc::format!("{}/", package.path.trim_end_matches('/')))
    };
    json!({
        "WORKFLOW_MODE": mode(flow).word(),
        "CURRENT_STAGE": stage,
        "STAGE_ENTRY_MODE": if direct { "DIRECT" } else { "NATURAL" },
        "KB_SKIPPED": flow.and_then(|flow| flow.kb_skipped),
        "CREATED_PACKAGE": path(flow.and_then(|flow| flow.created.as_ref())),
        "CURRENT_PACKAGE": path(flow.and_then(|flow| flow.current.as_ref())),
        "ACTIVE_TOOL": tools().next_back(),
        "SUSPENDED_STAGE": tools().next().and(stage),
        "TOOL_NESTING": tools().count().saturating_sub(1),
        "SILENCE_BROKEN": silence_broken(life),
        "EXEC_STATUS": status(life),
    })
}

fn mode(flow: Option<&Flow>) -> Mode {
    flow.map_or(Mode::Interactive, |flow| flow.mode)
}

/// Whether a flow that was promised to be silent has to ask something that was not planned.
fn silence_broken(life: &Life) -> bool {
    let Base::Flow { flow, .. } = life.base() else { return false };
    if flow.mode == Mode::Interactive {
        return false;
    }
    let own = life.questions();
    let own = own.iter().filter_map(|q| q.kind.stop());
    let child = flow.asking.iter().map(|one| one.stop);
    own.chain(child).any(|stop| stop != Stop::SConfirm)
}

fn status(life: &Life) -> &'static str {
    let waits = !life.questions().is_empty();
    match life.base() {
        Base::Flow { stage, .. } if stage.interrupted() => "ERROR",
        Base::Job { job } if job.interrupted() => "ERROR",
        Base::Flow { .. } | Base::Job { .. } if waits => "WAITING",
        Base::Flow { flow, .. } if !flow.asking.is_empty() => "WAITING",
        Base::Flow { .. } | Base::Job { .. } => "RUNNING",
        Base::Idle { .. } if waits => "WAITING",
        Base::Idle { .. } if !life.frames().iter().all(Frame::talks) => "RUNNING",
        Base::Idle { .. } => "IDLE",
    }
}

impl Life {
    /// What runs, or is being ended.
    #[must_use]
    pub const fn base(&self) -> &Base {
        match &self.unit {
            Unit::At { base, .. } => base,
            Unit::Ending { was, .. } => was,
        }
    }

    /// What was put above it.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        match &self.unit {
            Unit::At { frames, .. } => frames,
            Unit::Ending { .. } => &[],
        }
    }
}

/// The word of how a unit ended.
#[must_use]
pub const fn how_word(how: &How) -> &'static str {
    match how {
        How::Completed => "completed",
        How::Cancelled { .. } => "cancelled",
        How::Failed { .. } => "failed",
        How::Replaced { .. } => "replaced",
    }
}
