//! `show RUN [--at SEQ]`: any run, as it is or as it was.

use kernel::run::Kind;
use runtime::query;
use serde_json::Value;

use super::known;
use super::lifecycle;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// What stands on top of a run's page.
pub const FIRST: [&str; 12] = [
    "run_id",
    "machine",
    "title",
    "name",
    "state",
    "status",
    "outcome",
    "current_iteration",
    "max_iterations",
    "created_at",
    "updated_at",
    "seq",
];

/// Which run, and when.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run.
    #[arg(value_name = "RUN")]
    pub run: String,
    /// As it stood after this record.
    #[arg(long, value_name = "SEQ")]
    pub at: Option<u64>,
}

/// Shows it.
///
/// # Errors
/// An unknown run or sequence number, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = known::run(ctx, &args.run)?;
    if known.head.machine == Kind::Lifecycle.name() && args.at.is_none() {
        return lifecycle::status(ctx, Some(&known.head.run));
    }
    let data = view(ctx, &known, args.at)?;
    known::redacted(ctx, &data, |data| known::facts(ctx, data, &FIRST))
}

/// The run's JSON.
///
/// # Errors
/// An unknown sequence number, or a record that cannot be read.
pub fn view(ctx: &Ctx, known: &known::Known, at: Option<u64>) -> Result<Value, Trouble> {
    let folded = query::fold(&known.journal, &known.head, at);
    let folded = folded.map_err(|refusal| trouble::of_query(&refusal))?;
    Ok(query::show(&known.head, &folded, ctx.lang))
}
