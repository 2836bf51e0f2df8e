//! What is said, before a dialect gives it form: variables are filled in and acts are done.

use kernel::agent::{FileKind, Usage};

use super::super::memory::Totals;
use super::super::step::Stage;

/// What a tool is used for.
#[derive(Debug, Clone)]
pub(in super::super) enum Act {
    /// A file is written, or said to be.
    Write {
        /// Absolute.
        path: String,
        /// Its content.
        text: String,
        /// Whether it is new.
        kind: FileKind,
    },
    /// A file is deleted, or said to be.
    Delete {
        /// Absolute.
        path: String,
    },
    /// A program runs.
    Run {
        /// It and its arguments.
        argv: Vec<String>,
        /// What it printed.
        output: String,
        /// How it ended; none while it runs or if a signal ended it.
        code: Option<i32>,
    },
    /// Something a scenario names.
    Named {
        /// Its name.
        name: String,
        /// Its kind.
        kind: String,
    },
}

impl Act {
    /// The command as one would type it.
    pub(in super::super) fn command(&self) -> String {
        match self {
            Self::Run { argv, .. } => {
                shlex::try_join(argv.iter().map(String::as_str)).unwrap_or_else(|_| argv.join(" "))
            }
            Self::Delete { path } => format!("rm {path}"),
            Self::Write { path, .. } => path.clone(),
            Self::Named { name, .. } => name.clone(),
        }
    }

    /// What came of it, in words an agent gives to its model.
    pub(in super::super) fn outcome(&self, stage: Stage) -> String {
        match (self, stage) {
            (_, Stage::Denied) => "Permission denied.".to_owned(),
            (Self::Run { output, .. }, _) => output.clone(),
            (Self::Write { path, .. }, Stage::Ok) => format!("File written: {path}"),
            (Self::Delete { path }, Stage::Ok) => format!("File deleted: {path}"),
            (Self::Named { name, .. }, Stage::Ok) => format!("{name}: ok"),
            (_, Stage::Open | Stage::Failed) => "failed".to_owned(),
        }
    }
}

/// One tool at one stage.
#[derive(Debug, Clone)]
pub(in super::super) struct ToolUse {
    /// Its id, unlike every other of this launch.
    pub(in super::super) id: String,
    /// What it does.
    pub(in super::super) act: Act,
    /// How far it is.
    pub(in super::super) stage: Stage,
    /// Whether its beginning was told already.
    pub(in super::super) told: bool,
}

/// A retry, filled in.
#[derive(Debug, Clone)]
pub(in super::super) struct Retried {
    pub(in super::super) attempt: u64,
    pub(in super::super) max: u64,
    pub(in super::super) delay_ms: u64,
    pub(in super::super) status: Option<u16>,
    pub(in super::super) why: String,
}

/// A final error, filled in.
#[derive(Debug, Clone)]
pub(in super::super) struct Failed {
    pub(in super::super) kind: String,
    pub(in super::super) status: Option<u16>,
    pub(in super::super) message: String,
    pub(in super::super) retry_after_ms: Option<u64>,
}

/// What a finished call used, and what its conversation had used before it.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Turn {
    /// This call, where the scenario says so.
    pub(in super::super) told: Option<Usage>,
    /// All calls before it.
    pub(in super::super) before: Totals,
}

/// What the CLIs count for one model turn against a scripted model.
pub(super) const INPUT_TOKENS: u64 = 100;
/// The same, for the answer.
pub(super) const OUTPUT_TOKENS: u64 = 10;
/// Its price.
pub(super) const COST_MICROS: u64 = 450;

impl Turn {
    /// This call in full: the CLIs always tell something.
    pub(super) fn used(&self, turns: u64) -> Usage {
        let told = self.told.unwrap_or_default();
        let turns = turns.max(1);
        Usage {
            input_tokens: told.input_tokens.or(Some(INPUT_TOKENS * turns)),
            output_tokens: told.output_tokens.or(Some(OUTPUT_TOKENS * turns)),
            cached_tokens: told.cached_tokens.or(Some(0)),
            reasoning_tokens: told.reasoning_tokens.or(Some(0)),
            cost_micros: told.cost_micros.or(Some(COST_MICROS * turns)),
        }
    }

    /// The conversation so far, this call included.
    pub(super) fn total(&self, turns: u64) -> Totals {
        self.before.plus(&self.used(turns))
    }
}

/// The words HTTP has for a status.
pub(super) const fn reason(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        408 => "Request Timeout",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Error",
    }
}
