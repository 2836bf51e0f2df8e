//! The longer lines of claude's stream: the first, a message, the results. Only as much of the
//! recorded ones as a reader may come to rely on.

use kernel::agent::Usage;

use super::super::memory::Totals;
use super::super::object::Object;
use super::super::voice::random_id;
use super::said::{Failed, INPUT_TOKENS};

/// Whose stream is imitated.
const VERSION: &str = "2.1.325";
/// Tools it offers, as far as anyone reads them.
const TOOLS: [&str; 6] = ["Task", "Bash", "Edit", "NotebookEdit", "Read", "Write"];
/// Millionths in a dollar.
const MICROS: f64 = 1_000_000.0;

/// The first line.
pub(super) fn init(session: Option<&str>, cwd: &str, model: &str) -> Object {
    Object::of("system")
        .put("subtype", "init")
        .put("cwd", cwd)
        .maybe("session_id", session)
        .put("tools", TOOLS)
        .put("mcp_servers", [""; 0])
        .put("model", model)
        .put("permissionMode", "bypassPermissions")
        .put("slash_commands", ["clear", "compact", "init"])
        .put("apiKeySource", "ANTHROPIC_API_KEY")
        .put("claude_code_version", VERSION)
        .put("output_style", "default")
        .put("agents", ["claude", "general-purpose"])
        .put("skills", [""; 0])
        .put("plugins", [""; 0])
        .put("uuid", random_id())
}

/// A message with one block.
pub(super) fn message(id: &str, model: &str, block: Object) -> Object {
    let usage = Object::new()
        .put("input_tokens", INPUT_TOKENS)
        .put("output_tokens", 1)
        .put("cache_creation_input_tokens", 0)
        .put("cache_read_input_tokens", 0);
    Object::new()
        .put("id", id)
        .put("type", "message")
        .put("role", "assistant")
        .put("model", model)
        .list("content", [block])
        .put("stop_reason", None::<u8>)
        .put("stop_sequence", None::<u8>)
        .nest("usage", usage)
        .put("context_management", None::<u8>)
}

/// The message it makes up when the provider failed.
pub(super) fn api_error(text: &str) -> Object {
    let message = Object::new()
        .put("id", random_id())
        .put("model", "<synthetic>")
        .put("role", "assistant")
        .put("stop_reason", "stop_sequence")
        .put("stop_sequence", "")
        .put("type", "message")
        .nest("usage", tokens(0, 0, 0))
        .list("content", [Object::of("text").put("text", text)])
        .put("context_management", None::<u8>);
    let line = Object::of("assistant").nest("message", message);
    line.put("parent_tool_use_id", None::<u8>)
}

fn tokens(input: u64, output: u64, cached: u64) -> Object {
    Object::new()
        .put("input_tokens", input)
        .put("cache_creation_input_tokens", 0)
        .put("cache_read_input_tokens", cached)
        .put("output_tokens", output)
        .put("service_tier", "standard")
}

#[expect(clippy::cast_precision_loss, reason = "a price far below 2^53 millionths")]
fn dollars(micros: u64) -> f64 {
    micros as f64 / MICROS
}

fn model_usage(model: &str, totals: &Totals) -> Object {
    let usage = Object::new()
        .put("inputTokens", totals.input_tokens)
        .put("outputTokens", totals.output_tokens)
        .put("cacheReadInputTokens", totals.cached_tokens)
        .put("cacheCreationInputTokens", 0)
        .put("webSearchRequests", 0)
        .put("costUSD", dollars(totals.cost_micros))
        .put("contextWindow", 200_000)
        .put("maxOutputTokens", 32_000);
    Object::new().nest(model, usage)
}

/// What both results hold. The key that names the line's type stands late in them, as it does in
/// the recorded ones.
pub(super) struct Ending<'a> {
    pub(super) session: Option<&'a str>,
    pub(super) model: &'a str,
    pub(super) elapsed_ms: u128,
    pub(super) turns: u64,
    pub(super) denials: Vec<Object>,
}

impl Ending<'_> {
    /// The result of a good end.
    pub(super) fn good(self, answer: &str, used: &Usage, total: &Totals) -> Object {
        let (input, output) = (used.input_tokens.unwrap_or(0), used.output_tokens.unwrap_or(0));
        let cached = used.cached_tokens.unwrap_or(0);
        let this = Totals::default().plus(used);
        Object::new()
            .put("duration_api_ms", 0)
            .put("stop_reason", "end_turn")
            .maybe("session_id", self.session)
            .put("total_cost_usd", dollars(total.cost_micros))
            .nest("usage", tokens(input, output, cached))
            .nest("modelUsage", model_usage(self.model, total))
            .list("permission_denials", self.denials)
            .put("terminal_reason", "completed")
            .put("is_error", false)
            .put("num_turns", self.turns)
            .put("subtype", "success")
            .put("api_error_status", None::<u8>)
            .put("result", answer)
            .put("type", "result")
            .put("duration_ms", self.elapsed_ms)
            .put("uuid", random_id())
            .nest("model_usage_since_last_result", model_usage(self.model, &this))
    }

    /// The result of a bad end, which calls itself a success all the same.
    pub(super) fn bad(self, message: &str, status: Option<u16>) -> Object {
        Object::new()
            .put("duration_api_ms", 0)
            .put("stop_reason", "stop_sequence")
            .maybe("session_id", self.session)
            .put("total_cost_usd", 0)
            .nest("usage", tokens(0, 0, 0))
            .nest("modelUsage", Object::new())
            .list("permission_denials", self.denials)
            .put("terminal_reason", "api_error")
            .put("is_error", true)
            .put("num_turns", self.turns)
            .put("subtype", "success")
            .put("api_error_status", status)
            .maybe("api_error_type", status.map(error_type))
            .put("result", message)
            .put("type", "result")
            .put("duration_ms", self.elapsed_ms)
            .put("uuid", random_id())
            .nest("model_usage_since_last_result", Object::new())
    }
}

/// The result for a conversation it does not know; it repeats the id it was given.
pub(super) fn resume_unknown(id: &str, message: &str) -> Object {
    Object::of("result")
        .put("subtype", "error_during_execution")
        .put("duration_ms", 0)
        .put("duration_api_ms", 0)
        .put("is_error", true)
        .put("num_turns", 0)
        .put("stop_reason", None::<u8>)
        .put("session_id", id)
        .put("total_cost_usd", 0)
        .nest("usage", tokens(0, 0, 0))
        .nest("modelUsage", Object::new())
        .list("permission_denials", [])
        .put("uuid", random_id())
        .put("errors", [message])
}

/// What it writes where the answer would be.
pub(super) fn error_text(failed: &Failed) -> String {
    let message = &failed.message;
    match failed.status {
        Some(status @ (401 | 403)) => {
            format!("Failed to authenticate. API Error: {status} {message}")
        }
        Some(status) => format!("API Error: {status} {message}"),
        None => format!("API Error: {message}"),
    }
}

/// Its word for what went wrong.
pub(super) const fn error_word(status: Option<u16>) -> &'static str {
    match status {
        Some(401 | 403) => "authentication_failed",
        Some(429) => "rate_limit",
        Some(500..=599) => "server_error",
        Some(_) => "invalid_request",
        None => "unknown",
    }
}

const fn error_type(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500..=599 => "api_error",
        _ => "invalid_request_error",
    }
}
