//! What is said to a call, from the wire to the kernel. Whether it may be said at all is known
//! here; whether it is possible is the machine's to say.

use kernel::call;
use kernel::machine::By;
use kernel::run::{Command, State};
use runtime::engine::{Answer, Link};

use super::answers::{collect, refused};
use super::hear;
use super::scrub;
use super::serve::Shop;
use super::wire::{CallSay, Reply};

impl Shop {
    pub(super) fn to_call(&self, by: &By, run: &str, trace: &str, say: CallSay) -> Option<Reply> {
        let undoes = matches!(say, CallSay::Undo { .. });
        if matches!(by, By::Agent { .. }) || (undoes && !by.may_approve()) {
            return Some(refused("call.needs_person", run));
        }
        let mut link = Link::Alone;
        // A no takes a yes back, so that one which only answers stands on the open question.
        if matches!(say, CallSay::Deny { answers: true, .. }) {
            match self.run(run).map(|run| (run.state, run.seq)) {
                Some((State::Call(call::State::Asked { .. }), seq)) => link = Link::At(seq),
                Some(_) | None => return Some(refused("call.question_closed", run)),
            }
        }
        let say = scrub::of_call(say, &self.plan.redactor);
        let command = Command::Call(self.with_room(|room| hear::call_command(run, say, room)));
        let told = self.handle.say_all(by.clone(), run, trace, (link, vec![command])).ok()?;
        if link != Link::Alone && told.iter().any(outrun) {
            return Some(refused("call.question_closed", run));
        }
        Some(collect(told, trace))
    }
}

/// Whether the call has moved on since it was looked at.
fn outrun(answer: &Answer) -> bool {
    answer.as_ref().is_err_and(|at| at.refused.reason == "conflict")
}
