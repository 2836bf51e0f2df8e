//! The dialect of `codex exec --json`: threads, turns and numbered items.

use std::io;

use kernel::agent::{FileKind, Usage};

use super::super::memory::Totals;
use super::super::object::Object;
use super::super::step::Stage;
use super::super::voice::Voice;
use super::said::{Act, Failed, Retried, ToolUse, Turn, reason};
use super::tongue::Dialect;

/// Where the recorded streams' provider was.
const URL: &str = "http://127.0.0.1:8080/v1/responses";
/// It exits so after every failure.
const EXIT_FAILED: u8 = 1;

/// One who talks so.
#[derive(Default)]
pub(super) struct Codex {
    items: u64,
    turns: u64,
    /// Items that were started, by the tool's id.
    open: Vec<(String, String)>,
}

impl Codex {
    fn item_id(&mut self) -> String {
        let id = format!("item_{}", self.items);
        self.items += 1;
        id
    }

    fn completed(&mut self, voice: &Voice, item: impl FnOnce(Object) -> Object) -> io::Result<()> {
        let id = self.item_id();
        voice.line(Object::of("item.completed").nest("item", item(Object::new().put("id", id))))
    }

    /// The id of a tool's item, new or started before.
    fn tool_item(&mut self, tool: &ToolUse) -> String {
        if let Some((_, item)) = self.open.iter().find(|(id, _)| *id == tool.id) {
            return item.clone();
        }
        let item = self.item_id();
        self.open.push((tool.id.clone(), item.clone()));
        item
    }
}

fn kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Add => "add",
        FileKind::Update => "update",
        FileKind::Delete => "delete",
    }
}

fn item(id: &str, act: &Act, stage: Stage) -> Object {
    let status = match stage {
        Stage::Open => "in_progress",
        Stage::Ok => "completed",
        Stage::Failed | Stage::Denied => "failed",
    };
    let object = Object::new().put("id", id);
    let change = |path: &str, kind: &str| [Object::new().put("path", path).put("kind", kind)];
    let object = match act {
        Act::Write { path, kind: change_kind, .. } => {
            object.put("type", "file_change").list("changes", change(path, kind(*change_kind)))
        }
        Act::Delete { path } => {
            object.put("type", "file_change").list("changes", change(path, kind(FileKind::Delete)))
        }
        Act::Run { output, code, .. } => {
            let (output, code) = if stage == Stage::Open { ("", None) } else { (&**output, *code) };
            object
                .put("type", "command_execution")
                .put("command", act.command())
                .put("aggregated_output", output)
                .put("exit_code", code)
        }
        Act::Named { name, .. } => object
            .put("type", "mcp_tool_call")
            .put("server", "script")
            .put("tool", name)
            .nest("arguments", Object::new()),
    };
    object.put("status", status)
}

impl Dialect for Codex {
    fn began(&mut self, voice: &Voice, session: Option<&str>) -> io::Result<()> {
        if let Some(id) = session {
            voice.line(Object::of("thread.started").put("thread_id", id))?;
        }
        voice.line(Object::of("turn.started"))
    }

    fn delta(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        self.text(voice, text)
    }

    fn text(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        self.turns += 1;
        self.completed(voice, |item| item.put("type", "agent_message").put("text", text))
    }

    fn tool(&mut self, voice: &Voice, tool: &ToolUse) -> io::Result<()> {
        if tool.stage == Stage::Denied {
            // A refused command does not appear in its stream at all.
            return Ok(());
        }
        let id = self.tool_item(tool);
        if !tool.told {
            let begun = item(&id, &tool.act, Stage::Open);
            voice.line(Object::of("item.started").nest("item", begun))?;
        }
        if tool.stage == Stage::Open {
            return Ok(());
        }
        self.turns += 1;
        let ended = item(&id, &tool.act, tool.stage);
        voice.line(Object::of("item.completed").nest("item", ended))
    }

    fn retry(&mut self, voice: &Voice, retry: &Retried) -> io::Result<()> {
        let why = match retry.status {
            Some(status) => format!("unexpected status {status} {}: {}", reason(status), retry.why),
            None => retry.why.clone(),
        };
        let message = format!("Reconnecting... {}/{} ({why})", retry.attempt, retry.max);
        voice.line(Object::of("error").put("message", message))
    }

    fn note(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        self.completed(voice, |item| item.put("type", "error").put("message", text))
    }

    fn usage(&mut self, _voice: &Voice, _usage: &Usage) -> io::Result<()> {
        Ok(())
    }

    fn ended(&mut self, voice: &Voice, turn: &Turn) -> io::Result<Totals> {
        // Its counts run on over the whole conversation.
        let (used, total) = (turn.used(self.turns), turn.total(self.turns));
        let usage = Object::new()
            .put("input_tokens", total.input_tokens)
            .put("cached_input_tokens", total.cached_tokens)
            .put("cache_write_input_tokens", 0)
            .put("output_tokens", total.output_tokens)
            .put("reasoning_output_tokens", used.reasoning_tokens);
        voice.line(Object::of("turn.completed").nest("usage", usage))?;
        Ok(total)
    }

    fn failed(&mut self, voice: &Voice, failed: &Failed) -> io::Result<u8> {
        let message = match failed.status {
            Some(status) => {
                let reason = reason(status);
                format!("unexpected status {status} {reason}: {}, url: {URL}", failed.message)
            }
            None => failed.message.clone(),
        };
        voice.line(Object::of("error").put("message", &message))?;
        let error = Object::new().put("message", &message);
        voice.line(Object::of("turn.failed").nest("error", error))?;
        Ok(EXIT_FAILED)
    }

    fn resume_unknown(&mut self, voice: &Voice, id: &str) -> io::Result<u8> {
        voice.err(&format!("Error: thread/resume failed: no rollout found for thread id {id}"))?;
        Ok(EXIT_FAILED)
    }
}
