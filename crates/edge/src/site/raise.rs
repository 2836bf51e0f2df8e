//! What went wrong around a workspace, as the one error object's code and facts. Sentences are made
//! where it is shown.

use kernel::errors::{Class, Code, Machine, nearest};
use runtime::config;
use runtime::io_kind;
use runtime::query;
use runtime::words::{KNOWN_LANGS, UnknownLang};
use runtime::workspace::{Refusal, Unsettled};
use serde_json::{Value, json};

use crate::problem::Raised;

/// What is wrong, by its class, with its facts.
pub fn class(class: Class, details: Value) -> Raised {
    Raised::new(Code::Class(class), details)
}

/// A machine's refusal.
pub fn refused(machine: Machine, word: &str, details: Value) -> Raised {
    Raised::new(Code::refused(machine, word), details)
}

/// An argument whose value is none of the known ones.
pub fn bad_value(name: &str, asked: &str, known: &[&str]) -> Raised {
    let near = nearest(asked, known.iter().copied());
    let details = json!({
        "kind": "bad_value", "path": name, "asked": asked, "expected": known, "nearest": near,
    });
    class(Class::InvalidArgs, details)
}

/// A language we do not speak.
pub fn unknown_lang(unknown: &UnknownLang) -> Raised {
    bad_value(unknown.by, &unknown.asked, &KNOWN_LANGS)
}

/// A workspace that cannot be used as asked.
pub fn of_workspace(refusal: &Refusal) -> Raised {
    Raised::new(refusal.code(), refusal.details()).because(refusal)
}

/// Settings that cannot be used; the first fault speaks, all are listed.
pub fn of_settings(unsettled: &Unsettled) -> Raised {
    match unsettled {
        Unsettled::Refused(refusal) => of_workspace(refusal),
        Unsettled::Faults(faults) => of_faults(faults),
    }
}

/// What is wrong with settings files.
pub fn of_faults(faults: &[config::Fault]) -> Raised {
    let mut details = faults.first().map_or_else(|| json!({}), config::Fault::details);
    if let Some(config::Problem::Unknown { nearest }) = faults.first().map(|fault| &fault.problem) {
        details["kind"] = json!("unknown_key");
        details["nearest"] = json!(nearest);
    }
    details["faults"] = faults.iter().map(config::Fault::details).collect();
    let code = faults.first().and_then(|fault| Code::parse(fault.code()).ok());
    Raised::new(code.unwrap_or(Code::Class(Class::InvalidArgs)), details)
}

/// A question to the journal that has no answer.
pub fn of_query(refusal: &query::Refusal) -> Raised {
    Raised::new(refusal.code(), refusal.details()).because(refusal)
}

/// A failure of the file system, by the path it is about.
pub fn io(path: &str, why: &std::io::Error) -> Raised {
    let kind = io_kind(why).unwrap_or("interrupted");
    class(Class::Io, json!({ "kind": kind, "path": path })).because(why)
}
