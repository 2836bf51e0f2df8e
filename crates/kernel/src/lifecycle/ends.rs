//! What the ends of owed effects mean to the work: turns, checks, the tree's digests. The same
//! words for a task and for its fix; where they lead differs.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::batch::{Batch, halted};
use super::bounds::{self, STALE_ROUNDS_MAX};
use super::check::{Check, CheckSource, Digest, Evidence, Verdict};
use super::command::{CheckEnd, Saved, TurnEnd, TurnFault, TurnOutcome};
use super::event::{Event, Halted};
use super::phase::{AutoFix, Doing, Failure, FixStep, OnFail, Phase, Step, Why};
use super::setup::{Spent, Switch};
use super::state::{NoteKind, Work};
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
            Switch::Off => batch.warn(Some(task), format!("no checkpoint: {detail}")),
        },
    }
    batch.begin_work(task, guidance);
}

/// What a turn spent, changed, said and proved is recorded first.
fn record_turn(batch: &mut Batch<'_>, task: &str, end: &TurnEnd) -> Result<(), Box<Halted>> {
    let spent = Spent { turns: 1, ..end.spent };
    let files_changed = end.files_changed.clone();
    batch.push(Event::TurnSpent { task: Some(task.into()), spent, files_changed });
    if let Some(claim) = end.claim.as_deref().filter(|claim| !claim.trim().is_empty()) {
        let status = match end.outcome {
            TurnOutcome::Completed => Status::Done,
            TurnOutcome::Denied { .. }
            | TurnOutcome::Blocked(_)
            | TurnOutcome::Cancelled { .. } => Status::InProgress,
        };
        let summary = Some(bounds::cut(claim, bounds::TASK_SUMMARY_BYTES_MAX).into());
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
fn same_definition(
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
fn record(batch: &mut Batch<'_>, evidence: &Evidence, tasks: Vec<String>) -> Evidence {
    let mut evidence = evidence.clone();
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
        batch.warn(task.as_deref(), format!("self-modifying: {}", evidence.check_id));
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
        ("E_BUDGET", _) => Fault::Halt(Why::Budget),
        ("E001" | "E002" | "E003" | "E009" | "E010", _) => Fault::Halt(Why::AgentUnavailable),
        _ => Fault::Fix,
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
            let (task, detail) = (Some(task.into()), format!("cancelled by {by}"));
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
    if let TurnOutcome::Blocked(fault) = &end.outcome {
        return batch.fix_failed(fault.failure.clone(), end.files_changed.clone());
    }
    let Some(i) = missing(batch, task) else { return fixed(batch, task) };
    let proves = end.evidence.iter().any(|evidence| evidence.verdict == Verdict::Pass);
    if end.files_changed.is_empty() && !proves {
        return batch.fix_failed(no_change(&fix.failure), Vec::new());
    }
    let (k, n) = (fix.step.k(), batch.life.body.next.n);
    let step = FixStep::Check { k, i, n, moved: false, rounds: 0 };
    let attempt = fix.attempt;
    batch.push(Event::FixBegan { attempt, counts: false, step });
}

/// An attempt that changed nothing; what failed is still what failed before.
fn no_change(failure: &Failure) -> Failure {
    Failure {
        code: "no_change".into(),
        kind: String::new(),
        summary: String::from("no_change"),
        signature: format!("no_change:{}", failure.signature),
        ..failure.clone()
    }
}

fn fixed(batch: &mut Batch<'_>, task: &str) {
    batch.push(Event::FixSuccess);
    batch.close(task);
}

fn missing(batch: &Batch<'_>, task: &str) -> Option<u32> {
    let work = batch.work()?;
    work.missing(work.task(task)?)
}

/// What a check that ended means.
enum Judged {
    Passed,
    Failed(Failure),
    Again,
    Halted(Box<Halted>),
}

/// Records a check and judges it.
fn judge(
    batch: &mut Batch<'_>,
    (task, check, users): (&str, &Check, Vec<String>),
    end: &CheckEnd,
    moved: bool,
) -> Judged {
    let unavailable = |detail: &str| {
        let (task, detail) = (Some(task.into()), format!("{}: {detail}", check.id));
        Judged::Halted(Box::new(Halted { task, detail, ..halted(Why::CannotVerify) }))
    };
    let evidence = match end {
        CheckEnd::Unavailable { detail } if check.required => return unavailable(detail),
        CheckEnd::Unavailable { detail } => {
            batch.warn(Some(task), format!("unavailable: {}: {detail}", check.id));
            return Judged::Passed;
        }
        CheckEnd::Ran(evidence) => evidence,
    };
    if let Err(halt) = same_definition(batch, task, check, evidence) {
        return Judged::Halted(halt);
    }
    let had_tests = batch.work().is_some_and(|work| work.had_tests(&check.id));
    let evidence = record(batch, evidence, users);
    match evidence.verdict {
        Verdict::Pass => Judged::Passed,
        Verdict::Fail if check.required => Judged::Failed(failure(check, &evidence)),
        Verdict::Empty if check.required && (named(check) || had_tests) => {
            Judged::Failed(failure(check, &evidence))
        }
        Verdict::Fail | Verdict::Empty => {
            let word = if evidence.verdict == Verdict::Fail { "fail" } else { "empty" };
            batch.warn(Some(task), format!("{word}: {}", check.id));
            Judged::Passed
        }
        Verdict::Moved if !check.required => Judged::Passed,
        Verdict::Moved if moved => {
            let (task, detail) = (Some(task.into()), check.id.clone());
            Judged::Halted(Box::new(Halted { task, detail, ..halted(Why::TreeMoving) }))
        }
        Verdict::Moved => Judged::Again,
        Verdict::Unavailable | Verdict::NotRun if check.required => unavailable("not run"),
        Verdict::Unavailable | Verdict::NotRun => {
            batch.warn(Some(task), format!("unavailable: {}", check.id));
            Judged::Passed
        }
    }
}

/// Whether somebody named the check: then no test is no pass.
const fn named(check: &Check) -> bool {
    matches!(check.source, CheckSource::Task | CheckSource::Config)
}

impl Work {
    /// Whether a check ran tests before.
    pub(super) fn had_tests(&self, check: &str) -> bool {
        let some = |evidence: &Evidence| {
            evidence.tests.is_some_and(|tests| tests.passed + tests.failed > 0)
        };
        self.evidence.iter().any(|evidence| evidence.check_id == check && some(evidence))
    }
}

fn failure(check: &Check, evidence: &Evidence) -> Failure {
    let first = evidence.errors.first().map(|error| error.message.clone());
    let code = evidence.exit_code.map_or_else(String::new, |code| format!("exit {code}"));
    let summary = format!("{}: {}", check.id, first.unwrap_or(code));
    Failure {
        code: "E_BUILD_FAIL".into(),
        kind: if evidence.verdict == Verdict::Empty { "empty" } else { "check" }.into(),
        signature: evidence.signature.clone().unwrap_or_else(|| summary.clone()),
        summary,
        repeat: false,
        check: Some(check.id.clone()),
        errors: evidence.errors.clone(),
        digest: Some(evidence.digest.clone()),
    }
}

/// Where the checks of a task go on after number `i` passed.
enum NextCheck {
    Done,
    At(u32),
    /// One before it went stale meanwhile.
    Back(u32),
}

fn next_check(batch: &Batch<'_>, task: &str, i: u32) -> NextCheck {
    let Some(work) = batch.work() else { return NextCheck::Done };
    let Some(task) = work.task(task) else { return NextCheck::Done };
    let checks = work.checks_of(task);
    let later = usize::try_from(i).unwrap_or(usize::MAX).saturating_add(1);
    let open = |at: &usize| checks.get(*at).is_some_and(|check| !work.passed(task, check));
    if let Some(at) = (later..checks.len()).find(open) {
        return NextCheck::At(u32::try_from(at).unwrap_or(u32::MAX));
    }
    work.missing(task).map_or(NextCheck::Done, NextCheck::Back)
}

/// A check of a task has ended.
pub(super) fn task_check(batch: &mut Batch<'_>, task: &str, step: &Step, end: &CheckEnd) {
    let Step::Check { n, i, on_fail, moved, rounds } = step.clone() else { return };
    let Some(check) = check_at(batch, task, i) else { return batch.turn(task, None) };
    let begin = |batch: &mut Batch<'_>, n, i, moved, rounds| {
        let step = Step::Check { n, i, on_fail, moved, rounds };
        batch.begin(Doing::Task { task: task.into(), step });
    };
    match judge(batch, (task, &check, vec![task.into()]), end, moved) {
        Judged::Halted(halt) => batch.halt(*halt),
        Judged::Failed(_) if on_fail.is_claim() => batch.turn(task, None),
        Judged::Failed(failure) => batch.detected(task, failure),
        Judged::Again => begin(batch, batch.life.body.next.n, i, true, rounds),
        Judged::Passed => match next_check(batch, task, i) {
            NextCheck::Done => batch.close(task),
            NextCheck::At(at) => begin(batch, n, at, false, rounds),
            NextCheck::Back(_) if rounds >= STALE_ROUNDS_MAX => batch.halt(moving(task)),
            NextCheck::Back(at) => begin(batch, batch.life.body.next.n, at, false, rounds + 1),
        },
    }
}

fn moving(task: &str) -> Halted {
    Halted { task: Some(task.into()), ..halted(Why::TreeMoving) }
}

fn check_at(batch: &Batch<'_>, task: &str, i: u32) -> Option<Check> {
    let work = batch.work()?;
    let checks = work.checks_of(work.task(task)?);
    checks.get(usize::try_from(i).ok()?).cloned()
}

/// A check of a fix has ended.
pub(super) fn fix_check(batch: &mut Batch<'_>, fix: &AutoFix, end: &CheckEnd) {
    let FixStep::Check { k, i, n, moved, rounds } = fix.step else { return };
    let task = fix.task.as_str();
    let Some(check) = check_at(batch, task, i) else { return fixed(batch, task) };
    let begin = |batch: &mut Batch<'_>, n, i, moved, rounds| {
        let step = FixStep::Check { k, i, n, moved, rounds };
        batch.push(Event::FixBegan { attempt: fix.attempt, counts: false, step });
    };
    match judge(batch, (task, &check, vec![task.into()]), end, moved) {
        Judged::Halted(halt) => batch.halt(*halt),
        Judged::Failed(failure) => batch.fix_failed(failure, Vec::new()),
        Judged::Again => begin(batch, batch.life.body.next.n, i, true, rounds),
        Judged::Passed => match next_check(batch, task, i) {
            NextCheck::Done => fixed(batch, task),
            NextCheck::At(at) => begin(batch, n, at, false, rounds),
            NextCheck::Back(_) if rounds >= STALE_ROUNDS_MAX => batch.halt(moving(task)),
            NextCheck::Back(at) => begin(batch, batch.life.body.next.n, at, false, rounds + 1),
        },
    }
}

/// The tree was looked at before the end: what is stale is run again, once for all its tasks.
pub(super) fn digested(batch: &mut Batch<'_>, rounds: u32, digests: &[Digest]) {
    batch.push(Event::DigestsSeen { digests: digests.to_vec() });
    let stale = batch.work().map(Work::stale_checks).unwrap_or_default();
    if stale.is_empty() {
        return batch.all_done();
    }
    if rounds >= STALE_ROUNDS_MAX {
        let last = stale.first().and_then(|id| batch.work()?.closed_last(id));
        let task = last.map(|task| task.spec.id.clone());
        return batch.halt(Halted { task, ..halted(Why::TreeMoving) });
    }
    let n = batch.life.body.next.n;
    batch.begin(Doing::SealCheck { n, i: 0, stale, moved: false, rounds });
}

/// A stale check has run again before the end.
pub(super) fn seal_check(batch: &mut Batch<'_>, doing: &Doing, end: &CheckEnd) {
    let Doing::SealCheck { n, i, stale, moved, rounds } = doing.clone() else { return };
    let at = usize::try_from(i).unwrap_or(usize::MAX);
    let found = stale.get(at).and_then(|id| batch.work()?.check(id));
    let last = stale.get(at).and_then(|id| batch.work()?.closed_last(id));
    let last = last.map(|task| task.spec.id.clone());
    // Neither can be gone: only pending tasks are amended. A seal begins anew then.
    let (Some((check, users)), Some(last)) = (found, last) else { return batch.seal(rounds + 1) };
    match judge(batch, (&last, &check, users), end, moved) {
        Judged::Halted(halt) => batch.halt(*halt),
        Judged::Failed(failure) => {
            let (by, task) = (batch.who(), last.clone());
            batch.push(Event::TaskReopened { by, task });
            batch.detected(&last, failure);
        }
        Judged::Again => {
            let n = batch.life.body.next.n;
            batch.begin(Doing::SealCheck { n, i, stale, moved: true, rounds });
        }
        Judged::Passed if at + 1 < stale.len() => {
            let i = i + 1;
            batch.begin(Doing::SealCheck { n, i, stale, moved: false, rounds });
        }
        Judged::Passed => batch.seal(rounds + 1),
    }
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
