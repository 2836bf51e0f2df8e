//! The view of a lifecycle, filled in from its state. Sentences are made by the doors.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::decide::allowed;
use super::owes;
use super::phase::{Archive, Blocked, Doing, Draft, FixStep, Phase, Rolling, Step, Why};
use super::state::{Approval, Life, State, Work};
use super::task::Task;
use super::view::{
    Approved, BlockedView, BudgetView, EvidenceView, FailureView, NextAction, PlanView,
    Requirement, TaskView, View, Waiting,
};
use crate::machine::By;

/// The view; none before there is a requirement.
#[must_use]
pub fn shown(state: &State, waiting: Option<Waiting>) -> Option<View> {
    let life = state.life()?;
    let (body, phase) = (&life.body, &life.phase);
    let work = phase.work();
    let question = || phase.question_key().map(Waiting::Question);
    Some(View {
        run_id: body.begin.id.clone(),
        machine: String::from("lifecycle"),
        parent: body.begin.parent.clone(),
        seq: body.seq,
        created_at: body.created_at,
        updated_at: body.updated_at,
        session_id: body.begin.session_id.clone(),
        task_status: phase.name().into(),
        paused: body.hold.is_some(),
        hold: body.hold.clone(),
        waiting: waiting.or_else(question),
        requirement: Requirement {
            text: body.ask.whole(),
            source: body.ask.source,
            path: body.ask.path.clone(),
        },
        plan: plan(phase),
        tasks: work.map(tasks).unwrap_or_default(),
        current_task: phase.current_task().map(Into::into),
        auto_fix_attempts: attempts(phase),
        auto_fix_limit: body.begin.options.fix_limit,
        failure: failure(phase),
        blocked: blocked(phase),
        last_checkpoint: work.and_then(|work| work.last_checkpoint.clone()),
        outcome: phase.ended().map(|ended| ended.outcome),
        next_action: next_action(life),
        allowed: allowed(state, &By::Person).into_iter().map(String::from).collect(),
        budget: BudgetView { limit: body.budget, spent: body.spent },
    })
}

/// The attempt where one means something.
#[must_use]
pub const fn attempts(phase: &Phase) -> u32 {
    match phase {
        Phase::AutoFix(fix) => fix.attempt,
        Phase::Blocked(blocked) => blocked.attempts,
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Confirming(_)
        | Phase::Executing(_)
        | Phase::Archiving(_) => 0,
    }
}

fn plan(phase: &Phase) -> Option<PlanView> {
    let short = |plan: &super::plan::Plan, hash: &str, approval: Option<&Approval>| PlanView {
        revision: plan.revision,
        hash: hash.into(),
        path: plan.path.clone(),
        approved: approval.map(|yes| Approved {
            by: yes.by.clone(),
            at: yes.at,
            question: yes.question.clone(),
            scope: yes.scope,
        }),
    };
    match phase {
        Phase::Confirming(now) => Some(short(&now.plan, &now.hash, None)),
        Phase::Planning(now) => now.before.as_ref().map(|plan| short(plan, &plan.hash(), None)),
        Phase::Idle(_)
        | Phase::Executing(_)
        | Phase::AutoFix(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => {
            phase.work().map(|work| short(&work.plan, &work.hash, Some(&work.approval)))
        }
    }
}

fn tasks(work: &Work) -> Vec<TaskView> {
    let one = |task: &Arc<Task>| TaskView {
        ready: work.is_ready(task),
        waiting_on: work.waiting_on(task),
        records: task
            .evidence
            .iter()
            .filter_map(|id| work.record(id))
            .map(|evidence| EvidenceView {
                id: evidence.evidence_id.clone(),
                verdict: evidence.verdict,
                fresh: work.fresh(evidence),
            })
            .collect(),
        task: (**task).clone(),
    };
    work.tasks.iter().map(one).collect()
}

fn failure(phase: &Phase) -> Option<FailureView> {
    let (failure, cause) = match phase {
        Phase::AutoFix(fix) => (Some(&fix.failure), fix.cause.as_ref()),
        Phase::Blocked(blocked) => (blocked.failure.as_ref(), blocked.cause.as_ref()),
        Phase::Planning(now) => match &now.step {
            Draft::Stuck { failure, .. } => (Some(failure), None),
            Draft::Drafting { .. } => (None, None),
        },
        Phase::Idle(_) | Phase::Confirming(_) | Phase::Executing(_) | Phase::Archiving(_) => {
            (None, None)
        }
    };
    let failure = failure?;
    Some(FailureView {
        cause: cause.map(|cause| cause.summary.clone()),
        signature: failure.signature.clone(),
        repeat: failure.repeat,
        summary: failure.summary.clone(),
    })
}

fn blocked(phase: &Phase) -> Option<BlockedView> {
    let Phase::Blocked(now) = phase else { return None };
    Some(BlockedView {
        why: now.why,
        since: now.since,
        reset_at: now.reset_at,
        options: owes::ways_out(now).into_iter().map(String::from).collect(),
    })
}

/// What comes next, as a key with its data, and the command for it if a person has to act.
fn next_action(life: &Life) -> NextAction {
    let id = &life.body.begin.id;
    let action = |text: &str, about: &[(&str, &str)], verb: Option<&str>| NextAction {
        text: text.into(),
        about: about.iter().map(|(k, v)| (String::from(*k), String::from(*v))).collect(),
        command: verb.map(|verb| format!("loopwright lifecycle {verb}")),
    };
    if life.body.hold.is_some() {
        return action("held", &[], Some(&format!("resume {id}")));
    }
    match &life.phase {
        Phase::Idle(_) => action("over", &[], Some("start")),
        Phase::Planning(now) => match &now.step {
            Draft::Drafting { .. } => action("planning", &[], None),
            Draft::Stuck { .. } => action("plan-stuck", &[], Some(&format!("retry-plan {id}"))),
        },
        Phase::Confirming(now) => {
            let verb = format!("confirm {id}/{}", now.question);
            action("confirm", &[], Some(&verb))
        }
        Phase::Executing(now) => executing(&now.doing, &action),
        Phase::AutoFix(fix) => {
            let n = format!("{}", fix.attempt);
            let limit = format!("{}", life.body.begin.options.fix_limit);
            let about = [("task", fix.task.as_str()), ("n", n.as_str()), ("limit", limit.as_str())];
            let text = match fix.step {
                FixStep::Turn { .. } => "fixing",
                FixStep::Check { .. } => "fix-checking",
            };
            action(text, &about, None)
        }
        Phase::Blocked(now) => match &now.rolling {
            None => {
                let about =
                    vec![("why", now.why.word()), ("task", now.task.as_deref().unwrap_or("-"))];
                action("blocked", &about, Some(&format!("fix {id} {}", now.way_on())))
            }
            Some(Rolling::Ask { id: n, .. }) => NextAction {
                command: Some(format!("loopwright answer {id}/q/rollback/{n} go")),
                ..action("rollback-confirm", &[], None)
            },
            Some(Rolling::Plan { .. } | Rolling::Run { .. }) => action("rolling", &[], None),
        },
        Phase::Archiving(now) => match now.step {
            Archive::Settling { .. } => action("settling", &[], None),
            Archive::Writing { .. } => action("archiving", &[], None),
        },
    }
}

impl Blocked {
    /// The words that let it go on: without what its reason needs it would only be refused.
    #[must_use]
    pub fn way_on(&self) -> String {
        match self.why {
            Why::DefinitionChanged => format!("--fixed --accept-definition {}", self.detail),
            Why::Budget => String::from("--fixed --add-turns N"),
            Why::FixLimit
            | Why::SameFailure
            | Why::ForceStop
            | Why::CannotVerify
            | Why::TreeMoving
            | Why::OutcomeUnknown
            | Why::PolicyDenied
            | Why::Io
            | Why::AgentUnavailable
            | Why::AgentBlocked
            | Why::Quota
            | Why::CheckpointFailed
            | Why::BranchChanged
            | Why::RollbackFailed => String::from("-m TEXT"),
        }
    }
}

/// Makes an action of its key, the data of its sentence and the verb that does it.
type Make<'a> = dyn Fn(&str, &[(&str, &str)], Option<&str>) -> NextAction + 'a;

fn executing(doing: &Doing, action: &Make<'_>) -> NextAction {
    match doing {
        Doing::Task { task, step } => {
            let text = match step {
                Step::Save { .. } => "saving",
                Step::Turn { .. } => "working",
                Step::Check { .. } => "checking",
            };
            action(text, &[("task", task)], None)
        }
        Doing::Seal { .. } | Doing::SealCheck { .. } => action("sealing", &[], None),
    }
}
