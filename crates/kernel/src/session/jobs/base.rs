//! ~init, ~upgrade and ~clean: the jobs on the knowledge base and on packages.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::super::asked::Kind;
use super::super::draft::Draft;
use super::super::ended::{Gave, KbState, Report};
use super::super::job::{Found, Kind as JobKind, Step};
use super::super::refusal::Refusal;
use super::{At, words};

/// What the look at the scene found.
pub fn detected(d: &mut Draft, at: &At<'_>, found: Found) -> Result<(), Refusal> {
    let off = at.job.setup.kb_mode == 0 && at.job.kind != JobKind::Clean;
    if off {
        let about = json!({ "mode": 0 });
        return at.ask(d, (Kind::InitSwitch, &["continue", "cancel"]), about, found);
    }
    scene(d, at, found)
}

fn scene(d: &mut Draft, at: &At<'_>, found: Found) -> Result<(), Refusal> {
    match &found {
        Found::Init { state, sources, root } => {
            let about = json!({ "root": root });
            match (state, sources) {
                (_, false) => {
                    at.fail(d, "empty_project");
                    Ok(())
                }
                (KbState::Absent, true) => init(d, at, found, "create"),
                (KbState::Partial, true) => init(d, at, found, "fill"),
                (KbState::Old, true) => {
                    let keys = ["upgrade", "rebuild", "cancel"];
                    at.ask(d, (Kind::InitMismatch, &keys), about, found)
                }
                (KbState::Heavy | KbState::Ok, true) => {
                    at.ask(d, (Kind::InitRebuild, &["rebuild", "cancel"]), about, found)
                }
            }
        }
        Found::Upgrade { state: KbState::Old, .. } => upgrade(d, at, found, false),
        Found::Upgrade { .. } => {
            at.over(d, json!({ "nothing": true }), true);
            Ok(())
        }
        Found::Clean { names, plan } => {
            if names.is_empty() {
                at.over(d, json!({ "nothing": true }), true);
                return Ok(());
            }
            if at.job.flags.iter().any(|flag| flag == "--all") {
                let all = names.clone();
                return clean(d, at, found, all);
            }
            if !at.job.arg.trim().is_empty() {
                let arg = at.job.arg.clone();
                let known = |name: &str| names.iter().any(|one| one == name);
                if !arg.split_whitespace().all(known) {
                    at.fail(d, "no_package");
                    return Ok(());
                }
                return select(d, at, found, &arg);
            }
            let about = plan.clone();
            at.ask(d, (Kind::CleanScope, &["all", "select", "cancel"]), about, found)
        }
        Found::Test { .. }
        | Found::Commit { .. }
        | Found::Review { .. }
        | Found::Validate
        | Found::Rollback { .. } => Err(super::super::rows::misfit()),
    }
}

fn init(d: &mut Draft, at: &At<'_>, found: Found, how: &str) -> Result<(), Refusal> {
    let operation = json!({ "operation": "init", "how": how });
    at.work(d, found, Step::Package { operation });
    Ok(())
}

/// Shows the plan, with all that it writes where a person asked for that, and asks for a yes.
fn upgrade(d: &mut Draft, at: &At<'_>, found: Found, details: bool) -> Result<(), Refusal> {
    let Found::Upgrade { plan, plan_hash, .. } = &found else {
        return Err(super::super::rows::misfit());
    };
    let about = json!({ "plan": plan, "plan_hash": plan_hash, "details": details });
    at.ask(d, (Kind::UpgradePlan, &["run", "details", "cancel"]), about, found)
}

fn clean(d: &mut Draft, at: &At<'_>, found: Found, names: Vec<String>) -> Result<(), Refusal> {
    let operation = json!({ "operation": "clean", "names": names });
    at.work(d, found, Step::Package { operation });
    Ok(())
}

fn select(d: &mut Draft, at: &At<'_>, found: Found, text: &str) -> Result<(), Refusal> {
    let Found::Clean { names, .. } = &found else { return Err(super::super::rows::misfit()) };
    let wanted: Vec<String> = text.split_whitespace().map(ToString::to_string).collect();
    if wanted.iter().any(|name| !names.contains(name)) {
        let expected = "names of packages in plan/ that nobody holds";
        return Err(Refusal::InvalidArgs { path: "/text".into(), expected });
    }
    clean(d, at, found, wanted)
}

/// What a person answered.
pub fn answered(
    d: &mut Draft,
    at: &At<'_>,
    found: Found,
    (kind, key, text): (Kind, &str, Option<&str>),
) -> Result<(), Refusal> {
    match (kind, key) {
        (Kind::InitSwitch, _) => scene(d, at, found),
        (Kind::InitMismatch, "upgrade") => at.instead(d, JobKind::Upgrade),
        (Kind::InitMismatch | Kind::InitRebuild, _) => init(d, at, found, "rebuild"),
        (Kind::UpgradePlan, "details") => upgrade(d, at, found, true),
        (Kind::UpgradePlan, _) => {
            let Found::Upgrade { plan_hash, plan, .. } = &found else {
                return Err(super::super::rows::misfit());
            };
            let drawn = &plan["at"];
            let operation = json!({ "operation": "upgrade", "plan_hash": plan_hash, "at": drawn });
            at.work(d, found, Step::Package { operation });
            Ok(())
        }
        (_, "select") => select(d, at, found, words(text)?),
        (_, _) => {
            let names = match &found {
                Found::Clean { names, .. } => names.clone(),
                Found::Init { .. }
                | Found::Upgrade { .. }
                | Found::Test { .. }
                | Found::Commit { .. }
                | Found::Review { .. }
                | Found::Validate
                | Found::Rollback { .. } => Vec::new(),
            };
            clean(d, at, found, names)
        }
    }
}

/// What the work gave.
pub fn worked(d: &mut Draft, at: &At<'_>, _: Found, gave: Gave) -> Result<(), Refusal> {
    if let Gave::Done(told) = gave {
        // A restored layout is what was there before.
        at.over(d, told, false);
        return Ok(());
    }
    let Gave::Report(Report { success, told }) = gave else {
        return Err(super::super::rows::misfit());
    };
    if at.job.kind == JobKind::Upgrade {
        return upgraded(d, at, told, success);
    }
    let failed = told["context"]["failed"].as_array().is_some_and(|list| !list.is_empty());
    at.over(d, told, success && !failed);
    Ok(())
}

/// What an upgrade left. A person decides about what was not done; where the present layout stands
/// and something of the old one is left beside it, that may be ignored.
fn upgraded(d: &mut Draft, at: &At<'_>, told: Value, success: bool) -> Result<(), Refusal> {
    let context = &told["context"];
    let in_the_way = context["conflicts"].as_array().is_some_and(|list| !list.is_empty());
    let whole = context["state"].as_str().is_none_or(|state| state == "ok");
    match (success, whole && !in_the_way) {
        (true, true) => {
            at.over(d, told, true);
            Ok(())
        }
        (true, false) => {
            at.result(d, (Kind::UpgradeFailed, &["restore", "ignore", "manual"]), told, true)
        }
        (false, _) => at.result(d, (Kind::UpgradeFailed, &["restore", "manual"]), told, false),
    }
}

/// Takes a failed upgrade back.
pub fn restore(d: &mut Draft, at: &At<'_>, told: &Value) -> Result<(), Refusal> {
    let Some(call) = told["call_id"].as_str() else { return Err(super::super::rows::misfit()) };
    let found = Found::Upgrade {
        root: String::new(),
        state: KbState::Old,
        plan_hash: String::new(),
        plan: Value::Null,
    };
    at.work(d, found, Step::Restore { call: call.into() });
    Ok(())
}
