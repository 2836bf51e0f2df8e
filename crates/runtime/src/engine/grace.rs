//! How long a process may take to end once it is asked to, for calls that say nothing of it
//! themselves. What becomes of one that does not end is the shim's and the machine's.

use journal::Journal;
use kernel::call::{Command as CallCommand, GRACE_MS, Request};
use kernel::run::Command;

use super::saying::Saying;
use super::step::Engine;

impl<J: Journal> Engine<J> {
    /// Gives a call that is asked for what the settings say (`call.grace`), whoever asks.
    pub(super) fn fill_grace(&self, saying: &mut Saying) {
        if let Command::Call(CallCommand::Ask(ask)) = &mut saying.command {
            fit(&mut ask.request, self.standing.grace_ms);
        }
    }
}

fn fit(request: &mut Request, grace_ms: u64) {
    if request.grace_ms == GRACE_MS {
        request.grace_ms = grace_ms;
    }
}

#[cfg(test)]
mod tests {
    use kernel::call::{self, OnUnknown, process};

    use super::*;

    #[test]
    fn what_a_call_leaves_open_is_the_settings() {
        for (own, expected) in [(GRACE_MS, 3), (2_000, 2_000)] {
            let mut request = Request { grace_ms: own, ..process(call::RUN, 7, OnUnknown::Wait) };
            fit(&mut request, 3);
            assert_eq!((request.deadline_ms, request.grace_ms), (7, expected));
        }
    }
}
