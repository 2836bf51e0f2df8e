//! Exit codes and which of several wins. Not the sentences, and not the process that exits.

use super::reason::Machine;

/// What a process says to the shell that started it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exit(u8);

impl Exit {
    /// Success.
    pub const OK: Self = Self(0);
    /// A run failed, ended partial or was rolled back.
    pub const FAILED: Self = Self(1);
    /// The request could not be read, or names no id of ours.
    pub const USAGE: Self = Self(2);
    /// Not possible in this state.
    pub const REFUSED: Self = Self(3);
    /// Blocked or waiting for a person, with nobody there.
    pub const WAITING: Self = Self(4);
    /// A degraded result, not confirmed. Nothing else ever uses it.
    pub const DEGRADED: Self = Self(5);
    /// Denied by policy, or the door refused the caller.
    pub const DENIED: Self = Self(6);
    /// Conflict.
    pub const CONFLICT: Self = Self(7);
    /// Timeout.
    pub const TIMEOUT: Self = Self(8);
    /// Budget.
    pub const BUDGET: Self = Self(9);
    /// Journal or storage.
    pub const JOURNAL: Self = Self(10);
    /// Cancelled, or SIGINT to a waiting client.
    pub const CANCELLED: Self = Self(130);

    /// The number itself.
    pub const fn code(self) -> u8 {
        self.0
    }
}

/// Strongest first. Usage and refusal stand after the settled order: they mean that nothing ran,
/// so they can only ever meet each other or a success.
const PRECEDENCE: [Exit; 12] = [
    Exit::JOURNAL,
    Exit::CANCELLED,
    Exit::CONFLICT,
    Exit::BUDGET,
    Exit::DENIED,
    Exit::WAITING,
    Exit::TIMEOUT,
    Exit::DEGRADED,
    Exit::FAILED,
    Exit::REFUSED,
    Exit::USAGE,
    Exit::OK,
];

/// The one exit code when several apply at once; success when none does.
pub fn strongest(several: &[Exit]) -> Exit {
    PRECEDENCE.into_iter().find(|exit| several.contains(exit)).unwrap_or(Exit::OK)
}

/// The exit code for a run's own word for its end, where the word alone decides it. A call that
/// `failed` ends by its class instead, so it has none here.
pub fn of_result(machine: Machine, result: &str) -> Option<Exit> {
    match machine {
        Machine::Call => of_call(result),
        Machine::Loop => of_loop(result),
        Machine::Session
        | Machine::Lifecycle
        | Machine::Turn
        | Machine::Collab
        | Machine::Policy
        | Machine::Workspace
        | Machine::Agent
        | Machine::Journal
        | Machine::Door => None,
    }
}

fn of_call(result: &str) -> Option<Exit> {
    match result {
        "ok" => Some(Exit::OK),
        "denied" => Some(Exit::DENIED),
        "timed_out" => Some(Exit::TIMEOUT),
        "unknown" => Some(Exit::WAITING),
        "stopped" => Some(Exit::CANCELLED),
        _unknown => None,
    }
}

/// A loop that failed by being stopped or cancelled hands in that kind as its word.
fn of_loop(result: &str) -> Option<Exit> {
    match result {
        "completed" => Some(Exit::OK),
        "failed" => Some(Exit::FAILED),
        "stopped" | "cancelled" => Some(Exit::CANCELLED),
        _unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_at_once() {
        let table: [(&[Exit], u8); 8] = [
            (&[], 0),
            (&[Exit::OK, Exit::FAILED], 1),
            (&[Exit::DEGRADED, Exit::FAILED], 5),
            (&[Exit::TIMEOUT, Exit::DEGRADED], 8),
            (&[Exit::TIMEOUT, Exit::WAITING], 4),
            (&[Exit::DENIED, Exit::WAITING, Exit::BUDGET], 9),
            (&[Exit::CONFLICT, Exit::CANCELLED, Exit::BUDGET], 130),
            (&[Exit::CANCELLED, Exit::JOURNAL], 10),
        ];
        for (several, expected) in table {
            assert_eq!(strongest(several).code(), expected, "{several:?}");
        }
    }

    #[test]
    fn results_exit_as_settled() {
        let table = [
            (Machine::Call, "ok", Some(0)),
            (Machine::Call, "denied", Some(6)),
            (Machine::Call, "timed_out", Some(8)),
            (Machine::Call, "unknown", Some(4)),
            (Machine::Call, "stopped", Some(130)),
            (Machine::Call, "failed", None),
            (Machine::Loop, "completed", Some(0)),
            (Machine::Loop, "failed", Some(1)),
        ];
        for (machine, result, expected) in table {
            assert_eq!(of_result(machine, result).map(Exit::code), expected, "{result}");
        }
    }
}
