//! A planned operation: what shall stand at each path, what is copied aside first, and the report
//! it will give. It is put together here and carried out elsewhere.

use kernel::packages::kb;
use kernel::packages::report::{Done, Report};
use kernel::paths::Rel;
use serde_json::{Map, Value};

use super::place::KbRoot;
use super::refusal::Refusal;
use super::shelf::{Entry, Shelf, joined};
use crate::change::{Goal, Kind, Removal, Wanted};

/// Modes of what is new.
const FILE_MODE: u32 = 0o644;
const DIR_MODE: u32 = 0o755;

/// A planned operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arranged {
    /// Copies that have to be there, whole, before anything else is touched.
    pub(crate) backup: Vec<Wanted>,
    /// What shall become of each path.
    pub(crate) wanted: Vec<Wanted>,
    /// What will be told once all of it is done.
    pub(crate) report: Report,
}

/// Puts an operation together.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    base: &'a KbRoot,
    shelf: &'a Shelf,
    backup: Vec<Wanted>,
    wanted: Vec<Wanted>,
    steps: Vec<Done>,
    pub(super) context: Map<String, Value>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(base: &'a KbRoot, shelf: &'a Shelf) -> Self {
        let (backup, wanted, steps) = (Vec::new(), Vec::new(), Vec::new());
        Self { base, shelf, backup, wanted, steps, context: Map::new() }
    }

    /// A step of the report.
    pub(super) fn step(&mut self, step: &str, result: &str, verify: &str) {
        let [step, result, verify] = [step, result, verify].map(str::to_owned);
        self.steps.push(Done { step, result, verify });
    }

    pub(super) fn say(&mut self, key: &str, value: impl Into<Value>) {
        self.context.insert(key.to_owned(), value.into());
    }

    pub(super) fn end(self, operation: &str) -> Arranged {
        let report = Report::whole(operation, self.steps, self.context);
        Arranged { backup: self.backup, wanted: self.wanted, report }
    }

    fn rel(&self, path: &str) -> Result<Rel, Refusal> {
        joined(&self.base.path, path)
    }

    fn is_planned(&self, path: &Rel) -> bool {
        self.wanted.iter().any(|it| it.path == *path)
    }

    /// A directory, if it is not there.
    pub(super) fn dir(&mut self, path: &str) -> Result<(), Refusal> {
        let rel = self.rel(path)?;
        if !self.shelf.has(path) && !self.is_planned(&rel) {
            let goal = Goal::Dir { mode: DIR_MODE };
            self.wanted.push(Wanted { path: rel, expect: None, goal, removal: Removal::IfEmpty });
        }
        Ok(())
    }

    /// The three directories that every root has.
    pub(super) fn directories(&mut self) -> Result<(), Refusal> {
        [kb::PLAN, kb::ARCHIVE, kb::MODULES].iter().try_for_each(|path| self.dir(path))
    }

    /// A file with these bytes: in the place of what is there, or new.
    pub(super) fn file(&mut self, path: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let rel = self.rel(path)?;
        let there = self.shelf.get(path);
        let mode = there.map_or(FILE_MODE, |it| it.content.mode);
        let goal = Goal::File { bytes: bytes.to_vec(), mode };
        if let Some(planned) = self.wanted.iter_mut().find(|it| it.path == rel) {
            planned.goal = goal;
            return Ok(());
        }
        if there.is_none_or(|it| it.bytes != bytes) {
            let expect = there.map(|it| it.content);
            self.wanted.push(Wanted { path: rel, expect, goal, removal: Removal::Must });
        }
        Ok(())
    }

    /// An entry somewhere else, with these bytes or its own.
    pub(super) fn copy(
        &mut self,
        entry: &Entry,
        to: &str,
        bytes: Option<&[u8]>,
    ) -> Result<(), Refusal> {
        let path = self.rel(to)?;
        let goal = goal_of(entry, bytes);
        self.wanted.push(Wanted { path, expect: None, goal, removal: Removal::Must });
        Ok(())
    }

    /// An entry goes; its bytes are in the record of the call.
    pub(super) fn remove(&mut self, path: &str) -> Result<(), Refusal> {
        let Some(entry) = self.shelf.get(path) else { return Ok(()) };
        let expect = Some(entry.content);
        let removal = match entry.content.kind {
            Kind::Dir => Removal::IfEmpty,
            Kind::File | Kind::Symlink => Removal::Must,
        };
        let path = self.rel(path)?;
        self.wanted.push(Wanted { path, expect, goal: Goal::Absent, removal });
        Ok(())
    }

    /// A whole copy of the root beside it.
    pub(super) fn back_up(&mut self, stamp: &str) -> Result<String, Refusal> {
        let beside = self.base.backup(stamp);
        let dir = Rel::file(&beside)
            .map_err(|_| Refusal::args("/stamp", "the minute and second of now"))?;
        let goal = Goal::Dir { mode: DIR_MODE };
        let removal = Removal::IfEmpty;
        self.backup.push(Wanted { path: dir.clone(), expect: None, goal, removal });
        for entry in &self.shelf.entries {
            let path = joined(&dir, &entry.path)?;
            let goal = goal_of(entry, None);
            self.backup.push(Wanted { path, expect: None, goal, removal: Removal::Must });
        }
        self.step("backup", &beside, "hash of every file is the same");
        self.say("backup", beside.clone());
        Ok(beside)
    }
}

fn goal_of(entry: &Entry, bytes: Option<&[u8]>) -> Goal {
    let own = || bytes.unwrap_or(&entry.bytes).to_vec();
    match entry.content.kind {
        Kind::File => Goal::File { bytes: own(), mode: entry.content.mode },
        Kind::Symlink => Goal::Symlink { target: own() },
        Kind::Dir => Goal::Dir { mode: entry.content.mode },
    }
}
