//! What the reports of checks add up to.

use alloc::vec;
use alloc::vec::Vec;

use super::super::merge::merge;
use super::super::samples::{sample_check, sample_settings};
use super::super::*;
use super::world::*;
use crate::machine::At;

fn judged(checks: &[Check], reports: &[CheckReport]) -> Validation {
    merge(checks, &sample_settings(), reports, At(1))
}

fn one(report: CheckReport) -> Validation {
    judged(&[sample_check()], &[report])
}

fn check(id: &str, level: Level, required: bool) -> Check {
    Check { id: id.into(), level, required, ..sample_check() }
}

fn of(check: &Check, report: CheckReport) -> CheckReport {
    CheckReport { id: check.id.clone(), level: check.level, ..report }
}

#[test]
fn verdicts_worst_first() {
    let changed =
        |report: CheckReport| CheckReport { definition_hash: Some("new".into()), ..report };
    for (found, verdict, acceptable) in [
        (one(report(Verdict::Passed, 2, 0)), Verdict::Passed, false),
        (one(report(Verdict::Failed, 2, 1)), Verdict::Failed, false),
        (one(report(Verdict::NoTests, 0, 0)), Verdict::NoTests, false),
        (one(report(Verdict::Unparsed, 0, 0)), Verdict::Unparsed, true),
        (one(changed(report(Verdict::Passed, 2, 0))), Verdict::DefinitionChanged, true),
        (one(changed(report(Verdict::Failed, 2, 1))), Verdict::Failed, false),
        (one(changed(report(Verdict::NoTests, 0, 0))), Verdict::DefinitionChanged, false),
        (judged(&[], &[]), Verdict::NoTests, false),
    ] {
        assert_eq!((found.verdict, found.acceptable), (verdict, acceptable));
    }
}

#[test]
fn a_static_check_speaks_only_when_red() {
    let checks = [check("lint", Level::Static, true), check("test", Level::Test, true)];
    let green = judged(
        &checks,
        &[
            of(&checks[0], report(Verdict::Passed, 1, 0)),
            of(&checks[1], report(Verdict::Passed, 2, 0)),
        ],
    );
    assert_eq!((green.verdict, green.counts.passed), (Verdict::Passed, 2));
    let alone = judged(&checks[..1], &[of(&checks[0], report(Verdict::Passed, 1, 0))]);
    assert_eq!(alone.verdict, Verdict::NoTests);
    let silent = CheckReport { exit_code: Some(1), ..report(Verdict::Failed, 0, 0) };
    let red =
        judged(&checks, &[of(&checks[0], silent), of(&checks[1], report(Verdict::Passed, 2, 0))]);
    assert_eq!((red.verdict, red.counts.failed), (Verdict::Failed, 1));
    assert_eq!(red.failed_tests, ["cargo test (exit 1)"]);
    assert_eq!(red.results[0].suite, "static");
}

#[test]
fn a_check_that_is_not_required_only_warns() {
    let checks = [check("extra", Level::Test, false), check("test", Level::Test, true)];
    let found = judged(
        &checks,
        &[
            of(&checks[0], report(Verdict::Failed, 0, 3)),
            of(&checks[1], report(Verdict::Passed, 1, 0)),
        ],
    );
    assert_eq!(found.verdict, Verdict::Passed);
    assert_eq!((found.counts.failed, found.warnings), (0, vec!["extra".into()]));
}

#[test]
fn rates_are_cut_and_never_invented() {
    for (passed, failed, tenths, known) in
        [(2, 1, 666, true), (999, 1, 999, true), (9_999, 1, 999, true), (3, 0, 1000, true)]
    {
        let verdict = if failed > 0 { Verdict::Failed } else { Verdict::Passed };
        let counts = Counts { total: passed + failed, passed, failed, skipped: 0 };
        let found = one(CheckReport { counts, ..report(verdict, 1, failed) });
        assert_eq!((found.pass_rate_tenths, found.pass_rate_known), (tenths, known));
    }
    // reg_zero_tests: none at all, or all skipped.
    for skipped in [0, 4] {
        let counts = Counts { total: skipped, passed: 0, failed: 0, skipped };
        let found = one(CheckReport { counts, ..report(Verdict::NoTests, 0, 0) });
        assert_eq!((found.pass_rate_tenths, found.pass_rate_known), (0, false));
        assert!(!found.passed());
    }
}

#[test]
fn results_are_capped_failed_first_and_named_apart() {
    let mut all: Vec<TestResult> =
        (0..300).map(|n| result(&alloc::format!("ok{n}"), "s", TestStatus::Passed)).collect();
    all.push(result("same", "one", TestStatus::Failed));
    all.push(result("same", "two", TestStatus::Failed));
    all.push(result("other", "two", TestStatus::Failed));
    let counts = Counts { total: 303, passed: 300, failed: 3, skipped: 0 };
    let found = one(CheckReport { results: all, counts, ..report(Verdict::Failed, 0, 0) });
    assert_eq!((found.results.len(), found.truncated), (RESULTS_KEPT, true));
    assert_eq!(found.failed_tests, ["one::same", "two::same", "other"]);
    assert_eq!(found.results[0].status, TestStatus::Failed);
}

#[test]
fn coverage_counts_only_when_it_is_wanted() {
    let wanted = Settings { coverage_min_tenths: 800, ..sample_settings() };
    for (coverage_tenths, verdict) in [
        (None, Verdict::CoverageBelow),
        (Some(799), Verdict::CoverageBelow),
        (Some(800), Verdict::Passed),
    ] {
        let report = CheckReport { coverage_tenths, ..report(Verdict::Passed, 1, 0) };
        let found = merge(&[sample_check()], &wanted, &[report], At(1));
        assert_eq!(found.verdict, verdict);
        assert_eq!(found.coverage_available, coverage_tenths.is_some());
    }
}

#[test]
fn coverage_of_several_checks_is_summed_and_a_file_counts_once() {
    let file = |path: &str, hit, found| Covered { path: path.into(), hit, found };
    let check = |id: &str, required| Check { id: id.into(), required, ..sample_check() };
    let report = |id: &str, covered: Vec<Covered>| CheckReport {
        id: id.into(),
        coverage_tenths: Some(100),
        covered,
        ..report(Verdict::Passed, 1, 0)
    };
    let checks = [check("a", true), check("b", true), check("c", false)];
    let found = |reports: &[CheckReport]| {
        let found = merge(&checks, &sample_settings(), reports, At(1));
        found.coverage_available.then_some(found.coverage_tenths)
    };
    let (a, b) = (vec![file("lcov.info", 10, 100)], vec![file("cov/lcov.info", 290, 300)]);
    assert_eq!(found(&[report("a", a.clone()), report("b", b)]), Some(750));
    let again = vec![file("lcov.info", 60, 100)];
    assert_eq!(found(&[report("a", a.clone()), report("b", again)]), Some(600), "the last one");
    let other = vec![file("other.info", 100, 100)];
    assert_eq!(found(&[report("a", a), report("c", other)]), Some(100), "one that need not pass");
    assert_eq!(found(&[report("a", vec![])]), Some(100), "an older journal has its rate alone");
    assert_eq!(found(&[report("a", vec![file("lcov.info", 2, 1)])]), None, "nonsense");
}

#[test]
fn a_moved_digest_is_not_fresh_and_another_run_has_another_hash() {
    let base = report(Verdict::Unparsed, 0, 0);
    let first = one(base.clone());
    assert!(first.fresh);
    for other in [
        CheckReport { digest_after: "x".into(), ..base.clone() },
        CheckReport { exit_code: Some(3), ..base.clone() },
        CheckReport { definition_hash: Some("x".into()), ..base.clone() },
        CheckReport { argv: vec!["x".into()], ..base.clone() },
    ] {
        let moved = other.digest_after != base.digest_after;
        let found = one(other);
        assert_eq!(found.fresh, !moved);
        assert_ne!(found.accept_hash, first.accept_hash);
    }
}
