//! `diff RUN`: everything a run and its children changed.

use runtime::query;
use serde_json::{Value, json};

use super::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// Digits of a hash that a table shows.
const HASH_CHARS: usize = 10;

/// Which run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run.
    #[arg(value_name = "RUN")]
    pub run: String,
}

/// Lists the changes.
///
/// # Errors
/// An unknown run, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = known::run(ctx, &args.run)?;
    let diff = query::diff(&known.journal, &known.head, &known.dir.marks());
    let diff = diff.map_err(|refusal| trouble::of_query(&refusal))?;
    known::redacted(ctx, &json!(diff), |data| page(ctx, data))
}

fn page(ctx: &Ctx, data: &Value) -> String {
    let list = |name: &str| data[name].as_array().cloned().unwrap_or_default();
    let changes = list("changes");
    let rows: Vec<Vec<String>> = changes
        .iter()
        .map(|change| {
            let text = |name: &str| change[name].as_str().unwrap_or("-").to_owned();
            let short = |name: &str| text(name).chars().take(HASH_CHARS).collect::<String>();
            vec![text("call"), short("before"), short("after"), text("path")]
        })
        .collect();
    let mut lines = match rows.as_slice() {
        [] => vec![ctx.say("reads-no-changes")],
        rows => vec![table::draw(&ctx.heading(["call", "before", "after", "path"]), rows)],
    };
    for call in list("open") {
        let id = call["call"].as_str().unwrap_or_default().to_owned();
        lines.push(ctx.tell("reads-open-call", &[("call", &id)]));
    }
    lines.join("\n")
}
