//! Answers that several columns give in the same words. No column is decided here.

use alloc::vec;
use alloc::vec::Vec;

use super::super::batch::{Batch, Decision};
use super::super::command::{Command, PauseHow};
use super::super::ends;
use super::super::event::{CancelWhy, Event, Taken};
use super::super::phase::{Doing, Draft, FixStep, Phase, Step};
use super::super::plan::{Ask, Source};
use super::super::refusal::{NotNow, Refusal};
use super::super::state::Life;
use crate::machine::{By, Said};

/// The states in which a command is possible.
pub(in super::super) const fn needed(command: &Command) -> &'static [&'static str] {
    match command {
        Command::UserInputRequirement { .. } => &["IDLE"],
        Command::UserModify { .. } | Command::UserCancel => &["PLANNING", "CONFIRMING"],
        Command::UserConfirm(_) => &["CONFIRMING"],
        Command::UserAbort { .. } | Command::UpdateProgress { .. } => {
            &["EXECUTING", "AUTO_FIX", "BLOCKED"]
        }
        Command::RetryPlan => &["PLANNING"],
        Command::Pause { .. } | Command::Resume => &["PLANNING", "EXECUTING", "AUTO_FIX"],
        Command::ForceStop => &["AUTO_FIX"],
        Command::HumanIntervention(_)
        | Command::Rollback(_)
        | Command::RollbackConfirm { .. }
        | Command::SkipTask { .. } => &["BLOCKED"],
        Command::Amend(_) => &["CONFIRMING", "EXECUTING", "BLOCKED"],
        Command::Note { .. }
        | Command::ParentCancel
        | Command::Derived { .. }
        | Command::PlanReady { .. }
        | Command::PlanFailed { .. }
        | Command::SourceChanged { .. }
        | Command::Saved { .. }
        | Command::TurnEnded { .. }
        | Command::Checked { .. }
        | Command::Digested { .. }
        | Command::CallUnknown { .. }
        | Command::RollbackReady { .. }
        | Command::RolledBack { .. }
        | Command::Archived { .. }
        | Command::Settled { .. }
        | Command::Due { .. } => &[],
    }
}

/// The command does not fit the state.
pub(super) fn not_now(life: &Life, command: &Command) -> Decision {
    refuse(life, command, NotNow::Needs(needed(command).to_vec()))
}

pub(super) fn refuse(life: &Life, command: &Command, why: NotNow) -> Decision {
    let (command, state) = (command.name(), life.phase.name());
    Err(Refusal::NotNow { command, state, why, allowed: vec![] })
}

/// This run is at work.
pub(super) fn busy(life: &Life, command: &Command) -> Decision {
    let holder = life.body.begin.id.clone();
    let (command, state) = (command.name(), life.phase.name());
    Err(Refusal::Busy { command, state, holder, allowed: vec![] })
}

pub(super) fn answered(life: &Life, command: &Command) -> Decision {
    let (command, state) = (command.name(), life.phase.name());
    Err(Refusal::Answered { command, state, allowed: vec![] })
}

pub(super) fn not_held(life: &Life, said: &Said<Command>) -> Decision {
    if is_parent(&said.by) {
        return Ok(vec![]);
    }
    let (command, state) = (said.command.name(), life.phase.name());
    Err(Refusal::NotHeld { command, state, allowed: vec![] })
}

/// What it reports is not awaited any more.
pub(super) fn not_owed(command: &Command) -> Decision {
    Err(Refusal::NotOwed { what: what(command).into() })
}

/// The key that an end speaks of; the name of anything else.
pub(in super::super) fn what(command: &Command) -> &str {
    if let Command::PlanReady { key, .. }
    | Command::PlanFailed { key, .. }
    | Command::Saved { key, .. }
    | Command::TurnEnded { key, .. }
    | Command::Checked { key, .. }
    | Command::Digested { key, .. }
    | Command::CallUnknown { key, .. }
    | Command::RollbackReady { key, .. }
    | Command::RolledBack { key, .. }
    | Command::Archived { key, .. }
    | Command::Settled { key, .. }
    | Command::Due { slot: key } = command
    {
        key
    } else {
        command.name()
    }
}

/// Whether the end that is reported is the one that is owed.
pub(super) fn owes(life: &Life, command: &Command) -> bool {
    life.owes_step(what(command))
}

pub(super) const fn is_parent(by: &By) -> bool {
    matches!(by, By::Parent { .. })
}

pub(super) fn note(life: &Life, said: &Said<Command>) -> Decision {
    let Command::Note { kind, task, text } = &said.command else {
        return not_now(life, &said.command);
    };
    let mut batch = Batch::new(life, said);
    ends::note(&mut batch, *kind, task.as_deref(), text);
    batch.done()
}

/// A child that is not owed any more has ended: what it left behind counts all the same.
pub(super) fn settled(life: &Life, said: &Said<Command>) -> Decision {
    let Command::Settled { key, unknown, files_changed, spent } = &said.command else {
        return not_now(life, &said.command);
    };
    if !life.settling().contains(key) {
        return not_owed(&said.command);
    }
    let (key, unknown, spent) = (key.clone(), unknown.clone(), *spent);
    let files_changed = files_changed.clone();
    let mut batch = Batch::new(life, said);
    batch.push(Event::ChildSettled { key, unknown, files_changed, spent });
    batch.done()
}

/// Cancelled before the work began.
pub(super) fn cancel(life: &Life, said: &Said<Command>, why: CancelWhy) -> Decision {
    let mut batch = Batch::new(life, said);
    let by = batch.who();
    batch.push(Event::UserCancel { by, why });
    batch.done()
}

/// Another requirement in place of this one: both facts, and what was planned as input.
pub(super) fn modify(life: &Life, said: &Said<Command>, text: &str, digest: &str) -> Decision {
    if text.trim().is_empty() {
        return Err(Refusal::InvalidArgs { field: "text", problem: "empty".into() });
    }
    let was = &life.body.ask;
    let earlier = was.earlier.iter().chain([&was.text]).cloned().collect();
    let (text, digest) = (text.into(), digest.into());
    let ask = Ask { text, earlier, source: Source::Text, path: None, digest };
    again(life, said, CancelWhy::Modify, ask)
}

pub(super) fn again(life: &Life, said: &Said<Command>, why: CancelWhy, ask: Ask) -> Decision {
    let revision = life.next_revision();
    let mut batch = Batch::new(life, said);
    let by = batch.who();
    batch.push(Event::UserCancel { by, why });
    batch.push(Event::UserInputRequirement { taken: Taken::Again { ask, revision } });
    batch.done()
}

/// Leaving work always passes the archive.
pub(super) fn abort(life: &Life, said: &Said<Command>, reason: Option<&str>) -> Decision {
    let keys: Vec<_> =
        life.phase.step_key().filter(|_| has_child(&life.phase)).into_iter().collect();
    let mut batch = Batch::new(life, said);
    let (by, reason) = (batch.who(), reason.map(Into::into));
    batch.push(Event::UserAbort { by, reason, keys });
    batch.done()
}

/// Whether the step under way is a run of its own.
pub(super) fn has_child(phase: &Phase) -> bool {
    match phase {
        Phase::Executing(now) => !matches!(now.doing, Doing::Seal { .. }),
        Phase::AutoFix(_) => true,
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Confirming(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => false,
    }
}

/// Holds the run. What is under way runs to its end or is cut.
pub(super) fn pause(life: &Life, said: &Said<Command>) -> Decision {
    let Command::Pause { how, reason } = &said.command else {
        return not_now(life, &said.command);
    };
    let step: Vec<_> = life.phase.step_key().into_iter().collect();
    let (keep, cut) = match (how, &life.body.hold) {
        (PauseHow::AfterCurrent, Some(_)) => return Ok(vec![]),
        (PauseHow::Now, Some(hold)) if hold.keep.is_empty() => return Ok(vec![]),
        (PauseHow::Now, Some(hold)) => {
            (vec![], step.into_iter().filter(|key| hold.keep.contains(key)).collect())
        }
        (PauseHow::AfterCurrent, None) => (step, vec![]),
        (PauseHow::Now, None) => (vec![], step),
    };
    let mut batch = Batch::new(life, said);
    let by = batch.who();
    batch.push(Event::Pause { by, reason: reason.clone(), keep, cut });
    batch.done()
}

/// Only a parent holds what waits for a person.
pub(super) fn pause_waiting(life: &Life, said: &Said<Command>) -> Decision {
    if is_parent(&said.by) {
        return pause(life, said);
    }
    refuse(life, &said.command, NotNow::Waiting)
}

/// Nothing can be held here.
pub(super) fn no_pause(life: &Life, said: &Said<Command>, why: NotNow) -> Decision {
    if is_parent(&said.by) {
        return Ok(vec![]);
    }
    refuse(life, &said.command, why)
}

/// Lifts the hold; a step that was cut gets a new number, which is no failure.
pub(super) fn resume(life: &Life, said: &Said<Command>) -> Decision {
    let Some(hold) = &life.body.hold else { return not_held(life, said) };
    let cut = life.phase.step_key().is_some_and(|key| hold.cut.contains(&key));
    let mut batch = Batch::new(life, said);
    let by = batch.who();
    batch.push(Event::Resume { by });
    if cut {
        renumber(&mut batch);
    }
    batch.done()
}

fn renumber(batch: &mut Batch<'_>) {
    let next = batch.life.body.next;
    match batch.life.phase.clone() {
        Phase::Planning(planning) => {
            if let Draft::Drafting { n, correction, .. } = planning.step {
                batch.push(Event::RetryPlan { n: n + 1, correction });
            }
        }
        Phase::Executing(now) => batch.begin(match now.doing {
            Doing::Task { task, step } => Doing::Task { task, step: renumbered(step, next.n) },
            Doing::Seal { rounds, .. } => Doing::Seal { n: next.n, rounds },
            Doing::SealCheck { i, stale, moved, rounds, .. } => {
                Doing::SealCheck { n: next.n, i, stale, moved, rounds }
            }
        }),
        Phase::AutoFix(fix) => {
            let step = match fix.step {
                FixStep::Turn { .. } => FixStep::Turn { k: next.k },
                FixStep::Check { k, i, moved, rounds, .. } => {
                    FixStep::Check { k, i, n: next.n, moved, rounds }
                }
            };
            batch.push(Event::FixBegan { attempt: fix.attempt, counts: false, step });
        }
        Phase::Idle(_) | Phase::Confirming(_) | Phase::Blocked(_) | Phase::Archiving(_) => {}
    }
}

fn renumbered(step: Step, n: u32) -> Step {
    match step {
        Step::Save { guidance, .. } => Step::Save { n, guidance },
        Step::Turn { guidance, .. } => Step::Turn { n, guidance },
        Step::Check { i, on_fail, moved, rounds, .. } => {
            Step::Check { n, i, on_fail, moved, rounds }
        }
    }
}
