//! Commands that only this turn's own plan makes possible: one for each of its steps, and changes
//! that fit it. The samples of the table are made for the samples' own plan and may not.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::answer::DraftedStep;
use super::super::command::Command;
use super::super::patch::{PlanPatch, StepUpdate};
use super::super::plan::{Plan, Runner, Step};
use super::super::state::State;
use super::made;
use crate::policy::Verdict;

/// What could be done with the steps of the plan there is.
pub(in super::super) fn of_plan(state: &State) -> Vec<Command> {
    let work = state.life().and_then(|life| life.body.work.as_ref());
    let Some(plan) = work.map(|work| &work.plan) else { return Vec::new() };
    let ask = || Verdict::Ask { rule: "sample".into() };
    let skip = |step: &Step| Command::SkipStep {
        step: step.step_id.clone(),
        reason: String::from("not needed"),
    };
    let edit = |patch: PlanPatch| Command::EditPlan {
        patch: Box::new(patch),
        judged: Box::new(made::judged_plan(plan, ask())),
        bad_args: vec![],
    };
    let renamed = plan.steps.iter().map(renamed).chain(again(plan));
    plan.steps.iter().map(skip).chain(renamed.map(edit)).collect()
}

/// A step under the title it has: nothing fits a plan better.
fn renamed(step: &Step) -> PlanPatch {
    let title = Some(step.title.clone());
    let update = StepUpdate { step_id: step.step_id.clone(), title, ..StepUpdate::default() };
    PlanPatch { update_steps: vec![update], ..PlanPatch::default() }
}

/// What a step does with tools, once more: it needs no agent.
fn again(plan: &Plan) -> Option<PlanPatch> {
    let known = plan.steps.iter().find(|step| step.runner == Runner::Tools)?;
    let step = DraftedStep {
        step_id: Some(format!("again{}", plan.version)),
        title: known.title.clone(),
        tool_calls: known.tool_calls.clone(),
        runner: Some(Runner::Tools),
        ..DraftedStep::default()
    };
    Some(PlanPatch { add_steps: vec![step], ..PlanPatch::default() })
}
