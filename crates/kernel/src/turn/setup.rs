//! What a turn is started with, and what each kind of parent may set of it. Recorded at the start,
//! so that a fold needs no configuration.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::answer::Detected;
use super::bounds;
use super::plan::{OnFailure, Risk, VerificationPolicy};
use super::subject::Reach;
use crate::policy::{Backing, Verdict};

/// What a turn may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Change files.
    Write,
    /// Read and answer.
    Analysis,
    /// Stop when the plan is accepted.
    Plan,
}

/// Who makes the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Planner {
    /// The first of these, then the next.
    Agents(Vec<String>),
    /// A file, copied at its hash.
    File {
        /// SHA-256 of the copy.
        sha256: String,
    },
    /// Nobody: one step for an agent.
    Direct,
}

/// Who started a turn, and with it what may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// A person: everything as asked.
    Person,
    /// A lifecycle wants a plan.
    LifecyclePlan,
    /// A lifecycle has a task or a fix done.
    LifecycleTask,
    /// A loop develops or instruments.
    Loop,
    /// A session's small change.
    Tweak,
    /// A session's closing work and prose.
    Closing,
}

/// What becomes of the change in git.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the setting's own")]
pub enum Git {
    Off,
    Message,
    Commit,
}

/// When the tree is kept before it is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the setting's own")]
pub enum Checkpoints {
    Off,
    Turn,
    Step,
}

/// The most that a turn may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the setting's own")]
pub struct ChangeLimit {
    pub files: u64,
    pub lines: u64,
    pub modules: u64,
}

/// Limits in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the settings' own")]
pub struct Limits {
    pub fixes: u32,
    pub replans: u32,
    pub revisions: u32,
    pub steps: u32,
    pub step_calls: u32,
    pub calls: u32,
    pub clarify_rounds: u32,
    pub active_ms: u64,
    /// 0 = never.
    pub question_expiry_ms: u64,
    pub budget_tokens: Option<u64>,
    pub budget_micros: Option<u64>,
    pub intake_ms: u64,
    pub context_ms: u64,
    pub plan_ms: u64,
    pub step_ms: u64,
    pub verify_ms: u64,
    pub summary_ms: u64,
    pub change: Option<ChangeLimit>,
    pub confine: Vec<String>,
    /// Times of single checks, by command line; the others take `verify_ms`.
    #[serde(default)]
    pub checks_ms: BTreeMap<String, u64>,
}

impl Limits {
    /// The time of the check of this command line.
    #[must_use]
    pub fn check_ms(&self, command: &str) -> u64 {
        self.checks_ms.get(command).copied().unwrap_or(self.verify_ms)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fixes: bounds::FIXES_MAX,
            replans: bounds::REPLANS_MAX,
            revisions: bounds::PLAN_REVISIONS_MAX,
            steps: bounds::PLAN_STEPS_MAX,
            step_calls: bounds::STEP_TOOL_CALLS_MAX,
            calls: bounds::TURN_CALLS_MAX,
            clarify_rounds: bounds::CLARIFY_ROUNDS_MAX,
            active_ms: bounds::ACTIVE_MS_MAX,
            question_expiry_ms: bounds::QUESTION_EXPIRY_MS,
            budget_tokens: None,
            budget_micros: None,
            intake_ms: bounds::INTAKE_MS,
            context_ms: bounds::CONTEXT_MS,
            plan_ms: bounds::PLAN_MS,
            step_ms: bounds::STEP_MS,
            verify_ms: bounds::VERIFY_MS,
            summary_ms: bounds::SUMMARY_MS,
            change: None,
            confine: Vec::new(),
            checks_ms: BTreeMap::new(),
        }
    }
}

/// What policy says of a subject, and of exactly which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The strictest verdict over all of it.
    pub verdict: Verdict,
    /// What it touches.
    pub reach: Reach,
    /// Hash of the subject that was judged.
    pub hash: String,
    /// What its commands stand for now, by command line.
    #[serde(default)]
    pub definitions: BTreeMap<String, String>,
}

/// The owning run and the slot it owes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ParentRef {
    pub id: String,
    pub key: String,
}

/// What a turn is started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The run id.
    pub id: String,
    /// The owning run.
    pub parent: Option<ParentRef>,
    /// Kept for the turn's life.
    pub trace_id: String,
    /// The session.
    pub session_id: String,
    /// The conversation it belongs to.
    pub conversation_id: Option<String>,
    /// The turn that it goes on from.
    pub continues: Option<String>,
    /// The words.
    pub request: String,
    /// What holds whatever the plan says.
    pub constraints: Vec<String>,
    /// What should come out of it.
    pub expected_output: Option<String>,
    /// What it may do.
    pub mode: Mode,
    /// Who makes the plan.
    pub planner: Planner,
    /// The wanted form of an answer, as JSON Schema.
    pub answer_schema: Option<String>,
    /// Who works: the first, then those it falls back to.
    pub agents: Vec<String>,
    /// The ceiling of what may be done.
    pub risk_max: Option<Risk>,
    /// Checks that win over the plan's.
    pub verification: Option<VerificationPolicy>,
    /// Checks that the workspace has.
    pub detected: Vec<Detected>,
    /// Who started it.
    pub profile: Profile,
    /// Limits in force.
    pub limits: Limits,
    /// What policy says of a step that an agent does here.
    pub agent_step: Judged,
    /// Whether a person's own command stands behind the agents it launches.
    #[serde(default)]
    pub backing: Backing,
    /// What becomes of the change in git.
    pub git: Git,
    /// When the tree is kept.
    pub checkpoints: Checkpoints,
    /// What happens to the rest when a step is given up.
    pub on_failure: OnFailure,
    /// The language of what people and agents are told.
    pub lang: String,
    /// What was checked out when it began: a commit elsewhere is not ours to add to.
    #[serde(default)]
    pub head: CheckedOut,
    /// What its checks speak of, as globs; empty = the paths that it changes.
    #[serde(default)]
    pub covers: Vec<String>,
}

/// What a repository has checked out.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CheckedOut {
    /// The commit, if there is one yet.
    pub commit: Option<String>,
    /// The branch, if one is checked out.
    pub branch: Option<String>,
}

impl Profile {
    /// Whether a failure is the parent's to repair: it has its own attempts.
    #[must_use]
    pub const fn reports_up(self) -> bool {
        match self {
            Self::LifecyclePlan | Self::LifecycleTask | Self::Loop => true,
            Self::Person | Self::Tweak | Self::Closing => false,
        }
    }
}

impl Start {
    /// The start as its profile lets it be: whatever else was asked is put right, not refused,
    /// because a parent knows its row.
    #[must_use]
    pub fn shaped(mut self) -> Self {
        self.bound();
        let (fixes, replans) = match self.profile {
            Profile::Person => return self,
            Profile::Tweak => (self.limits.fixes.min(bounds::FIXES_MAX), 0),
            Profile::LifecyclePlan | Profile::LifecycleTask | Profile::Loop | Profile::Closing => {
                (0, 0)
            }
        };
        (self.limits.fixes, self.limits.replans, self.git) = (fixes, replans, Git::Off);
        match self.profile {
            Profile::LifecyclePlan => {
                self.mode = Mode::Plan;
                self.limits.steps = bounds::PLAN_STEPS_CEILING;
                self.verification = Some(VerificationPolicy::none());
                self.checkpoints = Checkpoints::Off;
            }
            Profile::LifecycleTask => {
                self.checks_required();
                self.checkpoints = Checkpoints::Off;
            }
            Profile::Loop | Profile::Tweak | Profile::Closing => {
                self.verification = Some(VerificationPolicy::none());
                self.checkpoints = Checkpoints::Turn;
            }
            Profile::Person => {}
        }
        if self.profile != Profile::LifecyclePlan {
            (self.mode, self.planner) = (Mode::Write, Planner::Direct);
        }
        self
    }

    /// A task is checked by its own checks and by no others.
    fn checks_required(&mut self) {
        let policy = self.verification.get_or_insert_with(VerificationPolicy::none);
        policy.required = !policy.commands.is_empty();
    }

    /// Settings never reach beyond their range.
    fn bound(&mut self) {
        let limits = &mut self.limits;
        limits.fixes = limits.fixes.min(bounds::TRIES_CEILING);
        limits.replans = limits.replans.min(bounds::TRIES_CEILING);
        limits.revisions = limits.revisions.min(bounds::TRIES_CEILING);
        limits.steps = limits.steps.clamp(1, bounds::PLAN_STEPS_CEILING);
        limits.step_calls = limits.step_calls.clamp(1, bounds::STEP_TOOL_CALLS_CEILING);
        limits.calls = limits.calls.clamp(1, bounds::TURN_CALLS_CEILING);
        limits.clarify_rounds = limits.clarify_rounds.clamp(1, bounds::CLARIFY_ROUNDS_CEILING);
    }
}
