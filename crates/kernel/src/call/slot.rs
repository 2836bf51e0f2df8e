//! The paths below a call's id under which its effects, timers and questions are owed. One place
//! spells them, so that what is owed and what is answered can never differ by a letter.

use alloc::format;
use alloc::string::String;

/// The question whether it may run; also the prompt an approval names.
pub const ASK: &str = "ask";
/// When that question closes.
pub const ASK_EXPIRY: &str = "ask/expiry";
/// The question what became of a lost call.
pub const SETTLE: &str = "settle";

/// Getting an attempt ready.
pub fn prepare(attempt: u32) -> String {
    format!("prepare/{attempt}")
}

/// When a retry may prepare.
pub fn retry(attempt: u32) -> String {
    format!("retry/{attempt}")
}

/// The attempt itself.
pub fn act(attempt: u32) -> String {
    format!("act/{attempt}")
}

/// Stopping an attempt.
pub fn kill(attempt: u32) -> String {
    format!("kill/{attempt}")
}

/// An attempt's wall limit.
pub fn deadline(attempt: u32) -> String {
    format!("deadline/{attempt}")
}

/// An attempt's silence limit.
pub fn idle(attempt: u32) -> String {
    format!("idle/{attempt}")
}

/// When a stopped attempt must be proven gone.
pub fn grace(attempt: u32) -> String {
    format!("grace/{attempt}")
}

/// The `n`th look at a lost call.
pub fn probe(n: u32) -> String {
    format!("probe/{n}")
}

/// The `n`th try to take it back: a call of its own.
pub fn undo(n: u32) -> String {
    format!("undo/{n}")
}

/// When that look is due.
pub fn probe_at(n: u32) -> String {
    format!("probe-at/{n}")
}
