//! The dialect of `qwen --output-format stream-json`: assistant and user messages, one result; its
//! token counts run on over the whole conversation.

use std::io;

use kernel::agent::Usage;

use super::super::memory::Totals;
use super::super::object::Object;
use super::super::step::Stage;
use super::super::voice::{Voice, random_id};
use super::said::{Act, Failed, INPUT_TOKENS, OUTPUT_TOKENS, Retried, ToolUse, Turn};
use super::tongue::Dialect;

/// It exits so after every failure.
const EXIT_FAILED: u8 = 1;
/// Whose stream is imitated.
const VERSION: &str = "0.24.4";
/// Tools it offers, as far as anyone reads them.
const TOOLS: [&str; 5] = ["read_file", "write_file", "run_shell_command", "grep_search", "edit"];

/// One who talks so.
#[derive(Default)]
pub(super) struct Qwen {
    session: Option<String>,
    turns: u64,
    answer: String,
    denied: Vec<(String, String, Act)>,
}

fn name(act: &Act) -> &str {
    match act {
        Act::Write { .. } => "write_file",
        Act::Delete { .. } | Act::Run { .. } => "run_shell_command",
        Act::Named { name, .. } => name,
    }
}

fn input(act: &Act) -> Object {
    match act {
        Act::Write { path, text, .. } => Object::new().put("file_path", path).put("content", text),
        Act::Delete { .. } | Act::Run { .. } => Object::new()
            .put("command", act.command())
            .put("description", "run")
            .put("is_background", false),
        Act::Named { .. } => Object::new(),
    }
}

fn counted(input: u64, output: u64, cached: u64) -> Object {
    Object::new()
        .put("input_tokens", input)
        .put("output_tokens", output)
        .put("cache_read_input_tokens", cached)
        .put("total_tokens", input + output)
}

impl Qwen {
    fn event(&self, object: Object) -> Object {
        self.marked(object, &random_id()).put("parent_tool_use_id", None::<u8>)
    }

    fn marked(&self, object: Object, id: &str) -> Object {
        object.put("uuid", id).maybe("session_id", self.session.as_deref())
    }

    fn assistant(&self, voice: &Voice, content: Object, stop: Option<&str>) -> io::Result<()> {
        let id = random_id();
        let message = Object::new()
            .put("id", &id)
            .put("type", "message")
            .put("role", "assistant")
            .put("model", &voice.model)
            .list("content", [content])
            .put("stop_reason", stop)
            .nest("usage", counted(INPUT_TOKENS, OUTPUT_TOKENS, 0));
        let line = self.marked(Object::of("assistant"), &id).put("parent_tool_use_id", None::<u8>);
        voice.line(line.nest("message", message))
    }

    fn result(&self, voice: &Voice, subtype: &str, wrong: bool) -> Object {
        let result = self.marked(Object::of("result").put("subtype", subtype), &random_id());
        result
            .put("is_error", wrong)
            .put("duration_ms", voice.elapsed_ms())
            .put("duration_api_ms", 0)
            .put("num_turns", self.turns.max(1))
    }

    fn denials(&self) -> Vec<Object> {
        let denial = |(name, id, act): &(String, String, Act)| {
            let denial = Object::new().put("tool_name", name).put("tool_use_id", id);
            denial.nest("tool_input", input(act))
        };
        self.denied.iter().map(denial).collect()
    }
}

impl Dialect for Qwen {
    fn began(&mut self, voice: &Voice, session: Option<&str>) -> io::Result<()> {
        self.session = session.map(str::to_owned);
        let init = Object::of("system").put("subtype", "init");
        let init = self.marked(init, session.unwrap_or_default()).put("cwd", &voice.cwd);
        voice.line(
            init.put("tools", TOOLS)
                .put("mcp_servers", [""; 0])
                .put("model", &voice.model)
                .put("permission_mode", "yolo")
                .put("slash_commands", ["clear", "init", "model"])
                .put("qwen_code_version", VERSION)
                .put("agents", ["general-purpose"]),
        )?;
        let state = Object::new().put("v", 2).put("goal", None::<u8>).put("activity", "idle");
        let goal = Object::of("goal_state").nest("goal_state", state);
        voice.line(self.event(Object::of("stream_event")).nest("event", goal))
    }

    fn delta(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        self.text(voice, text)
    }

    fn text(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        self.turns += 1;
        text.clone_into(&mut self.answer);
        self.assistant(voice, Object::of("text").put("text", text), None)
    }

    fn tool(&mut self, voice: &Voice, tool: &ToolUse) -> io::Result<()> {
        let id = format!("call_{}", tool.id);
        if !tool.told {
            self.turns += 1;
            let block = Object::of("tool_use").put("id", &id).put("name", name(&tool.act));
            self.assistant(voice, block.nest("input", input(&tool.act)), Some("tool_use"))?;
        }
        if tool.stage == Stage::Open {
            return Ok(());
        }
        if tool.stage == Stage::Denied {
            self.denied.push((name(&tool.act).to_owned(), id.clone(), tool.act.clone()));
        }
        let block = Object::of("tool_result")
            .put("tool_use_id", &id)
            .put("is_error", tool.stage != Stage::Ok)
            .put("content", tool.act.outcome(tool.stage));
        let message = Object::new().put("role", "user").list("content", [block]);
        voice.line(self.event(Object::of("user")).nest("message", message))
    }

    fn retry(&mut self, voice: &Voice, retry: &Retried) -> io::Result<()> {
        let data = Object::new()
            .put("reason", &retry.why)
            .put("discardedToolCalls", 0)
            .put("preserveText", false)
            .put("attempt", retry.attempt)
            .put("maxRetries", retry.max)
            .put("delayMs", retry.delay_ms);
        let line = self.event(Object::of("system").put("subtype", "retry"));
        voice.line(line.nest("data", data))
    }

    fn note(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        voice.err(text)
    }

    fn usage(&mut self, _voice: &Voice, _usage: &Usage) -> io::Result<()> {
        Ok(())
    }

    fn ended(&mut self, voice: &Voice, turn: &Turn) -> io::Result<Totals> {
        let total = turn.total(self.turns);
        let usage = counted(total.input_tokens, total.output_tokens, total.cached_tokens);
        let result = self.result(voice, "success", false).put("result", &self.answer);
        voice.line(result.nest("usage", usage).list("permission_denials", self.denials()))?;
        Ok(total)
    }

    fn failed(&mut self, voice: &Voice, failed: &Failed) -> io::Result<u8> {
        let status = failed.status.map_or_else(String::new, |status| format!("{status} "));
        let message = format!("[API Error: {status}{}]", failed.message);
        self.assistant(voice, Object::of("text").put("text", &message), None)?;
        let usage = Object::new()
            .put("input_tokens", 0)
            .put("output_tokens", 0)
            .put("cache_read_input_tokens", 0);
        let result = self.result(voice, "error_during_execution", true).nest("usage", usage);
        let error = Object::new().put("message", &message);
        voice.line(result.list("permission_denials", self.denials()).nest("error", error))?;
        Ok(EXIT_FAILED)
    }

    fn resume_unknown(&mut self, voice: &Voice, id: &str) -> io::Result<u8> {
        voice.err(&format!("No saved session found with ID {id}."))?;
        Ok(EXIT_FAILED)
    }
}
