//! The binary: one file per subcommand. Decides nothing; asks the engine or reads the journal, and
//! prints.

mod app;
mod asked;
mod commands;
mod ctx;
mod desk;
mod help;
mod live;
mod misuse;
mod out;
mod table;
mod traced;
mod trouble;

use std::ffi::OsString;
use std::process::ExitCode;

use commands::drive;
use runtime::shim::run as shim;

/// What is answered before any word is parsed: the shim and a driver must start fast and
/// `--version` reads neither catalogue nor settings.
fn main() -> ExitCode {
    let argv: Vec<OsString> = std::env::args_os().collect();
    match argv.get(1).and_then(|word| word.to_str()) {
        Some(shim::SUBCOMMAND) => ExitCode::from(shim::main(&argv[2..]) as u8),
        Some(drive::SUBCOMMAND) => drive::main(&argv[2..]),
        Some("--version" | "-V") if argv.len() == 2 => out::version(),
        Some(_) | None => app::run(&argv),
    }
}
