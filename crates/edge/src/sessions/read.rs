//! Where the session of a branch stands, and which sessions there are. Neither needs an engine, and
//! neither changes anything.

use std::collections::BTreeMap;

use journal::Journal as _;
use kernel::errors::Machine;
use kernel::machine::At;
use kernel::run::{Kind, State};
use kernel::session::{self, Event};
use runtime::query;
use runtime::sessions::{self, Beside, id_of, key_of};
use runtime::shim::durable;
use runtime::words::Lang;
use serde_json::{Value, json};

use crate::problem::Raised;
use crate::site::{Site, all_of, of_query, refused};

/// Where reports lie, below the state directory.
const REPORTS: &str = "reports";
/// A report is a page; more is none of ours.
const REPORT_BYTES_MAX: u64 = 4 << 20;

/// The key of the session of a branch, or of what is checked out.
#[must_use]
pub fn key(site: &Site, branch: Option<&str>) -> String {
    branch.map_or_else(|| key_of(&site.root.path), |branch| format!("git:{branch}"))
}

/// Where the session of a branch stands; one that nobody has spoken to yet shows what it would.
///
/// # Errors
/// A journal that cannot be read, or settings that are wrong.
pub fn status(site: &Site, branch: Option<&str>, lang: Lang) -> Result<Value, Raised> {
    let key = key(site, branch);
    let id = id_of(&key);
    let mut view = match opened(site, &id, lang)? {
        Some(view) => view,
        None => unopened(&id, &key, lang),
    };
    sessions::fill_config(&mut view, &site.settings()?.settings.session);
    Ok(view)
}

fn opened(site: &Site, id: &str, lang: Lang) -> Result<Option<Value>, Raised> {
    let Some((_, journal)) = site.journal()? else { return Ok(None) };
    let head = journal.head(id).map_err(|fault| of_query(&fault.into()))?;
    let Some(head) = head.filter(|head| head.seq > 0) else { return Ok(None) };
    let folded = query::fold(&journal, &head, None).map_err(|why| of_query(&why))?;
    let State::Session(state) = &folded.state else { return Ok(None) };
    let beside = sessions::beside(&journal, id, folded.seq);
    Ok(state.life().map(|_| sessions::view(id, state, beside, lang)))
}

/// What a session that nobody has spoken to would show.
fn unopened(id: &str, key: &str, lang: Lang) -> Value {
    let mut state = session::State::New;
    session::evolve(&mut state, &Event::Opened { key: key.to_owned() }, At(0));
    let mut view = sessions::view(id, &state, Beside::default(), lang);
    view["created_at"] = Value::Null;
    view
}

/// All of them.
///
/// # Errors
/// A journal that cannot be read.
pub fn list(site: &Site, lang: Lang) -> Result<Vec<Value>, Raised> {
    let Some((_, journal)) = site.journal()? else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for head in &all_of(&journal, Kind::Session)? {
        let folded = query::fold(&journal, head, None).map_err(|why| of_query(&why))?;
        if let State::Session(state) = &folded.state {
            let beside = sessions::beside(&journal, &head.run, folded.seq);
            all.push(sessions::view(&head.run, state, beside, lang));
        }
    }
    Ok(all)
}

/// The sessions that hold packages, each with the name of one.
///
/// # Errors
/// A journal that cannot be read.
pub fn holders(site: &Site) -> Result<BTreeMap<String, String>, Raised> {
    let Some((_, journal)) = site.journal()? else { return Ok(BTreeMap::new()) };
    let mut all = BTreeMap::new();
    for head in &all_of(&journal, Kind::Session)? {
        let folded = query::fold(&journal, head, None).map_err(|why| of_query(&why))?;
        if let State::Session(state) = &folded.state
            && let Some(life) = state.life()
        {
            all.extend(life.holds().into_iter().map(|name| (name.to_owned(), head.run.clone())));
        }
    }
    Ok(all)
}

/// What a flow of a session came to, by its number.
///
/// # Errors
/// No such flow, or one that has not come to its end.
pub fn report(site: &Site, branch: Option<&str>, flow: &str) -> Result<Value, Raised> {
    let id = id_of(&key(site, branch));
    let none = || refused(Machine::Session, "no_such", json!({ "what": "flow", "id": flow }));
    let number: u32 = flow.parse().map_err(|_| none())?;
    let Some(dir) = site.state_dir()? else { return Err(none()) };
    let file = dir.path.join(REPORTS).join(format!("{id}-{number}.json"));
    let bytes = durable::read(&file, REPORT_BYTES_MAX).map_err(|_| none())?;
    serde_json::from_slice(&bytes).map_err(|_| none())
}
