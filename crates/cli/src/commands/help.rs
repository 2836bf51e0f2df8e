//! `help [COMMAND]…`: the page of a command, and of the whole program with one next step.

use kernel::errors::{Class, nearest};
use serde_json::json;

use crate::ctx::Ctx;
use crate::help;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Which page.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The command's path.
    #[arg(value_name = "COMMAND")]
    pub path: Vec<String>,
}

/// Shows the page.
///
/// # Errors
/// When there is no such command.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let mut tree = help::tree(ctx.lang);
    let mut at = &tree;
    for name in &args.path {
        let known: Vec<&str> = at.get_subcommands().map(clap::Command::get_name).collect();
        at = at.find_subcommand(name).ok_or_else(|| {
            let near = nearest(name, known.iter().copied());
            let details = json!({ "kind": "unknown_command", "path": name, "nearest": near });
            trouble::class(Class::InvalidArgs, details)
        })?;
    }
    let mut page = help::page(&mut tree, &args.path);
    if args.path.is_empty() {
        page = format!("{}\n\n{}\n", page.trim_end(), ctx.say("help-next"));
    }
    Ok(Reply::page(page))
}
