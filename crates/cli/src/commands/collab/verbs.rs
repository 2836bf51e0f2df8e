//! The verbs of `collab` and the one match that runs them.

use edge::door::CollabSay;

use super::start::duration_ms;
use super::{follow, says, shown, start};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// What to do with collabs.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Ask a question.
    Start(Box<start::Args>),
    /// List them.
    List,
    /// Show one.
    Show {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Follow one.
    Watch {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Its result.
    Result {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Whether its result may be used.
    Gate {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// What is handed over when nobody answered.
    Takeover {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Use a degraded result.
    Confirm {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
        /// Although a core side is missing.
        #[arg(long = "override")]
        overriding: bool,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Refuse a degraded result.
    Decline {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Decide later.
    Defer {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Cancel it, or one participant.
    Cancel {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
        /// The participant.
        #[arg(value_name = "PARTICIPANT")]
        participant: Option<String>,
    },
    /// Give it more time.
    Extend {
        /// The collab.
        #[arg(value_name = "ID")]
        id: String,
        /// How much.
        #[arg(value_name = "DURATION")]
        by: String,
    },
}

/// Does it.
///
/// # Errors
/// An unknown collab, a refusal, or a journal that cannot be read.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Start(args) => start::run(ctx, args),
        Verb::List => shown::list(ctx),
        Verb::Show { id } => shown::show(ctx, id),
        Verb::Watch { id } => follow::watch(ctx, id),
        Verb::Result { id } => shown::result(ctx, id),
        Verb::Gate { id } => shown::gate(ctx, id),
        Verb::Takeover { id } => shown::takeover(ctx, id),
        Verb::Confirm { id, overriding, note } => {
            let key = if *overriding { "override" } else { "accept" };
            says::answer(ctx, id, key, note.clone())
        }
        Verb::Decline { id, note } => says::answer(ctx, id, "cancel", note.clone()),
        Verb::Defer { id } => says::answer(ctx, id, "wait", None),
        Verb::Cancel { id, participant } => {
            says::say(ctx, id, CollabSay::Cancel { participant: participant.clone() })
        }
        Verb::Extend { id, by } => {
            says::say(ctx, id, CollabSay::Extend { ms: duration_ms("DURATION", by)? })
        }
    }
}
