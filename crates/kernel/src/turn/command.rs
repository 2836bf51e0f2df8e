//! What can be said to a turn: seven words of the seed, four of ours. Every owed effect ends as one
//! result under its key; what policy says arrives with whatever it is about.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::answer::Answer;
use super::evidence::{CheckError, CheckResult, CommandRun, FileChange};
use super::models::{Asking, IntakeReport, Scope};
use super::pack::PackRef;
use super::patch::PlanPatch;
use super::setup::{Judged, Start};
use super::state::Keep;
use super::valid::{BadArgs, Flaw};
use crate::call;
use crate::machine::At;
use crate::policy::{self, Verdict};

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Words.
    Text(String),
    /// Go on without; the turn assumes.
    Proceed,
}

/// A person's word about a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Word {
    Yes,
    No,
}

/// An answer to a prompt, bound to what was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Confirm {
    pub prompt: String,
    pub hash: String,
    pub word: Word,
    pub scope: Scope,
    pub note: Option<String>,
}

/// Whether a call's arguments fit its tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Args {
    /// They do; this is the request.
    Fit(Box<call::Request>),
    /// They do not.
    Bad {
        /// Where.
        path: String,
        /// What should be there.
        expected: String,
    },
}

/// A call that the step's agent asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct Asked {
    pub name: String,
    pub args: Args,
    /// What policy is asked of it, for tools whose arguments are kept out of the record.
    pub about: Option<Box<policy::Request>>,
    pub judged: Judged,
}

/// How an effect ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Well.
    Ok(Box<Payload>),
    /// Badly.
    Failed(Box<Fault>),
    /// A hold stopped it, or nothing of it ever happened.
    Never,
    /// It has not ended: nobody can tell whether it happened, and a person is asked.
    Unknown,
    /// It has not begun: a person is asked whether it may.
    Waits,
    /// It has not ended, but it waits for nobody any more.
    Allowed,
}

/// Why an effect ended badly, and what it did before.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fault {
    /// Most specific code.
    pub code: String,
    /// Its detail word.
    pub kind: String,
    /// Equal for the same failure seen again.
    pub signature: String,
    /// Errors read from its output.
    pub errors: Vec<CheckError>,
    /// When a rate limit ends, where one was met and tells.
    pub reset_at: Option<At>,
    /// What it did all the same, for calls of a step.
    pub done: Option<Box<StepFacts>>,
}

impl Fault {
    /// A fault that is the same whenever it is met.
    #[must_use]
    pub fn new(code: &str, kind: &str) -> Self {
        let signature = format!("{code}:{kind}");
        Self { code: code.into(), kind: kind.into(), signature, ..Self::default() }
    }
}

/// What an effect that ended well gave.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by their records")]
pub enum Payload {
    Intake { report: IntakeReport, verdict: Verdict },
    Context(PackRef),
    Planner(Box<Planned>),
    Step(Box<StepFacts>),
    Verify(Box<CheckResult>),
    Undone,
    Answer(AnswerFit),
    Summary { summary: String, git: Verdict, reach: super::subject::Reach, hash: String },
    Git { commit: String },
}

/// Whether an answer has the wanted form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerFit {
    /// It lies here.
    Fits(String),
    /// What is wrong.
    Not(String),
}

/// What a planner gave, as far as it could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one per planner call, boxed by who carries it")]
pub enum Planned {
    /// An answer, with what policy says of the plan that comes of it.
    Read {
        /// The answer.
        answer: Answer,
        /// Arguments that do not fit their tools.
        bad_args: Vec<BadArgs>,
        /// What policy says of the plan; for questions nothing.
        judged: Option<Judged>,
    },
    /// None that could be read.
    Unread(Flaw),
}

/// What a call of a step did, as measured.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct StepFacts {
    /// The call.
    pub call_id: String,
    /// Its exit code, for processes.
    pub exit_code: Option<i32>,
    /// Hash of what it gave, by which the same result is known again.
    pub result_hash: String,
    /// Files it changed.
    pub files: Vec<Changed>,
    /// Commands it ran.
    pub commands: Vec<CommandRun>,
    /// Paths it says need no change, and that are there.
    pub unchanged: Vec<String>,
    /// What it said.
    pub note: Option<String>,
    /// Digest of the covered files now.
    pub digest: String,
    /// How an agent ended its step.
    pub control: Control,
    /// Whether it did so by a bare word.
    pub bare: bool,
}

/// A changed file with its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Changed {
    pub file: FileChange,
    pub lines: u64,
}

/// How an agent ended its step.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Control {
    /// It says it is done, or nothing: the evidence decides.
    #[default]
    Done,
    /// It wants another plan.
    Replan {
        /// Why.
        reason: String,
    },
    /// It cannot go on without these.
    Ask {
        /// The questions.
        questions: Vec<Asking>,
    },
}

/// What an effect cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names are the ledger's own")]
pub struct Spent {
    pub tokens: u64,
    pub cost_micros: u64,
}

/// What can be said to a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own, the fields their records'")]
pub enum Command {
    UserMessage(Box<Start>),
    ClarificationAnswer { question: String, reply: Reply },
    ToolCallRequest(Box<Asked>),
    ToolCallResult { key: String, ended: Ended, spent: Spent },
    Confirm(Confirm),
    Timeout { slot: String },
    Cancel,
    Pause { keep: Keep },
    Resume,
    EditPlan { patch: Box<PlanPatch>, judged: Box<Judged>, bad_args: Vec<BadArgs> },
    SkipStep { step: String, reason: String },
}

impl Command {
    /// Every command's name, in the order of the table.
    pub const NAMES: [&'static str; 11] = [
        "USER_MESSAGE",
        "CLARIFICATION_ANSWER",
        "TOOL_CALL_REQUEST",
        "TOOL_CALL_RESULT",
        "CONFIRM",
        "TIMEOUT",
        "CANCEL",
        "PAUSE",
        "RESUME",
        "EDIT_PLAN",
        "SKIP_STEP",
    ];

    /// The command's name, as listed in `allowed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::UserMessage(_) => "USER_MESSAGE",
            Self::ClarificationAnswer { .. } => "CLARIFICATION_ANSWER",
            Self::ToolCallRequest(_) => "TOOL_CALL_REQUEST",
            Self::ToolCallResult { .. } => "TOOL_CALL_RESULT",
            Self::Confirm(_) => "CONFIRM",
            Self::Timeout { .. } => "TIMEOUT",
            Self::Cancel => "CANCEL",
            Self::Pause { .. } => "PAUSE",
            Self::Resume => "RESUME",
            Self::EditPlan { .. } => "EDIT_PLAN",
            Self::SkipStep { .. } => "SKIP_STEP",
        }
    }
}
