//! The verbs of `turn` and the one match that runs them.

use std::path::PathBuf;

use clap::ValueEnum;
use edge::door::{TurnSay, YesNo};
use kernel::turn::Scope;

use super::{check, follow, says, shown, start};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// A word about a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Word {
    Yes,
    No,
}

/// How far a yes reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Reach {
    SingleAction,
    Session,
    Workspace,
}

impl Reach {
    /// The word of the wire.
    pub const fn scope(self) -> Scope {
        match self {
            Self::SingleAction => Scope::SingleAction,
            Self::Session => Scope::Session,
            Self::Workspace => Scope::Workspace,
        }
    }
}

/// What to do with turns.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Start one.
    Start(Box<start::Args>),
    /// List them.
    List,
    /// Show one.
    Show {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Follow one.
    Watch {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Its plan.
    Plan {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Its summary.
    Summary {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Answer a question.
    Answer {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
        /// The answer.
        #[arg(value_name = "TEXT", required_unless_present = "proceed")]
        text: Option<String>,
        /// Which question.
        #[arg(long, value_name = "QUESTION")]
        question: Option<String>,
        /// Go on without an answer.
        #[arg(long, conflicts_with = "text")]
        proceed: bool,
    },
    /// Say yes or no to what it shows.
    Confirm {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
        /// The word.
        #[arg(value_name = "WORD", value_enum)]
        word: Word,
        /// The prompt that was seen.
        #[arg(long, value_name = "PROMPT")]
        prompt: Option<String>,
        /// How far a yes reaches.
        #[arg(long, value_name = "SCOPE", value_enum, default_value = "single_action")]
        scope: Reach,
        /// What to do otherwise, or why.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Change its plan.
    Edit {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
        /// The change.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Leave a step out.
    Skip {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
        /// The step.
        #[arg(value_name = "STEP")]
        step: String,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Hold it.
    Pause {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
        /// Stop what runs.
        #[arg(long)]
        now: bool,
    },
    /// Let it go on.
    Resume {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// End it.
    Cancel {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// A new turn with what is left of one that is over.
    Continue {
        /// The turn.
        #[arg(value_name = "ID")]
        id: String,
        /// Do not wait for the end.
        #[arg(long)]
        no_wait: bool,
        /// Ask nothing on the terminal.
        #[arg(long)]
        headless: bool,
    },
    /// Look at a plan file.
    Check {
        /// The file.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// Does it.
///
/// # Errors
/// An unknown turn, a refusal, a plan that does not hold, or a journal that cannot be read.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Start(args) => start::run(ctx, args),
        Verb::List => shown::list(ctx),
        Verb::Show { id } => shown::show(ctx, id),
        Verb::Watch { id } => follow::watch(ctx, id),
        Verb::Plan { id } => shown::plan(ctx, id),
        Verb::Summary { id } => shown::summary(ctx, id),
        Verb::Answer { id, text, question, proceed: _ } => {
            says::answer(ctx, id, text.clone(), question.as_deref())
        }
        Verb::Confirm { id, word, prompt, scope, note } => {
            let word = match word {
                Word::Yes => YesNo::Yes,
                Word::No => YesNo::No,
            };
            says::confirm(ctx, id, prompt.as_deref(), (word, scope.scope(), note.clone()))
        }
        Verb::Edit { id, file } => says::edit(ctx, id, file),
        Verb::Skip { id, step, reason } => {
            says::say(ctx, id, TurnSay::Skip { step: step.clone(), reason: reason.clone() })
        }
        Verb::Pause { id, now } => says::say(ctx, id, TurnSay::Pause { now: *now }),
        Verb::Resume { id } => says::say(ctx, id, TurnSay::Resume),
        Verb::Cancel { id } => says::say(ctx, id, TurnSay::Cancel),
        Verb::Continue { id, no_wait, headless } => {
            start::go_on(ctx, id, start::Wait::of(*no_wait, *headless))
        }
        Verb::Check { file } => check::run(ctx, file),
    }
}
