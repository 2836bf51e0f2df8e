//! `loop start`: says what a start allows, starts, and follows unless told not to.

use edge::door::LoopSay;
use kernel::loops::{Run, TaskStatus};
use kernel::run::State;
use runtime::checks::{self, Sources};
use runtime::{query, tasks};

use super::said::{self, over};
use super::show;
use super::verbs::{FollowFlags, ModeFlags};
use crate::commands::known::Known;
use crate::ctx::{Ctx, Form};
use crate::desk::{self, Desk};
use crate::live::{self, Follow, People};
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

/// `loop start`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The loop.
    #[arg(value_name = "LOOP")]
    id: String,
    #[command(flatten)]
    mode: ModeFlags,
    /// An outside skill drives, by this name if it has one.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    external: Option<String>,
    #[command(flatten)]
    follow: FollowFlags,
    /// Ask nothing on the terminal.
    #[arg(long)]
    headless: bool,
}

/// How a loop is to go.
pub struct Going {
    /// Who chooses; none leaves it to the settings.
    pub mode: Option<String>,
    /// Whether an outside skill drives.
    pub external: bool,
    /// Its name.
    pub runner: Option<String>,
}

impl Going {
    /// As it is said, in the language of whoever says it.
    pub fn say(&self, ctx: &Ctx) -> LoopSay {
        LoopSay::Start {
            mode: self.mode.clone(),
            external: self.external,
            runner: self.runner.clone(),
            lang: Some(ctx.lang.tag().to_owned()),
        }
    }
}

/// Starts it.
///
/// # Errors
/// An unknown loop, a refusal, or that no engine answers.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = said::find(ctx, &args.id)?;
    let going = Going {
        mode: args.mode.word(),
        external: args.external.is_some(),
        runner: args.external.clone().filter(|name| !name.is_empty()),
    };
    let mut desk = desk::open(ctx)?;
    list(ctx, &pending(&known)?)?;
    over(&mut desk, &known.head.run, vec![going.say(ctx)])?;
    // An outside skill asks for itself; there is nothing of ours to follow.
    if args.follow.away() || going.external {
        return show::brief(ctx, &known.head.run);
    }
    after(ctx, desk, &known.head.run, People::of(args.headless))
}

/// Follows a loop that was just started.
///
/// # Errors
/// A journal that cannot be read.
pub fn after(ctx: &Ctx, desk: Desk, run: &str, people: People) -> Result<Reply, Trouble> {
    live::follow(ctx, Some(desk), run, Follow::Started(people))
}

/// The command lines of a loop's pending tasks.
///
/// # Errors
/// A journal that cannot be read.
pub fn pending(known: &Known) -> Result<Vec<String>, Trouble> {
    let folded = query::fold(&known.journal, &known.head, None);
    let State::Loop(state) = folded.map_err(|why| trouble::of_query(&why))?.state else {
        return Ok(Vec::new());
    };
    let tasks = state.life().map(|life| life.body.tasks.as_slice()).unwrap_or_default();
    let waiting = tasks.iter().filter(|task| task.status == TaskStatus::Pending);
    Ok(waiting.filter_map(|task| task.command.clone()).collect())
}

/// Lists what a person's start allows: exactly these commands, and no script.
///
/// # Errors
/// Settings that cannot be used.
pub fn list(ctx: &Ctx, lines: &[String]) -> Result<(), Trouble> {
    if ctx.form == Form::Json {
        return Ok(());
    }
    let sources = Sources::of(&ctx.settings()?.settings);
    let checks = checks::for_loop(&ctx.root()?.path, &sources);
    let mut shown = Vec::new();
    for line in lines {
        shown.push(match tasks::split_command(line) {
            Ok(Run::Script(_)) => ctx.tell("lc-grant-script", &[("command", line)]),
            Ok(Run::Argv(_)) | Err(_) => ctx.tell("lc-grant-task", &[("command", line)]),
        });
    }
    for check in &checks {
        let argv = check.argv.join(" ");
        shown.push(ctx.tell("lc-grant-check", &[("command", &argv), ("cwd", &check.cwd)]));
    }
    if !shown.is_empty() {
        let title = ctx.say("lc-grants");
        // A reader that has gone away does not stop the start.
        drop(out::line(&format!("{title}\n  {}", shown.join("\n  "))));
    }
    Ok(())
}
