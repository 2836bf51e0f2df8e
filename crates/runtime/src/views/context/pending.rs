//! Edits of the page that drawings displaced, until they are settled. Each keeps its name on disk
//! until its commands are durable or its bytes are set aside.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kernel::lifecycle::State;
use kernel::lifecycle::document::context::{Page, read};
use kernel::machine::At;

use super::judged::{Outcome, Pages, judge, readable};
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
    /// Where the page stood.
    pub path: PathBuf,
    pub displaced: Displaced,
    /// What was drawn there before, for an edit that does not say what it started from.
    pub base: Option<Vec<u8>>,
    pub looks: u32,
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
    /// It is refused, at least in part: keep its bytes and tell.
    Refused(Edit, Outcome),
    /// It is looked at again.
    Wait(Edit),
    /// Its commands are handed out; it stays until they are durable.
    Asked(Edit, Outcome),
}

/// The run an edit is judged against.
pub(super) struct Now<'a> {
    pub loop_dir: &'a Path,
    pub state: &'a State,
    pub page: &'a Page,
    /// The scratchpad as it will be once everything is recorded that was asked for.
    pub scratch: Vec<String>,
    pub seq: u64,
    pub at: At,
    /// Knows a secret when it sees one.
    pub redactor: &'a Redactor,
}

/// The name under which the pages of a run are kept as bases.
pub(super) fn base_name(run: &str) -> String {
    format!("{run}.{}", super::keeper::PAGE)
}

impl Edit {
    pub(super) const fn new(
        run: String,
        path: PathBuf,
        displaced: Displaced,
        base: Option<Vec<u8>>,
    ) -> Self {
        Self { run, path, displaced, base, looks: 0, stage: Stage::Found }
    }

    /// Looks at it.
    pub(super) fn settle(mut self, now: &Now<'_>) -> Fate {
        if let Stage::Asked { bytes, seq } = &self.stage {
            if now.seq <= *seq {
                return Fate::Wait(self);
            }
            let bytes = bytes.clone();
            return self.remove(&bytes);
        }
        self.looks += 1;
        let (bytes, writer) = match self.displaced.look() {
            Ok(Look::Bytes { bytes, writer }) => (bytes, writer),
            Ok(Look::TooLarge | Look::NotAFile) => return self.whole("view_only"),
            // Unreadable now; it stays where it is and is found again at the next start.
            Err(_) if self.looks >= UNREADABLE_LOOKS => return Fate::Gone,
            Err(_) => return Fate::Wait(self),
        };
        if writer == Writer::Open {
            return match self.looks < OPEN_LOOKS {
                true => Fate::Wait(self),
                false => self.whole("conflict"),
            };
        }
        if self.base.as_deref() == Some(&bytes[..]) {
            return self.remove(&bytes);
        }
        if !readable(&bytes) && self.looks < UNREADABLE_LOOKS {
            return Fate::Wait(self);
        }
        if self.adds_secret(&bytes, now.redactor) {
            return self.whole("secret");
        }
        let Some(base) = self.base_page(&bytes, now) else { return self.whole("conflict") };
        let pages = Pages { base: &base, now: now.page, scratch: &now.scratch };
        let outcome = judge(&pages, &bytes, now.state, now.at);
        if !outcome.refused.is_empty() {
            return Fate::Refused(self, outcome);
        }
        if outcome.commands.is_empty() {
            return self.remove(&bytes);
        }
        self.stage = Stage::Asked { bytes, seq: now.seq };
        Fate::Asked(self, outcome)
    }

    fn whole(self, reason: &str) -> Fate {
        Fate::Refused(self, Outcome::whole(reason))
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

    /// The page its author started from: the one of the position it names, if that is kept;
    /// without a position the one drawn last. One of another run, or too old, is none.
    fn base_page(&self, bytes: &[u8], now: &Now<'_>) -> Option<Page> {
        let page = |bytes: &[u8]| read(bytes).ok()?.page().ok();
        let last = || self.base.as_deref().and_then(page).filter(|last| self.is_of(last));
        let Ok(found) = read(bytes) else { return last().or_else(|| Some(now.page.clone())) };
        if found.run_id().is_some_and(|run| run != self.run) {
            return None;
        }
        let Some(seq) = found.seq() else { return last().or_else(|| Some(now.page.clone())) };
        if let Some(last) = last().filter(|last| last.head.seq == seq) {
            return Some(last);
        }
        if seq == now.page.head.seq {
            return Some(now.page.clone());
        }
        let kept = Bases::of(&now.loop_dir.join("cache"), &base_name(&self.run)).base(seq);
        // A position that nobody ever drew is itself an edit, of what was drawn last.
        let newer = seq > now.page.head.seq;
        kept.as_deref().and_then(page).or_else(|| newer.then(|| now.page.clone()))
    }

    fn is_of(&self, page: &Page) -> bool {
        page.head.run_id == self.run
    }
}
