//! `doctor [AGENT…]`: whether the agents could be launched here; without names also the journal,
//! git and the sandbox. It asks programs for their version and their help, and no model anything
//! unless that is wished for.

use edge::agents::{Looked, doctor};
use kernel::errors::Exit;
use runtime::agents::detect::Found;
use serde_json::{Value, json};

use super::{doctor_live, held};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

/// `doctor [AGENT…]`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these.
    #[arg(value_name = "AGENT")]
    agent: Vec<String>,
    /// Ask each that is ready one word.
    #[arg(long)]
    live: bool,
}

/// Looks.
///
/// # Errors
/// Settings that cannot be used, or an agent that is not there.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let Looked { found, needed, mut well, mut data, measured } =
        doctor(&ctx.site()?, ctx.lang, &args.agent)?;
    let mut text = page(ctx, &found);
    if args.live {
        let Some(told) = doctor_live::ask(ctx, &found)? else {
            return Ok(Reply::printed(Exit::CANCELLED));
        };
        for (one, row) in told.iter().zip(data["agents"].as_array_mut().into_iter().flatten()) {
            row["live"] = one.as_ref().map_or(Value::Null, |live| live.data.clone());
        }
        for live in told.iter().flatten() {
            text = format!("{text}\n{}", live.text);
            well &= live.answered || !needed.contains(&live.agent);
        }
        data["ready"] = json!(well);
    }
    if let Some(measured) = measured {
        let mut rows = house(ctx, &data);
        let said = held::offered(ctx, ctx.settings()?.settings.sandbox.mode, &measured);
        rows.push((ctx.say("doctor-sandbox"), said));
        text = format!("{text}\n\n{}", table::pairs(&rows));
    }
    let mut reply = Reply::new(data, text);
    reply.exit = if well { Exit::OK } else { Exit::FAILED };
    Ok(reply)
}

/// A table whose last column is a short word, so that nothing is cut; hints follow as lines.
fn page(ctx: &Ctx, found: &[Found]) -> String {
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|found| {
            vec![
                found.agent.clone(),
                found.kind.name().to_owned(),
                found.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default(),
                found.version.clone().unwrap_or_default(),
                found.state.word().to_owned(),
            ]
        })
        .collect();
    let heading = ctx.heading(["agent", "agent-kind", "path", "version", "state"]);
    let mut lines = vec![table::draw(&heading, &rows)];
    lines.extend(found.iter().filter_map(|found| {
        let hint = found.told(ctx.lang)?;
        Some(ctx.tell("doctor-hint", &[("agent", &found.agent), ("hint", &hint)]))
    }));
    lines.join("\n")
}

/// What else work here depends on, in words.
fn house(ctx: &Ctx, data: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let journal = &data["journal"];
    let said = match journal["state"].as_str() {
        Some("sound") => ctx.tell("doctor-journal-ok", &[("records", &journal["records"])]),
        Some("damaged") => ctx.tell("doctor-journal-bad", &[("code", &word(&journal["code"]))]),
        Some(_) | None => ctx.say("doctor-journal-none"),
    };
    let git = &data["git"];
    let git_said = if git.is_null() {
        ctx.say("doctor-git-none")
    } else {
        let (version, path) = (word(&git["version"]), word(&git["path"]));
        ctx.tell("doctor-git-ok", &[("version", &version), ("path", &path)])
    };
    vec![(ctx.say("doctor-journal"), said), (ctx.say("doctor-git"), git_said)]
}
