//! The events of `claude -p --output-format stream-json`. `is_error` of the result is the verdict:
//! its `subtype` says success on failures, too.

use kernel::agent::{FileKind, Usage};
use serde_json::Value;

use super::blocks;
use super::draft::{Draft, Said, TEXT_BYTES_MAX, Turn, cut};
use super::field::{list, micros, number, since, text};
use super::heard::Retry;

/// Tools that change the file they name.
const EDITS: [&str; 4] = ["Write", "Edit", "MultiEdit", "NotebookEdit"];
/// The word for a prompt that the CLI took as a command of its own.
const LOCAL: &str = "local_command";

/// What only this stream needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Talk {
    /// The id of the message that the draft's text is from; its blocks may come one by one.
    message: String,
    /// Whether the text is a result's, which no message replaces.
    has_result: bool,
    /// Whether a model said anything.
    model_spoke: bool,
    /// Whether the prompt was taken as a command.
    local: bool,
}

impl Talk {
    pub(super) fn event(&mut self, draft: &mut Draft, event: &Value) {
        match (text(event, "type"), text(event, "subtype")) {
            (Some("system"), Some("init")) => draft.session(text(event, "session_id")),
            (Some("system"), Some("api_retry")) => draft.retry(retry(event)),
            (Some("system"), Some("permission_denied")) => {
                draft.denied(text(event, "tool_name").unwrap_or_default());
            }
            (Some("system"), Some(LOCAL)) => self.local = true,
            (Some("assistant"), _) => self.assistant(draft, event),
            (Some("user"), _) => {
                let made = text(&event["tool_use_result"], "type") == Some("create");
                blocks::tools_ended(draft, event, made.then_some(FileKind::Add));
            }
            (Some("result"), _) => self.result(draft, event),
            (Some(_) | None, _) => {}
        }
    }

    fn assistant(&mut self, draft: &mut Draft, event: &Value) {
        let synthetic = event["is_api_error_message"] == Value::Bool(true)
            || text(&event["message"], "model") == Some("<synthetic>");
        if synthetic {
            return;
        }
        self.model_spoke = true;
        blocks::tools_started(draft, event, &EDITS);
        let prose = blocks::prose(event);
        // What an agent's own helpers say is not its answer.
        if prose.is_empty() || self.has_result || !event["parent_tool_use_id"].is_null() {
            return;
        }
        let id = text(&event["message"], "id").unwrap_or_default();
        if !id.is_empty() && id == self.message {
            draft.more_text(&prose);
        } else {
            cut(id, 256).clone_into(&mut self.message);
            draft.text(&prose);
        }
    }

    fn result(&mut self, draft: &mut Draft, event: &Value) {
        blocks::denials(draft, event);
        spent(draft, event);
        if event["is_error"] != Value::Bool(false) {
            draft.ended_badly(said(event));
            return;
        }
        if let Some(answer) = text(event, "result") {
            self.has_result = true;
            draft.text(answer);
        }
        let local = [text(event, "subtype"), text(event, "terminal_reason")].contains(&Some(LOCAL))
            || (self.local && !self.model_spoke);
        let none = local || number(event, "num_turns") == Some(0);
        draft.ended_well(if none { Turn::NotMade } else { Turn::Made });
    }
}

fn retry(event: &Value) -> Retry {
    let word = text(event, "error").unwrap_or_default();
    let why = match number(event, "error_status") {
        Some(status) => format!("{status} {word}"),
        None => word.to_owned(),
    };
    Retry {
        attempt: number(event, "attempt"),
        max: number(event, "max_retries"),
        delay_ms: number(event, "retry_delay_ms"),
        why,
    }
}

fn said(event: &Value) -> Said {
    let mut message = String::new();
    for error in list(event, "errors") {
        let text = error.as_str().or_else(|| text(error, "message")).unwrap_or_default();
        if !text.is_empty() && message.len() + text.len() < TEXT_BYTES_MAX {
            message.push_str(if message.is_empty() { "" } else { "; " });
            message.push_str(text);
        }
    }
    if message.is_empty() {
        text(event, "result")
            .or_else(|| text(event, "subtype"))
            .unwrap_or_default()
            .clone_into(&mut message);
    }
    Said { message, status: number(event, "api_error_status"), ..Said::default() }
}

/// Tokens are this call's; the price accumulates over the conversation unless the result says what
/// it added.
fn spent(draft: &mut Draft, event: &Value) {
    let usage = &event["usage"];
    let total = micros(event.get("total_cost_usd"));
    let (asked, recorded) = (draft.plan.resume.as_ref(), draft.plan.totals.cost_micros);
    let cost = added(event).or_else(|| since(total, asked, recorded));
    draft.end.usage = Usage {
        input_tokens: number(usage, "input_tokens"),
        output_tokens: number(usage, "output_tokens"),
        cached_tokens: number(usage, "cache_read_input_tokens"),
        reasoning_tokens: number(&usage["output_tokens_details"], "thinking_tokens"),
        cost_micros: cost,
    };
}

fn added(event: &Value) -> Option<u64> {
    let models = event.get("model_usage_since_last_result")?.as_object()?;
    models.values().try_fold(0u64, |sum, model| sum.checked_add(micros(model.get("costUSD"))?))
}
