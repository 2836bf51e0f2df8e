//! `kb status`: where the knowledge base is and what state it is in. Reads only.

use edge::packages::Base;
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
///
/// # Errors
/// When it would lie outside of the workspace, or the settings are wrong.
pub fn base(ctx: &Ctx) -> Result<Base, Trouble> {
    Base::of(&ctx.site()?, ctx.lang)
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
    let found = base(ctx)?.status(&ctx.site()?)?;
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
