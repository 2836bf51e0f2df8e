//! Rows of a call that was not asked yet: is the request sound, may it be paid for, and may it run?

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::command::{Ask, Budget, Command, ParentNow};
use super::super::decide::Decided;
use super::super::event::Event;
use super::super::refusal::{Refusal, unfit};
use super::super::request::Facts;
use super::super::state::{DeniedBy, Grant, State};
use super::super::{slot, tool};
use crate::machine::{At, Said};
use crate::policy::Verdict;

/// What a call that does not exist yet answers.
pub fn row(state: &State, said: &Said<Command>) -> Decided {
    match &said.command {
        Command::Ask(ask) => asked(ask, said.at),
        Command::Allow(_)
        | Command::Deny { .. }
        | Command::Prepared { .. }
        | Command::PrepareFailed { .. }
        | Command::Exited { .. }
        | Command::Lost { .. }
        | Command::Probed { .. }
        | Command::Settle { .. }
        | Command::Stop(_)
        | Command::Timeout { .. }
        | Command::Undo(_)
        | Command::UndoEnded { .. } => Err(unfit(state, &said.command)),
    }
}

fn asked(ask: &Ask, at: At) -> Decided {
    tool::check(&ask.request)?;
    match &ask.budget {
        Budget::Left => {}
        Budget::Spent(limit) => return Err(Refusal::Budget { limit: limit.clone() }),
    }
    match ask.parent_now {
        ParentNow::Active => {}
        ParentNow::Over => return Err(Refusal::ParentOver { parent: ask.parent.clone() }),
    }
    let facts = Box::new(Facts {
        request: tool::canonical(&ask.request),
        request_hash: tool::request_hash(&ask.request),
        key: ask.key.clone(),
        parent: ask.parent.clone(),
        verdict: ask.verdict.clone(),
        shown: ask.shown.clone(),
        pin: ask.pin.clone(),
        rules: ask.rules.clone(),
        asked_at: at,
    });
    let prompt = slot::ASK.to_string();
    Ok(match &ask.verdict {
        Verdict::Allow { rule } => {
            let grant = Grant::Rule(rule.clone());
            let allowed = Event::Allowed { grant, note: None };
            Vec::from([Event::Asked { facts, prompt, expires: None }, allowed])
        }
        Verdict::Ask { .. } => {
            let expiry_ms = ask.rules.ask_expiry_ms;
            let expires = (expiry_ms > 0).then(|| at.plus(expiry_ms));
            Vec::from([Event::Asked { facts, prompt, expires }])
        }
        Verdict::Deny { rule } => {
            let by = DeniedBy::Policy { rule: rule.clone() };
            Vec::from([Event::Asked { facts, prompt, expires: None }, Event::Denied { by }])
        }
    })
}
