//! The column `Acting`: an action is under way and its leg is owed.

use super::super::command::Command;
use super::super::draft::Decision;
use super::super::state::Life;
use super::super::{legs, people, report, steer};
use super::shared;
use crate::machine::Said;

pub(in super::super) fn acting(life: &Life, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::AddTask { .. }
        | Command::EditTask { .. }
        | Command::RemoveTask { .. }
        | Command::ReorderTasks { .. }
        | Command::RequeueTask { .. } => shared::task(life, said),
        Command::SetMode { mode } => steer::set_mode(life, said, *mode),
        Command::Pause { how } => steer::pause(life, said, *how),
        Command::Stop { why } => steer::stop(life, said, why.as_deref()),
        Command::LegBegan { n, leg, child, head } => {
            legs::began(life, (*n, leg), child, head.as_ref())
        }
        Command::LegEnded { n, leg, end } => legs::ended(life, said, (*n, leg), end),
        Command::Report(said_so) => report::beside(life, said, said_so),
        Command::Signal { runner } => report::signal(life, said, runner),
        Command::Create { .. } | Command::Import(_) => shared::id_taken(life),
        Command::Edit { .. }
        | Command::Delete
        | Command::Start { .. }
        | Command::Resume { .. }
        | Command::Retry { .. }
        | Command::Reopen { .. } => shared::not_now(life, &said.command),
        Command::Answer { q, .. } => Err(people::closed(*q)),
        Command::Complete { .. } => shared::action_running(life),
        Command::Timeout { .. } | Command::ViewsRemoved => shared::not_owed(&said.command),
    }
}
