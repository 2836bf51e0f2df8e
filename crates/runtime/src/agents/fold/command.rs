//! The output of a program that its configuration describes: plain text, one JSON value, or one
//! a line, with JSON Pointers to what counts. Nothing is guessed that no pointer names.

use serde_json::Value;

use super::draft::{Draft, Said, TEXT_BYTES_MAX, Turn};
use super::field::{number, text};
use super::plan::{CommandShape, SessionFrom};
use super::raw::{Kept, Raw};
use super::stream1;

/// Plain text: all of it is the answer.
pub(super) fn plain(draft: &mut Draft, raw: &Raw) {
    let (answer, kept) = raw.all();
    draft.text(&answer);
    draft.end.truncated |= kept == Kept::Part;
}

/// One value. It is no final event: a program that prints one may still fail.
pub(super) fn whole(draft: &mut Draft, raw: &Raw) {
    let (document, kept) = raw.all();
    let document = document.trim_start_matches('\u{feff}').trim();
    let value = serde_json::from_str::<Value>(document).ok().filter(|_| kept == Kept::Whole);
    match value {
        Some(value) => {
            if draft.plan.command.text.is_none() {
                draft.text(&shown(&value));
            }
            read(draft, &value);
        }
        None if document.is_empty() => {}
        None => draft.bad_line(document.as_bytes()),
    }
}

/// One value of several.
pub(super) fn line(draft: &mut Draft, value: &Value) {
    let failed = read(draft, value);
    let last = draft.plan.command.final_when.as_ref();
    let is_last = last.is_some_and(|when| value.pointer(&when.pointer) == Some(&when.equals));
    if is_last && failed == Failed::No {
        draft.ended_well(Turn::Made);
    }
}

/// Room for what one JSON value may take.
pub(super) const fn room() -> usize {
    TEXT_BYTES_MAX
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Failed {
    No,
    Yes,
}

fn read(draft: &mut Draft, value: &Value) -> Failed {
    let plan = std::sync::Arc::clone(&draft.plan);
    let shape = &plan.command;
    if let SessionFrom::Pointer(pointer) = &shape.session {
        draft.session(value.pointer(pointer).and_then(Value::as_str));
    }
    if let Some(answer) = at(value, shape.text.as_ref()) {
        draft.text(&shown(answer));
    }
    if let Some(told) = at(value, shape.usage.as_ref()) {
        draft.end.usage = stream1::usage(told);
    }
    match error(value, shape) {
        Some(said) => {
            draft.ended_badly(said);
            Failed::Yes
        }
        None => Failed::No,
    }
}

/// What stands at a pointer, unless it is null.
fn at<'a>(value: &'a Value, pointer: Option<&String>) -> Option<&'a Value> {
    value.pointer(pointer?).filter(|found| !found.is_null())
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn error(value: &Value, shape: &CommandShape) -> Option<Said> {
    let found = at(value, shape.error.as_ref())?;
    if *found == Value::Bool(false) || found.as_str() == Some("") {
        return None;
    }
    let message = text(found, "message").map_or_else(|| shown(found), str::to_owned);
    let status = number(found, "status").or_else(|| number(found, "code"));
    Some(Said { message, status, ..Said::default() })
}
