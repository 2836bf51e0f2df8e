//! The dialect of `gemini --output-format stream-json`: the prompt is echoed, the answer comes in
//! pieces, and the exit code of an API error is its status modulo 256.

use std::io;

use kernel::agent::Usage;

use super::super::memory::Totals;
use super::super::object::Object;
use super::super::step::Stage;
use super::super::voice::{Voice, timestamp};
use super::said::{Act, Failed, Retried, ToolUse, Turn};
use super::tongue::Dialect;

/// It exits so for a failure that has no status.
const EXIT_FAILED: u8 = 1;
/// It exits so for input it can't use, an unknown conversation included.
const EXIT_INPUT: u8 = 42;

/// One who talks so.
#[derive(Default)]
pub(super) struct Gemini {
    turns: u64,
    tools: u64,
}

fn event(kind: &str) -> Object {
    Object::of(kind).put("timestamp", timestamp())
}

fn name(act: &Act) -> &str {
    match act {
        Act::Write { .. } => "write_file",
        Act::Delete { .. } | Act::Run { .. } => "run_shell_command",
        Act::Named { name, .. } => name,
    }
}

fn parameters(act: &Act) -> Object {
    match act {
        Act::Write { path, text, .. } => Object::new().put("file_path", path).put("content", text),
        Act::Delete { .. } | Act::Run { .. } => Object::new()
            .put("command", act.command())
            .put("description", "run")
            .put("is_background", false),
        Act::Named { .. } => Object::new(),
    }
}

fn tokens(used: Option<&Usage>) -> Object {
    let used = used.copied().unwrap_or_default();
    let (input, output) = (used.input_tokens.unwrap_or(0), used.output_tokens.unwrap_or(0));
    Object::new()
        .put("total_tokens", input + output)
        .put("input_tokens", input)
        .put("output_tokens", output)
        .put("cached", used.cached_tokens.unwrap_or(0))
        .put("input", input)
}

impl Gemini {
    fn stats(&self, voice: &Voice, used: Option<&Usage>) -> Object {
        tokens(used)
            .put("duration_ms", voice.elapsed_ms())
            .put("tool_calls", self.tools)
            .nest("models", Object::new().nest(&voice.model, tokens(used)))
    }

    fn begin_tool(&mut self, voice: &Voice, tool: &ToolUse, id: &str) -> io::Result<()> {
        self.turns += 1;
        self.tools += 1;
        let begun = event("tool_use").put("tool_name", name(&tool.act)).put("tool_id", id);
        voice.line(begun.nest("parameters", parameters(&tool.act)))
    }
}

impl Dialect for Gemini {
    fn began(&mut self, voice: &Voice, session: Option<&str>) -> io::Result<()> {
        voice.line(event("init").maybe("session_id", session).put("model", &voice.model))?;
        voice.line(event("message").put("role", "user").put("content", &voice.prompt))
    }

    fn delta(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        let message = event("message").put("role", "assistant").put("content", text);
        voice.line(message.put("delta", true))
    }

    fn text(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        self.turns += 1;
        self.delta(voice, text)
    }

    fn tool(&mut self, voice: &Voice, tool: &ToolUse) -> io::Result<()> {
        let id = format!("{}__{}", name(&tool.act), tool.id);
        if !tool.told {
            self.begin_tool(voice, tool, &id)?;
        }
        let output = tool.act.outcome(tool.stage);
        let result = |status: &str| event("tool_result").put("tool_id", &id).put("status", status);
        match tool.stage {
            Stage::Open => Ok(()),
            Stage::Ok if matches!(tool.act, Act::Run { .. }) => {
                voice.line(result("success").put("output", output.trim_end()))
            }
            Stage::Ok => voice.line(result("success")),
            // A failing shell command is a success to it.
            Stage::Failed if matches!(tool.act, Act::Run { .. }) => {
                voice.line(result("success").put("output", output.trim_end()))
            }
            Stage::Failed | Stage::Denied => {
                let kind = if tool.stage == Stage::Denied { "tool_not_registered" } else { "tool" };
                let error = Object::of(kind).put("message", &output);
                voice.line(result("error").put("output", &output).nest("error", error))
            }
        }
    }

    /// It retries silently as far as its stream goes.
    fn retry(&mut self, voice: &Voice, retry: &Retried) -> io::Result<()> {
        let status =
            retry.status.map_or_else(String::new, |status| format!(" with status {status}"));
        let Retried { attempt, why, .. } = retry;
        voice.err(&format!("Attempt {attempt} failed{status}. Retrying with backoff... {why}"))
    }

    fn note(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        voice.line(event("error").put("severity", "warning").put("message", text))
    }

    fn usage(&mut self, _voice: &Voice, _usage: &Usage) -> io::Result<()> {
        Ok(())
    }

    fn ended(&mut self, voice: &Voice, turn: &Turn) -> io::Result<Totals> {
        let stats = self.stats(voice, Some(&turn.used(self.turns)));
        voice.line(event("result").put("status", "success").nest("stats", stats))?;
        Ok(turn.total(self.turns))
    }

    fn failed(&mut self, voice: &Voice, failed: &Failed) -> io::Result<u8> {
        let inner = match failed.status {
            Some(status) => {
                let error = Object::new()
                    .put("code", status)
                    .put("message", &failed.message)
                    .put("status", google_word(status));
                Object::new().nest("error", error).finish()
            }
            None => failed.message.clone(),
        };
        let message = format!("[API Error: {inner}]");
        voice.err(&message)?;
        let error = Object::of("unknown").put("message", message);
        let result = event("result").put("status", "error").nest("error", error);
        voice.line(result.nest("stats", self.stats(voice, None)))?;
        Ok(failed.status.map_or(EXIT_FAILED, |status| status.to_le_bytes()[0]))
    }

    fn resume_unknown(&mut self, voice: &Voice, id: &str) -> io::Result<u8> {
        voice.err(&format!("Error resuming session: Invalid session identifier \"{id}\"."))?;
        Ok(EXIT_INPUT)
    }
}

/// The word its provider puts beside a status.
const fn google_word(status: u16) -> &'static str {
    match status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        503 => "UNAVAILABLE",
        500..=599 => "INTERNAL",
        _ => "UNKNOWN",
    }
}
