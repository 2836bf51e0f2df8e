//! The binary: one file per subcommand. Decides nothing; asks the engine or reads the journal, and
//! prints.

mod app;
mod commands;
mod ctx;
mod help;
mod misuse;
mod out;
mod table;
mod trouble;

use std::ffi::OsString;
use std::process::ExitCode;

/// What is answered before any word is parsed: the shim must start fast and `--version` reads
/// neither catalogue nor settings.
fn main() -> ExitCode {
    let argv: Vec<OsString> = std::env::args_os().collect();
    let words: Vec<&str> = argv.iter().skip(1).map(|word| word.to_str().unwrap_or("")).collect();
    match words.as_slice() {
        ["--version" | "-V"] => out::version(),
        _ => app::run(&argv),
    }
}
