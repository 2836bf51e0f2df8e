//! The facts of checks and of the end.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::super::event::{AfterFail, AfterSummary, Event};
use super::super::evidence::{CheckResult, Failure};
use super::super::plan::Status;
use super::super::state::{
    Back, Ending, GitResult, Life, Outcome, Over, Phase, Recovering, Rerun, Resume, Round, Rung,
    Summing, Verified, Verifying,
};
use super::doing;
use crate::machine::At;

pub(super) fn apply(life: &mut Life, event: &Event, at: At) {
    if let Event::ExecutionFinished = event {
        verify(life, Rerun::No);
    } else if let Event::VerificationSkipped { outcome } = event {
        sum_up(life, outcome.clone(), Verified::Skipped);
    } else if let Event::CheckRecorded { result } = event {
        checked(life, result);
    } else if let Event::CheckStale { result, failed } = event {
        stale(life, result, failed.as_ref());
    } else if let Event::VerificationPassed { result, outcome } = event {
        checked(life, result);
        close_round(life);
        sum_up(life, outcome.clone(), Verified::Passed);
    } else if let Event::VerificationFailed { result, next } = event {
        checked(life, result);
        close_round(life);
        match next {
            AfterFail::Recover(failure, rung) => recover(life, failure, rung),
            AfterFail::Warn(outcome) => sum_up(life, outcome.clone(), Verified::Failed),
        }
    } else if let Event::HelpGiven { .. } = event {
        let checks = matches!(&life.phase, Phase::Recovering(now) if now.back == Back::Verify);
        if checks {
            verify(life, Rerun::No);
        }
    } else {
        end(life, event, at);
    }
}

fn end(life: &mut Life, event: &Event, at: At) {
    if let Event::GaveUp { code, detail, step, ends: true } = event {
        let (code, detail, step) = (code.clone(), detail.clone(), step.clone());
        let verified = verified(life);
        sum_up(life, Outcome::Blocked { code, detail, step }, verified);
    } else if let Event::Denied { code, by, rule } = event {
        let (code, by, rule) = (code.clone(), by.clone(), rule.clone());
        let verified = verified(life);
        sum_up(life, Outcome::Denied { code, by, rule }, verified);
    } else if let Event::Failed { code, detail } = event {
        let (code, detail) = (code.clone(), detail.clone());
        let verified = verified(life);
        sum_up(life, Outcome::Blocked { code, detail, step: None }, verified);
    } else if let Event::Cancelled { by } = event {
        let verified = verified(life);
        sum_up(life, Outcome::Cancelled { by: by.clone() }, verified);
    } else if let Event::AnswerTaken { answer } = event {
        if let Phase::Summarizing(now) = &mut life.phase {
            now.answer = Some(answer.clone());
        }
        draft(life);
    } else if let Event::AnswerRejected { error } = event {
        life.body.next.answer += 1;
        let n = life.body.next.answer;
        if let Phase::Summarizing(now) = &mut life.phase {
            now.stage = Ending::Answering { n, error: Some(error.clone()) };
        }
        life.body.clock.left_ms = life.body.start.limits.summary_ms;
    } else if let Event::Summarised { summary, next } = event {
        if let Phase::Summarizing(now) = &mut life.phase {
            now.summary.clone_from(summary);
        }
        if *next == AfterSummary::Commit {
            begin_commit(life);
        }
    } else if let Event::GitDeclined { .. } = event {
        close(life, Some(GitResult::Declined), at);
    } else if let Event::GitSettled { result } = event {
        close(life, Some(result.clone()), at);
    } else if let Event::Ended = event {
        close(life, None, at);
    }
}

/// What the checks came to where they were not the end: a round that had passed would have been.
pub(super) fn verified(life: &Life) -> Verified {
    let ran = life.body.work.as_ref().is_some_and(|work| !work.rounds.is_empty());
    if ran { Verified::Failed } else { Verified::Skipped }
}

/// Whatever was under way is over; what is left is to say so.
pub(super) fn sum_up(life: &mut Life, outcome: Outcome, verified: Verified) {
    let steps = life.body.work.iter_mut().flat_map(|work| work.plan.steps.iter_mut());
    for step in steps.filter(|step| step.status == Status::InProgress) {
        step.status = Status::Pending;
    }
    let (answer, summary) = (None, None);
    let stage = Ending::Drafting;
    life.phase =
        Phase::Summarizing(Box::new(Summing { outcome, verified, answer, summary, stage }));
    draft(life);
}

fn draft(life: &mut Life) {
    life.body.next.summary = life.body.next.summary.max(1);
    if let Phase::Summarizing(now) = &mut life.phase {
        now.stage = Ending::Drafting;
    }
    life.body.clock.left_ms = life.body.start.limits.summary_ms;
}

/// Nothing is changed: somebody answers.
pub(super) fn answer(life: &mut Life) {
    sum_up(life, Outcome::Answered, Verified::Skipped);
    life.body.next.answer += 1;
    let n = life.body.next.answer;
    if let Phase::Summarizing(now) = &mut life.phase {
        now.stage = Ending::Answering { n, error: None };
    }
}

pub(super) fn begin_commit(life: &mut Life) {
    life.body.next.git = life.body.next.git.max(1);
    if let Phase::Summarizing(now) = &mut life.phase {
        now.stage = Ending::Committing;
    }
    life.body.clock.left_ms = life.body.start.limits.summary_ms;
}

/// Over. A commit that failed or was declined is told of, and changes nothing.
fn close(life: &mut Life, git: Option<GitResult>, at: At) {
    let now = match &life.phase {
        Phase::Summarizing(now) => Some((**now).clone()),
        Phase::AwaitingConfirmation(prompt) => match &prompt.resume {
            Resume::Commit(now) => Some((**now).clone()),
            Resume::Ready | Resume::Fix { .. } | Resume::At(_) => None,
        },
        Phase::Intake { .. }
        | Phase::Clarifying { .. }
        | Phase::ContextBuilding { .. }
        | Phase::Planning { .. }
        | Phase::Executing(_)
        | Phase::Verifying(_)
        | Phase::Recovering(_)
        | Phase::Done(_) => None,
    };
    if let Some(Summing { outcome, verified, answer, summary, .. }) = now {
        life.phase = Phase::Done(Box::new(Over { outcome, verified, answer, summary, git, at }));
    }
}

fn verify(life: &mut Life, rerun: Rerun) {
    life.body.next.verify += 1;
    let round = life.body.next.verify;
    let results = Vec::new();
    life.phase =
        Phase::Verifying(Box::new(Verifying { round, index: 0, results, digest: None, rerun }));
    life.body.clock.left_ms = life.body.check_ms(0);
}

fn checked(life: &mut Life, result: &CheckResult) {
    life.body.ledger.calls += 1;
    if let Phase::Verifying(now) = &mut life.phase {
        if now.digest.is_none() && !result.digest.is_empty() {
            now.digest = Some(result.digest.clone());
        }
        now.results.push(result.clone());
        now.index += 1;
        life.body.clock.left_ms = life.body.check_ms(now.index);
    }
}

fn close_round(life: &mut Life) {
    if let (Phase::Verifying(now), Some(work)) = (&life.phase, &mut life.body.work) {
        let mut results = now.results.clone();
        let rest = work.plan.verification.commands.iter().skip(results.len());
        let rest: Vec<CheckResult> = rest.map(|command| CheckResult::not_run(command)).collect();
        results.extend(rest);
        work.rounds.push(Round { round: now.round, results });
    }
}

fn stale(life: &mut Life, result: &CheckResult, failed: Option<&(Box<Failure>, Box<Rung>)>) {
    checked(life, result);
    close_round(life);
    match failed {
        Some((failure, rung)) => recover(life, failure, rung),
        None => verify(life, Rerun::Yes),
    }
}

fn recover(life: &mut Life, failure: &Failure, rung: &Rung) {
    let (failure, rung) = (failure.clone(), rung.clone());
    doing::recover(life, Recovering { failure, back: Back::Verify, rung });
}
