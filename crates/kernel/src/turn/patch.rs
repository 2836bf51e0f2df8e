//! Changes of a plan: what a planner or a person may change, and what stays. Steps that are done or
//! under way are never touched, and nothing is cut off to make a patch fit.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::answer::DraftedStep;
use super::plan::{Artifact, Plan, Runner, SkipReason, Status, Step, ToolCallTemplate};
use super::valid::{self, Flaw, Ground, Wrong};

/// Changed steps of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanPatch {
    /// A new title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Steps that go.
    #[serde(default)]
    pub remove_steps: Vec<String>,
    /// Steps that change.
    #[serde(default)]
    pub update_steps: Vec<StepUpdate>,
    /// Steps that come.
    #[serde(default)]
    pub add_steps: Vec<DraftedStep>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The version it was made for; none = whichever was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
}

/// Changed fields of a step.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the step's own")]
pub struct StepUpdate {
    pub step_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCallTemplate>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_artifacts: Option<Vec<Artifact>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<Runner>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<Vec<String>>,
}

/// The plan after a patch.
///
/// # Errors
/// The first flaw of the patch or of what it would make.
pub fn apply(plan: &Plan, patch: &PlanPatch, ground: Ground<'_>) -> Result<Plan, Flaw> {
    check(plan, patch)?;
    let mut next = plan.clone();
    next.version += 1;
    if patch.title.is_some() {
        next.title.clone_from(&patch.title);
    }
    next.steps.retain(|step| !patch.remove_steps.contains(&step.step_id));
    for update in &patch.update_steps {
        if let Some(step) = next.step_mut(&update.step_id) {
            change(step, update);
        }
    }
    let before = plan.steps.len();
    let added = patch.add_steps.iter().enumerate();
    next.steps.extend(added.map(|(n, step)| fresh(&step.make(before + n))));
    valid::plan(&next, ground)?;
    Ok(next)
}

fn check(plan: &Plan, patch: &PlanPatch) -> Result<(), Flaw> {
    if patch.version.is_some_and(|version| version != plan.version) {
        return Err(Flaw::new(Wrong::OldVersion, "/version", format!("{}", plan.version)));
    }
    let lists = (&patch.remove_steps, &patch.update_steps, &patch.add_steps);
    if lists.0.is_empty() && lists.1.is_empty() && lists.2.is_empty() {
        return Err(Flaw::new(Wrong::EmptyPatch, "", ""));
    }
    let removed = patch.remove_steps.iter().enumerate();
    let removed = removed.map(|(n, id)| (format!("/remove_steps/{n}"), id));
    let updated = patch.update_steps.iter().enumerate();
    let updated = updated.map(|(n, one)| (format!("/update_steps/{n}/step_id"), &one.step_id));
    let mut seen = BTreeSet::new();
    for (path, id) in removed.chain(updated) {
        let Some(step) = plan.step(id) else {
            return Err(Flaw::new(Wrong::UnknownStep, path, id));
        };
        match step.status {
            Status::Done => return Err(Flaw::new(Wrong::DoneStep, path, id)),
            Status::InProgress => return Err(Flaw::new(Wrong::StepInProgress, path, id)),
            Status::Pending | Status::Blocked | Status::Skipped => {}
        }
        if !seen.insert(id) {
            return Err(Flaw::new(Wrong::TwoLists, path, id));
        }
    }
    for (n, step) in patch.add_steps.iter().enumerate() {
        let path = format!("/add_steps/{n}/step_id");
        let Some(id) = &step.step_id else { continue };
        if !seen.insert(id) {
            return Err(Flaw::new(Wrong::TwoLists, path, id));
        }
    }
    Ok(())
}

fn change(step: &mut Step, update: &StepUpdate) {
    if let Some(title) = &update.title {
        step.title.clone_from(title);
    }
    if let Some(intent) = &update.intent {
        step.intent.clone_from(intent);
    }
    if let Some(depends_on) = &update.depends_on {
        step.depends_on.clone_from(depends_on);
    }
    if let Some(tool_calls) = &update.tool_calls {
        step.tool_calls.clone_from(tool_calls);
    }
    if let Some(artifacts) = &update.expected_artifacts {
        step.expected_artifacts.clone_from(artifacts);
    }
    if let Some(runner) = update.runner {
        step.runner = runner;
    }
    if let Some(verify) = &update.verify {
        step.verify.clone_from(verify);
    }
    step.status = Status::Pending;
    step.skip_reason = None;
}

/// A step as it enters a plan: nothing of it has happened.
pub(super) fn fresh(step: &Step) -> Step {
    Step {
        status: Status::Pending,
        attempt: 0,
        error: None,
        skip_reason: None,
        evidence: None,
        ..step.clone()
    }
}

/// A full plan in place of a patch: steps of an id that is done stay as they are, and a done step
/// that it leaves out is kept.
///
/// # Errors
/// The first flaw of what it would make.
pub fn replace(old: &Plan, new: &Plan, ground: Ground<'_>) -> Result<Plan, Flaw> {
    let kept = |step: &&Step| step.status == Status::Done || done_before(step);
    let mut next = Plan {
        plan_id: old.plan_id.clone(),
        version: old.version + 1,
        created_at: old.created_at,
        source: old.source,
        on_failure: old.on_failure,
        ..new.clone()
    };
    let left_out = |step: &&Step| !new.steps.iter().any(|one| one.step_id == step.step_id);
    let mut steps: Vec<Step> = old.steps.iter().filter(kept).filter(left_out).cloned().collect();
    steps.extend(new.steps.iter().map(|step| {
        let old = old.step(&step.step_id);
        match old.filter(|old| kept(old)) {
            Some(done) => done.clone(),
            // Attempts are in keys, which are never used again.
            None => Step { attempt: old.map_or(0, |old| old.attempt), ..fresh(step) },
        }
    }));
    next.steps = steps;
    valid::plan(&next, ground)?;
    Ok(next)
}

fn done_before(step: &Step) -> bool {
    step.status == Status::Skipped && step.skip_reason == Some(SkipReason::AlreadyDone)
}
