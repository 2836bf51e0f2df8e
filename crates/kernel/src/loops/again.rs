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

/// The words that run the failed tests alone. Only for runners whose selection is exact, and only
/// where the author of the check selects nothing.
fn selected(check: &Check, found: &Validation) -> Option<Vec<String>> {
    let failed = found.results.iter().filter(|result| result.status == TestStatus::Failed);
    let failed: Vec<&TestResult> = failed.collect();
    let names: Vec<&str> = failed.iter().map(|result| result.test_name.as_str()).collect();
    if names.is_empty() || names.len() > SELECTED_MAX || !names.iter().all(|name| plain(name)) {
        return None;
    }
    let mut argv = check.argv.clone();
    let said = |word: &str| check.argv.iter().any(|known| known == word);
    let parser = check.parser.as_str();
    if ["cargo", "nextest"].contains(&parser) && !said("--") && runs(&argv, &CARGO_VERBS) {
        argv.extend(["--", "--exact"].map(String::from));
        argv.extend(names.iter().map(|name| String::from(*name)));
    } else if parser == "go" && !said("-run") && runs(&argv, &["test"]) {
        // A subtest is selected by its parts; its parent runs it.
        let top = names.iter().map(|name| name.split('/').next().unwrap_or(name));
        let mut top: Vec<&str> = top.collect();
        top.dedup();
        let at = argv.iter().position(|word| word == "test")? + 1;
        argv.insert(at, format!("-run=^({})$", top.join("|")));
    } else if parser == "pytest" && check.cwd == "." && runs_all(&argv) {
        if !failed.iter().all(|result| plain(&result.suite)) {
            return None;
        }
        argv.extend(failed.into_iter().map(place));
    } else {
        return None;
    }
    Some(argv)
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
