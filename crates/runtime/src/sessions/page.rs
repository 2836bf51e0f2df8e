//! Where a session stands, as one JSON value: what `status` shows and what lies below
//! `.loop/sessions/`. Nobody outside may edit the page; it is drawn anew.

use std::path::Path;

use kernel::run;
use kernel::session::{self, Base, Flow, Life, State, how_word};
use serde_json::{Value, json};

use crate::config;
use crate::query::{at_ms, of_run};
use crate::redact::Redactor;
use crate::shim::durable;
use crate::words::Lang;

/// The room of the pages.
const ROOM: &str = "sessions";

/// The whole view of a session.
#[must_use]
pub fn view(id: &str, state: &State, seq: u64, lang: Lang) -> Value {
    let Some(life) = state.life() else { return json!({}) };
    let any = run::State::Session(state.clone());
    let questions: Vec<Value> = of_run(id, &any).iter().map(|open| open.view(lang)).collect();
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
    vars["config"] = config(life, lang);
    json!({
        "session_id": id, "key": life.body.key, "seq": seq,
        "created_at": at_ms(life.body.opened_at.0), "state": life.name(),
        "stage": state.variant(), "vars": vars, "flow": flow, "questions": questions,
        "frames": life.frames().iter().map(session::Frame::word).collect::<Vec<_>>(),
        "last": last, "next": next(life),
    })
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
        "waivers": flow.waivers, "risks": flow.risks,
        "findings": flow.findings, "files": flow.changed,
    })
}

/// The one action that moves things on, as a word of the catalogue.
fn next(life: &Life) -> &'static str {
    if !life.questions().is_empty() {
        return "answer";
    }
    match life.base() {
        Base::Idle { .. } if life.frames().is_empty() => "say",
        Base::Idle { .. } | Base::Flow { .. } | Base::Job { .. } => "wait",
    }
}

/// Draws the page of a session. One that cannot be written is drawn with the next fact.
pub fn draw(
    loop_dir: &Path,
    id: &str,
    (state, seq): (&State, u64),
    (lang, settings): (Lang, &config::Session),
    clean: &Redactor,
) {
    let Some(life) = state.life() else { return };
    let dir = loop_dir.join(ROOM);
    if std::fs::create_dir_all(&dir).is_err() {
        return;
    }
    let name = format!("{}.json", life.body.key.replace('/', "%2F"));
    let mut view = view(id, state, seq, lang);
    fill_config(&mut view, settings);
    let text = clean.redact_text(&view.to_string());
    drop(durable::replace(&dir, &name, text.as_bytes()));
}
