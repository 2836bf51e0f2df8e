//! ~commit: what is shown is committed, nothing else.

use serde_json::json;

use super::super::asked::Kind;
use super::super::draft::Draft;
use super::super::ended::{Gave, Report};
use super::super::job::{Found, Step};
use super::super::refusal::Refusal;
use super::{At, words};

/// What would be committed.
pub fn detected(d: &mut Draft, at: &At<'_>, found: Found) -> Result<(), Refusal> {
    let Found::Commit { commit, message, nothing } = &found else {
        return Err(super::super::rows::misfit());
    };
    if *nothing {
        at.over(d, json!({ "nothing": true }), true);
        return Ok(());
    }
    let about = json!({ "commit": commit, "message": message });
    at.ask(d, (Kind::CommitHow, &["local", "edit", "cancel"]), about, found)
}

/// How a person wants it.
pub fn answered(
    d: &mut Draft,
    at: &At<'_>,
    found: Found,
    (key, text): (&str, Option<&str>),
) -> Result<(), Refusal> {
    let Found::Commit { commit, nothing, message } = found else {
        return Err(super::super::rows::misfit());
    };
    if key == "edit" {
        let message = words(text)?.into();
        return detected(d, at, Found::Commit { commit, message, nothing });
    }
    let step = Step::Commit { message: Some(message.clone()) };
    at.work(d, Found::Commit { commit, message, nothing }, step);
    Ok(())
}

/// It is committed, or not.
pub fn worked(d: &mut Draft, at: &At<'_>, gave: Gave) -> Result<(), Refusal> {
    match gave {
        Gave::Report(Report { success, told }) => at.over(d, told, success),
        Gave::Done(told) => at.over(d, told, true),
        Gave::Kb(_)
        | Gave::Words(_)
        | Gave::Value(_)
        | Gave::Checked(_)
        | Gave::Packages(_)
        | Gave::Developed(_)
        | Gave::Turned(_)
        | Gave::Tests(_)
        | Gave::Risks(_)
        | Gave::Found(_) => return Err(super::super::rows::misfit()),
    }
    Ok(())
}
