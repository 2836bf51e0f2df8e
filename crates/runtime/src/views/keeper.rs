//! Keeps the views of all loops of a workspace: draws what changed, and looks at what a drawing
//! displaced. It holds no state of a loop, only the bytes drawn last.

mod room;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kernel::loops::{Life, Progress, State};
use kernel::machine::At;

use super::drawing::{self, Around};
use super::due::Due;
use super::edit::{Scratch, Wish};
use super::known;
use super::names::{View, owner_of, progress_dir};
use super::notice::{Line, Notice, Owner, Reason};
use super::pending::{Edit, Now, unfit};
use crate::redact::Redactor;
use crate::tasks::Tools;
use crate::view_file::{self, AGAIN_MS, Age, Fate, Found, Kept, Late, Pending, plain};

/// The default of the setting, for a task of a loop that was never started.
const DEFAULT_TOOL: &str = "gemini";
/// A view that could not be drawn is tried again after this long.
const RETRY_MS: u64 = 1000;
/// Then it waits for the next change: a disk that stays full must not keep the engine awake.
const RETRIES_MAX: u32 = 5;

/// What a drawing found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What edits ask for, by run, in order.
    pub wishes: Vec<(String, Wish)>,
    /// What people are to be told.
    pub notices: Vec<Notice>,
}

/// The views of all loops.
#[derive(Debug)]
pub struct Views {
    loop_dir: PathBuf,
    tools: Tools,
    redactor: Arc<Redactor>,
    due: Due,
    drawn: BTreeMap<String, Memory>,
    /// Views that somebody may have touched.
    suspects: BTreeSet<(String, View)>,
    edits: Vec<Edit>,
    late: Late<(String, View)>,
    /// What the children of loops wait for.
    around: BTreeMap<String, Around>,
    /// The latest moment the host named.
    now: At,
    redraws: u64,
}

/// What is remembered of a loop.
#[derive(Debug, Default)]
struct Memory {
    last: BTreeMap<View, Vec<u8>>,
    /// The status that was last drawn so that it outlasts a power cut.
    settled: Option<&'static str>,
    failures: u32,
    swept: bool,
}

impl Views {
    /// Starts to keep the views below `loop_dir`. Edits that a crash left in the middle of a
    /// drawing are found again.
    #[must_use]
    pub fn new(loop_dir: PathBuf, redactor: Arc<Redactor>) -> Self {
        let mut views = Self {
            loop_dir,
            tools: Tools { default: DEFAULT_TOOL.into(), agents: Vec::new() },
            redactor,
            due: Due::default(),
            drawn: BTreeMap::new(),
            suspects: BTreeSet::new(),
            edits: Vec::new(),
            late: Late::default(),
            around: BTreeMap::new(),
            now: At(0),
            redraws: 0,
        };
        views.sweep(&views.loop_dir.clone(), "");
        views
    }

    /// Who can do tasks of loops that were never started.
    #[must_use]
    pub fn with_tools(mut self, tools: Tools) -> Self {
        self.tools = tools;
        self
    }

    /// Notes a change that may wait for others.
    pub fn mark(&mut self, run_id: &str, now: At) {
        self.hear(now);
        self.due.mark(run_id, now);
    }

    /// The runs to draw now; each is named once.
    pub fn due(&mut self, now: At) -> Vec<String> {
        self.hear(now);
        self.due.take(now)
    }

    fn hear(&mut self, now: At) {
        self.now = self.now.max(now);
        for edit in &mut self.edits {
            edit.stamp(now);
        }
    }

    /// Looks once more at what drawings displaced; what somebody wrote there is an edit.
    pub fn look_late(&mut self, age: Age) {
        for Kept { of: (run, view), displaced, drawn } in self.late.edited(age) {
            self.due.after(&run, 0);
            self.edits.push(Edit::new(run, view, displaced, Some(drawn)));
        }
    }

    /// How long until there is something to look at once more.
    #[must_use]
    pub fn late_wait(&self) -> Option<Duration> {
        self.late.wait()
    }

    /// How long a loop took to draw.
    pub fn took(&mut self, run_id: &str, took_ms: u64) {
        self.due.took(run_id, took_ms);
    }

    /// When to ask for them next.
    #[must_use]
    pub fn next_due(&self) -> Option<At> {
        self.due.next()
    }

    /// How often a loop's own file was drawn.
    #[must_use]
    pub const fn redraws(&self) -> u64 {
        self.redraws
    }

    /// Remembers what a loop's child waits for; a change makes the loop due.
    pub fn around(&mut self, run_id: &str, around: Around, now: At) {
        let known = self.around.get(run_id);
        if known.unwrap_or(&Around::default()) == &around {
            return;
        }
        self.around.insert(run_id.to_owned(), around);
        self.mark(run_id, now);
    }

    /// Frees what is remembered of a run; the next drawing looks at its files again.
    pub fn forget(&mut self, run_id: &str) {
        self.around.remove(run_id);
        self.drawn.remove(run_id);
        self.due.took(run_id, 0);
    }

    /// A file below the loop directory changed. If it is a view and not what was drawn there, its
    /// loop is due at once: only a drawing knows the state an edit is judged against.
    pub fn changed_outside(&mut self, name: &str) -> Seen {
        if let Some((run, view)) = owner_of(name) {
            let last = self.drawn.get(run).and_then(|memory| memory.last.get(&view));
            if last.is_none() || plain(&view.path(&self.loop_dir, run)).as_ref() != last {
                self.suspects.insert((run.to_owned(), view));
                self.due.after(run, 0);
            }
        }
        Seen::default()
    }

    /// Draws whatever differs from what this state shows, durably, and looks at what was displaced.
    pub fn draw(&mut self, run_id: &str, state: &State, seq: u64) -> Seen {
        self.due.done(run_id);
        let mut seen = Seen::default();
        match state {
            State::New => {}
            State::Alive(life) => {
                self.draw_life(run_id, life, seq, &mut seen);
                if state.ended() && !self.edits.iter().any(|edit| edit.run == run_id) {
                    self.forget(run_id);
                }
            }
            State::Deleted { .. } => {
                self.forget(run_id);
                self.suspects.retain(|(run, _)| run != run_id);
                self.edits.retain(|edit| edit.run != run_id);
            }
        }
        seen
    }

    fn draw_life(&mut self, run: &str, life: &Life, seq: u64, seen: &mut Seen) {
        self.make_room(run, life, seen);
        let alone = Around::default();
        let around = self.around.get(run).unwrap_or(&alone);
        let views = drawing::all_around(life, seq, around);
        let mut failed = Vec::new();
        for (view, bytes) in &views {
            if let Err(error) = self.draw_view(run, *view, bytes, seq) {
                failed.push((*view, error));
            }
        }
        if let Err(error) = self.settle(run, life) {
            failed.push((View::Json, error));
        }
        self.failures(run, failed, seen);
        let bytes = |wanted: View| {
            views.iter().find(|(view, _)| *view == wanted).map_or(&[][..], |(_, bytes)| bytes)
        };
        let (loop_dir, redactor) = (&self.loop_dir.clone(), &Arc::clone(&self.redactor));
        let (json, tasks) = (bytes(View::Json), bytes(View::Tasks));
        self.look_at_edits(run, &Now { loop_dir, life, seq, json, tasks, redactor }, seen);
    }

    /// A status that somebody may have been told of stays; other news may be drawn again.
    fn settle(&mut self, run: &str, life: &Life) -> Result<(), view_file::Error> {
        let (loop_dir, status) = (self.loop_dir.clone(), life.phase.status());
        let memory = self.drawn.entry(run.to_owned()).or_default();
        if memory.settled == Some(status) {
            return Ok(());
        }
        view_file::settle(&loop_dir)?;
        match life.body.progress {
            Progress::Fresh => {}
            Progress::Begun { .. } | Progress::Ready { .. } => {
                view_file::settle(&loop_dir.join(progress_dir(run)))?;
            }
        }
        memory.settled = Some(status);
        Ok(())
    }

    fn draw_view(
        &mut self,
        run: &str,
        view: View,
        new: &[u8],
        seq: u64,
    ) -> Result<(), view_file::Error> {
        let path = view.path(&self.loop_dir, run);
        let suspect = self.suspects.remove(&(run.to_owned(), view));
        let memory = self.drawn.entry(run.to_owned()).or_default();
        let mut last = memory.last.get(&view).cloned();
        if last.as_deref() == Some(new) && !suspect {
            return Ok(());
        }
        let name = view.file_name(run);
        if last.is_none() || suspect {
            let there = plain(&path);
            if there.as_deref() == Some(new) {
                known::keep_base(&self.loop_dir, view, &name, seq, new);
                self.remember(run, view, new);
                return Ok(());
            }
            last = last.or_else(|| {
                there.filter(|bytes| known::is_known(&self.loop_dir, run, &name, bytes))
            });
        }
        known::keep_base(&self.loop_dir, view, &name, seq, new);
        known::about_to_draw(&self.loop_dir, run, &name, new);
        let base = last.clone().or_else(|| known::newest_base(&self.loop_dir, run, view));
        let drawn = view_file::draw(&path, new, last.as_deref())?;
        match view {
            View::Json => self.redraws += 1,
            View::Tasks
            | View::Develop
            | View::Debug
            | View::Validate
            | View::Changes
            | View::Summary => {}
        }
        self.remember(run, view, new);
        match drawn.found {
            Found::Nothing => {}
            Found::LastDrawn(old) => {
                self.late.keep((run.to_owned(), view), old, last.unwrap_or_default());
            }
            Found::Edit(edit) => self.edits.push(Edit::new(run.to_owned(), view, edit, base)),
        }
        Ok(())
    }

    fn remember(&mut self, run: &str, view: View, bytes: &[u8]) {
        let memory = self.drawn.entry(run.to_owned()).or_default();
        memory.last.insert(view, bytes.to_vec());
    }

    /// A view that could not be drawn is told once and tried again a few times.
    fn failures(&mut self, run: &str, failed: Vec<(View, view_file::Error)>, seen: &mut Seen) {
        let memory = self.drawn.entry(run.to_owned()).or_default();
        let Some((view, error)) = failed.into_iter().next() else {
            memory.failures = 0;
            return;
        };
        memory.failures += 1;
        if memory.failures == 1 {
            let (reason, owner) = (Reason::NotDrawn, Owner::Engine);
            let line = Line { path: error.to_string(), reason, owner, command: String::new() };
            seen.notices.push(Notice::new(run, view.relative(run), None, vec![line]));
        }
        if memory.failures <= RETRIES_MAX {
            self.due.after(run, RETRY_MS);
        }
    }

    fn look_at_edits(&mut self, run: &str, now: &Now<'_>, seen: &mut Seen) {
        let (mine, others): (Vec<Edit>, Vec<Edit>) = std::mem::take(&mut self.edits)
            .into_iter()
            .partition(|edit| edit.run == run && edit.is_ripe(self.now));
        for edit in others.iter().filter(|edit| edit.run == run) {
            // This drawing took the loop off the list; its edit is still to be looked at.
            match edit.look_at {
                Some(at) => self.due.by(run, at),
                None => self.due.after(run, AGAIN_MS),
            }
        }
        self.edits = others;
        if mine.is_empty() {
            return;
        }
        let mut scratch = Scratch::new(now.life, &self.tools);
        for Edit { way, view, .. } in mine {
            let of = (run, view);
            let judge = |way: &Pending, bytes: &[u8]| now.verdict(of, way, bytes, &mut scratch);
            match way.settle(now.seq, unfit, judge) {
                Fate::Gone => {}
                Fate::Wait(way) => self.wait(run, view, way),
                Fate::Asked(way, outcome) => {
                    self.wait(run, view, way);
                    seen.wishes.extend(outcome.wishes.into_iter().map(|w| (run.to_owned(), w)));
                }
                Fate::Refused(way, outcome) => {
                    seen.wishes.extend(outcome.wishes.into_iter().map(|w| (run.to_owned(), w)));
                    seen.notices.push(now.set_aside(of, way, outcome.refused));
                }
            }
        }
    }

    fn wait(&mut self, run: &str, view: View, way: Pending) {
        // What was asked for is looked at when the next fact of the run draws it again.
        if !way.is_asked() {
            self.due.after(run, AGAIN_MS);
        }
        self.edits.push(Edit { run: run.to_owned(), view, way, look_at: None });
    }
}
