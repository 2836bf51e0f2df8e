//! `bench NAME [--json]`: picks the measurement and prints it. Nothing is measured here.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::{checkpoint, collab, goals, journal, loops, search, turns};

/// `bench NAME [--json]`; also the hidden parts that measure a process of their own.
///
/// # Errors
/// When the name is unknown or something could not be measured.
pub fn run(args: &[String]) -> Result<ExitCode> {
    if cfg!(debug_assertions) {
        return in_release(args);
    }
    let words: Vec<&str> =
        args.iter().map(String::as_str).filter(|word| *word != "--json").collect();
    let json = args.iter().any(|word| word == "--json");
    let (measured, goals) = match words.as_slice() {
        ["checkpoint"] => (checkpoint::run()?, goals::CHECKPOINT),
        ["journal"] => (journal::run()?, goals::JOURNAL),
        ["collab"] => (collab::run()?, goals::COLLAB),
        ["loop"] => (loops::run()?, goals::LOOP),
        ["search"] => (search::run()?, goals::SEARCH),
        ["turn"] => (turns::run()?, goals::TURN),
        ["journal-open", dir] => (journal::open(Path::new(dir))?, &[][..]),
        _ => bail!("which bench? checkpoint, collab, journal, loop, search or turn"),
    };
    if json {
        println!("{measured}");
    } else {
        println!("{measured:#}");
        for goal in goals {
            println!("{}", goal.line(&measured));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures what people get: the same task, built as a release.
fn in_release(args: &[String]) -> Result<ExitCode> {
    let status = std::process::Command::new("cargo")
        .args(["run", "--quiet", "--release", "--package", "xtask", "--", "bench"])
        .args(args)
        .current_dir(crate::root::root())
        .status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
