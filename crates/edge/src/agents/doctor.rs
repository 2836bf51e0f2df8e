//! Whether agents could be launched here, and, where none is named, whether journal, git and
//! sandbox are sound. Programs are asked for their version and help; no model is asked anything.

use journal::{Fault, Journal as _, Sqlite};
use runtime::agents::config::AgentConfig;
use runtime::agents::detect::{Found, State, look_all, tool};
use runtime::config::{SandboxMode, Settings};
use runtime::query::Refusal;
use runtime::sandbox::Level;
use runtime::sandbox::probe::{Measured, landlock, probe};
use runtime::words::Lang;
use serde_json::{Value, json};

use super::list::{measuring_room, named, place};
use crate::problem::Raised;
use crate::site::{Site, of_query};

/// What was found.
pub struct Looked {
    /// Each agent.
    pub found: Vec<Found>,
    /// Those that must be ready.
    pub needed: Vec<String>,
    /// Whether all of it is well.
    pub well: bool,
    /// The same as data.
    pub data: Value,
    /// What the machine can hold; nothing where only agents were asked about.
    pub measured: Option<Measured>,
}

/// Looks at these agents, or at all and at what else work here depends on.
///
/// # Errors
/// Settings that cannot be used, or an agent that is not there.
pub fn doctor(site: &Site, lang: Lang, names: &[String]) -> Result<Looked, Raised> {
    let settings = site.settings()?.settings;
    let place = place(site, &settings)?;
    let found = look_all(&place, &asked(&settings, names)?);
    let needed = needed(&settings, names);
    let ready = |found: &&Found| needed.contains(&found.agent);
    let mut well = found.iter().filter(ready).all(|found| found.state == State::Ready);
    // A participant that no agent stands behind is not ready either.
    well &= needed.iter().all(|name| settings.agents.contains_key(name));
    let mut data = json!({ "agents": found.iter().map(|f| row(lang, f)).collect::<Vec<_>>() });
    let mut measured = None;
    if names.is_empty() {
        let (journal, sound) = journal(site)?;
        well &= sound;
        data["journal"] = journal;
        data["git"] = tool(&place, "git")
            .map_or(Value::Null, |(path, version)| json!({ "path": path, "version": version }));
        let mode = settings.sandbox.mode;
        // Measured also where it is switched off: what a machine offers is what is asked here.
        let offers = probe(&place.exe, &measuring_room(site)?);
        well &= mode != SandboxMode::Require || offers.level != Level::None;
        data["sandbox"] = offered(mode, &offers);
        measured = Some(offers);
    }
    data["ready"] = json!(well);
    Ok(Looked { found, needed, well, data, measured })
}

/// Those that were named, or all.
fn asked<'a>(settings: &'a Settings, names: &[String]) -> Result<Vec<&'a AgentConfig>, Raised> {
    if names.is_empty() {
        return Ok(settings.agents.values().collect());
    }
    names.iter().map(|name| named(settings, name)).collect()
}

/// Those that must be ready: the ones that were named, or those that a collab or a turn would ask.
fn needed(settings: &Settings, names: &[String]) -> Vec<String> {
    if !names.is_empty() {
        return names.to_vec();
    }
    let collab = &settings.collab;
    let asked = collab.participants.iter().map(|name| collab.agent_of(name).to_owned());
    asked.chain(settings.turn.agents.iter().cloned()).collect()
}

fn row(lang: Lang, found: &Found) -> Value {
    json!({
        "agent": found.agent,
        "kind": found.kind.name(),
        "path": found.path,
        "version": found.version,
        "state": found.state.word(),
        "hint": found.told(lang),
        "access": found.access.iter().map(|access| access.name()).collect::<Vec<_>>(),
    })
}

/// The journal as a fact, and whether it is sound.
fn journal(site: &Site) -> Result<(Value, bool), Raised> {
    let none = json!({ "state": "absent" });
    let Some(dir) = site.state_dir()? else { return Ok((none, true)) };
    match Sqlite::open_reader(&dir.journal()).and_then(|journal| journal.verify()) {
        Ok(verified) => Ok((json!({ "state": "sound", "records": verified.records }), true)),
        Err(Fault::Absent { .. }) => Ok((none, true)),
        Err(fault) => {
            let code = of_query(&Refusal::Journal(fault)).code.to_string();
            Ok((json!({ "state": "damaged", "code": code }), false))
        }
    }
}

/// What the kernel offers and what comes of it.
fn offered(mode: SandboxMode, measured: &Measured) -> Value {
    json!({
        "level": measured.level.word(), "carve_out": measured.carve.word(),
        "mode": mode.word(), "landlock_abi": landlock(), "holes": measured.holes,
    })
}
