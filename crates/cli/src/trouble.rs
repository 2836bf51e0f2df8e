//! What a command answers when it cannot do what was asked: a code and facts. Sentences are made
//! where it is printed.

use kernel::errors::{Class, Code, Machine, nearest};
use runtime::words::{KNOWN_LANGS, UnknownLang};
use serde_json::{Value, json};

/// A refusal, failure or usage error on its way out.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    /// The most specific name of it.
    pub code: Code,
    /// Facts for the sentence and for `details`.
    pub details: Value,
    /// What would be accepted instead.
    pub allowed: Vec<String>,
    /// The run it is about.
    pub run_id: Option<String>,
    /// The state that run is in.
    pub state: Option<String>,
    /// The call it is about.
    pub call_id: Option<String>,
}

impl Trouble {
    /// Trouble of that code.
    pub fn new(code: Code, details: Value) -> Self {
        Self { code, details, allowed: Vec::new(), run_id: None, state: None, call_id: None }
    }

    /// Trouble of a class, with its detail kind.
    pub fn class(class: Class, details: Value) -> Self {
        Self::new(Code::Class(class), details)
    }

    /// A machine's refusal.
    pub fn refused(machine: Machine, word: &str, details: Value) -> Self {
        Self::new(Code::refused(machine, word), details)
    }

    /// An argument whose value is none of the known ones.
    pub fn bad_value(name: &str, asked: &str, known: &[&str]) -> Self {
        let near = nearest(asked, known.iter().copied());
        let details = json!({
            "kind": "bad_value", "path": name, "asked": asked, "expected": known, "nearest": near,
        });
        Self::class(Class::InvalidArgs, details)
    }

    /// A language we do not speak.
    pub fn unknown_lang(unknown: &UnknownLang) -> Self {
        Self::bad_value("--lang", &unknown.asked, &KNOWN_LANGS)
    }

    /// An id that names nothing here.
    pub fn no_such(machine: Machine, id: &str, near: &[String]) -> Self {
        Self::refused(machine, "no_such", json!({ "id": id, "nearest": near }))
    }
}
