//! From a stream's end and an exit record to what became of the request: the first row that fits.
//! The final event comes first and the exit code last, because CLIs exit 0 on errors and are
//! killed after good answers. It reads no file.

use jiff::Zoned;
use kernel::agent::{Error, Kind};

use super::exits::{self, Row};
use super::fold::{End, Ending, FoldPlan, Output, Said, Turn, cut};
use super::reset::{self, Wait};
use super::status::{self, Cause};
use crate::redact::Redactor;
use crate::shim::files::{Ended, ExitRecord, SpawnStep};

/// Evidence kept of a failure: the end of standard error, or the beginning of a message.
pub const DETAIL_BYTES_MAX: usize = 2048;
/// The detail word of a conversation that the backend does not know.
pub const RESUME_UNKNOWN: &str = "resume_unknown";

/// What there is to judge.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Whose stream it was.
    pub kind: Kind,
    /// How it was to be read.
    pub plan: &'a FoldPlan,
    /// What it gave.
    pub end: &'a End,
    /// How the process ended.
    pub exit: &'a ExitRecord,
    /// The end of standard error, without colours; more than is kept as evidence.
    pub stderr: &'a str,
    /// When it ended, in the zone that times of day are meant in.
    pub now: &'a Zoned,
}

/// Why there is no answer. Its evidence is raw until [`Failure::error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    code: &'static str,
    kind: &'static str,
    evidence: Evidence,
    wait: Wait,
}

/// Which end of a text tells what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Evidence {
    Message(String),
    Stderr(String),
}

impl Failure {
    /// A failure of this code and detail word that `message` tells of.
    #[must_use]
    pub fn new((code, kind): Row, message: &str) -> Self {
        let evidence = Evidence::Message(message.to_owned());
        Self { code, kind, evidence, wait: Wait::default() }
    }

    fn of_stderr((code, kind): Row, seen: &Seen<'_>) -> Self {
        let evidence = Evidence::Stderr(seen.stderr.to_owned());
        let wait = if kind == Cause::Quota.kind() {
            reset::wait(last(seen.stderr), seen.now)
        } else {
            Wait::default()
        };
        Self { code, kind, evidence, wait }
    }

    /// Whether the backend refused the conversation it was to go on with.
    #[must_use]
    pub fn is_resume_unknown(&self) -> bool {
        self.kind == RESUME_UNKNOWN
    }

    /// As it is recorded: without secrets, cut.
    #[must_use]
    pub fn error(&self, redactor: &Redactor) -> Error {
        let detail = match &self.evidence {
            Evidence::Message(text) => {
                cut(redactor.redact_text(text).trim(), DETAIL_BYTES_MAX).to_owned()
            }
            Evidence::Stderr(text) => last(redactor.redact_text(text).trim()).to_owned(),
        };
        Error {
            code: self.code.to_owned(),
            kind: self.kind.to_owned(),
            detail,
            retry_after_ms: self.wait.retry_after_ms,
            reset_at: self.wait.reset_at,
        }
    }
}

/// Whether the request was answered.
///
/// # Errors
/// When it was not: why.
pub fn judge(seen: &Seen<'_>) -> Result<(), Failure> {
    let blank = seen.end.text.trim().is_empty();
    match &seen.end.ending {
        Some(Ending::Ok(Turn::Made)) if !blank => return Ok(()),
        Some(Ending::Ok(_)) => return Err(Failure::new(("E009", "no_answer"), "")),
        Some(Ending::Error(said)) => return Err(final_error(seen, said)),
        None => {}
    }
    let failed = by_ended(seen).or_else(|| resume(seen)).or_else(|| by_code(seen));
    match failed {
        Some(failure) => Err(failure),
        None if !went_well(seen) => Err(anything_else(seen)),
        None if needs_final(seen) => Err(no_final(seen)),
        None if blank => Err(Failure::of_stderr(("E009", "no_answer"), seen)),
        None => Ok(()),
    }
}

fn final_error(seen: &Seen<'_>, said: &Said) -> Failure {
    let backend = seen.plan.backend;
    let asked = seen.plan.resume.is_some();
    if asked && exits::resume_unknown(seen.kind, backend, &said.message) {
        return Failure::new(("E002", RESUME_UNKNOWN), &said.message);
    }
    let row = said.word.as_deref().and_then(word).unwrap_or_else(|| {
        // A number elsewhere is some code of the program's own.
        let status = said.status.filter(|status| (400..=599).contains(status));
        let cause = status.map_or_else(|| status::status_of(&said.message), status::of_status);
        told_by_code(seen, cause).unwrap_or_else(|| exits::of_cause(cause))
    });
    let mut failure = Failure::new(row, &said.message);
    failure.wait = waits(seen, said, row);
    failure
}

/// The least exit code that can only be an HTTP status, cut to a byte: 400.
const STATUS_CODE_MIN: i32 = 144;

/// One CLI exits with the status that its final event leaves out. Its other codes tell less than
/// the event does.
fn told_by_code(seen: &Seen<'_>, cause: Cause) -> Option<Row> {
    let silent = cause == Cause::Other && seen.exit.ended == Ended::Exit;
    let code = seen.exit.exit_code.filter(|_| silent && seen.kind == Kind::Gemini)?;
    if code < STATUS_CODE_MIN {
        return None;
    }
    exits::row(seen.kind, seen.plan.backend, code)
}

/// The words that our own drivers use.
fn word(word: &str) -> Option<Row> {
    match word {
        "auth" => Some(("E009", "auth")),
        "quota" => Some(("E009", "quota")),
        "server" => Some(("E009", "server")),
        "error_event" => Some(("E009", "error_event")),
        "no_answer" => Some(("E009", "no_answer")),
        "exit" => Some(("E009", "exit")),
        "connection" | "network" => Some(("E010", "connection")),
        "deadline" | "timeout" => Some(("E004", "deadline")),
        "stopped" | "cancelled" => Some(("E007", "stopped")),
        "config" | "render" => Some(("E002", "config")),
        RESUME_UNKNOWN => Some(("E002", RESUME_UNKNOWN)),
        _ => None,
    }
}

/// A wait belongs to a limit; a field for it is believed first, then the message, then what the
/// CLI wrote beside it.
fn waits(seen: &Seen<'_>, said: &Said, (_, kind): Row) -> Wait {
    let told = said.retry_after_ms.map(|ms| reset::wait(&format!("retry after {ms}ms"), seen.now));
    if kind != Cause::Quota.kind() {
        return told.map_or_else(Wait::default, |wait| Wait { reset_at: None, ..wait });
    }
    let texts = [said.message.as_str(), last(seen.stderr)];
    told.into_iter()
        .chain(texts.into_iter().map(|text| reset::wait(text, seen.now)))
        .find(|wait| *wait != Wait::default())
        .unwrap_or_default()
}

/// What we did to it ourselves.
fn by_ended(seen: &Seen<'_>) -> Option<Failure> {
    let row = match seen.exit.ended {
        Ended::Stopped => ("E007", "stopped"),
        Ended::Deadline => ("E004", "deadline"),
        Ended::Idle => ("E004", "idle"),
        Ended::SpawnFailed => return Some(not_spawned(seen)),
        Ended::Exit | Ended::Signal => return None,
    };
    Some(Failure::of_stderr(row, seen))
}

fn not_spawned(seen: &Seen<'_>) -> Failure {
    let Some(error) = seen.exit.spawn_error else {
        return Failure::new(("E003", "spawn"), "");
    };
    let detail = format!("{:?} {}", error.step, error.errno);
    let row = match (error.step, rustix::io::Errno::from_raw_os_error(error.errno)) {
        (SpawnStep::Exec, rustix::io::Errno::NOENT) => ("E001", "not_found"),
        (SpawnStep::Exec, rustix::io::Errno::ACCESS) => ("E001", "permission"),
        (_, _) => ("E003", "spawn"),
    };
    Failure::new(row, &detail)
}

fn resume(seen: &Seen<'_>) -> Option<Failure> {
    let asked = seen.plan.resume.is_some() && seen.exit.exit_code != Some(0);
    let unknown = asked && exits::resume_unknown(seen.kind, seen.plan.backend, seen.stderr);
    unknown.then(|| Failure::of_stderr(("E002", RESUME_UNKNOWN), seen))
}

fn by_code(seen: &Seen<'_>) -> Option<Failure> {
    let code = seen.exit.exit_code.filter(|_| !went_well(seen))?;
    let row = exits::row(seen.kind, seen.plan.backend, code)?;
    Some(Failure::of_stderr(row, seen))
}

fn went_well(seen: &Seen<'_>) -> bool {
    let ok = &seen.plan.command.ok_exit;
    let custom = seen.kind == Kind::Command && !ok.is_empty();
    let code_is_ok = |code| if custom { ok.contains(&code) } else { code == 0 };
    seen.exit.ended == Ended::Exit && seen.exit.exit_code.is_some_and(code_is_ok)
}

/// Whether this kind says by an event that it is done.
fn needs_final(seen: &Seen<'_>) -> bool {
    let shape = &seen.plan.command;
    match seen.kind {
        Kind::Codex | Kind::Gemini | Kind::Claude | Kind::Qwen | Kind::Script => true,
        Kind::Wrapper => false,
        Kind::Command => shape.output == Output::Jsonl && shape.final_when.is_some(),
    }
}

/// It exited as if all were well, and never said so.
fn no_final(seen: &Seen<'_>) -> Failure {
    if seen.stderr.trim().is_empty() {
        return Failure::new(("E009", "exit"), "ended without a final event");
    }
    Failure::of_stderr(("E009", "exit"), seen)
}

fn anything_else(seen: &Seen<'_>) -> Failure {
    let exit = seen.exit;
    if exit.stdout_bytes == 0 && exit.stderr_bytes == 0 && exit.dropped_bytes == 0 {
        return Failure::of_stderr(("E003", "no_output"), seen);
    }
    let row = match status::status_of(last(seen.stderr)) {
        Cause::Other => ("E009", "exit"),
        cause @ (Cause::Auth | Cause::Quota | Cause::Server | Cause::Connection) => {
            exits::of_cause(cause)
        }
    };
    Failure::of_stderr(row, seen)
}

/// The end of a text, as much as is kept as evidence.
fn last(text: &str) -> &str {
    let start = text.len().saturating_sub(DETAIL_BYTES_MAX);
    &text[text.ceil_char_boundary(start)..]
}
