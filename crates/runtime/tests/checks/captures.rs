//! Captures of the real runners: exact counts, exact names of what failed, exact verdicts, by their
//! machine form and by their text.

use loopwright_runtime::checks::{Ended, Output, Parser, Status, Verdict};

use crate::bench::{data, failed, file, line, read};

/// A capture, how it is said to have ended, and what it comes to.
type Row<'a> = (&'a str, i32, &'a str);

/// What a script prints is read the same though nobody says whose it is.
fn hold(parser: Parser, rows: &[Row<'_>]) {
    for (name, code, want) in rows {
        for parser in [parser, Parser::Auto] {
            let output = file(name, Ended::Exited(*code));
            assert_eq!(line(&read(parser, &output)), *want, "{name} {code} {parser:?}");
        }
    }
}

fn by_report(name: &str, code: i32) -> Output {
    let mut output = file("no/streams", Ended::Exited(code));
    output.report = Some(data(&format!("{name}.json")));
    output
}

fn hold_reports(parser: Parser, rows: &[Row<'_>]) {
    for (name, code, want) in rows {
        let parsed = read(parser, &by_report(name, *code));
        assert_eq!(line(&parsed), *want, "{name} {code}");
    }
}

#[test]
fn captures_of_nextest() {
    hold(
        Parser::Nextest,
        &[
            ("nextest/green", 0, "3 2 0 1 Passed 100"),
            ("nextest/red", 100, "9 3 5 1 Failed 37.5"),
            ("nextest/red_colour", 100, "9 3 5 1 Failed 37.5"),
            ("nextest/red_final", 100, "9 3 5 1 Failed 37.5"),
            ("nextest/red_nocapture", 100, "9 3 5 1 Failed 37.5"),
            ("nextest/red_retry", 100, "9 4 4 1 Failed 50"),
            ("nextest/red_fast", 100, "3 1 1 1 Failed 50"),
            ("nextest/bad", 101, "1 0 1 0 Failed 0?"),
            // An end that does not fit.
            ("nextest/red", 0, "9 3 5 1 Failed 37.5"),
            ("nextest/green", 1, "4 2 1 1 Failed 66.6"),
            ("nextest/green", 4, "4 2 1 1 Failed 66.6"),
        ],
    );
    for (name, want) in [("none", "0 0 0 0 NoTests 0?"), ("skip", "3 0 0 3 NoTests 0?")] {
        let output = file(&format!("nextest/{name}"), Ended::Exited(4));
        assert_eq!(line(&read(Parser::Nextest, &output)), want, "{name}");
    }
    // Killed on its way: what it had told, and its own end.
    let cut = read(Parser::Nextest, &file("nextest/cut", Ended::TimedOut));
    assert_eq!(cut.verdict, Verdict::Failed);
    assert!(failed(&cut).contains(&"test: run it (timed out)".to_owned()), "{:?}", failed(&cut));
}

#[test]
fn nextest_names_each_failed_test_once_with_its_panic() {
    let parsed = read(Parser::Nextest, &file("nextest/red", Ended::Exited(100)));
    let mut names = failed(&parsed);
    names.sort();
    let want = ["nx tests::forges", "nx tests::wrong", "nx::api aborts", "nx::api hangs"];
    let mut want: Vec<String> = want.iter().map(|name| name.replacen(' ', ": ", 1)).collect();
    want.push("nx::api: wavers".to_owned());
    assert_eq!(names, want);
    let of = |name: &str| parsed.results.iter().find(|r| r.test_name == name).expect(name);
    let wrong = of("tests::wrong").error_message.as_deref().expect("said");
    assert!(wrong.starts_with("thread 'tests::wrong'") && wrong.contains("right: 3"), "{wrong}");
    assert_eq!(of("leaks").status, Status::Passed);
    assert!(!parsed.results.iter().any(|r| r.test_name.contains("fake")));
    assert!(parsed.errors.iter().any(|at| at.file == "src/lib.rs" && at.line == 23));
    let retried = read(Parser::Nextest, &file("nextest/red_retry", Ended::Exited(100)));
    assert!(!failed(&retried).iter().any(|name| name.contains("wavers")), "flaky is green");
}

#[test]
fn captures_of_jest() {
    let rows = [
        ("jest/green", 0, "3 2 0 1 Passed 100"),
        ("jest/red", 1, "8 2 4 2 Failed 33.3"),
        ("jest/load", 1, "2 1 1 0 Failed 50"),
        ("jest/skip", 0, "2 0 0 2 NoTests 0?"),
        ("jest/red", 0, "8 2 4 2 Failed 33.3"),
        ("jest/load", 0, "2 1 1 0 Failed 50"),
        ("jest/green", 1, "4 2 1 1 Failed 66.6"),
    ];
    hold(Parser::Jest, &rows);
    hold(Parser::Jest, &[("jest/red_colour", 1, "8 2 4 2 Failed 33.3")]);
    hold_reports(Parser::Jest, &rows);
    hold_reports(Parser::Jest, &[("jest/none", 1, "1 0 1 0 Failed 0")]);
    hold(Parser::Jest, &[("jest/none", 1, "1 0 1 0 Failed 0?")]);
    let tests = ["sum is wrong", "sum throws"];
    let text = failed(&read(Parser::Jest, &file("jest/red", Ended::Exited(1))));
    assert_eq!(text[..2], ["./c.test.js: ./c.test.js", "./b.test.js: ./b.test.js"]);
    assert_eq!(text[2..], tests.map(|name| format!("./a.test.js: {name}")));
    let report = read(Parser::Jest, &by_report("jest/red", 1));
    let named: Vec<_> = report.results[..2].iter().map(|r| r.test_name.as_str()).collect();
    assert_eq!(named, tests);
    let wrong = report.results[0].error_message.as_deref().expect("said");
    assert!(wrong.ends_with("Expected: 3\nReceived: 2"), "{wrong}");
}

#[test]
fn captures_of_vitest() {
    let rows = [
        ("vitest/green", 0, "3 2 0 1 Passed 100"),
        ("vitest/red", 1, "8 2 4 2 Failed 33.3"),
        ("vitest/skip", 0, "2 0 0 2 NoTests 0?"),
        ("vitest/red", 0, "8 2 4 2 Failed 33.3"),
        ("vitest/green", 1, "4 2 1 1 Failed 66.6"),
    ];
    hold(Parser::Vitest, &rows);
    hold(Parser::Vitest, &[("vitest/red_colour", 1, "8 2 4 2 Failed 33.3")]);
    hold_reports(Parser::Vitest, &rows);
    hold_reports(Parser::Vitest, &[("vitest/none", 1, "1 0 1 0 Failed 0")]);
    let text = failed(&read(Parser::Vitest, &file("vitest/red", Ended::Exited(1))));
    let want = ["b.test.js: b.test.js", "c.test.js: c.test.js"];
    assert_eq!(text[..2], want);
    assert_eq!(text[2..], ["a.test.js: sum is wrong", "a.test.js: sum throws"]);
}

#[test]
fn captures_of_mocha() {
    let rows = [
        ("mocha/green", 0, "3 2 0 1 Passed 100"),
        ("mocha/red", 3, "6 1 3 2 Failed 25"),
        ("mocha/skip", 0, "1 0 0 1 NoTests 0?"),
        ("mocha/none", 0, "0 0 0 0 NoTests 0?"),
        ("mocha/red", 0, "6 1 3 2 Failed 25"),
        ("mocha/green", 1, "4 2 1 1 Failed 66.6"),
    ];
    hold(Parser::Mocha, &rows);
    hold(Parser::Mocha, &[("mocha/red_colour", 3, "6 1 3 2 Failed 25")]);
    hold(Parser::Mocha, &[("mocha/load", 1, "1 0 1 0 Failed 0?")]);
    hold_reports(Parser::Mocha, &rows);
    let names = ["sum is wrong", "sum throws", "hooks \"before all\" hook: prepares for \"never\""];
    for output in [file("mocha/red", Ended::Exited(3)), by_report("mocha/red", 3)] {
        let parsed = read(Parser::Mocha, &output);
        let named: Vec<_> = parsed.results[..3].iter().map(|r| r.test_name.as_str()).collect();
        assert_eq!(named, names);
        let said = parsed.results[2].error_message.as_deref().expect("said");
        assert!(said.contains("unprepared"), "{said}");
    }
}

#[test]
fn captures_of_go() {
    let events = [
        ("go/green", 0, "5 4 0 1 Passed 100"),
        ("go/red", 1, "10 4 5 1 Failed 44.4"),
        ("go/red", 0, "10 4 5 1 Failed 44.4"),
        ("go/none", 0, "0 0 0 0 NoTests 0?"),
        ("go/skip", 0, "1 0 0 1 NoTests 0?"),
        ("go/green", 1, "6 4 1 1 Failed 80"),
    ];
    hold(Parser::Go, &events);
    hold(
        Parser::Go,
        &[
            ("go/green_verbose", 0, "5 4 0 1 Passed 100"),
            ("go/red_verbose", 2, "10 4 5 1 Failed 44.4"),
            ("go/red_verbose", 0, "10 4 5 1 Failed 44.4"),
            ("go/skip_verbose", 0, "1 0 0 1 NoTests 0?"),
            ("go/none_text", 0, "0 0 0 0 NoTests 0?"),
            // Without -v nobody says what passed.
            ("go/green_text", 0, "0 0 0 0 Unparsed 0?"),
            ("go/red_text", 2, "5 0 5 0 Failed 0?"),
            ("go/red_text", 0, "5 0 5 0 Failed 0?"),
        ],
    );
    let want = [
        "example.com/app/bad: build",
        "example.com/app/dies: TestPanics/inner",
        "example.com/app/sum: TestSelf",
        "example.com/app/sum: TestTable/two",
        "example.com/app/sum: TestWrong",
    ];
    for name in ["go/red", "go/red_text", "go/red_verbose"] {
        let parsed = read(Parser::Go, &file(name, Ended::Exited(2)));
        assert_eq!(failed(&parsed), want, "{name}");
    }
    let parsed = read(Parser::Go, &file("go/red", Ended::Exited(2)));
    let panic = parsed.results[1].error_message.as_deref().expect("said");
    assert!(panic.contains("panic: lost"), "{panic}");
}

#[test]
fn captures_of_tap() {
    hold(
        Parser::Tap,
        &[
            ("tap/node_green", 0, "4 2 0 2 Passed 100"),
            ("tap/node_red", 1, "9 3 4 2 Failed 42.8"),
            ("tap/node_red", 0, "9 3 4 2 Failed 42.8"),
            ("tap/node_skip", 0, "2 0 0 2 NoTests 0?"),
            ("tap/node_none", 0, "0 0 0 0 NoTests 0?"),
            ("tap/node_load", 1, "1 0 1 0 Failed 0"),
            ("tap/node_green", 1, "5 2 1 2 Failed 66.6"),
            ("tap/tape_green", 0, "3 1 0 2 Passed 100"),
            ("tap/tape_red", 1, "4 2 1 1 Failed 66.6"),
            ("tap/perl_nested", 1, "5 3 1 1 Failed 75"),
        ],
    );
    let parsed = read(Parser::Tap, &file("tap/node_red", Ended::Exited(1)));
    let want = ["sum: is wrong", "sum: throws", "deep: two", "tap: after a bad hook"];
    assert_eq!(failed(&parsed), want);
    let said: Vec<_> =
        parsed.results[..3].iter().map(|r| r.error_message.as_deref().expect("said")).collect();
    assert_eq!(said[0], "2 == 3");
    assert_eq!(said[1], "no\nok 2 - is wrong\n  ...\nok 1 - sum\n1..1");
    assert!(said[2].starts_with("The expression evaluated to a falsy value:"), "{}", said[2]);
    let nested = read(Parser::Tap, &file("tap/perl_nested", Ended::Exited(1)));
    assert_eq!(failed(&nested), ["outer: bad"]);
}

#[test]
fn a_green_run_that_was_ended_by_us_or_a_signal_is_red_and_says_so() {
    let rows = [
        (Parser::Nextest, "nextest/green"),
        (Parser::Cargo, "cargo/green"),
        (Parser::Pytest, "pytest/green"),
        (Parser::Jest, "jest/green"),
        (Parser::Vitest, "vitest/green"),
        (Parser::Mocha, "mocha/green"),
        (Parser::Go, "go/green"),
        (Parser::Tap, "tap/node_green"),
    ];
    for (parser, name) in rows {
        let green = read(parser, &file(name, Ended::Exited(0))).counts;
        for (ended, how) in [(Ended::TimedOut, "timed out"), (Ended::Signalled(6), "signal 6")] {
            for parser in [parser, Parser::Auto] {
                let parsed = read(parser, &file(name, ended));
                assert_eq!(failed(&parsed), [format!("test: run it ({how})")], "{name}");
                assert_eq!(parsed.counts.passed, green.passed, "{name}");
                assert_eq!(parsed.verdict, Verdict::Failed, "{name}");
            }
        }
    }
}
