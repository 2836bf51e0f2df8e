//! `runs [--machine M] [--state S]`: all runs of the workspace, newest first.

use edge::problem;
use journal::Head;
use kernel::run::Kind;
use runtime::query::{self, Filter};
use runtime::words::{self, Vars};
use serde_json::{Value, json};

use super::known;
use crate::ctx::{Ctx, Form};
use crate::out::{self, Reply};
use crate::table;
use crate::trouble::{self, Trouble};

/// Which runs.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only this machine's.
    #[arg(long, value_name = "MACHINE")]
    pub machine: Option<String>,
    /// Only those in this state.
    #[arg(long, value_name = "STATE")]
    pub state: Option<String>,
}

/// Lists them.
///
/// # Errors
/// An unknown machine or state, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    if let Some(machine) = &args.machine {
        known::machine(machine)?;
    }
    if let Some(state) = &args.state {
        let kinds = args.machine.as_deref().and_then(Kind::named);
        known::state(state, kinds.map_or(Kind::ALL.to_vec(), |kind| vec![kind]).as_slice())?;
    }
    let filter = Filter { machine: args.machine.clone(), state: args.state.clone(), below: None };
    let of = |refusal| trouble::of_query(&refusal);
    let journal = ctx.journal()?;
    // A list needs no settings, but whoever broke them is to know before the next start.
    if let Err(trouble) = ctx.settings() {
        out::notice(&warned(ctx, &trouble));
    }
    let Some((_, journal)) = journal else {
        return Ok(Reply::new(json!([]), text(ctx, &[])));
    };
    let found = query::runs(&journal, &filter).map_err(of)?;
    let mut data: Vec<Value> = found.iter().map(query::listed).collect();
    // Only programs read it, and it costs a look into each run.
    if ctx.form == Form::Json {
        for (row, head) in data.iter_mut().zip(&found) {
            row["trace_id"] = json!(query::trace_of(&journal, head).map_err(of)?);
        }
    }
    Ok(Reply::new(json!(data), text(ctx, &found)))
}

fn warned(ctx: &Ctx, trouble: &Trouble) -> String {
    let told = words::tell(ctx.lang, trouble.code, &Vars::of(&trouble.details));
    problem::warning(ctx.lang, &trouble.code.to_string(), &told.message)
}

fn text(ctx: &Ctx, found: &[Head]) -> String {
    if found.is_empty() {
        return ctx.say("reads-no-runs");
    }
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|head| {
            let updated = known::clock(head.updated_ms);
            vec![head.run.clone(), head.machine.clone(), updated, head.status.clone()]
        })
        .collect();
    table::draw(&ctx.heading(["run", "machine", "updated", "state"]), &rows)
}
