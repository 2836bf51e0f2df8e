//! What a planner answers and what a plan file holds: one JSON object, read with the names that
//! planners are known to use, and made into a plan. Finding the object in a text is done elsewhere.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::evidence::StepEvidence;
use super::models::Asking;
use super::patch::{self, PlanPatch};
use super::plan::{
    Artifact, ArtifactKind, OnFailure, Plan, Risk, Runner, SkipReason, Source, Status, Step,
    StepError, ToolCallTemplate, VerificationPolicy, VerifyMode,
};
use super::stamp::Stamp;
use super::valid::{Flaw, Wrong};
use crate::machine::At;

/// A planner's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A whole plan.
    Full(Drafted),
    /// A change of the plan there is.
    Patch(PlanPatch),
    /// It cannot go on without these.
    Questions(Vec<Asking>),
    /// The plan of the turn that this one goes on from; never read from a text.
    Carried(Box<Plan>),
}

/// A plan as written by others, before ids, times and statuses are ours.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the plan's own")]
pub struct Drafted {
    #[serde(default)]
    pub goal: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub constraints: Vec<String>,
    #[serde(default)]
    pub assumptions: Vec<String>,
    #[serde(default)]
    pub risks: Vec<String>,
    pub steps: Vec<DraftedStep>,
    #[serde(default, alias = "verification_policy")]
    pub verification: Option<VerificationPolicy>,
    #[serde(default)]
    pub risk_level: Option<Risk>,
    #[serde(default)]
    pub on_failure: Option<OnFailure>,
    /// Ours to set; read from files so that a plan we wrote is one we read.
    #[serde(default)]
    pub plan_id: Option<String>,
    #[serde(default)]
    pub created_at: Option<Stamp>,
    #[serde(default)]
    pub version: Option<u32>,
    #[serde(default)]
    pub source: Option<Source>,
}

/// A step as written by others.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the step's own")]
pub struct DraftedStep {
    #[serde(default, alias = "id", skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
    #[serde(alias = "description")]
    pub title: String,
    #[serde(default)]
    pub intent: String,
    #[serde(default)]
    pub tool_calls: Vec<ToolCallTemplate>,
    #[serde(default)]
    pub tools_expected: Vec<String>,
    #[serde(default)]
    pub expected_artifacts: Vec<Artifact>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_output: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback_hint: Option<String>,
    #[serde(default, alias = "dependencies")]
    pub depends_on: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<Runner>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default)]
    pub verify: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Ours to set; read from files so that a plan we wrote is one we read.
    #[serde(default)]
    pub attempt: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<StepError>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<SkipReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<StepEvidence>,
}

/// What is ours to say about a plan that others wrote.
#[derive(Clone, Debug)]
pub struct Made<'a> {
    /// Its id.
    pub plan_id: String,
    /// When it was made.
    pub at: At,
    /// Where it came from.
    pub source: Source,
    /// The request, where the plan has no goal of its own.
    pub request: &'a str,
    /// Constraints that hold whatever the plan says.
    pub constraints: &'a [String],
    /// Checks that a parent or person set; they win.
    pub given: Option<&'a VerificationPolicy>,
    /// Checks that were detected, used where nothing else was said.
    pub detected: &'a [Detected],
    /// What happens to the rest when a step is given up.
    pub on_failure: OnFailure,
}

/// A check that was found in the workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detected {
    /// What it checks.
    pub mode: VerifyMode,
    /// Its command line.
    pub command: String,
}

/// Reads a planner's answer.
///
/// # Errors
/// What is wrong with it, for the planner to read.
pub fn read(value: &Value) -> Result<Answer, Flaw> {
    let Value::Object(map) = value else {
        return Err(Flaw::new(Wrong::Schema, "", "not an object"));
    };
    let mut rest = map.clone();
    let kind = rest.remove("type");
    match kind.as_ref().and_then(Value::as_str) {
        Some("FullPlan") | None => of_map(rest).map(Answer::Full),
        Some("PlanPatch") => parsed(rest).map(Answer::Patch),
        Some("Questions") => questions(rest).map(Answer::Questions),
        Some(other) => Err(Flaw::new(Wrong::Schema, "/type", other)),
    }
}

/// Reads a plan file's value.
///
/// # Errors
/// What is wrong with it.
pub fn read_file(value: &Value) -> Result<Drafted, Flaw> {
    match value {
        Value::Object(map) => of_map(map.clone()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(Flaw::new(Wrong::Schema, "", "not an object"))
        }
    }
}

/// Step by step, so that what is wrong is named where it is.
fn of_map(map: Map<String, Value>) -> Result<Drafted, Flaw> {
    for (n, step) in map.get("steps").and_then(Value::as_array).into_iter().flatten().enumerate() {
        if let Err(why) = DraftedStep::deserialize(step) {
            return Err(Flaw::new(Wrong::Schema, format!("/steps/{n}"), why.to_string()));
        }
    }
    parsed(map)
}

fn parsed<T: for<'de> Deserialize<'de>>(map: Map<String, Value>) -> Result<T, Flaw> {
    serde_json::from_value(Value::Object(map))
        .map_err(|why| Flaw::new(Wrong::Schema, "", why.to_string()))
}

fn questions(map: Map<String, Value>) -> Result<Vec<Asking>, Flaw> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Questions {
        questions: Vec<Asking>,
    }
    let found: Questions = parsed(map)?;
    let count = found.questions.len();
    if count == 0 || count > super::bounds::QUESTIONS_MAX {
        return Err(Flaw::new(Wrong::Schema, "/questions", count.to_string()));
    }
    if found.questions.iter().any(|one| one.text.trim().is_empty()) {
        return Err(Flaw::new(Wrong::Schema, "/questions", "an empty question"));
    }
    Ok(found.questions)
}

impl Drafted {
    /// The plan, with everything that is ours to set.
    #[must_use]
    pub fn make(&self, made: &Made<'_>) -> Plan {
        let spoken = [self.goal.as_str(), self.title.as_deref().unwrap_or(""), made.request];
        let goal = spoken.into_iter().find(|text| !text.trim().is_empty()).unwrap_or("");
        let mut constraints = made.constraints.to_vec();
        let new = self.constraints.iter().filter(|one| !made.constraints.contains(one));
        constraints.extend(new.cloned());
        let steps = self.steps.iter().enumerate().map(|(at, step)| match made.source {
            Source::File => step.make(at),
            // Nobody skips a step but a person: a planner plans what is still to be done.
            Source::Planner | Source::Direct => patch::fresh(&step.make(at)),
        });
        let steps = steps.collect();
        Plan {
            plan_id: made.plan_id.clone(),
            goal: goal.to_string(),
            constraints,
            steps,
            verification: verification(made, self.verification.as_ref()),
            risk_level: self.risk_level.unwrap_or_default(),
            created_at: Stamp(made.at),
            version: 1,
            title: self.title.clone(),
            assumptions: self.assumptions.clone(),
            risks: self.risks.clone(),
            source: made.source,
            on_failure: self.on_failure.unwrap_or(made.on_failure),
        }
    }
}

impl DraftedStep {
    pub(super) fn make(&self, at: usize) -> Step {
        let mut tool_calls = self.tool_calls.clone();
        let named = self.tools_expected.iter();
        tool_calls.extend(named.map(|name| ToolCallTemplate {
            name: name.clone(),
            args_hint: Map::new(),
            why: None,
        }));
        let mut expected_artifacts = self.expected_artifacts.clone();
        let note = self.expected_output.iter().filter(|text| !text.trim().is_empty());
        expected_artifacts
            .extend(note.map(|text| Artifact { kind: ArtifactKind::Note, value: text.clone() }));
        // Names alone cannot be called; only a step whose calls are written out is its tools'.
        let calls = !self.tool_calls.is_empty() && self.agent.is_none();
        let runner = self.runner.unwrap_or(if calls { Runner::Tools } else { Runner::Agent });
        let (status, skip_reason) = imported(self.status, self.skip_reason);
        Step {
            step_id: self.step_id.clone().unwrap_or_else(|| format!("s{}", at + 1)),
            title: self.title.clone(),
            intent: self.intent.clone(),
            tool_calls,
            expected_artifacts,
            status,
            rollback_hint: self.rollback_hint.clone(),
            depends_on: self.depends_on.clone(),
            runner,
            agent: self.agent.clone(),
            verify: self.verify.clone(),
            attempt: 0,
            error: None,
            skip_reason,
            evidence: None,
        }
    }
}

/// A status that a file has: what its writer calls done is not ours to prove, so it is skipped;
/// what they did not get done is there to be done.
fn imported(status: Option<Status>, reason: Option<SkipReason>) -> (Status, Option<SkipReason>) {
    match (status, reason) {
        (Some(Status::Done), _) => (Status::Skipped, Some(SkipReason::AlreadyDone)),
        (Some(Status::Skipped), None | Some(SkipReason::Person)) => {
            (Status::Skipped, Some(SkipReason::Person))
        }
        (Some(Status::Skipped), Some(SkipReason::AlreadyDone)) => {
            (Status::Skipped, Some(SkipReason::AlreadyDone))
        }
        (Some(Status::Skipped), Some(SkipReason::Dependency))
        | (Some(Status::Pending | Status::InProgress | Status::Blocked) | None, _) => {
            (Status::Pending, None)
        }
    }
}

/// Given checks win, then the plan's, then those detected; none at all is no check, never a pass.
fn verification(made: &Made<'_>, own: Option<&VerificationPolicy>) -> VerificationPolicy {
    let Some(policy) = made.given.or(own) else {
        let commands: Vec<String> = made.detected.iter().map(|one| one.command.clone()).collect();
        let Some(last) = made.detected.last() else { return VerificationPolicy::none() };
        return VerificationPolicy {
            mode: last.mode,
            commands,
            required: true,
            stop_on_fail: true,
        };
    };
    if !policy.commands.is_empty() {
        return policy.clone();
    }
    let fits = made.detected.iter().filter(|one| one.mode == policy.mode);
    let commands = fits.map(|one| one.command.clone()).collect();
    VerificationPolicy { commands, ..policy.clone() }
}
