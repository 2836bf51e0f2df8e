//! The verbs of `loop` and the one match that runs them. No verb's rule is here.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{check, history, list, make, rebuild, report, show, signal, start, steer, task};
use crate::commands::watch;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// Who chooses the next action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeWord {
    Auto,
    Interactive,
}

impl ModeWord {
    /// The word of the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Interactive => "interactive",
        }
    }
}

/// `--auto` or `--interactive`; neither leaves it to the settings.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct ModeFlags {
    /// The rules choose.
    #[arg(long, conflicts_with = "interactive")]
    pub auto: bool,
    /// A person chooses.
    #[arg(long)]
    pub interactive: bool,
}

impl ModeFlags {
    /// The word of the wire, if one was given.
    pub fn word(self) -> Option<String> {
        let mode = match (self.auto, self.interactive) {
            (true, _) => ModeWord::Auto,
            (false, true) => ModeWord::Interactive,
            (false, false) => return None,
        };
        Some(mode.word().to_owned())
    }
}

/// Whether a loop is followed to its end. It is, unless somebody says otherwise; `--wait` says so
/// in the words of the other runs.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct FollowFlags {
    /// Do not follow.
    #[arg(long, conflicts_with = "wait")]
    detach: bool,
    /// Follow it to its end.
    #[arg(long)]
    wait: bool,
}

impl FollowFlags {
    /// Whether nobody looks on.
    pub const fn away(self) -> bool {
        self.detach && !self.wait
    }
}

/// One loop, by its id or a unique beginning of it.
#[derive(Debug, Clone, clap::Args)]
pub struct One {
    /// The loop.
    #[arg(value_name = "LOOP")]
    pub id: String,
}

/// What to do with loops.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    Run(make::RunArgs),
    Create(make::CreateArgs),
    Start(start::Args),
    Pause {
        #[command(flatten)]
        one: One,
        #[arg(long)]
        now: bool,
    },
    Resume(One),
    Stop {
        #[command(flatten)]
        one: One,
        #[arg(long, value_name = "TEXT")]
        why: Option<String>,
    },
    Retry(One),
    Reopen(One),
    Complete {
        #[command(flatten)]
        one: One,
        #[arg(long, requires = "why")]
        force: bool,
        #[arg(long, value_name = "TEXT", requires = "force")]
        why: Option<String>,
    },
    Mode {
        #[command(flatten)]
        one: One,
        #[arg(value_name = "MODE", value_enum)]
        mode: ModeWord,
    },
    Answer(steer::AnswerArgs),
    Signal(signal::Args),
    Report(report::Args),
    List(list::Args),
    Show(One),
    Watch(One),
    History(history::Args),
    Logs(history::LogsArgs),
    Stats,
    Edit(steer::EditArgs),
    Delete(One),
    #[command(subcommand)]
    Task(task::Verb),
    Rebuild(rebuild::Args),
    Migrate(rebuild::MigrateArgs),
    Check {
        #[arg(value_name = "LOOP|FILE")]
        what: PathBuf,
    },
}

/// Does it.
///
/// # Errors
/// Whatever the verb answers instead of doing it.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Run(args) => make::run(ctx, args),
        Verb::Create(args) => make::create(ctx, args),
        Verb::Start(args) => start::run(ctx, args),
        Verb::Pause { one, now } => steer::pause(ctx, &one.id, *now),
        Verb::Resume(one) => steer::resume(ctx, &one.id),
        Verb::Stop { one, why } => steer::stop(ctx, &one.id, why.clone()),
        Verb::Retry(one) => steer::retry(ctx, &one.id),
        Verb::Reopen(one) => steer::reopen(ctx, &one.id),
        Verb::Complete { one, why, .. } => steer::complete(ctx, &one.id, why.clone()),
        Verb::Mode { one, mode } => steer::mode(ctx, &one.id, *mode),
        Verb::Answer(args) => steer::answer(ctx, args),
        Verb::Signal(args) => signal::run(ctx, args),
        Verb::Report(args) => report::run(ctx, args),
        Verb::List(args) => list::run(ctx, args),
        Verb::Show(one) => show::run(ctx, &one.id),
        Verb::Watch(one) => watch::one(ctx, &one.id),
        Verb::History(args) => history::run(ctx, args),
        Verb::Logs(args) => history::logs(ctx, args),
        Verb::Stats => history::stats(ctx),
        Verb::Edit(args) => steer::edit(ctx, args),
        Verb::Delete(one) => steer::delete(ctx, &one.id),
        Verb::Task(verb) => task::run(ctx, verb),
        Verb::Rebuild(args) => rebuild::run(ctx, args),
        Verb::Migrate(args) => rebuild::migrate(ctx, args),
        Verb::Check { what } => check::run(ctx, what),
    }
}
