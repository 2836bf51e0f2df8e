//! What a folder has gathered of one call: the same for every kind, each part with its bound. It
//! reads no events and knows no kind's words.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::agent::{FileClaim, Kind, Usage};

use super::heard::{Heard, RETRIES_KEPT, Retry, TOOL_BYTES_MAX, TOOLS_OPEN_MAX, Verdict};
use super::paths;
use super::plan::FoldPlan;
use crate::agents::session;

/// The longest answer; more than anyone reads, and a prompt of another agent must hold it.
pub const TEXT_BYTES_MAX: usize = 4 << 20;
/// Claimed changes kept; the work tree tells the rest.
pub const FILES_CLAIMED_MAX: usize = 1000;
/// Unreadable lines whose beginning is kept.
pub const BAD_LINES_NOTED: usize = 5;
/// Notes kept of one call.
const NOTES_MAX: usize = 50;
/// Raw bytes of one note: cut again, shorter, once secrets are out.
const NOTE_BYTES_MAX: usize = 4096;
/// Refused tools named.
const DENIED_MAX: usize = 64;
/// What a final error may say.
const MESSAGE_BYTES_MAX: usize = 8192;

/// How the stream says that the turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Well.
    Ok(Turn),
    /// Not well.
    Error(Said),
}

/// Whether a model was asked at all. A prompt that the CLI ran as a command of its own ends well
/// without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It was.
    Made,
    /// It was not.
    NotMade,
}

/// What a final error event says.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Said {
    /// In the CLI's words, cut; not yet redacted.
    pub message: String,
    /// The provider's HTTP status, where the event has a field for it.
    pub status: Option<u64>,
    /// A driver's own word for it.
    pub word: Option<String>,
    /// How long to wait, where the event has a field for it.
    pub retry_after_ms: Option<u64>,
}

/// All that a stream gave, once it has ended.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct End {
    /// The conversation that the stream's own event named.
    pub session: Option<String>,
    /// The final event.
    pub ending: Option<Ending>,
    /// The answer, or what there was of one.
    pub text: String,
    /// Whether it was cut at its cap.
    pub truncated: bool,
    /// Claimed changes.
    pub files: Vec<FileClaim>,
    /// What it cost.
    pub usage: Usage,
    /// Retries made inside.
    pub retries_seen: u32,
    /// Tools refused.
    pub denied: Vec<String>,
    /// Notes, raw.
    pub notes: Vec<String>,
    /// Lines that could not be read.
    pub bad_lines: u64,
    /// The conversation that the named one was split off from.
    pub forked_from: Option<String>,
}

/// The state of a fold.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) plan: Arc<FoldPlan>,
    kind: Kind,
    pub(super) heard: Heard,
    pub(super) end: End,
    claims: BTreeMap<String, FileClaim>,
    bad_noted: usize,
}

impl Draft {
    pub(super) fn new(kind: Kind, plan: Arc<FoldPlan>) -> Self {
        Self {
            plan,
            kind,
            heard: Heard::default(),
            end: End::default(),
            claims: BTreeMap::new(),
            bad_noted: 0,
        }
    }

    /// The conversation's event. The first valid id counts, a later other one is noted.
    pub(super) fn session(&mut self, id: Option<&str>) {
        let Some(id) = id.filter(|id| session::valid(self.kind, id)) else { return };
        match &self.end.session {
            None => {
                self.end.session = Some(id.to_owned());
                self.heard.session = Some(id.to_owned());
                if let Some(asked) = self.plan.resume.as_ref().filter(|asked| *asked != id) {
                    self.end.forked_from = Some(asked.clone());
                }
            }
            Some(first) if first != id => self.note(&format!("session_changed: {id}")),
            Some(_) => {}
        }
    }

    /// The whole answer, in place of what was there.
    pub(super) fn text(&mut self, text: &str) {
        let kept = cut(text, TEXT_BYTES_MAX);
        kept.clone_into(&mut self.end.text);
        self.end.truncated = kept.len() < text.len();
    }

    /// More of the answer.
    pub(super) fn more_text(&mut self, text: &str) {
        if self.end.truncated {
            return;
        }
        let kept = cut(text, TEXT_BYTES_MAX.saturating_sub(self.end.text.len()));
        self.end.text.push_str(kept);
        self.end.truncated = kept.len() < text.len();
    }

    pub(super) fn open_tool(&mut self, id: &str, name: &str) {
        let fits = self.heard.tools.len() < TOOLS_OPEN_MAX && id.len() <= TOOL_BYTES_MAX;
        if fits {
            self.heard.tools.insert(id.to_owned(), cut(name, TOOL_BYTES_MAX).to_owned());
        }
    }

    pub(super) fn close_tool(&mut self, id: &str) {
        self.heard.tools.remove(id);
    }

    /// A tool that will change a file if it ends well.
    pub(super) fn may_claim(&mut self, id: &str, claim: FileClaim) {
        if self.claims.len() < TOOLS_OPEN_MAX && id.len() <= TOOL_BYTES_MAX {
            self.claims.insert(id.to_owned(), claim);
        }
    }

    /// What a tool would have changed; it is not waited for any longer.
    pub(super) fn claimed_by(&mut self, id: &str) -> Option<FileClaim> {
        self.claims.remove(id)
    }

    /// A change that the stream says was made.
    pub(super) fn claim(&mut self, claim: FileClaim) {
        let Some(path) = paths::relative(&self.plan.workdir, &claim.path) else {
            self.note("file_path_refused");
            return;
        };
        let files = &mut self.end.files;
        if let Some(known) = files.iter_mut().find(|known| known.path == path) {
            known.kind = paths::merged(known.kind, claim.kind);
        } else if files.len() < FILES_CLAIMED_MAX {
            files.push(FileClaim { path, kind: claim.kind });
        } else {
            self.note_once("files_capped");
        }
    }

    pub(super) fn retry(&mut self, retry: Retry) {
        self.heard.retries_seen = self.heard.retries_seen.saturating_add(1);
        if self.heard.retries.len() == RETRIES_KEPT {
            self.heard.retries.remove(0);
        }
        let why = cut(&retry.why, NOTE_BYTES_MAX).to_owned();
        self.heard.retries.push(Retry { why, ..retry });
    }

    pub(super) fn denied(&mut self, tool: &str) {
        let tool = cut(tool, TOOL_BYTES_MAX);
        let known = self.end.denied.iter().any(|known| known == tool);
        if !known && self.end.denied.len() < DENIED_MAX {
            self.end.denied.push(tool.to_owned());
        }
    }

    pub(super) fn note(&mut self, note: &str) {
        if self.end.notes.len() < NOTES_MAX {
            self.end.notes.push(cut(note, NOTE_BYTES_MAX).to_owned());
        }
    }

    fn note_once(&mut self, note: &str) {
        if !self.end.notes.iter().any(|known| known == note) {
            self.note(note);
        }
    }

    pub(super) fn bad_line(&mut self, line: &[u8]) {
        self.end.bad_lines = self.end.bad_lines.saturating_add(1);
        if self.bad_noted < BAD_LINES_NOTED {
            self.bad_noted += 1;
            let shown = &line[..line.len().min(NOTE_BYTES_MAX)];
            self.note(&format!("bad_line: {}", String::from_utf8_lossy(shown)));
        }
    }

    pub(super) fn long_line(&mut self) {
        self.end.bad_lines = self.end.bad_lines.saturating_add(1);
        self.note_once("line_too_long");
    }

    pub(super) fn ended_well(&mut self, turn: Turn) {
        self.heard.verdict = Some(Verdict::Ok);
        self.end.ending = Some(Ending::Ok(turn));
    }

    pub(super) fn ended_badly(&mut self, said: Said) {
        self.heard.verdict = Some(Verdict::Error);
        let message = cut(&said.message, MESSAGE_BYTES_MAX).to_owned();
        self.end.ending = Some(Ending::Error(Said { message, ..said }));
    }

    pub(super) fn into_end(mut self) -> End {
        self.end.retries_seen = self.heard.retries_seen;
        self.end
    }
}

/// The beginning of `text` in whole characters.
pub(crate) fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}
