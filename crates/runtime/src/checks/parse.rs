//! Reads what a check left behind and says what it comes to. The exit code is never overruled: a
//! command that failed is red though its tests look green, and zero tests are never green.

use std::path::PathBuf;

use super::anchors::{self, Reading};
use super::check::{Check, Level, Parser};
use super::result::{ERROR_BYTES_MAX, Parsed, Status, TestResult, Verdict};
use super::tally::Tally;
use super::text::{Stream, Tail};
use super::{auto, cargo, dart, go, jest, junit, mocha, nextest, pytest, tap};
use crate::shim::files::COLLECT_BYTES_MAX;

/// A report is read into memory in part; no real one comes near this. What is taken out of a call
/// is as large, or a report between the two would be cut before it is read.
pub const REPORT_BYTES_MAX: u64 = COLLECT_BYTES_MAX;

/// How the command of a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// By us, because it took too long.
    TimedOut,
}

/// What a run of a check left behind.
#[derive(Clone, Debug)]
pub struct Output {
    /// What it wrote to stdout.
    pub stdout: Stream,
    /// What it wrote to stderr.
    pub stderr: Stream,
    /// How it ended.
    pub ended: Ended,
    /// The report file that was asked for, as collected from this run.
    pub report: Option<PathBuf>,
    /// Files of the settings' report paths that this run wrote.
    pub reports: Vec<PathBuf>,
}

/// What a parser made of the output, besides results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It is this runner's, and whole.
    Fits,
    /// It is this runner's, and breaks off: what is missing may be red.
    Cut,
    /// It is this runner's, and breaks off where that alone means red.
    Broken,
    /// It is this runner's, and names only what failed.
    Part,
    /// It is something else.
    Other,
}

/// Reads the output of `check`. `each` gets every single result, also those not kept.
pub fn parse(check: &Check, output: &Output, each: &mut dyn FnMut(&TestResult)) -> Parsed {
    let mut tally = Tally::new(each);
    match check.level {
        Level::Static | Level::Build => judge_plain(check, output, tally),
        Level::Test | Level::Custom => {
            let form = match check.parser {
                Parser::Nextest => nextest::read(output, &mut tally),
                Parser::Cargo => cargo::read(output, &mut tally),
                Parser::Pytest => pytest::read(output, &mut tally),
                Parser::Jest | Parser::Vitest => jest::read(output, &mut tally),
                Parser::Mocha => mocha::read(output, &mut tally),
                Parser::Go => go::read(output, &mut tally),
                Parser::Flutter | Parser::Dart => dart::read(output, &mut tally),
                Parser::Junit => junit::read_all(output, &mut tally),
                Parser::Tap => tap::read(output, &mut tally),
                Parser::Auto => auto::read(output, &mut tally),
                Parser::Exit => return judge_exit(check, output, tally),
            };
            judge(check, output, tally, form)
        }
    }
}

/// A static or build check holds no tests: only red shows.
fn judge_plain(check: &Check, output: &Output, mut tally: Tally<'_>) -> Parsed {
    if output.ended != Ended::Exited(0) {
        let (message, errors) = last_words(output);
        tally.errors = errors;
        let mut result = TestResult::new(check.level.name(), &name(check, output), Status::Failed);
        result.error_message = message;
        tally.add(result);
        return parsed(tally, Verdict::Failed, Known::Yes);
    }
    parsed(tally, Verdict::Passed, Known::No)
}

fn judge_exit(check: &Check, output: &Output, mut tally: Tally<'_>) -> Parsed {
    let green = output.ended == Ended::Exited(0);
    let (status, verdict) = match green {
        true => (Status::Passed, Verdict::Passed),
        false => (Status::Failed, Verdict::Failed),
    };
    let mut result = TestResult::new(auto::SUITE, &name(check, output), status);
    if !green {
        let (message, errors) = last_words(output);
        result.error_message = message;
        tally.errors = errors;
    }
    tally.add(result);
    parsed(tally, verdict, Known::No)
}

/// The exit code with which a runner says that it found no tests.
const fn empty_exit(parser: Parser) -> Option<i32> {
    match parser {
        Parser::Nextest => Some(nextest::NONE),
        Parser::Pytest => Some(pytest::NONE),
        Parser::Cargo
        | Parser::Jest
        | Parser::Vitest
        | Parser::Mocha
        | Parser::Go
        | Parser::Flutter
        | Parser::Dart
        | Parser::Junit
        | Parser::Tap
        | Parser::Exit
        | Parser::Auto => None,
    }
}

fn judge(check: &Check, output: &Output, mut tally: Tally<'_>, form: Form) -> Parsed {
    // Said of a run in which tests ran after all, it is an exit like any other.
    let empty = empty_exit(check.parser).is_some_and(|code| output.ended == Ended::Exited(code))
        && !tally.counts.any_ran();
    let red = (output.ended != Ended::Exited(0) && !empty) || form == Form::Broken;
    // A timeout is always named; another bad end only where no failed test accounts for it.
    if output.ended == Ended::TimedOut || (red && tally.counts.failed == 0) {
        let (message, errors) = last_words(output);
        let suite = if form == Form::Other { auto::SUITE } else { check.level.name() };
        let mut result = TestResult::new(suite, &name(check, output), Status::Failed);
        result.error_message = message;
        for error in errors {
            anchors::add(&mut tally.errors, Some(error));
        }
        tally.add(result);
    }
    let counts = tally.counts;
    let verdict = match form {
        _ if counts.failed > 0 => Verdict::Failed,
        _ if empty => Verdict::NoTests,
        Form::Other | Form::Part => Verdict::Unparsed,
        Form::Fits | Form::Cut | Form::Broken if counts.passed == 0 => Verdict::NoTests,
        Form::Cut => Verdict::Unparsed,
        Form::Fits | Form::Broken => Verdict::Passed,
    };
    let known = match form {
        Form::Fits | Form::Cut | Form::Broken => Known::Yes,
        Form::Part | Form::Other => Known::No,
    };
    parsed(tally, verdict, known)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Yes,
    No,
}

fn parsed(tally: Tally<'_>, verdict: Verdict, known: Known) -> Parsed {
    let (results, counts, mut errors, truncated) = tally.finish();
    errors.truncate(super::result::ANCHORS_MAX);
    let pass_rate_known = known == Known::Yes && verdict != Verdict::Unparsed && counts.any_ran();
    Parsed { results, counts, verdict, pass_rate_known, truncated, errors }
}

/// The command, and how it ended if it did not end well.
fn name(check: &Check, output: &Output) -> String {
    let argv = check.argv.join(" ");
    match output.ended {
        Ended::Exited(0) => argv,
        Ended::Exited(code) => format!("{argv} (exit {code})"),
        Ended::Signalled(signal) => format!("{argv} (signal {signal})"),
        Ended::TimedOut => format!("{argv} (timed out)"),
    }
}

/// The end of stderr, or of stdout if that is empty, and the places it names.
fn last_words(output: &Output) -> (Option<String>, Vec<super::result::Anchor>) {
    let mut reading = Reading::default();
    for stream in [&output.stderr, &output.stdout] {
        let mut last = Tail::default();
        stream.each_line(|line| {
            last.push(line, ERROR_BYTES_MAX);
            reading.line(line);
        });
        if let Some(text) = last.into_text(ERROR_BYTES_MAX) {
            return (Some(text), reading.found);
        }
    }
    (None, reading.found)
}
