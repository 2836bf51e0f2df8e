//! The checks of a loop in the form that is approved and recorded: reporter flags added, report
//! files named. What they print is read elsewhere.

use std::path::Path;

use kernel::loops;

use super::adds::{adds, runner};
use super::check::{Check, EVERYTHING, Level, Parser, Source, id_of};
use super::definition::definition;
use super::detect::detect;
use crate::config::{CheckCommand, Settings};

/// Stands in an approved argv for the call's own temporary directory, which has no name yet. It is
/// replaced when the call is prepared.
pub const TMP_MARK: &str = "{loopwright-tmp}";
/// The report file a runner is asked for.
pub const REPORT_FILE: &str = "loopwright-report";

/// Where a loop's checks come from: the first of these that is not empty.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// `loop.validate.commands`.
    pub of_loop: Vec<CheckCommand>,
    /// `verify.commands`.
    pub of_verify: Vec<CheckCommand>,
    /// Where to look for checks otherwise.
    pub dirs: Vec<String>,
    /// Wall limit of a check that names none.
    pub timeout_ms: u64,
    /// `loop.validate.report_paths`: JUnit files below the root.
    pub report_paths: Vec<String>,
}

impl Sources {
    /// Those of the settings.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        Self {
            of_loop: settings.loops.validate.commands.clone(),
            of_verify: settings.verify.commands.clone(),
            dirs: settings.verify.dirs.clone(),
            timeout_ms: settings.verify.timeout_ms,
            report_paths: settings.loops.validate.report_paths.clone(),
        }
    }
}

/// The checks of the tree as it is now.
#[must_use]
pub fn for_loop(root: &Path, sources: &Sources) -> Vec<loops::Check> {
    let configured = if sources.of_loop.is_empty() { &sources.of_verify } else { &sources.of_loop };
    let checks = if configured.is_empty() {
        detected(root, sources)
    } else {
        of_settings(configured, sources.timeout_ms)
    };
    let defined = |check: Check| Check {
        definition_hash: definition(root, &check.cwd, &check.argv),
        ..check
    };
    checks.into_iter().map(|check| approved(&defined(check))).collect()
}

/// The checks that the tree itself asks for, with the limit of the settings.
#[must_use]
pub fn detected(root: &Path, sources: &Sources) -> Vec<Check> {
    let mut checks = detect(root, &sources.dirs);
    if sources.timeout_ms > 0 {
        checks.iter_mut().for_each(|check| check.timeout_ms = sources.timeout_ms);
    }
    checks
}

/// What a check's command means now, by its hash; none where nothing in the tree decides it.
#[must_use]
pub fn definition_now(root: &Path, sources: &Sources, id: &str) -> Option<String> {
    for_loop(root, sources).into_iter().find(|check| check.id == id)?.definition_hash
}

/// The checks of the settings, in their order, each under a name of its own.
#[must_use]
pub fn of_settings(commands: &[CheckCommand], timeout_ms: u64) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for command in commands {
        let mut check = of_command(command, timeout_ms);
        if checks.iter().any(|known| known.id == check.id) {
            check.id = format!("{}-{}", check.id, checks.len() + 1);
        }
        checks.push(check);
    }
    checks
}

fn of_command(command: &CheckCommand, timeout_ms: u64) -> Check {
    let cwd = command.cwd.clone().unwrap_or_else(|| ".".to_owned());
    Check {
        id: command.id.clone().unwrap_or_else(|| id_of(&command.argv, &cwd)),
        argv: command.argv.clone(),
        cwd,
        level: command.level.as_deref().and_then(Level::named).unwrap_or(Level::Test),
        required: command.required.unwrap_or(true),
        covers: command.covers.clone().unwrap_or_else(|| vec![EVERYTHING.to_owned()]),
        timeout_ms: command.timeout_s.map_or(timeout_ms, |s| s.saturating_mul(1000)),
        // Nobody said: then the runner that is plainly called.
        parser: match &command.parser {
            Some(word) => Parser::named(word).unwrap_or(Parser::Auto),
            None => runner(&command.argv).unwrap_or(Parser::Auto),
        },
        source: Source::Config,
        definition_hash: None,
    }
}

fn approved(check: &Check) -> loops::Check {
    loops::Check {
        id: check.id.clone(),
        argv: adds(check.parser, &check.argv, &format!("{TMP_MARK}/{REPORT_FILE}")),
        cwd: check.cwd.clone(),
        level: check.level,
        required: check.required,
        timeout_ms: check.timeout_ms,
        parser: check.parser.name().to_owned(),
        collect: vec![REPORT_FILE.to_owned()],
        definition_hash: check.definition_hash.clone(),
    }
}

/// The reader's form of an approved check.
#[must_use]
pub fn readable(check: &loops::Check) -> Check {
    Check {
        id: check.id.clone(),
        argv: check.argv.clone(),
        cwd: check.cwd.clone(),
        level: check.level,
        required: check.required,
        timeout_ms: check.timeout_ms,
        covers: vec![EVERYTHING.to_owned()],
        parser: Parser::named(&check.parser).unwrap_or(Parser::Auto),
        source: Source::Config,
        definition_hash: check.definition_hash.clone(),
    }
}
