//! The list of subcommands and the one match that runs them. No command's rule is here.

use clap::{Parser, Subcommand};

use super::{cli_md, completions, explain, help};
use crate::ctx::{Ctx, Global};
use crate::out::Reply;
use crate::trouble::Trouble;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "loopwright", version, disable_help_subcommand = true)]
pub struct Cli {
    /// Flags every command takes.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Every subcommand. Words about them are in the catalogue, under `cmd-<path>`.
#[derive(Debug, Subcommand)]
pub enum Command {
    Explain(explain::Args),
    Completions(completions::Args),
    Help(help::Args),
    #[command(name = "__cli-md", hide = true)]
    CliMd,
}

/// Runs the command that was asked for.
///
/// # Errors
/// Whatever the command answers instead of doing it.
pub fn run(ctx: &Ctx, command: &Command) -> Result<Reply, Trouble> {
    match command {
        Command::Explain(args) => explain::run(ctx, args),
        Command::Completions(args) => completions::run(ctx, args),
        Command::Help(args) => help::run(ctx, args),
        Command::CliMd => Ok(cli_md::run(ctx)),
    }
}
