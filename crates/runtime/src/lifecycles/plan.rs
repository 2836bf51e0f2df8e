//! Plans of lifecycles: made of a planner's steps or of a document, with the checks in force and
//! what is dangerous about them. Whether one is valid is the kernel's to say.

use std::path::Path;

use kernel::lifecycle::document::plan::{Item, Outline};
use kernel::lifecycle::{Check, CheckSource, Finding, PRD_BYTES_MAX, Plan, Spec, Spent, Verify};
use kernel::policy::{Asker, Run};
use kernel::turn::{self, ArtifactKind, split};
use kernel::{hash, loops};

use super::form::Around;
use crate::checks::{self, EVERYTHING};
use crate::policy::{Flow, Judge};
use crate::shim::durable;

/// SHA-256 of a document below the root; none if it cannot be read.
#[must_use]
pub fn digest_of(root: &Path, path: &str) -> Option<String> {
    let bytes_max = u64::try_from(PRD_BYTES_MAX).unwrap_or(u64::MAX);
    durable::read(&root.join(path), bytes_max).ok().map(|bytes| hash::sha256_hex(&bytes))
}

/// The plan that a planner's steps make.
#[must_use]
pub fn from_turn(plan: &turn::Plan, around: &Around) -> Plan {
    let tasks = plan.steps.iter().map(|step| {
        let of = |kind| {
            let all = step.expected_artifacts.iter().filter(move |one| one.kind == kind);
            all.map(|one| one.value.clone()).collect::<Vec<_>>()
        };
        let mut spec = Spec {
            id: step.step_id.clone(),
            title: step.title.clone(),
            detail: step.intent.clone(),
            files: of(ArtifactKind::File),
            depends: plan.needs(step).into_iter().map(str::to_owned).collect(),
            acceptance: of(ArtifactKind::Note),
            verify: lines(&step.verify, around),
            ..Spec::default()
        };
        own_checks(&around.root, &mut spec);
        spec
    });
    let own: Vec<Check> =
        plan.verification.commands.iter().filter_map(|line| of_line(line, around)).collect();
    let made = Plan {
        revision: 1,
        goal: plan.goal.clone(),
        constraints: plan.constraints.clone(),
        tasks: tasks.collect(),
        checks: in_force(&own, around),
        findings: Vec::new(),
        path: None,
        source_digest: None,
        warnings: Vec::new(),
    };
    judged(made, &around.judge)
}

/// What a turn spent, without the turn itself.
#[must_use]
pub fn spent_by(state: &turn::State, ledger: turn::Ledger) -> Spent {
    let wall_ms = state.life().map_or(0, |life| life.body.clock.active_ms);
    let turn::Ledger { cost_micros, tokens, .. } = ledger;
    Spent { turns: 0, wall_ms, cost_micros, tokens }
}

/// The plan that a document holds.
#[must_use]
pub fn from_document(outline: &Outline, path: &str, digest: &str, around: &Around) -> Plan {
    let made = Plan {
        revision: 1,
        goal: outline.goal.clone(),
        constraints: Vec::new(),
        tasks: outline.tasks.iter().map(|item| spec(item, around)).collect(),
        checks: in_force(&[], around),
        findings: Vec::new(),
        path: Some(path.to_owned()),
        source_digest: Some(digest.to_owned()),
        warnings: outline
            .warnings
            .iter()
            .map(|warning| format!("{}: {} {}", warning.line, warning.what.word(), warning.found))
            .collect(),
    };
    judged(made, &around.judge)
}

fn spec(item: &Item, around: &Around) -> Spec {
    let mut spec = Spec {
        id: item.id.clone(),
        title: item.title.clone(),
        detail: item.detail.join("\n"),
        files: item.files.clone(),
        depends: item.depends.clone(),
        priority: item.priority,
        verify: lines(&item.verify, around),
        acceptance: item.acceptance.clone(),
        claimed: item.claimed(),
    };
    own_checks(&around.root, &mut spec);
    spec
}

fn judged(plan: Plan, judge: &Judge) -> Plan {
    let findings = findings(judge, plan.all_checks());
    Plan { findings, ..plan }
}

/// What is dangerous about the commands of these checks.
pub fn findings<'a>(judge: &Judge, checks: impl Iterator<Item = &'a Check>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for check in checks {
        let run = Run::argv(check.argv.clone(), &check.cwd);
        let shown = judge.command(run, Asker::Agent, &Flow::default()).shown;
        for risk in shown.into_iter().flat_map(|shown| shown.risks) {
            if !found.iter().any(|known| known.risk_hash == risk.hash) {
                found.push(Finding {
                    class: risk.risk.word().to_owned(),
                    what: risk.evidence,
                    task: check.id.split_once('/').map(|(task, _)| task.to_owned()),
                    risk_hash: risk.hash,
                });
            }
        }
    }
    found
}

fn lines(lines: &[String], around: &Around) -> Verify {
    let checks: Vec<Check> = lines.iter().filter_map(|line| of_line(line, around)).collect();
    if checks.is_empty() { Verify::Inherit } else { Verify::Checks(checks) }
}

fn of_line(line: &str, around: &Around) -> Option<Check> {
    let argv = split(line).ok()?;
    Some(Check {
        id: line.to_owned(),
        argv,
        cwd: ".".to_owned(),
        level: loops::Level::Custom,
        required: true,
        timeout_s: seconds(around.checks.timeout_ms),
        covers: vec![EVERYTHING.to_owned()],
        source: CheckSource::Plan,
        definition_hash: None,
    })
}

const fn seconds(ms: u64) -> u64 {
    ms.div_ceil(1000)
}

/// Gives the checks of a task that a person wrote the settings' time: lines name none.
pub fn timed(timeout_ms: u64, spec: &mut Spec) {
    let Verify::Checks(checks) = &mut spec.verify else { return };
    checks.iter_mut().for_each(|check| check.timeout_s = seconds(timeout_ms));
}

/// Gives the checks of a task ids of its own, and what they stand for now.
pub fn own_checks(root: &Path, spec: &mut Spec) {
    let Verify::Checks(checks) = &mut spec.verify else { return };
    for (n, check) in checks.iter_mut().enumerate() {
        check.id = format!("{}/{}", spec.id, n + 1);
        check.source = CheckSource::Task;
        check.definition_hash = definition(root, check);
    }
}

/// What a check's command stands for now, where a file of the tree decides it.
#[must_use]
pub(crate) fn definition(root: &Path, check: &Check) -> Option<String> {
    checks::definition(root, &check.cwd, &check.argv)
}

/// What the command of a check that ran stood for, as far as that counts. A script that was not
/// there when the plan was approved is the task's own work, and changes nothing of what was
/// approved.
#[must_use]
pub(crate) fn meant(check: &Check, definition: Option<String>) -> Option<String> {
    let own_work = check.definition_hash.is_none() && checks::is_interpreted(&check.argv);
    definition.filter(|_| !own_work)
}

/// The checks of tasks that have none of their own: the settings', else the plan's, else what the
/// workspace has.
fn in_force(own: &[Check], around: &Around) -> Vec<Check> {
    let sources = &around.checks;
    let known = |check: checks::Check, source| Check {
        id: check.id,
        argv: check.argv,
        cwd: check.cwd,
        level: check.level,
        required: check.required,
        timeout_s: seconds(check.timeout_ms),
        covers: check.covers,
        source,
        definition_hash: None,
    };
    let mut all: Vec<Check> = if !sources.of_verify.is_empty() {
        let all = checks::of_settings(&sources.of_verify, sources.timeout_ms);
        all.into_iter().map(|check| known(check, CheckSource::Config)).collect()
    } else if !own.is_empty() {
        own.to_vec()
    } else {
        let all = checks::detected(&around.root, sources);
        all.into_iter().map(|check| known(check, CheckSource::Detected)).collect()
    };
    for check in &mut all {
        check.definition_hash = definition(&around.root, check);
    }
    all
}
