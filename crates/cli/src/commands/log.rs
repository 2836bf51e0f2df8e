//! `log RUN`: the audit entries of a run; those of a turn are the lines of its audit log.

use kernel::run::Kind;
use runtime::query;
use runtime::trace;
use serde_json::{Value, json};

use super::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// Which run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run.
    #[arg(value_name = "RUN")]
    pub run: String,
    /// Only what came after this record.
    #[arg(long, alias = "since", value_name = "SEQ", default_value_t = 0)]
    pub after: u64,
}

/// Lists them.
///
/// # Errors
/// An unknown run, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = known::run(ctx, &args.run)?;
    let entries = query::log(&known.journal, &known.head, args.after);
    let entries = entries.map_err(|refusal| trouble::of_query(&refusal))?;
    let mut reply = known::redacted(ctx, &json!(entries), |data| {
        let rows: Vec<Vec<String>> = data.as_array().into_iter().flatten().map(row).collect();
        table::draw(&ctx.heading(["seq", "at", "by", "kind", "summary"]), &rows)
    })?;
    if known.head.machine == Kind::Turn.name() {
        let audit = query::audit(&known.journal, &known.head, args.after);
        let audit = audit.map_err(|refusal| trouble::of_query(&refusal))?;
        reply.data = trace::redacted(&json!(audit), &ctx.redactor()?);
    }
    Ok(reply)
}

fn row(entry: &Value) -> Vec<String> {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let at = text("at").split('.').next().unwrap_or_default().replace('T', " ");
    vec![entry["seq"].to_string(), at, text("by"), text("kind"), text("summary")]
}
