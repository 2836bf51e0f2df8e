//! Rows of a run that is over: final means final. Making it again is answered before.

use super::super::command::Command;
use super::super::decide::Decided;
use super::super::refusal::Refusal;
use super::super::state::State;
use crate::machine::Said;

/// What a run answers that is over.
pub fn row(state: &State, said: &Said<Command>) -> Decided {
    match &said.command {
        Command::Create { .. }
        | Command::GateChecked(_)
        | Command::CallStarted { .. }
        | Command::SessionSeen { .. }
        | Command::CallEnded { .. }
        | Command::AttemptDue { .. }
        | Command::BackoffDue { .. }
        | Command::StopDue { .. }
        | Command::TotalDue
        | Command::QuestionDue { .. }
        | Command::Answer { .. }
        | Command::Cancel { .. }
        | Command::Extend { .. } => Err(Refusal::Ended { state: state.name() }),
    }
}
