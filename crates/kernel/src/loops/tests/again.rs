//! What is run to see a problem once more, and that it needs no second word.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::samples::sample_check;
use super::super::*;
use super::world::*;
use crate::owed::{ChildAsk, Owed};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(String::from).collect()
}

fn check(id: &str, argv: &str, level: Level, parser: &str) -> Check {
    let argv = words(argv);
    Check { id: id.into(), argv, level, parser: parser.into(), ..sample_check() }
}

fn told(check: &Check, failed: &[&str]) -> LegEnd {
    let results: Vec<TestResult> =
        failed.iter().map(|name| result(name, "unit", TestStatus::Failed)).collect();
    let count = u64::try_from(failed.len()).unwrap_or(0);
    let verdict = if failed.is_empty() { Verdict::Passed } else { Verdict::Failed };
    let report = CheckReport {
        id: check.id.clone(),
        argv: check.argv.clone(),
        level: check.level,
        results,
        ..report(verdict, 0, 0)
    };
    let counts = Counts::of(1, count, 0);
    LegEnd::Ok(Gave::Check(Box::new(CheckReport { counts, ..report })))
}

/// A loop whose second check is red, at the leg that shows it again; what it runs.
fn again(second: &Check, failed: &[&str]) -> (World, Vec<String>) {
    let first = check("lint", "cargo check", Level::Static, "auto");
    let checks = vec![first.clone(), second.clone()];
    let mut world = World::made(&Setup::default());
    let mut command = start(&Setup { checks, ..Setup::default() });
    if let Command::Start { programs, checks, .. } = &mut command {
        *programs = world.state.lists(checks);
    }
    world.ok(command);
    world.good();
    world.end(told(&first, &[]));
    world.end(told(second, failed));
    assert_eq!(world.standing(), "debug A6");
    while world.leg().1 != Leg::Reproduce {
        world.began();
        world.good();
    }
    let argv = owed(&world.state).into_iter().find_map(|owed| match owed {
        Owed::Child { ask: ChildAsk::Call(request), .. } => Some(request.argv.clone()),
        Owed::Child { .. } | Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => {
            None
        }
    });
    (world, argv.expect("a call"))
}

#[test]
fn reg_the_red_check_is_shown_again_and_its_failed_tests_alone() {
    let table: [(&str, &str, &[&str], &str); 11] = [
        ("cargo test -q", "cargo", &["a::b", "c"], "cargo test -q -- --exact a::b c"),
        ("cargo nextest run", "nextest", &["a::b"], "cargo nextest run -- --exact a::b"),
        ("cargo test -- --nocapture", "cargo", &["a"], "cargo test -- --nocapture"),
        ("cargo test", "cargo", &["src/lib.rs - f (line 3)"], "cargo test"),
        (
            "go test -json ./...",
            "go",
            &["TestA/x", "TestB"],
            "go test -run=^(TestA|TestB)$ -json ./...",
        ),
        ("sh run.sh", "cargo", &["a"], "sh run.sh"),
        ("pytest -q", "pytest", &["test_a", "C::b"], "pytest -q unit::test_a unit::C::b"),
        ("python3 -m pytest", "pytest", &["test_a"], "python3 -m pytest unit::test_a"),
        ("pytest tests", "pytest", &["test_a"], "pytest tests"),
        ("pytest", "pytest", &["test_a[1-2]"], "pytest"),
        ("tox -e py", "pytest", &["test_a"], "tox -e py"),
    ];
    for (argv, parser, failed, expected) in table {
        let (world, found) = again(&check("tests", argv, Level::Test, parser), failed);
        assert_eq!(found.join(" "), expected);
        let granted = world.state.grants();
        assert!(granted.iter().any(|granted| granted.argv == found), "{argv}: {granted:?}");
    }
}

#[test]
fn so_many_failed_tests_are_no_selection() {
    let names: Vec<String> = (0..21).map(|n| alloc::format!("t{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (_, found) = again(&check("tests", "cargo test", Level::Test, "cargo"), &names);
    assert_eq!(found.join(" "), "cargo test");
}
