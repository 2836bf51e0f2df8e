//! The column `Created`: made, and nothing of it has begun.

use alloc::vec;

use super::super::command::Command;
use super::super::draft::Decision;
use super::super::event::Event;
use super::super::state::Life;
use super::super::{people, report, steer};
use super::shared;
use crate::machine::Said;

pub(in super::super) fn created(life: &Life, said: &Said<Command>) -> Decision {
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
        Command::Stop { why } => steer::stop(life, said, why.as_deref()),
        Command::Signal { runner } => report::signal(life, said, runner),
        Command::Create { .. } | Command::Import(_) => shared::id_taken(life),
        Command::Pause { .. }
        | Command::Resume { .. }
        | Command::Retry { .. }
        | Command::Reopen { .. }
        | Command::Complete { .. }
        | Command::Report(_) => shared::not_now(life, &said.command),
        Command::LegBegan { .. }
        | Command::LegEnded { .. }
        | Command::Timeout { .. }
        | Command::ViewsRemoved => shared::not_owed(&said.command),
        Command::Answer { q, .. } => Err(people::closed(*q)),
    }
}
