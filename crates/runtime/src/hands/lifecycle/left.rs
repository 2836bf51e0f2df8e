//! What a child of a lifecycle left: the plan of a turn, the evidence of its checks, the name of a
//! checkpoint, the report of a rollback. An agent's own word is carried as a claim.

use kernel::call::{self, Exit, Outcome as CallOutcome, Prep};
use kernel::lifecycle::{
    Check, CheckEnd, Command as LcCommand, Evidence, Failure, PlanFault, RolledEnd, Saved, Spent,
    TurnEnd, TurnFault, TurnOutcome, Verdict,
};
use kernel::run::State;
use kernel::turn::{self, CheckResult, Outcome};

use super::super::pool::Desk;
use super::super::turn::payload;
use super::evidence;
use crate::engine::{Child, LifeScene};
use crate::lifecycles::{from_turn, spent_by};

/// What the lifecycle hears; nothing of a child that is none of its kind.
pub(super) fn read(desk: &Desk, scene: &LifeScene, child: &Child) -> Option<LcCommand> {
    match (&child.state, scene.slot.split('/').next().unwrap_or_default()) {
        (State::Turn(state), "plan") => Some(plan(desk, scene, state)),
        (State::Turn(state), _) => Some(turn_end(desk, scene, child, state)),
        (State::Call(call::State::Unknown { .. }), "rollback") => None,
        (State::Call(call::State::Unknown { .. }), _) => {
            let (key, call) = (scene.slot.clone(), child.run.clone());
            Some(LcCommand::CallUnknown { key, call })
        }
        (State::Call(state), "save") => Some(saved(desk, scene, &child.run, state)),
        (State::Call(state), "rollback") => Some(rolled(desk, scene, &child.run, state)),
        (State::Call(state), _) => checked(desk, scene, &child.run, state),
        (
            State::Loop(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Lifecycle(_)
            | State::Session(_),
            _,
        ) => None,
    }
}

fn plan(desk: &Desk, scene: &LifeScene, state: &turn::State) -> LcCommand {
    let key = scene.slot.clone();
    let report = turn::report(state);
    let cost = report.as_ref().map(|report| spent_by(state, report.spent)).unwrap_or_default();
    let reset_at = report.as_ref().and_then(|report| report.reset_at);
    let (outcome, plan) = match report {
        Some(report) => (report.outcome, report.plan),
        None => (Outcome::Cancelled { by: "engine".to_owned() }, None),
    };
    match (&outcome, plan) {
        (Outcome::Completed | Outcome::Answered, Some(plan)) => {
            let mut plan = from_turn(&plan, &desk.plan.lifecycles);
            let dir = &desk.plan.lifecycles.settings.prd_dir;
            plan.path = Some(format!("{dir}/{}.md", scene.run));
            LcCommand::PlanReady { key, plan: Box::new(plan), spent: cost, programs: Vec::new() }
        }
        (outcome, _) => {
            let fault = PlanFault { failure: of_outcome(outcome), reset_at, correctable: false };
            LcCommand::PlanFailed { key, fault: Box::new(fault), spent: cost }
        }
    }
}

/// How a turn that came to nothing failed.
fn of_outcome(outcome: &Outcome) -> Failure {
    let (code, kind) = match outcome {
        Outcome::Completed | Outcome::Answered => ("E_MODEL", "no_plan"),
        Outcome::Blocked { code, detail, .. } => (code.as_str(), detail.as_str()),
        Outcome::Denied { code, by, .. } => (code.as_str(), by.as_str()),
        Outcome::Cancelled { .. } => ("E007", "cancelled"),
    };
    failure(code, kind)
}

fn failure(code: &str, kind: &str) -> Failure {
    Failure {
        code: code.to_owned(),
        kind: kind.to_owned(),
        summary: format!("{code} {kind}"),
        signature: format!("{code}:{kind}"),
        repeat: false,
        check: None,
        errors: Vec::new(),
        digest: None,
    }
}

fn turn_end(desk: &Desk, scene: &LifeScene, child: &Child, state: &turn::State) -> LcCommand {
    let key = scene.slot.clone();
    let Some(report) = turn::report(state) else {
        let outcome = TurnOutcome::Cancelled { by: "engine".to_owned() };
        let end = TurnEnd {
            turn: child.run.clone(),
            outcome,
            files_changed: Vec::new(),
            evidence: Vec::new(),
            spent: Spent::default(),
            claim: None,
        };
        return LcCommand::TurnEnded { key, end: Box::new(end) };
    };
    let evidence = proved(desk, scene, child, &report);
    // One whose end was not told is that of the last agent that there was to fall back to.
    let last = || state.life().and_then(|life| life.body.start.agents.last().cloned());
    let agent = report.limited.clone().or_else(last);
    let outcome = match &report.outcome {
        Outcome::Completed | Outcome::Answered => TurnOutcome::Completed,
        Outcome::Denied { code, by, rule } => {
            let rule = rule.as_deref().unwrap_or_default();
            TurnOutcome::Denied { detail: format!("{code} {by} {rule}") }
        }
        Outcome::Cancelled { by } => TurnOutcome::Cancelled { by: by.clone() },
        Outcome::Blocked { .. } => {
            let failure = failed(of_outcome(&report.outcome), &evidence);
            let reset_at = report.reset_at;
            TurnOutcome::Blocked(Box::new(TurnFault { failure, reset_at, agent }))
        }
    };
    let steps = report.plan.iter().flat_map(|plan| &plan.steps);
    let mut claims = steps.filter_map(|step| step.evidence.as_ref()?.claim.clone());
    let end = TurnEnd {
        turn: child.run.clone(),
        outcome,
        claim: claims.next().filter(|claim| !claim.trim().is_empty()).map(|claim| spoken(&claim)),
        files_changed: report.files_changed.clone(),
        evidence,
        spent: spent_by(state, report.spent),
    };
    LcCommand::TurnEnded { key, end: Box::new(end) }
}

/// A turn that was blocked by its checks failed as the first of them did.
fn failed(failure: Failure, evidence: &[Evidence]) -> Failure {
    let first = |verdict| evidence.iter().find(|one| one.verdict == verdict);
    let red = first(Verdict::Fail);
    match (failure.code.as_str(), red) {
        ("E_BUILD_FAIL", _) | ("E_TOOL_TIMEOUT", Some(_)) => {}
        (_, Some(_) | None) => return failure,
    }
    match (red, first(Verdict::Unavailable)) {
        (Some(red), _) if failure.code == "E_TOOL_TIMEOUT" => {
            let summary = format!("{}: {} {}", red.line(), failure.code, failure.kind);
            let (code, kind) = (failure.code, failure.kind);
            Failure { code, kind, summary, ..Failure::of_check(red) }
        }
        (Some(red), _) => Failure { kind: failure.kind, ..Failure::of_check(red) },
        (None, Some(gone)) => {
            let summary = format!("{}: E_IO not_applied", call::typed(&gone.argv));
            Failure { summary, check: Some(gone.check_id.clone()), ..failure }
        }
        (None, None) => failure,
    }
}

/// What an agent said, without the words that are only for us; nothing if it said no others.
fn spoken(claim: &str) -> String {
    let control = |text: &str| {
        let said: Option<serde_json::Value> = serde_json::from_str(text.trim()).ok();
        said.is_some_and(|said| said["control"].is_string())
    };
    if control(claim) {
        return String::new();
    }
    match claim.trim_end().rsplit_once('\n') {
        Some((before, last)) if control(last) => before.trim().to_owned(),
        Some(_) | None => claim.to_owned(),
    }
}

/// What the checks came to within a turn.
fn proved(desk: &Desk, scene: &LifeScene, child: &Child, report: &turn::Report) -> Vec<Evidence> {
    let work = scene.life.phase.work();
    let task = scene.life.phase.current_task();
    let checks = work.zip(task).and_then(|(work, id)| Some(work.checks_of(work.task(id)?)));
    let checks = checks.unwrap_or_default();
    let mut all = Vec::new();
    for (i, result) in report.evidence.iter().enumerate() {
        let Some(check) = check_of(&checks, result) else { continue };
        if result.verdict == kernel::turn::CheckVerdict::NotRun || check.covers != report.covers {
            continue;
        }
        let key = format!("{}/verify/{}/{i}", child.run, report.round);
        let call = child
            .calls
            .iter()
            .find(|(_, state)| state.facts().is_some_and(|facts| facts.key == key));
        let call = call.and_then(|(id, state)| Some((id.as_str(), exit_of(state)?.0)));
        all.push(evidence::within_turn(desk, scene, check, result, call));
    }
    all
}

fn check_of<'a>(checks: &'a [Check], result: &CheckResult) -> Option<&'a Check> {
    checks.iter().find(|check| check.line() == result.command)
}

fn exit_of(state: &call::State) -> Option<(&Exit, Option<&Prep>)> {
    match state {
        call::State::Settled { exit: Some(exit), prep, .. } => Some((exit, prep.as_ref())),
        call::State::Settled { exit: None, .. }
        | call::State::New
        | call::State::Asked { .. }
        | call::State::Denied { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. }
        | call::State::Unknown { .. }
        | call::State::Undoing { .. }
        | call::State::Undone { .. } => None,
    }
}

/// Whether a call did what was asked, or in short why not.
fn done(state: &call::State) -> Result<(), String> {
    match state {
        call::State::Settled { outcome: CallOutcome::Ok, .. } => Ok(()),
        call::State::Settled { outcome: CallOutcome::Failed(failure), .. } => {
            Err(format!("{} {} {}", failure.code, failure.kind, failure.detail))
        }
        call::State::Settled { outcome: CallOutcome::TimedOut { limit }, .. } => {
            Err(format!("E_TOOL_TIMEOUT deadline {limit}"))
        }
        call::State::Settled { outcome: CallOutcome::Stopped, .. } => {
            Err("E_CANCELLED stopped".to_owned())
        }
        call::State::Denied { .. } => Err("E_POLICY_DENIED call".to_owned()),
        call::State::New
        | call::State::Asked { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. }
        | call::State::Unknown { .. }
        | call::State::Undoing { .. }
        | call::State::Undone { .. } => Err("E_UNKNOWN_OUTCOME lost".to_owned()),
    }
}

fn saved(desk: &Desk, scene: &LifeScene, call: &str, state: &call::State) -> LcCommand {
    let key = scene.slot.clone();
    let end = match done(state) {
        Err(detail) => Saved::Failed { detail },
        Ok(()) => {
            let made = payload(desk, call);
            let branch = made["branch"].as_str().map(str::to_owned);
            let began = &scene.life.body.begin.head.branch;
            match made["name"].as_str() {
                Some(_) if branch != *began => {
                    let name = |branch: Option<&str>| branch.unwrap_or("-").to_owned();
                    let then = name(began.as_deref());
                    let detail = format!("{then} -> {}", name(branch.as_deref()));
                    Saved::BranchChanged { detail }
                }
                Some(name) => Saved::Ok { checkpoint: name.to_owned() },
                None => Saved::Failed { detail: "E_IO not_found".to_owned() },
            }
        }
    };
    LcCommand::Saved { key, end }
}

fn rolled(desk: &Desk, scene: &LifeScene, call: &str, state: &call::State) -> LcCommand {
    let end = match done(state) {
        Ok(()) => RolledEnd::Ok,
        Err(detail) => {
            let told = payload(desk, call);
            let report = if told.is_null() { detail } else { told.to_string() };
            RolledEnd::Stopped { report }
        }
    };
    LcCommand::RolledBack { key: scene.slot.clone(), end }
}

fn checked(desk: &Desk, scene: &LifeScene, call: &str, state: &call::State) -> Option<LcCommand> {
    let key = scene.slot.clone();
    let (check, _) = evidence::check_of(&scene.life)?;
    let stopped = matches!(state, call::State::Settled { outcome: CallOutcome::Stopped, .. });
    let end = match exit_of(state).filter(|_| !stopped) {
        Some((exit, prep)) if exit.ended != call::Ended::SpawnFailed => {
            CheckEnd::Ran(Box::new(evidence::ran(desk, scene, &check, call, (exit, prep))))
        }
        Some(_) | None => {
            let detail = done(state).err().unwrap_or_else(|| "E_IO spawn".to_owned());
            CheckEnd::Unavailable { detail }
        }
    };
    Some(LcCommand::Checked { key, end })
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn what_an_agent_said_is_kept_without_the_words_for_us() {
        let table = [
            ("The form is there.", "The form is there."),
            (r#"{"control":"step_done"}"#, ""),
            ("The form is there.\n{\"control\":\"step_done\"}\n", "The form is there."),
            ("{\"a\": 1}", "{\"a\": 1}"),
            ("One.\nTwo.", "One.\nTwo."),
        ];
        for (said, kept) in table {
            assert_eq!(spoken(said), kept);
        }
    }
}
