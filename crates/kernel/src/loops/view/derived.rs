//! Numbers derived from a document, never stored. They are read from the document and not from the
//! state, so that a file of another writer gets the same treatment.

use serde::Serialize;
use serde_json::Value;

/// What `show` adds to a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are the seed's own")]
pub struct Derived {
    pub develop_progress: f64,
    pub has_pending_develop: bool,
    pub debug_completed: bool,
    pub validation_passed: bool,
    pub overall_progress: f64,
    /// The same, but a loop that needed no debugging is not held back by it.
    pub effective_progress: f64,
}

/// What each of debugging and validation adds to the whole, in percent.
const PART: f64 = 25.0;

/// Derives; a document without `skill_state` has done nothing.
#[must_use]
pub fn derived(document: &Value) -> Derived {
    let skill = &document["skill_state"];
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let total = number(&skill["develop"]["total"]);
    let completed = number(&skill["develop"]["completed"]);
    let develop_progress = if total > 0.0 { completed / total * 100.0 } else { 0.0 };
    let tasks = skill["develop"]["tasks"].as_array();
    let has_pending_develop =
        tasks.is_some_and(|tasks| tasks.iter().any(|task| task["status"] == "pending"));
    let debug_completed = !skill["debug"]["confirmed_hypothesis"].is_null();
    let results = skill["validate"]["test_results"].as_array();
    let validation_passed =
        skill["validate"]["passed"] == true && results.is_some_and(|all| !all.is_empty());
    let part = |earned: bool| if earned { PART } else { 0.0 };
    let base = develop_progress * 0.5 + part(validation_passed);
    let needed_none = validation_passed && number(&skill["debug"]["iteration"]) == 0.0;
    Derived {
        develop_progress,
        has_pending_develop,
        debug_completed,
        validation_passed,
        overall_progress: base + part(debug_completed),
        effective_progress: base + part(debug_completed || needed_none),
    }
}
