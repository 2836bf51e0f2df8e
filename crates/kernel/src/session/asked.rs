//! The questions of a session: their kinds, their options, and which of them may stop a silent
//! flow. Texts and labels are in the catalogue; who may answer is said elsewhere.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::machine::At;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Kind {
    Relation,
    Replace,
    Clarify,
    Complexity,
    Risk,
    KbMissing,
    PackageGate,
    DesignDone,
    PackagePick,
    Overview,
    Markers,
    Failures,
    TestBlocking,
    Locate,
    Escalate,
    Interrupted,
    ToolFailed,
    ResumeStage,
    InitSwitch,
    InitMismatch,
    InitRebuild,
    UpgradePlan,
    UpgradeFailed,
    CleanScope,
    TestCommand,
    TestFailed,
    CommitHow,
    ReviewScope,
    ReviewResult,
    ValidateScope,
    ValidateResult,
    RollbackTarget,
    RollbackConflict,
    RollbackRisk,
}

/// Why a silent flow may stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Stop {
    SScore,
    SConfirm,
    SEhrb,
    SGate,
    SPick,
    SMarkers,
    STest,
    SInterrupted,
    STool,
    SBlocked,
    SPolicy,
    SBudget,
    SChild,
}

impl Stop {
    /// Its code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::SScore => "S_SCORE",
            Self::SConfirm => "S_CONFIRM",
            Self::SEhrb => "S_EHRB",
            Self::SGate => "S_GATE",
            Self::SPick => "S_PICK",
            Self::SMarkers => "S_MARKERS",
            Self::STest => "S_TEST",
            Self::SInterrupted => "S_INTERRUPTED",
            Self::STool => "S_TOOL",
            Self::SBlocked => "S_BLOCKED",
            Self::SPolicy => "S_POLICY",
            Self::SBudget => "S_BUDGET",
            Self::SChild => "S_CHILD",
        }
    }
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 34] = [
        Self::Relation,
        Self::Replace,
        Self::Clarify,
        Self::Complexity,
        Self::Risk,
        Self::KbMissing,
        Self::PackageGate,
        Self::DesignDone,
        Self::PackagePick,
        Self::Overview,
        Self::Markers,
        Self::Failures,
        Self::TestBlocking,
        Self::Locate,
        Self::Escalate,
        Self::Interrupted,
        Self::ToolFailed,
        Self::ResumeStage,
        Self::InitSwitch,
        Self::InitMismatch,
        Self::InitRebuild,
        Self::UpgradePlan,
        Self::UpgradeFailed,
        Self::CleanScope,
        Self::TestCommand,
        Self::TestFailed,
        Self::CommitHow,
        Self::ReviewScope,
        Self::ReviewResult,
        Self::ValidateScope,
        Self::ValidateResult,
        Self::RollbackTarget,
        Self::RollbackConflict,
        Self::RollbackRisk,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Relation => "relation",
            Self::Replace => "replace",
            Self::Clarify => "clarify",
            Self::Complexity => "complexity",
            Self::Risk => "risk",
            Self::KbMissing => "kb_missing",
            Self::PackageGate => "package_gate",
            Self::DesignDone => "design_done",
            Self::PackagePick => "package_pick",
            Self::Overview => "overview",
            Self::Markers => "markers",
            Self::Failures => "failures",
            Self::TestBlocking => "test_blocking",
            Self::Locate => "locate",
            Self::Escalate => "escalate",
            Self::Interrupted => "interrupted",
            Self::ToolFailed => "tool_failed",
            Self::ResumeStage => "resume_stage",
            Self::InitSwitch => "init_switch",
            Self::InitMismatch => "init_mismatch",
            Self::InitRebuild => "init_rebuild",
            Self::UpgradePlan => "upgrade_plan",
            Self::UpgradeFailed => "upgrade_failed",
            Self::CleanScope => "clean_scope",
            Self::TestCommand => "test_command",
            Self::TestFailed => "test_failed",
            Self::CommitHow => "commit_how",
            Self::ReviewScope => "review_scope",
            Self::ReviewResult => "review_result",
            Self::ValidateScope => "validate_scope",
            Self::ValidateResult => "validate_result",
            Self::RollbackTarget => "rollback_target",
            Self::RollbackConflict => "rollback_conflict",
            Self::RollbackRisk => "rollback_risk",
        }
    }

    /// The kind of that word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The stop that its being open is; none where it stops no silent flow.
    #[must_use]
    pub const fn stop(self) -> Option<Stop> {
        match self {
            Self::Clarify => Some(Stop::SScore),
            Self::Complexity => Some(Stop::SConfirm),
            Self::Risk => Some(Stop::SEhrb),
            Self::PackageGate => Some(Stop::SGate),
            Self::PackagePick => Some(Stop::SPick),
            Self::Markers => Some(Stop::SMarkers),
            Self::TestBlocking => Some(Stop::STest),
            Self::Interrupted => Some(Stop::SInterrupted),
            Self::ToolFailed | Self::ResumeStage => Some(Stop::STool),
            Self::Relation
            | Self::Replace
            | Self::KbMissing
            | Self::DesignDone
            | Self::Overview
            | Self::Failures
            | Self::Locate
            | Self::Escalate
            | Self::InitSwitch
            | Self::InitMismatch
            | Self::InitRebuild
            | Self::UpgradePlan
            | Self::UpgradeFailed
            | Self::CleanScope
            | Self::TestCommand
            | Self::TestFailed
            | Self::CommitHow
            | Self::ReviewScope
            | Self::ReviewResult
            | Self::ValidateScope
            | Self::ValidateResult
            | Self::RollbackTarget
            | Self::RollbackConflict
            | Self::RollbackRisk => None,
        }
    }

    /// Whether it can be answered before it is asked.
    #[must_use]
    pub fn answerable_before(self) -> bool {
        !matches!(self, Self::Risk | Self::RollbackRisk)
    }

    /// The option that plain text answers with, where the question takes text.
    #[must_use]
    pub fn text_key(self) -> Option<&'static str> {
        match self {
            Self::Clarify => Some("supplement"),
            Self::Locate => Some("path"),
            Self::TestCommand => Some("command"),
            Self::Relation
            | Self::Replace
            | Self::Complexity
            | Self::Risk
            | Self::KbMissing
            | Self::PackageGate
            | Self::DesignDone
            | Self::PackagePick
            | Self::Overview
            | Self::Markers
            | Self::Failures
            | Self::TestBlocking
            | Self::Escalate
            | Self::Interrupted
            | Self::ToolFailed
            | Self::ResumeStage
            | Self::InitSwitch
            | Self::InitMismatch
            | Self::InitRebuild
            | Self::UpgradePlan
            | Self::UpgradeFailed
            | Self::CleanScope
            | Self::TestFailed
            | Self::CommitHow
            | Self::ReviewScope
            | Self::ReviewResult
            | Self::ValidateScope
            | Self::ValidateResult
            | Self::RollbackTarget
            | Self::RollbackConflict
            | Self::RollbackRisk => None,
        }
    }
}

/// An open question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Its id below the run.
    pub id: String,
    /// What it is about.
    pub kind: Kind,
    /// Keys of its options, the recommended first, cancel last.
    pub options: Vec<String>,
    /// Facts for its text.
    pub about: Value,
    /// Hash of what an answer approves.
    pub hash: Option<String>,
    /// The answer that expiry gives.
    pub default: Option<String>,
    /// When it expires.
    pub expires_at: Option<At>,
}

impl Asked {
    /// A question without a hash and without an end.
    #[must_use]
    pub fn new(id: String, kind: Kind, options: &[&str], about: Value) -> Self {
        let options = options.iter().map(ToString::to_string).collect();
        Self { id, kind, options, about, hash: None, default: None, expires_at: None }
    }

    /// Whether it offers this.
    #[must_use]
    pub fn offers(&self, key: &str) -> bool {
        self.options.iter().any(|option| option == key)
    }
}
