//! What a command answers when it cannot do what was asked: a code and facts. Sentences are made
//! where it is printed.

use edge::problem::Raised;
use kernel::errors::{Class, Code, Machine, nearest};
use runtime::config;
use runtime::query;
use runtime::words::{KNOWN_LANGS, UnknownLang};
use runtime::workspace::{Refusal, Unsettled};
use serde_json::{Value, json};

/// A refusal, failure or usage error on its way out.
pub type Trouble = Raised;

/// Trouble of a class, with its facts.
pub fn class(class: Class, details: Value) -> Trouble {
    Raised::new(Code::Class(class), details)
}

/// A machine's refusal.
pub fn refused(machine: Machine, word: &str, details: Value) -> Trouble {
    Raised::new(Code::refused(machine, word), details)
}

/// An argument whose value is none of the known ones.
pub fn bad_value(name: &str, asked: &str, known: &[&str]) -> Trouble {
    let near = nearest(asked, known.iter().copied());
    let details = json!({
        "kind": "bad_value", "path": name, "asked": asked, "expected": known, "nearest": near,
    });
    class(Class::InvalidArgs, details)
}

/// A language we do not speak.
pub fn unknown_lang(unknown: &UnknownLang) -> Trouble {
    bad_value(unknown.by, &unknown.asked, &KNOWN_LANGS)
}

/// A workspace that cannot be used as asked.
pub fn of_workspace(refusal: &Refusal) -> Trouble {
    Raised::new(refusal.code(), refusal.details()).because(refusal)
}

/// Settings that cannot be used; the first fault speaks, all are listed.
pub fn of_settings(unsettled: &Unsettled) -> Trouble {
    match unsettled {
        Unsettled::Refused(refusal) => of_workspace(refusal),
        Unsettled::Faults(faults) => of_faults(faults),
    }
}

/// What is wrong with settings files.
pub fn of_faults(faults: &[config::Fault]) -> Trouble {
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
pub fn of_query(refusal: &query::Refusal) -> Trouble {
    Raised::new(refusal.code(), refusal.details()).because(refusal)
}
