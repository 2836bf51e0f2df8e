//! The folders of turns, drawn by the host after each durable batch. Their files belong to nobody
//! outside; an edit of one is set aside and told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::{Fault, Journal};
use kernel::turn::State;

use crate::redact::Redactor;
use crate::sessions;
use crate::shim::durable;
use crate::turns::{self, Audit};
use crate::views::{Notice, Room, Sealed};
use crate::words::Lang;

/// The end of an audit log that holds its last line: a plan is the longest fact.
const TAIL_BYTES: u64 = 2 << 20;

/// Draws the folders of turns.
pub(super) struct Folders {
    loop_dir: PathBuf,
    redactor: Arc<Redactor>,
    lang: Lang,
    units: Arc<crate::sessions::Around>,
    pub(super) sealed: Sealed,
    pub(super) sessions: Sealed,
    /// The audit logs of turns that have not ended.
    logs: BTreeMap<String, Audit>,
    /// Notices about what an earlier engine left behind.
    left: Vec<Notice>,
}

impl Folders {
    pub(super) fn new(
        loop_dir: &Path,
        redactor: Arc<Redactor>,
        lang: Lang,
        units: Arc<crate::sessions::Around>,
    ) -> Self {
        let (sealed, mut left) = Sealed::new(loop_dir.to_owned(), Room::Turns);
        let (sessions, more) = Sealed::new(loop_dir.to_owned(), Room::Sessions);
        left.extend(more);
        let loop_dir = loop_dir.to_owned();
        Self { loop_dir, redactor, lang, units, sealed, sessions, logs: BTreeMap::new(), left }
    }

    /// Draws a turn as it stands; what people are to be told.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub(super) fn draw(
        &mut self,
        id: &str,
        seq: u64,
        state: &State,
        journal: &dyn Journal,
    ) -> Result<Vec<Notice>, Fault> {
        let log = self.logs.entry(id.to_owned()).or_default();
        log.go_on(journal, id, &self.redactor)?;
        let pages = turns::pages(state, log, &self.loop_dir, &self.redactor);
        let mut notices = std::mem::take(&mut self.left);
        notices.extend(self.sealed.draw(id, seq, &pages));
        Ok(notices)
    }

    /// Draws the page of a session; what people are to be told.
    pub(super) fn session(
        &mut self,
        id: &str,
        state: &kernel::session::State,
        beside: sessions::Beside,
    ) -> Vec<Notice> {
        let (seq, around) = (beside.seq, (self.lang, &self.units.settings));
        let drawn = sessions::page(id, state, beside, around, &self.redactor);
        let Some((name, page)) = drawn else { return Vec::new() };
        self.sessions.draw(&name, seq, &[page])
    }

    /// The session whose page somebody changed.
    pub(super) fn session_touched(&self, name: &str) -> Option<String> {
        self.sessions.touched(name).map(sessions::named)
    }

    /// Whether the folder of a turn was drawn at this record, so that one that has ended need not
    /// be folded again.
    pub(super) fn stands_at(&self, id: &str, seq: u64) -> bool {
        let dir = self.loop_dir.join(Room::Turns.name()).join(id);
        let tail = durable::read_tail(&dir.join(turns::AUDIT_FILE), TAIL_BYTES);
        let last = tail.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let entry = serde_json::from_slice::<kernel::turn::AuditLogEntry>(last).ok();
        entry.is_some_and(|entry| entry.seq == seq)
            && [turns::SUMMARY_FILE, turns::SUMMARY_PAGE]
                .iter()
                .all(|file| dir.join(file).is_file())
    }

    /// The turn whose file somebody changed.
    pub(super) fn touched<'a>(&self, name: &'a str) -> Option<&'a str> {
        self.sealed.touched(name)
    }

    pub(super) fn forget(&mut self, id: &str) {
        self.sealed.forget(id);
        self.logs.remove(id);
    }
}
