//! ~rollback: which checkpoint, the plan as it stands, a person's yes, and the way back.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::super::asked::Kind;
use super::super::bounds::{CHANGELOG_SKIPPED, ROLLBACK_TARGETS_MAX};
use super::super::draft::Draft;
use super::super::ended::{Gave, Report};
use super::super::job::{Found, Phase, Step, Target};
use super::super::refusal::Refusal;
use super::At;
use crate::call::Failure;

/// What can be gone back to.
pub fn detected(d: &mut Draft, at: &At<'_>, found: Found) -> Result<(), Refusal> {
    let Found::Rollback { targets, .. } = &found else { return Err(super::super::rows::misfit()) };
    if targets.is_empty() {
        at.fail(d, "nothing_to_roll_back");
        return Ok(());
    }
    let arg = at.job.arg.trim();
    if !arg.is_empty() {
        let Some(target) = named(targets, arg) else {
            at.fail(d, "target_not_found");
            return Ok(());
        };
        let target = target.id.clone();
        at.work(d, found, Step::Plan { target });
        return Ok(());
    }
    let shown: Vec<_> = targets.iter().take(ROLLBACK_TARGETS_MAX).collect();
    let keys: Vec<String> = (1..=shown.len()).map(|n| format!("version_{n}")).collect();
    let mut options: Vec<&str> = keys.iter().map(String::as_str).collect();
    options.push("cancel");
    let about = json!({ "targets": shown });
    at.ask(d, (Kind::RollbackTarget, &options), about, found)
}

/// Whether the CHANGELOG was passed over because there is no base and none is to be made: what is
/// brought back is back all the same.
pub fn unlogged(d: &mut Draft, at: &At<'_>, failure: &Failure) -> bool {
    let Phase::Working { step: Step::Changelog { told, .. }, .. } = &at.job.phase else {
        return false;
    };
    if failure.code != CHANGELOG_SKIPPED {
        return false;
    }
    let mut told = told.clone();
    told["changelog"] = json!({ "skipped": true });
    at.over(d, told, true);
    true
}

/// The checkpoint of that name, or the only one that begins so.
fn named<'a>(targets: &'a [Target], arg: &str) -> Option<&'a Target> {
    if let Some(exact) = targets.iter().find(|target| target.id == arg) {
        return Some(exact);
    }
    let mut fitting = targets.iter().filter(|target| target.id.starts_with(arg));
    fitting.next().filter(|_| fitting.next().is_none())
}

/// What a person chose.
pub fn answered(
    d: &mut Draft,
    at: &At<'_>,
    found: Found,
    (kind, key): (Kind, &str),
) -> Result<(), Refusal> {
    let Found::Rollback { targets, plan, target } = &found else {
        return Err(super::super::rows::misfit());
    };
    if kind == Kind::RollbackTarget {
        let n = key.strip_prefix("version_").and_then(|n| n.parse::<usize>().ok());
        let Some(one) = n.and_then(|n| targets.get(n.checked_sub(1)?)) else {
            return Err(super::super::rows::misfit());
        };
        let target = one.id.clone();
        at.work(d, found, Step::Plan { target });
        return Ok(());
    }
    if kind == Kind::RollbackConflict && key == "manual" {
        at.cancel(d);
        return Ok(());
    }
    if kind == Kind::RollbackConflict {
        let plan = plan.clone().map(|mut plan| {
            plan["foreign"] = json!(key);
            plan
        });
        let found = Found::Rollback { targets: targets.clone(), plan, target: target.clone() };
        return confirm(d, at, found);
    }
    let foreign = plan.as_ref().and_then(|plan| plan["foreign"].as_str());
    let foreign = foreign.unwrap_or("theirs").to_string();
    let Some(target) = target.clone() else { return Err(super::super::rows::misfit()) };
    at.work(d, found, Step::Rollback { target, foreign });
    Ok(())
}

/// Always asked: what goes back is shown first.
fn confirm(d: &mut Draft, at: &At<'_>, found: Found) -> Result<(), Refusal> {
    let Found::Rollback { plan, target, .. } = &found else {
        return Err(super::super::rows::misfit());
    };
    let about = json!({ "target": target, "plan": plan });
    at.ask(d, (Kind::RollbackRisk, &["confirm", "cancel"]), about, found)
}

/// What the plan says, or what came of it.
pub fn worked(
    d: &mut Draft,
    at: &At<'_>,
    (found, step): (Found, Step),
    gave: Gave,
) -> Result<(), Refusal> {
    match (step, gave) {
        (Step::Plan { target }, Gave::Done(plan)) => planned(d, at, found, target, plan),
        (Step::Rollback { target, .. }, Gave::Done(told)) => {
            at.work(d, found, Step::TakenBack { target, told });
            Ok(())
        }
        (Step::TakenBack { target, told }, Gave::Report(Report { success, told: index })) => {
            let mut told = told;
            told["packages"] = index["context"]["packages"].clone();
            // What is brought back is back; an index that cannot be written is told.
            told["index_failed"] =
                if success { Value::Null } else { index["error_message"].clone() };
            at.work(d, found, Step::Changelog { target, told });
            Ok(())
        }
        (Step::Changelog { told, .. }, Gave::Report(Report { success, told: log })) => {
            let mut told = told;
            told["changelog"] = log;
            at.over(d, told, success);
            Ok(())
        }
        (Step::Changelog { told, .. }, Gave::Done(_)) => {
            at.over(d, told, true);
            Ok(())
        }
        (_, _) => Err(super::super::rows::misfit()),
    }
}

fn planned(
    d: &mut Draft,
    at: &At<'_>,
    found: Found,
    target: String,
    plan: Value,
) -> Result<(), Refusal> {
    let Found::Rollback { targets, .. } = found else { return Err(super::super::rows::misfit()) };
    let conflicts = plan["conflicts"].as_array().is_some_and(|list| !list.is_empty());
    let about = json!({ "target": target, "conflicts": plan["conflicts"] });
    let found = Found::Rollback { targets, plan: Some(plan), target: Some(target) };
    if conflicts {
        let keys = ["theirs", "mine", "manual", "cancel"];
        return at.ask(d, (Kind::RollbackConflict, &keys), about, found);
    }
    confirm(d, at, found)
}
