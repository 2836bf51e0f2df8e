//! One run as JSON: the facts every run has, then what its machine has to say.

use journal::{Head, Journal};
use kernel::errors::Code;
use kernel::machine::At;
use kernel::run::State;
use kernel::{collab, loops};
use serde_json::{Map, Value, json};

use super::call_view::call_view;
use super::fold::Folded;
use super::lifecycle_view::lifecycle_view;
use super::refusal::Refusal;
use super::turn_view::turn_view;
use crate::clock::Clock;
use crate::words::{Lang, Vars, tell};

/// A call whose error says in the reader's language what it is.
fn spoken(mut call: Value, lang: Lang) -> Value {
    let error = &call["result"]["error"];
    let code = error["code"].as_str().and_then(|code| Code::parse(code).ok());
    if let Some(code) = code {
        let told = tell(lang, code, &Vars::of(&error["details"]));
        call["result"]["error"]["message"] = json!(told.message);
    }
    call
}

/// A moment as RFC 3339 in UTC, to the millisecond.
#[must_use]
pub fn at_ms(ms: u64) -> String {
    let moment = i64::try_from(ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    moment.map_or_else(|| ms.to_string(), |at| at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
}

/// A run in a list: what its head says, without reading records.
#[must_use]
pub fn listed(head: &Head) -> Value {
    json!({
        "run_id": head.run, "machine": head.machine, "state": head.status, "ended": head.ended,
        "parent": parent(head), "seq": head.seq,
        "created_at": at_ms(head.created_ms), "updated_at": at_ms(head.updated_ms),
    })
}

/// A run in full, as it stood when it was folded; questions in the reader's language.
#[must_use]
pub fn show(head: &Head, folded: &Folded, lang: Lang) -> Value {
    let mut all = Map::new();
    let facts = facts(head, folded);
    let own = match &folded.state {
        State::Call(state) => spoken(call_view(&head.run, state), lang),
        State::Loop(state) => loop_view(state, folded.seq),
        State::Collab(state) => collab_view(head, folded, state),
        State::Grant(state) => grant_view(state),
        State::Turn(state) => turn_view(&head.run, state, lang),
        State::Lifecycle(state) => lifecycle_view(&head.run, state, folded.below.as_ref(), lang),
        State::Session(state) => {
            let updated_at = Some(kernel::machine::At(head.updated_ms));
            let beside =
                crate::sessions::Beside { seq: folded.seq, updated_at, ..Default::default() };
            crate::sessions::view(&head.run, state, beside, lang)
        }
    };
    for part in [own, facts] {
        if let Value::Object(fields) = part {
            all.extend(fields);
        }
    }
    Value::Object(all)
}

/// A grant, with its own moments as people write them.
fn grant_view(state: &kernel::grant::State) -> Value {
    let Some(grant) = state.grant() else { return json!({}) };
    super::grants::view(grant)
}

/// The facts every run has.
#[must_use]
pub fn facts(head: &Head, folded: &Folded) -> Value {
    json!({
        "run_id": head.run, "machine": head.machine, "parent": parent(head), "seq": folded.seq,
        "created_at": at_ms(head.created_ms), "updated_at": at_ms(folded.updated_ms),
        "trace_id": folded.trace, "state": folded.state.status(), "ended": folded.state.ended(),
    })
}

/// The trace of the command that began a run, from its first record.
///
/// # Errors
/// When its records cannot be read.
pub fn trace_of(journal: &dyn Journal, head: &Head) -> Result<Option<String>, Refusal> {
    Ok(journal.read_run(&head.run, 0)?.into_iter().next().map(|record| record.trace))
}

fn parent(head: &Head) -> Value {
    match (&head.parent, &head.key) {
        (Some(id), key) => json!({ "id": id, "key": key }),
        (None, _) => Value::Null,
    }
}

/// A collab as its own file shows it. One as it stands is looked at now; one as it stood, then.
fn collab_view(head: &Head, folded: &Folded, state: &collab::State) -> Value {
    let meta = collab::view::Meta {
        run_id: head.run.clone(),
        parent: head.parent.clone(),
        seq: folded.seq,
        updated_at: At(folded.updated_ms),
    };
    let stands = folded.seq >= head.seq;
    let now = if stands { Clock::start(meta.updated_at).now() } else { meta.updated_at };
    let shown = collab::view::snapshot(state, &meta, now).map(|snapshot| snapshot.text());
    shown.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_else(|| json!({}))
}

fn loop_view(state: &loops::State, seq: u64) -> Value {
    match state {
        loops::State::New => json!({}),
        loops::State::Deleted { id, .. } => json!({ "loop_id": id, "deleted": true }),
        loops::State::Alive(life) => {
            let mut document = loops::view::draw(life, seq);
            document["derived"] = json!(loops::view::derived(&document));
            document
        }
    }
}
