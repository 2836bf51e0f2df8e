//! The way back to a checkpoint for a session: the plan as it stands, and the call that carries out
//! exactly that plan.

use kernel::call;
use kernel::rollback::{Action, Conflicts, HeadRule, Plan};
use kernel::session::{Found, Gave, Outcome, Phase};
use kernel::turn::Fault;
use serde_json::{Value, json};

use super::super::pool::Desk;
use super::super::saved::RollbackArgs;
use super::asks::{fault, own};
use super::base::job_of;
use super::failed;
use crate::engine::{Ready, Sitting};
use crate::packages;
use crate::rollback::gather;
use crate::shim::durable;

/// The report of an operation is no longer than this.
const REPORT_BYTES_MAX: u64 = 16 << 20;

/// What is asked for.
fn args(
    desk: &Desk,
    sitting: &Sitting,
    target: &str,
    conflicts: Conflicts,
) -> Option<RollbackArgs> {
    let made = desk.keeper().show(target).ok()?.info.call;
    // Packages, archive and CHANGELOG are the record of what happened: they say that it was taken
    // back, and are not taken back themselves.
    let later = later(sitting, &made).filter(|call| reported(desk, call).is_none());
    Some(RollbackArgs {
        checkpoint: target.to_owned(),
        calls: later.cloned().collect(),
        conflicts,
        head_rule: HeadRule::Same,
        approved: String::new(),
    })
}

/// The calls that began after this one.
fn later<'a>(sitting: &'a Sitting, made: &str) -> impl Iterator<Item = &'a String> {
    sitting.calls.iter().skip_while(move |call| **call != made).skip(1)
}

/// The report of a call that was an operation on packages.
fn reported(desk: &Desk, call: &str) -> Option<Value> {
    let file = desk.call_dir(call).join(packages::REPORT);
    serde_json::from_slice(&durable::read(&file, REPORT_BYTES_MAX).ok()?).ok()
}

/// The packages that were worked on and archived after a checkpoint.
pub(super) fn taken_back(desk: &Desk, sitting: &Sitting, target: &str) -> Vec<String> {
    let Ok(shown) = desk.keeper().show(target) else { return Vec::new() };
    let reports = later(sitting, &shown.info.call).filter_map(|call| reported(desk, call));
    let worked = |report: &Value| {
        let status = report["context"]["status"].as_str().unwrap_or_default();
        report["operation"] == "archive" && ["completed", "partial", "failed"].contains(&status)
    };
    let names = reports
        .filter(worked)
        .filter_map(|report| report["context"]["package"].as_str().map(str::to_owned));
    names.collect()
}

fn planned(desk: &Desk, args: &RollbackArgs) -> Result<Plan, String> {
    let wanted = desk.wanted(args, "rb-shown").map_err(|why| why.to_string())?;
    let keeper = desk.keeper();
    let ground = keeper.ground().map_err(|why| why.to_string())?;
    let gathered = gather(&keeper, &ground, &wanted).map_err(|why| why.to_string())?;
    Ok(gathered.plan)
}

/// The plan, as it is shown.
pub(super) fn plan(desk: &Desk, sitting: &Sitting, target: &str) -> Outcome {
    let Some(args) = args(desk, sitting, target, Conflicts::Aside) else {
        return failed("target_not_found", "checkpoint", target);
    };
    match planned(desk, &args) {
        Err(why) => failed("E_CONFLICT", "rollback", &why),
        Ok(plan) => {
            let conflicts = conflicts(&plan);
            let paths: Vec<String> =
                plan.actions.iter().map(|planned| planned.path.text()).collect();
            let told = json!({
                "plan_hash": plan.plan_hash, "conflicts": conflicts, "paths": paths,
            });
            Outcome::Ok(Box::new(Gave::Done(told)))
        }
    }
}

/// The paths whose content is not ours: a person says what becomes of it.
fn conflicts(plan: &Plan) -> Vec<String> {
    let foreign = plan.actions.iter().filter(|planned| planned.action == Action::Aside);
    foreign.map(|planned| planned.path.text()).collect()
}

/// The call that carries out what was approved.
pub(super) fn ready(
    desk: &Desk,
    sitting: &Sitting,
    target: &str,
    foreign: &str,
) -> Result<Ready, Box<Fault>> {
    let Some(mut args) = args(desk, sitting, target, Conflicts::Aside) else {
        return Err(fault("E_NOT_FOUND", "checkpoint"));
    };
    let drawn =
        |args: &RollbackArgs| planned(desk, args).map_err(|_| fault("E_CONFLICT", "rollback"));
    let mut plan = drawn(&args)?;
    if shown_hash(sitting).as_deref() != Some(plan.plan_hash.as_str()) {
        return Err(fault("E_CONFLICT", "plan_changed"));
    }
    // What a person keeps of their own is left out of the plan that was shown.
    if foreign == "mine" {
        args.conflicts = Conflicts::Keep;
        plan = drawn(&args)?;
    }
    args.approved = plan.plan_hash;
    own(desk, call::ROLLBACK, &json!(args))
}

/// The hash of the plan that the person saw.
fn shown_hash(sitting: &Sitting) -> Option<String> {
    let job = job_of(&sitting.life, &sitting.slot)?;
    let Phase::Working { found: Found::Rollback { plan: Some(plan), .. }, .. } = &job.phase else {
        return None;
    };
    plan["plan_hash"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use kernel::rollback::{Base, Content, Fact, Heads, How, Kind, Now, RawPath, Scene, plan};

    use super::*;

    #[test]
    fn only_what_somebody_else_left_is_a_conflict() {
        let content = |text: &str| Content {
            kind: Kind::File,
            sha256: kernel::hash::sha256_hex(text.as_bytes()),
        };
        let fact = |path: &str, now: &str| Fact {
            path: RawPath::new(path.as_bytes()),
            base: Base::Present(content("before"), 6),
            ours: Some(content("ours")),
            now: Now::Present(content(now)),
            how: How::Written,
            call: "call-1".to_owned(),
        };
        let scene = Scene {
            rollback_id: "rb-1".to_owned(),
            checkpoint: "chk-1".to_owned(),
            base: Heads::default(),
            present: Heads::default(),
            facts: vec![fact("same", "before"), fact("ours", "ours"), fact("theirs", "edited")],
            not_covered: Vec::new(),
            conflicts: Conflicts::Aside,
            head_rule: HeadRule::Same,
        };
        assert_eq!(conflicts(&plan(&scene).unwrap()), ["theirs"]);
    }
}
