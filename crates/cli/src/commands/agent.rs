//! `agent list|show NAME`: the agents that could be asked, and the settings of one. Asking one is
//! in `agent_run`; whether one really answers is `doctor`'s question.

use edge::agents;
use serde_json::{Value, json};

use super::{agent_run, known};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

/// What to see.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// All of them.
    List,
    /// Ask one something.
    Run(Box<agent_run::Args>),
    /// One.
    Show {
        /// Its name.
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// Shows it.
///
/// # Errors
/// Settings that cannot be used, or an agent that is not there.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::List => list(ctx),
        Verb::Run(args) => agent_run::run(ctx, args),
        Verb::Show { name } => show(ctx, name),
    }
}

fn list(ctx: &Ctx) -> Result<Reply, Trouble> {
    let data = agents::list(&ctx.site()?)?;
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |agent: &Value| {
        let program = if agent["path"].is_null() { &agent["program"] } else { &agent["path"] };
        let mut row =
            ["agent", "kind", "access_max", "model"].map(|name| word(&agent[name])).to_vec();
        row.push(word(program));
        row
    };
    let rows: Vec<Vec<String>> = data.iter().map(row).collect();
    let heading = ctx.heading(["agent", "agent-kind", "access", "model", "program"]);
    Ok(Reply::new(json!(data), table::draw(&heading, &rows)))
}

fn show(ctx: &Ctx, name: &str) -> Result<Reply, Trouble> {
    let data = agents::show(&ctx.site()?, name)?;
    known::redacted(ctx, &data, |data| page(ctx, data))
}

/// The facts, then each setting with its source.
fn page(ctx: &Ctx, data: &Value) -> String {
    let mut facts = data.clone();
    let settings = facts.as_object_mut().and_then(|facts| facts.remove("settings"));
    let text = known::facts(ctx, &facts, &["agent", "kind", "program", "path"]);
    let rows: Vec<Vec<String>> = settings
        .iter()
        .filter_map(Value::as_object)
        .flatten()
        .map(|(leaf, held)| {
            let value = &held["value"];
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let source = held["source"].as_str().unwrap_or_default().replace('_', "-");
            vec![leaf.clone(), ctx.say(&format!("source-{source}")), value]
        })
        .collect();
    format!("{text}\n\n{}", table::draw(&ctx.heading(["key", "source", "value"]), &rows))
}
