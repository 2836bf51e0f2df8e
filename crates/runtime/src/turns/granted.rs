//! What a person's yes to a plan grants: exactly the calls, commands and agents that it lists, for
//! the programs that they started then. Whether that suffices is the policy's to say.

use std::collections::BTreeMap;

use kernel::call;
use kernel::machine::At;
use kernel::policy::grant::{Bound, Grant, Pin, State};
use kernel::policy::{Granted, Tool, grant};
use kernel::turn::{ApprovedBy, Life, Plan, Runner, Work, split};
use serde_json::Value;

use crate::child_env::Extra;
use crate::policy::{Flow, Judge};
use crate::tools;

/// The name under which a yes to a plan is recorded as a grant.
const APPROVED: &str = "plan-approved";
/// Before a program's name, among what the commands of a plan stand for.
const PROGRAM: &str = "program ";
/// Tools that touch paths.
const OF_FILES: [Tool; 5] = [Tool::Read, Tool::List, Tool::Search, Tool::Write, Tool::Delete];

/// A command of a plan.
struct Listed {
    argv: Vec<String>,
    cwd: String,
    env_names: Vec<String>,
}

/// What the programs of a plan are now, where somebody could change them: kept with the plan, so
/// that a yes to it is for these.
#[must_use]
pub fn programs(plan: &Plan, judge: &Judge) -> BTreeMap<String, String> {
    let pins = commands(plan).into_iter().map(|one| judge.pin(&one.argv, &one.cwd));
    pins.filter_map(|pin| Some((name(&pin)?, pin.program_sha256?))).collect()
}

fn name(pin: &Pin) -> Option<String> {
    pin.program.as_ref().map(|path| format!("{PROGRAM}{path}"))
}

/// Adds what a person's yes to the plan of a turn grants.
pub fn add(life: &Life, judge: &Judge, flow: &mut Flow) {
    let Some(work) = life.body.work.as_deref().filter(|work| work.approved()) else { return };
    match work.approval.as_ref().map(|approval| &approval.by) {
        Some(ApprovedBy::Person { .. }) => {}
        Some(ApprovedBy::Policy { .. }) | None => return,
    }
    flow.plan = Some(work.hash.clone());
    flow.accepted.extend(work.reach.risks.iter().cloned());
    for one in commands(&work.plan) {
        let pin = judge.pin(&one.argv, &one.cwd);
        if is_same(work, &pin) {
            flow.started.push(Granted { argv: one.argv, cwd: one.cwd, pin });
        }
    }
    let all = subjects(life, work, judge).into_iter();
    flow.grants.extend(all.map(|(subject, pin)| given(work, subject, pin, flow.at)));
}

/// What a yes to the plan of a turn covers for the rest of its session, each with its program. What
/// deletes is never among it.
#[must_use]
pub fn lasting(life: &Life, judge: &Judge) -> Vec<(grant::Subject, Pin)> {
    let Some(work) = life.body.work.as_deref() else { return Vec::new() };
    let mut all = subjects(life, work, judge);
    all.retain(|(subject, _)| subject.tool != Tool::Delete);
    all
}

/// Everything that the plan lists.
fn subjects(life: &Life, work: &Work, judge: &Judge) -> Vec<(grant::Subject, Pin)> {
    let mut all = Vec::new();
    let touched = OF_FILES.into_iter().filter(|_| !work.reach.paths.is_empty());
    all.extend(touched.map(|tool| {
        let subject =
            grant::Subject { paths: work.reach.paths.clone(), ..grant::Subject::bare(tool) };
        (subject, Pin::default())
    }));
    for one in commands(&work.plan) {
        let pin = judge.pin(&one.argv, &one.cwd);
        if !is_same(work, &pin) {
            continue;
        }
        let subject = grant::Subject {
            argv: one.argv,
            cwd: Some(one.cwd),
            env_names: one.env_names,
            hosts: work.reach.hosts.clone(),
            ..grant::Subject::bare(Tool::Run)
        };
        all.push((subject, pin));
    }
    for agent in agents(life, work) {
        let agent = vec![agent];
        let subject = grant::Subject { argv: agent, ..grant::Subject::bare(Tool::Agent) };
        all.push((subject, Pin::default()));
    }
    all
}

/// Whether a program is the one that the plan was accepted with.
fn is_same(work: &Work, pin: &Pin) -> bool {
    match (&pin.program_sha256, name(pin)) {
        (Some(now), Some(name)) => work.definitions.get(&name) == Some(now),
        (Some(_) | None, _) => true,
    }
}

/// Those who do steps of the plan; a step that repairs was asked about when it was added.
fn agents(life: &Life, work: &Work) -> Vec<String> {
    let steps = || work.plan.steps.iter().chain(&work.fixes);
    if !steps().any(|step| step.runner == Runner::Agent) {
        return Vec::new();
    }
    let named = steps().filter_map(|step| step.agent.clone());
    let mut all: Vec<String> = named.chain(life.body.start.agents.iter().cloned()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn given(work: &Work, subject: grant::Subject, pin: Pin, at: At) -> Grant {
    Grant {
        grant_id: APPROVED.to_owned(),
        bound: Bound::Plan { plan_hash: work.hash.clone(), pin },
        subject,
        by: "person".to_owned(),
        at,
        expires_at: None,
        uses: 0,
        state: State::Live,
    }
}

fn commands(plan: &Plan) -> Vec<Listed> {
    let mut all = Vec::new();
    for step in &plan.steps {
        let runs = step
            .tool_calls
            .iter()
            .filter(|call| call::named(&call.name).is_some_and(|tool| tool.name == call::RUN));
        for template in runs {
            let args = Value::Object(template.args_hint.clone());
            let Ok(wanted) = tools::command(&args, &Extra::default(), tools::Limits::default())
            else {
                continue;
            };
            let call::Request { argv, cwd, env_names, .. } = wanted.request;
            all.push(Listed { argv, cwd, env_names });
        }
    }
    let steps = plan.steps.iter().flat_map(|step| &step.verify);
    let lines = steps.chain(&plan.verification.commands);
    let cwd = || ".".to_owned();
    let words = lines.filter_map(|line| split(line).ok());
    all.extend(words.map(|argv| Listed { argv, cwd: cwd(), env_names: Vec::new() }));
    all
}
