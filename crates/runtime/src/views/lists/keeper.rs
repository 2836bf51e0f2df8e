//! Keeps the lists of packages that are being run. It holds no state of a run, only the bytes drawn
//! last; what is being run, and until when, its caller says.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kernel::lifecycle::{self, Status};
use kernel::machine::{At, By};
use kernel::packages::Tongue;
use kernel::packages::check::{PROPOSAL, TASKS};

use super::edit::{Edit, mark_of, read, unfit, verdict};
use crate::tree::Hash;
use crate::view_file::{self, AGAIN_MS, Age, Bases, Fate, Found, Kept, Late, Pending, plain};
use crate::views::context::{LOOK_MS, Outcome, Seen};
use crate::views::{Line, Notice, Owner, PageLine, PageTold, Reason};

/// Characters of a note below a task.
const NOTE_CHARS: usize = 200;
/// The refusal of an edit that is not a mark.
const USE_AMEND: &str = "session.use_amend";

/// What drives a package.
#[derive(Debug)]
pub enum Driver<'a> {
    /// Its tasks are the list's.
    Lifecycle(&'a lifecycle::State),
    /// It knows nothing of the list; the marks stay as they were picked.
    Loop,
}

/// A list that is to be drawn.
#[derive(Debug)]
pub struct List<'a> {
    /// The driver's run.
    pub run: &'a str,
    /// Its position.
    pub seq: u64,
    /// The package's directory.
    pub dir: PathBuf,
    /// How people see it.
    pub shown: &'a str,
    /// The language of notes.
    pub lang: Tongue,
    /// What drives it.
    pub driver: Driver<'a>,
}

/// The lists of all packages that are being run.
#[derive(Debug)]
pub struct Lists {
    loop_dir: PathBuf,
    drawn: BTreeMap<String, Drawn>,
    edits: Vec<Edit>,
    late: Late<String>,
    /// When to draw a list again, because an edit of it was met half written.
    again: BTreeMap<String, At>,
    looked: At,
}

/// What is remembered of a list.
#[derive(Debug)]
struct Drawn {
    path: PathBuf,
    bytes: Vec<u8>,
    proposal: Option<Hash>,
}

impl Lists {
    /// None yet. What an engine before left half drawn is removed, also of lists that are drawn no
    /// more; edits stay for whoever draws the list next.
    #[must_use]
    pub fn new(loop_dir: PathBuf) -> Self {
        let lists = Self {
            loop_dir,
            drawn: BTreeMap::new(),
            edits: Vec::new(),
            late: Late::default(),
            again: BTreeMap::new(),
            looked: At(0),
        };
        for room in fs::read_dir(lists.rooms()).into_iter().flatten().flatten() {
            drop(view_file::sweep(&room.path()));
        }
        lists
    }

    /// The runs whose lists are kept.
    #[must_use]
    pub fn kept(&self) -> Vec<String> {
        self.drawn.keys().cloned().collect()
    }

    /// Runs whose list is to be drawn now: one that somebody touched, or one whose edit was met
    /// half written.
    pub fn due(&mut self, now: At) -> Vec<String> {
        let ripe = self.again.iter().filter(|(_, at)| **at <= now);
        let mut due: Vec<String> = ripe.map(|(run, _)| run.clone()).collect();
        self.again.retain(|_, at| *at > now);
        if now.since(self.looked) >= LOOK_MS {
            self.looked = now;
            let touched = |(_, drawn): &(&String, &Drawn)| {
                plain(&drawn.path).as_ref() != Some(&drawn.bytes)
                    || proposal(&drawn.path) != drawn.proposal
            };
            due.extend(self.drawn.iter().filter(touched).map(|(run, _)| run.clone()));
        }
        due.sort();
        due.dedup();
        due
    }

    /// When to ask for them next; never while no list is kept.
    #[must_use]
    pub fn next_due(&self) -> Option<At> {
        let look = (!self.drawn.is_empty()).then(|| self.looked.plus(LOOK_MS));
        look.into_iter().chain(self.again.values().copied()).min()
    }

    /// Looks once more at what drawings displaced; what somebody wrote there is an edit.
    pub fn look_late(&mut self, age: Age) {
        for Kept { of: run, displaced, drawn } in self.late.edited(age) {
            self.again.insert(run.clone(), At(0));
            self.edits.push(Edit::new(run, displaced, drawn));
        }
    }

    /// How long until there is something to look at once more.
    #[must_use]
    pub fn late_wait(&self) -> Option<Duration> {
        self.late.wait()
    }

    /// A package is no longer run: what is left of edits of its list is set aside.
    pub fn let_go(&mut self, run: &str, shown: &str) -> Vec<Notice> {
        self.drawn.remove(run);
        self.again.remove(run);
        let (mine, others): (Vec<Edit>, Vec<Edit>) =
            std::mem::take(&mut self.edits).into_iter().partition(|edit| edit.run == run);
        self.edits = others;
        let unasked = mine.into_iter().map(|edit| edit.way).filter(|way| !way.is_asked());
        let whole = || Outcome::whole("use_amend");
        unasked.map(|way| self.set_aside(way, whole(), (run, 0, shown))).collect()
    }

    /// Draws a list as its tasks stand, and looks at what was displaced.
    pub fn draw(&mut self, list: &List<'_>, now: At) -> Seen {
        let mut seen = Seen::default();
        let path = list.dir.join(TASKS);
        let Some(base) = self.base(list, &path) else { return seen };
        let Some(new) = drawn(&base, list) else { return seen };
        // Without it a later engine takes what is there for the author's.
        let _ = self.bases(list.run).put(list.seq, &new);
        if let Err(error) = self.put(list.run, &path, &new, &base) {
            seen.notices.push(not_drawn(list, &error));
            self.again.insert(list.run.to_owned(), now.plus(LOOK_MS));
        }
        self.look_at_proposal(list, &path, &mut seen);
        self.settle(list, now, &mut seen);
        seen
    }

    fn bases(&self, run: &str) -> Bases {
        Bases::of(&self.loop_dir.join("cache"), &format!("{run}.{TASKS}"))
    }

    /// Temporary files are kept away from the package: it may be moved while they are there.
    fn room(&self, run: &str) -> PathBuf {
        self.rooms().join(run)
    }

    fn rooms(&self) -> PathBuf {
        self.loop_dir.join("cache").join("lists")
    }

    /// What was drawn last, by us or by an engine before; at first it is what its author left.
    fn base(&mut self, list: &List<'_>, path: &Path) -> Option<Vec<u8>> {
        if let Some(drawn) = self.drawn.get(list.run) {
            return Some(drawn.bytes.clone());
        }
        let bases = self.bases(list.run);
        let newest = bases.revs().ok().and_then(|revs| bases.base(*revs.last()?));
        let base = newest.or_else(|| plain(path))?;
        for left in view_file::sweep(&self.room(list.run)).unwrap_or_default() {
            let (run, displaced) = (list.run.to_owned(), left.edit);
            self.edits.push(Edit::new(run, displaced, base.clone()));
        }
        Some(base)
    }

    fn put(
        &mut self,
        run: &str,
        path: &Path,
        new: &[u8],
        base: &[u8],
    ) -> Result<(), view_file::Error> {
        let seen = self.drawn.get(run).map_or_else(|| proposal(path), |drawn| drawn.proposal);
        let known = Drawn { path: path.to_owned(), bytes: new.to_vec(), proposal: seen };
        if plain(path).as_deref() == Some(new) {
            self.drawn.insert(run.to_owned(), known);
            return Ok(());
        }
        let room = self.room(run);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&room)?;
        let drawn = match view_file::draw_from(&room, path, new, Some(base)) {
            Err(view_file::Error::Io(why)) if why.kind() == io::ErrorKind::CrossesDevices => {
                view_file::draw(path, new, Some(base))?
            }
            drawn => drawn?,
        };
        self.drawn.insert(run.to_owned(), known);
        match drawn.found {
            Found::Nothing => {}
            Found::LastDrawn(old) => self.late.keep(run.to_owned(), old, base.to_vec()),
            Found::Edit(displaced) => {
                let (run, base) = (run.to_owned(), base.to_vec());
                self.edits.push(Edit::new(run, displaced, base));
            }
        }
        Ok(())
    }

    /// An edit of the proposal is noted once, and has no effect on what is being run.
    fn look_at_proposal(&mut self, list: &List<'_>, path: &Path, seen: &mut Seen) {
        let now = proposal(path);
        let Some(known) = self.drawn.get_mut(list.run).filter(|it| it.proposal != now) else {
            return;
        };
        known.proposal = now;
        let outcome = Outcome::whole("no_effect");
        let told = PageTold { refused: outcome.refused, ..PageTold::default() };
        let file = format!("{}/{PROPOSAL}", list.shown);
        let notice = Notice::of_page(list.run, file, None, told);
        seen.notices.push(Notice { code: USE_AMEND.to_owned(), ..notice });
    }

    fn settle(&mut self, list: &List<'_>, now: At, seen: &mut Seen) {
        let (mine, others): (Vec<Edit>, Vec<Edit>) =
            std::mem::take(&mut self.edits).into_iter().partition(|edit| edit.run == list.run);
        self.edits = others;
        for edit in mine {
            let judge = |way: &Pending, bytes: &[u8]| verdict(way, bytes, &list.driver, now);
            match edit.way.settle(list.seq, unfit, judge) {
                Fate::Gone => {}
                Fate::Wait(way) => {
                    self.again.insert(list.run.to_owned(), now.plus(AGAIN_MS));
                    self.edits.push(Edit { run: list.run.to_owned(), way });
                }
                Fate::Asked(way, outcome) => {
                    seen.commands.extend(outcome.commands);
                    self.edits.push(Edit { run: list.run.to_owned(), way });
                }
                Fate::Refused(way, outcome) => {
                    seen.commands.extend(outcome.commands.iter().cloned());
                    let notice = self.set_aside(way, outcome, (list.run, list.seq, list.shown));
                    seen.notices.push(allowed(notice, &list.driver));
                }
            }
        }
    }

    /// Keeps its bytes among the refused ones and answers what to tell.
    fn set_aside(
        &self,
        way: Pending,
        outcome: Outcome,
        (run, seq, shown): (&str, u64, &str),
    ) -> Notice {
        let kept = way.refuse(&self.loop_dir, run, seq, TASKS);
        let amends = outcome.refused.iter().any(|line: &PageLine| line.reason == "use_amend");
        let told = PageTold { refused: outcome.refused, ..PageTold::default() };
        let notice = Notice::of_page(run, format!("{shown}/{TASKS}"), kept, told);
        if amends { Notice { code: USE_AMEND.to_owned(), ..notice } } else { notice }
    }
}

/// The notice with what may be said instead.
fn allowed(mut notice: Notice, driver: &Driver<'_>) -> Notice {
    if let (Driver::Lifecycle(state), Some(page)) = (driver, &mut notice.page) {
        let words = lifecycle::allowed(state, &By::Person);
        page.allowed = words.into_iter().map(str::to_owned).collect();
    }
    notice
}

/// The list with the marks, notes and counters of its tasks; none where it can't be read.
fn drawn(base: &[u8], list: &List<'_>) -> Option<Vec<u8>> {
    let mut tasks = read(base)?;
    if let Driver::Lifecycle(state) = &list.driver {
        let work = state.life().and_then(|life| life.phase.work());
        for task in work.into_iter().flat_map(|work| &work.tasks) {
            let (id, status) = (&task.spec.id, mark_of(task.status));
            // A mark that nobody knows is kept until its task stands otherwise.
            if tasks.task(id).is_some_and(|known| known.status() != status) {
                tasks.set_status(id, status);
            }
            let stuck = matches!(task.status, Status::Failed | Status::Blocked);
            let said = task.summary.as_deref().map(str::trim).filter(|said| !said.is_empty());
            if let Some(said) = said.filter(|_| stuck) {
                let first = said.lines().next().unwrap_or_default();
                let note: String = first.chars().take(NOTE_CHARS).collect();
                tasks.add_note(id, &note, list.lang);
            }
        }
        if work.is_some() {
            tasks.recount();
        }
    }
    Some(tasks.text().render().into_bytes())
}

fn not_drawn(list: &List<'_>, error: &view_file::Error) -> Notice {
    let line = Line {
        path: error.to_string(),
        reason: Reason::NotDrawn,
        owner: Owner::Engine,
        command: String::new(),
    };
    Notice::new(list.run, format!("{}/{TASKS}", list.shown), None, vec![line])
}

fn proposal(list: &Path) -> Option<Hash> {
    plain(&list.with_file_name(PROPOSAL)).map(|bytes| Hash::of(&bytes))
}
