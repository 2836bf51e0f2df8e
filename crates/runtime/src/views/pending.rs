//! Edits that were displaced and are not yet settled. Each keeps its name on disk until its
//! commands are durable or its bytes are set aside.

use std::collections::BTreeSet;
use std::path::Path;

use kernel::loops::Life;
use kernel::machine::At;
use serde_json::Value;

use super::edit::{self, Outcome, Scratch};
use super::names::View;
use super::notice::{Line, Notice, Owner, Reason};
use crate::redact::Redactor;
use crate::view_file::{Bases, Displaced, Look, NotYet, Writer};

/// A half-written file is looked at again after this long.
pub(super) const AGAIN_MS: u64 = 200;
/// Looks at a file that can't be read: one may have met a writer between two writes.
const UNREADABLE_LOOKS: u32 = 2;
/// Looks at a file that somebody keeps open for writing: five seconds, then it is moved aside, and
/// what is written later arrives there.
const OPEN_LOOKS: u32 = 25;

/// One displaced edit.
#[derive(Debug)]
pub(super) struct Edit {
    pub run: String,
    pub view: View,
    pub displaced: Displaced,
    /// What was drawn there before, for an edit that does not say what it started from.
    pub base: Option<Vec<u8>>,
    pub looks: u32,
    /// When to look again; none until the host says what time it is.
    pub look_at: Option<At>,
    pub stage: Stage,
}

/// How far an edit is.
#[derive(Debug)]
pub(super) enum Stage {
    /// Not understood yet.
    Found,
    /// Its commands were handed out at this position of the run; later facts make them durable.
    Asked { bytes: Vec<u8>, seq: u64 },
}

/// What became of an edit.
pub(super) enum Fate {
    /// Nothing is left of it.
    Gone,
    /// It is refused: keep its bytes and tell.
    Refused(Edit, Outcome),
    /// It is looked at again.
    Wait(Edit),
    /// Its commands are handed out; it stays until they are durable.
    Asked(Edit, Outcome),
}

/// The state an edit is judged against.
pub(super) struct Now<'a> {
    pub loop_dir: &'a Path,
    pub life: &'a Life,
    pub seq: u64,
    pub json: &'a [u8],
    pub tasks: &'a [u8],
    /// Knows a secret when it sees one.
    pub redactor: &'a Redactor,
}

impl Edit {
    pub(super) const fn new(
        run: String,
        view: View,
        displaced: Displaced,
        base: Option<Vec<u8>>,
    ) -> Self {
        Self { run, view, displaced, base, looks: 0, look_at: None, stage: Stage::Found }
    }

    /// Says what time it is: from now on it is known when to look again.
    pub(super) fn stamp(&mut self, now: At) {
        if self.looks > 0 {
            self.look_at.get_or_insert(now.plus(AGAIN_MS));
        }
    }

    /// Whether it is time to look. Drawings may follow each other faster than a writer writes.
    pub(super) fn is_ripe(&self, now: At) -> bool {
        match self.stage {
            Stage::Found => self.looks == 0 || self.look_at.is_some_and(|at| at <= now),
            Stage::Asked { .. } => true,
        }
    }

    /// Looks at it.
    pub(super) fn settle(mut self, now: &Now<'_>, scratch: &mut Scratch) -> Fate {
        if let Stage::Asked { bytes, seq } = &self.stage {
            if now.seq <= *seq {
                return Fate::Wait(self);
            }
            let bytes = bytes.clone();
            return self.remove(&bytes);
        }
        self.looks += 1;
        self.look_at = None;
        let (bytes, writer) = match self.displaced.look() {
            Ok(Look::Bytes { bytes, writer }) => (bytes, writer),
            Ok(Look::TooLarge | Look::NotAFile) => return self.refuse_whole(Reason::Invalid),
            // Unreadable now; it stays where it is and is found again at the next start.
            Err(_) if self.looks >= UNREADABLE_LOOKS => return Fate::Gone,
            Err(_) => return Fate::Wait(self),
        };
        if writer == Writer::Open {
            return match self.looks < OPEN_LOOKS {
                true => Fate::Wait(self),
                false => self.refuse_whole(Reason::Conflict),
            };
        }
        if self.base.as_deref() == Some(&bytes[..]) {
            return self.remove(&bytes);
        }
        if self.adds_secret(&bytes, now.redactor) {
            return self.refuse_whole(Reason::Secret);
        }
        match self.judge(&bytes, now, scratch) {
            None if self.looks < UNREADABLE_LOOKS => Fate::Wait(self),
            None => self.refuse_whole(Reason::Invalid),
            Some(outcome) if !outcome.refused.is_empty() => Fate::Refused(self, outcome),
            Some(outcome) if outcome.wishes.is_empty() => self.remove(&bytes),
            Some(outcome) => {
                self.stage = Stage::Asked { bytes, seq: now.seq };
                Fate::Asked(self, outcome)
            }
        }
    }

    fn refuse_whole(self, reason: Reason) -> Fate {
        let outcome = Outcome::whole("$", reason, Owner::Engine);
        Fate::Refused(self, outcome)
    }

    /// Whether a line that was not there before holds a secret: what is taken in is recorded.
    fn adds_secret(&self, bytes: &[u8], redactor: &Redactor) -> bool {
        let lines = |bytes| <[u8]>::split(bytes, |byte| *byte == b'\n');
        let known: BTreeSet<&[u8]> = lines(self.base.as_deref().unwrap_or_default()).collect();
        lines(bytes).any(|line| !known.contains(line) && redactor.redact(line) != line)
    }

    /// Removes bytes that are ours or taken in; if they have changed, it is another edit.
    fn remove(self, bytes: &[u8]) -> Fate {
        match self.displaced.taken_in(bytes) {
            Ok(()) => Fate::Gone,
            Err(NotYet(displaced)) => Fate::Wait(Self { displaced, stage: Stage::Found, ..self }),
        }
    }

    /// What it means; none if it can't be read.
    fn judge(&self, bytes: &[u8], now: &Now<'_>, scratch: &mut Scratch) -> Option<Outcome> {
        match self.view {
            View::Json => {
                let edit = parse(bytes)?;
                let Some(base) = self.base_document(&edit, now) else {
                    return Some(Outcome::whole("ext.rev", Reason::Conflict, Owner::Engine));
                };
                Some(edit::document(&base, &edit, &parse(now.json)?, scratch))
            }
            View::Tasks => {
                let text = std::str::from_utf8(bytes).ok()?;
                let base = self.base.as_deref().unwrap_or(now.tasks);
                let base = std::str::from_utf8(base).unwrap_or_default();
                let drawn = std::str::from_utf8(now.tasks).unwrap_or_default();
                Some(edit::task_lines(base, text, drawn, scratch))
            }
            View::Develop | View::Debug | View::Validate | View::Changes | View::Summary => {
                Some(Outcome::whole("$", Reason::Owned, Owner::Engine))
            }
        }
    }

    /// The document its author started from: the one of the revision it names, if that is kept;
    /// without a revision the one drawn last.
    fn base_document(&self, edit: &Value, now: &Now<'_>) -> Option<Value> {
        let Some(rev) = edit["ext"]["rev"].as_u64() else {
            return parse(self.base.as_deref().unwrap_or(now.json));
        };
        if rev == now.seq {
            return parse(now.json);
        }
        let cache = now.loop_dir.join("cache");
        Bases::of(&cache, &View::Json.file_name(&self.run)).base(rev).and_then(|kept| parse(&kept))
    }

    /// Keeps its bytes among the refused ones and answers what to tell.
    pub(super) fn set_aside(self, loop_dir: &Path, seq: u64, lines: Vec<Line>) -> Notice {
        let (dir, name) = (loop_dir.join("refused"), self.view.file_name(&self.run));
        // If it can't be moved it stays under the name it has, and is found at the next start.
        let kept = self.displaced.refuse(&dir, &self.run, seq, &name).ok();
        let kept = kept.map(|path| {
            path.strip_prefix(loop_dir).unwrap_or(&path).to_string_lossy().into_owned()
        });
        Notice::new(&self.run, self.view.relative(&self.run), kept, lines)
    }
}

/// A JSON text; a mark of its encoding in front of it is passed over.
fn parse(bytes: &[u8]) -> Option<Value> {
    serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).ok()
}
