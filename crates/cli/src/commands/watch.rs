//! `watch [RUN]`: the live view of one run, or of all that live.

use kernel::run::Kind;

use super::call_tail::{self, Stream};
use super::known;
use super::lifecycle;
use super::turn;
use crate::ctx::Ctx;
use crate::desk;
use crate::live::{self, Follow};
use crate::out::Reply;
use crate::trouble::Trouble;

/// Which run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run; all that live without one.
    #[arg(value_name = "RUN")]
    run: Option<String>,
}

/// Watches.
///
/// # Errors
/// An unknown run, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let Some(id) = &args.run else { return live::watch_all(ctx) };
    let known = known::run(ctx, id)?;
    if known.head.machine == Kind::Call.name() {
        let call = known.head.run;
        return call_tail::run(
            ctx,
            &call_tail::Args { call, stream: Stream::Stdout, follow: true },
        );
    }
    if known.head.machine == Kind::Turn.name() {
        return turn::watch(ctx, &known.head.run);
    }
    if known.head.machine == Kind::Lifecycle.name() {
        return lifecycle::watch(ctx, Some(&known.head.run));
    }
    one(ctx, &known.head.run)
}

/// Watches one loop. One that runs needs its engine; one that stands still is only shown.
///
/// # Errors
/// An unknown loop, or a journal that cannot be read.
pub fn one(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let known = known::run_of(ctx, id, Kind::Loop)?;
    let desk = match known.head.status.as_str() {
        "running" => Some(desk::steer(ctx)?),
        _ => None,
    };
    live::follow(ctx, desk, &known.head.run, Follow::Watching)
}
