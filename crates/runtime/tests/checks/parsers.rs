//! Reads captures of real runners, good and bad, and output made to mislead: exact counts, exact
//! verdicts, and no panic on anything.

use loopwright_runtime::checks::{
    ERROR_BYTES_MAX, Ended, Level, Parser, REPORT_BYTES_MAX, RESULTS_KEPT, STACK_BYTES_MAX, Status,
    Stream, Verdict, parse,
};

use crate::bench::{bytes, check, data, file, line, read};

#[test]
fn captures_of_cargo() {
    let rows = [
        ("green", 0, "5 4 0 1 Passed 100"),
        ("red", 101, "7 2 4 1 Failed 33.3"),
        ("red_colour", 101, "7 2 4 1 Failed 33.3"),
        ("red_quiet", 101, "7 2 4 1 Failed 33.3"),
        ("red_nocapture", 101, "7 2 4 1 Failed 33.3"),
        ("red_fail_fast", 101, "4 1 2 1 Failed 33.3"),
        ("none", 0, "0 0 0 0 NoTests 0?"),
        ("bad", 101, "1 0 1 0 Failed 0?"),
        // The same output with an end that does not fit it.
        ("red", 0, "7 2 4 1 Failed 33.3"),
        ("green", 1, "6 4 1 1 Failed 80"),
    ];
    for (name, code, want) in rows {
        for parser in [Parser::Cargo, Parser::Auto] {
            let output = file(&format!("cargo/{name}"), Ended::Exited(code));
            assert_eq!(line(&read(parser, &output)), want, "{name} {code} {parser:?}");
        }
    }
}

#[test]
fn cargo_names_suites_errors_and_places() {
    let parsed = read(Parser::Cargo, &file("cargo/red", Ended::Exited(101)));
    let failed: Vec<_> = parsed.results.iter().filter(|r| r.status == Status::Failed).collect();
    let names: Vec<_> = failed.iter().map(|r| (r.suite.as_str(), r.test_name.as_str())).collect();
    assert_eq!(
        names,
        [
            ("unittests src/lib.rs (red)", "tests::forges"),
            ("unittests src/lib.rs (red)", "tests::wrong"),
            ("tests/api.rs (api)", "broken"),
            ("Doc-tests red", "src/lib.rs - two (line 3)"),
        ]
    );
    assert!(!parsed.results.iter().any(|r| r.test_name.contains("fake")));
    let message = failed[1].error_message.as_deref().expect("said");
    assert!(message.starts_with("thread 'tests::wrong'") && message.ends_with("right: 3"));
    assert!(failed[1].stack_trace.as_deref().expect("traced").contains("stack backtrace:"));
    assert_eq!(failed[2].error_message.as_deref(), Some("Error: \"no luck\""));
    assert_eq!(failed[2].stack_trace, None);
    let at = |file: &str, line| parsed.errors.iter().any(|e| e.file == file && e.line == line);
    assert!(at("src/lib.rs", 17) && at("src/lib.rs", 10), "{:?}", parsed.errors);

    let bad = read(Parser::Cargo, &file("cargo/bad", Ended::Exited(101)));
    assert_eq!(bad.results[0].test_name, "run it (exit 101)");
    assert_eq!((bad.errors[0].file.as_str(), bad.errors[0].line), ("src/lib.rs", 2));
    assert!(bad.errors[0].message.contains("mismatched types"));
    assert!(bad.results[0].error_message.as_deref().expect("said").contains("could not compile"));
}

#[test]
fn captures_of_pytest_by_report_and_by_text() {
    let rows = [
        ("green", 0, "2 2 0 0 Passed 100"),
        ("red", 1, "7 2 3 2 Failed 40"),
        ("skip", 0, "1 0 0 1 NoTests 0?"),
        ("none", 5, "0 0 0 0 NoTests 0?"),
        ("coll", 2, "1 0 1 0 Failed 0"),
        ("green", 1, "3 2 1 0 Failed 66.6"),
        ("green", 3, "3 2 1 0 Failed 66.6"),
        // Its word for an empty run, after a run that was not empty.
        ("green", 5, "3 2 1 0 Failed 66.6"),
        ("coll", 5, "1 0 1 0 Failed 0"),
        ("red", 0, "7 2 3 2 Failed 40"),
    ];
    for (name, code, want) in rows {
        let text = file(&format!("pytest/{name}"), Ended::Exited(code));
        let mut report = bytes(b"", b"", Ended::Exited(code));
        report.report = Some(data(&format!("pytest/{name}.xml")));
        assert_eq!(line(&read(Parser::Pytest, &report)), want, "{name} {code} by report");
        assert_eq!(line(&read(Parser::Pytest, &text)), want, "{name} {code} by text");
    }
    let colour = file("pytest/red_colour", Ended::Exited(1));
    assert_eq!(line(&read(Parser::Auto, &colour)), "7 2 3 2 Failed 40");
    // Only pytest's own code 5 means that there was nothing to run.
    assert_eq!(
        line(&read(Parser::Auto, &file("pytest/none", Ended::Exited(5)))),
        "1 0 1 0 Failed 0"
    );
}

#[test]
fn pytest_reports_give_names_messages_and_traces() {
    let mut output = bytes(b"", b"", Ended::Exited(1));
    output.report = Some(data("pytest/red.xml"));
    let parsed = read(Parser::Pytest, &output);
    let wrong = &parsed.results[0];
    assert_eq!((wrong.suite.as_str(), wrong.test_name.as_str()), ("test_r", "test_wrong"));
    assert_eq!(
        wrong.error_message.as_deref(),
        Some("AssertionError: one is not #x1B two\nassert 1 == 2")
    );
    let trace = wrong.stack_trace.as_deref().expect("traced");
    assert!(trace.contains("print(\"<testcase name='x'/> & ]]>\")"), "{trace}");
    assert_eq!(wrong.duration_ms, 1);
    assert!(parsed.errors.iter().any(|e| e.file == "test_r.py" && e.line == 6));

    let text = read(Parser::Pytest, &file("pytest/red", Ended::Exited(1)));
    let names: Vec<_> =
        text.results.iter().map(|r| (r.suite.as_str(), r.test_name.as_str())).collect();
    assert_eq!(
        names,
        [
            ("test_r.py", "test_wrong"),
            ("test_r.py", "TestGroup::test_many[2]"),
            ("test_r.py", "test_fixture")
        ]
    );
    assert!(text.truncated);
}

#[test]
fn a_report_that_is_none_falls_back_to_text() {
    let dir = tempfile::tempdir().expect("a directory");
    let whole = std::fs::read_to_string(data("pytest/red.xml")).expect("a capture");
    let rows = [
        ("cut", whole[..whole.len() - 40].to_owned()),
        ("empty", String::new()),
        ("another document", "<html><testcase name='a'/></html>".to_owned()),
        ("crossed tags", "<testsuite><testcase></testsuite></testcase>".to_owned()),
        ("claims only", "plain text".to_owned()),
    ];
    for (name, xml) in rows {
        let path = dir.path().join("report.xml");
        std::fs::write(&path, xml).expect("a file");
        let mut output = file("pytest/green", Ended::Exited(0));
        output.report = Some(path);
        assert_eq!(line(&read(Parser::Pytest, &output)), "2 2 0 0 Passed 100", "{name}");
    }
    // Totals are claims, entities are not expanded, document types are passed over.
    let path = dir.path().join("report.xml");
    let xml = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]>\
        <testsuite tests='99' failures='0'><testcase name='a&a;b'><failure>x &f; &amp; y</failure>\
        </testcase><testcase name='b' time='1.5'/></testsuite>";
    std::fs::write(&path, xml).expect("a file");
    let mut output = bytes(b"", b"", Ended::Exited(0));
    output.report = Some(path);
    let parsed = read(Parser::Pytest, &output);
    assert_eq!(line(&parsed), "2 1 1 0 Failed 50");
    assert_eq!(parsed.results[0].error_message.as_deref(), Some("x &f; & y"));
    assert_eq!(parsed.results[1].duration_ms, 1500);
}

#[test]
fn jest_vitest_and_go() {
    let rows: [(Parser, &str, i32, &str); 8] = [
        (
            Parser::Jest,
            "Tests:       1 failed, 1 skipped, 2 passed, 4 total\n",
            1,
            "4 2 1 1 Failed 66.6",
        ),
        (
            Parser::Vitest,
            "      Tests  1 failed | 2 passed | 1 todo (4)\n",
            1,
            "4 2 1 1 Failed 66.6",
        ),
        (
            Parser::Auto,
            " Test Files  1 passed (1)\n      Tests  3 passed (3)\n",
            0,
            "3 3 0 0 Passed 100",
        ),
        (Parser::Jest, "Tests are fun\n", 0, "0 0 0 0 Unparsed 0?"),
        (
            Parser::Go,
            "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"A/x\",\"Elapsed\":0.5}\n\
             {\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"A\"}\n\
             {\"Action\":\"skip\",\"Package\":\"p\",\"Test\":\"B\"}\nnoise\n\
             {\"Action\":\"pass\",\"Package\":\"p\"}\n",
            0,
            "2 1 0 1 Passed 100",
        ),
        (
            Parser::Go,
            "{\"Action\":\"output\",\"Package\":\"p\",\"Test\":\"A/x\",\"Output\":\"bad\\n\"}\n\
             {\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"A/x\"}\n\
             {\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"A\"}\n\
             {\"Action\":\"fail\",\"Package\":\"p\"}\n",
            1,
            "1 0 1 0 Failed 0",
        ),
        (Parser::Go, "{\"Action\":\"fail\",\"Package\":\"p\"}\n", 1, "1 0 1 0 Failed 0"),
        (Parser::Go, "{\"Action\":\"skip\",\"Package\":\"p\"}\n", 0, "0 0 0 0 NoTests 0?"),
    ];
    for (parser, text, code, want) in rows {
        let output = bytes(text.as_bytes(), b"", Ended::Exited(code));
        assert_eq!(line(&read(parser, &output)), want, "{text}");
    }
}

#[test]
fn a_report_of_jest_gives_tests_and_files_that_did_not_load() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("report.json");
    let json = r#"{"testResults":[{"name":"/a.test.js","status":"failed","assertionResults":[
        {"fullName":"sum adds","title":"adds","status":"passed","duration":3.7},
        {"fullName":"sum fails","title":"fails","status":"failed",
         "failureMessages":["Error: no\n    at x (a.js:1:2)"]},
        {"title":"later","status":"todo"}]},
        {"name":"/b.test.js","status":"failed","message":"no module","assertionResults":[]}]}"#;
    std::fs::write(&path, json).expect("a file");
    let mut output = bytes(b"", b"", Ended::Exited(1));
    output.report = Some(path);
    let parsed = read(Parser::Jest, &output);
    assert_eq!(line(&parsed), "4 1 2 1 Failed 33.3");
    assert_eq!(parsed.results[0].error_message.as_deref(), Some("Error: no"));
    assert_eq!(parsed.results[1].test_name, "/b.test.js");
}

#[test]
fn reg_zero_tests_and_exits_that_do_not_fit() {
    let green = b"running 1 test\ntest a ... ok\n\n\
        test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let skipped = b"running 1 test\ntest a ... ignored\n\n\
        test result: ok. 0 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n";
    let rows: [(&str, Parser, &[u8], Ended, &str); 14] = [
        ("green", Parser::Cargo, green, Ended::Exited(0), "1 1 0 0 Passed 100"),
        ("exit 1, green", Parser::Cargo, green, Ended::Exited(1), "2 1 1 0 Failed 50"),
        ("signal, green", Parser::Cargo, green, Ended::Signalled(9), "2 1 1 0 Failed 50"),
        ("timeout, green", Parser::Cargo, green, Ended::TimedOut, "2 1 1 0 Failed 50"),
        ("all skipped", Parser::Cargo, skipped, Ended::Exited(0), "1 0 0 1 NoTests 0?"),
        ("nothing", Parser::Cargo, b"", Ended::Exited(0), "0 0 0 0 Unparsed 0?"),
        (
            "cut",
            Parser::Cargo,
            b"running 2 tests\ntest a ... ok\n",
            Ended::Exited(0),
            "1 1 0 0 Unparsed 100?",
        ),
        ("auto, nothing", Parser::Auto, b"done", Ended::Exited(0), "0 0 0 0 Unparsed 0?"),
        ("auto, red", Parser::Auto, b"boom", Ended::Exited(2), "1 0 1 0 Failed 0?"),
        ("auto, late", Parser::Auto, b"", Ended::TimedOut, "1 0 1 0 Failed 0?"),
        ("exit, green", Parser::Exit, b"", Ended::Exited(0), "1 1 0 0 Passed 100?"),
        ("exit, red", Parser::Exit, green, Ended::Exited(3), "1 0 1 0 Failed 0?"),
        ("exit, killed", Parser::Exit, b"", Ended::Signalled(9), "1 0 1 0 Failed 0?"),
        ("exit, late", Parser::Exit, b"", Ended::TimedOut, "1 0 1 0 Failed 0?"),
    ];
    for (name, parser, stdout, ended, want) in rows {
        assert_eq!(line(&read(parser, &bytes(stdout, b"", ended))), want, "{name}");
    }
    let auto = read(Parser::Auto, &bytes(b"boom", b"", Ended::Exited(2)));
    let result = &auto.results[0];
    assert_eq!(
        (result.suite.as_str(), result.test_name.as_str()),
        ("exit-code", "run it (exit 2)")
    );
    assert_eq!(result.error_message.as_deref(), Some("boom"));
    let late = read(Parser::Cargo, &bytes(green, b"", Ended::TimedOut));
    assert_eq!(late.results[0].test_name, "run it (timed out)");
}

#[test]
fn line_ends_bytes_and_colours_change_nothing() {
    let plain = std::fs::read(data("cargo/red.stdout")).expect("a capture");
    let crlf = String::from_utf8_lossy(&plain).replace('\n', "\r\n").into_bytes();
    let mut noisy = b"\xff\xfe\x00 garbage \xc3\n".to_vec();
    noisy.extend_from_slice(&plain);
    noisy.extend_from_slice(b"\xf0\x9f");
    for (name, stdout) in [("crlf", crlf), ("invalid bytes", noisy)] {
        let output = bytes(&stdout, b"", Ended::Exited(101));
        assert_eq!(line(&read(Parser::Cargo, &output)), "7 2 4 1 Failed 33.3", "{name}");
    }
}

#[test]
fn invariant_no_cut_of_a_red_or_green_run_is_green() {
    for (name, parser) in [("cargo/red", Parser::Cargo), ("cargo/green", Parser::Cargo)] {
        let whole = std::fs::read(data(&format!("{name}.stdout"))).expect("a capture");
        for end in 0..whole.len() {
            let parsed = read(parser, &bytes(&whole[..end], b"", Ended::Exited(101)));
            assert_eq!(parsed.verdict, Verdict::Failed, "{name} cut at {end}");
        }
    }
}

#[test]
fn bounds_hold_and_counts_stay_whole() {
    use std::fmt::Write;
    let mut text = String::from("running 3000 tests\n");
    for n in 0..3000 {
        let status = if n >= 2900 { "FAILED" } else { "ok" };
        writeln!(text, "test t{n} ... {status}").expect("text");
    }
    text.push_str("\nfailures:\n\n---- t2950 stdout ----\n");
    for _ in 0..5000 {
        text.push_str("a long line of output é\n");
    }
    text.push_str(
        "\n\nfailures:\n    t2900\n\n\
         test result: FAILED. 2900 passed; 100 failed; 0 ignored; 0 measured; 0 filtered out\n",
    );
    let mut all = 0;
    let output = bytes(text.as_bytes(), b"", Ended::Exited(101));
    let parsed = parse(&check(Parser::Cargo, Level::Test), &output, &mut |_| all += 1);
    assert_eq!(line(&parsed), "3000 2900 100 0 Failed 96.6");
    assert_eq!((parsed.results.len(), all, parsed.truncated), (RESULTS_KEPT, 3000, true));
    assert!(parsed.results[..100].iter().all(|r| r.status == Status::Failed));
    let long = &parsed.results[50];
    assert_eq!(long.test_name, "t2950");
    assert!(long.error_message.as_ref().expect("said").len() <= ERROR_BYTES_MAX);
    assert!(long.stack_trace.as_ref().expect("kept").len() <= STACK_BYTES_MAX);
}

#[test]
fn a_large_spool_is_read_line_by_line() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("stdout");
    let mut text = vec![b'x'; 24 << 20];
    text.extend_from_slice(b"\nrunning 1 test\ntest a ... ok\n");
    text.extend(std::iter::repeat_n(b"noise\n", 1 << 20).flatten());
    text.extend_from_slice(
        b"test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
    );
    std::fs::write(&path, text).expect("a spool");
    let mut output = bytes(b"", b"", Ended::Exited(0));
    output.stdout = Stream::File(path);
    assert_eq!(line(&read(Parser::Cargo, &output)), "1 1 0 0 Passed 100");
}

#[test]
fn a_report_over_the_bound_is_none_and_one_at_it_is_read() {
    let dir = tempfile::tempdir().expect("a directory");
    let xml = "<testsuite><testcase name='a'><failure/></testcase></testsuite>";
    let json = r#"{"passes":[],"pending":[],"failures":[{"fullTitle":"a"}]}"#;
    for (parser, text) in [(Parser::Junit, xml), (Parser::Mocha, json)] {
        for (size, want) in [(REPORT_BYTES_MAX, 1), (REPORT_BYTES_MAX + 1, 0)] {
            let path = dir.path().join("report");
            let mut padded = text.as_bytes().to_vec();
            padded.resize(usize::try_from(size).expect("fits"), b' ');
            std::fs::write(&path, padded).expect("a file");
            let mut output = bytes(b"", b"", Ended::Exited(0));
            output.reports = vec![path.clone()];
            output.report = Some(path);
            assert_eq!(read(parser, &output).counts.failed, want, "{parser:?} {size}");
        }
    }
}

#[test]
fn many_tests_and_many_lines_of_each_form_are_counted_in_one_go() {
    use std::fmt::Write;
    const TESTS: usize = 30_000;
    let (mut go, mut tap) = (String::new(), format!("1..{TESTS}\n"));
    for n in 0..TESTS {
        let end = if n == 7 { "fail" } else { "pass" };
        writeln!(go, "{{\"Action\":\"{end}\",\"Package\":\"p\",\"Test\":\"T/{n}\"}}")
            .expect("text");
        writeln!(tap, "{} - t{n}", if n == 7 { "not ok" } else { "ok" }).expect("text");
    }
    go.push_str("{\"Action\":\"fail\",\"Package\":\"p\"}\n");
    for (parser, text) in [(Parser::Go, go), (Parser::Tap, tap)] {
        let mut all = 0;
        let output = bytes(text.as_bytes(), b"", Ended::Exited(1));
        let parsed = parse(&check(parser, Level::Test), &output, &mut |_| all += 1);
        assert_eq!(line(&parsed), "30000 29999 1 0 Failed 99.9", "{parser:?}");
        assert_eq!((all, parsed.results.len(), parsed.truncated), (TESTS, RESULTS_KEPT, true));
    }
}
