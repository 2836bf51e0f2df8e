//! The room that a loop's pages need: their directory, the log beside them that others append to,
//! and what a crash or somebody's hand took from either.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use kernel::loops::{DEBUG_LOG, Life, Progress};

use super::super::debug_lines::{self, Refilled};
use super::super::known;
use super::super::names::{debug_log, owner_of, progress_dir};
use super::super::notice::{Line, Notice, Owner, Reason};
use super::super::pending::Edit;
use super::{Seen, Views};
use crate::view_file;

impl Views {
    /// Makes the directory of pages and the log that others append to, and sweeps it once.
    pub(super) fn make_room(&mut self, run: &str, life: &Life, seen: &mut Seen) {
        match life.body.progress {
            Progress::Fresh => return,
            Progress::Begun { .. } | Progress::Ready { .. } => {}
        }
        let dir = self.loop_dir.join(progress_dir(run));
        // What can't be made here fails again, and is told, when a page is drawn.
        let _ = fs::DirBuilder::new().recursive(true).mode(0o700).create(&dir);
        let log = debug_log(&self.loop_dir, run);
        let lost = !log.exists();
        let _ = OpenOptions::new().append(true).create(true).mode(0o600).open(log);
        let memory = self.drawn.entry(run.to_owned()).or_default();
        let swept = std::mem::replace(&mut memory.swept, true);
        if lost || !swept {
            self.refill(life, seen);
        }
        if !swept {
            self.sweep(&dir, &format!("{}/", progress_dir(run)));
        }
    }

    /// Puts back what is missing of the log of instrumented runs.
    fn refill(&self, life: &Life, seen: &mut Seen) {
        match debug_lines::refill(&self.loop_dir, &life.body, &self.redactor) {
            Refilled::Whole => {}
            Refilled::Samples => {
                let file = format!("{}/{DEBUG_LOG}", progress_dir(&life.body.id));
                let (reason, owner) = (Reason::Samples, Owner::Engine);
                let command = String::new();
                let line = Line { path: file.clone(), reason, owner, command };
                seen.notices.push(Notice::new(&life.body.id, file, None, vec![line]));
            }
        }
    }

    /// Looks at everything of a loop once more: somebody says that something is lost.
    pub fn look_again(&mut self, run: &str) {
        if let Some(memory) = self.drawn.get_mut(run) {
            memory.swept = false;
        }
        self.due.after(run, 0);
    }

    /// Finds edits that a crash left beside their views.
    pub(super) fn sweep(&mut self, dir: &Path, prefix: &str) {
        // A directory that can't be read now is swept at the next start.
        for left in view_file::sweep(dir).unwrap_or_default() {
            if let Some((run, view)) = owner_of(&format!("{prefix}{}", left.view)) {
                self.due.after(run, 0);
                let base = known::newest_base(&self.loop_dir, run, view);
                self.edits.push(Edit::new(run.to_owned(), view, left.edit, base));
            }
        }
    }
}
