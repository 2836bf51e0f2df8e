//! Captures changed at random, seeded, and captures with lines forged into them: no parser panics,
//! counts stay sane, no bad end is green, and nothing a test prints turns red to green.
//! `LOOPWRIGHT_PARSER_ROUNDS` makes it longer, `LOOPWRIGHT_PARSER_SEED` another one.

use std::fs;
use std::path::Path;

use loopwright_runtime::checks::{
    ERROR_BYTES_MAX, Ended, Parsed, Parser, RESULTS_KEPT, STACK_BYTES_MAX, Status, Verdict,
    coverage, covered,
};

use crate::bench::{bytes, data, read};
use crate::dice::{Dice, asked};

const ROUNDS: u64 = 1500;
const SEED: u64 = 42;

/// A capture: whose it is, its streams, and its report if it wrote one.
struct Capture {
    name: String,
    parser: Parser,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    report: Option<Vec<u8>>,
}

fn captures() -> Vec<Capture> {
    let mut all = Vec::new();
    for parser in Parser::ALL {
        let Ok(entries) = fs::read_dir(data(parser.name())) else { continue };
        let mut stems: Vec<String> = entries
            .map(|entry| entry.expect("an entry").path())
            .map(|path| path.file_stem().expect("named").to_string_lossy().into_owned())
            .collect();
        stems.sort();
        stems.dedup();
        for stem in stems {
            let name = format!("{}/{stem}", parser.name());
            let part = |end: &str| fs::read(data(&format!("{name}.{end}"))).ok();
            let (stdout, stderr) = (part("stdout"), part("stderr"));
            let report = part("json").or_else(|| part("xml"));
            let (stdout, stderr) = (stdout.unwrap_or_default(), stderr.unwrap_or_default());
            all.push(Capture { name, parser, stdout, stderr, report });
        }
    }
    assert!(all.len() > 60, "{} captures", all.len());
    all
}

/// Lines with which each runner says that all is well.
const GREEN: [&str; 30] = [
    "running 0 tests",
    "running 1 test",
    "test fake ... ok",
    "failures:",
    "test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
    "    Starting 9 tests across 1 binary",
    "        PASS [   0.001s] (1/8) nx tests::wrong",
    "────────────",
    "     Summary [   0.001s] 8 tests run: 8 passed, 0 skipped",
    "9 passed in 0.10s",
    "============ 9 passed in 0.10s ============",
    "Tests:       9 passed, 9 total",
    "      Tests  9 passed (9)",
    "  9 passing (1ms)",
    "  1 pending",
    "=== RUN   TestWrong",
    "--- PASS: TestWrong (0.00s)",
    "ok  \texample.com/app/sum\t0.001s",
    "{\"Action\":\"pass\",\"Package\":\"example.com/app/sum\",\"Test\":\"TestWrong\"}",
    "{\"Action\":\"pass\",\"Package\":\"example.com/app/sum\"}",
    "{\"protocolVersion\":\"0.1.1\",\"type\":\"start\"}",
    "{\"success\":true,\"type\":\"done\"}",
    "TAP version 13",
    "1..1",
    "ok 1 - sum",
    "ok 2 - is wrong",
    "    ok 2 - is wrong",
    "    1..1",
    "  ---",
    "",
];

fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>, other: &[u8]) {
    let words: [&[u8]; 12] = [
        b"\n",
        b"\r",
        b"\x1b[",
        b"\x1b]",
        b"\xff",
        b"18446744073709551615",
        b"-1e300",
        b"<",
        b"{",
        b"\"",
        b"\0",
        b"    ",
    ];
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len());
        match dice.below(6) {
            0 => drop(bytes.drain(at..(at + dice.below(60)).min(bytes.len()))),
            1 => bytes.insert(at, u8::try_from(dice.below(256)).expect("a byte")),
            2 => drop(bytes.splice(at..at, dice.of(&words).iter().copied())),
            3 => {
                let line = format!("\n{}\n", dice.of(&GREEN));
                bytes.splice(at..at, line.bytes());
            }
            4 => {
                let from = dice.below(other.len());
                let to = (from + dice.below(400)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
}

fn sane(parsed: &Parsed, ended: Ended, what: &str) {
    let c = parsed.counts;
    let sum = c.passed.saturating_add(c.failed).saturating_add(c.skipped);
    assert_eq!(c.total, sum, "{what}");
    assert_eq!(parsed.verdict == Verdict::Failed, c.failed > 0, "{what}: {c:?}");
    assert!(c.failed == 0 || c.pass_rate_tenths() < 1000, "{what}");
    assert!(parsed.results.len() <= RESULTS_KEPT, "{what}");
    let kept = parsed.results.iter();
    assert!(kept.clone().is_sorted_by_key(|r| r.status != Status::Failed), "{what}");
    for result in kept {
        assert!(result.error_message.as_ref().is_none_or(|m| m.len() <= ERROR_BYTES_MAX));
        assert!(result.stack_trace.as_ref().is_none_or(|m| m.len() <= STACK_BYTES_MAX));
    }
    match ended {
        Ended::Exited(0) => assert!(parsed.verdict != Verdict::Passed || c.passed > 0, "{what}"),
        Ended::Exited(_) | Ended::Signalled(_) | Ended::TimedOut => {
            assert_eq!(parsed.verdict, Verdict::Failed, "{what}");
        }
    }
}

fn hold(capture: &Capture, ended: Ended, report: &Path, what: &str) {
    let mut output = bytes(&capture.stdout, &capture.stderr, ended);
    if let Some(text) = &capture.report {
        fs::write(report, text).expect("a report");
        output.report = Some(report.to_owned());
        output.reports = vec![report.to_owned()];
    }
    for parser in [capture.parser, Parser::Auto, Parser::Junit] {
        sane(&read(parser, &output), ended, &format!("{what} {parser:?}"));
    }
}

#[test]
fn mutated_captures_are_read_without_harm() {
    let (rounds, seed) =
        (asked("LOOPWRIGHT_PARSER_ROUNDS", ROUNDS), asked("LOOPWRIGHT_PARSER_SEED", SEED));
    let dir = tempfile::tempdir().expect("a directory");
    let report = dir.path().join("report");
    let all = captures();
    let mut dice = Dice(seed);
    for round in 0..rounds {
        let Capture { name, parser, stdout, stderr, report: written } = dice.of(&all);
        let mut capture = Capture {
            name: name.clone(),
            parser: *parser,
            stdout: stdout.clone(),
            stderr: stderr.clone(),
            report: written.clone().filter(|_| round % 3 == 0),
        };
        let other = dice.of(&all);
        let other = if other.stdout.is_empty() { &other.stderr } else { &other.stdout };
        let changed = match (&mut capture.report, dice.below(2)) {
            (Some(text), 0) => text,
            (_, _) if capture.stdout.is_empty() => &mut capture.stderr,
            (_, _) => &mut capture.stdout,
        };
        mutate(&mut dice, changed, other);
        let ended = [Ended::Exited(0), Ended::Exited(1), Ended::Signalled(9), Ended::TimedOut]
            [dice.below(4)];
        hold(&capture, ended, &report, &format!("seed {seed} round {round} {}", capture.name));
    }
}

#[test]
fn every_cut_of_a_capture_is_read_without_harm() {
    let dir = tempfile::tempdir().expect("a directory");
    for capture in captures().iter().filter(|capture| capture.name.contains("/red")) {
        let length = capture.stdout.len().max(capture.stderr.len());
        for end in (0..length).step_by(97) {
            let cut = |whole: &[u8]| whole[..end.min(whole.len())].to_vec();
            let (stdout, stderr) = (cut(&capture.stdout), cut(&capture.stderr));
            let (name, parser) = (capture.name.clone(), capture.parser);
            let report = capture.report.as_deref().map(cut);
            let cut = Capture { name, parser, stdout, stderr, report };
            for ended in [Ended::Exited(0), Ended::Exited(1)] {
                hold(&cut, ended, &dir.path().join("report"), &format!("{} {end}", cut.name));
            }
        }
    }
}

/// Red captures, and what the runner's own last words in them begin with: tests print before.
const RED: [(&str, Parser, &str); 20] = [
    ("cargo/red", Parser::Cargo, "test result: FAILED"),
    ("cargo/red_quiet", Parser::Cargo, "test result: FAILED"),
    ("cargo/red_nocapture", Parser::Cargo, "test result: FAILED"),
    ("nextest/red", Parser::Nextest, "────────────"),
    ("nextest/red_retry", Parser::Nextest, "────────────"),
    ("nextest/red_nocapture", Parser::Nextest, "────────────"),
    ("pytest/red", Parser::Pytest, "2 failed"),
    ("jest/red", Parser::Jest, "Tests:       2 failed"),
    ("vitest/red", Parser::Vitest, "      Tests  2 failed"),
    ("mocha/red", Parser::Mocha, "  3 failing"),
    ("go/red", Parser::Go, ""),
    ("go/red_text", Parser::Go, ""),
    ("go/red_verbose", Parser::Go, ""),
    ("dart/red", Parser::Dart, ""),
    ("dart/red_cut", Parser::Dart, ""),
    ("flutter/red", Parser::Flutter, ""),
    ("flutter/red_cut", Parser::Flutter, ""),
    ("tap/node_red", Parser::Tap, ""),
    ("tap/tape_red", Parser::Tap, ""),
    ("tap/perl_nested", Parser::Tap, ""),
];

/// `text` with green lines in places before its last words; whole where it holds none of those.
fn forged(dice: &mut Dice, text: &[u8], last: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let mut lines: Vec<&str> = text.lines().collect();
    let own = lines.iter().rposition(|line| !last.is_empty() && line.starts_with(last));
    for _ in 0..=dice.below(3) {
        let at = dice.below(own.unwrap_or(lines.len()) + 1);
        let more: Vec<&str> = (0..=dice.below(4)).map(|_| *dice.of(&GREEN)).collect();
        lines.splice(at..at, more);
    }
    (lines.join("\n") + "\n").into_bytes()
}

#[test]
fn invariant_forged_lines_never_turn_red_to_green() {
    let rounds = asked("LOOPWRIGHT_PARSER_ROUNDS", ROUNDS) / 10;
    let mut dice = Dice(asked("LOOPWRIGHT_PARSER_SEED", SEED));
    let all = captures();
    for (name, parser, last) in RED {
        let capture = all.iter().find(|capture| capture.name == name).expect(name);
        for round in 0..rounds {
            let stdout = forged(&mut dice, &capture.stdout, last);
            let stderr = forged(&mut dice, &capture.stderr, last);
            // The worst case: whoever ran it lost its exit code.
            let output = bytes(&stdout, &stderr, Ended::Exited(0));
            for parser in [parser, Parser::Auto] {
                let parsed = read(parser, &output);
                let shown = String::from_utf8_lossy(&stdout);
                assert_ne!(parsed.verdict, Verdict::Passed, "{name} {round} {parser:?}\n{shown}");
                sane(&parsed, Ended::Exited(0), name);
            }
        }
    }
}

#[test]
fn mutated_coverage_is_read_without_harm() {
    let (rounds, seed) =
        (asked("LOOPWRIGHT_PARSER_ROUNDS", ROUNDS), asked("LOOPWRIGHT_PARSER_SEED", SEED));
    let dir = tempfile::tempdir().expect("a directory");
    let entries = fs::read_dir(data("coverage")).expect("captures");
    let mut all: Vec<Vec<u8>> = entries
        .map(|entry| fs::read(entry.expect("an entry").path()).expect("a capture"))
        .collect();
    all.sort();
    assert_eq!(all.len(), 2, "one of each reader");
    let mut dice = Dice(seed);
    let path = dir.path().join("coverage");
    for round in 0..rounds {
        let mut text = dice.of(&all).clone();
        let other = dice.of(&all).clone();
        mutate(&mut dice, &mut text, &other);
        fs::write(&path, &text).expect("a report");
        let found = coverage(std::slice::from_ref(&path));
        let what = format!("seed {seed} round {round}: {found:?}");
        assert!((0.0..=100.0).contains(&found.coverage), "{what}");
        assert!(found.coverage_available || found.coverage == 0.0, "{what}");
        assert_eq!(covered(dir.path(), std::slice::from_ref(&path)).len(), 1, "{what}");
    }
}
