//! The stream of our own drivers: one object a line, `t` says what it is.

use kernel::agent::{FileClaim, FileKind, Usage};
use serde_json::Value;

use super::draft::{Draft, Said, Turn};
use super::field::{micros, number, text};
use super::heard::Retry;

pub(super) fn event(draft: &mut Draft, event: &Value) {
    let said = |key| text(event, key).unwrap_or_default();
    match text(event, "t") {
        Some("session") => session(draft, event),
        Some("delta") => draft.more_text(said("text")),
        Some("text") => draft.text(said("text")),
        Some("tool") => tool(draft, event),
        Some("file") => file(draft, event),
        Some("usage") => draft.end.usage = usage(event),
        Some("note") => draft.note(said("text")),
        Some("retry") => draft.retry(Retry {
            attempt: number(event, "attempt"),
            max: number(event, "max"),
            delay_ms: number(event, "delay_ms"),
            why: said("why").to_owned(),
        }),
        Some("end") if event["ok"] == Value::Bool(true) => draft.ended_well(Turn::Made),
        Some("end" | "error") => draft.ended_badly(Said {
            message: said("message").to_owned(),
            status: number(event, "status"),
            word: text(event, "kind").map(str::to_owned),
            retry_after_ms: number(event, "retry_after_ms"),
        }),
        Some(_) | None => {}
    }
}

fn session(draft: &mut Draft, event: &Value) {
    let first = draft.end.session.is_none();
    draft.session(text(event, "id"));
    if let Some(from) = text(event, "forked_from").filter(|_| first && draft.end.session.is_some())
    {
        draft.end.forked_from = Some(super::draft::cut(from, 128).to_owned());
    }
}

fn tool(draft: &mut Draft, event: &Value) {
    let Some(id) = text(event, "id") else { return };
    let name = text(event, "name").unwrap_or_default();
    match text(event, "status") {
        Some("open") => draft.open_tool(id, name),
        Some("denied") => {
            draft.close_tool(id);
            draft.denied(name);
        }
        Some(_) | None => draft.close_tool(id),
    }
}

fn file(draft: &mut Draft, event: &Value) {
    let kind = match text(event, "kind") {
        Some("add") => FileKind::Add,
        Some("delete") => FileKind::Delete,
        Some(_) | None => FileKind::Update,
    };
    if let Some(path) = text(event, "path") {
        draft.claim(FileClaim { path: path.to_owned(), kind });
    }
}

/// Token counts under our own names.
pub(super) fn usage(told: &Value) -> Usage {
    Usage {
        input_tokens: number(told, "input_tokens"),
        output_tokens: number(told, "output_tokens"),
        cached_tokens: number(told, "cached_tokens"),
        reasoning_tokens: number(told, "reasoning_tokens"),
        cost_micros: number(told, "cost_micros").or_else(|| micros(told.get("cost_usd"))),
    }
}
