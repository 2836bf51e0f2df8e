//! Views that nobody outside owns: drawn whole, and whatever else is found in their place is kept
//! among the refused edits and told. No edit of one ever becomes a command.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::context::{Outcome, PageTold};
use super::known;
use super::notice::{Line, Notice, Owner, Reason};
use crate::view_file::{self, Age, Displaced, Found, Kept, Late};

/// One page of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its file name, without a directory.
    pub file: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// A directory of sealed views below the loop directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// `collab/{run}.{kind}`
    Collab,
    /// `turns/{run}/{file}`
    Turns,
    /// `sessions/{key}.json`
    Sessions,
    /// `{run}.md` where plans are drawn, which a setting names.
    Plans,
}

impl Room {
    /// Every room that is always below the loop directory.
    pub(super) const ALL: [Self; 3] = [Self::Collab, Self::Turns, Self::Sessions];

    /// The directory's own name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Collab => "collab",
            Self::Turns => "turns",
            Self::Sessions => "sessions",
            Self::Plans => "prd",
        }
    }

    /// The run and the file that a name below the room belongs to.
    fn owner(self, name: &str) -> Option<(&str, &str)> {
        match self {
            Self::Collab => Some((name.split_once('.')?.0, name)),
            Self::Turns => name.split_once('/').filter(|(_, file)| !file.contains('/')),
            Self::Sessions => Some((name.strip_suffix(".json")?, name)),
            Self::Plans => Some((name.strip_suffix(".md")?, name)),
        }
    }

    /// The command that changes what a file shows; empty if there is none.
    fn command(self, run: &str, file: &str) -> String {
        match (self, file) {
            (Self::Turns, "plan.json" | "plan.md") => format!("loopwright turn edit {run} FILE"),
            (Self::Turns | Self::Collab | Self::Sessions | Self::Plans, _) => String::new(),
        }
    }
}

/// The sealed views in one directory below the loop directory.
#[derive(Debug)]
pub struct Sealed {
    loop_dir: PathBuf,
    room: Room,
    /// Where the room is, and how people see that.
    at: (PathBuf, String),
    /// What was drawn last, by run and file.
    drawn: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
    late: Late<(String, u64, String)>,
}

impl Sealed {
    /// Starts to keep the views of `room`. What a crash left beside one is an edit like any other.
    #[must_use]
    pub fn new(loop_dir: PathBuf, room: Room) -> (Self, Vec<Notice>) {
        let at = (loop_dir.join(room.name()), room.name().to_owned());
        Self::at(loop_dir, room, at)
    }

    /// The same of the room where plans are drawn, wherever that is.
    #[must_use]
    pub fn plans(loop_dir: PathBuf, root: &Path, dir: &str) -> (Self, Vec<Notice>) {
        Self::at(loop_dir, Room::Plans, (root.join(dir), dir.trim_end_matches('/').to_owned()))
    }

    fn at(loop_dir: PathBuf, room: Room, at: (PathBuf, String)) -> (Self, Vec<Notice>) {
        let keeper = Self { loop_dir, room, at, drawn: BTreeMap::new(), late: Late::default() };
        let notices = match room {
            Room::Collab | Room::Sessions | Room::Plans => keeper.swept(""),
            Room::Turns => {
                let runs = fs::read_dir(&keeper.at.0).into_iter().flatten();
                let runs = runs.flatten().filter_map(|entry| entry.file_name().into_string().ok());
                runs.flat_map(|run| keeper.swept(&run)).collect()
            }
        };
        (keeper, notices)
    }

    /// What a crash left in the directory of this run, or of all of them, set aside.
    fn swept(&self, of: &str) -> Vec<Notice> {
        let left = view_file::sweep(&self.dir(of)).unwrap_or_default();
        let aside = |left: view_file::Left| {
            let run = match self.room {
                Room::Collab => left.view.split('.').next().unwrap_or_default(),
                Room::Sessions => left.view.trim_end_matches(".json"),
                Room::Plans => left.view.trim_end_matches(".md"),
                Room::Turns => of,
            };
            self.set_aside(run, 0, &left.view, left.edit)
        };
        left.into_iter().map(aside).collect()
    }

    fn dir(&self, run: &str) -> PathBuf {
        match self.room {
            Room::Collab | Room::Sessions | Room::Plans => self.at.0.clone(),
            Room::Turns => self.at.0.join(run),
        }
    }

    /// A file as people see it.
    fn shown(&self, run: &str, file: &str) -> String {
        let room = &self.at.1;
        match self.room {
            Room::Collab | Room::Sessions | Room::Plans => format!("{room}/{file}"),
            Room::Turns => format!("{room}/{run}/{file}"),
        }
    }

    /// The runs whose views somebody changed since they were drawn.
    #[must_use]
    pub fn edited(&self) -> Vec<String> {
        let other = |run: &String, (file, last): (&String, &Vec<u8>)| {
            fs::read(self.dir(run).join(file)).ok().as_ref() != Some(last)
        };
        let runs = self.drawn.iter();
        let edited = runs.filter(|(run, pages)| pages.iter().any(|page| other(run, page)));
        edited.map(|(run, _)| run.clone()).collect()
    }

    /// The run whose view has this name, seen from the loop directory, if its bytes are not ours.
    #[must_use]
    pub fn touched<'a>(&self, name: &'a str) -> Option<&'a str> {
        let name = name.strip_prefix(self.room.name())?.strip_prefix('/')?;
        let (run, file) = self.room.owner(name)?;
        let last = self.drawn.get(run)?.get(file)?;
        let same = fs::read(self.dir(run).join(file)).is_ok_and(|there| there == *last);
        (!same).then_some(run)
    }

    /// Draws the pages that differ from what is there; what people are to be told.
    pub fn draw(&mut self, run: &str, seq: u64, pages: &[Page]) -> Vec<Notice> {
        // What can't be made here fails again, and is told, when a page is drawn.
        let _ = fs::DirBuilder::new().recursive(true).mode(0o700).create(self.dir(run));
        let mut notices = Vec::new();
        let due = self.due(run, pages);
        for (page, ..) in &due {
            known::about_to_draw(&self.loop_dir, run, &page.file, &page.bytes);
        }
        let drew = draw_all(&due);
        for ((page, _, last), drew) in due.into_iter().zip(drew) {
            match drew.map(|drawn| drawn.found) {
                Ok(Found::Nothing) => self.remember(run, page),
                Ok(Found::LastDrawn(old)) => {
                    self.remember(run, page);
                    let of = (run.to_owned(), seq, page.file.clone());
                    self.late.keep(of, old, last.unwrap_or_default());
                }
                Ok(Found::Edit(edit)) => {
                    self.remember(run, page);
                    notices.push(self.set_aside(run, seq, &page.file, edit));
                }
                Err(error) => notices.push(self.not_drawn(run, &page.file, &error)),
            }
        }
        if let (Some(page), Err(error)) = (pages.first(), view_file::settle(&self.dir(run))) {
            notices.push(self.not_drawn(run, &page.file, &error));
        }
        notices
    }

    /// Looks once more at what drawings displaced; what somebody wrote there is set aside.
    pub fn look_late(&mut self, age: Age) -> Vec<Notice> {
        let mut notices = Vec::new();
        for Kept { of: (run, seq, file), displaced, .. } in self.late.edited(age) {
            notices.push(self.set_aside(&run, seq, &file, displaced));
        }
        notices
    }

    /// How long until there is something to look at once more.
    #[must_use]
    pub fn late_wait(&self) -> Option<Duration> {
        self.late.wait()
    }

    /// Frees what is remembered of a run.
    pub fn forget(&mut self, run: &str) {
        self.drawn.remove(run);
    }

    /// The pages that differ from what is there.
    fn due<'a>(&mut self, run: &str, pages: &'a [Page]) -> Vec<Due<'a>> {
        let mut due = Vec::new();
        for page in pages {
            let path = self.dir(run).join(&page.file);
            let there = fs::read(&path).ok();
            if there.as_ref() == Some(&page.bytes) {
                self.remember(run, page);
                continue;
            }
            let last = self.drawn.get(run).and_then(|pages| pages.get(&page.file)).cloned();
            let ours = |bytes: &Vec<u8>| known::is_known(&self.loop_dir, run, &page.file, bytes);
            due.push((page, path, last.or_else(|| there.filter(ours))));
        }
        due
    }

    fn remember(&mut self, run: &str, page: &Page) {
        let pages = self.drawn.entry(run.to_owned()).or_default();
        pages.insert(page.file.clone(), page.bytes.clone());
    }

    fn set_aside(&self, run: &str, seq: u64, file: &str, edit: Displaced) -> Notice {
        // If it can't be moved it stays under the name it has, and is found at the next start.
        let kept = edit.refuse(&self.loop_dir.join("refused"), run, seq, file).ok();
        let kept = kept.map(|path| relative(&self.loop_dir, &path));
        if self.room == Room::Plans {
            let Outcome { refused, .. } = Outcome::whole("use_amend");
            let told = PageTold { refused, ..PageTold::default() };
            return Notice::of_page(run, self.shown(run, file), kept, told);
        }
        let line = Line {
            path: "$".to_owned(),
            reason: Reason::Owned,
            owner: Owner::Engine,
            command: self.room.command(run, file),
        };
        Notice::new(run, self.shown(run, file), kept, vec![line])
    }

    fn not_drawn(&self, run: &str, file: &str, error: &view_file::Error) -> Notice {
        let line = Line {
            path: error.to_string(),
            reason: Reason::NotDrawn,
            owner: Owner::Engine,
            command: String::new(),
        };
        Notice::new(run, self.shown(run, file), None, vec![line])
    }
}

/// A page, its path, and what was drawn there last.
type Due<'a> = (&'a Page, PathBuf, Option<Vec<u8>>);
type Drew = Result<view_file::Drawn, view_file::Error>;

/// Draws side by side: each page waits for the disk, and the engine waits for them all. Where no
/// thread is to be had, one after the other.
fn draw_all(pages: &[Due<'_>]) -> Vec<Drew> {
    let draw = |(page, path, last): &Due<'_>| view_file::draw(path, &page.bytes, last.as_deref());
    thread::scope(|scope| {
        let beside = |due| thread::Builder::new().spawn_scoped(scope, move || draw(due));
        let drawing: Vec<_> = pages.iter().map(|due| (due, beside(due))).collect();
        drawing
            .into_iter()
            .map(|(due, drawing)| match drawing {
                Ok(drawing) => drawing.join().expect("drawing does not panic"),
                Err(_) => draw(due),
            })
            .collect()
    })
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
        let (mut views, left) = Sealed::new(dir.path().to_owned(), Room::Collab);
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
    fn an_edit_of_a_plan_is_kept_and_leads_to_an_amendment() {
        let dir = tempfile::tempdir().unwrap();
        let loop_dir = dir.path().join(".loop");
        let (mut plans, _) = Sealed::plans(loop_dir.clone(), dir.path(), "docs/plans");
        let page = |text: &str| [Page { file: "lc-a.md".into(), bytes: text.into() }];
        let path = dir.path().join("docs/plans/lc-a.md");
        assert_eq!(plans.draw("lc-a", 1, &page("one")), []);
        assert!(plans.edited().is_empty());
        fs::write(&path, "mine").unwrap();
        assert_eq!(plans.edited(), ["lc-a"]);
        let notices = plans.draw("lc-a", 2, &page("two"));
        let [notice] = notices.as_slice() else { panic!("{notices:?}") };
        assert_eq!(
            (notice.code.as_str(), notice.file.as_str()),
            ("lifecycle.use_amend", "docs/plans/lc-a.md")
        );
        for lang in crate::words::Lang::ALL {
            assert!(notice.next_step(lang).contains("lifecycle amend FILE lc-a"));
            assert!(!notice.message(lang).contains('0'), "{}", notice.message(lang));
        }
        assert_eq!(fs::read(loop_dir.join(notice.kept.as_ref().unwrap())).unwrap(), b"mine");
        assert_eq!((fs::read(&path).unwrap(), plans.edited()), (b"two".to_vec(), vec![]));
    }

    #[test]
    fn a_new_keeper_knows_what_its_predecessor_drew() {
        let dir = tempfile::tempdir().unwrap();
        let (mut first, _) = Sealed::new(dir.path().to_owned(), Room::Collab);
        first.draw("collab-a", 1, &page("one"));
        let (mut second, _) = Sealed::new(dir.path().to_owned(), Room::Collab);
        assert_eq!(second.draw("collab-a", 2, &page("two")), []);
    }

    #[test]
    fn a_run_may_have_a_directory_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let page = |text: &str| [Page { file: "plan.json".into(), bytes: text.into() }];
        let (mut views, _) = Sealed::new(dir.path().to_owned(), Room::Turns);
        assert_eq!(views.draw("turn-a", 1, &page("one")), []);
        let path = dir.path().join("turns/turn-a/plan.json");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        fs::write(&path, "mine").unwrap();
        assert_eq!(views.touched("turns/turn-a/plan.json"), Some("turn-a"));
        let notices = views.draw("turn-a", 2, &page("two"));
        assert_eq!(notices[0].lines[0].command, "loopwright turn edit turn-a FILE");
        assert_eq!(notices[0].file, "turns/turn-a/plan.json");
        let kept = notices[0].kept.clone().unwrap();
        assert_eq!(kept, "refused/turn-a.2.plan.json");
        assert_eq!(fs::read(dir.path().join(kept)).unwrap(), b"mine");
        assert_eq!(
            (fs::read(&path).unwrap(), views.touched("turns/turn-a/plan.json")),
            (b"two".to_vec(), None)
        );
        fs::remove_file(&path).unwrap();
        assert_eq!(views.draw("turn-a", 3, &page("two")), []);
        assert_eq!(fs::read(&path).unwrap(), b"two", "one that is missing is drawn again");
    }
}
