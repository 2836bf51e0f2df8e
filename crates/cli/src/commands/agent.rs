//! `agent list|show NAME`: the agents that could be asked, and the settings of one. Asking one is
//! in `agent_run`; whether one really answers is `doctor`'s question.

use std::path::PathBuf;

use kernel::errors::{Machine, nearest};
use runtime::agents::config::{AgentConfig, Own};
use runtime::agents::detect::{DOCTOR_WAIT, Site, cache_dir};
use runtime::agents::env;
use runtime::child_env::Extra;
use runtime::config::{AGENTS, Resolved, Settings};
use runtime::sandbox::{Walls, Wanted};
use serde_json::{Map, Value, json};

use super::{agent_run, known};
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

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

/// Where programs are looked for.
///
/// # Errors
/// When there is no workspace, no home, or no program of our own.
pub fn site(ctx: &Ctx, settings: &Settings) -> Result<Site, Trouble> {
    let exe = std::env::current_exe().map_err(|why| desk::io("loopwright", &why))?;
    let wanted = Wanted::of(settings);
    let cache = ctx.places()?.cache;
    let walls = Walls::measure(wanted, &exe, &measuring_room(ctx)?, &cache);
    Ok(Site {
        root: ctx.root()?.path,
        exe,
        cache: cache_dir(&cache),
        env: std::env::vars_os().collect(),
        extra: Extra { pass: settings.env.pass.clone(), proxy: settings.env.proxy },
        sandbox: walls.in_force(),
        wait: DOCTOR_WAIT,
    })
}

/// Where the sandbox is tried: beside our files if there are any, else among the user's caches.
///
/// # Errors
/// When there is no workspace or no home.
pub fn measuring_room(ctx: &Ctx) -> Result<PathBuf, Trouble> {
    Ok(match ctx.state_dir()? {
        Some(dir) => dir.path.join("cache"),
        None => ctx.places()?.cache,
    })
}

/// The agent of that name.
///
/// # Errors
/// When there is none.
pub fn named<'a>(settings: &'a Settings, name: &str) -> Result<&'a AgentConfig, Trouble> {
    settings.agents.get(name).ok_or_else(|| {
        let near = nearest(name, settings.agents.keys().map(String::as_str));
        trouble::refused(Machine::Agent, "no_such", json!({ "id": name, "nearest": near }))
    })
}

fn list(ctx: &Ctx) -> Result<Reply, Trouble> {
    let settings = ctx.settings()?.settings;
    let site = site(ctx, &settings)?;
    let mut rows = Vec::new();
    let mut data = Vec::new();
    for agent in settings.agents.values() {
        let (program, path) = site.program(agent);
        rows.push(vec![
            agent.name.clone(),
            agent.kind().name().to_owned(),
            agent.access_max.name().to_owned(),
            agent.model.clone().unwrap_or_default(),
            path.as_ref().map_or_else(|| program.clone(), |path| path.display().to_string()),
        ]);
        data.push(json!({
            "agent": agent.name, "kind": agent.kind().name(), "model": agent.model,
            "access_max": agent.access_max.name(), "program": program, "path": path,
        }));
    }
    let heading = ctx.heading(["agent", "agent-kind", "access", "model", "program"]);
    Ok(Reply::new(json!(data), table::draw(&heading, &rows)))
}

fn show(ctx: &Ctx, name: &str) -> Result<Reply, Trouble> {
    let resolved = ctx.settings()?;
    let agent = named(&resolved.settings, name)?;
    let (program, path) = site(ctx, &resolved.settings)?.program(agent);
    let mut data = json!({
        "agent": agent.name,
        "kind": agent.kind().name(),
        "program": program,
        "path": path,
        "env_names": env::passed(agent),
        "wall_ms": agent.wall_ms,
        "idle_ms": agent.idle_ms,
        "spool_bytes": agent.spool_bytes,
        "settings": set(&resolved, name),
    });
    if let Own::Wrapper { backend, .. } = agent.own {
        data["backend"] = json!(backend.kind().name());
    }
    known::redacted(ctx, &data, |data| page(ctx, data))
}

/// What somebody set, with who did.
fn set(resolved: &Resolved, name: &str) -> Value {
    let prefix = format!("{}.{name}.", AGENTS.prefix);
    let own = resolved.held.iter().filter_map(|held| Some((held.key.strip_prefix(&prefix)?, held)));
    let all = own.map(|(leaf, held)| {
        (leaf.to_owned(), json!({ "value": held.value, "source": held.source }))
    });
    Value::Object(all.collect::<Map<_, _>>())
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
