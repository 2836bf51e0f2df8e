//! The dialect of `claude -p --output-format stream-json --verbose`: every line names the
//! conversation, a failure calls itself a success, and prices run on over the whole conversation.
//! What its lines hold is in `claude_lines`.

use std::io;

use kernel::agent::{FileKind, Usage};

use super::super::memory::Totals;
use super::super::object::Object;
use super::super::step::Stage;
use super::super::voice::{Voice, random_id, timestamp};
use super::claude_lines::{self as lines, Ending};
use super::said::{Act, Failed, Retried, ToolUse, Turn};
use super::tongue::Dialect;

/// It exits so after every failure.
const EXIT_FAILED: u8 = 1;

/// One who talks so.
#[derive(Default)]
pub(super) struct Claude {
    session: Option<String>,
    turns: u64,
    messages: u64,
    answer: String,
    denied: Vec<(String, String, Act)>,
}

fn name(act: &Act) -> &str {
    match act {
        Act::Write { .. } => "Write",
        Act::Delete { .. } | Act::Run { .. } => "Bash",
        Act::Named { name, .. } => name,
    }
}

fn input(act: &Act) -> Object {
    match act {
        Act::Write { path, text, .. } => Object::new().put("file_path", path).put("content", text),
        Act::Delete { .. } | Act::Run { .. } => {
            Object::new().put("command", act.command()).put("description", "run")
        }
        Act::Named { .. } => Object::new(),
    }
}

/// What it keeps of a tool's result for itself.
fn tool_use_result(line: Object, tool: &ToolUse) -> Object {
    let outcome = tool.act.outcome(tool.stage);
    if tool.stage != Stage::Ok {
        return line.put("tool_use_result", format!("Error: {outcome}"));
    }
    let kept = match &tool.act {
        Act::Write { path, text, kind } => {
            let kind = if *kind == FileKind::Add { "create" } else { "update" };
            Object::of(kind).put("filePath", path).put("content", text)
        }
        Act::Delete { .. } | Act::Run { .. } | Act::Named { .. } => Object::new()
            .put("stdout", outcome)
            .put("stderr", "")
            .put("interrupted", false)
            .put("isImage", false),
    };
    line.nest("tool_use_result", kept)
}

impl Claude {
    /// What ends every line but the result.
    fn marked(&self, line: Object) -> Object {
        line.maybe("session_id", self.session.as_deref()).put("uuid", random_id())
    }

    fn assistant(&mut self, voice: &Voice, block: Object) -> io::Result<()> {
        self.messages += 1;
        let id = format!("msg_{:06}", self.messages);
        let message = lines::message(&id, &voice.model, block);
        let line = Object::of("assistant").nest("message", message);
        let line = self.marked(line.put("parent_tool_use_id", None::<u8>));
        voice.line(line.put("timestamp", timestamp()))
    }

    fn tool_result(&self, voice: &Voice, tool: &ToolUse, id: &str) -> io::Result<()> {
        let block = Object::new()
            .put("tool_use_id", id)
            .put("type", "tool_result")
            .put("content", tool.act.outcome(tool.stage))
            .put("is_error", tool.stage != Stage::Ok);
        let message = Object::new().put("role", "user").list("content", [block]);
        let line = Object::of("user").nest("message", message);
        let line = self.marked(line.put("parent_tool_use_id", None::<u8>));
        voice.line(tool_use_result(line.put("timestamp", timestamp()), tool))
    }

    fn denial(&mut self, voice: &Voice, tool: &ToolUse, id: &str) -> io::Result<()> {
        let name = name(&tool.act).to_owned();
        let line = Object::of("system")
            .put("subtype", "permission_denied")
            .put("tool_name", &name)
            .put("tool_use_id", id)
            .put("message", tool.act.outcome(Stage::Denied));
        self.denied.push((name, id.to_owned(), tool.act.clone()));
        voice.line(self.marked(line))
    }

    fn denials(&self) -> Vec<Object> {
        let denial = |(name, id, act): &(String, String, Act)| {
            let denial = Object::new().put("tool_name", name).put("tool_use_id", id);
            denial.nest("tool_input", input(act))
        };
        self.denied.iter().map(denial).collect()
    }
}

impl Dialect for Claude {
    fn began(&mut self, voice: &Voice, session: Option<&str>) -> io::Result<()> {
        self.session = session.map(str::to_owned);
        voice.line(lines::init(session, &voice.cwd, &voice.model))
    }

    fn delta(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        self.text(voice, text)
    }

    fn text(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        self.turns += 1;
        text.clone_into(&mut self.answer);
        self.assistant(voice, Object::of("text").put("text", text))
    }

    fn tool(&mut self, voice: &Voice, tool: &ToolUse) -> io::Result<()> {
        let id = format!("toolu_{}", tool.id);
        if !tool.told {
            self.turns += 1;
            let block = Object::of("tool_use").put("id", &id).put("name", name(&tool.act));
            self.assistant(voice, block.nest("input", input(&tool.act)))?;
        }
        match tool.stage {
            Stage::Open => Ok(()),
            Stage::Ok | Stage::Failed => self.tool_result(voice, tool, &id),
            Stage::Denied => {
                self.denial(voice, tool, &id)?;
                self.tool_result(voice, tool, &id)
            }
        }
    }

    fn retry(&mut self, voice: &Voice, retry: &Retried) -> io::Result<()> {
        let line = Object::of("system")
            .put("subtype", "api_retry")
            .put("attempt", retry.attempt)
            .put("max_retries", retry.max)
            .put("retry_delay_ms", retry.delay_ms)
            .put("error_status", retry.status)
            .put("error", lines::error_word(retry.status));
        voice.line(self.marked(line))
    }

    fn note(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        voice.err(text)
    }

    fn usage(&mut self, _voice: &Voice, _usage: &Usage) -> io::Result<()> {
        Ok(())
    }

    fn ended(&mut self, voice: &Voice, turn: &Turn) -> io::Result<Totals> {
        let ending = Ending {
            session: self.session.as_deref(),
            model: &voice.model,
            elapsed_ms: voice.elapsed_ms(),
            turns: self.turns.max(1),
            denials: self.denials(),
        };
        let (used, total) = (turn.used(self.turns), turn.total(self.turns));
        voice.line(ending.good(&self.answer, &used, &total))?;
        Ok(total)
    }

    fn failed(&mut self, voice: &Voice, failed: &Failed) -> io::Result<u8> {
        let message = lines::error_text(failed);
        let line = self.marked(lines::api_error(&message));
        let line = line.put("timestamp", timestamp());
        voice.line(
            line.put("error", lines::error_word(failed.status))
                .put("is_api_error_message", true)
                .maybe("api_error_status", failed.status),
        )?;
        let ending = Ending {
            session: self.session.as_deref(),
            model: &voice.model,
            elapsed_ms: voice.elapsed_ms(),
            turns: self.turns.max(1),
            denials: self.denials(),
        };
        voice.line(ending.bad(&message, failed.status))?;
        Ok(EXIT_FAILED)
    }

    fn resume_unknown(&mut self, voice: &Voice, id: &str) -> io::Result<u8> {
        let message = format!("No conversation found with session ID: {id}");
        voice.line(lines::resume_unknown(id, &message))?;
        voice.err(&message)?;
        Ok(EXIT_FAILED)
    }
}
