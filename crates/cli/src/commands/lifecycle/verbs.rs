//! The verbs of `lifecycle` and the one match that runs them.

use std::path::PathBuf;

use clap::ValueEnum;
use edge::door::LifecycleSay;

use super::says::Go;
use super::{amend, reads, rollback, says, start};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// How far a yes to a plan reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Reach {
    Plan,
    Session,
}

/// Which run.
#[derive(Debug, Clone, clap::Args)]
pub struct Named {
    /// The run; the branch's without one.
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
}

/// Which run, and whether its end is waited for.
#[derive(Debug, Clone, clap::Args)]
pub struct Steer {
    /// The run; the branch's without one.
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// Whether its end is waited for.
    #[command(flatten)]
    pub go: Go,
}

/// What to do with lifecycles.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Give a requirement.
    Start(start::Args),
    /// Say yes to a plan.
    Confirm {
        /// The question, or its run.
        #[arg(value_name = "QUESTION")]
        question: Option<String>,
        /// How far the yes reaches.
        #[arg(long, value_name = "SCOPE", value_enum, default_value = "plan")]
        scope: Reach,
        #[command(flatten)]
        go: Go,
    },
    /// Have it planned otherwise.
    Modify {
        /// What is to be different.
        #[arg(value_name = "TEXT")]
        text: String,
        #[command(flatten)]
        steer: Steer,
    },
    /// Change tasks that have not started.
    Amend {
        /// The change.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        steer: Steer,
    },
    /// Try to plan again.
    RetryPlan(Steer),
    /// End it, whatever it does.
    Cancel(Steer),
    /// End the work.
    Abort {
        #[command(flatten)]
        steer: Steer,
        /// Why.
        #[arg(short, long, value_name = "TEXT")]
        message: Option<String>,
    },
    /// Hold it.
    Pause {
        #[command(flatten)]
        named: Named,
        /// Stop what runs.
        #[arg(long)]
        now: bool,
    },
    /// Let it go on.
    Resume(Steer),
    /// Stop fixing.
    StopFix(Steer),
    /// Help a blocked run.
    Fix(says::FixArgs),
    /// Go on without the blocked task.
    Skip {
        #[command(flatten)]
        steer: Steer,
        /// Run what needs it all the same.
        #[arg(long)]
        run_dependants: bool,
    },
    /// Go back to a checkpoint.
    Rollback(rollback::Args),
    /// Say how a task stands.
    Update {
        /// The task.
        #[arg(value_name = "TASK")]
        task: String,
        /// How it stands.
        #[arg(value_name = "STATUS")]
        status: String,
        #[command(flatten)]
        steer: Steer,
        /// What goes with it.
        #[arg(short, long, value_name = "TEXT")]
        message: Option<String>,
    },
    /// Open a closed task again.
    Reopen {
        /// The task.
        #[arg(value_name = "TASK")]
        task: String,
        #[command(flatten)]
        steer: Steer,
    },
    /// How it stands.
    Status(Named),
    /// What comes next.
    Next(Named),
    /// Why it stands still.
    Why {
        /// One task of it.
        #[arg(value_name = "TASK")]
        task: Option<String>,
        /// The run.
        #[arg(long, value_name = "RUN")]
        run: Option<String>,
    },
    /// Its tasks.
    Tasks(Named),
    /// What failed.
    Errors(Named),
    /// What its checks came to.
    Evidence(Named),
    /// Runs that are over.
    History,
    /// The page of working memory.
    Context(Named),
    /// All of them.
    List,
    /// Follow one.
    Watch(Named),
}

/// Does it.
///
/// # Errors
/// An unknown run, a refusal, a file that does not fit, or a journal that cannot be read.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Start(args) => start::run(ctx, args),
        Verb::Confirm { question, scope, go } => {
            says::confirm(ctx, question.as_deref(), *scope, *go)
        }
        Verb::Modify { text, steer } => {
            says::say(ctx, steer, LifecycleSay::Modify { text: text.clone() })
        }
        Verb::Amend { file, steer } => amend::run(ctx, file, steer),
        Verb::RetryPlan(steer) => says::say(ctx, steer, LifecycleSay::RetryPlan),
        Verb::Cancel(steer) => says::cancel(ctx, steer),
        Verb::Abort { steer, message } => {
            says::say(ctx, steer, LifecycleSay::Abort { reason: message.clone() })
        }
        Verb::Pause { named, now } => says::pause(ctx, named, *now),
        Verb::Resume(steer) => says::say(ctx, steer, LifecycleSay::Resume),
        Verb::StopFix(steer) => says::say(ctx, steer, LifecycleSay::StopFix),
        Verb::Fix(args) => says::fix(ctx, args),
        Verb::Skip { steer, run_dependants } => {
            says::say(ctx, steer, LifecycleSay::Skip { run_dependants: *run_dependants })
        }
        Verb::Rollback(args) => rollback::run(ctx, args),
        Verb::Update { task, status, steer, message } => {
            says::update(ctx, steer, (task, status), message.clone())
        }
        Verb::Reopen { task, steer } => says::update(ctx, steer, (task, "PENDING"), None),
        Verb::Status(Named { run }) => reads::status(ctx, run.as_deref()),
        Verb::Next(Named { run }) => reads::next(ctx, run.as_deref()),
        Verb::Why { task, run } => reads::why(ctx, run.as_deref(), task.as_deref()),
        Verb::Tasks(Named { run }) => reads::tasks(ctx, run.as_deref()),
        Verb::Errors(Named { run }) => reads::errors(ctx, run.as_deref()),
        Verb::Evidence(Named { run }) => reads::evidence(ctx, run.as_deref()),
        Verb::History => reads::history(ctx),
        Verb::Context(Named { run }) => reads::context(ctx, run.as_deref()),
        Verb::List => reads::list(ctx),
        Verb::Watch(Named { run }) => super::follow::watch(ctx, run.as_deref()),
    }
}
