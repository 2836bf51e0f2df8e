//! What a process below a shim said and may not say. The refusal itself leaves no record and
//! changes nothing, so that people are told of it here: every time in the trace, and once for each
//! call and word as a notice of the run that the process works for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use kernel::machine::By;
use kernel::run::State;
use runtime::trace;
use runtime::views::{Notice, Tried, keep_notice};
use serde_json::{Value, json};

use super::serve::Shop;
use super::wire::{Ask, Reply};

/// Notices for one call: it must not drive out what else people are told.
const OF_CALL_MAX: usize = 50;
/// A word of ours is short; what a client made up is cut.
const WORD_CHARS_MAX: usize = 40;

/// What people were told already: by call, the words and whom they were said to.
#[derive(Debug, Default)]
pub(super) struct Told(Mutex<BTreeMap<String, BTreeSet<(String, String)>>>);

impl Told {
    /// Whether this is new and there is room for it; then it counts as told.
    fn first(&self, call: &str, word: &str, to: &str) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_call = all.entry(call.to_owned()).or_default();
        of_call.len() < OF_CALL_MAX && of_call.insert((word.to_owned(), to.to_owned()))
    }
}

/// What was said, in words of the wire.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    word: String,
    run: String,
    trace: String,
}

impl Said {
    fn of(ask: &Ask) -> Self {
        let value = serde_json::to_value(ask).unwrap_or_default();
        let (name, body) = tag(&value);
        let inner = body.get("say").or_else(|| body.get("says").and_then(|says| says.get(0)));
        let text = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
        let word = match (ask, inner) {
            (Ask::Tried { machine, word, .. }, _) => format!("{machine} {word}"),
            (_, Some(inner)) => format!("{name} {}", tag(inner).0),
            (_, None) => name.to_owned(),
        };
        let word = word.chars().take(WORD_CHARS_MAX).collect();
        Self { word, run: text("run"), trace: text("trace") }
    }
}

/// The name of a variant and what it holds.
fn tag(value: &Value) -> (&str, &Value) {
    match value {
        Value::Object(fields) => {
            fields.iter().next().map_or(("", value), |(name, body)| (name.as_str(), body))
        }
        Value::String(name) => (name, value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => ("", value),
    }
}

impl Shop {
    /// The run that a call belongs to.
    fn owner_of(&self, call: &str) -> Option<String> {
        match self.state(call)? {
            State::Call(state) => state.facts().and_then(|facts| facts.parent.clone()),
            State::Loop(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Turn(_)
            | State::Lifecycle(_)
            | State::Session(_) => None,
        }
    }

    /// The answer; one that a process below a shim may not have is told to people.
    pub(super) fn watched(&self, by: &By, ask: Ask) -> Option<Reply> {
        let By::Agent { call } = by else { return self.answer(by, ask) };
        let said = Said::of(&ask);
        let Ask::Tried { machine, .. } = &ask else { return self.judged(by, call, &said, ask) };
        self.tell(call, &said, format!("{machine}.needs_person"));
        Some(Reply::Noted)
    }

    fn judged(&self, by: &By, call: &str, said: &Said, ask: Ask) -> Option<Reply> {
        let reply = self.answer(by, ask)?;
        let code = match &reply {
            Reply::Refused(refusal) | Reply::Taken { refused: Some(refusal), .. } => {
                Some(refusal.code.clone())
            }
            Reply::Hello { .. }
            | Reply::Status(_)
            | Reply::Left
            | Reply::Noted
            | Reply::Told(_)
            | Reply::Taken { refused: None, .. } => None,
        };
        if let Some(code) = code.filter(|code| code.ends_with(".needs_person")) {
            self.tell(call, said, code);
        }
        Some(reply)
    }

    fn tell(&self, call: &str, said: &Said, code: String) {
        let Said { word, run, trace } = said;
        let (dir, redactor) = (&self.plan.loop_dir, &self.plan.redactor);
        let detail = json!({
            "at": trace::stamp(), "by": "agent", "call": call, "run": run, "word": word,
            "code": code,
        });
        // A trace that cannot be written costs only itself.
        drop(trace::note(dir, trace, &detail, redactor));
        let known = Some(run.clone()).filter(|run| self.state(run).is_some());
        let Some(place) = self.owner_of(call).or_else(|| known.clone()) else { return };
        let to = known.unwrap_or_default();
        if self.told.first(call, word, &to) {
            let (call, word) = (call.to_owned(), redactor.redact_text(word));
            keep_notice(dir, &Notice::tried(&place, code, Tried { call, word, to }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::loop_wire::LoopSay;
    use super::super::wire::TurnSay;
    use super::*;

    #[test]
    fn what_was_said_is_named() {
        let (run, trace) = ("turn-1".to_owned(), "t".to_owned());
        let turn = Ask::Turn { run, trace, say: TurnSay::Cancel };
        let says = vec![LoopSay::Retry, LoopSay::Resume];
        let loops = Ask::Loop { run: "loop-1".into(), trace: "t".into(), says, at: None };
        let word = "x".repeat(100);
        let own = Ask::Tried { trace: "t".into(), machine: "workspace".into(), word };
        let long = format!("workspace {}", "x".repeat(30));
        for (ask, word, run) in [
            (turn, "turn cancel", "turn-1"),
            (loops, "loop retry", "loop-1"),
            (own, long.as_str(), ""),
            (Ask::Leave, "leave", ""),
        ] {
            let said = Said::of(&ask);
            assert_eq!((said.word.as_str(), said.run.as_str()), (word, run));
        }
    }

    #[test]
    fn people_are_told_once_and_not_without_end() {
        let told = Told::default();
        assert!(told.first("c", "turn confirm", "turn-1"));
        assert!(!told.first("c", "turn confirm", "turn-1"));
        let more = (0..100).filter(|n| told.first("c", "turn confirm", &n.to_string())).count();
        assert_eq!(more, OF_CALL_MAX - 1);
        assert!(told.first("other", "turn confirm", "turn-1"));
    }
}
