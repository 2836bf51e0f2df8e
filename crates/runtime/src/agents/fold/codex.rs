//! The events of `codex exec --json`. A `turn.*` event is the last word; an `error` on the way is
//! a warning or a retry, because runs that end well print them, too.

use kernel::agent::{FileClaim, FileKind, Usage};
use serde_json::Value;

use super::draft::{Draft, Said, Turn};
use super::field::{list, number, prose, text, tokens_since};
use super::heard::Retry;

/// Items that are work of the agent's tools.
const TOOLS: [&str; 3] = ["command_execution", "mcp_tool_call", "web_search"];

pub(super) fn event(draft: &mut Draft, event: &Value) {
    match text(event, "type") {
        Some("thread.started") => draft.session(text(event, "thread_id")),
        Some("item.started") => started(draft, &event["item"]),
        Some("item.completed") => completed(draft, &event["item"]),
        Some("error") => error(draft, text(event, "message").unwrap_or_default()),
        Some("turn.completed") => {
            draft.end.usage = usage(draft, &event["usage"]);
            draft.ended_well(Turn::Made);
        }
        Some("turn.failed") => {
            let message = text(&event["error"], "message").unwrap_or_default().to_owned();
            draft.ended_badly(Said { message, ..Said::default() });
        }
        Some(_) | None => {}
    }
}

fn started(draft: &mut Draft, item: &Value) {
    let tool = text(item, "type").filter(|kind| TOOLS.contains(kind));
    if let (Some(tool), Some(id)) = (tool, text(item, "id")) {
        draft.open_tool(id, tool);
    }
}

fn completed(draft: &mut Draft, item: &Value) {
    if let Some(id) = text(item, "id") {
        draft.close_tool(id);
    }
    match text(item, "type") {
        Some("agent_message") => {
            if let Some(message) = prose(item.get("text")) {
                draft.text(&message);
            }
        }
        Some("file_change") if text(item, "status") == Some("completed") => {
            for change in list(item, "changes") {
                changed(draft, change);
            }
        }
        Some("error") => draft.note(text(item, "message").unwrap_or_default()),
        Some(_) | None => {}
    }
}

fn changed(draft: &mut Draft, change: &Value) {
    // Some versions write the kind as an object with a type.
    let kind = text(change, "kind").or_else(|| text(&change["kind"], "type"));
    let kind = match kind {
        Some("add") => FileKind::Add,
        Some("delete") => FileKind::Delete,
        Some(_) | None => FileKind::Update,
    };
    if let Some(path) = text(change, "path") {
        draft.claim(FileClaim { path: path.to_owned(), kind });
    }
}

/// Any other message only repeats what `turn.failed` says.
fn error(draft: &mut Draft, message: &str) {
    let Some(rest) = message.strip_prefix("Reconnecting... ") else { return };
    let (count, why) = rest.split_once(' ').unwrap_or((rest, ""));
    let (attempt, max) = count.split_once('/').unwrap_or((count, ""));
    draft.retry(Retry {
        attempt: attempt.parse().ok(),
        max: max.parse().ok(),
        delay_ms: None,
        why: why.to_owned(),
    });
}

/// The counts go over the whole conversation.
fn usage(draft: &Draft, told: &Value) -> Usage {
    let told = Usage {
        input_tokens: number(told, "input_tokens"),
        output_tokens: number(told, "output_tokens"),
        cached_tokens: number(told, "cached_input_tokens"),
        reasoning_tokens: number(told, "reasoning_output_tokens"),
        cost_micros: None,
    };
    tokens_since(told, draft.plan.resume.as_ref(), draft.plan.totals)
}
