//! Edits of a loop's views that drawings displaced: when each is looked at, and what it means. How
//! long it is waited for is not said here.

use std::path::Path;

use kernel::loops::Life;
use kernel::machine::At;
use serde_json::Value;

use super::edit::{self, Outcome, Scratch};
use super::names::View;
use super::notice::{Line, Notice, Owner, Reason};
use crate::redact::Redactor;
use crate::view_file::{AGAIN_MS, Bases, Displaced, Pending, Unfit, Verdict};

/// One displaced edit.
#[derive(Debug)]
pub(super) struct Edit {
    pub run: String,
    pub view: View,
    pub way: Pending,
    /// When to look again; none until the host says what time it is.
    pub look_at: Option<At>,
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
        Self { run, view, way: Pending::new(displaced, base), look_at: None }
    }

    /// Says what time it is: from now on it is known when to look again.
    pub(super) fn stamp(&mut self, now: At) {
        if !self.way.is_new() {
            self.look_at.get_or_insert(now.plus(AGAIN_MS));
        }
    }

    /// Whether it is time to look. Drawings may follow each other faster than a writer writes.
    pub(super) fn is_ripe(&self, now: At) -> bool {
        self.way.is_asked() || self.way.is_new() || self.look_at.is_some_and(|at| at <= now)
    }
}

impl Now<'_> {
    /// What it means that somebody changed this view of the run so.
    pub(super) fn verdict(
        &self,
        (run, view): (&str, View),
        edit: &Pending,
        bytes: &[u8],
        scratch: &mut Scratch,
    ) -> Verdict<Outcome> {
        if edit.adds_secret(bytes, self.redactor) {
            return Verdict::Refuse(whole(Reason::Secret));
        }
        match self.judge((run, view), edit.base(), bytes, scratch) {
            None if edit.may_be_half() => Verdict::Half,
            None => Verdict::Refuse(whole(Reason::Invalid)),
            Some(outcome) if !outcome.refused.is_empty() => Verdict::Refuse(outcome),
            Some(outcome) if outcome.wishes.is_empty() => Verdict::Nothing,
            Some(outcome) => Verdict::Ask(outcome),
        }
    }

    /// What it asks for; none if it can't be read.
    fn judge(
        &self,
        (run, view): (&str, View),
        base: Option<&[u8]>,
        bytes: &[u8],
        scratch: &mut Scratch,
    ) -> Option<Outcome> {
        match view {
            View::Json => {
                let edit = parse(bytes)?;
                let Some(base) = self.base_document(run, base, &edit) else {
                    return Some(Outcome::whole("ext.rev", Reason::Conflict, Owner::Engine));
                };
                Some(edit::document(&base, &edit, &parse(self.json)?, scratch))
            }
            View::Tasks => {
                let text = std::str::from_utf8(bytes).ok()?;
                let base = std::str::from_utf8(base.unwrap_or(self.tasks)).unwrap_or_default();
                let drawn = std::str::from_utf8(self.tasks).unwrap_or_default();
                Some(edit::task_lines(base, text, drawn, scratch))
            }
            View::Develop | View::Debug | View::Validate | View::Changes | View::Summary => {
                Some(whole(Reason::Owned))
            }
        }
    }

    /// The document its author started from: the one of the revision it names, if that is kept;
    /// without a revision the one drawn last.
    fn base_document(&self, run: &str, last: Option<&[u8]>, edit: &Value) -> Option<Value> {
        let Some(rev) = edit["ext"]["rev"].as_u64() else {
            return parse(last.unwrap_or(self.json));
        };
        if rev == self.seq {
            return parse(self.json);
        }
        let cache = self.loop_dir.join("cache");
        Bases::of(&cache, &View::Json.file_name(run)).base(rev).and_then(|kept| parse(&kept))
    }

    /// Keeps the bytes of an edit among the refused ones and answers what to tell.
    pub(super) fn set_aside(
        &self,
        (run, view): (&str, View),
        way: Pending,
        lines: Vec<Line>,
    ) -> Notice {
        let kept = way.refuse(self.loop_dir, run, self.seq, &view.file_name(run));
        Notice::new(run, view.relative(run), kept, lines)
    }
}

/// What is refused unread.
pub(super) fn unfit(why: Unfit) -> Outcome {
    whole(match why {
        Unfit::NoText => Reason::Invalid,
        Unfit::Open => Reason::Conflict,
    })
}

fn whole(reason: Reason) -> Outcome {
    Outcome::whole("$", reason, Owner::Engine)
}

/// A JSON text; a mark of its encoding in front of it is passed over.
fn parse(bytes: &[u8]) -> Option<Value> {
    serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).ok()
}
