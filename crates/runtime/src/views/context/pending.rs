//! Edits of the page that drawings displaced, and what each means. How long it is waited for is
//! not said here.

use std::path::{Path, PathBuf};

use kernel::lifecycle::State;
use kernel::lifecycle::document::context::{Page, read};
use kernel::machine::At;

use super::judged::{Outcome, Pages, judge, readable};
use crate::redact::Redactor;
use crate::view_file::{Bases, Displaced, Pending, Unfit, Verdict};

/// One displaced edit.
#[derive(Debug)]
pub(super) struct Edit {
    pub run: String,
    /// Where the page stood.
    pub path: PathBuf,
    pub way: Pending,
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
        Self { run, path, way: Pending::new(displaced, base) }
    }
}

/// What is refused unread.
pub(super) fn unfit(why: Unfit) -> Outcome {
    Outcome::whole(match why {
        Unfit::NoText => "view_only",
        Unfit::Open => "conflict",
    })
}

impl Now<'_> {
    /// What it means that somebody changed the page of this run so.
    pub(super) fn verdict(&self, run: &str, edit: &Pending, bytes: &[u8]) -> Verdict<Outcome> {
        if !readable(bytes) && edit.may_be_half() {
            return Verdict::Half;
        }
        if edit.adds_secret(bytes, self.redactor) {
            return Verdict::Refuse(Outcome::whole("secret"));
        }
        let Some(base) = self.base_page(run, edit.base(), bytes) else {
            return Verdict::Refuse(Outcome::whole("conflict"));
        };
        let pages = Pages { base: &base, now: self.page, scratch: &self.scratch };
        let outcome = judge(&pages, bytes, self.state, self.at);
        if !outcome.refused.is_empty() {
            Verdict::Refuse(outcome)
        } else if outcome.commands.is_empty() {
            Verdict::Nothing
        } else {
            Verdict::Ask(outcome)
        }
    }

    /// The page its author started from: the one of the position it names, if that is kept;
    /// without a position the one drawn last. One of another run, or too old, is none.
    fn base_page(&self, run: &str, last: Option<&[u8]>, bytes: &[u8]) -> Option<Page> {
        let page = |bytes: &[u8]| read(bytes).ok()?.page().ok();
        let last = || last.and_then(page).filter(|last| last.head.run_id == run);
        let Ok(found) = read(bytes) else { return last().or_else(|| Some(self.page.clone())) };
        if found.run_id().is_some_and(|of| of != run) {
            return None;
        }
        let Some(seq) = found.seq() else { return last().or_else(|| Some(self.page.clone())) };
        if let Some(last) = last().filter(|last| last.head.seq == seq) {
            return Some(last);
        }
        if seq == self.page.head.seq {
            return Some(self.page.clone());
        }
        let kept = Bases::of(&self.loop_dir.join("cache"), &base_name(run)).base(seq);
        // A position that nobody ever drew is itself an edit, of what was drawn last.
        let newer = seq > self.page.head.seq;
        kept.as_deref().and_then(page).or_else(|| newer.then(|| self.page.clone()))
    }
}
