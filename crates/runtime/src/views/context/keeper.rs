//! Keeps the page of working memory of every lifecycle: one beside each run, and one for the run of
//! the checked-out branch at the place that people know. It holds no state of a run, only the bytes
//! drawn last.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kernel::lifecycle::document::Form;
use kernel::lifecycle::document::context::{Around, form, read, show};
use kernel::lifecycle::{self, Command, State};
use kernel::machine::{At, By};

use super::super::known;
use super::super::notice::{Line, Notice, Owner, Reason};
use super::judged::Outcome;
use super::pending::{Edit, Now, base_name, unfit};
use super::told::PageTold;
use crate::query;
use crate::redact::Redactor;
use crate::view_file::{self, AGAIN_MS, Age, Bases, Fate, Found, Kept, Late, Pending, plain};
use crate::words::Lang;

/// The page's own name.
pub const PAGE: &str = "active_context.md";
/// How often pages are compared with what was drawn.
pub const LOOK_MS: u64 = 2000;
/// Under which name the hashes of the page that people know are kept: it shows many runs.
const MAIN: &str = "active_context";

/// Where a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Only beside its own files.
    Own,
    /// Also at the place that people know.
    Main,
}

/// What a drawing found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What edits ask for, in order.
    pub commands: Vec<Command>,
    /// What people are to be told.
    pub notices: Vec<Notice>,
}

/// The pages of all lifecycles.
#[derive(Debug)]
pub struct Contexts {
    loop_dir: PathBuf,
    main: PathBuf,
    lang: Lang,
    redactor: Arc<Redactor>,
    drawn: BTreeMap<PathBuf, Drawn>,
    edits: Vec<Edit>,
    late: Late<(String, PathBuf)>,
    /// The scratchpad that edits asked for, and the position at which they did: until the run is
    /// further, the next edit is merged with that and not with what is drawn.
    scratch: BTreeMap<String, (u64, Vec<String>)>,
    /// When to draw a run again, because an edit of its page was met half written.
    again: BTreeMap<String, At>,
    looked: At,
    last_session_end: Option<String>,
}

/// What is remembered of a page.
#[derive(Debug)]
struct Drawn {
    run: String,
    bytes: Vec<u8>,
}

/// Local time, to the minute.
#[must_use]
pub fn local_minute(at: At) -> String {
    let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
    let moment = jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::MAX);
    moment.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// When the last client left, as the page of a run says it: nothing else keeps that.
#[must_use]
pub fn last_session_end(loop_dir: &Path, run: &str) -> Option<String> {
    said_of_end(&own(loop_dir, run))
}

fn said_of_end(page: &Path) -> Option<String> {
    let page = plain(page).and_then(|bytes| read(&bytes).ok()?.page().ok());
    page.and_then(|page| page.head.last_session_end)
}

fn own(loop_dir: &Path, run: &str) -> PathBuf {
    loop_dir.join("runs").join(run).join(PAGE)
}

impl Contexts {
    /// Starts to keep the pages. Edits that a crash left in the middle of a drawing are found again
    /// at the first drawing of their run.
    #[must_use]
    pub fn new(loop_dir: PathBuf, main: PathBuf, lang: Lang, redactor: Arc<Redactor>) -> Self {
        let last_session_end = said_of_end(&main);
        let mut contexts = Self {
            loop_dir,
            main,
            lang,
            redactor,
            drawn: BTreeMap::new(),
            edits: Vec::new(),
            late: Late::default(),
            scratch: BTreeMap::new(),
            again: BTreeMap::new(),
            looked: At(0),
            last_session_end,
        };
        contexts.sweep();
        contexts
    }

    fn own(&self, run: &str) -> PathBuf {
        own(&self.loop_dir, run)
    }

    /// Finds edits that a crash left beside their pages.
    fn sweep(&mut self) {
        let runs = fs::read_dir(self.loop_dir.join("runs")).into_iter().flatten().flatten();
        let own = runs.map(|entry| entry.path().join(PAGE));
        for path in own.chain([self.main.clone()]).collect::<Vec<_>>() {
            let Some(dir) = path.parent() else { continue };
            // A directory that can't be read now is swept at the next start.
            for left in view_file::sweep(dir).unwrap_or_default() {
                let of_page = path.file_name().is_some_and(|name| *name == *left.view);
                let run = of_page.then(|| self.run_of(&path, left.edit.path())).flatten();
                let Some(run) = run else { continue };
                self.edits.push(Edit::new(run, path.clone(), left.edit, None));
            }
        }
    }

    /// Whose page an edit was: as it says, or as its directory does.
    fn run_of(&self, path: &Path, edit: &Path) -> Option<String> {
        let says = plain(edit).and_then(|bytes| Some(read(&bytes).ok()?.run_id()?.to_owned()));
        let beside = path.parent()?.file_name()?.to_str()?.to_owned();
        says.or_else(|| (*path != self.main).then_some(beside))
    }

    /// The last client left.
    pub fn left(&mut self, now: At) {
        self.last_session_end = Some(local_minute(now));
    }

    /// Runs whose page is to be drawn now: one that somebody touched, or one whose edit was met
    /// half written.
    pub fn due(&mut self, now: At) -> Vec<String> {
        let ripe: Vec<String> =
            self.again.iter().filter(|(_, at)| **at <= now).map(|(run, _)| run.clone()).collect();
        self.again.retain(|_, at| *at > now);
        let mut due = ripe;
        if now.since(self.looked) >= LOOK_MS {
            self.looked = now;
            let touched =
                |(path, drawn): &(&PathBuf, &Drawn)| plain(path).as_ref() != Some(&drawn.bytes);
            due.extend(self.drawn.iter().filter(touched).map(|(_, drawn)| drawn.run.clone()));
        }
        due.sort();
        due.dedup();
        due
    }

    /// Whether pages were compared just now.
    #[must_use]
    pub fn looked_at(&self, now: At) -> bool {
        self.looked == now
    }

    /// When to ask for them next; never while no page is kept.
    #[must_use]
    pub fn next_due(&self) -> Option<At> {
        let look = (!self.drawn.is_empty()).then(|| self.looked.plus(LOOK_MS));
        look.into_iter().chain(self.again.values().copied()).min()
    }

    /// The run whose page has this name, seen from the loop directory, if its bytes are not ours.
    #[must_use]
    pub fn touched(&self, name: &str) -> Option<String> {
        let path = self.loop_dir.join(name);
        let drawn = self.drawn.get(&path)?;
        (plain(&path).as_ref() != Some(&drawn.bytes)).then(|| drawn.run.clone())
    }

    /// Looks once more at what drawings displaced; what somebody wrote there is an edit.
    pub fn look_late(&mut self, age: Age) {
        for Kept { of: (run, path), displaced, drawn } in self.late.edited(age) {
            self.again.insert(run.clone(), At(0));
            self.edits.push(Edit::new(run, path, displaced, Some(drawn)));
        }
    }

    /// How long until there is something to look at once more.
    #[must_use]
    pub fn late_wait(&self) -> Option<Duration> {
        self.late.wait()
    }

    /// Whether the page beside a run was drawn at this position, so that one that has ended need
    /// not be folded again.
    #[must_use]
    pub fn stands_at(&self, run: &str, seq: u64) -> bool {
        let page = plain(&self.own(run)).and_then(|bytes| read(&bytes).ok()?.page().ok());
        page.is_some_and(|page| page.head.seq == seq)
            && !self.edits.iter().any(|edit| edit.run == run)
    }

    /// Frees what is remembered of a run.
    pub fn forget(&mut self, run: &str) {
        let main = self.main.clone();
        self.drawn.retain(|path, drawn| drawn.run != run || *path == main);
    }

    /// Draws a run where it is shown, and looks at what was displaced.
    pub fn draw(
        &mut self,
        run: &str,
        (state, seq): (&State, u64),
        place: Place,
        history: Vec<String>,
        now: At,
    ) -> Seen {
        let Some(life) = state.life() else { return Seen::default() };
        let next = lifecycle::shown(state, None).map(|view| view.next_action);
        let lang = self.lang;
        let next_action = next.map(|next| query::next_sentence(&next, lang));
        let page = show(
            life,
            Around {
                next_action: next_action.unwrap_or_default(),
                noted: &|note| query::told_note(note, lang),
                minute: &local_minute,
                history,
                last_session_end: self.last_session_end.clone(),
            },
        );
        // Without it an edit of that position is refused as a conflict, and kept.
        let bases = Bases::of(&self.loop_dir.join("cache"), &base_name(run));
        let _ = bases.put(seq, &page.draw(Form::default()));
        let mut seen = Seen::default();
        let paths = match place {
            Place::Own => vec![self.own(run)],
            Place::Main => vec![self.own(run), self.main.clone()],
        };
        for path in paths {
            let form = self.form_at(&path);
            if let Err(error) = self.draw_at(run, &path, &page.draw(form)) {
                seen.notices.push(self.not_drawn(run, &path, &error));
                self.again.insert(run.to_owned(), now.plus(LOOK_MS));
            }
        }
        let (loop_dir, redactor) = (&self.loop_dir.clone(), &Arc::clone(&self.redactor));
        let asked = self.scratch.remove(run).filter(|(at, _)| *at >= seq);
        let scratch = asked.map_or_else(|| page.scratch.clone(), |(_, lines)| lines);
        let mut now = Now { loop_dir, state, page: &page, scratch, seq, at: now, redactor };
        self.settle(run, &mut now, &mut seen);
        if now.scratch != page.scratch {
            self.scratch.insert(run.to_owned(), (seq, now.scratch));
        }
        seen
    }

    /// The shape of what stands there, else of what was drawn there last.
    fn form_at(&self, path: &Path) -> Form {
        let there = plain(path).filter(|bytes| !bytes.is_empty());
        let last = || self.drawn.get(path).map(|drawn| drawn.bytes.clone());
        there.or_else(last).map_or_else(Form::default, |bytes| form(&bytes))
    }

    fn draw_at(&mut self, run: &str, path: &Path, new: &[u8]) -> Result<(), view_file::Error> {
        let key = if path == self.main { MAIN } else { run };
        let there = plain(path);
        if there.as_deref() == Some(new) {
            self.remember(run, path, new);
            return Ok(());
        }
        if let Some(dir) = path.parent() {
            // What can't be made here fails again, and is told, when the page is drawn.
            let _ = fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
        }
        let ours = |bytes: &Vec<u8>| known::is_known(&self.loop_dir, key, PAGE, bytes);
        let last = self.drawn.get(path).map(|drawn| drawn.bytes.clone());
        let last = last.or_else(|| there.filter(ours));
        known::about_to_draw(&self.loop_dir, key, PAGE, new);
        let drawn = view_file::draw(path, new, last.as_deref())?;
        self.remember(run, path, new);
        match drawn.found {
            Found::Nothing => {}
            Found::LastDrawn(old) => {
                let of = (run.to_owned(), path.to_owned());
                self.late.keep(of, old, last.unwrap_or_default());
            }
            Found::Edit(edit) => {
                let (run, path) = (run.to_owned(), path.to_owned());
                self.edits.push(Edit::new(run, path, edit, last));
            }
        }
        Ok(())
    }

    fn remember(&mut self, run: &str, path: &Path, bytes: &[u8]) {
        let drawn = Drawn { run: run.to_owned(), bytes: bytes.to_vec() };
        self.drawn.insert(path.to_owned(), drawn);
    }

    fn settle(&mut self, run: &str, now: &mut Now<'_>, seen: &mut Seen) {
        let (mine, others): (Vec<Edit>, Vec<Edit>) =
            std::mem::take(&mut self.edits).into_iter().partition(|edit| edit.run == run);
        self.edits = others;
        for edit in mine {
            let Edit { path, way, .. } = edit;
            let judge = |way: &Pending, bytes: &[u8]| now.verdict(run, way, bytes);
            match way.settle(now.seq, unfit, judge) {
                Fate::Gone => {}
                Fate::Wait(way) => {
                    self.again.insert(run.to_owned(), now.at.plus(AGAIN_MS));
                    self.edits.push(Edit { run: run.to_owned(), path, way });
                }
                Fate::Asked(way, outcome) => {
                    now.scratch = outcome.scratch.clone().unwrap_or_else(|| now.scratch.clone());
                    self.tell_doubts(run, &path, &outcome, seen);
                    seen.commands.extend(outcome.commands);
                    self.edits.push(Edit { run: run.to_owned(), path, way });
                }
                Fate::Refused(way, outcome) => {
                    now.scratch = outcome.scratch.clone().unwrap_or_else(|| now.scratch.clone());
                    seen.commands.extend(outcome.commands.iter().cloned());
                    let kept = way.refuse(&self.loop_dir, run, now.seq, PAGE);
                    seen.notices.push(self.refused(run, &path, kept, outcome, now));
                }
            }
        }
    }

    fn tell_doubts(&self, run: &str, path: &Path, outcome: &Outcome, seen: &mut Seen) {
        if !outcome.doubts.is_empty() {
            let told = PageTold { doubts: outcome.doubts.clone(), ..PageTold::default() };
            seen.notices.push(Notice::of_page(run, self.shown_path(path), None, told));
        }
    }

    /// What to tell of an edit whose bytes were kept there.
    fn refused(
        &self,
        run: &str,
        path: &Path,
        kept: Option<String>,
        outcome: Outcome,
        now: &Now<'_>,
    ) -> Notice {
        let allowed = lifecycle::allowed(now.state, &By::Person);
        let told = PageTold {
            refused: outcome.refused,
            doubts: outcome.doubts,
            allowed: allowed.into_iter().map(str::to_owned).collect(),
        };
        Notice::of_page(run, self.shown_path(path), kept, told)
    }

    fn shown_path(&self, path: &Path) -> String {
        path.strip_prefix(&self.loop_dir).unwrap_or(path).to_string_lossy().into_owned()
    }

    fn not_drawn(&self, run: &str, path: &Path, error: &view_file::Error) -> Notice {
        let line = Line {
            path: error.to_string(),
            reason: Reason::NotDrawn,
            owner: Owner::Engine,
            command: String::new(),
        };
        Notice::new(run, self.shown_path(path), None, vec![line])
    }
}
