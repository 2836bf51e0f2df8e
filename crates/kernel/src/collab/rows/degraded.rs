//! Rows of a run that has less than was asked for: a person decides.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::bounds::NOTE_MAX;
use super::super::command::{Choice, Command, Scope};
use super::super::conclude::{self, Taken};
use super::super::decide::{Decided, no_such, not_now, not_owed};
use super::super::event::Event;
use super::super::refusal::Refusal;
use super::super::state::{Cause, Confirm, Level, Run, Shortfall, State};
use super::shared;
use crate::machine::Said;

/// The code of an expired question about a run without any.
const UNCONFIRMED: &str = "E_DEGRADED";

/// What is being decided.
struct Open<'a> {
    run: &'a Run,
    shortfall: &'a Shortfall,
    question: &'a Confirm,
}

/// What a degraded run answers.
pub fn row(state: &State, said: &Said<Command>) -> Decided {
    let State::Degraded { run, shortfall, question, .. } = state else {
        return Err(not_now(state, &said.command));
    };
    match &said.command {
        Command::Answer { question: id, hash, choice, note } => {
            fits(question, id, hash)?;
            let note = worded(note.as_deref())?;
            answer(&Open { run, shortfall, question }, *choice, note, said)
        }
        Command::QuestionDue { id } => match question.expires_at {
            Some(due) if *id == question.id && said.at >= due => {
                Ok(failed(Cause::ConfirmExpired, &code(state)))
            }
            Some(_) | None => Err(not_owed(state, &said.command)),
        },
        Command::Cancel { scope: Scope::All } => Ok(failed(Cause::Cancelled, "E007")),
        Command::Cancel { scope: Scope::One(p) } => Err(match state.participant(p) {
            Some(_) => Refusal::ParticipantEnded { participant: p.clone(), allowed: Vec::new() },
            None => no_such(state, p),
        }),
        Command::Create { .. } | Command::Extend { .. } => Err(not_now(state, &said.command)),
        Command::CallStarted { p, .. }
        | Command::SessionSeen { p, .. }
        | Command::CallEnded { p, .. }
        | Command::AttemptDue { p, .. }
        | Command::BackoffDue { p, .. }
        | Command::StopDue { p, .. } => Err(shared::nothing(state, p, &said.command)),
        Command::GateChecked(_) | Command::TotalDue => Err(not_owed(state, &said.command)),
    }
}

fn failed(cause: Cause, code: &str) -> Vec<Event> {
    Vec::from([Event::RunFailed { cause, code: code.to_string(), note: None }])
}

/// The run's code: the worst of its participants', if any of them has one.
fn code(state: &State) -> String {
    let all = state.participants();
    let any = all.iter().any(|one| !one.errors.is_empty());
    if any { conclude::worst(all).to_string() } else { UNCONFIRMED.to_string() }
}

fn fits(question: &Confirm, id: &str, hash: &str) -> Result<(), Refusal> {
    if id != question.id {
        return Err(Refusal::QuestionClosed { question: id.to_string() });
    }
    if hash != question.hash {
        let (question, hash) = (question.id.clone(), question.hash.clone());
        return Err(Refusal::StaleApproval { question, hash });
    }
    Ok(())
}

/// The note, unless it is blank.
fn worded(note: Option<&str>) -> Result<Option<String>, Refusal> {
    let note = note.map(str::trim).filter(|note| !note.is_empty());
    if note.is_some_and(|note| note.len() > NOTE_MAX) {
        let (path, expected) = ("/note".to_string(), "at most 4 KiB");
        return Err(Refusal::InvalidArgs { path, expected });
    }
    Ok(note.map(ToString::to_string))
}

fn answer(open: &Open<'_>, choice: Choice, note: Option<String>, said: &Said<Command>) -> Decided {
    let by = said.by.word();
    match (choice, open.shortfall.level) {
        (Choice::Accept, Level::Acceptable) => Ok(taken(open, by, Taken::Accepted, note)),
        (Choice::Accept, Level::Unacceptable) => {
            let missing = open.shortfall.missing.items().to_vec();
            Err(Refusal::OverrideRequired { missing })
        }
        (Choice::Override, Level::Unacceptable) => match note {
            None => Err(Refusal::NoteRequired),
            Some(note) => Ok(taken(open, by, Taken::Overridden(note.clone()), Some(note))),
        },
        (Choice::Override, Level::Acceptable) => {
            let (path, expected) = ("/choice".to_string(), "accept, wait or cancel");
            Err(Refusal::InvalidArgs { path, expected })
        }
        (Choice::Wait, Level::Acceptable | Level::Unacceptable) => {
            let length_ms = open.run.plan.confirm_timeout_ms;
            let expires_at = open.question.expires_at.map(|due| due.plus(length_ms));
            Ok(Vec::from([Event::QuestionDeferred { by: by.to_string(), expires_at }]))
        }
        (Choice::Cancel, Level::Acceptable | Level::Unacceptable) => {
            let (cause, code) = (Cause::Declined, "E007".to_string());
            let declined = Event::Declined { by: by.to_string(), note: note.clone() };
            Ok(Vec::from([declined, Event::RunFailed { cause, code, note }]))
        }
    }
}

fn taken(open: &Open<'_>, by: &str, taken: Taken, note: Option<String>) -> Vec<Event> {
    let overridden = matches!(taken, Taken::Overridden(_));
    let mark = conclude::mark(open.run, open.shortfall, by, taken);
    Vec::from([
        Event::Confirmed { by: by.to_string(), overridden, note },
        Event::Succeeded { mark: Some(Box::new(mark)) },
    ])
}
