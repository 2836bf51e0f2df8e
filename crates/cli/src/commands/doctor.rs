//! `doctor [AGENT…]`: whether the agents could be launched here; without names also the journal,
//! git and the sandbox. It asks programs for their version and their help, and no model anything
//! unless that is wished for.

use journal::{Fault, Journal as _, Sqlite};
use kernel::errors::Exit;
use runtime::agents::config::AgentConfig;
use runtime::agents::detect::{Found, Site, State, look_all, tool};
use runtime::config::{SandboxMode, Settings};
use runtime::query::Refusal;
use runtime::sandbox::Level;
use runtime::sandbox::probe::probe;
use serde_json::{Value, json};

use super::{agent, doctor_live, held};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

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
    let settings = ctx.settings()?.settings;
    let site = agent::site(ctx, &settings)?;
    let asked = asked(&settings, args)?;
    let found = look_all(&site, &asked);
    let needed = needed(&settings, args);
    let mut well = found
        .iter()
        .filter(|found| needed.contains(&found.agent.as_str()))
        .all(|found| found.state == State::Ready);
    // A participant that no agent stands behind is not ready either.
    well &= needed.iter().all(|name| settings.agents.contains_key(*name));
    let mut data = json!({ "agents": found.iter().map(|f| row(ctx, f)).collect::<Vec<_>>() });
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
            well &= live.answered || !needed.contains(&live.agent.as_str());
        }
    }
    if args.agent.is_empty() {
        let (journal, sound) = journal(ctx)?;
        well &= sound;
        let mut rows = house(ctx, &site, &journal, &mut data);
        let mode = settings.sandbox.mode;
        // Measured also where it is switched off: what a machine offers is what is asked here.
        let measured = probe(&site.exe, &agent::measuring_room(ctx)?);
        well &= mode != SandboxMode::Require || measured.level != Level::None;
        let (found, said) = held::offered(ctx, mode, &measured);
        data["sandbox"] = found;
        rows.push((ctx.say("doctor-sandbox"), said));
        text = format!("{text}\n\n{}", table::pairs(&rows));
    }
    data["ready"] = json!(well);
    let mut reply = Reply::new(data, text);
    reply.exit = if well { Exit::OK } else { Exit::FAILED };
    Ok(reply)
}

/// Those that were named, or all.
fn asked<'a>(settings: &'a Settings, args: &Args) -> Result<Vec<&'a AgentConfig>, Trouble> {
    if args.agent.is_empty() {
        return Ok(settings.agents.values().collect());
    }
    args.agent.iter().map(|name| agent::named(settings, name)).collect()
}

/// Those that must be ready: the ones that were named, or those that a collab or a turn would ask.
fn needed<'a>(settings: &'a Settings, args: &'a Args) -> Vec<&'a str> {
    if args.agent.is_empty() {
        let collab = &settings.collab;
        let asked = collab.participants.iter().map(|name| collab.agent_of(name));
        asked.chain(settings.turn.agents.iter().map(String::as_str)).collect()
    } else {
        args.agent.iter().map(String::as_str).collect()
    }
}

fn row(ctx: &Ctx, found: &Found) -> Value {
    json!({
        "agent": found.agent,
        "kind": found.kind.name(),
        "path": found.path,
        "version": found.version,
        "state": found.state.word(),
        "hint": found.told(ctx.lang),
        "access": found.access.iter().map(|access| access.name()).collect::<Vec<_>>(),
    })
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

/// The journal as a fact and a sentence, and whether it is sound.
fn journal(ctx: &Ctx) -> Result<((Value, String), bool), Trouble> {
    let none = || (json!({ "state": "absent" }), ctx.say("doctor-journal-none"));
    let Some(dir) = ctx.state_dir()? else { return Ok((none(), true)) };
    match Sqlite::open_reader(&dir.journal()).and_then(|journal| journal.verify()) {
        Ok(verified) => {
            let records = verified.records;
            let text = ctx.tell("doctor-journal-ok", &[("records", &records)]);
            Ok(((json!({ "state": "sound", "records": records }), text), true))
        }
        Err(Fault::Absent { .. }) => Ok((none(), true)),
        Err(fault) => {
            let code = trouble::of_query(&Refusal::Journal(fault)).code.to_string();
            let text = ctx.tell("doctor-journal-bad", &[("code", &code)]);
            Ok(((json!({ "state": "damaged", "code": code }), text), false))
        }
    }
}

/// What else work here depends on.
fn house(
    ctx: &Ctx,
    site: &Site,
    (journal, said): &(Value, String),
    data: &mut Value,
) -> Vec<(String, String)> {
    let git = tool(site, "git");
    let git_said = match &git {
        Some((path, version)) => {
            let version = version.clone().unwrap_or_default();
            let path = path.display();
            ctx.tell("doctor-git-ok", &[("version", &version), ("path", &path)])
        }
        None => ctx.say("doctor-git-none"),
    };
    data["journal"] = journal.clone();
    data["git"] =
        git.map_or(Value::Null, |(path, version)| json!({ "path": path, "version": version }));
    vec![(ctx.say("doctor-journal"), said.clone()), (ctx.say("doctor-git"), git_said)]
}
