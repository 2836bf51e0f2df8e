//! Rows of a call that waits for a yes. Only a person, or the owner passing on a grant, gives it,
//! and only for exactly what was shown.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::command::{Answered, Command};
use super::super::decide::{Decided, ask_again};
use super::super::event::Event;
use super::super::refusal::{Refusal, allowed, not_owed, unfit};
use super::super::request::Facts;
use super::super::slot;
use super::super::state::{DeniedBy, Grant, State};
use crate::machine::{At, By, Said};
use crate::policy::grant::Scope;

/// The name of a grant that the owner passed on.
const PARENT_GRANT: &str = "parent-grant";

/// What a call with an open question answers.
pub fn row(
    state: &State,
    facts: &Facts,
    prompt: &str,
    expires: Option<At>,
    said: &Said<Command>,
) -> Decided {
    match &said.command {
        Command::Ask(ask) => ask_again(facts, ask),
        Command::Allow(answered) => allow(state, facts, prompt, answered, &said.by),
        Command::Deny { note } => denied(DeniedBy::User { note: note.clone() }),
        Command::Stop(_) => denied(DeniedBy::Parent),
        Command::Timeout { slot } if expires.is_some() && slot == slot::ASK_EXPIRY => {
            denied(DeniedBy::Timer)
        }
        Command::Timeout { .. } => Err(not_owed(state, &said.command)),
        Command::Prepared { .. }
        | Command::PrepareFailed { .. }
        | Command::Exited { .. }
        | Command::Lost { .. }
        | Command::Probed { .. }
        | Command::Settle { .. }
        | Command::Undo(_)
        | Command::UndoEnded { .. } => Err(unfit(state, &said.command)),
    }
}

fn denied(by: DeniedBy) -> Decided {
    Ok(Vec::from([Event::Denied { by }]))
}

/// How far a yes may reach: a call of its own has no flow in which it could count again.
fn widest(facts: &Facts) -> Scope {
    let shown = facts.shown.as_ref().filter(|_| facts.parent.is_some());
    shown.map_or(Scope::Once, |shown| shown.widest)
}

fn allow(state: &State, facts: &Facts, prompt: &str, answered: &Answered, by: &By) -> Decided {
    if answered.prompt != prompt || answered.hash != facts.request_hash {
        return Err(Refusal::StaleApproval {
            prompt: prompt.to_string(),
            hash: facts.request_hash.clone(),
            allowed: allowed(state),
        });
    }
    let widest = widest(facts);
    if answered.scope > widest {
        return Err(Refusal::ScopeTooWide { widest: widest.word(), allowed: allowed(state) });
    }
    let grant = match by {
        By::Person => Grant::Prompt(prompt.to_string()),
        By::Parent { run } if facts.parent.as_ref() == Some(run) => {
            Grant::Rule(PARENT_GRANT.to_string())
        }
        By::Guest | By::Agent { .. } | By::Parent { .. } | By::File | By::Timer | By::Engine => {
            return Err(Refusal::NeedsPerson { by: by.word(), allowed: allowed(state) });
        }
    };
    Ok(Vec::from([Event::Allowed { grant, note: answered.note.clone() }]))
}
