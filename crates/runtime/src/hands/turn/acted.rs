//! Acts of a turn that are no calls: looking at the words, gathering the context, loading a plan,
//! summing up. All of them only read, apart from files of ours; each may be repeated.

use kernel::turn::{Act, Earlier, Fault, Payload, State, Summary};
use serde_json::{Value, json};

use super::super::pool::Desk;
use super::run::fault;
use crate::engine::Scene;
use crate::query;
use crate::turns::{self, changes, plans, store};

/// Does one of them.
pub(super) fn act(desk: &Desk, scene: &Scene, act: Act) -> Result<Payload, Box<Fault>> {
    match act {
        Act::Intake => Ok(intake(desk, scene)),
        Act::Context => context(desk, scene),
        Act::LoadPlan => load(desk, scene),
        Act::Summary => summary(desk, scene),
    }
}

fn intake(desk: &Desk, scene: &Scene) -> Payload {
    let earlier = if scene.earlier.is_some() { Earlier::Some } else { Earlier::None };
    let (report, verdict) = turns::intake(&scene.life, earlier, &desk.plan.judge);
    Payload::Intake { report, verdict }
}

fn context(desk: &Desk, scene: &Scene) -> Result<Payload, Box<Fault>> {
    let plan = &desk.plan;
    let root = plan.hold().map_err(|why| fault(&why.code().to_string(), why.kind()))?;
    let earlier: Vec<String> = scene.before.iter().filter_map(|one| told(desk, one)).collect();
    let done = scene.calls.iter().filter_map(|(id, state)| query::brief(id, state));
    let actions: Vec<Value> = done.collect();
    let sight = turns::Sight {
        desk: plan.tools.desk(&root),
        semantic: plan.tools.semantic.as_ref(),
        redactor: &plan.redactor,
        bounds: plan.turn_context,
        earlier: &earlier,
        actions: &actions,
    };
    let pack = turns::context(&scene.life, &sight);
    let pack = pack.map_err(|why| fault(&why.code().to_string(), why.kind()))?;
    let kept = turns::keep_pack(&plan.loop_dir, &pack);
    kept.map(Payload::Context).map_err(|_| fault("E_IO", "write"))
}

/// What an earlier turn came to, as its summary has it; one that has none is told by its end alone.
fn told(desk: &Desk, (id, state): &(String, State)) -> Option<String> {
    let report = kernel::turn::report(state)?;
    let kept = report.summary.and_then(|kept| store::load(&desk.plan.loop_dir, &kept).ok());
    let summary: Option<Summary> = kept.and_then(|text| serde_json::from_str(&text).ok());
    let goal = summary.as_ref().map_or(&state.life()?.body.start.request, |summary| &summary.goal);
    let why = summary.as_ref().map(|summary| summary.why.as_str()).unwrap_or_default();
    let outcome = json!({
        "turn": id, "goal": goal, "why": why, "outcome": report.outcome.word(),
        "verified": report.verified.word(), "changed": report.files_changed,
    });
    Some(outcome.to_string())
}

fn load(desk: &Desk, scene: &Scene) -> Result<Payload, Box<Fault>> {
    let (plan, now) = (&desk.plan, desk.clock.now());
    let bench = plans::Bench { judge: &plan.judge, flow: &scene.flow, root: &plan.root };
    let earlier = scene.earlier.as_ref();
    let planned = plans::load(&scene.life, &plan.loop_dir, earlier, now, bench)?;
    Ok(Payload::Planner(Box::new(planned)))
}

/// Says what happened, and keeps it where the record names it.
fn summary(desk: &Desk, scene: &Scene) -> Result<Payload, Box<Fault>> {
    let plan = &desk.plan;
    let root = plan.hold().map_err(|why| fault(&why.code().to_string(), why.kind()))?;
    let keeper = desk.keeper();
    let places = changes::Places { loop_dir: &plan.loop_dir, root: &root, keeper: Some(&*keeper) };
    let summary = turns::sum_up(&scene.life, &scene.calls, places);
    let summary = summary.ok_or_else(|| fault("E_INTERNAL", "not_ended"))?;
    let text = json!(summary).to_string();
    let kept = store::keep(&plan.loop_dir, &text).map_err(|_| fault("E_IO", "write"))?;
    let (git, reach, hash) = turns::judge_commit(&summary, &plan.judge, &scene.flow);
    Ok(Payload::Summary { summary: kept, git, reach, hash })
}
