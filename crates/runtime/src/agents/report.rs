//! Putting the report together: the judgement, the answer's form, and what else was seen, without
//! secrets. Where texts are kept is the caller's part.

use std::io;

use kernel::agent::{Answer, Facts, Issue, Kind, Report, Spooled, Structured};

use super::classify::{Failure, Seen, judge};
use super::fold::{SessionFrom, captured, cut};
use super::structured::{self, Found};
use super::{schema, session};
use crate::redact::Redactor;

/// The answer's file.
pub const ANSWER: &str = "answer";
/// The file of the value that was taken out of it.
pub const ANSWER_JSON: &str = "answer.json";
/// The file of what a failed call had said.
pub const PARTIAL: &str = "partial";
/// One note as it is recorded.
const NOTE_BYTES_MAX: usize = 400;

/// What else decides about the report.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The schema that the answer must meet.
    pub schema: Option<&'a str>,
    /// The beginning of standard error, for kinds that name the session there.
    pub progress: &'a str,
}

/// Keeps a text under a name.
pub type Keep<'a> = &'a dyn Fn(&str, &str) -> io::Result<Spooled>;

/// The report of one call, its texts kept.
///
/// # Errors
/// When a text cannot be kept.
pub fn write(
    seen: &Seen<'_>,
    asked: &Asked<'_>,
    redactor: &Redactor,
    keep: Keep<'_>,
) -> io::Result<Report> {
    let mut facts = facts(seen, redactor);
    let answer = match judge(seen) {
        Ok(()) => {
            note_captured(seen, asked, &mut facts);
            answered(seen, asked, redactor, keep)?
        }
        Err(failure) => {
            if failure.is_resume_unknown() {
                facts.forked_from = None;
            }
            failed(seen, asked, &failure, redactor, keep)?
        }
    };
    Ok(Report { answer, facts })
}

fn answered(
    seen: &Seen<'_>,
    asked: &Asked<'_>,
    redactor: &Redactor,
    keep: Keep<'_>,
) -> io::Result<Answer> {
    let found = match asked.schema.map(|schema| structured::extract(&seen.end.text, schema)) {
        None => None,
        Some(Ok(found)) => Some(found),
        // Whoever asked should have checked it; the words are not lost for that.
        Some(Err(bad)) => return bad_schema(seen, asked, &bad, redactor, keep),
    };
    let text = keep(ANSWER, &seen.end.text)?;
    let structured = match found {
        None => Structured::NotAsked,
        Some(Found::Valid(value)) => Structured::Valid(keep(ANSWER_JSON, &value.to_string())?),
        Some(Found::Invalid { kind, issues }) => Structured::Invalid {
            kind: kind.name().to_owned(),
            issues: issues.into_iter().map(|issue| clean(issue, redactor)).collect(),
        },
    };
    Ok(Answer::Answered { session: proven(seen), text, structured })
}

fn bad_schema(
    seen: &Seen<'_>,
    asked: &Asked<'_>,
    bad: &schema::BadSchema,
    redactor: &Redactor,
    keep: Keep<'_>,
) -> io::Result<Answer> {
    let failure = Failure::new(("E002", "bad_schema"), &bad.to_string());
    failed(seen, asked, &failure, redactor, keep)
}

fn failed(
    seen: &Seen<'_>,
    asked: &Asked<'_>,
    failure: &Failure,
    redactor: &Redactor,
    keep: Keep<'_>,
) -> io::Result<Answer> {
    let text = &seen.end.text;
    let partial = if text.trim().is_empty() { None } else { Some(keep(PARTIAL, text)?) };
    // An id that a refused resume echoes is our own.
    let session = if failure.is_resume_unknown() {
        None
    } else {
        seen.end.session.clone().or_else(|| told_aside(seen, asked))
    };
    Ok(Answer::Failed { error: failure.error(redactor), session, partial })
}

/// The session that an answer proves.
fn proven(seen: &Seen<'_>) -> Option<String> {
    let local = seen.kind == Kind::Command && seen.plan.command.session == SessionFrom::Local;
    if local { Some(session::local(&seen.plan.call)) } else { seen.end.session.clone() }
}

/// The session that a wrapper names beside its output.
fn told_aside(seen: &Seen<'_>, asked: &Asked<'_>) -> Option<String> {
    let id = captured(asked.progress).or_else(|| captured(seen.stderr));
    id.filter(|id| seen.kind == Kind::Wrapper && session::valid(seen.kind, id)).map(str::to_owned)
}

/// An answer without a proven session may still have shown one to go on with.
fn note_captured(seen: &Seen<'_>, asked: &Asked<'_>, facts: &mut Facts) {
    let shown = told_aside(seen, asked).filter(|_| seen.end.session.is_none());
    facts.notes.extend(shown.map(|id| format!("session_captured: {id}")));
}

fn facts(seen: &Seen<'_>, redactor: &Redactor) -> Facts {
    let end = seen.end;
    let short = |text: &String| cut(&redactor.redact_text(text), NOTE_BYTES_MAX).to_owned();
    Facts {
        files: end.files.clone(),
        usage: end.usage,
        retries_seen: end.retries_seen,
        denied: end.denied.iter().map(short).collect(),
        notes: end.notes.iter().map(short).collect(),
        bad_lines: end.bad_lines,
        truncated: end.truncated,
        forked_from: end.forked_from.clone(),
    }
}

fn clean(issue: Issue, redactor: &Redactor) -> Issue {
    Issue {
        pointer: redactor.redact_text(&issue.pointer),
        expected: issue.expected,
        found: redactor.redact_text(&issue.found),
    }
}
