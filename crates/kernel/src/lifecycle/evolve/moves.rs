//! Facts that move the work from one state to another: failures, halts, help, rollback, archive.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::event::{Event, Halted, Helped};
use super::super::phase::{
    Archive, Archiving, AutoFix, Blocked, Doing, Ended, Executing, Failure, FixStep, Outcome,
    Phase, Rolling, Why, WorkResult,
};
use super::super::standing::POLICY;
use super::super::state::{Attempt, Life, Work};
use super::super::task::{CloseWhy, Status};
use crate::machine::At;

pub(super) fn apply(life: &mut Life, event: &Event, at: At) {
    if let Event::ErrorDetected { task, failure } = event {
        detected(life, task, failure);
    } else if *event == Event::FixSuccess {
        execute(life);
    } else if let Event::FixFailed3x { failure } = event {
        let (task, attempts) = fixing(life);
        let (failure, cause) = (Some((**failure).clone()), failures(life).1);
        block(life, at, |work| Blocked { failure, cause, ..blocked(work, task, attempts, at) });
    } else if let Event::ForceStop { .. } = event {
        let (task, attempts) = fixing(life);
        let (failure, cause) = failures(life);
        let bare = |work| blocked(work, task, attempts, at);
        block(life, at, |work| Blocked { why: Why::ForceStop, failure, cause, ..bare(work) });
    } else if let Event::Halt { halted } = event {
        halt(life, halted, at);
    } else if let Event::HumanIntervention { helped } = event {
        help(life, helped);
    } else if let Event::SkipTask { task, status, satisfied, by } = event {
        skip(life, task, (*status, *satisfied), by, at);
    } else if let Event::FixAttempted { failure, files_changed } = event {
        attempted(life, failure, files_changed, at);
    } else if let Event::FixBegan { attempt, counts, step } = event {
        fix_began(life, *attempt, *counts, step);
    } else {
        leaving(life, event, at);
    }
}

/// Ways out of the work: the archive, and the way back.
fn leaving(life: &mut Life, event: &Event, at: At) {
    if let Event::UserAbort { keys, .. } = event {
        archive(life, WorkResult::Aborted, keys.clone(), at);
    } else if let Event::AllTasksDone { result } = event {
        archive(life, *result, Vec::new(), at);
    } else if let Event::Rollback { .. } = event {
        ended(life, Outcome::RolledBack, None, at);
    } else if let Event::ArchiveFault { retry_at, .. } = event {
        if let Phase::Archiving(archiving) = &mut life.phase
            && let Archive::Writing { retry_at: due, .. } = &mut archiving.step
        {
            *due = Some(*retry_at);
        }
    } else if *event == Event::ArchiveRetried {
        if let Phase::Archiving(archiving) = &mut life.phase
            && let Archive::Writing { tries, retry_at } = &mut archiving.step
        {
            *tries += 1;
            *retry_at = None;
        }
    } else if let Event::ArchiveComplete { archive } = event {
        if let Phase::Archiving(archiving) = &life.phase {
            let outcome = archiving.result.into();
            ended(life, outcome, Some(archive.clone()), at);
        }
    } else if let Event::TurnLeft { key } = event {
        life.body.left.push(key.clone());
    } else if let Event::ChildSettled { .. } = event {
        settled(life, event);
    } else {
        rolling(life, event, at);
    }
}

fn fixing(life: &Life) -> (Option<String>, u32) {
    match &life.phase {
        Phase::AutoFix(fix) => (Some(fix.task.clone()), fix.attempt),
        Phase::Executing(now) => (now.doing.task().map(Into::into), 0),
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Confirming(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => (None, 0),
    }
}

/// How the last attempt failed, and what was to be repaired, if that is something else.
fn failures(life: &Life) -> (Option<Failure>, Option<Failure>) {
    match &life.phase {
        Phase::AutoFix(fix) => (Some(fix.failure.clone()), fix.cause.clone()),
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Confirming(_)
        | Phase::Executing(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => (None, None),
    }
}

fn blocked(work: Work, task: Option<String>, attempts: u32, at: At) -> Blocked {
    Blocked {
        work,
        task,
        why: Why::FixLimit,
        attempts,
        failure: None,
        cause: None,
        since: at,
        q: 0,
        reset_at: None,
        agent: None,
        detail: String::new(),
        rolling: None,
    }
}

fn block(life: &mut Life, at: At, make: impl FnOnce(Work) -> Blocked) {
    let Some(work) = life.phase.work().cloned() else { return };
    let mut blocked = make(work);
    (blocked.since, blocked.q) = (at, life.body.seq);
    if let Some(id) = blocked.task.clone()
        && let Some(task) = blocked.work.task_mut(&id)
    {
        task.status = Status::Blocked;
    }
    life.phase = Phase::Blocked(Box::new(blocked));
}

fn detected(life: &mut Life, task: &str, failure: &Failure) {
    let Some(mut work) = life.phase.work().cloned() else { return };
    let mut seen = Vec::new();
    if let Some(task) = work.task_mut(task) {
        task.status = Status::InProgress;
        task.seen.push(failure.signature.clone());
        seen.clone_from(&task.seen);
    }
    life.phase = Phase::AutoFix(Box::new(AutoFix {
        work,
        task: task.into(),
        attempt: 0,
        failure: failure.clone(),
        cause: None,
        seen,
        // The step is chosen in the same batch.
        step: FixStep::Turn { k: life.body.next.k },
        changed: Vec::new(),
    }));
}

fn attempted(life: &mut Life, failure: &Failure, files_changed: &[String], at: At) {
    let Phase::AutoFix(fix) = &mut life.phase else { return };
    let k = fix.step.k();
    // A check that is red says what is to be repaired; any other end of an attempt says nothing of
    // that.
    let before = core::mem::replace(&mut fix.failure, failure.clone());
    fix.cause = if failure.check.is_some() { None } else { fix.cause.take().or(Some(before)) };
    fix.work.attempts.push(Attempt {
        task: fix.task.clone(),
        k,
        at,
        failure: failure.clone(),
        files_changed: files_changed.to_vec(),
    });
    if let Some(task) = fix.work.task_mut(&fix.task) {
        task.seen.push(failure.signature.clone());
        fix.seen.clone_from(&task.seen);
    }
}

/// A fix is counted when it begins; a step that a hold cut begins again uncounted.
fn fix_began(life: &mut Life, attempt: u32, counts: bool, step: &FixStep) {
    let Phase::AutoFix(fix) = &mut life.phase else { return };
    let next = &mut life.body.next;
    match step {
        FixStep::Turn { k } => next.k = next.k.max(k + 1),
        FixStep::Check { n, .. } => next.n = next.n.max(n + 1),
    }
    if counts {
        fix.work.fixes_total += 1;
        if let Some(task) = fix.work.task_mut(&fix.task) {
            task.fixes += 1;
        }
    }
    (fix.attempt, fix.step) = (attempt, step.clone());
}

fn halt(life: &mut Life, halted: &Halted, at: At) {
    let attempts = match &life.phase {
        Phase::AutoFix(fix) => fix.attempt,
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Confirming(_)
        | Phase::Executing(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => 0,
    };
    let (failure, cause) = match (halted.failure.clone(), failures(life)) {
        (None, known) => known,
        (Some(own), (Some(fixed), cause)) if own != fixed => (Some(own), cause.or(Some(fixed))),
        (Some(own), (_, cause)) => (Some(own), cause),
    };
    block(life, at, |mut work| {
        work.unknown_calls.extend(halted.unknown_call.clone());
        Blocked {
            why: halted.why,
            failure,
            cause,
            reset_at: halted.reset_at,
            agent: halted.agent.clone(),
            detail: halted.detail.clone(),
            ..blocked(work, halted.task.clone(), attempts, at)
        }
    });
}

fn help(life: &mut Life, helped: &Helped) {
    if let Some(more) = helped.add_budget {
        let budget = &mut life.body.budget;
        budget.turns = budget.turns.saturating_add(more.turns);
        budget.wall_ms = budget.wall_ms.saturating_add(more.wall_ms);
        budget.cost_micros = match (budget.cost_micros, more.cost_micros) {
            (Some(had), Some(more)) => Some(had.saturating_add(more)),
            (had, None) => had,
            (None, Some(_)) => None,
        };
    }
    if let Phase::Blocked(blocked) = &mut life.phase {
        blocked.work.accepted.extend(helped.accept_definition.clone());
        if let Some(id) = blocked.task.clone()
            && let Some(task) = blocked.work.task_mut(&id)
        {
            task.status = Status::InProgress;
        }
    }
    execute(life);
}

fn skip(life: &mut Life, id: &str, (status, satisfied): (Status, bool), by: &str, at: At) {
    if let Some(task) = life.phase.work_mut().and_then(|work| work.task_mut(id)) {
        let why = if by == POLICY { CloseWhy::Policy } else { CloseWhy::Person };
        (task.status, task.satisfied, task.closed) = (status, satisfied, Some(why));
        (task.ended_at, task.claim) = (Some(at), None);
    }
    execute(life);
}

/// The work goes on; what comes first is chosen in the same batch.
fn execute(life: &mut Life) {
    let Some(work) = life.phase.work().cloned() else { return };
    let doing = Doing::Seal { n: life.body.next.n, rounds: 0 };
    life.phase = Phase::Executing(Box::new(Executing { work, doing }));
}

fn archive(life: &mut Life, result: WorkResult, mut keys: Vec<String>, at: At) {
    let Some(work) = life.phase.work().cloned() else { return };
    keys.append(&mut life.body.left);
    let step = if keys.is_empty() {
        Archive::Writing { tries: 1, retry_at: None }
    } else {
        Archive::Settling { keys }
    };
    // Leaving work lifts a hold: what is left is to write down what there is.
    life.body.hold = None;
    life.phase = Phase::Archiving(Box::new(Archiving { work, result, step, since: at }));
}

fn settled(life: &mut Life, event: &Event) {
    let Event::ChildSettled { key, unknown, files_changed, spent } = event else { return };
    life.body.left.retain(|own| own != key);
    life.body.spent.add(*spent);
    if let Phase::Archiving(archiving) = &mut life.phase
        && let Archive::Settling { keys } = &mut archiving.step
    {
        keys.retain(|own| own != key);
        if keys.is_empty() {
            archiving.step = Archive::Writing { tries: 1, retry_at: None };
        }
    }
    let Some(work) = life.phase.work_mut() else { return };
    work.unknown_calls.extend(unknown.clone());
    let task = super::super::standing::task_of_key(key);
    if let Some(task) = task.and_then(|id| work.task_mut(id)) {
        super::tasks::worked(task, spent.turns, files_changed);
    }
}

fn rolling(life: &mut Life, event: &Event, at: At) {
    let q = life.body.seq;
    let Phase::Blocked(blocked) = &mut life.phase else { return };
    blocked.rolling = match (blocked.rolling.take(), event) {
        (_, Event::RollbackBegan { rolling }) => {
            let id = rolling.id();
            life.body.next.roll = life.body.next.roll.max(id + 1);
            blocked.work.rollbacks += 1;
            Some(rolling.clone())
        }
        (
            Some(Rolling::Plan { id, to, conflicts, .. }),
            Event::RollbackPlanned { plan_hash, calls },
        ) => {
            let (plan_hash, calls) = (plan_hash.clone(), calls.clone());
            Some(Rolling::Ask { id, to, plan_hash, calls, conflicts })
        }
        (
            Some(Rolling::Ask { id, to, plan_hash, calls, conflicts }),
            Event::RollbackConfirmed { .. },
        ) => Some(Rolling::Run { id, to, plan_hash, calls, conflicts }),
        (_, Event::RollbackStopped { report }) => {
            (blocked.why, blocked.detail, blocked.since) =
                (Why::RollbackFailed, report.clone(), at);
            blocked.q = q;
            None
        }
        (_, Event::RollbackLeft) => {
            blocked.q = q;
            None
        }
        (was, _) => was,
    };
}

fn ended(life: &mut Life, outcome: Outcome, archive: Option<String>, at: At) {
    let work = life.phase.work().cloned().map(Box::new);
    let revision = work.as_ref().map_or(0, |work| work.plan.revision);
    life.body.hold = None;
    life.body.left.clear();
    life.phase = Phase::Idle(Box::new(Ended { outcome, at, archive, plan: None, work, revision }));
}
