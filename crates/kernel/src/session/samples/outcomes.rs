//! Every kind of outcome that something owed can have, labelled. Which of them fits a slot is for
//! the rows to say.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::super::bounds::{BRANCH_CHANGED, PACKAGE_CHANGED};
use super::super::ended::{
    Checked, DevelopEnd, Developed, Gave, Kb, KbState, Listed, Outcome, Report, Task, Tests,
    TurnEnd, Turned,
};
use super::super::job::{Found, Target};
use super::super::risk;
use super::super::state::Said;
use super::super::text::Text;
use crate::call::Failure;
use crate::loops::{Check, Level};

type Sample = (&'static str, Outcome);

/// Every kind of outcome.
#[must_use]
pub fn outcomes() -> Vec<Sample> {
    let mut all: Vec<Sample> = Vec::new();
    for group in [knowledge, packages, children, looks, jobs] {
        all.extend(group().into_iter().map(|(label, gave)| (label, Outcome::Ok(Box::new(gave)))));
    }
    let failed = |code: &str, kind: &str| {
        let (code, kind) = (code.to_string(), kind.to_string());
        Outcome::Failed(Failure { code, kind, detail: String::new() })
    };
    all.push(("Told failed", failed("E_IO", "not_found")));
    all.push(("Told package edited", failed(PACKAGE_CHANGED, "")));
    all.push(("Told elsewhere", failed(BRANCH_CHANGED, "")));
    all.push(("Told stopped", Outcome::Stopped));
    all
}

fn knowledge() -> Vec<(&'static str, Gave)> {
    let kb = |state, sources| {
        let (root, ambiguous) = ("loopwright".to_string(), Vec::new());
        Gave::Kb(Kb { root, state, sources, ambiguous })
    };
    vec![
        ("Told kb ok", kb(KbState::Ok, true)),
        ("Told kb absent", kb(KbState::Absent, true)),
        ("Told kb heavy", kb(KbState::Heavy, true)),
        ("Told no sources", kb(KbState::Absent, false)),
    ]
}

/// A package that can be run.
fn checked() -> Checked {
    let task = Task {
        id: "1.1".to_string(),
        title: "add it".to_string(),
        verify: Some("cargo test".to_string()),
        depends: Vec::new(),
        done: false,
    };
    Checked {
        name: "202601221030_login".to_string(),
        path: "loopwright/plan/202601221030_login".to_string(),
        valid: true,
        executable: true,
        overview: false,
        foreign_marks: false,
        adopt: false,
        issues: Vec::new(),
        text: String::new(),
        hash: "h1".to_string(),
        tasks: vec![task],
    }
}

fn packages() -> Vec<(&'static str, Gave)> {
    let of = |change: fn(&mut Checked)| {
        let mut one = checked();
        change(&mut one);
        Gave::Checked(Box::new(one))
    };
    let listed = |name: &str| Listed {
        name: name.to_string(),
        path: alloc::format!("loopwright/plan/{name}"),
        summary: String::new(),
    };
    let report = |success| {
        let told = json!({
            "context": { "package": checked().name, "path": checked().path },
            "error_message": if success { Value::Null } else { json!("E_IO") },
            "call_id": "call-1",
        });
        Gave::Report(Report { success, told })
    };
    let left = json!({
        "context": { "state": "old", "conflicts": ["context.md"] }, "call_id": "call-1",
    });
    vec![
        ("Told report done", report(true)),
        ("Told report failed", report(false)),
        ("Told report left", Gave::Report(Report { success: true, told: left })),
        ("Told package executable", of(|_| {})),
        ("Told package changed", of(|one| one.hash = "h2".to_string())),
        ("Told package not executable", of(|one| one.executable = false)),
        ("Told package invalid", of(|one| (one.valid, one.executable) = (false, false))),
        ("Told package overview", of(|one| (one.overview, one.executable) = (true, false))),
        ("Told package marks", of(|one| one.foreign_marks = true)),
        ("Told package of others", of(|one| one.adopt = true)),
        ("Told package risky", of(|one| one.tasks[0].title = "run rm -rf /".to_string())),
        ("Told no packages", Gave::Packages(Vec::new())),
        ("Told one package", Gave::Packages(vec![listed("202601221030_login")])),
        ("Told two packages", Gave::Packages(vec![listed("a"), listed("b")])),
    ]
}

fn children() -> Vec<(&'static str, Gave)> {
    let developed = |end, undone: &[&str]| {
        let undone = undone.iter().map(ToString::to_string).collect();
        let (done, changed) = (vec!["1.1".to_string()], vec!["src/a.rs".to_string()]);
        Gave::Developed(Developed { end, done, undone, failed: Vec::new(), changed })
    };
    let turned = |end| {
        let changed = vec!["src/a.rs".to_string()];
        let run = "turn-1".to_string();
        Gave::Turned(Turned { run, end, changed, summary: String::new() })
    };
    let outgrown = |risky| TurnEnd::Outgrown { rule: "change_limit".to_string(), risky };
    let failed = TurnEnd::Failed { code: "E_MODEL".to_string(), detail: String::new() };
    vec![
        ("Told developed", developed(DevelopEnd::Completed, &[])),
        ("Told developed in part", developed(DevelopEnd::Partial, &["1.2"])),
        ("Told aborted", developed(DevelopEnd::Aborted, &[])),
        ("Told rolled back", developed(DevelopEnd::RolledBack, &[])),
        ("Told turn done", turned(TurnEnd::Completed)),
        ("Told turn outgrown", turned(outgrown(false))),
        ("Told turn risky", turned(outgrown(true))),
        ("Told turn lost", turned(TurnEnd::NotFound)),
        ("Told turn cancelled", turned(TurnEnd::Cancelled)),
        ("Told turn failed", turned(failed)),
    ]
}

fn check() -> Check {
    Check {
        id: "cargo".to_string(),
        argv: vec!["cargo".to_string(), "test".to_string()],
        cwd: ".".to_string(),
        level: Level::Test,
        required: true,
        timeout_ms: 60_000,
        parser: "cargo".to_string(),
        collect: Vec::new(),
        definition_hash: None,
    }
}

fn looks() -> Vec<(&'static str, Gave)> {
    let said = Said { call: "call-1".to_string(), sha256: "ab".to_string() };
    let tests = |green| {
        let ran = vec!["cargo test".to_string()];
        Gave::Tests(Tests { green, failed: u64::from(!green), ran, ..Tests::default() })
    };
    let draft = json!({ "feature": "login", "type": "implementation", "tasks": [] });
    let risks = risk::operations(&Text::of("run rm -rf /tmp/x"), &[]);
    vec![
        ("Told words", Gave::Words(said)),
        ("Told draft", Gave::Value(draft)),
        ("Told findings", Gave::Value(json!({ "findings": [{ "severity": "critical" }] }))),
        ("Told tests green", tests(true)),
        ("Told tests red", tests(false)),
        ("Told no risks", Gave::Risks(Vec::new())),
        ("Told risks", Gave::Risks(risks)),
        ("Told done", Gave::Done(json!({}))),
        ("Told conflicts", Gave::Done(json!({ "conflicts": ["src/a.rs"] }))),
        ("Told bad", Gave::Done(json!({ "findings": [{ "severity": "Critical" }] }))),
    ]
}

fn jobs() -> Vec<(&'static str, Gave)> {
    let init = |state, sources| Found::Init { root: "loopwright".to_string(), state, sources };
    let upgrade = |state| Found::Upgrade {
        root: "loopwright".to_string(),
        state,
        plan_hash: "p1".to_string(),
        plan: json!({}),
    };
    let commit = |nothing| {
        let message = "fix: x".to_string();
        Found::Commit { commit: json!({ "paths": ["a"] }), message, nothing }
    };
    let target = Target { id: "cp-1".to_string(), summary: "before".to_string(), files: Some(1) };
    let rollback = |targets| Found::Rollback { targets, plan: None, target: None };
    let clean = |names: Vec<String>| Found::Clean { names, plan: json!({}) };
    let all = vec![
        ("Told init absent", init(KbState::Absent, true)),
        ("Told init partial", init(KbState::Partial, true)),
        ("Told init old", init(KbState::Old, true)),
        ("Told init complete", init(KbState::Ok, true)),
        ("Told init empty", init(KbState::Absent, false)),
        ("Told upgrade", upgrade(KbState::Old)),
        ("Told nothing to upgrade", upgrade(KbState::Ok)),
        ("Told clean", clean(vec!["a".to_string()])),
        ("Told nothing to clean", clean(Vec::new())),
        ("Told checks", Found::Test { checks: vec![check()] }),
        ("Told no checks", Found::Test { checks: Vec::new() }),
        ("Told commit", commit(false)),
        ("Told nothing to commit", commit(true)),
        ("Told review", Found::Review { has_git: true }),
        ("Told validate", Found::Validate),
        ("Told targets", rollback(vec![target])),
        ("Told no targets", rollback(Vec::new())),
    ];
    all.into_iter().map(|(label, found)| (label, Gave::Found(found))).collect()
}
