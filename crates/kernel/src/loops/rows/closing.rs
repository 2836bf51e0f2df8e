//! The column `Failed*`: ended with a reason while its last child is not gone yet.

use super::super::command::Command;
use super::super::draft::Decision;
use super::super::state::Life;
use super::super::{legs, people, report, steer};
use super::shared;
use crate::machine::Said;

pub(in super::super) fn closing(life: &Life, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::Edit { .. } => shared::edit(life, &said.command),
        Command::AddTask { .. }
        | Command::EditTask { .. }
        | Command::RemoveTask { .. }
        | Command::ReorderTasks { .. }
        | Command::RequeueTask { .. } => shared::task(life, said),
        Command::SetMode { mode } => steer::set_mode(life, said, *mode),
        Command::LegBegan { n, leg, child, head } => {
            legs::began(life, (*n, leg), child, head.as_ref())
        }
        Command::LegEnded { n, leg, end } => legs::ended(life, said, (*n, leg), end),
        Command::Signal { runner } => report::signal(life, said, runner),
        Command::Create { .. } | Command::Import(_) => shared::id_taken(life),
        Command::Delete | Command::Retry { .. } => shared::still_closing(life),
        Command::Start { .. }
        | Command::Pause { .. }
        | Command::Resume { .. }
        | Command::Stop { .. }
        | Command::Reopen { .. }
        | Command::Complete { .. }
        | Command::Report(_) => shared::not_now(life, &said.command),
        Command::Answer { q, .. } => Err(people::closed(*q)),
        Command::Timeout { .. } | Command::ViewsRemoved => shared::not_owed(&said.command),
    }
}
