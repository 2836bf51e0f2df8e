//! What the end of a check means: for a task, for its fix, and before the end of all. The verdict
//! is read elsewhere; which of them count, and where they lead, is said here.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::batch::{Batch, halted};
use super::bounds::STALE_ROUNDS_MAX;
use super::check::{Check, CheckSource, Digest, Evidence, Verdict};
use super::command::CheckEnd;
use super::ends::{fixed, record, same_definition};
use super::event::{Event, Halted};
use super::phase::{AutoFix, Doing, Failure, FixStep, Step, Why};
use super::state::Work;

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
        Verdict::Fail if check.required => Judged::Failed(Failure::of_check(&evidence)),
        Verdict::Empty if check.required && (named(check) || had_tests) => {
            Judged::Failed(Failure::of_check(&evidence))
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
        Verdict::Unavailable | Verdict::NotRun if check.required => unavailable("E_IO spawn"),
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

impl Failure {
    /// A check that is red, told by what was run and how it ended.
    #[must_use]
    pub fn of_check(evidence: &Evidence) -> Self {
        let ended = match (evidence.exit_code, evidence.signal) {
            (Some(code), _) => format!("exit {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => String::from("no exit code"),
        };
        let first = evidence.errors.first().map(|error| error.message.as_str());
        let (kind, how) = match evidence.verdict {
            Verdict::Empty => ("empty", "0 tests"),
            Verdict::Pass
            | Verdict::Fail
            | Verdict::Moved
            | Verdict::Unavailable
            | Verdict::NotRun => ("check", ended.as_str()),
        };
        let what = evidence.line();
        let summary = match first {
            Some(first) => format!("{what}: {how}: {first}"),
            None => format!("{what}: {how}"),
        };
        Self {
            code: "E_BUILD_FAIL".into(),
            kind: kind.into(),
            signature: evidence.signature.clone().unwrap_or_else(|| summary.clone()),
            summary,
            repeat: false,
            check: Some(evidence.check_id.clone()),
            errors: evidence.errors.clone(),
            digest: Some(evidence.digest.clone()),
        }
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
        Judged::Failed(failure) => batch.fix_failed(failure, fix.changed.clone()),
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
        // Only a queue in which nothing waits is over.
        return if batch.has_pending() { batch.reopen_queue() } else { batch.all_done() };
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
