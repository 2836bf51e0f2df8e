//! The column `Paused`: it stands still and no child of it is alive.

use alloc::vec;

use super::super::command::{Command, Report};
use super::super::draft::Decision;
use super::super::event::Event;
use super::super::phase::Paused;
use super::super::state::{Driver, Life};
use super::super::{legs, owes, people, report, steer};
use super::shared;
use crate::machine::Said;

pub(in super::super) fn paused(life: &Life, now: &Paused, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::Edit { .. } => shared::edit(life, &said.command),
        Command::Delete => Ok(vec![Event::LoopDeleted]),
        Command::AddTask { .. }
        | Command::EditTask { .. }
        | Command::RemoveTask { .. }
        | Command::ReorderTasks { .. }
        | Command::RequeueTask { .. } => shared::task(life, said),
        Command::Start { .. } => match shared::start(&said.command) {
            Some(start) => steer::start(life, said, &start),
            None => shared::not_now(life, &said.command),
        },
        Command::SetMode { mode } => steer::set_mode(life, said, *mode),
        Command::Resume { busy_with } => steer::again(
            life,
            said,
            Event::LoopResumed { by: said.by.word().into() },
            busy_with.as_deref(),
        ),
        Command::Stop { why } => steer::stop(life, said, why.as_deref()),
        Command::Retry { busy_with } => {
            steer::again(life, said, Event::LoopRetried, busy_with.as_deref())
        }
        Command::LegBegan { n, leg, child, head } => {
            legs::began(life, (*n, leg), child, head.as_ref())
        }
        Command::Answer { .. } => shared::answer(life, said, now.q),
        Command::Complete { force } => people::complete(life, said, force.as_deref()),
        Command::Report(said_so) => reported(life, said, said_so),
        Command::Signal { runner } => report::signal(life, said, runner),
        Command::Timeout { slot } => reset(life, now, said, slot),
        Command::Create { .. } | Command::Import(_) => shared::id_taken(life),
        Command::Pause { .. } | Command::Reopen { .. } => shared::not_now(life, &said.command),
        Command::LegEnded { .. } | Command::ViewsRemoved => shared::not_owed(&said.command),
    }
}

/// An outside skill's late report is kept; while the engine drives it may only add to the work.
fn reported(life: &Life, said: &Said<Command>, told: &Report) -> Decision {
    match life.body.course().map(|course| &course.driver) {
        Some(Driver::External { .. }) => report::driven(life, said, told),
        Some(Driver::Engine) | None => report::beside(life, said, told),
    }
}

/// The rate limit is over: the timer resumes.
fn reset(life: &Life, now: &Paused, said: &Said<Command>, slot: &str) -> Decision {
    let due = now.reset.and_then(|reset| reset.wake.map(|n| (n, reset.at)));
    match due {
        Some((n, at)) if slot == owes::reset_slot(n) && said.at >= at => {
            let fact = Event::LoopResumed { by: said.by.word().into() };
            steer::again(life, said, fact, None)
        }
        Some(_) | None => shared::not_owed(&said.command),
    }
}
