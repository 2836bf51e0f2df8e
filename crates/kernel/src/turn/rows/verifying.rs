//! Rows of a turn that runs its checks. A check speaks of the files as they were: one that moved
//! them, or whose own definition changed, proves nothing.

use alloc::boxed::Box;
use alloc::string::String;

use super::super::bounds::CHECK_ERRORS_MAX;
use super::super::command::{Command, Ended, Payload};
use super::super::draft::{Decision, Draft};
use super::super::event::{AfterFail, Event};
use super::super::evidence::{CheckResult, CheckVerdict, Failure, FailureKind};
use super::super::ladder::UNAVAILABLE;
use super::super::plan::VerificationPolicy;
use super::super::state::{Life, Rerun, Verifying};
use super::shared;
use crate::machine::Said;

/// What a turn that runs its checks answers.
pub fn row(life: &Life, now: &Verifying, said: &Said<Command>) -> Decision {
    let Some(work) = &life.body.work else { return shared::not_now(life, &said.command) };
    let policy = work.plan.verification.clone();
    let result = match &said.command {
        Command::ToolCallResult { ended, .. } => ran(&policy, now, ended),
        Command::Timeout { .. } => unrun(&policy, now, CheckVerdict::Fail, "", true),
        Command::UserMessage(_)
        | Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Confirm(_)
        | Command::Cancel
        | Command::Pause { .. }
        | Command::Resume
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => return shared::not_now(life, &said.command),
    };
    let mut draft = Draft::new(life, said);
    judge(&mut draft, now, &policy, result);
    draft.done()
}

fn ran(policy: &VerificationPolicy, now: &Verifying, ended: &Ended) -> CheckResult {
    if let Some(Payload::Verify(result)) = shared::payload(ended) {
        let mut result = (**result).clone();
        result.errors.truncate(CHECK_ERRORS_MAX);
        return result;
    }
    let (code, detail) = shared::bad(ended);
    if code == "E_TOOL_TIMEOUT" || code == "E004" {
        return unrun(policy, now, CheckVerdict::Fail, &detail, true);
    }
    unrun(policy, now, CheckVerdict::Unavailable, &detail, false)
}

fn unrun(
    policy: &VerificationPolicy,
    now: &Verifying,
    verdict: CheckVerdict,
    summary: &str,
    timed_out: bool,
) -> CheckResult {
    let index = usize::try_from(now.index).unwrap_or(usize::MAX);
    let command = policy.commands.get(index).map(String::as_str).unwrap_or_default();
    let summary = summary.into();
    CheckResult { verdict, timed_out, summary, ..CheckResult::not_run(command) }
}

/// A command that ran no test proves nothing, whatever kind of check it was meant to be: most are
/// given by hand, and say no more of themselves than that they check.
const fn passed(result: &CheckResult) -> bool {
    match result.verdict {
        CheckVerdict::Pass => true,
        CheckVerdict::Empty
        | CheckVerdict::Fail
        | CheckVerdict::Moved
        | CheckVerdict::Unavailable
        | CheckVerdict::NotRun => false,
    }
}

fn judge(draft: &mut Draft<'_>, now: &Verifying, policy: &VerificationPolicy, result: CheckResult) {
    let last =
        usize::try_from(now.index).unwrap_or(usize::MAX).saturating_add(1) >= policy.commands.len();
    if !last && (passed(&result) || !policy.stop_on_fail) {
        return draft.push(Event::CheckRecorded { result: Box::new(result) });
    }
    let mut all = now.results.clone();
    all.push(result.clone());
    let result = Box::new(result);
    if let Some(failure) = redefined(draft, &all) {
        let rung = Box::new(draft.rung_of(&failure));
        let failed = Some((Box::new(failure), rung));
        draft.push(Event::CheckStale { result, failed });
        return draft.land();
    }
    if moved(now, &all) {
        let failed = (now.rerun == Rerun::Yes).then(|| {
            let failure = failure(draft, "E_CONFLICT", "moved", &all);
            let rung = draft.rung_of(&failure);
            (Box::new(failure), Box::new(rung))
        });
        draft.push(Event::CheckStale { result, failed });
        return draft.land();
    }
    if all.iter().all(passed) {
        let outcome = draft.outcome();
        return draft.push(Event::VerificationPassed { result, outcome });
    }
    let next = if policy.required {
        let (code, detail) = reason(&all);
        let failure = failure(draft, code, detail, &all);
        let rung = draft.rung_of(&failure);
        AfterFail::Recover(Box::new(failure), Box::new(rung))
    } else {
        AfterFail::Warn(draft.outcome())
    };
    draft.push(Event::VerificationFailed { result, next });
    draft.land();
}

/// Whether the files that the checks cover changed while they ran.
fn moved(now: &Verifying, all: &[CheckResult]) -> bool {
    // A check that did not end saw no files.
    let mut seen = all.iter().map(|one| &one.digest).filter(|digest| !digest.is_empty());
    let first = now.digest.as_ref().or_else(|| seen.clone().next());
    all.iter().any(|one| one.verdict == CheckVerdict::Moved)
        || seen.any(|digest| first.is_some_and(|first| first != digest))
}

/// A command that stands for something else than when the plan was accepted.
fn redefined(draft: &Draft<'_>, all: &[CheckResult]) -> Option<Failure> {
    let known = &draft.life.body.work.as_ref()?.definitions;
    let other = |one: &&CheckResult| match (known.get(&one.command), &one.definition_hash) {
        (Some(then), Some(now)) => then != now,
        (Some(_) | None, _) => false,
    };
    let found = all.iter().find(other)?;
    Some(failure(draft, "E_CONFLICT", "definition_changed", core::slice::from_ref(found)))
}

fn reason(all: &[CheckResult]) -> (&'static str, &'static str) {
    let first = all.iter().find(|one| !passed(one));
    match first.map(|one| (one.verdict, one.timed_out)) {
        Some((CheckVerdict::Unavailable, _)) => ("E_BUILD_FAIL", UNAVAILABLE),
        Some((CheckVerdict::Empty, _)) => ("E_BUILD_FAIL", "turn.no_tests_ran"),
        Some((_, true)) => ("E_TOOL_TIMEOUT", "deadline"),
        Some((_, false)) | None => ("E_BUILD_FAIL", "check"),
    }
}

/// The same commands failing with the same errors are the same failure.
fn failure(draft: &Draft<'_>, code: &str, detail: &str, all: &[CheckResult]) -> Failure {
    let kind = if detail == UNAVAILABLE { FailureKind::Tool } else { FailureKind::Verification };
    let mut failure = draft.failure(kind, code, detail);
    let failed = all.iter().filter(|one| one.verdict != CheckVerdict::Pass);
    for one in failed {
        failure.signature.push('|');
        failure.signature.push_str(&one.command);
        let places = one.errors.iter().map(|error| {
            let file = error.file.clone().unwrap_or_default();
            alloc::format!(":{file}:{}", error.message)
        });
        failure.signature.push_str(&places.collect::<String>());
        failure.errors.extend(one.errors.iter().cloned());
    }
    failure.signature = crate::hash::sha256_hex(failure.signature.as_bytes());
    failure.errors.truncate(CHECK_ERRORS_MAX);
    failure
}
