//! What the ends of owed effects mean to the work: turns, checks, the tree's digests. The same
//! words for a task and for its fix; where they lead differs.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::batch::{Batch, halted};
use super::bounds;
use super::check::{Check, Evidence, Verdict};
use super::command::{Saved, TurnEnd, TurnFault, TurnOutcome};
use super::event::{Event, Halted};
use super::phase::{AutoFix, Doing, Failure, FixStep, NO_CHANGE, OnFail, Phase, Step, Why};
use super::setup::{Spent, Switch};
use super::state::NoteKind;
use super::task::Status;

/// A checkpoint was made, or not.
pub(super) fn saved(batch: &mut Batch<'_>, task: &str, guidance: Option<String>, end: &Saved) {
    match end {
        Saved::Ok { checkpoint } => {
            let (task, checkpoint) = (task.into(), checkpoint.clone());
            batch.push(Event::CheckpointMade { task, checkpoint });
        }
        Saved::BranchChanged { detail } => {
            let (task, detail) = (Some(task.into()), detail.clone());
            return batch.halt(Halted { task, detail, ..halted(Why::BranchChanged) });
        }
        Saved::Failed { detail } => match batch.life.body.begin.options.checkpoint_required {
            Switch::On => {
                let (task, detail) = (Some(task.into()), detail.clone());
                return batch.halt(Halted { task, detail, ..halted(Why::CheckpointFailed) });
            }
            Switch::Off => batch.warn(Some(task), format!("no_checkpoint: {detail}")),
        },
    }
    batch.begin_work(task, guidance);
}

/// What a turn spent, changed, said and proved is recorded first.
fn record_turn(batch: &mut Batch<'_>, task: &str, end: &TurnEnd) -> Result<(), Box<Halted>> {
    let spent = Spent { turns: 1, ..end.spent };
    let files_changed = end.files_changed.clone();
    batch.push(Event::TurnSpent { task: Some(task.into()), spent, files_changed });
    if let Some(claim) = end.claim.as_deref() {
        let status = match end.outcome {
            TurnOutcome::Completed => Status::Done,
            TurnOutcome::Denied { .. }
            | TurnOutcome::Blocked(_)
            | TurnOutcome::Cancelled { .. } => Status::InProgress,
        };
        // An agent may say that it is done and nothing more.
        let summary = (!claim.trim().is_empty())
            .then(|| bounds::cut(claim, bounds::TASK_SUMMARY_BYTES_MAX).into());
        let (by, task) = (String::from("agent"), task.into());
        batch.push(Event::ProgressClaimed { by, task, status, summary });
    }
    for evidence in &end.evidence {
        let check = batch.work().and_then(|work| work.check(&evidence.check_id));
        let Some((check, _)) = check else { continue };
        same_definition(batch, task, &check, evidence)?;
        record(batch, evidence, vec![task.into()]);
    }
    Ok(())
}

/// A check that means something else than what was approved proves nothing.
pub(super) fn same_definition(
    batch: &Batch<'_>,
    task: &str,
    check: &Check,
    evidence: &Evidence,
) -> Result<(), Box<Halted>> {
    let accepted = |hash: &String| batch.work().is_some_and(|work| work.accepted.contains(hash));
    if evidence.definition_hash == check.definition_hash
        || evidence.definition_hash.as_ref().is_some_and(accepted)
    {
        return Ok(());
    }
    let detail = evidence.definition_hash.clone().unwrap_or_default();
    let task = Some(task.into());
    Err(Box::new(Halted { task, detail, ..halted(Why::DefinitionChanged) }))
}

/// Records a check that ran; a pass on the very files that failed before is told of.
pub(super) fn record(batch: &mut Batch<'_>, evidence: &Evidence, tasks: Vec<String>) -> Evidence {
    let mut evidence = evidence.clone();
    // A check that is run once for all its tasks names the one that it is for, if there is one.
    if let [only] = tasks.as_slice() {
        evidence.task_id.get_or_insert_with(|| only.clone());
    }
    let allowed = batch.life.body.begin.options.allow_self_modifying == Switch::On;
    let self_modified = evidence.verdict == Verdict::Moved && allowed;
    if self_modified {
        evidence.verdict = Verdict::Pass;
    }
    let failed_here = |other: &Evidence| {
        other.check_id == evidence.check_id
            && other.verdict == Verdict::Fail
            && other.digest == evidence.digest
    };
    let before = batch.work().is_some_and(|work| work.evidence.iter().any(|e| failed_here(e)));
    evidence.flaky = evidence.verdict == Verdict::Pass && before;
    let task = tasks.first().cloned();
    batch.push(Event::EvidenceRecorded { evidence: Box::new(evidence.clone()), tasks });
    if evidence.flaky {
        batch.warn(task.as_deref(), format!("flaky: {}", evidence.check_id));
    }
    if self_modified {
        batch.warn(task.as_deref(), format!("self_modifying: {}", evidence.check_id));
    }
    evidence
}

/// Where a turn's fault leads.
enum Fault {
    Fix,
    Halt(Why),
}

fn fault(failure: &Failure) -> Fault {
    match (failure.code.as_str(), failure.kind.as_str()) {
        ("E009", "quota") => Fault::Halt(Why::Quota),
        ("E_POLICY_DENIED" | "E_NEEDS_CONFIRM", _) => Fault::Halt(Why::PolicyDenied),
        ("E_IO", _) => Fault::Halt(Why::Io),
        // A check that could not be run says nothing of the work.
        ("E_BUILD_FAIL", "unavailable") => Fault::Halt(Why::CannotVerify),
        ("E_BUDGET", _) => Fault::Halt(Why::Budget),
        ("E001" | "E002" | "E003" | "E010", _) | ("E009", "auth") | ("E_REFUSED", "no_planner") => {
            Fault::Halt(Why::AgentUnavailable)
        }
        ("E_BUILD_FAIL" | "E_CONFLICT" | "E_MODEL" | "E_INVALID_ARGS" | "E_TOOL_TIMEOUT", _)
        | ("E004" | "E006" | "E009", _) => Fault::Fix,
        // No attempt is spent on what no fix can reach.
        (_, _) => Fault::Halt(Why::AgentBlocked),
    }
}

fn halt_of(task: &str, why: Why, fault: &TurnFault) -> Halted {
    Halted {
        task: Some(task.into()),
        detail: fault.failure.summary.clone(),
        failure: Some(fault.failure.clone()),
        reset_at: fault.reset_at,
        agent: fault.agent.clone(),
        ..halted(why)
    }
}

/// A halt that a turn's end makes whatever it worked at; none where the work goes on.
fn turn_halt(task: &str, end: &TurnEnd) -> Option<Halted> {
    match &end.outcome {
        TurnOutcome::Completed => None,
        TurnOutcome::Denied { detail } => {
            let (task, detail) = (Some(task.into()), detail.clone());
            Some(Halted { task, detail, ..halted(Why::PolicyDenied) })
        }
        TurnOutcome::Blocked(why) => match fault(&why.failure) {
            Fault::Fix => None,
            Fault::Halt(reason) => Some(halt_of(task, reason, why)),
        },
        TurnOutcome::Cancelled { by } => {
            let (task, detail) = (Some(task.into()), format!("cancelled {by}"));
            Some(Halted { task, detail, ..halted(Why::AgentBlocked) })
        }
    }
}

/// The turn of a task has ended.
pub(super) fn task_turn(batch: &mut Batch<'_>, task: &str, end: &TurnEnd) {
    if let Err(halt) = record_turn(batch, task, end) {
        return batch.halt(*halt);
    }
    if let Some(halt) = turn_halt(task, end) {
        return batch.halt(halt);
    }
    if let TurnOutcome::Blocked(fault) = &end.outcome {
        return batch.detected(task, fault.failure.clone());
    }
    match missing(batch, task) {
        None => batch.close(task),
        Some(i) => batch.check(task, i, OnFail::Fix),
    }
}

/// The turn of a fix has ended.
pub(super) fn fix_turn(batch: &mut Batch<'_>, fix: &AutoFix, end: &TurnEnd) {
    let task = fix.task.as_str();
    if let Err(halt) = record_turn(batch, task, end) {
        return batch.halt(*halt);
    }
    if let Some(halt) = turn_halt(task, end) {
        return batch.halt(halt);
    }
    let proves = end.evidence.iter().any(|evidence| evidence.verdict == Verdict::Pass);
    let empty = end.files_changed.is_empty() && !proves;
    if let TurnOutcome::Blocked(fault) = &end.outcome {
        let failure = if empty && says_no_more(&fault.failure) {
            no_change(fix.cause.as_ref().unwrap_or(&fix.failure))
        } else {
            fault.failure.clone()
        };
        return batch.fix_failed(failure, end.files_changed.clone());
    }
    let Some(i) = missing(batch, task) else { return fixed(batch, task) };
    if empty {
        let cause = fix.cause.as_ref().unwrap_or(&fix.failure);
        return batch.fix_failed(no_change(cause), Vec::new());
    }
    let (k, n) = (fix.step.k(), batch.life.body.next.n);
    let step = FixStep::Check { k, i, n, moved: false, rounds: 0 };
    let attempt = fix.attempt;
    batch.push(Event::FixBegan { attempt, counts: false, step });
}

/// Whether a turn that changed nothing failed by just that: the checks are red as before, or what
/// was to come of it is not there.
fn says_no_more(failure: &Failure) -> bool {
    matches!(
        (failure.code.as_str(), failure.kind.as_str()),
        ("E_BUILD_FAIL" | "E_TOOL_TIMEOUT", _) | ("E_MODEL", "turn.phantom_completion")
    )
}

/// An attempt that changed nothing; what is to be repaired is still what it was.
fn no_change(cause: &Failure) -> Failure {
    Failure {
        code: NO_CHANGE.into(),
        kind: String::new(),
        summary: NO_CHANGE.into(),
        signature: format!("{NO_CHANGE}:{}", cause.signature),
        repeat: false,
        check: None,
        errors: Vec::new(),
        digest: None,
    }
}

pub(super) fn fixed(batch: &mut Batch<'_>, task: &str) {
    batch.push(Event::FixSuccess);
    batch.close(task);
}

fn missing(batch: &Batch<'_>, task: &str) -> Option<u32> {
    let work = batch.work()?;
    work.missing(work.task(task)?)
}

/// Nobody can tell what became of a call.
pub(super) fn unknown(batch: &mut Batch<'_>, call: &str) {
    let task = batch.life.phase.current_task().map(Into::into);
    let unknown_call = Some(call.into());
    let detail = call.into();
    batch.halt(Halted { task, detail, unknown_call, ..halted(Why::OutcomeUnknown) });
}

/// What is kept of a note.
pub(super) fn note(batch: &mut Batch<'_>, kind: NoteKind, task: Option<&str>, text: &str) {
    let by = batch.who();
    let text = bounds::cut(text, bounds::SCRATCH_BYTES_MAX).into();
    batch.push(Event::NoteTaken { by, kind, task: task.map(Into::into), text });
}

/// Whether the step under way is a call that can be unknown here.
pub(super) const fn is_call(phase: &Phase) -> bool {
    match phase {
        Phase::Executing(now) => match &now.doing {
            Doing::Task { step: Step::Save { .. } | Step::Check { .. }, .. }
            | Doing::SealCheck { .. } => true,
            Doing::Task { step: Step::Turn { .. }, .. } | Doing::Seal { .. } => false,
        },
        Phase::AutoFix(fix) => match &fix.step {
            FixStep::Check { .. } => true,
            FixStep::Turn { .. } => false,
        },
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Confirming(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => false,
    }
}
