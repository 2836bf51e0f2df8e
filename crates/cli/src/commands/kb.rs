//! `kb status`: where the knowledge base is and what state it is in. Reads only.

use std::path::PathBuf;

use kernel::packages::Tongue;
use runtime::packages::{self, KbRoot, Operation, Refusal, Wish};
use runtime::words::Lang;
use serde_json::json;

use super::{known, package};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// What can be asked.
#[derive(Debug, Clone, Copy, clap::Subcommand)]
pub enum Verb {
    Status,
}

/// The base of this workspace, as the settings say.
pub struct Base {
    /// The workspace.
    pub workspace: PathBuf,
    /// The root.
    pub root: KbRoot,
    /// Others that bear the marker.
    pub ambiguous: Vec<String>,
    /// The language of what is written.
    pub lang: Tongue,
}

impl Base {
    /// Finds it.
    ///
    /// # Errors
    /// When it would lie outside of the workspace, or the settings are wrong.
    pub fn of(ctx: &Ctx) -> Result<Self, Trouble> {
        let workspace = ctx.root()?.path;
        let paths = ctx.settings()?.settings.paths;
        let found = packages::find(&workspace, &paths.kb_root, &paths.kb_candidates);
        let found = found.map_err(|why| raised(&why))?;
        let lang = match ctx.lang {
            Lang::En => Tongue::En,
            Lang::Zh => Tongue::Zh,
        };
        Ok(Self { workspace, root: found.root, ambiguous: found.ambiguous, lang })
    }

    /// An operation on this base.
    pub fn wish(&self, operation: Operation) -> Wish {
        Wish { root: self.root.path.as_str().to_owned(), lang: self.lang, operation }
    }
}

/// A refusal as it is told.
pub fn raised(why: &Refusal) -> Trouble {
    Trouble::new(why.misfit().code, why.misfit().details.clone())
}

/// Answers.
///
/// # Errors
/// When the base cannot be read.
pub fn run(ctx: &Ctx, verb: Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Status => status(ctx),
    }
}

fn status(ctx: &Ctx) -> Result<Reply, Trouble> {
    let base = Base::of(ctx)?;
    let mode = ctx.settings()?.settings.kb.create_mode;
    let mut found = packages::kb_status(&base.workspace, &base.root, mode, base.lang)
        .map_err(|why| raised(&why))?;
    found.ambiguous.clone_from(&base.ambiguous);
    known::redacted(ctx, &json!(found), |_| {
        let state = ctx.say(&format!("kb-state-{}", found.state.word()));
        let facts: [(&str, &dyn std::fmt::Display); 4] = [
            ("root", &found.root),
            ("state", &state),
            ("modules", &found.modules),
            ("packages", &found.packages.len()),
        ];
        let mut lines = vec![ctx.tell("kb-line", &facts)];
        if !found.ambiguous.is_empty() {
            let roots = found.ambiguous.join(", ");
            lines.push(ctx.tell("package-ambiguous", &[("roots", &roots)]));
        }
        if !found.packages.is_empty() {
            lines.push(package::listed(ctx, &found.packages));
        }
        lines.join("\n")
    })
}
