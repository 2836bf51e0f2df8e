//! Where a session stands, as one JSON value: what `status` shows and what lies below
//! `.loop/sessions/`. Nobody outside may edit the page; it is drawn anew.

use journal::Journal;
use kernel::machine::At;
use kernel::run;
use kernel::session::{self, Base, Flow, Life, State, how_word};
use serde_json::{Value, json};

use crate::config;
use crate::query::{OpenQuestion, at_ms, of_run, questions};
use crate::redact::Redactor;
use crate::views::Page;
use crate::words::Lang;

use super::form::id_of;

/// What a session's own state does not say of it.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// The number of its last record.
    pub seq: u64,
    /// When that was.
    pub updated_at: Option<At>,
    /// Its children that live, as JSON.
    pub children: Vec<Value>,
    /// What they and those below them ask.
    pub asking: Vec<OpenQuestion>,
}

/// A child of a session.
#[must_use]
pub fn child(key: Option<&str>, run: &str, machine: &str, state: &str) -> Value {
    json!({ "key": key, "run_id": run, "machine": machine, "state": state })
}

/// What the journal says of a session besides its own state.
#[must_use]
pub fn beside(journal: &dyn Journal, id: &str, seq: u64) -> Beside {
    let heads = journal.heads().unwrap_or_default();
    let updated_at = heads.iter().find(|head| head.run == id).map(|head| At(head.updated_ms));
    let own = heads.iter().filter(|head| head.parent.as_deref() == Some(id) && !head.ended);
    let of =
        |head: &journal::Head| child(head.key.as_deref(), &head.run, &head.machine, &head.status);
    let children: Vec<Value> = own.map(of).collect();
    // One that has no child asks nothing but its own.
    let below = if children.is_empty() { Vec::new() } else { below(journal, id) };
    Beside { seq, updated_at, children, asking: below }
}

fn below(journal: &dyn Journal, id: &str) -> Vec<OpenQuestion> {
    let mut open = questions(journal, Some(id)).unwrap_or_default();
    open.retain(|question| question.run != id);
    open
}

/// The whole view of a session.
#[must_use]
pub fn view(id: &str, state: &State, beside: Beside, lang: Lang) -> Value {
    let Some(life) = state.life() else { return json!({}) };
    let any = run::State::Session(state.clone());
    let own = |open: &OpenQuestion| {
        let slot = open.id.strip_prefix(id).and_then(|rest| rest.strip_prefix('/'));
        slot.and_then(|slot| life.ask(slot)).cloned()
    };
    let shown = |open: &OpenQuestion| {
        let (q, mut view) = (own(open), open.view(lang));
        let stop = q.as_ref().map_or_else(|| stop_below(life, &open.id), |q| q.kind.stop());
        view["stop"] = json!(stop.map(session::Stop::code));
        view["default"] = json!(q.and_then(|q| q.default));
        view
    };
    let all = of_run(id, &any);
    let questions: Vec<Value> = all.iter().chain(&beside.asking).map(shown).collect();
    let next = next(life, &questions);
    let flow = match life.base() {
        Base::Flow { flow, .. } => of_flow(flow),
        Base::Idle { .. } | Base::Job { .. } => Value::Null,
    };
    let last = match life.base() {
        Base::Idle { last } => last.as_ref().map(|ended| {
            json!({
                "unit": ended.unit, "n": ended.n, "how": how_word(&ended.how),
                "detail": ended.how, "verdict": ended.verdict, "at": at_ms(ended.at.0),
            })
        }),
        Base::Flow { .. } | Base::Job { .. } => None,
    };
    let mut vars = session::vars(life);
    let reply_state = reply_state(vars["EXEC_STATUS"].as_str());
    vars["config"] = config(life, lang);
    json!({
        "session_id": id, "key": life.body.key, "seq": beside.seq,
        "created_at": at_ms(life.body.opened_at.0),
        "updated_at": beside.updated_at.map(|at| at_ms(at.0)), "state": life.name(),
        "stage": state.variant(), "vars": vars, "flow": flow, "questions": questions,
        "frames": life.frames().iter().map(session::Frame::word).collect::<Vec<_>>(),
        "children": beside.children, "last": last, "next": next,
        "reply_state": reply_state,
    })
}

/// The stop that a question of a child is.
fn stop_below(life: &Life, id: &str) -> Option<session::Stop> {
    let Base::Flow { flow, .. } = life.base() else { return None };
    flow.asking.iter().find(|one| one.id == id).map(|one| one.stop)
}

/// What whoever reads this may do: wait, answer, look what is wrong, or say something new.
fn reply_state(status: Option<&str>) -> &'static str {
    match status {
        Some("RUNNING") => "running",
        Some("WAITING") => "waiting",
        Some("ERROR") => "blocked",
        Some(_) | None => "complete",
    }
}

fn config(life: &Life, lang: Lang) -> Value {
    let setup = match life.base() {
        Base::Flow { flow, .. } => Some(&flow.setup),
        Base::Job { job } => Some(&job.setup),
        Base::Idle { .. } => None,
    };
    json!({
        "OUTPUT_LANGUAGE": setup.map_or_else(|| lang.to_string(), |setup| setup.lang.clone()),
        "KB_CREATE_MODE": setup.map(|setup| setup.kb_mode),
        "BILINGUAL_COMMIT": setup.map(|setup| setup.bilingual),
    })
}

/// Fills in what only the settings say: a session that does nothing has read none.
pub fn fill_config(view: &mut Value, settings: &config::Session) {
    let config = &mut view["vars"]["config"];
    if config["KB_CREATE_MODE"].is_null() {
        config["KB_CREATE_MODE"] = json!(settings.kb_mode);
        config["BILINGUAL_COMMIT"] = json!(settings.bilingual);
    }
}

fn of_flow(flow: &Flow) -> Value {
    json!({
        "id": flow.n, "origin": flow.origin.word(), "path": flow.path.map(session::Path::word),
        "requirement": flow.requirement(), "score": flow.score.as_ref().map(session::Score::total),
        "waiver": flow.waivers.iter().find(|waiver| waiver.what == "score"),
        "waivers": flow.waivers, "risks": flow.risks, "stops": flow.stops,
        "findings": flow.findings, "files": flow.changed, "knowledge_base": flow.kb_shown,
    })
}

/// The one action that moves things on, as a word of the catalogue.
fn next(life: &Life, questions: &[Value]) -> &'static str {
    if !questions.is_empty() {
        return "answer";
    }
    match life.base() {
        Base::Idle { .. } if life.frames().is_empty() => "say",
        Base::Idle { .. } | Base::Flow { .. } | Base::Job { .. } => "wait",
    }
}

/// The page of a session, below `sessions/`, by the name of its key.
#[must_use]
pub fn page(
    id: &str,
    state: &State,
    beside: Beside,
    (lang, settings): (Lang, &config::Session),
    clean: &Redactor,
) -> Option<(String, Page)> {
    let life = state.life()?;
    let name = life.body.key.replace('/', "%2F");
    let mut view = view(id, state, beside, lang);
    fill_config(&mut view, settings);
    let bytes = clean.redact_text(&view.to_string()).into_bytes();
    Some((name.clone(), Page { file: format!("{name}.json"), bytes }))
}

/// The session whose page has this name.
#[must_use]
pub fn named(name: &str) -> String {
    id_of(&name.replace("%2F", "/"))
}

#[cfg(test)]
mod tests {
    use kernel::machine::At;
    use kernel::owed::{Owed, Question};
    use kernel::session::{ChildAsking, Event, Stop, evolve, samples};

    use super::*;
    use crate::query::of_owed;

    #[test]
    fn what_a_child_asks_is_shown_with_its_stop() {
        let all = samples::sample_states();
        let (_, mut state) = all.into_iter().find(|(label, _)| *label == "running").unwrap();
        let question = Question {
            kind: "lifecycle.blocked".to_owned(),
            about: "checks".to_owned(),
            options: vec!["fix".to_owned(), "abort".to_owned()],
            takes_text: true,
            hash: None,
        };
        let owed = [Owed::Question { slot: "q/1".to_owned(), question }];
        let below = of_owed("lifecycle-1", "lifecycle", &owed);
        let asking = vec![ChildAsking { id: "lifecycle-1/q/1".to_owned(), stop: Stop::SBlocked }];
        evolve(&mut state, &Event::ChildAsked { asking, held: false }, At(0));
        let beside = Beside { asking: below, ..Beside::default() };
        let seen = view("session-1", &state, beside, Lang::En);
        assert_eq!(seen["questions"][0]["id"], "lifecycle-1/q/1", "{seen}");
        assert_eq!(seen["questions"][0]["stop"], "S_BLOCKED");
        assert_eq!((&seen["next"], &seen["reply_state"]), (&json!("answer"), &json!("waiting")));
        let alone = view("session-1", &state, Beside::default(), Lang::En);
        assert_eq!(alone["questions"], json!([]));
    }
}
