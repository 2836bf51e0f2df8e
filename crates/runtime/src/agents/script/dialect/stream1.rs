//! `stream/1`: what our own drivers print, one object a line with its kind under `t`.

use std::io;

use kernel::agent::{FileKind, Usage};

use super::super::memory::Totals;
use super::super::object::Object;
use super::super::step::Stage;
use super::super::voice::Voice;
use super::said::{Act, Failed, Retried, ToolUse, Turn};
use super::tongue::Dialect;

/// One who talks so.
pub(super) struct Stream1;

/// The code of a driver whose agent failed.
const EXIT_FAILED: u8 = 1;
/// Millionths in a dollar.
const MICROS: f64 = 1_000_000.0;

fn of(kind: &str) -> Object {
    Object::new().put("t", kind)
}

fn named(act: &Act) -> (&str, &str) {
    match act {
        Act::Write { .. } => ("write", "edit"),
        Act::Delete { .. } => ("delete", "delete"),
        Act::Run { .. } => ("run", "execute"),
        Act::Named { name, kind } => (name, kind),
    }
}

impl Stream1 {
    /// What the finished act claims of files, relative to the working directory.
    fn claim(voice: &Voice, act: &Act) -> io::Result<()> {
        let (path, kind) = match act {
            Act::Write { path, kind, .. } => (path, *kind),
            Act::Delete { path } => (path, FileKind::Delete),
            Act::Run { .. } | Act::Named { .. } => return Ok(()),
        };
        let relative = path.strip_prefix(&voice.cwd).map(|rest| rest.trim_start_matches('/'));
        voice.line(of("file").put("path", relative.unwrap_or(path)).put("kind", kind))
    }
}

impl Dialect for Stream1 {
    fn began(&mut self, voice: &Voice, session: Option<&str>) -> io::Result<()> {
        session.map_or(Ok(()), |id| voice.line(of("session").put("id", id)))
    }

    fn delta(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        voice.line(of("delta").put("text", text))
    }

    fn text(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        voice.line(of("text").put("text", text))
    }

    fn tool(&mut self, voice: &Voice, tool: &ToolUse) -> io::Result<()> {
        let (name, kind) = named(&tool.act);
        let event = |stage: Stage| {
            let object = of("tool").put("id", &tool.id).put("name", name).put("kind", kind);
            voice.line(object.put("status", stage.name()))
        };
        if tool.stage != Stage::Open && !tool.told {
            event(Stage::Open)?;
        }
        event(tool.stage)?;
        if tool.stage == Stage::Ok { Self::claim(voice, &tool.act) } else { Ok(()) }
    }

    fn retry(&mut self, voice: &Voice, retry: &Retried) -> io::Result<()> {
        voice.line(
            of("retry")
                .put("attempt", retry.attempt)
                .put("max", retry.max)
                .put("delay_ms", retry.delay_ms)
                .put("why", &retry.why),
        )
    }

    fn note(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        voice.line(of("note").put("text", text))
    }

    fn usage(&mut self, voice: &Voice, usage: &Usage) -> io::Result<()> {
        #[expect(clippy::cast_precision_loss, reason = "a price far below 2^53 millionths")]
        let cost = usage.cost_micros.map(|micros| micros as f64 / MICROS);
        voice.line(
            of("usage")
                .put("input_tokens", usage.input_tokens)
                .put("output_tokens", usage.output_tokens)
                .put("cached_tokens", usage.cached_tokens)
                .put("reasoning_tokens", usage.reasoning_tokens)
                .put("cost_usd", cost),
        )
    }

    fn ended(&mut self, voice: &Voice, turn: &Turn) -> io::Result<Totals> {
        voice.line(of("end").put("ok", true))?;
        Ok(turn.before.plus(&turn.told.unwrap_or_default()))
    }

    fn failed(&mut self, voice: &Voice, failed: &Failed) -> io::Result<u8> {
        voice.line(
            of("error")
                .put("kind", &failed.kind)
                .maybe("status", failed.status)
                .put("message", &failed.message)
                .maybe("retry_after_ms", failed.retry_after_ms),
        )?;
        Ok(EXIT_FAILED)
    }

    fn resume_unknown(&mut self, voice: &Voice, id: &str) -> io::Result<u8> {
        let message = format!("no session {id}");
        voice.err(&message)?;
        let (kind, status, retry_after_ms) = ("resume_unknown".to_owned(), None, None);
        self.failed(voice, &Failed { kind, status, message, retry_after_ms })
    }
}
