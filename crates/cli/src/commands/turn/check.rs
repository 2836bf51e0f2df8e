//! `turn check FILE`: whether a plan file holds, what policy says of it and how dangerous it is.
//! Nothing is run and no engine is needed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::errors::{Class, Exit};
use kernel::policy::{Verdict, Word};
use kernel::turn::{
    Decision, Detected, Judged, Made, Plan, PolicyDecision, Source, VerificationPolicy, VerifyMode,
    Warning, risk_of,
};
use runtime::plan_file::{self, PlanFileError};
use runtime::policy::{self, Flow, Judge};
use runtime::sandbox::{Walls, Wanted};
use runtime::turns::{Around, gate};
use serde_json::{Value, json};

use super::super::collab::now;
use super::super::known;
use super::page;
use crate::ctx::{self, Ctx};
use crate::desk;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// The id of a plan that no turn has yet.
const NO_TURN: &str = "plan-none";

/// What a plan is looked at with.
#[derive(Debug, Default)]
pub struct With {
    /// Who works, if it is not those of the settings.
    pub agents: Option<Vec<String>>,
    /// Checks that win over the plan's.
    pub given: Option<VerificationPolicy>,
}

impl With {
    /// The checks that a command line names.
    pub fn checks(verify: &[String], mode: Option<&str>) -> Option<VerificationPolicy> {
        if verify.is_empty() {
            return mode.map(|_| VerificationPolicy::none());
        }
        Some(VerificationPolicy {
            mode: VerifyMode::Custom,
            commands: verify.to_vec(),
            required: true,
            stop_on_fail: true,
        })
    }
}

/// A plan that holds.
struct Checked {
    plan: Plan,
    judged: Judged,
}

/// A plan file that holds, by the path under which the engine finds it.
///
/// # Errors
/// The first thing that is wrong with it, by line.
pub fn found(ctx: &Ctx, path: &Path, with: &With) -> Result<PathBuf, Trouble> {
    let path = std::path::absolute(path).map_err(|why| desk::io("--plan", &why))?;
    plan_of(ctx, &path, &around(ctx)?, with)?;
    Ok(path)
}

/// Looks at it.
///
/// # Errors
/// The first thing that is wrong with it, by line.
pub fn run(ctx: &Ctx, file: &Path) -> Result<Reply, Trouble> {
    let checked = checked(ctx, file)?;
    let data = data(&checked);
    let exit = match checked.judged.verdict.word() {
        Word::Allow | Word::Ask => Exit::OK,
        Word::Deny => Exit::DENIED,
    };
    let page = text(ctx, &checked);
    let redactor = ctx.redactor()?;
    let mut reply = known::redacted(ctx, &data, |_| redactor.redact_text(&page))?;
    reply.exit = exit;
    Ok(reply)
}

/// What is wrong with a plan file.
pub fn bad_plan(ctx: &Ctx, why: &PlanFileError) -> Trouble {
    trouble::class(Class::InvalidArgs, why.details(ctx.lang))
}

fn checked(ctx: &Ctx, file: &Path) -> Result<Checked, Trouble> {
    let around = around(ctx)?;
    let (mut plan, detected) = plan_of(ctx, file, &around, &With::default())?;
    let agents = &around.settings.agents;
    let judged = gate::judged(&plan, agents, &around.judge, &Flow::default(), &around.root);
    // What a planner or a file says of it can only raise it.
    plan.risk_level = risk_of(&judged.reach, &detected).max(plan.risk_level);
    Ok(Checked { plan, judged })
}

fn plan_of(
    ctx: &Ctx,
    file: &Path,
    around: &Around,
    with: &With,
) -> Result<(Plan, Vec<Detected>), Trouble> {
    let detected = gate::detected(&around.root, &around.checks);
    let agents = with.agents.as_ref().unwrap_or(&around.settings.agents);
    let made = Made {
        plan_id: NO_TURN.to_owned(),
        at: now(),
        source: Source::File,
        request: "",
        constraints: &[],
        given: with.given.as_ref(),
        detected: &detected,
        on_failure: kernel::turn::OnFailure::Stop,
    };
    let plan = plan_file::load(file)
        .and_then(|file| file.plan(&made, around.limits().steps, agents))
        .map_err(|why| bad_plan(ctx, &why))?;
    Ok((plan, detected))
}

/// The workspace as an engine would find it.
fn around(ctx: &Ctx) -> Result<Around, Trouble> {
    let (root, places) = (ctx.root()?, ctx.places()?);
    let settings = ctx.settings()?.settings;
    let exe = std::env::current_exe().map_err(|why| desk::io("loopwright", &why))?;
    let room = edge::agents::measuring_room(&ctx.site()?)?;
    let walls = Walls::measure(Wanted::of(&settings), &exe, &room, &places.cache);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let (top, state) = (root.path.clone(), root.path.join(".loop"));
    let look = policy::looking(root, places, ctx::env(), walls.standing());
    let judge = Judge::new(Arc::new(look), top.clone(), path);
    Ok(Around::of(&settings, (&top, &state), judge, ctx.lang))
}

/// The policy's answer on the wire.
fn decision(verdict: &Verdict) -> PolicyDecision {
    let decision = match verdict.word() {
        Word::Allow => Decision::Allow,
        Word::Ask => Decision::RequireConfirmation,
        Word::Deny => Decision::Deny,
    };
    PolicyDecision { decision, reason: None, scope: None, rule: Some(verdict.rule().to_owned()) }
}

fn warnings(plan: &Plan) -> Vec<&'static str> {
    match plan.verification.mode {
        VerifyMode::None => vec![Warning::NotVerified.word()],
        VerifyMode::Lint | VerifyMode::Test | VerifyMode::Build | VerifyMode::Custom => Vec::new(),
    }
}

fn data(checked: &Checked) -> Value {
    json!({
        "valid": true,
        "gate": decision(&checked.judged.verdict),
        "risk_level": checked.plan.risk_level,
        "reach": checked.judged.reach,
        "warnings": warnings(&checked.plan),
        "plan": checked.plan,
    })
}

fn text(ctx: &Ctx, checked: &Checked) -> String {
    let Checked { plan, judged } = checked;
    let mut lines = vec![ctx.tell("turn-check-valid", &[("steps", &plan.steps.len())])];
    lines.extend(page::steps(ctx, plan));
    lines.extend(page::reach(ctx, &judged.reach));
    lines.extend(page::checks(ctx, plan));
    lines.push(page::risk(ctx, plan.risk_level));
    let gate = ctx.say(&format!("turn-gate-{}", judged.verdict.word().name()));
    lines.push(ctx.tell("turn-gate", &[("gate", &gate), ("rule", &judged.verdict.rule())]));
    for word in warnings(plan) {
        let key = format!("turn-warning-{}", word.replace('_', "-"));
        lines.push(ctx.tell("turn-check-warning", &[("warning", &ctx.say(&key))]));
    }
    lines.join("\n")
}
