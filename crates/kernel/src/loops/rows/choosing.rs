//! The column `Choosing`: a menu is open and a person chooses.

use super::super::command::Command;
use super::super::draft::Decision;
use super::super::state::Life;
use super::super::{people, report, steer};
use super::shared;
use crate::machine::Said;

pub(in super::super) fn choosing(life: &Life, q: u32, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::AddTask { .. }
        | Command::EditTask { .. }
        | Command::RemoveTask { .. }
        | Command::ReorderTasks { .. }
        | Command::RequeueTask { .. } => shared::task(life, said),
        Command::SetMode { mode } => steer::set_mode(life, said, *mode),
        Command::Pause { how } => steer::pause(life, said, *how),
        Command::Stop { why } => steer::stop(life, said, why.as_deref()),
        Command::Answer { .. } => shared::answer(life, said, Some(q)),
        Command::Complete { force } => people::complete(life, said, force.as_deref()),
        Command::Report(said_so) => report::beside(life, said, said_so),
        Command::Signal { runner } => report::signal(life, said, runner),
        Command::Create { .. } | Command::Import(_) => shared::id_taken(life),
        Command::Edit { .. }
        | Command::Delete
        | Command::Start { .. }
        | Command::Resume { .. }
        | Command::Retry { .. }
        | Command::Reopen { .. } => shared::not_now(life, &said.command),
        Command::LegBegan { .. }
        | Command::LegEnded { .. }
        | Command::Timeout { .. }
        | Command::ViewsRemoved => shared::not_owed(&said.command),
    }
}
