//! The phases of a rollback. Its only state is the plan in the call's directory: run again, it
//! looks at each path and does what is left. Stopping is always possible before the next path.

use std::io;
use std::path::Path;

use kernel::rollback::{Action, Content, Kept, Planned, RawPath, Reason};

use super::aside::Aside;
use super::gather::{Refused, Source, Wanted, gather};
use super::place::{Place, Placed, Slot, failed};
use super::plan_file::PlanFile;
use super::report::{FailedAt, KeptPath, Phase, Report, State};
use super::undo;
use crate::checkpoints::{Ask, Error, Ground, Keeper, Reader, Steps, Time, enough, go, pure};

/// What a checkpoint made before a rollback is called.
const LABEL: &str = "before-rollback";

/// One rollback, approved.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// What is wanted.
    pub wanted: &'a Wanted,
    /// The hash of the plan that was approved.
    pub approved: &'a str,
    /// The call.
    pub call: &'a str,
    /// Its directory.
    pub call_dir: &'a Path,
    /// Now.
    pub at: Time,
}

/// Runs it, or goes on with one that stopped.
///
/// # Errors
/// Only before the first change; afterwards a stop is a report.
pub fn run(keeper: &mut Keeper, run: Run<'_>, steps: &mut dyn Steps) -> Result<Report, Refused> {
    let ground = keeper.ground()?;
    let file = match PlanFile::read(run.call_dir)? {
        Some(file) => file,
        None => begin(keeper, &ground, run, steps)?,
    };
    let reader = keeper.reader()?;
    let aside = Aside::new(keeper.loop_dir(), &file.plan.rollback_id, keeper.file_bytes_max());
    let place = Place {
        ground: &ground,
        aside: &aside,
        stage: run.call_dir.join("stage"),
        call: run.call.to_owned(),
        conflicts: file.plan.conflicts,
        bytes_max: keeper.file_bytes_max(),
    };
    let mut work = Work { file: &file, place, reader, kept: Vec::new() };
    let failed = work.all(steps).err();
    let cut = |failed: &Failed| matches!(failed.error, Error::Stopped) && !steps.is_word();
    if failed.as_ref().is_some_and(|failed| !cut(failed)) {
        work.put_away();
    }
    Ok(work.report(failed))
}

/// Check and Save: nothing of the user's is changed yet.
fn begin(
    keeper: &mut Keeper,
    ground: &Ground,
    run: Run<'_>,
    steps: &mut dyn Steps,
) -> Result<PlanFile, Refused> {
    let gathered = gather(keeper, ground, run.wanted)?;
    if gathered.plan.plan_hash != run.approved {
        return Err(Refused::PlanChanged(Box::new(gathered.plan)));
    }
    // Twice: what is written, and the copies of what gives way.
    let need = gathered.plan.bytes.saturating_mul(2);
    enough(keeper.loop_dir(), need, keeper.disk_floor_bytes())?;
    go(steps)?;
    let ask = Ask { call: run.call, call_dir: run.call_dir, label: Some(LABEL), at: run.at };
    let made = keeper.make(ask, steps)?;
    let held = keeper.last_mark();
    let saved = |planned: &Planned| {
        let there = held.and_then(|mark| mark.get(planned.path.bytes())).map(pure);
        there.is_some() && there == planned.from
    };
    let saved = gathered.plan.actions.iter().map(saved).collect();
    let file = PlanFile::new(gathered, made.name, saved);
    go(steps)?;
    file.write(run.call_dir)?;
    Ok(file)
}

struct Work<'a> {
    file: &'a PlanFile,
    place: Place<'a>,
    reader: Reader,
    kept: Vec<KeptPath>,
}

struct Failed {
    phase: Phase,
    path: Option<RawPath>,
    error: Error,
}

impl<'a> Work<'a> {
    fn slots(&self) -> impl Iterator<Item = Slot<'a>> + use<'a> {
        let saved = self.file.saved.iter();
        let slots = self.file.plan.actions.iter().zip(saved).enumerate();
        slots.map(|(number, (planned, &saved))| Slot { number, planned, saved })
    }

    fn all(&mut self, steps: &mut dyn Steps) -> Result<(), Failed> {
        self.each(Phase::Aside, steps, Self::copy)?;
        self.each(Phase::Restore, steps, Self::restore)?;
        self.each(Phase::Remove, steps, Self::remove)?;
        for dir in &self.file.made_dirs {
            step(steps, Phase::Remove, dir)?;
            // One with anything in it stays, and that is as it should be.
            self.place.remove_dirs(dir);
        }
        self.each(Phase::Verify, steps, Self::check)?;
        let _ = std::fs::remove_dir(&self.place.stage);
        Ok(())
    }

    /// What a refused step left waiting goes where a person looks for it: the next rollback is
    /// another call and would not find it. What can't be moved now is in the checkpoint, too.
    fn put_away(&self) {
        for slot in self.slots() {
            let _ = self.place.settle(slot);
        }
        let _ = std::fs::remove_dir(&self.place.stage);
    }

    fn each(
        &mut self,
        phase: Phase,
        steps: &mut dyn Steps,
        act: fn(&mut Self, Slot<'a>, &mut dyn Steps) -> Result<(), Error>,
    ) -> Result<(), Failed> {
        for slot in self.slots() {
            let path = &slot.planned.path;
            step(steps, phase, path)?;
            if !self.place.ground.is_there() {
                return Err(Failed { phase, path: None, error: Error::RootReplaced });
            }
            act(self, slot, steps).map_err(|error| Failed {
                phase,
                path: Some(path.clone()),
                error,
            })?;
        }
        Ok(())
    }

    /// Copies of what gives way, and of what cannot go where it belongs.
    fn copy(&mut self, slot: Slot<'a>, _: &mut dyn Steps) -> Result<(), Error> {
        let Planned { path, action, from, to, .. } = slot.planned;
        match (action, from, to) {
            (Action::Keep, _, Some(to)) => {
                let bytes = self.bytes(slot, to)?;
                let beside = [path.bytes(), b".checkpoint"].concat();
                self.place.aside.copy(&beside, to, &bytes).map_err(Error::io(&self.place.stage))
            }
            (Action::Aside, Some(from), _) => {
                // What changed since the plan is moved as it is, when its turn comes.
                match self.place.ground.bytes(path, from, self.place.bytes_max) {
                    Some(bytes) => self
                        .place
                        .aside
                        .copy(path.bytes(), from, &bytes)
                        .map_err(Error::io(&self.place.stage)),
                    None => Ok(()),
                }
            }
            (Action::Same | Action::Restore | Action::Remove, ..)
            | (Action::Keep, _, None)
            | (Action::Aside, None, _) => Ok(()),
        }
    }

    fn restore(&mut self, slot: Slot<'a>, steps: &mut dyn Steps) -> Result<(), Error> {
        let Some(to) = slot.planned.to.as_ref().filter(|_| slot.planned.writes()) else {
            return Ok(());
        };
        self.way(slot, steps)?;
        let bytes = self.bytes(slot, to)?;
        let placed = self.place.put(slot, (to, &bytes), steps);
        self.noted(slot, placed)
    }

    /// What stands in the way of a path and is to go anyway, goes first.
    fn way(&mut self, slot: Slot<'a>, steps: &mut dyn Steps) -> Result<(), Error> {
        let path = slot.planned.path.bytes();
        let in_way = |other: &RawPath| {
            let other = other.bytes();
            let below = |long: &[u8], short: &[u8]| {
                long.strip_prefix(short).is_some_and(|rest| rest.first() == Some(&b'/'))
            };
            below(path, other) || below(other, path)
        };
        let first: Vec<Slot<'a>> = self
            .slots()
            .filter(|other| other.planned.clears() && in_way(&other.planned.path))
            .collect();
        for other in first {
            self.remove(other, steps)?;
        }
        Ok(())
    }

    fn remove(&mut self, slot: Slot<'a>, steps: &mut dyn Steps) -> Result<(), Error> {
        if !slot.planned.clears() {
            return Ok(());
        }
        let placed = self.place.clear(slot, steps);
        self.noted(slot, placed)
    }

    fn noted(&mut self, slot: Slot<'a>, placed: io::Result<Placed>) -> Result<(), Error> {
        match placed.map_err(failed(&self.place.stage))? {
            Placed::Done => {}
            Placed::Kept(reason) => self.keep(&slot.planned.path, reason),
        }
        Ok(())
    }

    fn keep(&mut self, path: &RawPath, reason: Kept) {
        if !self.kept.iter().any(|kept| kept.path == *path) {
            self.kept.push(KeptPath { path: path.clone(), reason });
        }
    }

    fn bytes(&mut self, slot: Slot<'a>, to: &Content) -> Result<Vec<u8>, Error> {
        match &self.file.sources[slot.number] {
            Some(Source::Blob(id)) => self.reader.get("blob", *id),
            Some(Source::Undo(file)) => undo::bytes(file, to)
                .ok_or_else(|| Error::Damaged(format!("undo bytes of {}", to.sha256))),
            None => Err(Error::Damaged(format!("no source of {}", to.sha256))),
        }
    }

    fn check(&mut self, slot: Slot<'a>, _: &mut dyn Steps) -> Result<(), Error> {
        use kernel::rollback::Now;
        let planned = slot.planned;
        let skipped = self.kept.iter().any(|kept| kept.path == planned.path);
        if planned.action == Action::Keep || planned.action == Action::Same || skipped {
            return Ok(());
        }
        let now = self.place.ground.now(&planned.path, self.place.bytes_max);
        let held = match (planned.goal(), &now) {
            (Some(goal), Now::Present(now)) => goal == now,
            (None, Now::Absent | Now::Below(_) | Now::Directory(_)) => true,
            (Some(_), _) | (None, Now::Present(_) | Now::Strange) => false,
        };
        if held { Ok(()) } else { Err(Error::Damaged(planned.path.text())) }
    }

    fn report(mut self, failed: Option<Failed>) -> Report {
        for planned in self.file.plan.actions.iter() {
            if let (Action::Keep, Some(Reason::Kept(why))) = (planned.action, &planned.reason) {
                self.keep(&planned.path, *why);
            }
        }
        let kept = |path: &RawPath| self.kept.iter().any(|kept| kept.path == *path);
        let acted = self.file.plan.actions.iter().filter(|planned| !kept(&planned.path));
        let holds = |planned: &&Planned| {
            use kernel::rollback::Now;
            match self.place.ground.now(&planned.path, self.place.bytes_max) {
                Now::Present(now) => planned.goal() == Some(&now),
                Now::Absent | Now::Below(_) | Now::Directory(_) => planned.goal().is_none(),
                Now::Strange => false,
            }
        };
        let (done, pending): (Vec<&Planned>, Vec<&Planned>) = acted.partition(holds);
        let texts = |list: Vec<&Planned>| list.iter().map(|one| one.path.text()).collect();
        let (done, pending) = (texts(done), texts(pending));
        Report {
            rollback_id: self.file.plan.rollback_id.clone(),
            state: if failed.is_none() { State::Done } else { State::Stopped },
            done,
            aside: self.place.aside.list(),
            not_covered: self.file.plan.not_covered.clone(),
            error: failed.as_ref().map(|failed| {
                let (class, kind) = failed.error.class();
                (class.name(), kind)
            }),
            failed_at: failed.map(|failed| FailedAt {
                phase: failed.phase,
                path: failed.path.map(|path| path.text()),
            }),
            pending,
            kept: self.kept,
            undo: self.file.undo.clone(),
        }
    }
}

fn step(steps: &mut dyn Steps, phase: Phase, path: &RawPath) -> Result<(), Failed> {
    go(steps).map_err(|error| Failed { phase, path: Some(path.clone()), error })
}
