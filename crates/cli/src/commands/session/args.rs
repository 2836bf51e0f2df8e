//! The arguments of the commands of a session. Words about them are in the catalogue.

use std::collections::BTreeMap;

use kernel::session::Asking;
use runtime::sessions::Form;

use crate::ctx::Ctx;
use crate::live::People;
use crate::trouble::{self, Trouble};

/// What every one of them takes.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Flags {
    /// End what runs and start this.
    #[arg(long)]
    replace: bool,
    /// Start without confirmation, unless a risk is shown.
    #[arg(long)]
    yes: bool,
    /// An answer before its question.
    #[arg(long = "answer", value_name = "KIND=KEY")]
    answers: Vec<String>,
    /// Ask nothing on the terminal.
    #[arg(long)]
    pub(super) headless: bool,
    /// Only on this branch.
    #[arg(long, value_name = "BRANCH")]
    pub(super) branch: Option<String>,
}

impl Flags {
    /// As the engine is told.
    pub(super) fn form(&self, ctx: &Ctx) -> Result<Form, Trouble> {
        let mut answers = BTreeMap::new();
        for answer in &self.answers {
            let pair = answer.split_once('=');
            let known = pair.filter(|(kind, _)| Asking::named(kind).is_some());
            let Some((kind, key)) = known else {
                let kinds: Vec<&str> = Asking::ALL.iter().map(|kind| kind.word()).collect();
                return Err(trouble::bad_value("--answer", answer, &kinds));
            };
            answers.insert(kind.to_owned(), key.to_owned());
        }
        Ok(Form {
            lang: Some(ctx.lang.to_string()),
            headless: People::of(self.headless) == People::Away,
            replace: self.replace,
            yes: self.yes,
            answers,
        })
    }
}

/// `auto`, `plan`
#[derive(Debug, clap::Args)]
pub struct TextArgs {
    /// What is wanted.
    #[arg(value_name = "TEXT")]
    pub(super) text: Vec<String>,
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// `exec`
#[derive(Debug, clap::Args)]
pub struct ExecArgs {
    /// Which package.
    #[arg(value_name = "PACKAGE")]
    pub(super) package: Option<String>,
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// `init`, `upgrade`
#[derive(Debug, clap::Args)]
pub struct BareArgs {
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// `clean`
#[derive(Debug, clap::Args)]
pub struct CleanArgs {
    /// Which packages.
    #[arg(value_name = "PACKAGE")]
    pub(super) packages: Vec<String>,
    /// All of them.
    #[arg(long)]
    pub(super) all: bool,
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// `test`
#[derive(Debug, clap::Args)]
pub struct TestArgs {
    /// Only this one.
    #[arg(long, value_name = "NAME")]
    pub(super) framework: Option<String>,
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// `commit`
#[derive(Debug, clap::Args)]
pub struct CommitArgs {
    /// The message.
    #[arg(value_name = "MESSAGE")]
    pub(super) message: Vec<String>,
    /// What is staged.
    #[arg(long, conflicts_with = "all")]
    pub(super) staged: bool,
    /// All that changed.
    #[arg(long)]
    pub(super) all: bool,
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// `review`
#[derive(Debug, clap::Args)]
pub struct ReviewArgs {
    /// A path.
    #[arg(value_name = "PATH")]
    pub(super) path: Option<String>,
    /// A range.
    #[arg(long, value_name = "SCOPE", value_parser = ["all", "recent", "staged"])]
    pub(super) scope: Option<String>,
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// `validate`
#[derive(Debug, clap::Args)]
pub struct ValidateArgs {
    /// A range.
    #[arg(value_name = "SCOPE", value_parser = ["all", "kb", "packages"])]
    pub(super) scope: Option<String>,
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// `say`
#[derive(Debug, clap::Args)]
pub struct SayArgs {
    /// What is said.
    #[arg(value_name = "TEXT", required = true)]
    pub(super) text: Vec<String>,
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// `status`
#[derive(Debug, Default, clap::Args)]
pub struct StatusArgs {
    /// The variables alone.
    #[arg(long)]
    pub(super) vars: bool,
    /// Of another branch.
    #[arg(long, value_name = "BRANCH")]
    pub(super) branch: Option<String>,
}

/// `cancel`
#[derive(Debug, clap::Args)]
pub struct CancelArgs {
    /// Take a tweak's edits back.
    #[arg(long)]
    pub(super) undo: bool,
    /// Everything, not only what is on top.
    #[arg(long)]
    pub(super) all: bool,
    /// Of another branch.
    #[arg(long, value_name = "BRANCH")]
    pub(super) branch: Option<String>,
}
