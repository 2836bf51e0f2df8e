//! The events of `qwen --output-format stream-json`. Only the result's text is the answer: what
//! its messages say comes again with every retried stream.

use kernel::agent::Usage;
use serde_json::Value;

use super::blocks;
use super::draft::{Draft, Said, Turn};
use super::field::{number, text, tokens_since};
use super::heard::Retry;

/// Tools that change the file they name.
const EDITS: [&str; 3] = ["write_file", "edit", "notebook_edit"];
/// The word for a prompt that the CLI took as a command of its own.
const LOCAL: &str = "local_command";

pub(super) fn event(draft: &mut Draft, event: &Value) {
    match (text(event, "type"), text(event, "subtype")) {
        (Some("system"), Some("init")) => draft.session(text(event, "session_id")),
        (Some("system"), Some("retry")) => draft.retry(retry(&event["data"])),
        (Some("assistant"), _) => blocks::tools_started(draft, event, &EDITS),
        (Some("user"), _) => blocks::tools_ended(draft, event, None),
        (Some("result"), _) => result(draft, event),
        (Some(_) | None, _) => {}
    }
}

fn retry(data: &Value) -> Retry {
    Retry {
        attempt: number(data, "attempt"),
        max: number(data, "maxRetries"),
        delay_ms: number(data, "delayMs"),
        why: text(data, "reason").unwrap_or_default().to_owned(),
    }
}

fn result(draft: &mut Draft, event: &Value) {
    blocks::denials(draft, event);
    let usage = &event["usage"];
    let told = Usage {
        input_tokens: number(usage, "input_tokens"),
        output_tokens: number(usage, "output_tokens"),
        cached_tokens: number(usage, "cache_read_input_tokens"),
        ..Usage::default()
    };
    draft.end.usage = tokens_since(told, draft.plan.resume.as_ref(), draft.plan.totals);
    if event["is_error"] != Value::Bool(false) {
        let message = text(&event["error"], "message").or_else(|| text(event, "result"));
        let message = message.unwrap_or_default().to_owned();
        draft.ended_badly(Said { message, ..Said::default() });
        return;
    }
    draft.text(text(event, "result").unwrap_or_default());
    let none = number(event, "num_turns") == Some(0) || text(event, "subtype") == Some(LOCAL);
    draft.ended_well(if none { Turn::NotMade } else { Turn::Made });
}
