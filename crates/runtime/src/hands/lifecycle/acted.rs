//! Acts of a lifecycle that are no runs: reading a plan's document, looking at the tree, drawing
//! the plan of a rollback, writing the record.

use std::path::Path;

use kernel::lifecycle::document::plan::{problems, read};
use kernel::lifecycle::{
    Act, CheckEnd, Command as LcCommand, Digest, Drawn, Failure, Life, PRD_BYTES_MAX, Phase,
    PlanFault, Rolling, Spent, Verdict, Work,
};
use kernel::rollback::HeadRule;

use super::super::pool::Desk;
use super::super::saved::RollbackArgs;
use super::evidence;
use crate::engine::LifeScene;
use crate::lifecycles::{digest_of, from_document, write};
use crate::rollback::gather;
use crate::shim::durable;

/// Does it; nothing is told if the lifecycle has moved on meanwhile.
pub(super) fn act(desk: &Desk, scene: &LifeScene, act: Act) -> Option<LcCommand> {
    let key = scene.slot.clone();
    match act {
        Act::Import => Some(import(desk, scene)),
        Act::Digest => Some(LcCommand::Digested { key, digests: digests(desk, &scene.life)? }),
        Act::Look => Some(LcCommand::Checked { key, end: look(desk, scene)? }),
        Act::RollbackPlan => {
            let plan = drawn(desk, scene)?;
            Some(LcCommand::RollbackReady { key, plan })
        }
        Act::Archive => {
            let Phase::Archiving(now) = &scene.life.phase else { return None };
            let written = write(&scene.life, now.since, &desk.plan.lifecycles);
            let end = written.map(|record| record.path).map_err(|why| why.to_string());
            Some(LcCommand::Archived { key, end })
        }
    }
}

fn import(desk: &Desk, scene: &LifeScene) -> LcCommand {
    let key = scene.slot.clone();
    match document(&desk.plan.root, &scene.life) {
        Ok((outline, path, digest)) => {
            let plan = from_document(&outline, &path, &digest, &desk.plan.lifecycles);
            let (plan, programs) = (Box::new(plan), Vec::new());
            LcCommand::PlanReady { key, plan, spent: Spent::default(), programs }
        }
        Err(summary) => {
            let failure = Failure {
                code: "E_INVALID_ARGS".to_owned(),
                kind: "plan_document".to_owned(),
                signature: summary.clone(),
                summary,
                repeat: false,
                check: None,
                errors: Vec::new(),
                digest: None,
            };
            let fault = PlanFault { failure, reset_at: None, correctable: false };
            LcCommand::PlanFailed { key, fault: Box::new(fault), spent: Spent::default() }
        }
    }
}

type Read = (kernel::lifecycle::document::plan::Outline, String, String);

/// What a document holds, or each problem with its line.
fn document(root: &Path, life: &Life) -> Result<Read, String> {
    let path = life.body.ask.path.clone().unwrap_or_default();
    let bytes_max = u64::try_from(PRD_BYTES_MAX).unwrap_or(u64::MAX);
    let bytes =
        durable::read(&root.join(&path), bytes_max).map_err(|why| format!("{path}: {why}"))?;
    let outline = read(&bytes).map_err(|problem| problem.coded())?;
    let found = problems(&outline.tasks);
    if !found.is_empty() {
        let lines: Vec<String> = found.iter().map(|problem| problem.coded()).collect();
        return Err(lines.join("\n"));
    }
    let digest = digest_of(root, &path).unwrap_or_default();
    Ok((outline, path, digest))
}

/// The digest of each set of files that evidence speaks of. That of a tree that cannot be read is
/// empty, so that nothing is fresh by what was seen before.
fn digests(desk: &Desk, life: &Life) -> Option<Vec<Digest>> {
    let covers = life.phase.work()?.covers_in_use();
    let mark = desk.mark().ok();
    let of = |covers: &[String]| mark.as_ref().map(|mark| evidence::digest(covers, mark));
    let one = |covers: Vec<String>| Digest { digest: of(&covers).unwrap_or_default(), covers };
    Some(covers.into_iter().map(one).collect())
}

/// Looks whether the files of a task are there, and whether it changed any.
fn look(desk: &Desk, scene: &LifeScene) -> Option<CheckEnd> {
    let (check, users) = evidence::check_of(&scene.life)?;
    let work = scene.life.phase.work()?;
    let fits = users.iter().all(|id| changed(desk, work, id));
    let verdict = if fits { Verdict::Pass } else { Verdict::Fail };
    let mark = match desk.mark() {
        Ok(mark) => mark,
        Err(why) => return Some(CheckEnd::Unavailable { detail: why.to_string() }),
    };
    let made = evidence::looked(scene, &check, verdict, &mark, desk.clock.now());
    Some(CheckEnd::Ran(Box::new(made)))
}

/// Named files exist, and one of them, or any file where none is named, differs from what was kept
/// before the task, whoever changed it.
fn changed(desk: &Desk, work: &Work, id: &str) -> bool {
    let Some(task) = work.task(id) else { return false };
    let named = &task.spec.files;
    let there = |path: &String| desk.plan.root.join(path).exists();
    let kept = task.checkpoint.as_ref();
    let differs = kept.and_then(|name| desk.keeper().diff_now(name).ok()).map(|all| {
        let paths = all.into_iter().map(|one| one.path.text());
        paths.collect::<Vec<String>>()
    });
    // What was not kept, or is not any more, is known by what the task's turns changed.
    let differs = differs.unwrap_or_else(|| task.files_changed.clone());
    let is_named = |path: &String| {
        named.is_empty() || named.iter().any(|name| Path::new(path).starts_with(name))
    };
    named.iter().all(there) && differs.iter().any(is_named)
}

/// Draws the plan of a rollback. What cannot be drawn is told as a report.
fn drawn(desk: &Desk, scene: &LifeScene) -> Option<Result<Drawn, String>> {
    let Phase::Blocked(now) = &scene.life.phase else { return None };
    let Some(Rolling::Plan { id, to, conflicts, .. }) = &now.rolling else { return None };
    let calls = after(desk, &scene.calls, to);
    let args = RollbackArgs {
        checkpoint: to.clone(),
        calls: calls.clone(),
        conflicts: *conflicts,
        head_rule: HeadRule::Same,
        approved: String::new(),
    };
    let rollback_id = format!("{}-rollback-{id}", scene.run);
    let plan = desk.wanted(&args, &rollback_id).map_err(|why| why.to_string()).and_then(|wanted| {
        let keeper = desk.keeper();
        let ground = keeper.ground().map_err(|why| why.to_string())?;
        gather(&keeper, &ground, &wanted).map_err(|why| why.to_string())
    });
    Some(plan.map(|gathered| Drawn { plan_hash: gathered.plan.plan_hash, calls }))
}

/// The calls that came after the one that made this checkpoint; all of them if it is not ours.
fn after(desk: &Desk, calls: &[String], checkpoint: &str) -> Vec<String> {
    let made = |call: &String| {
        super::super::turn::payload(desk, call)["name"].as_str() == Some(checkpoint)
    };
    let from = calls.iter().position(made).map_or(0, |at| at + 1);
    calls.get(from..).unwrap_or_default().to_vec()
}
