//! What each machine has to say of its own: what it was asked for, its parts, its checks, its end.

use kernel::run::State;
use kernel::{call, collab, lifecycle, loops, session, turn};
use serde_json::json;

use super::parts::{Check, Part, Report};

/// Adds it.
pub(super) fn add(report: &mut Report, state: &State) {
    match state {
        State::Call(state) => of_call(report, state),
        State::Loop(state) => of_loop(report, state),
        State::Collab(state) => of_collab(report, state),
        State::Turn(state) => of_turn(report, state),
        State::Lifecycle(state) => of_lifecycle(report, state),
        State::Session(state) => of_session(report, state),
        State::Grant(_) => {}
    }
}

fn of_lifecycle(report: &mut Report, state: &lifecycle::State) {
    let Some(life) = state.life() else { return };
    report.title = life.body.ask.whole();
    let tasks = life.phase.work().map(|work| work.tasks.as_slice()).unwrap_or_default();
    report.parts = tasks
        .iter()
        .map(|task| Part {
            id: task.spec.id.clone(),
            status: task.status.word().to_owned(),
            title: task.spec.title.clone(),
        })
        .collect();
    // Each check as it was the last time.
    let records = life.phase.work().map(|work| work.evidence.as_slice()).unwrap_or_default();
    let mut last: Vec<&lifecycle::Evidence> = Vec::new();
    for one in records {
        last.retain(|before| before.check_id != one.check_id);
        last.push(one);
    }
    report.checks = last.into_iter().map(of_evidence).collect();
    if let Some(ended) = life.phase.ended() {
        report.outcome = Some(ended.outcome.word().to_owned());
    }
}

fn of_evidence(one: &lifecycle::Evidence) -> Check {
    let tests = one.tests.map(|tests| format!("{} passed, {} failed", tests.passed, tests.failed));
    let first = || one.errors.first().map(|error| error.message.clone());
    let summary = tests.or_else(first).unwrap_or_default();
    Check { command: one.line(), verdict: word(&json!(one.verdict)), summary }
}

fn of_session(report: &mut Report, state: &session::State) {
    let Some(life) = state.life() else { return };
    report.title.clone_from(&life.body.key);
    if let session::Base::Flow { flow, .. } = life.base() {
        report.asked.clone_from(&flow.asked);
    }
    if let session::Base::Idle { last: Some(ended) } = life.base() {
        report.outcome = Some(session::how_word(&ended.how).to_owned());
    }
}

fn of_call(report: &mut Report, state: &call::State) {
    if let Some(facts) = state.facts() {
        report.title = call::about(&facts.request);
    }
    report.outcome = state.result().map(ToOwned::to_owned);
}

fn of_loop(report: &mut Report, state: &loops::State) {
    let Some(life) = state.life() else { return };
    let body = &life.body;
    report.title.clone_from(&body.title);
    report.asked.push(body.description.clone());
    report.asked.retain(|line| *line != body.title);
    report.parts = body
        .tasks
        .iter()
        .map(|task| Part {
            id: task.id.clone(),
            status: task.status.word().to_owned(),
            title: task.description.clone(),
        })
        .collect();
    match &life.phase {
        loops::Phase::Completed { .. } => report.outcome = Some("completed".to_owned()),
        loops::Phase::Failed { kind, .. } => {
            report.outcome = Some("failed".to_owned());
            report.code = Some(kind.word().to_owned());
        }
        loops::Phase::Paused(paused) => report.code.clone_from(&paused.code),
        loops::Phase::Created
        | loops::Phase::Acting(_)
        | loops::Phase::Choosing { .. }
        | loops::Phase::Lent { .. } => {}
    }
    if let Some(found) = body.work().and_then(|work| work.validation.as_ref()) {
        let loops::Counts { passed, failed, .. } = found.counts;
        let summary = format!("{passed} passed, {failed} failed");
        report.checks = found
            .argv
            .iter()
            .map(|argv| Check {
                command: argv.join(" "),
                verdict: found.verdict.word().to_owned(),
                summary: summary.clone(),
            })
            .collect();
    }
}

fn of_collab(report: &mut Report, state: &collab::State) {
    let Some(run) = state.run() else { return };
    report.title.clone_from(&run.plan.task);
    report.asked.push(run.plan.context.clone());
    report.asked.retain(|line| !line.trim().is_empty());
    report.parts = state
        .participants()
        .iter()
        .map(|one| Part {
            id: one.name.clone(),
            status: one.status().to_owned(),
            title: run.plan.role.clone(),
        })
        .collect();
    if state.ended() {
        report.outcome = Some(state.name().to_owned());
    }
    if let collab::State::Failed { code, .. } = state {
        report.code = Some(code.clone());
    }
}

fn of_turn(report: &mut Report, state: &turn::State) {
    let Some(life) = state.life() else { return };
    let start = &life.body.start;
    report.title.clone_from(&start.request);
    report.asked.extend(start.constraints.iter().cloned());
    for told in &life.body.answers {
        let answer = told.answer.as_deref().unwrap_or("-");
        report.asked.push(format!("{} {answer}", told.question));
    }
    if let Some(work) = life.body.work.as_deref() {
        if report.title.trim().is_empty() {
            report.title.clone_from(&work.plan.goal);
        }
        report.parts = work.plan.steps.iter().chain(&work.fixes).map(part).collect();
        let last = work.rounds.last().map(|round| round.results.as_slice()).unwrap_or_default();
        report.checks = last.iter().map(check).collect();
    }
    if let turn::Phase::Done(over) = &life.phase {
        report.outcome = Some(over.outcome.word().to_owned());
        report.code = match &over.outcome {
            turn::Outcome::Completed
            | turn::Outcome::Answered
            | turn::Outcome::Cancelled { .. } => None,
            turn::Outcome::Blocked { code, .. } | turn::Outcome::Denied { code, .. } => {
                Some(code.clone())
            }
        };
    }
}

fn part(step: &turn::Step) -> Part {
    Part { id: step.step_id.clone(), status: word(&json!(step.status)), title: step.title.clone() }
}

fn check(result: &turn::CheckResult) -> Check {
    Check {
        command: result.command.clone(),
        verdict: word(&json!(result.verdict)),
        summary: result.summary.clone(),
    }
}

/// The word by which a value is written.
fn word(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
