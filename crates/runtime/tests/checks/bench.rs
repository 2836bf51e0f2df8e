//! Captures, checks and outputs for the tests beside this file, and one line that says what was
//! read.

use std::path::{Path, PathBuf};

use loopwright_runtime::checks::{
    Check, Ended, Level, Output, Parsed, Parser, Status, Stream, of_settings, parse,
};
use loopwright_runtime::config::CheckCommand;

pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

pub fn check(parser: Parser, level: Level) -> Check {
    let argv = vec!["run".to_owned(), "it".to_owned()];
    let command = CheckCommand {
        argv,
        parser: Some(parser.name().into()),
        level: Some(level.word().into()),
        ..CheckCommand::default()
    };
    of_settings(&[command], 1000).remove(0)
}

pub fn bytes(stdout: &[u8], stderr: &[u8], ended: Ended) -> Output {
    let stdout = Stream::Bytes(stdout.to_vec());
    let stderr = Stream::Bytes(stderr.to_vec());
    Output { stdout, stderr, ended, report: None, reports: Vec::new() }
}

/// The two streams of a capture; one that is not there was empty.
pub fn file(name: &str, ended: Ended) -> Output {
    let stream = |end: &str| Stream::File(data(&format!("{name}.{end}")));
    let (stdout, stderr) = (stream("stdout"), stream("stderr"));
    Output { stdout, stderr, ended, report: None, reports: Vec::new() }
}

pub fn read(parser: Parser, output: &Output) -> Parsed {
    parse(&check(parser, Level::Test), output, &mut |_| {})
}

/// `total passed failed skipped`, verdict, pass rate with `?` if not known.
pub fn line(parsed: &Parsed) -> String {
    let c = parsed.counts;
    let known = if parsed.pass_rate_known { "" } else { "?" };
    let numbers = format!("{} {} {} {}", c.total, c.passed, c.failed, c.skipped);
    let rate = f64::from(parsed.counts.pass_rate_tenths()) / 10.0;
    format!("{numbers} {:?} {rate}{known}", parsed.verdict)
}

/// Names of the failed, `suite: name` each.
pub fn failed(parsed: &Parsed) -> Vec<String> {
    let failed = parsed.results.iter().filter(|result| result.status == Status::Failed);
    failed.map(|result| format!("{}: {}", result.suite, result.test_name)).collect()
}
