//! What shows a problem again: the failed task's own command, or the check that was red, with the
//! failed tests alone where its runner can select them. It runs nothing.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::legs::problem_of;
use super::phase::Subject;
use super::state::{Body, Work};
use super::task::Run;
use super::validation::{Check, Level, TestResult, TestStatus, Validation};
use crate::policy::Granted;

/// More names than this are no selection.
const SELECTED_MAX: usize = 20;
/// What runs tests with cargo.
const CARGO_VERBS: [&str; 3] = ["test", "t", "nextest"];
/// `pnpm exec jest`: what starts a runner has at most two words.
const LAUNCHED_WITHIN: usize = 3;

/// What shows a problem again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Again<'a> {
    /// The command of the task that failed.
    Task(&'a Run),
    /// A check, by these words.
    Check { check: &'a Check, argv: Vec<String> },
}

/// What shows this problem again, if anything does.
pub(super) fn again<'a>(body: &'a Body, subject: &Subject) -> Option<Again<'a>> {
    if let Some(task) = problem_of(subject).and_then(|id| body.task(id)) {
        return task.run.as_ref().map(Again::Task);
    }
    let found = body.work().and_then(|work: &Work| work.validation.as_ref());
    let checks = &body.course()?.checks;
    let red = found.and_then(|found| found.red.iter().find_map(|id| named(checks, id)));
    let tests = || checks.iter().find(|check| check.level == Level::Test);
    let check = red.or_else(tests).or_else(|| checks.first())?;
    let argv = found.and_then(|found| selected(check, found)).unwrap_or_else(|| check.argv.clone());
    Some(Again::Check { check, argv })
}

fn named<'a>(checks: &'a [Check], id: &str) -> Option<&'a Check> {
    checks.iter().find(|check| check.id == id)
}

/// The grant for a check that was narrowed to its failed tests: it starts the same program and runs
/// a part of what was allowed.
pub(super) fn narrowed(body: &Body, subject: &Subject) -> Option<Granted> {
    let Again::Check { check, argv } = again(body, subject)? else { return None };
    let given = &body.course()?.grants;
    let base = given.iter().find(|granted| granted.is_of(&check.argv, &check.cwd))?;
    Some(Granted { argv, ..base.clone() })
}

/// The words that run the failed tests alone. Only for runners whose selection is exact, only where
/// the author of the check selects nothing, and only where the failed tests are all of this check.
fn selected(check: &Check, found: &Validation) -> Option<Vec<String>> {
    let failed = found.results.iter().filter(|result| result.status == TestStatus::Failed);
    let failed: Vec<&TestResult> = failed.collect();
    if failed.is_empty() || failed.len() > SELECTED_MAX || found.red.len() > 1 {
        return None;
    }
    match check.parser.as_str() {
        "cargo" | "nextest" => by_words(check, &failed),
        "go" => by_go(check, &failed),
        "pytest" => by_places(check, &failed),
        "jest" | "vitest" | "mocha" | "dart" | "flutter" => by_pattern(check, &failed),
        _other => None,
    }
}

fn said(check: &Check, word: &str) -> bool {
    check.argv.iter().any(|known| known.split('=').next() == Some(word))
}

fn names<'a>(failed: &[&'a TestResult]) -> Option<Vec<&'a str>> {
    let all = failed.iter().map(|result| result.test_name.as_str());
    all.map(|name| plain(name).then_some(name)).collect()
}

/// Cargo and nextest take whole names behind `--exact`.
fn by_words(check: &Check, failed: &[&TestResult]) -> Option<Vec<String>> {
    let names = names(failed)?;
    if said(check, "--") || !runs(&check.argv, &CARGO_VERBS) {
        return None;
    }
    let more = ["--", "--exact"].into_iter().chain(names).map(String::from);
    Some(check.argv.iter().cloned().chain(more).collect())
}

/// Go takes a pattern. A subtest is selected by its parts; its parent runs it.
fn by_go(check: &Check, failed: &[&TestResult]) -> Option<Vec<String>> {
    let names = names(failed)?;
    if said(check, "-run") || !runs(&check.argv, &["test"]) {
        return None;
    }
    let mut top: Vec<&str> = names.iter().filter_map(|name| name.split('/').next()).collect();
    top.sort_unstable();
    top.dedup();
    let at = check.argv.iter().position(|word| word == "test")? + 1;
    let mut argv = check.argv.clone();
    argv.insert(at, format!("-run=^({})$", top.join("|")));
    Some(argv)
}

/// Pytest takes the places of tests. Its report names modules and classes with dots and does not
/// say which is which, so there the names alone have to do; others of the same name run along.
fn by_places(check: &Check, failed: &[&TestResult]) -> Option<Vec<String>> {
    if !runs_all(&check.argv) || check.argv.iter().any(|word| word.starts_with("-k")) {
        return None;
    }
    let more: Vec<String> = if check.cwd == "." && failed.iter().all(|result| placed(result)) {
        failed.iter().map(|result| place(result)).collect()
    } else {
        let mut names: Vec<&str> = failed.iter().map(|r| bare(r)).collect::<Option<_>>()?;
        names.sort_unstable();
        names.dedup();
        ["-k".into(), names.join(" or ")].into()
    };
    Some(check.argv.iter().cloned().chain(more).collect())
}

/// Whether it says the file that a test is in.
fn placed(result: &TestResult) -> bool {
    let file = if result.suite.is_empty() { &result.test_name } else { &result.suite };
    file.ends_with(".py") && plain(&result.suite) && plain(&result.test_name)
}

/// The name of a test without what it is called with, if that is one word.
fn bare(result: &TestResult) -> Option<&str> {
    let name = result.test_name.split('[').next()?;
    let word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    word.then_some(name)
}

/// The others take one pattern over whole names, groups first.
fn by_pattern(check: &Check, failed: &[&TestResult]) -> Option<Vec<String>> {
    let program = check.parser.as_str();
    let (flag, own): (&str, &[&str]) = match program {
        "jest" | "vitest" => ("--testNamePattern", &["-t", "--testNamePattern"]),
        "mocha" => ("--grep", &["-g", "--grep", "-f", "--fgrep"]),
        _dart => ("--name", &["-n", "--name", "-N", "--plain-name"]),
    };
    let base = |word: &String| word.rsplit('/').next() == Some(program);
    // Behind whatever starts programs of packages; a script of one runs as it stands.
    let plainly = check.argv.iter().take(LAUNCHED_WITHIN).any(base);
    if !plainly || said(check, "--") || own.iter().any(|word| said(check, word)) {
        return None;
    }
    // A file that did not load, or a run that failed as a whole, is no test that could be named.
    let whole = check.argv.join(" ");
    let test = |r: &&TestResult| r.test_name != r.suite && !r.test_name.starts_with(&whole);
    if !failed.iter().all(test) {
        return None;
    }
    let each: Vec<String> = failed.iter().map(|result| literally(&result.test_name)).collect();
    let pattern = format!("{flag}=^ ?({})$", each.join("|"));
    Some(check.argv.iter().cloned().chain([pattern]).collect())
}

/// A pattern that fits this text alone.
fn literally(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        if "\\^$.*+?()[]{}|/".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// Whether it has no letters that a runner or a shell reads otherwise.
fn plain(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '/' | '.'))
}

/// The name that pytest knows a test by; a file that can't be collected has its path alone.
fn place(result: &TestResult) -> String {
    match result.suite.as_str() {
        "" => result.test_name.clone(),
        file => format!("{file}::{}", result.test_name),
    }
}

/// Whether it is a plain call of pytest for all tests: what is named beside them would be added to
/// those that were named before.
fn runs_all(argv: &[String]) -> bool {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    let Some((first, more)) = words.split_first() else { return false };
    let rest = match (first.rsplit('/').next(), more) {
        (Some("pytest"), rest) | (Some("python" | "python3"), ["-m", "pytest", rest @ ..]) => rest,
        (_, _) => return false,
    };
    rest.iter().all(|word| word.starts_with('-') && *word != "--")
}

/// Whether it is a plain call of the runner: a wrapper or a script runs as it stands.
fn runs(argv: &[String], verbs: &[&str]) -> bool {
    let program = argv.first().and_then(|word| word.rsplit('/').next());
    let verb = argv.iter().skip(1).find(|word| !word.starts_with('+'));
    matches!(program, Some("cargo" | "go"))
        && verb.is_some_and(|verb| verbs.contains(&verb.as_str()))
}
