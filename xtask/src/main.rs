//! Project tasks: bench, ci, gen, prove, test-agents, tidy. A list of subcommands, one file or
//! folder each; nothing here ships, and no subcommand's work is done in this file.

mod agents;
mod bench;
mod ci;
mod generate;
mod prove;
mod root;
mod tidy;

use std::process::ExitCode;

use anyhow::Result;

/// A subcommand: its name, the line shown by help, and what runs.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<ExitCode>,
}

/// Every subcommand. A new one adds a line here and a file beside this one.
const TASKS: &[Task] = &[
    Task {
        name: "bench",
        about: "speed as ratios: checkpoint, collab, journal, loop, search; --json",
        run: bench::run,
    },
    Task { name: "ci", about: "everything that must hold before a merge, timed", run: ci::run },
    Task {
        name: "gen",
        about: "docs/reference from the code; --check only compares",
        run: generate::run,
    },
    Task {
        name: "prove",
        about: "long proofs, resumable; NAME [--minutes N] [--restart], or --list",
        run: prove::run,
    },
    Task {
        name: "test-agents",
        about: "real agent CLIs, scripted model; [CLI…] [--case C] [--latest] [--install-only]",
        run: agents::run,
    },
    Task { name: "tidy", about: "the style rules a script can check", run: tidy::run },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = args.split_first() else {
        help();
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        help();
        return ExitCode::SUCCESS;
    }
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprintln!("xtask: no such task: {name}");
        help();
        return ExitCode::from(2);
    };
    (task.run)(rest).unwrap_or_else(|error| {
        eprintln!("xtask {name}: {error:#}");
        ExitCode::FAILURE
    })
}

fn help() {
    println!("cargo xtask TASK [ARGS]\n");
    for task in TASKS {
        println!("  {:<11} {}", task.name, task.about);
    }
}
