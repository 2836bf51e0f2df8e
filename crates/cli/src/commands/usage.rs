//! `usage [RUN]`: time, tokens and cost of a run and everything below it, or of all runs. What an
//! agent did not tell is said to be unknown, and a call without a price is said to have none.

use runtime::query;
use serde_json::{Value, json};

use super::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// Which run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run; none means all.
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
}

/// Sums it up.
///
/// # Errors
/// An unknown run, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let of = |refusal| trouble::of_query(&refusal);
    let data = match &args.run {
        Some(id) => {
            let known = known::run(ctx, id)?;
            query::usage(&known.journal, Some(&known.head)).map_err(of)?.to_json(Some(&known.head))
        }
        None => match ctx.journal()? {
            Some((_, journal)) => query::usage(&journal, None).map_err(of)?.to_json(None),
            None => query::Usage::default().to_json(None),
        },
    };
    known::redacted(ctx, &data, |data| page(ctx, data))
}

fn page(ctx: &Ctx, data: &Value) -> String {
    let list = |name: &str| data[name].as_array().cloned().unwrap_or_default();
    let (runs, agents) = (list("runs"), list("by_agent"));
    if data["run_id"].is_null() && runs.is_empty() {
        return ctx.say("reads-no-runs");
    }
    let mut parts = vec![totals(ctx, data)];
    if !runs.is_empty() {
        let heading = ctx.heading(["run", "calls", "tokens-in", "tokens-out", "cost", "active"]);
        let rows: Vec<Vec<String>> = runs.iter().map(|run| row(ctx, run, &["run_id"])).collect();
        parts.push(table::draw(&heading, &rows));
    }
    if !agents.is_empty() {
        let heading =
            ctx.heading(["agent", "model", "calls", "tokens-in", "tokens-out", "cost", "active"]);
        let rows = agents.iter().map(|agent| row(ctx, agent, &["agent", "model"]));
        parts.push(table::draw(&heading, &rows.collect::<Vec<_>>()));
    }
    parts.join("\n\n")
}

/// Everything about the whole, one fact a line.
fn totals(ctx: &Ctx, data: &Value) -> String {
    let total = &data["total"];
    let count = |name: &str| total[name].to_string();
    let mut rows = Vec::new();
    if let Some(run) = data["run_id"].as_str() {
        rows.push((ctx.say("col-run"), run.to_owned()));
    }
    let plain = [("calls", "calls"), ("attempts", "attempts"), ("retries", "retries")];
    rows.extend(plain.map(|(name, word)| (ctx.say(&format!("col-{word}")), count(name))));
    let tokens = [
        ("tokens_in", "tokens-in"),
        ("tokens_out", "tokens-out"),
        ("cached", "cached"),
        ("reasoning", "reasoning"),
    ];
    rows.extend(
        tokens.map(|(name, word)| (ctx.say(&format!("col-{word}")), tokens_of(ctx, total, name))),
    );
    rows.push((ctx.say("col-cost"), cost(ctx, total)));
    rows.push((ctx.say("col-active"), active(total)));
    table::pairs(&rows)
}

fn row(ctx: &Ctx, data: &Value, names: &[&str]) -> Vec<String> {
    let mut cells: Vec<String> =
        names.iter().map(|name| data[*name].as_str().unwrap_or("-").to_owned()).collect();
    cells.push(data["calls"].to_string());
    cells.push(tokens_of(ctx, data, "tokens_in"));
    cells.push(tokens_of(ctx, data, "tokens_out"));
    cells.push(cost(ctx, data));
    cells.push(active(data));
    cells
}

/// The sum; what is known of it where a part was not told; or that nothing was told.
fn tokens_of(ctx: &Ctx, data: &Value, name: &str) -> String {
    match (data[name].as_u64(), data["told"][name].as_u64().unwrap_or(0)) {
        (Some(sum), _) => sum.to_string(),
        (None, 0) => ctx.say("usage-untold"),
        (None, told) => ctx.tell("usage-at-least", &[("told", &told.to_string())]),
    }
}

fn cost(ctx: &Ctx, data: &Value) -> String {
    let dollars = |value: &Value| format!("{:.4}", value.as_f64().unwrap_or(0.0));
    let told = &data["told"]["cost_usd"];
    match data["cost_usd"].as_f64() {
        Some(_) => dollars(&data["cost_usd"]),
        None if *told == json!(0.0) => ctx.say("usage-unpriced"),
        None => ctx.tell("usage-part-priced", &[("told", &dollars(told))]),
    }
}

/// Seconds, to the tenth.
fn active(data: &Value) -> String {
    let ms = data["active_ms"].as_u64().unwrap_or(0);
    format!("{}.{} s", ms / 1_000, ms % 1_000 / 100)
}
