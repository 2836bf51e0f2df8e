//! ~test: the project's checks of level test, one call each, and what they show.

use alloc::vec::Vec;

use serde_json::json;

use super::super::asked::Kind;
use super::super::draft::Draft;
use super::super::ended::{Gave, Tests};
use super::super::job::{Found, Phase, Step};
use super::super::refusal::Refusal;
use super::{At, words};
use crate::loops::{Check, Level};

/// Wall limit of a command that a person named for once.
const COMMAND_MS: u64 = 600_000;

/// Which checks there are.
pub fn detected(d: &mut Draft, at: &At<'_>, found: Found) -> Result<(), Refusal> {
    let Found::Test { checks } = &found else { return Err(super::super::rows::misfit()) };
    if checks.is_empty() {
        return at.ask(d, (Kind::TestCommand, &["command", "cancel"]), json!({}), found);
    }
    at.work(d, found, Step::Check { index: 0, so_far: Tests::default() });
    Ok(())
}

/// The command that a person names.
pub fn answered(
    d: &mut Draft,
    at: &At<'_>,
    (_, _, text): (Kind, &str, Option<&str>),
) -> Result<(), Refusal> {
    let argv = crate::turn::split(words(text)?)
        .map_err(|bad| Refusal::InvalidArgs { path: "/text".into(), expected: bad.wanted() })?;
    let check = Check {
        id: "command".into(),
        argv,
        cwd: ".".into(),
        level: Level::Test,
        required: true,
        timeout_ms: COMMAND_MS,
        parser: "auto".into(),
        collect: Vec::new(),
        definition_hash: None,
    };
    let found = Found::Test { checks: [check].into() };
    at.work(d, found, Step::Check { index: 0, so_far: Tests::default() });
    Ok(())
}

/// What one check showed.
pub fn worked(
    d: &mut Draft,
    at: &At<'_>,
    (found, step): (Found, Step),
    gave: Gave,
) -> Result<(), Refusal> {
    let (Gave::Tests(one), Step::Check { index, so_far }, Found::Test { checks }) =
        (gave, step, &found)
    else {
        return Err(super::super::rows::misfit());
    };
    let Some(check) = checks.get(index) else { return Err(super::super::rows::misfit()) };
    let so_far = so_far.with(one, check);
    if index + 1 < checks.len() && !so_far.timed_out {
        let step = Step::Check { index: index + 1, so_far };
        d.job(at.place, Phase::Working { found, step, k: 1, cut: false });
        return Ok(());
    }
    let told = json!({ "tests": so_far, "findings": so_far.findings() });
    if so_far.green {
        at.over(d, told, true);
        return Ok(());
    }
    at.result(d, (Kind::TestFailed, &["report", "skip"]), told, false)
}
