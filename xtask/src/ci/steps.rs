//! The steps, one after the other. A failing step does not hide those after it, except that
//! nothing is built when the tools are missing; the summary names every step and its time.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use super::tools;
use crate::root::root;

/// A step and what it runs.
struct Step {
    name: &'static str,
    what: What,
}

/// How a step is run.
enum What {
    /// `cargo` with these arguments.
    Cargo(&'static [&'static str]),
    /// Another task of this binary.
    Task(&'static [&'static str]),
    /// A function of ours.
    Ours(fn(&Path) -> Result<()>),
}

/// Quick ones first, so that most mistakes are told within a minute. Everything is compiled in
/// one profile, so that the tests reuse what clippy's neighbours have built.
const STEPS: &[Step] = &[
    Step { name: "set-up", what: What::Ours(tools::set_up) },
    Step { name: "fmt", what: What::Cargo(&["fmt", "--all", "--check"]) },
    Step { name: "tidy", what: What::Task(&["tidy"]) },
    Step {
        name: "deny",
        what: What::Cargo(&["deny", "--locked", "check", "licenses", "bans", "sources"]),
    },
    Step {
        name: "clippy",
        what: What::Cargo(&[
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    },
    Step { name: "build", what: What::Cargo(&["build", "--locked", "--package", "loopwright"]) },
    Step { name: "gen", what: What::Task(&["gen", "--check"]) },
    Step {
        name: "test",
        what: What::Cargo(&["test", "--locked", "--workspace", "--no-fail-fast"]),
    },
];

/// Runs every step, or only those named.
pub fn run(args: &[String]) -> Result<ExitCode> {
    if let Some(unknown) = args.iter().find(|arg| STEPS.iter().all(|step| step.name != **arg)) {
        let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        bail!("no such step: {unknown}; steps: {}", names.join(" "));
    }
    let root = root();
    let mut told = Vec::new();
    for step in STEPS.iter().filter(|step| args.is_empty() || args.iter().any(|a| a == step.name)) {
        println!("── {}", step.name);
        let begun = Instant::now();
        let result = step.what.run(&root);
        if let Err(error) = &result {
            println!("── {} failed: {error:#}", step.name);
        }
        told.push((step.name, begun.elapsed(), result.is_ok()));
        if result.is_err() && step.name == "set-up" {
            break;
        }
    }
    Ok(summary(&told))
}

impl What {
    fn run(&self, root: &Path) -> Result<()> {
        match self {
            Self::Ours(act) => act(root),
            Self::Cargo(args) => {
                let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
                must_pass(Command::new(cargo).args(*args), root)
            }
            Self::Task(args) => must_pass(Command::new(std::env::current_exe()?).args(*args), root),
        }
    }
}

fn must_pass(command: &mut Command, root: &Path) -> Result<()> {
    let status = command.current_dir(root).status().context("could not be started")?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}

fn summary(told: &[(&'static str, Duration, bool)]) -> ExitCode {
    println!("\n── summary");
    for (name, took, ok) in told {
        let word = if *ok { "ok" } else { "FAILED" };
        println!("{name:<8} {:>7.1} s  {word}", took.as_secs_f64());
    }
    let total: Duration = told.iter().map(|(_, took, _)| *took).sum();
    let failed: Vec<_> = told.iter().filter(|(.., ok)| !ok).map(|(name, ..)| *name).collect();
    println!("{:<8} {:>7.1} s", "total", total.as_secs_f64());
    if failed.is_empty() {
        println!("all steps passed");
        return ExitCode::SUCCESS;
    }
    println!("FAILED: {}", failed.join(", "));
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failed_step_fails_the_whole() {
        let ok = ("fmt", Duration::ZERO, true);
        let bad = ("test", Duration::ZERO, false);
        for (told, expected) in [(vec![ok], ExitCode::SUCCESS), (vec![ok, bad], ExitCode::FAILURE)]
        {
            assert_eq!(format!("{:?}", summary(&told)), format!("{expected:?}"));
        }
    }

    #[test]
    fn a_step_that_cannot_run_fails() {
        let table = [(What::Cargo(&["--version"]), true), (What::Cargo(&["no-such-task"]), false)];
        for (what, good) in table {
            assert_eq!(what.run(&root()).is_ok(), good);
        }
        assert!(run(&["nonsense".to_owned()]).is_err());
    }
}
