//! Views that nobody outside owns: drawn whole, and whatever else is found in their place is kept
//! among the refused edits and told. No edit of one ever becomes a command.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::known;
use super::notice::{Line, Notice, Owner, Reason};
use crate::view_file::{self, Displaced, Found};

/// One page of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its file name, without a directory.
    pub file: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// The sealed views in one directory below the loop directory.
#[derive(Debug)]
pub struct Sealed {
    loop_dir: PathBuf,
    /// The directory's own name (`collab`).
    room: &'static str,
    /// What was drawn last, by run and file.
    drawn: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
}

impl Sealed {
    /// Starts to keep the views of `room`. What a crash left beside one is an edit like any other.
    #[must_use]
    pub fn new(loop_dir: PathBuf, room: &'static str) -> (Self, Vec<Notice>) {
        let keeper = Self { loop_dir, room, drawn: BTreeMap::new() };
        let left = view_file::sweep(&keeper.dir()).unwrap_or_default();
        let notices = left
            .into_iter()
            .map(|left| {
                let run = left.view.split('.').next().unwrap_or_default().to_owned();
                keeper.set_aside(&run, 0, &left.view, left.edit)
            })
            .collect();
        (keeper, notices)
    }

    fn dir(&self) -> PathBuf {
        self.loop_dir.join(self.room)
    }

    /// The run whose view has this name, seen from the loop directory, if its bytes are not ours.
    #[must_use]
    pub fn touched<'a>(&self, name: &'a str) -> Option<&'a str> {
        let file = name.strip_prefix(self.room)?.strip_prefix('/')?;
        let (run, _) = file.split_once('.')?;
        let last = self.drawn.get(run)?.get(file)?;
        let same = fs::read(self.dir().join(file)).is_ok_and(|there| there == *last);
        (!same).then_some(run)
    }

    /// Draws the pages that differ from what is there; what people are to be told.
    pub fn draw(&mut self, run: &str, seq: u64, pages: &[Page]) -> Vec<Notice> {
        // What can't be made here fails again, and is told, when a page is drawn.
        let _ = fs::DirBuilder::new().recursive(true).mode(0o700).create(self.dir());
        let mut notices = Vec::new();
        for page in pages {
            match self.draw_page(run, page) {
                Ok(None) => {}
                Ok(Some(edit)) => notices.push(self.set_aside(run, seq, &page.file, edit)),
                Err(error) => notices.push(self.not_drawn(run, &page.file, &error)),
            }
        }
        if let (Some(page), Err(error)) = (pages.first(), view_file::settle(&self.dir())) {
            notices.push(self.not_drawn(run, &page.file, &error));
        }
        notices
    }

    /// Frees what is remembered of a run.
    pub fn forget(&mut self, run: &str) {
        self.drawn.remove(run);
    }

    fn draw_page(&mut self, run: &str, page: &Page) -> Result<Option<Displaced>, view_file::Error> {
        let path = self.dir().join(&page.file);
        let there = fs::read(&path).ok();
        let mut last = self.drawn.get(run).and_then(|pages| pages.get(&page.file)).cloned();
        if there.as_ref() != Some(&page.bytes) {
            last = last.or_else(|| {
                there.filter(|bytes| known::is_known(&self.loop_dir, run, &page.file, bytes))
            });
            known::about_to_draw(&self.loop_dir, run, &page.file, &page.bytes);
            let drawn = view_file::draw(&path, &page.bytes, last.as_deref())?;
            self.remember(run, page);
            return Ok(match drawn.found {
                Found::Nothing | Found::LastDrawn => None,
                Found::Edit(edit) => Some(edit),
            });
        }
        self.remember(run, page);
        Ok(None)
    }

    fn remember(&mut self, run: &str, page: &Page) {
        let pages = self.drawn.entry(run.to_owned()).or_default();
        pages.insert(page.file.clone(), page.bytes.clone());
    }

    fn set_aside(&self, run: &str, seq: u64, file: &str, edit: Displaced) -> Notice {
        // If it can't be moved it stays under the name it has, and is found at the next start.
        let kept = edit.refuse(&self.loop_dir.join("refused"), run, seq, file).ok();
        let kept = kept.map(|path| relative(&self.loop_dir, &path));
        let line = Line {
            path: "$".to_owned(),
            reason: Reason::Owned,
            owner: Owner::Engine,
            command: String::new(),
        };
        Notice::new(run, format!("{}/{file}", self.room), kept, vec![line])
    }

    fn not_drawn(&self, run: &str, file: &str, error: &view_file::Error) -> Notice {
        let line = Line {
            path: error.to_string(),
            reason: Reason::NotDrawn,
            owner: Owner::Engine,
            command: String::new(),
        };
        Notice::new(run, format!("{}/{file}", self.room), None, vec![line])
    }
}

fn relative(base: &Path, path: &Path) -> String {
    path.strip_prefix(base).unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> [Page; 1] {
        [Page { file: "collab-a.json".to_owned(), bytes: text.as_bytes().to_vec() }]
    }

    #[test]
    fn an_edit_is_kept_told_and_drawn_over() {
        let dir = tempfile::tempdir().unwrap();
        let (mut views, left) = Sealed::new(dir.path().to_owned(), "collab");
        assert_eq!(left, []);
        let path = dir.path().join("collab/collab-a.json");
        assert_eq!(views.draw("collab-a", 1, &page("one")), []);
        assert_eq!(views.touched("collab/collab-a.json"), None);
        fs::write(&path, "mine").unwrap();
        assert_eq!(views.touched("collab/collab-a.json"), Some("collab-a"));
        let notices = views.draw("collab-a", 2, &page("one"));
        let kept = notices[0].kept.clone().unwrap();
        assert_eq!(fs::read(dir.path().join(kept)).unwrap(), b"mine");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        fs::remove_file(&path).unwrap();
        assert_eq!(views.draw("collab-a", 3, &page("two")), []);
        assert_eq!(fs::read(&path).unwrap(), b"two");
    }

    #[test]
    fn a_new_keeper_knows_what_its_predecessor_drew() {
        let dir = tempfile::tempdir().unwrap();
        let (mut first, _) = Sealed::new(dir.path().to_owned(), "collab");
        first.draw("collab-a", 1, &page("one"));
        let (mut second, _) = Sealed::new(dir.path().to_owned(), "collab");
        assert_eq!(second.draw("collab-a", 2, &page("two")), []);
    }
}
