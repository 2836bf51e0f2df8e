//! `drive script`: the scripted agent, a child of the shim like any CLI. Hidden, answered before
//! any word is parsed, because it must look like an agent and not like us: no settings, no
//! catalogue, no answer of ours around its own.

use std::ffi::OsString;
use std::process::ExitCode;

use runtime::agents::script::drive;

/// The command's name.
pub const SUBCOMMAND: &str = drive::SUBCOMMAND;

/// Runs a driver, given the words after the command.
pub fn main(words: &[OsString]) -> ExitCode {
    ExitCode::from(drive::main(words))
}
