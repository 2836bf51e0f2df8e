//! The column `Completed`: proven, forced by a person, or imported so.

use alloc::vec;

use super::super::command::Command;
use super::super::draft::Decision;
use super::super::event::Event;
use super::super::refusal::Refusal;
use super::super::state::Life;
use super::super::{people, report, steer};
use super::shared;
use crate::machine::Said;

pub(in super::super) fn completed(life: &Life, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::Edit { .. } => shared::edit(life, &said.command),
        Command::Delete => Ok(vec![Event::LoopDeleted]),
        Command::Reopen { busy_with } => reopen(life, said, busy_with.as_deref()),
        Command::Signal { runner } => report::signal(life, said, runner),
        Command::Create { .. } | Command::Import(_) => shared::id_taken(life),
        Command::AddTask { .. }
        | Command::EditTask { .. }
        | Command::RemoveTask { .. }
        | Command::ReorderTasks { .. }
        | Command::RequeueTask { .. }
        | Command::Start { .. }
        | Command::SetMode { .. }
        | Command::Pause { .. }
        | Command::Resume { .. }
        | Command::Stop { .. }
        | Command::Retry { .. }
        | Command::Complete { .. }
        | Command::Report(_) => shared::not_now(life, &said.command),
        Command::LegBegan { .. }
        | Command::LegEnded { .. }
        | Command::Timeout { .. }
        | Command::ViewsRemoved => shared::not_owed(&said.command),
        Command::Answer { q, .. } => Err(people::closed(*q)),
    }
}

/// Only a person takes an end back.
fn reopen(life: &Life, said: &Said<Command>, busy_with: Option<&str>) -> Decision {
    if !said.by.may_approve() {
        let (command, speaker) = (said.command.name(), said.by.word());
        return Err(Refusal::NeedsPerson { command, speaker });
    }
    steer::again(life, said, Event::LoopReopened, busy_with)
}
