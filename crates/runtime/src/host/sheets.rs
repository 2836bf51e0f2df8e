//! The pages of collabs, drawn by the host after each durable batch. They belong to nobody outside;
//! an edit of one is set aside and told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::{Fault, Journal};
use kernel::collab::State;
use kernel::collab::view::Meta;
use serde_json::Value;

use crate::collab::{self, Glance, Log};
use crate::engine::Run;
use crate::redact::Redactor;
use crate::shim::durable;
use crate::views::{Notice, Room, Sealed};
use crate::words::Lang;

/// A snapshot holds states and errors, no answers.
const SNAPSHOT_BYTES_MAX: u64 = 4 << 20;

/// Draws the pages of collabs.
pub(super) struct Sheets {
    loop_dir: PathBuf,
    lang: Lang,
    redactor: Arc<Redactor>,
    pub(super) sealed: Sealed,
    /// The logs of runs that have not ended.
    logs: BTreeMap<String, Log>,
    /// Notices about what an earlier engine left behind.
    left: Vec<Notice>,
}

impl Sheets {
    pub(super) fn new(loop_dir: &Path, lang: Lang, redactor: Arc<Redactor>) -> Self {
        let (sealed, left) = Sealed::new(loop_dir.to_owned(), Room::Collab);
        Self { loop_dir: loop_dir.to_owned(), lang, redactor, sealed, logs: BTreeMap::new(), left }
    }

    /// Draws a run as it stands; what people are to be told.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub(super) fn draw(
        &mut self,
        id: &str,
        run: &Run,
        state: &State,
        seen: Glance<'_>,
        journal: &dyn Journal,
    ) -> Result<Vec<Notice>, Fault> {
        let meta = Meta {
            run_id: id.to_owned(),
            parent: run.parent.clone(),
            seq: run.seq,
            updated_at: run.updated_at,
        };
        let texts = collab::texts(state, &self.loop_dir, &self.redactor);
        let log = self.logs.entry(id.to_owned()).or_default();
        log.go_on(journal, id, &self.redactor)?;
        let pages = collab::pages(state, &meta, seen, self.lang, &texts, log);
        let mut notices = std::mem::take(&mut self.left);
        notices.extend(self.sealed.draw(id, run.seq, &pages));
        Ok(notices)
    }

    /// Whether the pages of a run were drawn at this record, so that one that has ended need not be
    /// folded again.
    pub(super) fn stands_at(&self, id: &str, seq: u64) -> bool {
        let there =
            |kind: &str| self.loop_dir.join(Room::Collab.name()).join(format!("{id}.{kind}"));
        let read = durable::read(&there("json"), SNAPSHOT_BYTES_MAX).ok();
        let snapshot = read.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        snapshot.is_some_and(|snapshot| snapshot["ext"]["seq"] == seq)
            && ["md", "log"].into_iter().all(|kind| there(kind).is_file())
    }

    /// The run whose page somebody changed.
    pub(super) fn touched<'a>(&self, name: &'a str) -> Option<&'a str> {
        self.sealed.touched(name)
    }

    pub(super) fn forget(&mut self, id: &str) {
        self.sealed.forget(id);
        self.logs.remove(id);
    }
}
