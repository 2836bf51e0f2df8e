//! What a call still needs of the world. The state alone says it; nothing is remembered beside it,
//! so a restart owes exactly what was owed before.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::ending::{self, Undoable};
use super::request::{Facts, PROVE_EMPTY_MS};
use super::state::{Gate, Phase, State, UnknownGate};
use super::{slot, tool};
use crate::machine::At;
use crate::owed::{Begun, ChildAsk, Effect, Owed, Posture, Question};

/// What the world still owes this state.
#[must_use]
pub fn owed(state: &State) -> Vec<Owed> {
    match state {
        State::Asked { facts, prompt, expires } => asked(facts, prompt, *expires),
        State::Allowed { attempt, gate, .. } => Vec::from([match gate {
            Gate::Ready => effect(slot::prepare(*attempt), Effect::Prepare { attempt: *attempt }),
            Gate::Wait { until } => timer(slot::retry(*attempt), *until),
        }]),
        State::Started { facts, attempt, epoch, deadline, phase, .. } => {
            started(facts, *attempt, *epoch, *deadline, phase)
        }
        State::Unknown { attempt, epoch, probes, gate, .. } => {
            let n = probes.saturating_add(1);
            Vec::from([match gate {
                UnknownGate::Probe => {
                    effect(slot::probe(n), Effect::Probe { attempt: *attempt, epoch: *epoch, n })
                }
                UnknownGate::Wait { until } => timer(slot::probe_at(n), *until),
                UnknownGate::AskPerson { evidence } => settle(state, evidence),
            }])
        }
        State::Undoing { from, undo, n } => tool::undo_request(undo, &from.trees())
            .map(|request| Owed::Child {
                slot: slot::undo(*n),
                ask: ChildAsk::Call(Box::new(request)),
                posture: Posture::Run,
                begun: Begun::Told,
            })
            .into_iter()
            .collect(),
        State::New | State::Denied { .. } | State::Settled { .. } | State::Undone { .. } => {
            Vec::new()
        }
    }
}

fn effect(slot: String, effect: Effect) -> Owed {
    Owed::Effect { slot, effect }
}

fn timer(slot: String, due: At) -> Owed {
    Owed::Timer { slot, due }
}

fn asked(facts: &Facts, prompt: &str, expires: Option<At>) -> Vec<Owed> {
    let question = Question {
        kind: "call.ask".to_string(),
        about: about(facts),
        options: words(&["allow", "deny"]),
        takes_text: true,
        hash: Some(facts.request_hash.clone()),
    };
    let mut list = Vec::from([Owed::Question { slot: prompt.to_string(), question }]);
    list.extend(expires.map(|due| timer(slot::ASK_EXPIRY.to_string(), due)));
    list
}

/// What is asked for, every extremely high risk in it with kind, level and reach, and why it could
/// not be taken back.
fn about(facts: &Facts) -> String {
    let mut text = tool::about(&facts.request);
    for found in facts.shown.iter().flat_map(|shown| &shown.risks) {
        let words = [found.risk.word(), found.level.word(), found.reach.word()];
        text.push_str(&alloc::format!(" [{}]", words.join(", ")));
    }
    if let Some(why) = facts.shown.as_ref().and_then(|shown| shown.unkept.as_ref()) {
        text.push_str(&alloc::format!(" [undo: none, {why}]"));
    }
    text
}

/// Silence is measured where the output is, by the shim, which also ends the attempt for it: an
/// engine that was away cannot tell silence from its own absence. So no idle timer is owed here.
fn started(facts: &Facts, attempt: u32, epoch: u64, deadline: At, phase: &Phase) -> Vec<Owed> {
    match phase {
        Phase::Running => Vec::from([
            effect(slot::act(attempt), Effect::Act { attempt, epoch }),
            timer(slot::deadline(attempt), deadline),
        ]),
        Phase::Stopping { since, .. } => Vec::from([
            effect(slot::kill(attempt), Effect::Kill { attempt, epoch }),
            timer(slot::grace(attempt), since.plus(facts.request.grace_ms).plus(PROVE_EMPTY_MS)),
        ]),
    }
}

fn settle(state: &State, evidence: &str) -> Owed {
    let options = match ending::undoable(state) {
        Undoable::Yes => words(&["happened", "did_not_happen", "undo"]),
        Undoable::Nothing | Undoable::Cannot(_) => words(&["happened", "did_not_happen"]),
    };
    let question = Question {
        kind: "call.settle".to_string(),
        about: evidence.to_string(),
        options,
        takes_text: true,
        hash: None,
    };
    Owed::Question { slot: slot::SETTLE.to_string(), question }
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}
