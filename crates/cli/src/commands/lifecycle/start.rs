//! `lifecycle start`: from the words of a command line to a form; the engine makes the start of it.

use std::path::PathBuf;

use edge::door::{Ask, LifecycleSay};
use edge::problem::Place;
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::lifecycles::Form;

use super::super::collab::{now, task_text};
use super::super::grant;
use super::says::{self, Go};
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::Trouble;

/// A requirement.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What is wanted; `-` reads it from standard input.
    #[arg(value_name = "TEXT", required_unless_present_any = ["prd", "package"])]
    text: Option<String>,
    /// A plan document.
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    prd: Option<PathBuf>,
    /// A solution package.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["text", "prd"])]
    package: Option<PathBuf>,
    /// What a task that is given up does to the rest.
    #[arg(long, value_name = "WHAT", value_parser = ["stop", "continue"])]
    on_failure: Option<String>,
    /// What was allowed before.
    #[arg(long, value_name = "ID")]
    grant: Option<String>,
    #[command(flatten)]
    go: Go,
}

/// Starts it, and follows it if told to.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let form = Form {
        text: args.text.as_deref().map(task_text).transpose()?,
        prd: args.prd.clone(),
        package: args.package.clone(),
        on_failure: args.on_failure.clone(),
        grant: args.grant.as_deref().map(|word| grant::named(ctx, word)).transpose()?,
        lang: Some(ctx.lang.tag().to_owned()),
        ..Form::default()
    };
    let mut desk = desk::open(ctx)?;
    let id = RandomIds.new_id("lc-", now());
    let (trace, say) = (desk.trace(), LifecycleSay::Start { form: Box::new(form) });
    // A run that was refused was never made, so it is no place to look at.
    desk.take(&Ask::Lifecycle { run: id.clone(), trace, say })
        .map_err(|trouble| trouble.at(Place::default()))?;
    says::after(ctx, desk, (&id, 0), args.go)
}
