//! One folder for every kind of stream: bytes in, facts out. The kind is fixed when it begins, by
//! what was recorded with the call.

use std::sync::Arc;

use kernel::agent::Kind;
use serde_json::Value;

use super::draft::{Draft, End};
use super::heard::Heard;
use super::plan::{FoldPlan, Output};
use super::raw::Raw;
use super::{claude, codex, command, gemini, qwen, stream1, wrapper};
use crate::agents::stream::{Line, Lines};

/// A stream being folded. Memory stays within the cap of a line and the cap of an answer.
#[derive(Clone, Debug)]
pub struct Fold {
    lines: Lines,
    draft: Draft,
    voice: Voice,
}

/// Whose words they are, with what only that kind needs.
#[derive(Clone, Debug)]
enum Voice {
    Codex,
    Gemini(gemini::Talk),
    Claude(claude::Talk),
    Qwen,
    Stream1,
    Jsonl,
    Wrapper(wrapper::Talk),
    Json(Raw),
    Plain(Raw),
}

/// The kind whose stream is spoken: a scripted agent may speak another's.
#[must_use]
pub(crate) fn spoken(kind: Kind, plan: &FoldPlan) -> Kind {
    match kind {
        Kind::Script => plan.dialect.unwrap_or(kind),
        Kind::Codex | Kind::Gemini | Kind::Claude | Kind::Qwen | Kind::Wrapper | Kind::Command => {
            kind
        }
    }
}

impl Fold {
    /// Begins at byte 0.
    #[must_use]
    pub fn new(kind: Kind, plan: &FoldPlan) -> Self {
        let plan = Arc::new(plan.clone());
        let kind = spoken(kind, &plan);
        let voice = match (kind, plan.command.output) {
            (Kind::Codex, _) => Voice::Codex,
            (Kind::Gemini, _) => Voice::Gemini(gemini::Talk::default()),
            (Kind::Claude, _) => Voice::Claude(claude::Talk::default()),
            (Kind::Qwen, _) => Voice::Qwen,
            (Kind::Script, _) => Voice::Stream1,
            (Kind::Wrapper, _) => Voice::Wrapper(wrapper::Talk::new(&plan)),
            (Kind::Command, Output::Jsonl) => Voice::Jsonl,
            (Kind::Command, Output::Json) => Voice::Json(Raw::new(command::room())),
            (Kind::Command, Output::Text) => Voice::Plain(Raw::new(command::room())),
        };
        Self { lines: Lines::default(), draft: Draft::new(kind, plan), voice }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        let Self { lines, draft, voice } = self;
        draft.heard.bytes = draft.heard.bytes.saturating_add(bytes.len() as u64);
        match voice {
            Voice::Wrapper(talk) => talk.raw.feed(bytes),
            Voice::Json(raw) | Voice::Plain(raw) => raw.feed(bytes),
            Voice::Codex
            | Voice::Gemini(_)
            | Voice::Claude(_)
            | Voice::Qwen
            | Voice::Stream1
            | Voice::Jsonl => lines.feed(bytes, &mut |line| voice.line(draft, line)),
        }
    }

    /// Bytes are missing between what was fed and what comes next.
    pub fn gap(&mut self) {
        let Self { lines, draft, voice } = self;
        match voice {
            Voice::Wrapper(talk) => talk.raw.gap(),
            Voice::Json(raw) | Voice::Plain(raw) => raw.gap(),
            Voice::Codex
            | Voice::Gemini(_)
            | Voice::Claude(_)
            | Voice::Qwen
            | Voice::Stream1
            | Voice::Jsonl => lines.cut(&mut |line| voice.line(draft, line)),
        }
    }

    /// What can be told while the call runs.
    #[must_use]
    pub fn heard(&self) -> &Heard {
        &self.draft.heard
    }

    /// The stream has ended.
    #[must_use]
    pub fn finish(mut self) -> End {
        let Self { lines, draft, voice } = &mut self;
        lines.cut(&mut |line| voice.line(draft, line));
        let mut draft = self.draft;
        match self.voice {
            Voice::Gemini(talk) => talk.finish(&mut draft),
            Voice::Wrapper(talk) => talk.finish(&mut draft),
            Voice::Json(raw) => command::whole(&mut draft, &raw),
            Voice::Plain(raw) => command::plain(&mut draft, &raw),
            Voice::Codex | Voice::Claude(_) | Voice::Qwen | Voice::Stream1 | Voice::Jsonl => {}
        }
        draft.into_end()
    }
}

impl Voice {
    fn line(&mut self, draft: &mut Draft, line: Line<'_>) {
        match line {
            Line::Json(event) => self.event(draft, &event),
            Line::Bad(bytes) => draft.bad_line(bytes),
            Line::TooLong => draft.long_line(),
        }
    }

    fn event(&mut self, draft: &mut Draft, event: &Value) {
        match self {
            Self::Codex => codex::event(draft, event),
            Self::Gemini(talk) => talk.event(draft, event),
            Self::Claude(talk) => talk.event(draft, event),
            Self::Qwen => qwen::event(draft, event),
            Self::Stream1 => stream1::event(draft, event),
            Self::Jsonl => command::line(draft, event),
            // These have no lines.
            Self::Wrapper(_) | Self::Json(_) | Self::Plain(_) => {}
        }
    }
}
