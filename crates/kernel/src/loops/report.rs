//! An outside skill: its reports, its lease, and what it may say while the engine drives.

use alloc::string::String;
use alloc::vec;

use super::bounds::{self, TASKS_MAX};
use super::choose::{Choice, choose};
use super::command::{Change, Command, EndedAction, Report};
use super::draft::{Decision, Draft, Stopover};
use super::event::{ActionResult, Event};
use super::phase::{PauseReason, Phase};
use super::refusal::{Refusal, Wrong};
use super::state::{Body, Driver, Life};
use super::task::TaskStatus;
use super::tasks;
use crate::machine::{At, Said};

/// Everything an outside skill may say when it drives.
pub(super) fn driven(life: &Life, said: &Said<Command>, report: &Report) -> Decision {
    holder(life, report.runner.as_deref())?;
    possible(&life.body, report)?;
    let mut draft = Draft::new(life, said);
    tell(&mut draft, report);
    for ended in &report.ended {
        if draft.life.body.at_limit(&draft.life.phase) && ended.kind.counted() {
            break;
        }
        record(&mut draft, ended);
    }
    match &draft.life.phase {
        Phase::Lent { .. } => running_on(&mut draft, report),
        // A late report is kept; it never moves a loop that stands still.
        Phase::Created
        | Phase::Acting(_)
        | Phase::Choosing { .. }
        | Phase::Paused(_)
        | Phase::Completed { .. }
        | Phase::Failed { .. } => {}
    }
    draft.done()
}

fn running_on(draft: &mut Draft<'_>, report: &Report) {
    match choose(&draft.life.body).choice {
        Choice::Lend => keep(draft, report.runner.as_deref()),
        Choice::Act { .. }
        | Choice::Append { .. }
        | Choice::Menu
        | Choice::Pause { .. }
        | Choice::Fail { .. }
        | Choice::Unstarted => draft.next(),
    }
}

/// Only the holder of the lease reports; an edit of the file speaks for whoever holds it.
fn holder(life: &Life, runner: Option<&str>) -> Result<(), Refusal> {
    match (holding(life), runner) {
        (Some(held), Some(other)) if held != other => Err(Refusal::Owned { holder: held.into() }),
        (Some(_) | None, Some(_) | None) => Ok(()),
    }
}

/// Who holds the lease; of a loop that stands still, whom it was lent to by name.
fn holding(life: &Life) -> Option<&str> {
    match &life.phase {
        Phase::Lent { runner, .. } => runner.as_deref(),
        Phase::Created
        | Phase::Acting(_)
        | Phase::Choosing { .. }
        | Phase::Paused(_)
        | Phase::Completed { .. }
        | Phase::Failed { .. } => match &life.body.course()?.driver {
            Driver::External { runner } => runner.as_deref(),
            Driver::Engine => None,
        },
    }
}

fn possible(body: &Body, report: &Report) -> Result<(), Refusal> {
    let mut added = 0;
    for change in &report.changes {
        match change {
            Change::TaskAdded(task) => {
                tasks::room(body, task)?;
                added += 1;
            }
            Change::TaskStatus { id, status, .. } => {
                known(body, id)?;
                if !["pending", "in_progress", "completed", "failed"].contains(&status.as_str()) {
                    return Err(bad("status", Wrong::Form));
                }
            }
            Change::TaskEdited { id, patch } => {
                known(body, id)?;
                bounds::patch(patch)?;
            }
            Change::HypothesisFound(found) => hypothesis(body, &found.id)?,
            Change::HypothesisAdded(_) | Change::ActiveBug(_) | Change::ClaimedPassed(_) => {}
        }
    }
    if body.tasks.len() + added > TASKS_MAX {
        return Err(bad("tasks", Wrong::TooMany { max: TASKS_MAX }));
    }
    Ok(())
}

fn bad(field: &str, wrong: Wrong) -> Refusal {
    Refusal::InvalidArgs { field: String::from(field), wrong }
}

fn known(body: &Body, id: &str) -> Result<(), Refusal> {
    match body.task(id) {
        Some(_) => Ok(()),
        None => Err(Refusal::NoSuch { what: "task", id: id.into() }),
    }
}

fn hypothesis(body: &Body, id: &str) -> Result<(), Refusal> {
    match body.work().is_some_and(|work| work.debug.hypotheses.iter().any(|h| h.id == id)) {
        true => Ok(()),
        false => Err(Refusal::NoSuch { what: "hypothesis", id: id.into() }),
    }
}

fn tell(draft: &mut Draft<'_>, report: &Report) {
    if !report.changes.is_empty() || report.ended.is_empty() {
        let (runner, changes) = (report.runner.clone(), report.changes.clone());
        draft.push(Event::SkillReported { runner, changes });
    }
}

fn record(draft: &mut Draft<'_>, ended: &EndedAction) {
    let n = draft.life.body.next_n;
    draft.push(Event::ActionEnded {
        n,
        kind: ended.kind,
        result: match &ended.result {
            ActionResult::Failed { message } => {
                ActionResult::Failed { message: bounds::cut(message, bounds::ERROR_MAX) }
            }
            ActionResult::Ok | ActionResult::Blocked { .. } | ActionResult::Dropped => {
                ended.result.clone()
            }
        },
        counted: ended.kind.counted(),
        summary: bounds::cut(&ended.summary, bounds::SUMMARY_MAX),
        validation: None,
    });
}

/// What anyone outside may report while the engine drives: pending tasks and new hypotheses.
pub(super) fn beside(life: &Life, said: &Said<Command>, report: &Report) -> Decision {
    let drives = |what| Err(Refusal::EngineDrives { what, allowed: vec![] });
    if !report.ended.is_empty() {
        return drives("ended");
    }
    for change in &report.changes {
        match change {
            Change::TaskAdded(_) => {}
            // There is nothing to guess about before init has ended, and a guess is no init.
            Change::HypothesisAdded(_) if life.body.work().is_none() => {
                return drives("hypothesis");
            }
            Change::HypothesisAdded(_) => {}
            Change::TaskEdited { id, .. } => match life.body.task(id).map(|task| &task.status) {
                Some(TaskStatus::Pending) | None => {}
                Some(
                    TaskStatus::InProgress
                    | TaskStatus::Completed { .. }
                    | TaskStatus::Failed { .. },
                ) => return drives("task"),
            },
            Change::TaskStatus { .. } => return drives("task"),
            Change::HypothesisFound(_) => return drives("hypothesis"),
            Change::ActiveBug(_) => return drives("active_bug"),
            Change::ClaimedPassed(_) => return drives("passed"),
        }
    }
    possible(&life.body, report)?;
    let mut draft = Draft::new(life, said);
    tell(&mut draft, report);
    draft.done()
}

/// A runner asks for the signal: that takes or renews the lease of a lent loop, and is no more
/// than a read everywhere else.
pub(super) fn signal(life: &Life, said: &Said<Command>, runner: &str) -> Decision {
    let mut draft = Draft::new(life, said);
    if let Phase::Lent { runner: held, .. } = &life.phase
        && held.as_deref().is_none_or(|held| held == runner)
    {
        keep(&mut draft, Some(runner));
    }
    draft.done()
}

/// Takes or renews a lease. A renewal is written down at most once per half lease, so that a skill
/// that asks before every step does not fill the journal.
fn keep(draft: &mut Draft<'_>, runner: Option<&str>) {
    let Phase::Lent { runner: held, journalled_at, .. } = &draft.life.phase else { return };
    let lease_ms = draft.life.body.course().map_or(0, |course| course.settings.lease_ms);
    match (held, runner) {
        (None, Some(runner)) => draft.lease(Some(runner.into())),
        (Some(_) | None, _) if draft.at.since(*journalled_at) >= lease_ms / 2 => {
            let (until, n) = (draft.at.plus(lease_ms), draft.life.body.next_n);
            draft.push(Event::LeaseRenewed { until, n });
        }
        (Some(_) | None, _) => {}
    }
}

/// The lease is over.
pub(super) fn expired(
    life: &Life,
    said: &Said<Command>,
    slot: &str,
    (n, until): (u32, At),
) -> Decision {
    if slot != super::owes::lease_slot(n) || said.at < until {
        return Err(Refusal::NotOwed { what: slot.into() });
    }
    let mut draft = Draft::new(life, said);
    let who = match &life.phase {
        Phase::Lent { runner: Some(runner), .. } => runner.clone(),
        Phase::Lent { runner: None, .. }
        | Phase::Created
        | Phase::Acting(_)
        | Phase::Choosing { .. }
        | Phase::Paused(_)
        | Phase::Completed { .. }
        | Phase::Failed { .. } => String::new(),
    };
    draft.pause(Stopover::new(PauseReason::RunnerLost, who), None);
    draft.done()
}
