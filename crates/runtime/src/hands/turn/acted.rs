//! Acts of a turn that are no calls: looking at the words, gathering the context, loading a plan,
//! summing up. All of them only read, apart from files of ours; each may be repeated.

use std::collections::BTreeMap;

use kernel::policy::Verdict;
use kernel::turn::{Act, ChangedFile, Earlier, Fault, Life, Payload, Reach, Seen, summed};
use serde_json::json;

use super::super::pool::Desk;
use super::run::fault;
use crate::engine::Scene;
use crate::files::Root;
use crate::turns::{self, plans, store};

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
    let root = Root::open(&plan.root).map_err(|why| fault(&why.code().to_string(), why.kind()))?;
    let sight = turns::Sight {
        desk: plan.tools.desk(&root),
        semantic: plan.tools.semantic.as_ref(),
        redactor: &plan.redactor,
        bounds: plan.turn_context,
        earlier: &[],
        actions: &[],
    };
    let pack = turns::context(&scene.life, &sight);
    let pack = pack.map_err(|why| fault(&why.code().to_string(), why.kind()))?;
    let kept = turns::keep_pack(&plan.loop_dir, &pack);
    kept.map(Payload::Context).map_err(|_| fault("E_IO", "write"))
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
    let life = &scene.life;
    let seen = Seen { changed: changed(life), ..Seen::default() };
    let summary = summed(life, &seen).ok_or_else(|| fault("E_INTERNAL", "not_ended"))?;
    let text = json!(summary).to_string();
    let kept = store::keep(&desk.plan.loop_dir, &text).map_err(|_| fault("E_IO", "write"))?;
    let git = Verdict::Ask { rule: "git-write-asks".to_owned() };
    Ok(Payload::Summary { summary: kept.clone(), git, reach: Reach::default(), hash: kept })
}

/// What the steps changed, as their evidence has it.
fn changed(life: &Life) -> Vec<ChangedFile> {
    let steps = life.body.work.iter().flat_map(|work| work.plan.steps.iter().chain(&work.fixes));
    let files = steps.filter_map(|step| step.evidence.as_ref()).flat_map(|one| &one.files_changed);
    let mut all: BTreeMap<&str, (Option<&String>, Option<&String>)> = BTreeMap::new();
    for file in files {
        let entry = all.entry(&file.path).or_insert((file.before.as_ref(), None));
        entry.1 = file.after.as_ref();
    }
    let action = |before: bool, after: bool| match (before, after) {
        (false, true) => "added",
        (true, false) => "deleted",
        (true, true) | (false, false) => "modified",
    };
    let line = |(path, (before, after)): (&str, (Option<&String>, Option<&String>))| ChangedFile {
        path: path.to_owned(),
        action: action(before.is_some(), after.is_some()).to_owned(),
        added: 0,
        removed: 0,
    };
    all.into_iter().map(line).collect()
}
