//! The jobs of turns, and how each of them is told.

use kernel::machine::By;
use kernel::run::Command;
use kernel::session::BRANCH_CHANGED;
use kernel::turn::{self, Act, Ask, Ended, Fault, Payload, Spent, Wish};

use super::super::pool::Desk;
use super::super::session;
use super::{acted, asked, left, several};
use crate::engine::{Heard, Left, Made, Origin, Owner, Ready, Saying, Scene};
use crate::host::handle::Msg;
use crate::turns;

/// Does for a turn what is no call.
pub(in super::super) fn act(desk: &Desk, scene: Scene, act: Act) {
    let ended = of(acted::act(desk, &scene, act));
    tell(desk, scene, ended, Spent::default());
}

/// Makes ready what a turn asks for.
pub(in super::super) fn ask(desk: &Desk, scene: Scene, ask: &Ask) {
    let ready = asked::ready(desk, &scene, ask);
    let Scene { key: job, run, slot, .. } = scene;
    made(desk, Made { job, run, slot, ready });
}

/// Makes the start of a turn that a run owes. None is begun on a branch that is not its session's.
pub(in super::super) fn start(desk: &Desk, job: String, owner: Owner, wish: &Wish) {
    let Owner { run, slot, branch } = owner;
    let ready = match branch.filter(|key| session::elsewhere(desk, key)) {
        Some(_) => Err(fault(BRANCH_CHANGED, "")),
        None => turns::child(wish, &desk.plan.turns)
            .map(|start| Ready::Turn(Box::new(start)))
            .map_err(|why| turns::unfit(&why)),
    };
    made(desk, Made { job, run, slot, ready });
}

/// An engine that has left asks again when it starts.
fn made(desk: &Desk, made: Made) {
    drop(desk.inbox.send(Msg::Made(Box::new(made))));
}

/// Reads what a call left.
pub(in super::super) fn read(desk: &Desk, scene: Scene, ask: Option<&Ask>, left: &Left) {
    let (ended, spent) = left::read(desk, &scene, ask, left);
    tell(desk, scene, ended, spent);
}

/// Reads what several agents came to.
pub(in super::super) fn hear(desk: &Desk, scene: Scene, heard: &Heard) {
    let (ended, spent) = several::read(desk, &scene, heard);
    tell(desk, scene, ended, spent);
}

fn of(done: Result<Payload, Box<Fault>>) -> Ended {
    match done {
        Ok(payload) => Ended::Ok(Box::new(payload)),
        Err(fault) => Ended::Failed(fault),
    }
}

fn tell(desk: &Desk, scene: Scene, ended: Ended, spent: Spent) {
    let Scene { key, run, slot, .. } = scene;
    let command = turn::Command::ToolCallResult { key: slot, ended, spent };
    let saying = Saying::own(&run, By::Engine, Command::Turn(command));
    desk.land(Saying { origin: Origin::Job(key), ..saying });
}

/// A fault that is the same whenever it is met.
pub(super) fn fault(code: &str, kind: &str) -> Box<Fault> {
    Box::new(Fault::new(code, kind))
}
