//! Evidence of checks: what ran, what it printed, and the digest of the files it speaks of.

use kernel::call::{Exit, Prep};
use kernel::lifecycle::{
    Check, Doing, Evidence, EvidenceKind, FixStep, Life, Phase, Step, Verdict, signature,
};
use kernel::machine::At;
use kernel::policy::glob;
use kernel::turn::{CheckResult, CheckVerdict};

use super::super::pool::Desk;
use super::super::turn::checked;
use crate::engine::LifeScene;
use crate::lifecycles::{definition, meant};
use crate::shim::durable;
use crate::tree::Mark;

/// What is read of the end of an output: far more than the lines that are looked at.
const TAIL_BYTES_MAX: u64 = 64 << 10;

/// The digest of the files that these patterns name.
pub(super) fn digest(covers: &[String], mark: &Mark) -> String {
    let covered = |path: &[u8]| {
        let path = String::from_utf8_lossy(path);
        covers.iter().any(|pattern| glob::path(pattern, &path))
    };
    mark.digest_where(covered).to_string()
}

/// The check that the step under way runs, and the tasks that it is for.
pub(super) fn check_of(life: &Life) -> Option<(Check, Vec<String>)> {
    let work = life.phase.work()?;
    let of_task = |id: &str, i: u32| {
        let checks = work.checks_of(work.task(id)?);
        Some((checks.get(usize::try_from(i).ok()?)?.clone(), vec![id.to_owned()]))
    };
    match &life.phase {
        Phase::Executing(now) => match &now.doing {
            Doing::Task { task, step: Step::Check { i, .. } } => of_task(task, *i),
            Doing::SealCheck { i, stale, .. } => work.check(stale.get(usize::try_from(*i).ok()?)?),
            Doing::Task { step: Step::Save { .. } | Step::Turn { .. }, .. }
            | Doing::Seal { .. } => None,
        },
        Phase::AutoFix(fix) => match &fix.step {
            FixStep::Check { i, .. } => of_task(&fix.task, *i),
            FixStep::Turn { .. } => None,
        },
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Confirming(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => None,
    }
}

/// A record of a check with nothing known yet.
fn bare(id: &str, life: &Life, check: &Check) -> Evidence {
    Evidence {
        evidence_id: id.to_owned(),
        task_id: life.phase.current_task().map(str::to_owned),
        check_id: check.id.clone(),
        kind: EvidenceKind::Command,
        argv: check.argv.clone(),
        cwd: check.cwd.clone(),
        env_names: Vec::new(),
        call_id: None,
        exit_code: None,
        signal: None,
        verdict: Verdict::NotRun,
        started_at: At(0),
        ended_at: At(0),
        covers: check.covers.clone(),
        digest: String::new(),
        tests: None,
        errors: Vec::new(),
        signature: None,
        sandbox: "none".to_owned(),
        definition_hash: None,
        void: false,
        flaky: false,
    }
}

/// A look at files.
pub(super) fn looked(
    scene: &LifeScene,
    check: &Check,
    verdict: Verdict,
    mark: &Mark,
    at: At,
) -> Evidence {
    let signature =
        (verdict != Verdict::Pass).then(|| signature::signature(&check.id, verdict, &[], "", ""));
    Evidence {
        kind: EvidenceKind::Artifact,
        verdict,
        digest: digest(&check.covers, mark),
        signature,
        started_at: at,
        ended_at: at,
        ..bare(&scene.slot, &scene.life, check)
    }
}

/// A check that ran as a call of the lifecycle's own.
pub(super) fn ran(
    desk: &Desk,
    scene: &LifeScene,
    check: &Check,
    call: &str,
    (exit, prep): (&Exit, Option<&Prep>),
) -> Evidence {
    let read = checked::look(desk, check.level, &check.argv, call, exit);
    let of = |mark: Option<&str>| {
        let mark = super::super::turn::mark(desk, mark);
        mark.map(|mark| digest(&check.covers, &mark)).unwrap_or_default()
    };
    let before = of(prep.and_then(|prep| prep.tree_before.as_deref()));
    let after = of(exit.tree_after.as_deref());
    let moved = before.is_empty() || after.is_empty() || before != after;
    let verdict = checked::judged(&read, exit, moved);
    Evidence {
        call_id: Some(call.to_owned()),
        exit_code: exit.exit_code,
        signal: exit.signal,
        verdict,
        started_at: exit.started_at,
        ended_at: exit.ended_at,
        digest: after,
        tests: checked::tests(&read),
        errors: checked::errors(desk, &read),
        signature: known_by(desk, check, verdict, &checked::errors(desk, &read), call),
        sandbox: exit.sandbox.clone(),
        definition_hash: meant(check, definition(&desk.plan.root, check)),
        ..bare(&scene.slot, &scene.life, check)
    }
}

fn known_by(
    desk: &Desk,
    check: &Check,
    verdict: Verdict,
    errors: &[kernel::lifecycle::CheckError],
    call: &str,
) -> Option<String> {
    if verdict == Verdict::Pass {
        return None;
    }
    let dir = desk.call_dir(call);
    let text = |name: &str| {
        let bytes = durable::read_tail(&dir.join(name), TAIL_BYTES_MAX);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let tail = format!("{}\n{}", text("stdout"), text("stderr"));
    let root = format!("{}/", desk.plan.root.display());
    Some(signature::signature(&check.id, verdict, errors, &tail, &root))
}

/// A check that a turn ran for the lifecycle.
pub(super) fn within_turn(
    desk: &Desk,
    scene: &LifeScene,
    check: &Check,
    result: &CheckResult,
    call: Option<(&str, &Exit)>,
) -> Evidence {
    let id = format!("{}#{}", scene.slot, check.id);
    let signature =
        call.and_then(|(call, _)| known_by(desk, check, result.verdict, &result.errors, call));
    let times = call.map(|(_, exit)| (exit.started_at, exit.ended_at));
    let (started_at, ended_at) = times.unwrap_or((At(0), At(0)));
    Evidence {
        call_id: call.map(|(call, _)| call.to_owned()),
        exit_code: result.exit_code,
        signal: call.and_then(|(_, exit)| exit.signal),
        verdict: result.verdict,
        started_at,
        ended_at,
        digest: result.digest.clone(),
        tests: result.tests,
        errors: result.errors.clone(),
        signature: signature.filter(|_| result.verdict != CheckVerdict::Pass),
        sandbox: call.map_or_else(|| "none".to_owned(), |(_, exit)| exit.sandbox.clone()),
        definition_hash: meant(check, result.definition_hash.clone()),
        ..bare(&id, &scene.life, check)
    }
}
