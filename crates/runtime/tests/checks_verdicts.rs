//! Several checks make one verdict, and coverage counts only where this run wrote it.

use std::path::PathBuf;

use loopwright_runtime::checks::{
    Check, Configured, Coverage, CoverageMin, Ended, Level, Outcome, Output, Parser, Stream,
    Verdict, from_config, lcov, merge, parse,
};

fn check(parser: Parser, level: Level) -> Check {
    let argv = vec!["run".to_owned(), "it".to_owned()];
    let level = Some(level);
    let configured = Configured { argv, parser, cwd: None, level, timeout_s: None };
    from_config(&[configured], 1000).remove(0)
}

fn bytes(stdout: &[u8], stderr: &[u8], ended: Ended) -> Output {
    let stdout = Stream::Bytes(stdout.to_vec());
    Output { stdout, stderr: Stream::Bytes(stderr.to_vec()), ended, report: None }
}

fn outcome(parser: Parser, level: Level, stdout: &str, code: i32) -> Outcome {
    let check = check(parser, level);
    let output = bytes(stdout.as_bytes(), b"why", Ended::Exited(code));
    let parsed = parse(&check, &output, &mut |_| {});
    Outcome { check, parsed }
}

#[test]
fn several_checks_make_one_verdict_worst_first() {
    let green = || outcome(Parser::Auto, Level::Test, "2 passed in 0.1s", 0);
    let red = || outcome(Parser::Auto, Level::Test, "1 failed, 2 passed in 0.1s", 1);
    let empty = || outcome(Parser::Auto, Level::Test, "no tests ran in 0.1s", 0);
    let unread = || outcome(Parser::Auto, Level::Test, "fine", 0);
    let build = |code| outcome(Parser::Auto, Level::Build, "", code);
    let changed = || {
        let mut outcome = green();
        outcome.parsed = outcome.parsed.with_definition_changed();
        outcome
    };
    let optional = || {
        let mut outcome = build(1);
        outcome.check.required = false;
        outcome
    };
    let rows: [(&str, Vec<Outcome>, &str); 12] = [
        ("green", vec![build(0), green()], "2 2 0 0 Passed"),
        ("red", vec![green(), red()], "5 4 1 0 Failed"),
        ("red build", vec![build(1), green()], "3 2 1 0 Failed"),
        ("red but optional build", vec![optional(), green()], "2 2 0 0 Passed"),
        ("changed", vec![changed(), green()], "4 4 0 0 DefinitionChanged"),
        ("changed and red", vec![changed(), red()], "5 4 1 0 Failed"),
        ("only a build", vec![build(0)], "0 0 0 0 NoTests"),
        ("no checks", vec![], "0 0 0 0 NoTests"),
        ("empty", vec![empty(), build(0)], "0 0 0 0 NoTests"),
        ("empty beside green", vec![empty(), green()], "2 2 0 0 Passed"),
        ("unread", vec![unread()], "0 0 0 0 Unparsed"),
        ("unread beside green", vec![unread(), green()], "2 2 0 0 Unparsed"),
    ];
    for (name, outcomes, want) in rows {
        let whole = merge(&outcomes, Coverage::default(), CoverageMin::Off);
        let c = whole.counts;
        let numbers = format!("{} {} {} {}", c.total, c.passed, c.failed, c.skipped);
        assert_eq!(format!("{numbers} {:?}", whole.verdict), want, "{name}");
    }
}

#[test]
fn a_red_build_is_a_failed_test_and_coverage_is_asked_for_last() {
    let red = outcome(Parser::Auto, Level::Build, "", 1);
    let green = || outcome(Parser::Auto, Level::Test, "2 passed in 0.1s", 0);
    let red = merge(&[red], Coverage::default(), CoverageMin::Off);
    assert_eq!(
        (red.results[0].suite.as_str(), red.results[0].error_message.as_deref()),
        ("build", Some("why"))
    );
    let coverage = |coverage| Coverage { coverage, coverage_available: true };
    let rows = [
        (Coverage::default(), 50.0, Verdict::CoverageBelow),
        (coverage(49.9), 50.0, Verdict::CoverageBelow),
        (coverage(50.0), 50.0, Verdict::Passed),
        (Coverage::default(), 0.0, Verdict::Passed),
    ];
    for (got, min, want) in rows {
        assert_eq!(merge(&[green()], got, CoverageMin::Percent(min)).verdict, want, "{got:?}");
    }
}

#[test]
fn lcov_counts_files_of_this_run_only() {
    let dir = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    let start = std::time::SystemTime::now() - std::time::Duration::from_secs(5);
    let summed = write(
        "a",
        "SF:x\nLF:8\nLH:5\nend_of_record\nSF:y\nDA:1,0\nDA:2,3\nDA:3,1,hash\nend_of_record\n",
    );
    let other = write("b", "SF:z\r\nDA:1,1\r\nLF:1\r\nLH:1\r\nend_of_record\r\n");
    let old = write("old", "LF:1\nLH:0\nend_of_record\n");
    let aged = start - std::time::Duration::from_secs(1);
    std::fs::File::options()
        .write(true)
        .open(&old)
        .and_then(|f| f.set_modified(aged))
        .expect("aged");
    let percent = |paths: &[PathBuf]| {
        let got = lcov(paths, start);
        got.coverage_available.then_some(got.coverage)
    };
    assert_eq!(percent(&[summed.clone(), other]), Some(66.6));
    assert_eq!(percent(std::slice::from_ref(&summed)), Some(63.6));
    assert_eq!(percent(&[old]), None);
    assert_eq!(percent(&[dir.path().join("missing")]), None);
    assert_eq!(percent(&[write("empty", "TN:\n")]), None);
    assert_eq!(percent(&[write("nonsense", "LF:1\nLH:2\nend_of_record\n")]), None);
}
