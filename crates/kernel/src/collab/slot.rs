//! The paths below a run's id under which its calls, timers, gate and question are owed. One place
//! spells and reads them, so that what is owed and what is answered never differ by a letter.

use alloc::format;
use alloc::string::{String, ToString};

use super::command::Command;

/// The start gate.
pub const GATE: &str = "gate";
/// The run's own time.
pub const TOTAL: &str = "total";
/// The question about a degraded result; also its id.
pub const CONFIRM: &str = "confirm";
/// When that question closes.
pub const CONFIRM_EXPIRY: &str = "confirm/expiry";

/// The call of one launch.
#[must_use]
pub fn call(p: &str, launch: u32) -> String {
    format!("{p}/{launch}")
}

/// When a launch is stopped.
pub fn due(p: &str, launch: u32) -> String {
    format!("{p}/{launch}/due")
}

/// When a retry is made.
pub fn backoff(p: &str, launch: u32) -> String {
    format!("{p}/{launch}/backoff")
}

/// When the end of a stopped launch is waited for no longer.
pub fn stop(p: &str, launch: u32) -> String {
    format!("{p}/{launch}/stop")
}

/// The participant and launch that a call's slot stands for.
#[must_use]
pub fn launch_of(slot: &str) -> Option<(String, u32)> {
    let (p, launch) = slot.split_once('/')?;
    Some((p.to_string(), launch.parse().ok()?))
}

/// The command that a timer of this slot is, once it falls due.
#[must_use]
pub fn timer_command(slot: &str) -> Option<Command> {
    match slot {
        TOTAL => return Some(Command::TotalDue),
        CONFIRM_EXPIRY => return Some(Command::QuestionDue { id: CONFIRM.to_string() }),
        _of_a_launch => {}
    }
    let (path, what) = slot.rsplit_once('/')?;
    let (p, launch) = launch_of(path)?;
    match what {
        "due" => Some(Command::AttemptDue { p, launch }),
        "backoff" => Some(Command::BackoffDue { p, launch }),
        "stop" => Some(Command::StopDue { p, launch }),
        _unknown => None,
    }
}
