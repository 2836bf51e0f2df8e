//! `completions SHELL`: the script that teaches a shell our commands.

use clap_complete::Shell;

use crate::ctx::Ctx;
use crate::help;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// The shells we write for.
const SHELLS: [(&str, Shell); 3] =
    [("bash", Shell::Bash), ("zsh", Shell::Zsh), ("fish", Shell::Fish)];

/// Which shell.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name.
    #[arg(value_name = "SHELL")]
    pub shell: String,
}

/// Writes the script.
///
/// # Errors
/// When the shell is none of ours.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let found = SHELLS.iter().find(|(name, _)| *name == args.shell);
    let Some((_, shell)) = found else {
        let known = SHELLS.map(|(name, _)| name);
        return Err(trouble::bad_value("SHELL", &args.shell, &known));
    };
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut help::tree(ctx.lang), "loopwright", &mut script);
    Ok(Reply::page(String::from_utf8_lossy(&script).into_owned()))
}
