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
    let of = |said: &&str| {
        let (suite, name) = said.split_once('|').unwrap_or(("unit", said));
        result(name, suite, TestStatus::Failed)
    };
    let results: Vec<TestResult> = failed.iter().map(of).collect();
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
    let table: [(&str, &str, &[&str], &str); 27] = [
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
        ("pytest -q", "pytest", &["t.py|test_a", "t.py|C::b"], "pytest -q t.py::test_a t.py::C::b"),
        ("python3 -m pytest", "pytest", &["t.py|test_a"], "python3 -m pytest t.py::test_a"),
        ("pytest", "pytest", &["|tests/t.py"], "pytest tests/t.py"),
        // Its report says no files.
        ("pytest", "pytest", &["t.C|test_b[1-2]", "t|test_a"], "pytest -k test_a or test_b"),
        ("pytest -kmine", "pytest", &["t|test_a"], "pytest -kmine"),
        ("pytest", "pytest", &["t|f.g"], "pytest"),
        ("pytest tests", "pytest", &["t.py|test_a"], "pytest tests"),
        ("tox -e py", "pytest", &["test_a"], "tox -e py"),
        ("go test ./...", "go", &["B/x", "A", "B/y"], "go test -run=^(A|B)$ ./..."),
        (
            "npx jest --json",
            "jest",
            &["sum adds 2+2", "is [ok]"],
            r"npx jest --json --testNamePattern=^ ?(sum adds 2\+2|is \[ok\])$",
        ),
        ("jest -t sum", "jest", &["sum adds"], "jest -t sum"),
        ("jest", "jest", &["sum adds", "unit"], "jest"),
        ("jest", "jest", &["jest (exit 1)"], "jest"),
        ("npm test", "jest", &["sum adds"], "npm test"),
        (
            "pnpm exec vitest run",
            "vitest",
            &["a/b"],
            r"pnpm exec vitest run --testNamePattern=^ ?(a\/b)$",
        ),
        ("vitest run --testNamePattern=x", "vitest", &["a"], "vitest run --testNamePattern=x"),
        ("node_modules/.bin/mocha", "mocha", &["a b"], "node_modules/.bin/mocha --grep=^ ?(a b)$"),
        ("mocha -g a", "mocha", &["a b"], "mocha -g a"),
        ("dart test", "dart", &["g t"], "dart test --name=^ ?(g t)$"),
        ("flutter test --machine", "flutter", &["g"], "flutter test --machine --name=^ ?(g)$"),
        ("prove -r", "tap", &["a"], "prove -r"),
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

#[test]
fn reg_failed_tests_of_another_check_select_nothing() {
    let cargo = check("rust", "cargo test", Level::Test, "cargo");
    let pytest = check("python", "pytest", Level::Test, "pytest");
    let checks = vec![cargo.clone(), pytest.clone()];
    let mut world = World::started(Setup { checks, ..Setup::default() });
    world.good();
    world.end(told(&cargo, &["a::b"]));
    world.end(told(&pytest, &["test_a"]));
    let subject = world.action().subject.clone();
    let Some(super::super::again::Again::Check { argv, .. }) =
        super::super::again::again(world.body(), &subject)
    else {
        panic!("a check");
    };
    assert_eq!(argv.join(" "), "cargo test", "the names of both would be asked of one");
}
