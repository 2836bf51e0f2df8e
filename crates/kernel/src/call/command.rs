//! What can be said to a call. Verdicts, budgets and the parent's standing arrive as data, so the
//! rules need no look at the world.

use alloc::boxed::Box;
use alloc::string::String;

use super::request::{Request, Rules};
use super::state::{Exit, Failure, Prep, TakeBack};
use crate::policy::grant::{Pin, Scope};
use crate::policy::{Shown, Verdict};

/// Everything that is needed to judge a new call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Unique for ever.
    pub key: String,
    /// What is asked for.
    pub request: Request,
    /// The owning run.
    pub parent: Option<String>,
    /// Whether that run can still own anything.
    pub parent_now: ParentNow,
    /// The policy's answer, grants included.
    pub verdict: Verdict,
    /// What a person is shown, where one is asked.
    pub shown: Option<Box<Shown>>,
    /// The program that was judged, where it runs a command.
    pub pin: Option<Pin>,
    /// Whether anything is left to spend.
    pub budget: Budget,
    /// Settings in force.
    pub rules: Rules,
}

/// The owner's standing when a call is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentNow {
    /// It runs, or there is none.
    Active,
    /// It has ended.
    Over,
}

/// What is left to spend when a call is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Enough.
    Left,
    /// A limit is reached; which one.
    Spent(String),
}

/// What a look at a lost call found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Finding {
    NeverLaunched,
    Happened,
    DidNotHappen,
    Running,
    Inconclusive { evidence: String },
}

/// Whether a dead start can have acted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    /// Proven: nothing was started and nothing can be any more.
    Never,
    /// It may have acted.
    Perhaps,
}

/// A person's word about an unknown call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum SettleAs {
    Happened,
    DidNotHappen,
    Undo,
}

/// Who wants a call to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopWhy {
    /// A person, or the owner by no longer owing it.
    Asked,
}

/// What a person answered to the call's own question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The prompt that was shown.
    pub prompt: String,
    /// The request hash that was shown.
    pub hash: String,
    /// How far the yes reaches.
    pub scope: Scope,
    /// Why, for the record.
    pub note: Option<String>,
}

/// How an undo call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum UndoResult {
    Ok,
    Failed,
}

/// What can be said to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by the records above")]
pub enum Command {
    Ask(Box<Ask>),
    Allow(Answered),
    Deny { note: String },
    Prepared { attempt: u32, epoch: u64, prep: Prep },
    PrepareFailed { attempt: u32, failure: Failure },
    Exited { attempt: u32, epoch: u64, exit: Box<Exit> },
    Lost { attempt: u32, launch: Launch },
    Probed { attempt: u32, n: u32, finding: Finding },
    Settle { how: SettleAs, note: String, undo: TakeBack },
    Stop(StopWhy),
    Timeout { slot: String },
    Undo(TakeBack),
    UndoEnded { n: u32, result: UndoResult },
}

impl Command {
    /// Every command's name, in the order of the table.
    pub const NAMES: [&'static str; 13] = [
        "Ask",
        "Allow",
        "Deny",
        "Prepared",
        "PrepareFailed",
        "Exited",
        "Lost",
        "Probed",
        "Settle",
        "Stop",
        "Timeout",
        "Undo",
        "UndoEnded",
    ];

    /// The command's name, as listed in `allowed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ask(_) => "Ask",
            Self::Allow(_) => "Allow",
            Self::Deny { .. } => "Deny",
            Self::Prepared { .. } => "Prepared",
            Self::PrepareFailed { .. } => "PrepareFailed",
            Self::Exited { .. } => "Exited",
            Self::Lost { .. } => "Lost",
            Self::Probed { .. } => "Probed",
            Self::Settle { .. } => "Settle",
            Self::Stop(_) => "Stop",
            Self::Timeout { .. } => "Timeout",
            Self::Undo(_) => "Undo",
            Self::UndoEnded { .. } => "UndoEnded",
        }
    }
}
