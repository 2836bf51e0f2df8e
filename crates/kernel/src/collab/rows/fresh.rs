//! Rows of a run that is not there: it can be made, nothing else.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::command::{BusySession, Command};
use super::super::decide::{Decided, not_now};
use super::super::event::Event;
use super::super::plan::Plan;
use super::super::refusal::Refusal;
use super::super::state::State;
use super::super::valid;
use crate::machine::Said;

/// What a run answers that is not there.
pub fn row(state: &State, said: &Said<Command>) -> Decided {
    match &said.command {
        Command::Create { plan, busy_sessions } => {
            valid::check(plan)?;
            free(plan, busy_sessions)?;
            Ok(Vec::from([Event::Created {
                plan_hash: valid::plan_hash(plan),
                plan: Box::clone(plan),
                by: said.by.word().to_string(),
            }]))
        }
        Command::GateChecked(_)
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
        | Command::Extend { .. } => Err(not_now(state, &said.command)),
    }
}

/// A conversation that somebody else is having cannot be gone on with.
fn free(plan: &Plan, busy: &[BusySession]) -> Result<(), Refusal> {
    let wanted = |one: &&BusySession| {
        plan.participants.iter().any(|member| member.resume.as_ref() == Some(&one.session))
    };
    match busy.iter().find(wanted) {
        None => Ok(()),
        Some(BusySession { session, holder }) => {
            Err(Refusal::Busy { session: session.clone(), holder: holder.clone() })
        }
    }
}
