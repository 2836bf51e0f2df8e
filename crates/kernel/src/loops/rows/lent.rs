//! The column `Lent`: an outside skill drives while its lease lasts.

use super::super::command::Command;
use super::super::draft::Decision;
use super::super::state::Life;
use super::super::{people, report, steer};
use super::shared;
use crate::machine::{At, Said};

pub(in super::super) fn lent(life: &Life, lease: (u32, At), said: &Said<Command>) -> Decision {
    match &said.command {
        Command::AddTask { .. }
        | Command::EditTask { .. }
        | Command::RemoveTask { .. }
        | Command::ReorderTasks { .. }
        | Command::RequeueTask { .. } => shared::task(life, said),
        Command::Pause { how } => steer::pause(life, said, *how),
        Command::Stop { why } => steer::stop(life, said, why.as_deref()),
        Command::Complete { force } => people::complete(life, said, force.as_deref()),
        Command::Report(said_so) => report::driven(life, said, said_so),
        Command::Signal { runner } => report::signal(life, said, runner),
        Command::Timeout { slot } => report::expired(life, said, slot, lease),
        Command::Create { .. } | Command::Import(_) => shared::id_taken(life),
        Command::Edit { .. }
        | Command::Delete
        | Command::Start { .. }
        | Command::SetMode { .. }
        | Command::Resume { .. }
        | Command::Retry { .. }
        | Command::Reopen { .. } => shared::not_now(life, &said.command),
        Command::LegBegan { .. } | Command::LegEnded { .. } | Command::ViewsRemoved => {
            shared::not_owed(&said.command)
        }
        Command::Answer { q, .. } => Err(people::closed(*q)),
    }
}
