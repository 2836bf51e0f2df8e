//! `replay RUN [--step] [--to SEQ]`: fold the journal again and compare; read only.

use runtime::query::{self, Agrees, Replayed};
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
    /// Each record and the state after it.
    #[arg(long)]
    pub step: bool,
    /// Only up to this record.
    #[arg(long, value_name = "SEQ")]
    pub to: Option<u64>,
}

/// Folds again.
///
/// # Errors
/// An unknown run, a damaged journal, or a fold that ends elsewhere than the head says.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = known::run(ctx, &args.run)?;
    let replayed = query::replay(&known.journal, &known.head);
    let replayed = replayed.map_err(|refusal| trouble::of_query(&refusal))?;
    let mut replayed = replayed;
    if let Some(to) = args.to {
        // A number that the run does not have is told as everywhere.
        let then = query::fold(&known.journal, &known.head, Some(to))
            .map_err(|refusal| trouble::of_query(&refusal))?;
        replayed.steps.retain(|step| step.entry.seq <= to);
        (replayed.seq, replayed.state) = (then.seq, then.state.status());
        replayed.ended = then.state.ended();
    }
    let mut data = json!(replayed);
    if !args.step {
        data.as_object_mut().expect("a replay is an object").remove("steps");
    }
    known::redacted(ctx, &data, |data| {
        let mut page = summary(ctx, &replayed);
        if args.step {
            page = format!("{}\n\n{page}", steps(ctx, data));
        }
        page
    })
}

fn summary(ctx: &Ctx, replayed: &Replayed) -> String {
    let agrees = match replayed.snapshot {
        Agrees::Yes => "reads-snapshot-agrees",
        Agrees::No => "reads-snapshot-differs",
        Agrees::None => "reads-snapshot-none",
    };
    ctx.tell(
        "reads-replayed",
        &[
            ("run", &replayed.run_id),
            ("records", &replayed.seq),
            ("state", &replayed.state),
            ("snapshot", &ctx.say(agrees)),
        ],
    )
}

fn steps(ctx: &Ctx, data: &Value) -> String {
    let text = |step: &Value, name: &str| step[name].as_str().unwrap_or_default().to_owned();
    let steps = data["steps"].as_array().into_iter().flatten();
    let rows: Vec<Vec<String>> = steps
        .map(|step| {
            let owed = step["owed"].as_array().into_iter().flatten();
            let owed: Vec<&str> = owed.filter_map(Value::as_str).collect();
            let words = ["by", "kind", "before", "state"].map(|name| text(step, name));
            let rest = [owed.join(" "), text(step, "summary")];
            std::iter::once(step["seq"].to_string()).chain(words).chain(rest).collect()
        })
        .collect();
    let names = ["seq", "by", "kind", "before", "state", "owed", "summary"];
    table::draw(&ctx.heading(names), &rows)
}
