//! What the outcome of a launch means for its participant: an answer, or a fault with the kind of
//! launch that may cure it. Whether there is time for one is decided elsewhere.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::bounds::BACKOFF_MS;
use super::outcome::Outcome;
use super::participant::{Fault, Launch, Output, Why};
use super::plan::Member;
use crate::agent::{Access, Answer, Error, Report, Spooled, Structured, Usage};
use crate::call::Failure;
use crate::machine::At;

/// Detail word of a conversation that the backend does not know.
pub const RESUME_UNKNOWN: &str = "resume_unknown";

/// What could be tried next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// Nothing.
    No,
    /// The same conversation if one was seen, else the whole again; after this wait.
    Resumed { wait_ms: u64 },
    /// The whole again, after this wait.
    Whole { wait_ms: u64 },
    /// As `Resumed`, if the wait that the provider asks for fits the time that is left.
    Limited { wait_ms: u64 },
    /// The whole again in a new conversation, at once and not counted.
    Fresh,
}

/// What an outcome says.
pub struct Reading {
    /// What came of it.
    pub found: Found,
    /// What it cost; none = nothing was launched.
    pub usage: Option<Usage>,
    /// A conversation that was seen.
    pub session: Option<String>,
    /// Processes that could not be proven gone.
    pub survivors: Vec<String>,
    /// Whether nothing of the launch can live on; only then may another one start.
    pub proven_ended: bool,
}

/// What came of a launch.
pub enum Found {
    /// A model turn that ended well and left text.
    Answer {
        /// The text.
        output: Output,
        /// What is wrong with its form: detail word and issues.
        broken: Option<(String, Vec<crate::agent::Issue>)>,
    },
    /// No answer.
    Fault {
        /// Why.
        fault: Fault,
        /// What could be tried next.
        again: Again,
        /// Text that came before the end.
        partial: Option<Output>,
    },
}

/// The launch that an outcome belongs to.
#[derive(Clone, Copy)]
pub struct Made<'a> {
    pub member: &'a Member,
    pub launch: &'a Launch,
    /// Its call; empty if it never started.
    pub call: &'a str,
    pub at: At,
}

/// Reads an outcome.
pub fn read(made: &Made<'_>, outcome: &Outcome) -> Reading {
    let plain = |code: &str, kind: &str, detail: &str, again| {
        fault(made.fault(code, kind, detail), again, None)
    };
    let start = Again::Whole { wait_ms: BACKOFF_MS };
    match outcome {
        Outcome::Report { report, survivors } => {
            Reading { survivors: survivors.clone(), ..told(made, report) }
        }
        Outcome::Denied { by } => plain("E_POLICY_DENIED", by, "", Again::No),
        Outcome::NotApplied => plain("E003", "not_applied", "", start),
        Outcome::SpawnFailed { detail } => plain("E003", "spawn", detail, start),
        Outcome::Failed(failure) => prepared(made, failure),
        Outcome::TimedOut { report } => {
            let late = made.fault("E004", "call_limit", "");
            ended(made, late, Again::Resumed { wait_ms: 0 }, report.as_deref())
        }
        Outcome::Stopped { report } => {
            ended(made, made.fault("E007", "stopped", ""), Again::No, report.as_deref())
        }
        Outcome::Lost => Reading {
            usage: made.untold(),
            ..plain("E_UNKNOWN_OUTCOME", "lost", "", again_lost(made.member.access))
        },
        Outcome::Unknown { survivors } => Reading {
            survivors: survivors.clone(),
            usage: made.untold(),
            proven_ended: false,
            ..plain("E_UNKNOWN_OUTCOME", "lost", "", Again::No)
        },
        Outcome::Refused { reason } => plain(refused(reason), reason, "", Again::No),
    }
}

impl Made<'_> {
    /// Something that went wrong on this launch.
    pub fn fault(&self, code: &str, kind: &str, detail: &str) -> Fault {
        Fault {
            code: code.to_string(),
            kind: kind.to_string(),
            launch: self.launch.n,
            at: self.at,
            detail: detail.to_string(),
            reset_at: None,
        }
    }

    /// What a launch cost that left no report: not known, and nothing if it never started.
    fn untold(&self) -> Option<Usage> {
        (!self.call.is_empty()).then(Usage::default)
    }

    fn output(&self, text: &Spooled, structured: Option<&Spooled>, truncated: bool) -> Output {
        Output {
            call: self.call.to_string(),
            text: text.clone(),
            structured: structured.cloned(),
            truncated,
        }
    }
}

fn fault(fault: Fault, again: Again, partial: Option<Output>) -> Reading {
    Reading {
        found: Found::Fault { fault, again, partial },
        usage: None,
        session: None,
        survivors: Vec::new(),
        proven_ended: true,
    }
}

/// What could only read changed nothing, so it may be asked again.
const fn again_lost(access: Access) -> Again {
    match access {
        Access::Read => Again::Resumed { wait_ms: 0 },
        Access::Edit | Access::Full => Again::No,
    }
}

fn refused(reason: &str) -> &'static str {
    match reason {
        "policy" | "needs_person" | "scope_too_wide" | "budget" => "E_POLICY_DENIED",
        _unknown => "E002",
    }
}

/// A call that failed before its process said anything.
fn prepared(made: &Made<'_>, failure: &Failure) -> Reading {
    let start = Again::Whole { wait_ms: BACKOFF_MS };
    let (code, again) = match (failure.code.as_str(), failure.kind.as_str()) {
        ("E_POLICY_DENIED", _) | (_, "sandbox_unavailable") => ("E_POLICY_DENIED", Again::No),
        ("E_IO", "not_found" | "permission") | ("E001", _) => ("E001", Again::No),
        ("E_INVALID_ARGS" | "E002", _) => ("E002", Again::No),
        ("E008", _) => ("E008", Again::No),
        ("E_IO" | "E003", _) => ("E003", start),
        ("E010", _) => ("E010", Again::Resumed { wait_ms: BACKOFF_MS }),
        (_, _) => ("E009", Again::No),
    };
    let failed = fault(made.fault(code, &failure.kind, &failure.detail), again, None);
    // What the walls failed it for may have worked before.
    Reading { usage: made.untold(), ..failed }
}

/// A launch that something else ended; what its stream left is kept.
fn ended(made: &Made<'_>, cause: Fault, again: Again, report: Option<&Report>) -> Reading {
    let Some(report) = report else {
        return Reading { usage: made.untold(), ..fault(cause, again, None) };
    };
    let seen = told(made, report);
    let partial = match seen.found {
        Found::Answer { output, .. } => Some(output),
        Found::Fault { partial, .. } => partial,
    };
    Reading { found: Found::Fault { fault: cause, again, partial }, ..seen }
}

/// What a stream tells.
fn told(made: &Made<'_>, report: &Report) -> Reading {
    let truncated = report.facts.truncated;
    let (found, session) = match &report.answer {
        Answer::Answered { text, .. } if text.bytes == 0 => {
            let empty = made.fault("E009", "no_answer", "");
            (Found::Fault { fault: empty, again: Again::No, partial: None }, None)
        }
        Answer::Answered { session, text, structured } => {
            let (value, broken) = match structured {
                Structured::NotAsked => (None, None),
                Structured::Valid(value) => (Some(value), None),
                Structured::Invalid { kind, issues } => {
                    (None, Some((kind.clone(), issues.clone())))
                }
            };
            (Found::Answer { output: made.output(text, value, truncated), broken }, session.clone())
        }
        Answer::Failed { error, session, partial } => {
            let partial = partial.as_ref().map(|text| made.output(text, None, truncated));
            let reset_at = error.reset_at;
            let fault = made.fault(&error.code, &error.kind, &error.detail);
            let fault = Fault { reset_at, ..fault };
            (Found::Fault { fault, again: after(made, error), partial }, session.clone())
        }
    };
    Reading {
        found,
        usage: Some(report.facts.usage),
        session,
        survivors: Vec::new(),
        proven_ended: true,
    }
}

/// What may cure an agent's own failure.
fn after(made: &Made<'_>, error: &Error) -> Again {
    match (error.code.as_str(), error.kind.as_str()) {
        ("E002", RESUME_UNKNOWN) => match &made.launch.why {
            Why::Retry { resume: Some(_) } => Again::Fresh,
            Why::First | Why::Retry { resume: None } | Why::Fresh | Why::Correct { .. } => {
                Again::No
            }
        },
        ("E003", _) => Again::Whole { wait_ms: BACKOFF_MS },
        ("E004", _) => Again::Resumed { wait_ms: 0 },
        ("E010", _) | ("E009", "server") => Again::Resumed { wait_ms: BACKOFF_MS },
        ("E009", "quota") => {
            let asked = error.retry_after_ms;
            let until = || error.reset_at.map(|reset| reset.since(made.at));
            Again::Limited { wait_ms: asked.or_else(until).unwrap_or_default() }
        }
        ("E_UNKNOWN_OUTCOME", _) => again_lost(made.member.access),
        (_, _) => Again::No,
    }
}
