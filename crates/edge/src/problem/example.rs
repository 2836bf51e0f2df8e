//! A code as the doors for programs show it: what its page prints beside the terminal's line. The
//! request, its trace and its time are made up; the shapes are the doors' own.

use kernel::errors::Code;
use runtime::redact::{Redactor, Secrets};
use runtime::trace::Asked;
use runtime::words::Lang;
use serde_json::{Value, json};

use super::forms;
use super::object::{Raised, Shown};

/// The trace and the moment of every example.
const TRACE: &str = "trace_00000000000000000000000000000000";
const AT: &str = "2026-01-22T02:00:00Z";
/// The request of every example.
const REQUEST: &str = "/api/v1/runs/RUN";

/// The answer of a command with `--json`, and that of a request: status and body.
#[must_use]
pub fn example(code: Code, lang: Lang) -> (Value, (u16, Value)) {
    let redactor = Redactor::new(&Secrets::default()).expect("no patterns, so none is bad");
    let asked = Asked { trace_id: TRACE.to_owned(), at: AT.to_owned() };
    let shown = Shown { lang, asked: &asked, home: "", redactor: &redactor };
    let problem = Raised::new(code, json!({})).show(shown);
    (forms::failed(&problem, None), forms::web(&problem, lang, REQUEST))
}
