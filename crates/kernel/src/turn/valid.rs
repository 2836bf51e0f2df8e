//! What makes a plan valid. Pure: tools are those of this build, agents and detected checks come as
//! data, and the schema of a tool's arguments is looked at by whoever knows it.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::bounds::STEP_ID_MAX;
use super::line;
use super::plan::{Plan, Runner, Step, VerificationPolicy, VerifyMode};
use crate::call;

/// What is wrong with a plan or a patch, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaw {
    /// What is wrong.
    pub what: Wrong,
    /// JSON Pointer into the plan.
    pub path: String,
    /// The word that is wrong.
    pub found: String,
}

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Wrong {
    NotJson,
    TwoObjects,
    Schema,
    NoSteps,
    TooManySteps,
    BadId,
    DuplicateId,
    UnknownDependency,
    Cycle,
    NoCall,
    UnknownTool,
    BadArgs,
    NoAgent,
    BadCommand,
    NoCommand,
    EmptyPatch,
    TwoLists,
    UnknownStep,
    DoneStep,
    StepInProgress,
    OldVersion,
    Denied,
}

impl Wrong {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::TwoObjects => "two_objects",
            Self::Schema => "schema",
            Self::NoSteps => "no_steps",
            Self::TooManySteps => "too_many_steps",
            Self::BadId => "bad_id",
            Self::DuplicateId => "duplicate_id",
            Self::UnknownDependency => "unknown_dependency",
            Self::Cycle => "cycle",
            Self::NoCall => "no_call",
            Self::UnknownTool => "unknown_tool",
            Self::BadArgs => "bad_args",
            Self::NoAgent => "no_agent",
            Self::BadCommand => "bad_command",
            Self::NoCommand => "no_command",
            Self::EmptyPatch => "empty_patch",
            Self::TwoLists => "two_lists",
            Self::UnknownStep => "unknown_step",
            Self::DoneStep => "done_step",
            Self::StepInProgress => "step_in_progress",
            Self::OldVersion => "old_version",
            Self::Denied => "denied",
        }
    }
}

/// What a plan is held against.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Most steps.
    pub steps_max: u32,
    /// Agents there are.
    pub agents: &'a [String],
    /// Arguments that do not fit their tool, found by whoever knows the schemas.
    pub bad_args: &'a [BadArgs],
}

/// A template whose arguments do not fit its tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadArgs {
    /// The step.
    pub step_id: String,
    /// Which of its calls, from 0.
    pub call: u32,
    /// What is wrong.
    pub why: String,
}

impl Flaw {
    pub(super) fn new(what: Wrong, path: impl Into<String>, found: impl Into<String>) -> Self {
        Self { what, path: path.into(), found: found.into() }
    }
}

/// Whether this may be a step's id.
#[must_use]
pub fn step_id(id: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    (1..=STEP_ID_MAX).contains(&id.len()) && id.bytes().all(fits)
}

/// Whether a plan is valid.
///
/// # Errors
/// The first flaw, in the order in which a reader would meet it.
pub fn plan(plan: &Plan, ground: Ground<'_>) -> Result<(), Flaw> {
    if plan.goal.trim().is_empty() {
        return Err(Flaw::new(Wrong::Schema, "/goal", ""));
    }
    if plan.steps.is_empty() {
        return Err(Flaw::new(Wrong::NoSteps, "/steps", ""));
    }
    if u32::try_from(plan.steps.len()).is_ok_and(|count| count > ground.steps_max) {
        let found = plan.steps.len().to_string();
        return Err(Flaw::new(Wrong::TooManySteps, "/steps", found));
    }
    ids(plan)?;
    for (at, step) in plan.steps.iter().enumerate() {
        one(plan, at, step, ground)?;
    }
    order(plan)?;
    verification(&plan.verification)
}

fn ids(plan: &Plan) -> Result<(), Flaw> {
    let mut seen = BTreeSet::new();
    for (at, step) in plan.steps.iter().enumerate() {
        let path = format!("/steps/{at}/step_id");
        if !step_id(&step.step_id) {
            return Err(Flaw::new(Wrong::BadId, path, &step.step_id));
        }
        if !seen.insert(&step.step_id) {
            return Err(Flaw::new(Wrong::DuplicateId, path, &step.step_id));
        }
    }
    Ok(())
}

fn one(plan: &Plan, at: usize, step: &Step, ground: Ground<'_>) -> Result<(), Flaw> {
    let path = |rest: &str| format!("/steps/{at}/{rest}");
    if step.title.trim().is_empty() {
        return Err(Flaw::new(Wrong::Schema, path("title"), ""));
    }
    if let Some(missing) = step.depends_on.iter().find(|id| plan.step(id).is_none()) {
        return Err(Flaw::new(Wrong::UnknownDependency, path("depends_on"), missing));
    }
    for (n, template) in step.tool_calls.iter().enumerate() {
        let usable = call::named(&template.name).is_some_and(|tool| tool.name != call::AGENT);
        if !usable {
            return Err(Flaw::new(
                Wrong::UnknownTool,
                path(&format!("tool_calls/{n}/name")),
                &template.name,
            ));
        }
    }
    match step.runner {
        Runner::Tools if step.tool_calls.is_empty() => {
            return Err(Flaw::new(Wrong::NoCall, path("tool_calls"), ""));
        }
        Runner::Tools => {
            if let Some(bad) = ground.bad_args.iter().find(|bad| bad.step_id == step.step_id) {
                let path = path(&format!("tool_calls/{}/args_hint", bad.call));
                return Err(Flaw::new(Wrong::BadArgs, path, &bad.why));
            }
        }
        Runner::Agent | Runner::Collab => agent(step, ground, path("agent"))?,
    }
    for (n, command) in step.verify.iter().enumerate() {
        line::split(command).map_err(|bad| {
            Flaw::new(
                Wrong::BadCommand,
                path(&format!("verify/{n}")),
                format!("{command}: {}", bad.word()),
            )
        })?;
    }
    Ok(())
}

fn agent(step: &Step, ground: Ground<'_>, path: String) -> Result<(), Flaw> {
    match &step.agent {
        Some(name) if !ground.agents.contains(name) => Err(Flaw::new(Wrong::NoAgent, path, name)),
        None if ground.agents.is_empty() => Err(Flaw::new(Wrong::NoAgent, path, "")),
        Some(_) | None => Ok(()),
    }
}

/// Takes away steps whose needs are gone until none is left; what remains goes round in circles.
fn order(plan: &Plan) -> Result<(), Flaw> {
    let mut left: Vec<&Step> = plan.steps.iter().collect();
    loop {
        let waits = |step: &Step| {
            plan.needs(step).iter().any(|need| left.iter().any(|other| other.step_id == *need))
        };
        let rest: Vec<&Step> = left.iter().copied().filter(|step| waits(step)).collect();
        match rest.first() {
            None => return Ok(()),
            Some(first) if rest.len() == left.len() => {
                let at = plan.steps.iter().position(|step| step.step_id == first.step_id);
                let path = format!("/steps/{}/depends_on", at.unwrap_or(0));
                return Err(Flaw::new(Wrong::Cycle, path, &first.step_id));
            }
            Some(_) => left = rest,
        }
    }
}

/// Whether checks can be run as written. Detection has filled in what was left open before this.
///
/// # Errors
/// The first flaw.
pub fn verification(policy: &VerificationPolicy) -> Result<(), Flaw> {
    for (n, command) in policy.commands.iter().enumerate() {
        line::split(command).map_err(|bad| {
            let path = format!("/verification/commands/{n}");
            Flaw::new(Wrong::BadCommand, path, format!("{command}: {}", bad.word()))
        })?;
    }
    let needs = match policy.mode {
        VerifyMode::None => false,
        VerifyMode::Custom => true,
        VerifyMode::Lint | VerifyMode::Test | VerifyMode::Build => policy.required,
    };
    if needs && policy.commands.is_empty() {
        return Err(Flaw::new(Wrong::NoCommand, "/verification/commands", ""));
    }
    Ok(())
}
