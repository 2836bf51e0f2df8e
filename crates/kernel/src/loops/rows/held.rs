//! The column `Paused*`: it stands still and the held action's child is still alive.

use alloc::string::String;
use alloc::vec;

use super::super::command::{Command, PauseHow};
use super::super::draft::Decision;
use super::super::event::Event;
use super::super::phase::Held;
use super::super::state::{Driver, Life};
use super::super::{legs, people, report, steer};
use super::shared;
use crate::machine::Said;

pub(in super::super) fn held(life: &Life, now: &Held, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::Edit { .. } => shared::edit(life, &said.command),
        Command::AddTask { .. }
        | Command::EditTask { .. }
        | Command::RemoveTask { .. }
        | Command::ReorderTasks { .. }
        | Command::RequeueTask { .. } => shared::task(life, said),
        Command::Start { driver, .. } => start(life, now, said, driver),
        Command::SetMode { mode } => steer::set_mode(life, said, *mode),
        Command::Pause { how } => pause(life, now, said, *how),
        Command::Resume { busy_with } => {
            resume(life, now, said, Event::LoopResumed { by: said.by.word().into() }, busy_with)
        }
        Command::Stop { why } => steer::stop(life, said, why.as_deref()),
        Command::Retry { busy_with } => resume(life, now, said, Event::LoopRetried, busy_with),
        Command::LegBegan { n, leg, child, head } => {
            legs::began(life, (*n, leg), child, head.as_ref())
        }
        Command::LegEnded { n, leg, end } => legs::ended(life, said, (*n, leg), end),
        Command::Report(said_so) => report::beside(life, said, said_so),
        Command::Signal { runner } => report::signal(life, said, runner),
        Command::Create { .. } | Command::Import(_) => shared::id_taken(life),
        Command::Delete => shared::still_closing(life),
        Command::Reopen { .. } => shared::not_now(life, &said.command),
        Command::Answer { q, .. } => Err(people::closed(*q)),
        Command::Complete { .. } => shared::action_running(life),
        Command::Timeout { .. } | Command::ViewsRemoved => shared::not_owed(&said.command),
    }
}

/// The engine goes on with what is held; another driver has to wait until it is gone.
fn start(life: &Life, now: &Held, said: &Said<Command>, driver: &Driver) -> Decision {
    match (driver, now.cut, shared::start(&said.command)) {
        (Driver::Engine, false, Some(start)) => steer::start_held(life, said, &start),
        (Driver::Engine | Driver::External { .. }, _, _) => shared::still_closing(life),
    }
}

/// Only a cut adds anything to a pause.
fn pause(life: &Life, now: &Held, said: &Said<Command>, how: PauseHow) -> Decision {
    match (how, now.cut) {
        (PauseHow::Now, false) => Ok(vec![Event::PauseCut]),
        (PauseHow::Now, true) | (PauseHow::Finish, _) => shared::not_now(life, &said.command),
    }
}

/// Back to the held action, unless its child is being stopped.
fn resume(
    life: &Life,
    now: &Held,
    said: &Said<Command>,
    fact: Event,
    busy_with: &Option<String>,
) -> Decision {
    if now.cut {
        return shared::still_closing(life);
    }
    steer::again(life, said, fact, busy_with.as_deref())
}
