//! Rows of a run whose start gate is being looked at.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::command::{Checked, Command, Flaw, Scope};
use super::super::decide::{Decided, no_such, not_now, not_owed};
use super::super::draft::Draft;
use super::super::event::Event;
use super::super::participant::{How, Skip};
use super::super::plan::{Plan, Rule};
use super::super::reading::RESUME_UNKNOWN;
use super::super::state::{Cause, State};
use super::super::valid;
use super::shared;
use crate::errors::first_shown;
use crate::machine::{At, Said};

/// The code of a gate whose findings carry none that is listed.
const NO_CODE: &str = "E002";

/// What a run answers whose start gate is being looked at.
pub fn row(state: &State, plan: &Plan, said: &Said<Command>) -> Decided {
    match &said.command {
        Command::GateChecked(found) => gate(state, plan, found, said.at),
        Command::Cancel { scope: Scope::All } => {
            let (p, by, code) = (None, said.by.word().to_string(), "E007".to_string());
            let failed = Event::RunFailed { cause: Cause::Cancelled, code, note: None };
            Ok(Vec::from([Event::CancelRequested { p, by }, failed]))
        }
        Command::Cancel { scope: Scope::One(_) }
        | Command::Answer { .. }
        | Command::Extend { .. }
        | Command::Create { .. } => Err(not_now(state, &said.command)),
        Command::CallStarted { p, .. }
        | Command::SessionSeen { p, .. }
        | Command::CallEnded { p, .. }
        | Command::AttemptDue { p, .. }
        | Command::BackoffDue { p, .. }
        | Command::StopDue { p, .. } => Err(shared::nothing(state, p, &said.command)),
        Command::TotalDue | Command::QuestionDue { .. } => Err(not_owed(state, &said.command)),
    }
}

fn gate(state: &State, plan: &Plan, found: &Checked, at: At) -> Decided {
    if let Some(name) = found.participants.keys().find(|name| plan.member(name).is_none()) {
        return Err(no_such(state, name));
    }
    let flaws = flaws(plan, found);
    if let Some(flaw) = found.workdir.as_ref().or(found.network.as_ref()) {
        let (code, flaw) = (flaw.code.clone(), Some(flaw.clone()));
        return Ok(Vec::from([Event::GateFailed { code, flaw, participants: flaws }]));
    }
    if plan.lite {
        return lite(state, plan, at);
    }
    let none_left = flaws.len() == plan.participants.len();
    if none_left || (plan.gate == Rule::And && !flaws.is_empty()) {
        let codes: Vec<&str> = flaws.values().map(|flaw| flaw.code.as_str()).collect();
        let code = first_shown(&codes).unwrap_or(NO_CODE).to_string();
        return Ok(Vec::from([Event::GateFailed { code, flaw: None, participants: flaws }]));
    }
    Ok(Vec::from([Event::GatePassed { participants: flaws }]))
}

/// What was found, and the resume ids that cannot be any of their agent's.
fn flaws(plan: &Plan, found: &Checked) -> BTreeMap<String, Flaw> {
    let mut flaws = found.participants.clone();
    for (member, id) in valid::misfits(plan) {
        flaws.entry(member.name.clone()).or_insert_with(|| Flaw {
            code: "E002".to_string(),
            kind: RESUME_UNKNOWN.to_string(),
            detail: id.clone(),
        });
    }
    flaws
}

/// Nobody is asked: the run goes through its states, and a person decides.
fn lite(state: &State, plan: &Plan, at: At) -> Decided {
    let mut draft = Draft::new(state, at);
    draft.push(Event::GatePassed { participants: BTreeMap::new() });
    draft.push(Event::RunStarted { started_at: at, due: at.plus(plan.timeout_ms) });
    for member in &plan.participants {
        draft.push(Event::ParticipantEnded {
            p: member.name.clone(),
            how: How::Skipped { why: Skip::Lite },
            fault: None,
            usage: None,
            stop_unproven: Vec::new(),
        });
    }
    draft.settled()
}
