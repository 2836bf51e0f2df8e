//! The limits that the settings give to calls which name none of their own. What a call does at its
//! limit is the machine's to say.

use journal::Journal;
use kernel::call::{self, Acts, Command as CallCommand, GRACE_MS, Request};
use kernel::run::Command;

use super::saying::Saying;
use super::step::Engine;

/// `[call.timeout]` and `call.grace`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of a read.
    pub read_ms: u64,
    /// Of a command that names none.
    pub exec_ms: u64,
    /// Between asking a process to end and ending it.
    pub grace_ms: u64,
}

impl Limits {
    /// Fills in what the request leaves open.
    fn fit(self, request: &mut Request) {
        match call::named(&request.name).map(|tool| tool.acts) {
            Some(Acts::Reads) => request.deadline_ms = self.read_ms,
            Some(Acts::Runs) if request.deadline_ms == call::NO_DEADLINE => {
                request.deadline_ms = self.exec_ms;
            }
            Some(Acts::Runs | Acts::Changes | Acts::Converges | Acts::Arranges | Acts::Commits)
            | None => {}
        }
        if request.grace_ms == GRACE_MS {
            request.grace_ms = self.grace_ms;
        }
    }
}

impl<J: Journal> Engine<J> {
    /// Gives a call that is asked for the limits in force, whoever asks.
    pub(super) fn fill_limits(&self, saying: &mut Saying) {
        if let Command::Call(CallCommand::Ask(ask)) = &mut saying.command {
            self.standing.limits.fit(&mut ask.request);
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::call::{Args, OnUnknown, process};
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_call_leaves_open_is_the_settings() {
        let limits = Limits { read_ms: 1, exec_ms: 2, grace_ms: 3 };
        let own = |name: &str| {
            let args = Args { shown: json!({}), sha256: String::new() };
            call::request(name, args).unwrap()
        };
        let run = |deadline_ms| process(call::RUN, deadline_ms, OnUnknown::Wait);
        let long = own("write").deadline_ms;
        let table = [
            (own("read"), 1),
            (own("search"), 1),
            (own("write"), long),
            (run(call::NO_DEADLINE), 2),
            (run(7), 7),
            (process(call::AGENT, 8, OnUnknown::Tell), 8),
        ];
        for (mut request, deadline_ms) in table {
            limits.fit(&mut request);
            assert_eq!((request.deadline_ms, request.grace_ms), (deadline_ms, 3), "{request:?}");
        }
        let mut quick = Request { grace_ms: 2_000, ..run(7) };
        limits.fit(&mut quick);
        assert_eq!(quick.grace_ms, 2_000, "its own");
    }
}
