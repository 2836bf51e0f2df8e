//! The object itself and how it is made from a code, its details and its place.

use kernel::errors::{Code, Exit};
use runtime::redact::Redactor;
use runtime::trace::Asked;
use runtime::words::{Lang, Vars, tell};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tidy;

/// Where it happened; what is not known stays empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The run.
    pub run_id: Option<String>,
    /// The machine.
    pub machine: Option<String>,
    /// Its state.
    pub state: Option<String>,
    /// The step.
    pub step_id: Option<String>,
    /// The call.
    pub call_id: Option<String>,
}

/// What went wrong, before it is put into words.
#[derive(Debug, Clone, PartialEq)]
pub struct Raised {
    /// The most specific name.
    pub code: Code,
    /// The facts.
    pub details: Value,
    /// For refusals: what is accepted now.
    pub allowed: Option<Vec<String>>,
    /// Where.
    pub place: Place,
    /// What the part that failed said itself: for the trace, never shown.
    pub source: Option<String>,
}

/// How it is shown.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// The request it answers.
    pub asked: &'a Asked,
    /// The home directory, shown as `~`; empty if there is none.
    pub home: &'a str,
    /// Takes secrets out.
    pub redactor: &'a Redactor,
}

/// The error object of every door.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// The most specific name.
    pub code: String,
    /// Its class.
    pub class: String,
    /// One sentence.
    pub message: String,
    /// One sentence, imperative.
    pub next_step: String,
    /// Exact command lines that perform it.
    pub commands: Vec<String>,
    /// Refusals: every command accepted now.
    pub allowed: Option<Vec<String>>,
    /// Would the same request later be sensible.
    pub retryable: bool,
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// The facts.
    pub details: Value,
    /// The id internal detail is kept under.
    pub trace_id: String,
    /// When, RFC 3339 in UTC.
    pub at: String,
}

impl Raised {
    /// Something that went wrong, with its facts.
    pub fn new(code: Code, details: Value) -> Self {
        Self { code, details, allowed: None, place: Place::default(), source: None }
    }

    /// The same with its place.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        let machine = place.machine.clone().or(self.place.machine);
        Self { place: Place { machine, ..place }, ..self }
    }

    /// The same with what the part that failed said itself.
    #[must_use]
    pub fn because(self, source: &dyn std::fmt::Display) -> Self {
        Self { source: Some(source.to_string()), ..self }
    }

    /// The exit code of a command that ends with it.
    pub fn exit(&self) -> Exit {
        self.code.exit()
    }

    /// The HTTP status.
    pub fn http(&self) -> u16 {
        self.code.http_of(self.kind())
    }

    fn kind(&self) -> &str {
        self.details.get("kind").and_then(Value::as_str).unwrap_or_default()
    }

    /// A door that knows the exact page names it instead of the general one.
    fn help(&self) -> Option<Vec<String>> {
        self.details.get("help").and_then(Value::as_str).map(|line| vec![line.to_owned()])
    }

    /// Puts it into words.
    pub fn show(&self, shown: Shown<'_>) -> Problem {
        let details = tidy::details(&self.details, shown.home, shown.redactor);
        let place = &self.place;
        let ids = [
            ("run_id", &place.run_id),
            ("state", &place.state),
            ("step_id", &place.step_id),
            ("call_id", &place.call_id),
        ];
        let vars = ids.iter().fold(Vars::of(&details), |vars, (name, value)| {
            vars.with(name, value.as_deref().unwrap_or_default())
        });
        let vars = vars.with("trace_id", &shown.asked.trace_id);
        let told = tell(shown.lang, self.code, &vars);
        let clean = |text: &str| {
            tidy::cut(&tidy::without_home(&shown.redactor.redact_text(text), shown.home))
        };
        Problem {
            code: self.code.to_string(),
            class: self.code.class().name().to_owned(),
            message: clean(&told.message),
            next_step: told.next_step,
            commands: self.help().unwrap_or(told.commands),
            allowed: self.allowed.clone(),
            retryable: self.code.retryable(self.kind()),
            place: place.clone(),
            details: if details.is_null() { json!({}) } else { details },
            trace_id: shown.asked.trace_id.clone(),
            at: shown.asked.at.clone(),
        }
    }
}
