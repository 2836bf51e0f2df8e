//! What an approval is bound to: the hash of exactly what would be done, without what changes by
//! doing it. Any edit of the plan is another subject.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::models::Permission;
use super::plan::{Plan, Step};
use crate::hash;

/// What a yes covers: everything the steps and checks of a subject touch.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    /// What is needed.
    pub permissions: Vec<Permission>,
    /// Paths and globs.
    pub paths: Vec<String>,
    /// Commands, word by word.
    pub argv: Vec<Vec<String>>,
    /// Hosts.
    pub hosts: Vec<String>,
    /// Hashes of extremely high risks that were found.
    pub risks: Vec<String>,
    /// Why a yes to it cannot last, and why its risk is high: sensitive paths, shell text, an agent
    /// that nothing holds in.
    #[serde(default)]
    pub once_only: Vec<String>,
}

impl Reach {
    /// Whether a yes may be kept for later turns: never for what deletes, connects or commits.
    #[must_use]
    pub fn lasting(&self) -> bool {
        self.risks.is_empty()
            && self.once_only.is_empty()
            && self.permissions.iter().all(|permission| match permission {
                Permission::FsRead | Permission::FsWrite | Permission::ProcExec => true,
                Permission::FsDelete | Permission::NetConnect | Permission::GitWrite => false,
            })
    }
}

/// Hash of a plan as it would be approved.
#[must_use]
pub fn plan(plan: &Plan, reach: &Reach) -> String {
    let steps: Vec<Value> = plan.steps.iter().map(bare).collect();
    let value = json!({
        "plan_id": plan.plan_id,
        "version": plan.version,
        "goal": plan.goal,
        "constraints": plan.constraints,
        "steps": steps,
        "on_failure": plan.on_failure,
        "verification": plan.verification,
        "scope": reach,
    });
    hash::of_json(&value)
}

/// Hash of one step that was added to repair another.
#[must_use]
pub fn step(step: &Step) -> String {
    hash::of_json(&bare(step))
}

/// A step without what changes by doing it.
fn bare(step: &Step) -> Value {
    json!({
        "step_id": step.step_id,
        "title": step.title,
        "intent": step.intent,
        "tool_calls": step.tool_calls,
        "expected_artifacts": step.expected_artifacts,
        "depends_on": step.depends_on,
        "runner": step.runner,
        "agent": step.agent,
        "verify": step.verify,
    })
}
