//! The pages of collabs, drawn by the host after each durable batch. They belong to nobody outside;
//! an edit of one is set aside and told.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::collab::State;
use kernel::collab::view::Meta;
use kernel::machine::At;

use crate::collab;
use crate::engine::Run;
use crate::redact::Redactor;
use crate::views::{Notice, Sealed};
use crate::words::Lang;

/// The directory of these pages, below ours.
const ROOM: &str = "collab";

/// Draws the pages of collabs.
pub(super) struct Sheets {
    loop_dir: PathBuf,
    lang: Lang,
    redactor: Arc<Redactor>,
    sealed: Sealed,
    /// Notices about what an earlier engine left behind.
    left: Vec<Notice>,
}

impl Sheets {
    pub(super) fn new(loop_dir: &Path, lang: Lang, redactor: Arc<Redactor>) -> Self {
        let (sealed, left) = Sealed::new(loop_dir.to_owned(), ROOM);
        Self { loop_dir: loop_dir.to_owned(), lang, redactor, sealed, left }
    }

    /// Draws a run as it stands; what people are to be told.
    pub(super) fn draw(&mut self, id: &str, run: &Run, state: &State, now: At) -> Vec<Notice> {
        let meta = Meta {
            run_id: id.to_owned(),
            parent: run.parent.clone(),
            seq: run.seq,
            updated_at: run.updated_at,
        };
        let texts = collab::texts(state, &self.loop_dir, &self.redactor);
        let pages = collab::pages(state, &meta, now, self.lang, &texts);
        let mut notices = std::mem::take(&mut self.left);
        notices.extend(self.sealed.draw(id, run.seq, &pages));
        notices
    }

    /// The run whose page somebody changed.
    pub(super) fn touched<'a>(&self, name: &'a str) -> Option<&'a str> {
        self.sealed.touched(name)
    }

    pub(super) fn forget(&mut self, id: &str) {
        self.sealed.forget(id);
    }
}
