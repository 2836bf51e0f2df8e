//! Where a session's looks, requests and readings come in, and how each goes back: as one command
//! to the session. What it means there is the machine's to say.

use kernel::call::Failure;
use kernel::machine::By;
use kernel::run::Command;
use kernel::session::{self, Act, Ask, BRANCH_CHANGED, Outcome};

use super::super::pool::Desk;
use super::{acts, asks, left, several};
use crate::engine::{Heard, Left, Made, Origin, Saying, Sitting};
use crate::host::handle::Msg;
use crate::sessions::key_of;

/// Whether another branch is checked out by now than the one that a session belongs to.
pub fn elsewhere(desk: &Desk, session: &str) -> bool {
    session::elsewhere(session, &key_of(&desk.plan.root))
}

/// Looks at something for a session.
pub fn act(desk: &Desk, sitting: Sitting, act: &Act) {
    let outcome = match elsewhere(desk, &sitting.life.body.key) {
        true => failed(BRANCH_CHANGED, "", ""),
        false => acts::look(desk, &sitting, act),
    };
    tell(desk, sitting, outcome);
}

/// Makes ready what a session asks for.
pub fn ask(desk: &Desk, sitting: Sitting, ask: &Ask) {
    let ready = match elsewhere(desk, &sitting.life.body.key) {
        true => Err(asks::fault(BRANCH_CHANGED, "")),
        false => asks::ready(desk, &sitting, ask),
    };
    let Sitting { key: job, run, slot, .. } = sitting;
    // An engine that has left asks again when it starts.
    drop(desk.inbox.send(Msg::Made(Box::new(Made { job, run, slot, ready }))));
}

/// Reads what a call left.
pub fn read(desk: &Desk, sitting: Sitting, left: &Left) {
    let outcome = left::read(desk, &sitting, left);
    tell(desk, sitting, outcome);
}

/// Reads what several agents came to.
pub fn hear(desk: &Desk, sitting: Sitting, heard: &Heard) {
    let outcome = several::read(desk, heard);
    tell(desk, sitting, outcome);
}

fn tell(desk: &Desk, sitting: Sitting, outcome: Outcome) {
    let Sitting { key, run, slot, .. } = sitting;
    let command = session::Command::Told { slot, outcome };
    let saying = Saying::own(&run, By::Engine, Command::Session(command));
    desk.land(Saying { origin: Origin::Job(key), ..saying });
}

/// A failure with its words.
pub(super) fn failed(code: &str, kind: &str, detail: &str) -> Outcome {
    Outcome::Failed(Failure {
        code: code.to_owned(),
        kind: kind.to_owned(),
        detail: detail.to_owned(),
    })
}
