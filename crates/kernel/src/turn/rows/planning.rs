//! Rows of a turn that makes its plan.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;

use super::super::answer::{Answer, Drafted, DraftedStep, Made};
use super::super::bounds::PLAN_CORRECTIONS_MAX;
use super::super::carry;
use super::super::command::{Command, Payload, Planned};
use super::super::draft::{Decision, Draft};
use super::super::event::Event;
use super::super::plan::{Plan, Runner, Source};
use super::super::setup::{Judged, Mode, Planner};
use super::super::state::{AskedFrom, Body, Life, Phase, Resume, Subject, Why};
use super::super::valid::{self, BadArgs, Flaw};
use super::shared;
use crate::machine::{At, Said};
use crate::policy::Verdict;

/// What a turn that makes its plan answers.
pub fn row(life: &Life, said: &Said<Command>) -> Decision {
    let mut draft = Draft::new(life, said);
    match &said.command {
        Command::ToolCallResult { ended, .. } => match shared::payload(ended) {
            Some(Payload::Planner(planned)) => given(&mut draft, planned),
            Some(_) | None => {
                let (code, detail) = shared::bad(ended);
                degraded(&mut draft, &code, &detail);
            }
        },
        Command::Timeout { .. } => degraded(&mut draft, "E_TOOL_TIMEOUT", "turn.timeout.plan"),
        Command::UserMessage(_)
        | Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Confirm(_)
        | Command::Cancel
        | Command::Pause { .. }
        | Command::Resume
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => return shared::not_now(life, &said.command),
    }
    draft.done()
}

/// The next planner, if there is one.
fn degraded(draft: &mut Draft<'_>, code: &str, detail: &str) {
    let Phase::Planning { agent, why, .. } = &draft.life.phase else { return };
    // Nobody else can load what could not be loaded.
    let loads = matches!(why, Why::Given { .. } | Why::Continued { .. });
    if !loads && draft.life.body.planner(agent + 1).is_some() {
        draft.push(Event::PlannerDegraded { code: code.into() });
    } else {
        draft.fail(code, detail);
    }
}

fn given(draft: &mut Draft<'_>, planned: &Planned) {
    match planned {
        Planned::Unread(flaw) => rejected(draft, flaw),
        Planned::Read { answer: Answer::Questions(asked), .. } => {
            shared::ask(draft, asked, AskedFrom::Intake);
        }
        Planned::Read { answer: Answer::Patch(_), .. } => {
            rejected(draft, &Flaw::new(valid::Wrong::Schema, "/type", "PlanPatch"));
        }
        Planned::Read { answer: Answer::Carried(old), bad_args, judged } => {
            let plan = carry::again(&draft.life.body, old, draft.at);
            let judged = judged.clone().unwrap_or_else(|| shared::unjudged(&draft.life));
            taken(draft, plan, bad_args, &judged);
        }
        Planned::Read { answer: Answer::Full(full), bad_args, judged } => {
            let plan = made(&draft.life.body, full, draft.at);
            let judged = judged.clone().unwrap_or_else(|| shared::unjudged(&draft.life));
            taken(draft, plan, bad_args, &judged);
        }
    }
}

/// The plan that a planner's answer or a file becomes here.
pub fn made(body: &Body, full: &Drafted, at: At) -> Plan {
    let start = &body.start;
    let source = match start.planner {
        Planner::Agents(_) => Source::Planner,
        Planner::File { .. } => Source::File,
        Planner::Direct => Source::Direct,
    };
    let mut constraints = start.constraints.clone();
    let read = body.intake.iter().flat_map(|report| report.constraints.iter());
    for one in read {
        if !constraints.contains(one) {
            constraints.push(one.clone());
        }
    }
    full.make(&Made {
        plan_id: body.plan_id(),
        at,
        source,
        request: &start.request,
        constraints: &constraints,
        given: start.verification.as_ref(),
        // Reading needs no check.
        detected: if body.only_reads() { &[] } else { &start.detected },
        on_failure: start.on_failure,
    })
}

/// One step for an agent, decided at once.
pub fn direct(draft: &mut Draft<'_>) {
    let body = &draft.life.body;
    let step = DraftedStep {
        title: body.start.request.clone(),
        intent: body.start.expected_output.clone().unwrap_or_default(),
        runner: Some(Runner::Agent),
        ..DraftedStep::default()
    };
    let full = Drafted {
        goal: body.start.request.clone(),
        title: None,
        constraints: vec![],
        assumptions: vec![],
        risks: vec![],
        steps: vec![step],
        verification: None,
        risk_level: None,
        on_failure: None,
        plan_id: None,
        created_at: None,
        version: None,
        source: None,
    };
    let plan = made(body, &full, draft.at);
    // What policy says of an agent's step here is said of this one: nothing else is in the plan.
    let mut judged = body.start.agent_step.clone();
    let (accepted, _) = draft.accepted(plan.clone(), &judged);
    judged.hash = accepted.hash;
    taken(draft, plan, &[], &judged);
}

fn taken(draft: &mut Draft<'_>, plan: Plan, bad_args: &[BadArgs], judged: &Judged) {
    if let Err(flaw) = valid::plan(&plan, shared::ground(&draft.life, bad_args)) {
        return rejected(draft, &flaw);
    }
    let (accepted, verdict) = draft.accepted(plan, judged);
    if let Verdict::Deny { rule } = &verdict {
        return denied(draft, rule);
    }
    let (hash, reach) = (accepted.hash.clone(), accepted.reach.clone());
    draft.push(Event::PlanAccepted { accepted: Box::new(accepted) });
    if draft.life.body.start.mode == Mode::Plan {
        return;
    }
    match verdict {
        Verdict::Allow { .. } => draft.go_on(),
        Verdict::Ask { .. } | Verdict::Deny { .. } => {
            draft.ask(Subject::Plan, hash, reach, Resume::Ready);
        }
    }
}

/// Whether the planner is told what is wrong, or the turn ends.
fn corrects(draft: &Draft<'_>) -> bool {
    let body = &draft.life.body;
    matches!(body.start.planner, Planner::Agents(_))
        && body.ledger.corrections < PLAN_CORRECTIONS_MAX
}

fn rejected(draft: &mut Draft<'_>, flaw: &Flaw) {
    let error = told(flaw);
    let corrects = corrects(draft);
    draft.push(Event::PlanRejected { error });
    if !corrects {
        let (code, detail) = match draft.life.body.start.planner {
            Planner::File { .. } => ("E_INVALID_ARGS", "bad_plan"),
            Planner::Agents(_) | Planner::Direct => ("E_MODEL", flaw.what.word()),
        };
        draft.fail(code, detail);
    }
}

fn denied(draft: &mut Draft<'_>, rule: &str) {
    let corrects = corrects(draft);
    draft.push(Event::PlanRejected { error: format!("denied: {rule}") });
    if !corrects {
        draft.deny("policy", rule);
    }
}

/// A flaw as a planner reads it.
pub fn told(flaw: &Flaw) -> String {
    let (what, found) = (flaw.what.word(), &flaw.found);
    if flaw.path.is_empty() {
        return format!("{what}: {found}");
    }
    format!("{what} at {}: {found}", flaw.path)
}
