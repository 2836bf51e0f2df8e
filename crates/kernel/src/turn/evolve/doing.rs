//! The facts of steps, their calls and their repair.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::event::{Event, Left, Of};
use super::super::evidence::{CallLine, Failure, FailureKind, FileChange, StepEvidence};
use super::super::plan::{OnFailure, SkipReason, Status, Step, StepError};
use super::super::setup::Checkpoints;
use super::super::state::{
    Back, Counted, Flight, Kept, Life, Origin, Phase, Position, Recovering, Rung, Tried, Work,
    Wrote,
};
use super::plans;

pub(super) fn apply(life: &mut Life, event: &Event) {
    if let Event::StepStarted { step, attempt, origin } = event {
        started(life, step, *attempt, origin);
    } else if let Event::StepDone { step, evidence } = event {
        done(life, step, evidence);
    } else if let Event::StepFailed { failure, rung } | Event::ReplanAsked { failure, rung } = event
    {
        failed(life, failure, rung);
    } else if let Event::StepBlocked { step, code } = event {
        blocked(life, step, code);
    } else if let Event::StepSkipped { step, .. } = event {
        let found = life.body.work.as_mut().and_then(|work| work.plan.step_mut(step));
        if let Some(step) = found {
            plans::skip(step, SkipReason::Person);
        }
    } else if let Event::Degraded { step, from, to } = event {
        degraded(life, step, from, to);
    } else if let Event::CallAsked { inner } = event {
        if let Phase::Executing(at) = &mut life.phase {
            (at.last, at.asked) = (at.last.max(inner.n), at.asked + 1);
            at.inner.push((**inner).clone());
        }
    } else if let Event::CallDenied { .. } = event {
        if let Phase::Executing(at) = &mut life.phase {
            at.denials += 1;
        }
    } else if let Event::CallRecorded { of, line, left } = event {
        recorded(life, *of, line, left);
    } else if let Event::UndoRecorded { ok, next } = event
        && let Phase::Recovering(now) = &life.phase
    {
        let undone = match &now.rung {
            Rung::Undo { left, .. } => left.last().cloned(),
            Rung::Degrade { .. }
            | Rung::Fix { .. }
            | Rung::Replan { .. }
            | Rung::Help { .. }
            | Rung::Spent => None,
        };
        let now = Recovering { rung: (**next).clone(), ..(**now).clone() };
        life.body.ledger.calls += 1;
        if let (Some(undone), Some(work), true) = (undone, &mut life.body.work, *ok) {
            taken_back(work, &undone);
        }
        recover(life, now);
    }
}

/// What was taken back is no change of the turn any more, and proves no step, unless another call
/// made it too.
fn taken_back(work: &mut Work, call: &str) {
    let (gone, kept): (Vec<Wrote>, Vec<Wrote>) =
        work.writes.drain(..).partition(|wrote| wrote.call_id == call);
    work.writes = kept;
    for (wrote, path) in gone.iter().flat_map(|one| one.files.iter().map(move |path| (one, path))) {
        let with = |other: &&Wrote| other.files.contains(path);
        if !work.writes.iter().any(|other| with(&other)) {
            work.changed.remove(path);
        }
        if work.writes.iter().filter(with).any(|other| other.step == wrote.step) {
            continue;
        }
        let steps = work.plan.steps.iter_mut().chain(work.fixes.iter_mut());
        for step in steps.filter(|step| step.step_id == wrote.step && step.status != Status::Done) {
            let evidence = step.evidence.iter_mut();
            evidence.for_each(|one| one.files_changed.retain(|file| file.path != *path));
        }
    }
}

fn step_of<'a>(work: &'a mut Work, origin: &Origin, id: &str) -> Option<&'a mut Step> {
    match origin {
        Origin::Main => work.plan.step_mut(id),
        Origin::Fix { .. } => work.fixes.iter_mut().find(|step| step.step_id == id),
    }
}

fn started(life: &mut Life, id: &str, attempt: u32, origin: &Origin) {
    let held = life.body.hold.is_some();
    let Some(work) = &mut life.body.work else { return };
    work.attempts.insert(id.to_string(), attempt);
    if life.body.start.checkpoints == Checkpoints::Step && work.kept == Kept::Done {
        work.kept = Kept::Due;
        life.body.next.checkpoint += 1;
    }
    if let Some(step) = step_of(work, origin, id) {
        step.status = Status::InProgress;
        step.attempt = attempt;
        step.error = None;
    }
    life.phase = Phase::Executing(Box::new(Position {
        step: id.into(),
        attempt,
        n: 1,
        last: 1,
        at: 0,
        origin: origin.clone(),
        inner: Vec::new(),
        asked: 0,
        denials: 0,
        tally: BTreeMap::new(),
        unchanged: Vec::new(),
        flight: if held { Flight::No } else { Flight::Perhaps },
    }));
    life.body.clock.left_ms = life.body.start.limits.step_ms;
}

fn done(life: &mut Life, id: &str, evidence: &StepEvidence) {
    let origin = life.position().map_or(Origin::Main, |at| at.origin.clone());
    let Some(work) = &mut life.body.work else { return };
    if let Some(step) = step_of(work, &origin, id) {
        step.status = Status::Done;
        step.error = None;
        step.evidence = Some(evidence.clone());
    }
}

fn failed(life: &mut Life, failure: &Failure, rung: &Rung) {
    let back = life.position().map_or(Back::Verify, Position::back);
    let at = life.position().cloned();
    if at.as_ref().is_some_and(|at| life.body.checkpoint_due(at)) {
        // The call that should have kept the tree is over; the next try is another one.
        life.body.next.checkpoint += 1;
    }
    if let (Some(at), Some(work)) = (at, &mut life.body.work)
        && let Some(step) = step_of(work, &at.origin, &at.step)
    {
        // A fix that failed is over; what it should have repaired is what is tried again.
        step.status = match at.origin {
            Origin::Main => Status::Pending,
            Origin::Fix { .. } => Status::Blocked,
        };
        step.error = Some(error(failure));
    }
    recover(life, Recovering { failure: failure.clone(), back, rung: rung.clone() });
}

fn error(failure: &Failure) -> StepError {
    let detail = failure.errors.first().map_or_else(String::new, |error| error.message.clone());
    StepError { code: failure.code.clone(), kind: failure.detail.clone(), detail }
}

/// A step that was under way is none any more.
pub(super) fn unstart(life: &mut Life, id: Option<&String>) {
    let step = id.and_then(|id| life.body.work.as_mut()?.plan.step_mut(id));
    if let Some(step) = step.filter(|step| step.status == Status::InProgress) {
        step.status = Status::Pending;
    }
}

/// Enters a rung: counts it, remembers it, gives it its number and its time.
pub(super) fn recover(life: &mut Life, now: Recovering) {
    let limits = &life.body.start.limits;
    let (plan_ms, summary_ms) = (limits.plan_ms, limits.summary_ms);
    let body = &mut life.body;
    match &now.rung {
        Rung::Fix { n, .. } => body.ledger.fixes = body.ledger.fixes.max(*n),
        Rung::Undo { n, .. } => {
            body.next.undo = body.next.undo.max(n + 1);
            body.clock.left_ms = summary_ms;
        }
        Rung::Replan { n, counted, .. } => {
            body.next.replan = body.next.replan.max(n + 1);
            if *counted == Counted::Yes {
                body.ledger.replans += 1;
            }
            body.clock.left_ms = plan_ms;
        }
        Rung::Help { n, .. } => body.next.help = body.next.help.max(n + 1),
        Rung::Degrade { .. } | Rung::Spent => {}
    }
    if let (Some(rung), Some(work)) = (now.rung.kind(), &mut body.work) {
        let signature = now.failure.signature.clone();
        let tried = Tried { back: now.back.clone(), signature, rung };
        if !work.tried.contains(&tried) {
            work.tried.push(tried);
        }
    }
    life.phase = Phase::Recovering(Box::new(now));
}

/// Another plan without a failure behind it.
pub(super) fn replan(life: &mut Life, back: Back, note: Option<String>, counted: Counted) {
    if let Back::Step(id) = &back {
        unstart(life, Some(&id.clone()));
    }
    let failure = Failure {
        kind: FailureKind::Ambiguous,
        code: "E_MODEL".to_string(),
        detail: "replan".to_string(),
        signature: "replan".to_string(),
        step_id: match &back {
            Back::Step(id) => Some(id.clone()),
            Back::Verify => None,
        },
        call_id: None,
        tool: None,
        errors: Vec::new(),
    };
    let n = life.body.next.replan;
    let rung = Rung::Replan { n, attempt: 1, invalid: 0, note, error: None, counted };
    recover(life, Recovering { failure, back, rung });
}

fn blocked(life: &mut Life, id: &str, code: &str) {
    let Some(work) = &mut life.body.work else { return };
    // Where the turn ends here, what hangs on the step stays to be done.
    let dependants = match work.plan.on_failure {
        OnFailure::Stop => Vec::new(),
        OnFailure::Continue => work.plan.dependants(id),
    };
    if let Some(step) = work.plan.step_mut(id) {
        step.status = Status::Blocked;
        let error = StepError { code: code.into(), kind: String::new(), detail: String::new() };
        step.error.get_or_insert(error);
    }
    for id in dependants {
        if let Some(step) = work.plan.step_mut(&id) {
            plans::skip(step, SkipReason::Dependency);
        }
    }
}

/// Another agent for a step, or another tool for one of its calls.
fn degraded(life: &mut Life, id: &str, from: &str, to: &str) {
    let Some(work) = &mut life.body.work else { return };
    let step = work.plan.step_mut(id);
    let call = step.and_then(|step| step.tool_calls.iter_mut().find(|call| call.name == from));
    if let Some(call) = call {
        call.name = to.into();
        // The plan reads what it read before by another way: the yes to it stands.
        let hash = super::super::subject::plan(&work.plan, &work.reach);
        if let Some(approval) = work.approval.as_mut().filter(|yes| yes.hash == work.hash) {
            approval.hash.clone_from(&hash);
        }
        work.hash = hash;
    } else {
        *work.fallen.entry(id.into()).or_insert(0) += 1;
    }
}

fn recorded(life: &mut Life, of: Of, line: &CallLine, left: &Left) {
    let (held, fixes) = (life.body.hold.is_some(), life.body.ledger.fixes);
    life.body.ledger.calls += 1;
    let Some(work) = &mut life.body.work else { return };
    let Some(at) = life.phase.position_mut() else { return };
    match of {
        Of::Checkpoint => work.kept = Kept::Done,
        Of::Inner { n } => {
            if let Some(place) = at.inner.iter().position(|inner| inner.n == n) {
                let inner = at.inner.remove(place);
                let both = alloc::format!("{}:{}", inner.hash, left.result_hash);
                *at.tally.entry(both).or_insert(0) += 1;
            }
        }
        Of::Step => {
            (at.n, at.at) = (at.last + 1, at.at + 1);
            at.last = at.n;
            at.inner.clear();
        }
    }
    at.flight = if held { Flight::No } else { at.flight };
    at.unchanged.extend(left.unchanged.iter().cloned());
    work.bare |= left.bare;
    leave(work, at, fixes, (line, left));
}

/// Keeps what a call left behind with its step.
fn leave(work: &mut Work, at: &Position, fixes: u32, (line, left): (&CallLine, &Left)) {
    if !left.files.is_empty() {
        let files = left.files.iter().map(|file| file.path.clone()).collect();
        let (call_id, step) = (line.call_id.clone(), at.step.clone());
        let repairs = matches!(at.origin, Origin::Fix { .. });
        work.writes.push(Wrote { call_id, step, files, repairs, fixes });
    }
    // Their sum is what counts: it is no more and no less than what was measured.
    let many = u64::try_from(left.files.len()).unwrap_or(u64::MAX).max(1);
    let mut over = left.lines % many;
    for file in &left.files {
        let lines = work.changed.entry(file.path.clone()).or_insert(0);
        *lines = lines.saturating_add(left.lines / many + u64::from(over > 0));
        over = over.saturating_sub(1);
    }
    let Some(step) = step_of(work, &at.origin, &at.step) else { return };
    let evidence = step.evidence.get_or_insert_default();
    evidence.calls.push(line.clone());
    evidence.commands_run.extend(left.commands.iter().cloned());
    left.files.iter().for_each(|file| merge(&mut evidence.files_changed, file));
    evidence.digest.clone_from(&left.digest);
    if left.claim.is_some() {
        evidence.claim.clone_from(&left.claim);
    }
}

/// A file that changed twice was what it was before the first change.
fn merge(all: &mut Vec<FileChange>, file: &FileChange) {
    match all.iter_mut().find(|known| known.path == file.path) {
        Some(known) => known.after.clone_from(&file.after),
        None => all.push(file.clone()),
    }
}

/// The whole time of the effect that a phase owes.
fn whole_ms(life: &Life) -> u64 {
    let limits = &life.body.start.limits;
    match &life.phase {
        Phase::Intake { .. } => limits.intake_ms,
        Phase::ContextBuilding { .. } => limits.context_ms,
        Phase::Planning { .. } => limits.plan_ms,
        Phase::Executing(_) | Phase::Clarifying { .. } | Phase::AwaitingConfirmation(_) => {
            limits.step_ms
        }
        Phase::Verifying(now) => life.body.check_ms(now.index),
        Phase::Recovering(now) => match now.rung {
            Rung::Replan { .. } => limits.plan_ms,
            Rung::Degrade { .. }
            | Rung::Fix { .. }
            | Rung::Undo { .. }
            | Rung::Help { .. }
            | Rung::Spent => limits.summary_ms,
        },
        Phase::Summarizing(_) | Phase::Done(_) => limits.summary_ms,
    }
}

/// The same effect under a key that was never used, with its whole time.
pub(super) fn reowed(life: &mut Life, checkpoint: bool) {
    life.body.clock.left_ms = whole_ms(life);
    let next = &mut life.body.next;
    match &mut life.phase {
        Phase::Intake { round } => {
            *round = next.intake;
            next.intake += 1;
        }
        Phase::ContextBuilding { round } => {
            next.context += 1;
            *round = next.context;
        }
        Phase::Planning { n, .. } => {
            next.plan += 1;
            *n = next.plan;
        }
        Phase::Executing(_) if checkpoint => next.checkpoint += 1,
        Phase::Executing(at) => {
            at.attempt += 1;
            at.inner.clear();
            at.flight = if life.body.hold.is_some() { Flight::No } else { Flight::Perhaps };
            if let Some(work) = &mut life.body.work {
                work.attempts.insert(at.step.clone(), at.attempt);
                if let Some(step) = step_of(work, &at.origin, &at.step) {
                    step.attempt = at.attempt;
                }
            }
        }
        Phase::Verifying(now) => {
            next.verify += 1;
            now.round = next.verify;
        }
        Phase::Recovering(now) => match &mut now.rung {
            Rung::Undo { i, .. } => *i += 1,
            Rung::Replan { attempt, .. } => *attempt += 1,
            Rung::Degrade { .. } | Rung::Fix { .. } | Rung::Help { .. } | Rung::Spent => {}
        },
        Phase::Summarizing(now) => match &mut now.stage {
            super::super::state::Ending::Answering { n, .. } => {
                next.answer += 1;
                *n = next.answer;
            }
            super::super::state::Ending::Drafting => next.summary += 1,
            super::super::state::Ending::Committing => next.git += 1,
        },
        Phase::Clarifying { .. } | Phase::AwaitingConfirmation(_) | Phase::Done(_) => {}
    }
}
