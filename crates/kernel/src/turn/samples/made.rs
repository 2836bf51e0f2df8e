//! The data of the samples: a start, a plan of two steps and a check, results that fit.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::super::answer::{Answer, Drafted, DraftedStep};
use super::super::command::{Changed, Control, Planned, StepFacts};
use super::super::evidence::FileChange;
use super::super::models::Permission;
use super::super::patch::{self, PlanPatch};
use super::super::plan::{OnFailure, Plan, Runner, VerificationPolicy, VerifyMode};
use super::super::rows::planning;
use super::super::setup::{
    CheckedOut, Checkpoints, Git, Judged, Limits, Mode, Planner, Profile, Start,
};
use super::super::state::{Life, Phase};
use super::super::subject::{self, Reach};
use super::super::valid::Ground;
use crate::machine::At;
use crate::policy::{Backing, Verdict};

fn allow() -> Verdict {
    Verdict::Allow { rule: "sample".into() }
}

fn reach() -> Reach {
    Reach { permissions: vec![Permission::FsWrite], ..Reach::default() }
}

/// What policy says of an agent's step.
#[must_use]
pub fn agent_judged() -> Judged {
    Judged {
        verdict: allow(),
        reach: reach(),
        hash: String::new(),
        definitions: Default::default(),
    }
}

/// A start by a person, with two agents.
#[must_use]
pub fn start() -> Start {
    Start {
        id: "turn-sample".into(),
        parent: None,
        trace_id: "trace_0".into(),
        session_id: "s-sample".into(),
        conversation_id: None,
        continues: None,
        request: "Add --json to list".into(),
        constraints: vec![],
        expected_output: None,
        mode: Mode::Write,
        planner: Planner::Agents(vec!["codex".into(), "claude".into()]),
        answer_schema: None,
        agents: vec!["codex".into(), "claude".into()],
        risk_max: None,
        verification: None,
        detected: vec![],
        profile: Profile::Person,
        limits: Limits::default(),
        agent_step: agent_judged(),
        backing: Backing::Person,
        git: Git::Commit,
        checkpoints: Checkpoints::Turn,
        on_failure: OnFailure::Stop,
        lang: "en".into(),
        head: CheckedOut::default(),
        covers: vec![],
    }
}

/// Two steps for agents and one check.
#[must_use]
pub fn drafted() -> Drafted {
    let step = |id: &str| DraftedStep {
        step_id: Some(id.into()),
        title: id.to_string(),
        runner: Some(Runner::Agent),
        ..DraftedStep::default()
    };
    Drafted {
        goal: "Add --json to list".into(),
        title: None,
        constraints: vec![],
        assumptions: vec![],
        risks: vec![],
        steps: vec![step("s1"), step("s2")],
        verification: Some(VerificationPolicy {
            mode: VerifyMode::Test,
            commands: vec!["cargo test".into()],
            required: true,
            stop_on_fail: true,
        }),
        risk_level: None,
        on_failure: None,
        plan_id: None,
        created_at: None,
        version: None,
        source: None,
    }
}

/// A judgement of exactly this plan.
#[must_use]
pub fn judged_plan(plan: &Plan, verdict: Verdict) -> Judged {
    let reach = reach();
    let hash = subject::plan(plan, &reach);
    Judged { verdict, reach, hash, definitions: Default::default() }
}

/// What a planner would answer here, judged as asked: a plan, or a patch of the one there is.
#[must_use]
pub fn next_answer(life: &Life, drafted: &Drafted, verdict: Verdict, at: At) -> Planned {
    let (answer, plan) = match (&life.phase, &life.body.work) {
        (Phase::Recovering(_), Some(work)) => {
            let change = patch(&work.plan);
            let ground = Ground {
                steps_max: life.body.start.limits.steps,
                agents: &life.body.start.agents,
                bad_args: &[],
            };
            let plan = patch::apply(&work.plan, &change, ground);
            (Answer::Patch(change), plan.unwrap_or_else(|_| work.plan.clone()))
        }
        (_, _) => {
            let plan = planning::made(&life.body, drafted, at);
            (Answer::Full(drafted.clone()), plan)
        }
    };
    let judged = judged_plan(&plan, verdict);
    Planned::Read { answer, bad_args: vec![], judged: Some(judged) }
}

/// A patch that adds one step.
pub(super) fn patch(plan: &Plan) -> PlanPatch {
    let step = DraftedStep {
        step_id: Some(alloc::format!("n{}", plan.version)),
        title: "New".into(),
        runner: Some(Runner::Agent),
        ..DraftedStep::default()
    };
    PlanPatch { add_steps: vec![step], ..PlanPatch::default() }
}

/// What a call of a step did: one file.
#[must_use]
pub fn facts(control: Control) -> StepFacts {
    let file =
        FileChange { path: "src/list.rs".into(), before: None, after: Some("a".to_string()) };
    StepFacts {
        call_id: "call-1".into(),
        exit_code: Some(0),
        result_hash: "r".into(),
        files: Vec::from([Changed { file, lines: 3 }]),
        commands: vec![],
        unchanged: vec![],
        note: Some("done".into()),
        digest: "d".into(),
        control,
        bare: false,
    }
}

/// Boxed, as results carry it.
pub(super) fn boxed(control: Control) -> Box<StepFacts> {
    Box::new(facts(control))
}
