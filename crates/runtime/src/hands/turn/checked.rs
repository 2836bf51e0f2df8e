//! What a check of a turn came to: its exit code, what it printed, and whether the files it speaks
//! of stayed the same while it ran.

use kernel::call::{Ended, Exit, Prep};
use kernel::turn::{CheckError, CheckResult, CheckVerdict, Tests, VerifyMode};

use super::super::pool::Desk;
use super::evidence;
use crate::checks::{self, Check, Level, Parsed, Parser, Verdict};
use crate::engine::Scene;
use crate::turns::gate;

/// Exit codes of a shell or a wrapper that found nothing to run.
const UNAVAILABLE: [i32; 2] = [126, 127];

/// Reads a check that ran; `line` is its command as the plan has it.
pub(super) fn result(
    desk: &Desk,
    scene: &Scene,
    (line, argv): (&str, &[String]),
    call: &str,
    (exit, prep): (&Exit, Option<&Prep>),
) -> CheckResult {
    let parsed = look(desk, level(scene), argv, call, exit);
    let timed_out = timed_out(exit);
    let digest = |digest: Option<&str>| {
        let mark = evidence::mark(desk, digest);
        mark.map(|mark| evidence::digest(&scene.life, &[], &mark)).unwrap_or_default()
    };
    let before = digest(prep.and_then(|prep| prep.tree_before.as_deref()));
    let after = digest(exit.tree_after.as_deref());
    let moved = !before.is_empty() && !after.is_empty() && before != after;
    let verdict = judged(&parsed, exit, moved);
    let tests = tests(&parsed);
    let definition_hash = gate::definitions(&desk.plan.root, [line].into_iter()).remove(line);
    CheckResult {
        command: line.to_owned(),
        exit_code: exit.exit_code,
        verdict,
        timed_out,
        summary: summary(desk, &parsed, exit),
        tests,
        errors: errors(desk, &parsed),
        suggestion: suggestion(desk, call, verdict),
        digest: after,
        definition_hash,
    }
}

const fn timed_out(exit: &Exit) -> bool {
    matches!(exit.ended, Ended::Deadline | Ended::Idle)
}

/// How many tests ran, where they were counted.
pub(in super::super) fn tests(parsed: &Parsed) -> Option<Tests> {
    let count = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    parsed.pass_rate_known.then(|| Tests {
        passed: count(parsed.counts.passed),
        failed: count(parsed.counts.failed),
        skipped: count(parsed.counts.skipped),
    })
}

/// What a check that ended came to; `moved` says whether the files it speaks of stayed the same.
pub(in super::super) fn judged(parsed: &Parsed, exit: &Exit, moved: bool) -> CheckVerdict {
    if timed_out(exit) {
        return CheckVerdict::Fail;
    }
    let gone = exit.exit_code.is_some_and(|code| UNAVAILABLE.contains(&code));
    if gone || exit.ended == Ended::SpawnFailed {
        return CheckVerdict::Unavailable;
    }
    if exit.exit_code != Some(0) && parsed.verdict != Verdict::NoTests {
        return CheckVerdict::Fail;
    }
    match parsed.verdict {
        Verdict::Failed => CheckVerdict::Fail,
        Verdict::NoTests => CheckVerdict::Empty,
        Verdict::Passed
        | Verdict::Unparsed
        | Verdict::DefinitionChanged
        | Verdict::CoverageBelow
        | Verdict::Accepted
            if moved =>
        {
            CheckVerdict::Moved
        }
        // What counts no tests is believed by its exit code; what else there is to say of a check
        // is said of a loop's.
        Verdict::Passed
        | Verdict::Unparsed
        | Verdict::DefinitionChanged
        | Verdict::CoverageBelow
        | Verdict::Accepted => CheckVerdict::Pass,
    }
}

fn level(scene: &Scene) -> Level {
    let policy = scene.life.body.work.as_deref().map(|work| work.plan.verification.mode);
    match policy.unwrap_or(VerifyMode::Custom) {
        VerifyMode::Lint => Level::Static,
        VerifyMode::Build => Level::Build,
        VerifyMode::Test => Level::Test,
        VerifyMode::None | VerifyMode::Custom => Level::Custom,
    }
}

/// What a check printed, read by whatever form fits.
pub(in super::super) fn look(
    desk: &Desk,
    level: Level,
    argv: &[String],
    call: &str,
    exit: &Exit,
) -> Parsed {
    let check = Check {
        id: String::new(),
        argv: argv.to_vec(),
        cwd: ".".to_owned(),
        level,
        required: true,
        timeout_ms: 0,
        covers: Vec::new(),
        parser: Parser::Auto,
        source: checks::Source::Plan,
        definition_hash: None,
    };
    let (root, sources) = (&desk.plan.root, &desk.plan.checks);
    let output = checks::left(&desk.call_dir(call), exit, root, &sources.report_paths);
    checks::parse(&check, &output, &mut |_| {})
}

/// The first line that says what is wrong; else how it ended.
fn summary(desk: &Desk, parsed: &Parsed, exit: &Exit) -> String {
    let failed = parsed.results.iter().find_map(|result| result.error_message.as_deref());
    let line = failed.and_then(|text| text.lines().rfind(|line| !line.trim().is_empty()));
    match line {
        Some(line) => desk.plan.redactor.redact_text(line.trim()),
        None => exit.exit_code.map_or_else(String::new, |code| format!("exit {code}")),
    }
}

/// What the tool itself suggests; a check that passed needs none.
fn suggestion(desk: &Desk, call: &str, verdict: CheckVerdict) -> Option<String> {
    let (_, suggestion) = match verdict {
        CheckVerdict::Fail | CheckVerdict::Empty | CheckVerdict::Unavailable => {
            checks::told(&desk.call_dir(call))
        }
        CheckVerdict::Pass | CheckVerdict::Moved | CheckVerdict::NotRun => return None,
    };
    suggestion.map(|words| desk.plan.redactor.redact_text(&words))
}

/// The first errors that were read.
pub(in super::super) fn errors(desk: &Desk, parsed: &Parsed) -> Vec<CheckError> {
    let clean = |text: &str| desk.plan.redactor.redact_text(text);
    let anchored = parsed.errors.iter().map(|anchor| CheckError {
        file: Some(anchor.file.clone()),
        line: u32::try_from(anchor.line).ok(),
        column: anchor.column.and_then(|column| u32::try_from(column).ok()),
        message: clean(&anchor.message),
        context: None,
    });
    let named = parsed.results.iter().filter_map(|result| {
        let message = result.error_message.as_deref()?;
        let message = clean(&format!("{}: {message}", result.test_name));
        Some(CheckError { file: None, line: None, column: None, message, context: None })
    });
    let mut all: Vec<CheckError> = anchored.chain(named).collect();
    all.truncate(checks::ANCHORS_MAX);
    all
}
