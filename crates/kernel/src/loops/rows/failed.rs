//! The column `Failed`: ended with a reason, and nothing of it is alive.

use alloc::vec;

use super::super::command::Command;
use super::super::draft::Decision;
use super::super::event::Event;
use super::super::state::Life;
use super::super::{people, report, steer};
use super::shared;
use crate::machine::Said;

pub(in super::super) fn failed(life: &Life, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::Edit { .. } => shared::edit(life, &said.command),
        Command::Delete => Ok(vec![Event::LoopDeleted]),
        Command::AddTask { .. }
        | Command::EditTask { .. }
        | Command::RemoveTask { .. }
        | Command::ReorderTasks { .. }
        | Command::RequeueTask { .. } => shared::task(life, said),
        Command::SetMode { mode } => steer::set_mode(life, said, *mode),
        Command::Retry { busy_with } => {
            steer::again(life, said, Event::LoopRetried, busy_with.as_deref())
        }
        Command::Signal { runner } => report::signal(life, said, runner),
        Command::Create { .. } | Command::Import(_) => shared::id_taken(life),
        Command::Start { .. }
        | Command::Pause { .. }
        | Command::Resume { .. }
        | Command::Stop { .. }
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
