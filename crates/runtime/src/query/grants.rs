//! What people have allowed, as the journal has it: grants of their own, yeses that wait for their
//! call to begin, and commands that a start listed. It decides nothing.

use journal::{Head, Journal};
use kernel::call;
use kernel::loops::view::rfc3339;
use kernel::policy::Granted;
use kernel::policy::grant::Grant;
use kernel::run::State;
use serde_json::{Value, json};

use super::fold::{Folded, fold};
use super::refusal::Refusal;

/// Which grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that count.
    Live,
    /// All that are on record.
    All,
}

/// How a grant is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenBack {
    /// As a run of its own.
    Itself,
    /// With the call that was allowed and has not begun.
    WithCall,
    /// Only with the loop whose start listed it.
    WithLoop,
    /// It is over.
    No,
}

/// A grant, where it stands on record, and how it is taken back.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// Its name.
    pub id: String,
    /// The run that records it.
    pub run: String,
    /// How it is taken back.
    pub back: TakenBack,
    /// The grant as people and programs read it.
    pub view: Value,
}

/// The grants on record, the newest first.
///
/// # Errors
/// When the journal cannot be read.
pub fn grants(journal: &dyn Journal, which: Which) -> Result<Vec<Given>, Refusal> {
    let mut all: Vec<Given> = Vec::new();
    for head in journal.heads()?.iter().rev() {
        if which == Which::Live && head.ended {
            continue;
        }
        let folded = fold(journal, head, None)?;
        for given in of_run(journal, head, &folded)? {
            // A yes for longer than once is recorded as a grant; its call says nothing more.
            if all.iter().all(|known| known.id != given.id) {
                all.push(given);
            }
        }
    }
    Ok(all)
}

fn of_run(journal: &dyn Journal, head: &Head, folded: &Folded) -> Result<Vec<Given>, Refusal> {
    Ok(match &folded.state {
        State::Grant(state) => state.grant().map(|grant| own(head, grant)).into_iter().collect(),
        State::Call(state) => of_call(journal, head, state)?.into_iter().collect(),
        State::Loop(state) if !state.ended() => {
            let listed = state.grants().into_iter().enumerate();
            listed.map(|(n, granted)| started(head, n, &granted)).collect()
        }
        State::Loop(_)
        | State::Collab(_)
        | State::Turn(_)
        | State::Lifecycle(_)
        | State::Session(_) => Vec::new(),
    })
}

fn own(head: &Head, grant: &Grant) -> Given {
    let back = if head.ended { TakenBack::No } else { TakenBack::Itself };
    Given { id: grant.grant_id.clone(), run: head.run.clone(), back, view: view(grant) }
}

/// A grant as people and programs read it.
pub(super) fn view(grant: &Grant) -> Value {
    let mut view = json!(grant);
    view["at"] = json!(rfc3339(grant.at));
    view["expires_at"] = json!(grant.expires_at.map(rfc3339));
    view
}

/// A yes to one call: it is spent when the call begins.
fn of_call(
    journal: &dyn Journal,
    head: &Head,
    state: &call::State,
) -> Result<Option<Given>, Refusal> {
    let mut at = None;
    let mut began = false;
    for record in journal.read_run(&head.run, 0)? {
        let Ok(call::Event::Allowed { grant: call::Grant::Prompt(_), .. }) =
            serde_json::from_str::<call::Event>(&record.body)
        else {
            began = began || record.kind == "Started";
            continue;
        };
        at = Some((record.at_ms, record.by));
    }
    let (Some((at_ms, by)), Some(facts)) = (at, state.facts()) else { return Ok(None) };
    let (word, back) = match (state.name(), began) {
        (_, true) => ("spent", TakenBack::No),
        ("Allowed", false) => ("live", TakenBack::WithCall),
        ("Denied", false) => ("revoked", TakenBack::No),
        (_, false) => ("void", TakenBack::No),
    };
    let id = format!("gr-{}", head.run.strip_prefix("call-").unwrap_or(&head.run));
    let subject = facts.shown.as_ref().map_or_else(
        || json!({ "tool": facts.request.name, "argv": facts.request.argv }),
        |shown| json!(shown.subject),
    );
    let view = json!({
        "grant_id": id, "scope": "once", "bound": { "request_hash": facts.request_hash },
        "subject": subject, "by": by, "at": rfc3339(kernel::machine::At(at_ms)),
        "expires_at": null, "uses": u32::from(began), "state": word,
    });
    Ok(Some(Given { id, run: head.run.clone(), back, view }))
}

/// A command that a person's own start, or a task of theirs, listed.
fn started(head: &Head, n: usize, granted: &Granted) -> Given {
    let id = format!("{}/start/{n}", head.run);
    let mut bound = json!(granted.pin);
    bound["run"] = json!(head.run);
    let view = json!({
        "grant_id": id, "scope": "session", "bound": bound,
        "subject": { "tool": call::RUN, "argv": granted.argv, "cwd": granted.cwd },
        "by": "person", "at": null, "expires_at": null, "uses": null, "state": "live",
    });
    Given { id, run: head.run.clone(), back: TakenBack::WithLoop, view }
}
