//! `turn check FILE`: whether a plan file holds, what policy says of it and how dangerous it is.
//! Nothing is run and no engine is needed.

use std::path::{Path, PathBuf};

pub use edge::turns::With;
use edge::turns::{self, Checked};
use kernel::errors::Exit;
use kernel::policy::Word;

use super::super::known;
use super::page;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// A plan file that holds, by the path under which the engine finds it.
///
/// # Errors
/// The first thing that is wrong with it, by line.
pub fn found(ctx: &Ctx, path: &Path, with: &With) -> Result<PathBuf, Trouble> {
    turns::found(&ctx.site()?, ctx.lang, path, with)
}

/// Looks at it.
///
/// # Errors
/// The first thing that is wrong with it, by line.
pub fn run(ctx: &Ctx, file: &Path) -> Result<Reply, Trouble> {
    let checked = turns::checked(&ctx.site()?, ctx.lang, file)?;
    let exit = match checked.judged.verdict.word() {
        Word::Allow | Word::Ask => Exit::OK,
        Word::Deny => Exit::DENIED,
    };
    let page = text(ctx, &checked);
    let redactor = ctx.redactor()?;
    let mut reply = known::redacted(ctx, &checked.data(), |_| redactor.redact_text(&page))?;
    reply.exit = exit;
    Ok(reply)
}

fn text(ctx: &Ctx, checked: &Checked) -> String {
    let Checked { plan, judged } = checked;
    let mut lines = vec![ctx.tell("turn-check-valid", &[("steps", &plan.steps.len())])];
    lines.extend(page::steps(ctx, plan));
    lines.extend(page::reach(ctx, &judged.reach));
    lines.extend(page::checks(ctx, plan));
    lines.push(page::risk(ctx, plan.risk_level));
    let gate = ctx.say(&format!("turn-gate-{}", judged.verdict.word().name()));
    lines.push(ctx.tell("turn-gate", &[("gate", &gate), ("rule", &judged.verdict.rule())]));
    for word in checked.warnings() {
        let key = format!("turn-warning-{}", word.replace('_', "-"));
        lines.push(ctx.tell("turn-check-warning", &[("warning", &ctx.say(&key))]));
    }
    lines.join("\n")
}
