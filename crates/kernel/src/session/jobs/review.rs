//! ~review and ~validate: both pick a range, look at it, and write nothing.

use alloc::string::{String, ToString};

use serde_json::{Value, json};

use super::super::asked::Kind;
use super::super::draft::Draft;
use super::super::ended::Gave;
use super::super::job::{Found, Kind as JobKind, Step};
use super::super::refusal::Refusal;
use super::{At, words};

/// Ranges of a validation.
const RANGES: [&str; 3] = ["all", "kb", "packages"];

/// Picks the range, or takes the one that was typed.
pub fn detected(d: &mut Draft, at: &At<'_>, found: Found) -> Result<(), Refusal> {
    let arg = at.job.arg.trim().to_string();
    if at.job.kind == JobKind::Validate {
        if RANGES.contains(&arg.as_str()) {
            return validate(d, at, arg);
        }
        let keys = ["all", "kb", "packages", "cancel"];
        return at.ask(d, (Kind::ValidateScope, &keys), json!({}), found);
    }
    if at.job.setup.designer.is_none() {
        at.fail(d, "no_agent");
        return Ok(());
    }
    let flag = at.job.flags.iter().find_map(|flag| flag.strip_prefix("--scope="));
    if let Some(scope) = flag {
        return review(d, at, scope.to_string(), None);
    }
    if !arg.is_empty() {
        return review(d, at, "path".into(), Some(arg));
    }
    let git = matches!(found, Found::Review { has_git: true });
    let keys: &[&str] = if git {
        &["all", "recent", "staged", "path", "cancel"]
    } else {
        &["all", "path", "cancel"]
    };
    at.ask(d, (Kind::ReviewScope, keys), json!({}), found)
}

fn validate(d: &mut Draft, at: &At<'_>, scope: String) -> Result<(), Refusal> {
    at.work(d, Found::Validate, Step::Validate { scope });
    Ok(())
}

fn review(d: &mut Draft, at: &At<'_>, scope: String, path: Option<String>) -> Result<(), Refusal> {
    at.work(d, Found::Review { has_git: false }, Step::Review { scope, path });
    Ok(())
}

/// The range that a person picked.
pub fn answered(
    d: &mut Draft,
    at: &At<'_>,
    _: Found,
    (kind, key, text): (Kind, &str, Option<&str>),
) -> Result<(), Refusal> {
    match (kind, key) {
        (Kind::ValidateScope, _) => validate(d, at, key.into()),
        (_, "path") => review(d, at, key.into(), Some(words(text)?.into())),
        (_, _) => review(d, at, key.into(), None),
    }
}

/// What was found.
pub fn worked(d: &mut Draft, at: &At<'_>, gave: Gave) -> Result<(), Refusal> {
    let (told, kind) = match gave {
        Gave::Value(told) => (told, Kind::ReviewResult),
        Gave::Done(told) => (told, Kind::ValidateResult),
        Gave::Kb(_)
        | Gave::Words(_)
        | Gave::Report(_)
        | Gave::Checked(_)
        | Gave::Packages(_)
        | Gave::Developed(_)
        | Gave::Turned(_)
        | Gave::Tests(_)
        | Gave::Risks(_)
        | Gave::Found(_) => return Err(super::super::rows::misfit()),
    };
    let findings = told["findings"].as_array().map_or(&[][..], |list| list.as_slice());
    let critical = |one: &&Value| {
        one["severity"].as_str().is_some_and(|word| word.eq_ignore_ascii_case("critical"))
    };
    let green = findings.iter().find(critical).is_none();
    if findings.is_empty() {
        at.over(d, told, true);
        return Ok(());
    }
    at.result(d, (kind, &["report", "skip"]), told, green)
}
