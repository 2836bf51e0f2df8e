//! Agents by their settings: all of them, and one with who set what.

use std::path::PathBuf;

use kernel::errors::{Machine, nearest};
use runtime::agents::config::{AgentConfig, Own};
use runtime::agents::detect::{DOCTOR_WAIT, Site as Place, cache_dir};
use runtime::agents::env;
use runtime::child_env::Extra;
use runtime::config::{AGENTS, Resolved, Settings};
use runtime::sandbox::{Walls, Wanted};
use serde_json::{Map, Value, json};

use crate::problem::Raised;
use crate::site::{Site, io, refused};

/// Where programs are looked for.
///
/// # Errors
/// When the state is foreign, or there is no program of our own.
pub fn place(site: &Site, settings: &Settings) -> Result<Place, Raised> {
    let exe = std::env::current_exe().map_err(|why| io("loopwright", &why))?;
    let wanted = Wanted::of(settings);
    let cache = site.places.cache.clone();
    let walls = Walls::measure(wanted, &exe, &measuring_room(site)?, &cache);
    Ok(Place {
        root: site.root.path.clone(),
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
/// When the state is foreign.
pub fn measuring_room(site: &Site) -> Result<PathBuf, Raised> {
    Ok(match site.state_dir()? {
        Some(dir) => dir.path.join("cache"),
        None => site.places.cache.clone(),
    })
}

/// The agent of that name.
///
/// # Errors
/// When there is none.
pub fn named<'a>(settings: &'a Settings, name: &str) -> Result<&'a AgentConfig, Raised> {
    settings.agents.get(name).ok_or_else(|| {
        let near = nearest(name, settings.agents.keys().map(String::as_str));
        refused(Machine::Agent, "no_such", json!({ "id": name, "nearest": near }))
    })
}

/// All of them, with their programs.
///
/// # Errors
/// Settings that cannot be used.
pub fn list(site: &Site) -> Result<Vec<Value>, Raised> {
    let settings = site.settings()?.settings;
    let place = place(site, &settings)?;
    let row = |agent: &AgentConfig| {
        let (program, path) = place.program(agent);
        json!({
            "agent": agent.name, "kind": agent.kind().name(), "model": agent.model,
            "access_max": agent.access_max.name(), "program": program, "path": path,
        })
    };
    Ok(settings.agents.values().map(row).collect())
}

/// One, with its settings and who set them.
///
/// # Errors
/// Settings that cannot be used, or an agent that is not there.
pub fn show(site: &Site, name: &str) -> Result<Value, Raised> {
    let resolved = site.settings()?;
    let agent = named(&resolved.settings, name)?;
    let (program, path) = place(site, &resolved.settings)?.program(agent);
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
    Ok(data)
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
