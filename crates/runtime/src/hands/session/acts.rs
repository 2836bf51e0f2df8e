//! Looks for sessions: checks, checkpoints, what was changed, and the report of a flow. What is
//! looked at is not changed; the report alone is written, below `.loop/`.

use std::collections::BTreeSet;
use std::io::Read as _;

use kernel::loops::Level;
use kernel::paths::Rel;
use kernel::policy::risk::{Level as RiskLevel, Risk as Kind};
use kernel::session::{Act, Found, Gave, JobKind, Outcome, Risk, Target, in_line, risk_of_line};

use super::super::commits;
use super::super::pool::Desk;
use super::base::{job_of, setup_of};
use super::{base, failed, report, rolled};
use crate::checks;
use crate::engine::Sitting;
use crate::files::Root;
use crate::turns::changes::{self, Places};
use crate::turns::looked;

/// A changed file that is larger is not looked through.
const SCANNED_BYTES_MAX: u64 = 1 << 20;

/// Looks.
pub(super) fn look(desk: &Desk, sitting: &Sitting, act: &Act) -> Outcome {
    let gave = match act {
        Act::Checks => Gave::Found(tests(desk, &[])),
        Act::Detect(JobKind::Test) => Gave::Found(tests(desk, &flags(sitting))),
        Act::Detect(JobKind::Review) => {
            Gave::Found(Found::Review { has_git: desk.plan.root.join(".git").exists() })
        }
        Act::Detect(JobKind::Validate) => Gave::Found(Found::Validate),
        Act::Detect(JobKind::Rollback) => return targets(desk),
        Act::Scan { paths } => Gave::Risks(scan(desk, sitting, paths)),
        Act::Accept => return report::write(desk, sitting),
        Act::Kb => return base::kb(desk, sitting),
        Act::List => return base::pickable(desk, sitting),
        Act::Leftovers => return base::list(desk, sitting),
        Act::Package { name, marks } => return base::package(desk, sitting, name, *marks),
        Act::Validate { scope } => return base::validate(desk, scope),
        Act::RollbackPlan { target } => return rolled::plan(desk, sitting, target),
        Act::Detect(
            kind @ (JobKind::Init | JobKind::Upgrade | JobKind::Clean | JobKind::Commit),
        ) => return base::detect(desk, sitting, *kind),
    };
    Outcome::Ok(Box::new(gave))
}

fn flags(sitting: &Sitting) -> Vec<String> {
    job_of(&sitting.life, &sitting.slot).map(|job| job.flags.clone()).unwrap_or_default()
}

/// The project's checks that are tests; of one framework if one is named.
fn tests(desk: &Desk, flags: &[String]) -> Found {
    let mut found = checks::for_loop(&desk.plan.root, &desk.plan.checks);
    found.retain(|check| check.level == Level::Test);
    if let Some(name) = flags.iter().find_map(|flag| flag.strip_prefix("--framework=")) {
        found.retain(|check| check.id.contains(name) || check.parser == name);
    }
    Found::Test { checks: found }
}

/// The checkpoints, the newest first.
fn targets(desk: &Desk) -> Outcome {
    let listed = match desk.keeper().list() {
        Ok(listed) => listed,
        Err(why) => return failed("E_IO", "checkpoints", &why.to_string()),
    };
    let of = |one: &crate::checkpoints::Listed| Target {
        id: one.name.clone(),
        summary: one.label.clone().unwrap_or_default(),
        files: Some(one.files),
    };
    let targets = listed.iter().rev().map(of).collect();
    let found = Found::Rollback { targets, plan: None, target: None };
    Outcome::Ok(Box::new(Gave::Found(found)))
}

/// Risks in the lines that a flow added: secrets, and what the kernel knows of.
fn scan(desk: &Desk, sitting: &Sitting, paths: &[String]) -> Vec<Risk> {
    let Ok(root) = desk.plan.hold() else { return Vec::new() };
    let extra = setup_of(&sitting.life).map(|setup| setup.extra.clone()).unwrap_or_default();
    let keeper = desk.keeper();
    let places = Places { loop_dir: &desk.plan.loop_dir, root: &root, keeper: Some(&*keeper) };
    let mut before = changes::before(&sitting.changes, places);
    let mut risks = Vec::new();
    for path in paths {
        let Some(text) = text_of(&root, path) else { continue };
        // What stood there before the flow is not its own, be it committed or not.
        let stood = before.remove(path).flatten();
        let known = match stood {
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            None => committed(desk, path),
        };
        let known: BTreeSet<&str> = known.lines().map(str::trim).collect();
        for line in text.lines().filter(|line| !known.contains(line.trim())) {
            let clean = desk.plan.redactor.redact_text(line);
            if clean != line {
                let level = RiskLevel::High;
                risks.push(risk_of_line(Kind::Sensitive, level, path, clean.trim()));
            } else {
                risks.extend(in_line(path, line, &extra));
            }
        }
    }
    risks
}

/// The file as it was committed last; empty where it was not.
pub(super) fn committed(desk: &Desk, path: &str) -> String {
    let Ok(git) = commits::git(desk) else { return String::new() };
    let name = format!("HEAD:./{path}");
    let told = looked(&git, &desk.plan.root, &desk.plan.extra, &["show", &name]);
    String::from_utf8_lossy(&told.unwrap_or_default()).into_owned()
}

fn text_of(root: &Root, path: &str) -> Option<String> {
    let opened = root.open_file(&Rel::file(path).ok()?).ok()?;
    let mut bytes = Vec::new();
    opened.file.take(SCANNED_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}
