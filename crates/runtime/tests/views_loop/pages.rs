//! The progress pages, as text.

use std::sync::Arc;

use kernel::loops::{
    ActionRecord, ActionResult, Command, Counts, Debug, Driver, Hypothesis, HypothesisStatus, Kind,
    Leg, LegChange, Life, Progress, RECORDS_KEPT, RunRecord, State, TaskStatus, TestResult,
    TestStatus, Validation, Verdict, Work,
};
use kernel::machine::At;
use loopwright_runtime::views::{View, draw_all};
use loopwright_runtime::words::Lang;

use super::world::{World, start};

fn record(n: u32, kind: Kind, result: ActionResult) -> ActionRecord {
    ActionRecord {
        n,
        iteration: n,
        kind,
        rule: "A5".into(),
        task: (kind == Kind::Develop).then(|| format!("task-00{n}")),
        child: None,
        started_at: At(1_769_047_200_000 + u64::from(n) * 60_000),
        ended_at: At(1_769_047_230_000 + u64::from(n) * 60_000),
        result,
        counted: true,
        summary: if n == 1 { "Wrote it.\n# Not a heading -->".into() } else { String::new() },
        files_changed: if n == 1 { vec!["src/a.rs".into()] } else { vec![] },
        changes: vec![],
        run: None,
    }
}

fn hypothesis(n: u32, status: HypothesisStatus) -> Hypothesis {
    Hypothesis {
        id: format!("H{n}"),
        description: format!("Cause {n}"),
        testable_condition: "x is null".into(),
        logging_point: "src/a.rs:login:3".into(),
        confirm: "seen".into(),
        reject: "not seen".into(),
        likelihood: n,
        status,
        evidence: (status == HypothesisStatus::Confirmed).then(|| serde_json::json!({"lines": 2})),
        verdict_reason: (status != HypothesisStatus::Pending).then(|| "the log says so".into()),
        problem: "tests:x".into(),
        round: 1,
    }
}

fn validation() -> Validation {
    Validation {
        verdict: Verdict::Failed,
        counts: Counts { total: 3, passed: 2, failed: 1, skipped: 0 },
        pass_rate_tenths: 666,
        pass_rate_known: true,
        coverage_tenths: 0,
        coverage_available: false,
        results: vec![TestResult {
            test_name: "logs_in".into(),
            suite: "auth".into(),
            status: TestStatus::Failed,
            duration_ms: 4,
            error_message: Some("assertion failed\n## Validation Decision".into()),
            stack_trace: None,
        }],
        truncated: false,
        failed_tests: vec!["logs_in".into()],
        argv: vec![vec!["cargo".into(), "test".into()]],
        digest: "d1".into(),
        accept_hash: String::new(),
        acceptable: false,
        warnings: vec![],
        red: vec![],
        fresh: true,
        duration_ms: 1234,
        at: At(1_769_047_230_000 + 4 * 60_000),
    }
}

pub fn life() -> Life {
    let mut world = World::created();
    world.person(start(Driver::Engine));
    world.person(Command::Stop { why: None });
    let State::Alive(life) = world.state else { panic!("alive") };
    let mut life = *life;
    let course = life.body.course().expect("begun").clone();
    let debug = Debug {
        active_bug: Some("logs_in: assertion failed".into()),
        hypotheses: vec![
            hypothesis(1, HypothesisStatus::Confirmed),
            hypothesis(2, HypothesisStatus::Rejected),
        ],
        confirmed: Some("H1".into()),
        iteration: 1,
        ..Debug::default()
    };
    let work = Work { debug, validation: Some(validation()), ..Work::default() };
    life.body.progress = Progress::Ready { course, work };
    Arc::make_mut(&mut life.body.tasks[0]).status =
        TaskStatus::Completed { at: At(1_769_047_290_000) };
    Arc::make_mut(&mut life.body.tasks[1]).status =
        TaskStatus::Failed { at: At(1_769_047_350_000), error: "no luck".into() };
    life.body.records = vec![
        record(1, Kind::Develop, ActionResult::Ok),
        record(2, Kind::Develop, ActionResult::Failed { message: "no luck".into() }),
        record(3, Kind::Debug, ActionResult::Ok),
        record(4, Kind::Validate, ActionResult::Ok),
    ];
    life
}

/// The same loop, started by one who speaks this.
pub fn spoken(life: &Life, lang: Lang) -> Life {
    let mut life = life.clone();
    match &mut life.body.progress {
        Progress::Fresh => panic!("nobody started it"),
        Progress::Begun { course, .. } | Progress::Ready { course, .. } => {
            course.settings.lang = lang.tag().to_owned();
        }
    }
    life
}

/// A page without its last line, and that line.
fn page(life: &Life, view: View, lang: Lang) -> (String, String) {
    let all = draw_all(&spoken(life, lang), 9);
    let bytes = all.into_iter().find(|(one, _)| *one == view).expect("drawn").1;
    let text = String::from_utf8(bytes).expect("text");
    let (body, last) = text.trim_end_matches('\n').rsplit_once('\n').expect("lines");
    (body.to_owned(), last.to_owned())
}

#[track_caller]
fn check(found: &str, expected: &str) {
    let expected = expected.replace("LOOP", super::world::ID);
    assert!(found.trim_end() == expected.trim(), "found:\n{found}\nexpected:\n{expected}");
}

#[test]
fn develop_page() {
    let (body, last) = page(&life(), View::Develop, Lang::En);
    check(&body, DEVELOP);
    let json = last.strip_prefix("<!-- loopwright:develop ").and_then(|l| l.strip_suffix(" -->"));
    let part: serde_json::Value = serde_json::from_str(json.expect("a comment")).expect("JSON");
    assert_eq!(part["tasks"][0]["id"], "task-001");
    assert!(!json.expect("a comment").contains("--"));
}

const DEVELOP: &str = "\
# Development Progress

**Loop ID**: LOOP
**Task**: Add login/logout
**Started**: 2026-01-22T02:00:01.000Z

## Task List

1. [x] Do part 1
2. [!] Do part 2

## Progress Timeline

### Iteration 1 - Do part 1 (2026-01-22T02:01:30.000Z)

#### Task Details

- **ID**: task-001
- **Tool**: bash
- **Mode**: write

#### Implementation Summary

> Wrote it.
> # Not a heading -->

#### Files Changed

- `src/a.rs`

#### Status: COMPLETED

### Iteration 2 - Do part 2 (2026-01-22T02:02:30.000Z)

#### Task Details

- **ID**: task-002
- **Tool**: bash
- **Mode**: write

#### Implementation Summary

It failed: no luck

#### Files Changed

- No files changed

#### Status: FAILED

## Current Statistics

- **Total Tasks**: 2
- **Completed**: 1
- **In Progress**: 0
- **Pending**: 0
- **Progress**: 50%
";

#[test]
fn debug_page() {
    let (body, last) = page(&life(), View::Debug, Lang::En);
    check(&body, DEBUG);
    assert!(last.starts_with("<!-- loopwright:debug {\"active_bug\":"), "{last}");
}

const DEBUG: &str = "\
# Understanding Document

**Loop ID**: LOOP
**Bug Description**: logs_in: assertion failed
**Started**: 2026-01-22T02:00:01.000Z

## Exploration Timeline

### Iteration 1 - Initial Exploration (2026-01-22T02:03:00.000Z)

#### Hypotheses

**H1**: Cause 1

- Testable condition: x is null
- Logging point: src/a.rs:login:3
- Likelihood: 1

**H2**: Cause 2

- Testable condition: x is null
- Logging point: src/a.rs:login:3
- Likelihood: 2

### Iteration 1 - Evidence Analysis (2026-01-22T02:03:30.000Z)

#### Log Analysis Results

**H1**: CONFIRMED

- Evidence: {\"lines\":2}
- Reasoning: the log says so

**H2**: REJECTED

- Evidence: null
- Reasoning: the log says so

#### Root Cause Identified

H1 is the root cause: Cause 1

## Current Consolidated Understanding

1 confirmed, 1 rejected, 0 open.
H1 is the root cause: Cause 1
A task to fix it was added.
";

#[test]
fn validate_page() {
    let (body, last) = page(&life(), View::Validate, Lang::En);
    check(&body, VALIDATE);
    assert!(last.starts_with("<!-- loopwright:validate {\"pass_rate\":66.6,"), "{last}");
}

/// Of a validation that another one has replaced the numbers stay, and what failed; the last run is
/// still the last one for whoever reads the page back.
#[test]
fn earlier_validations_keep_their_numbers() {
    let mut life = life();
    let counts = Counts { total: 25, passed: 2, failed: 22, skipped: 1 };
    let failed_tests: Vec<String> = (1..=22).map(|n| format!("t{n}")).collect();
    let before = Validation {
        counts,
        failed_tests,
        pass_rate_tenths: 83,
        coverage_tenths: 712,
        coverage_available: true,
        ..validation()
    };
    let mut earlier = record(2, Kind::Validate, ActionResult::Ok);
    earlier.run = Some(Box::new(RunRecord::of(&before)));
    life.body.records[1] = earlier;
    let (body, _) = page(&life, View::Validate, Lang::En);
    let (first, last) = body.split_once("## Iteration 4 - Validation Run").expect("two runs");
    let names = (1..=20).fold(String::new(), |text, n| format!("{text}- t{n}\n"));
    let expected = format!(
        "## Iteration 2 - Validation Run\n\n### Test Execution Summary\n\n\
         - **Total Tests**: 25\n- **Passed**: 2\n- **Failed**: 22\n- **Skipped**: 1\n\
         - **Duration**: 1234 ms\n- **Pass Rate**: 8.3%\n\n\
         ### Coverage Report\n\n**Overall Coverage**: 71.2%\n\n\
         ### Failed Tests\n\n{names}… and 2 more.\n\n"
    );
    assert!(first.ends_with(&expected), "{first}");
    assert!(last.contains("- **Total Tests**: 3\n"), "{last}");
}

const VALIDATE: &str = "\
# Validation Report

**Loop ID**: LOOP
**Task**: Add login/logout
**Validated**: 2026-01-22T02:04:30.000Z

## Iteration 4 - Validation Run

### Test Execution Summary

- **Total Tests**: 3
- **Passed**: 2
- **Failed**: 1
- **Skipped**: 0
- **Duration**: 1234 ms
- **Pass Rate**: 66.6%

### Coverage Report

_No coverage data available_

### Failed Tests

#### logs_in

- **Suite**: auth
- **Error**:

> assertion failed
> ## Validation Decision

## Validation Decision

**Result**: FAIL

### Next Actions

The failed tests are looked at next.
";

#[test]
fn changes_log() {
    let all = draw_all(&life(), 9);
    let bytes = all.into_iter().find(|(view, _)| *view == View::Changes).expect("drawn").1;
    let expected = [
        r#"{"timestamp":"2026-01-22T02:01:30.000Z","task_id":"task-001","#,
        r#""description":"Do part 1","files_changed":["src/a.rs"],"result":"success","#,
        r#""ext":{"n":1,"action":"develop"}}"#,
        "\n",
        r#"{"timestamp":"2026-01-22T02:02:30.000Z","task_id":"task-002","#,
        r#""description":"Do part 2","files_changed":[],"result":"failed","#,
        r#""ext":{"n":2,"action":"develop","error":"no luck"}}"#,
        "\n",
    ]
    .concat();
    assert_eq!(String::from_utf8(bytes).expect("text"), expected);
}

#[test]
fn instrumenting_and_putting_back_are_lines_of_their_own() {
    let mut life = life();
    let change = |leg, at: u64, error: Option<&str>| LegChange {
        leg,
        at: At(1_769_047_200_000 + at),
        files_changed: vec!["src/a.rs".into()],
        error: error.map(str::to_owned),
    };
    life.body.records[2].files_changed = vec!["src/a.rs".into()];
    life.body.records[2].changes =
        vec![change(Leg::Instrument, 0, None), change(Leg::Restore, 5, Some("E_CONFLICT: a"))];
    let all = draw_all(&life, 9);
    let bytes = all.into_iter().find(|(view, _)| *view == View::Changes).expect("drawn").1;
    let text = String::from_utf8(bytes).expect("text");
    let lines: Vec<serde_json::Value> =
        text.lines().skip(2).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let told: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {} {}", line["ext"]["action"], line["result"], line["ext"]["n"]))
        .collect();
    assert_eq!(told, ["\"instrument\" \"success\" 3", "\"restore\" \"failed\" 3"]);
    assert_eq!(lines[1]["ext"]["error"], "E_CONFLICT: a");
    assert_eq!(lines[0]["files_changed"], serde_json::json!(["src/a.rs"]));
}

#[test]
fn sentences_are_in_the_users_language_and_headings_are_not() {
    let headings = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect()
    };
    for view in [View::Develop, View::Debug, View::Validate] {
        let ((en, en_last), (zh, zh_last)) =
            (page(&life(), view, Lang::En), page(&life(), view, Lang::Zh));
        assert_ne!(en, zh, "{view:?}");
        assert_eq!((headings(&en), en_last), (headings(&zh), zh_last), "{view:?}");
    }
}

#[test]
fn a_long_timeline_says_that_it_is_cut() {
    let mut long = life();
    let (body, _) = page(&long, View::Develop, Lang::En);
    assert!(!body.contains("Only the last"));
    let n = u32::try_from(RECORDS_KEPT).expect("fits");
    long.body.records = (0..n).map(|_| record(2, Kind::Develop, ActionResult::Dropped)).collect();
    let (body, _) = page(&long, View::Develop, Lang::En);
    assert!(body.contains("Only the last 200 actions are shown."));
    let (none, _) = page(&long, View::Validate, Lang::En);
    assert!(none.contains("Nothing yet."));
}
