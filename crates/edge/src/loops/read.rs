//! What doors show of loops: the document, the list, the tasks, the actions. Read from the journal,
//! so that no engine is needed.

use journal::Head;
use kernel::errors::Machine;
use kernel::loops::view::{self, HistoryRow};
use kernel::loops::{self, Life};
use kernel::run::State;
use runtime::query::{self, Refusal};
use serde_json::{Value, json};

use super::find;
use super::wait::Wait;
use crate::problem::Raised;
use crate::site::{Known, Site, of_query, refused};

/// The statuses that a list can be asked for.
pub const STATUSES: [&str; 6] = ["all", "created", "running", "paused", "completed", "failed"];
/// Most that one page holds.
pub const PAGE_MAX: usize = 500;
/// As many as a page holds if nobody says.
pub const PAGE_USUAL: usize = 50;

/// Which part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// At most so many.
    pub limit: usize,
    /// Without the first so many.
    pub offset: usize,
}

/// A page of loops.
pub struct Listed {
    /// Each with its position.
    pub loops: Vec<(Life, u64)>,
    /// How many there are on all pages.
    pub total: usize,
    /// Whether there are more behind these.
    pub more: bool,
}

/// The loops of one of [`STATUSES`], the last changed first.
///
/// # Errors
/// A journal that cannot be read.
pub fn list(site: &Site, status: &str, page: Page) -> Result<Listed, Raised> {
    let Some((_, journal)) = site.journal()? else {
        return Ok(Listed { loops: Vec::new(), total: 0, more: false });
    };
    let mut heads = find::all(&journal)?;
    let fits = |head: &Head| match status {
        "all" => STATUSES.contains(&head.status.as_str()),
        status => head.status == status,
    };
    heads.retain(fits);
    heads.sort_by(|a, b| (b.updated_ms, &a.run).cmp(&(a.updated_ms, &b.run)));
    let mut loops = Vec::new();
    for head in heads.iter().skip(page.offset).take(page.limit) {
        let folded = query::fold(&journal, head, None).map_err(|why| of_query(&why))?;
        let State::Loop(state) = folded.state else { continue };
        loops.extend(state.life().map(|life| (life.clone(), folded.seq)));
    }
    let more = page.offset.saturating_add(loops.len()) < heads.len();
    Ok(Listed { loops, total: heads.len(), more })
}

/// What a list shows of a loop.
#[must_use]
pub fn row(life: &Life, seq: u64) -> Value {
    let document = view::draw(life, seq);
    let progress = view::derived(&document).effective_progress;
    json!({
        "loop_id": document["loop_id"], "title": document["title"],
        "status": document["status"], "current_iteration": document["current_iteration"],
        "max_iterations": document["max_iterations"],
        "current_action": document["skill_state"]["current_action"],
        "pause": document["ext"]["pause"]["reason"],
        "created_at": document["created_at"], "updated_at": document["updated_at"],
        "effective_progress": progress,
    })
}

/// The loop behind an id; a deleted one is gone.
///
/// # Errors
/// When it is deleted, or a record cannot be read.
pub fn life(known: &Known) -> Result<Life, Raised> {
    let folded = query::fold(&known.journal, &known.head, None);
    match folded.map_err(|why| of_query(&why))?.state {
        State::Loop(loops::State::Alive(life)) => Ok(*life),
        State::Loop(_)
        | State::Call(_)
        | State::Collab(_)
        | State::Grant(_)
        | State::Turn(_)
        | State::Lifecycle(_)
        | State::Session(_) => {
            let id = known.head.run.clone();
            Err(of_query(&Refusal::NoSuch { id, nearest: Vec::new() }))
        }
    }
}

/// The seed's document, with the numbers derived from it and what it waits for.
///
/// # Errors
/// When it is deleted, or a record cannot be read.
pub fn document(known: &Known) -> Result<Value, Raised> {
    let mut document = view::draw(&life(known)?, known.head.seq);
    document["derived"] = json!(view::derived(&document));
    let folded = query::fold(&known.journal, &known.head, None);
    let folded = folded.map_err(|why| of_query(&why))?;
    if let (Value::Object(own), Value::Object(facts)) =
        (&mut document, query::facts(&known.head, &folded))
    {
        // The document's own fields keep their meaning.
        for (name, fact) in facts {
            own.entry(name).or_insert(fact);
        }
    }
    match waiting(known)? {
        Some(wait) if wait.unknown() => {
            document["ext"]["unknown_calls"] = json!([wait.question.run]);
        }
        Some(wait) => {
            document["ext"]["waiting"] =
                json!({ "question_id": wait.question.id, "text": wait.text() });
        }
        None => {}
    }
    Ok(document)
}

/// What a loop waits for.
///
/// # Errors
/// A record that cannot be read.
pub fn waiting(known: &Known) -> Result<Option<Wait>, Raised> {
    let of = |why: Refusal| of_query(&why);
    let folded = query::fold(&known.journal, &known.head, None).map_err(of)?;
    let State::Loop(state) = folded.state else { return Ok(None) };
    let child = state.action().and_then(|action| action.child.clone());
    let child = match child.map(|id| query::resolve(&known.journal, &id)) {
        Some(Ok(head)) => {
            let folded = query::fold(&known.journal, &head, None).map_err(of)?;
            Some((head.run, folded.state))
        }
        Some(Err(_)) | None => None,
    };
    let child = child.as_ref().map(|(id, state)| (id.as_str(), state));
    Wait::of(&known.journal, &state, child).map_err(of)
}

/// The tasks by order, as the control side's lines have them.
#[must_use]
pub fn tasks(life: &Life) -> Vec<Value> {
    let lines = view::tasks_jsonl(life);
    lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// One task, by either of its ids.
///
/// # Errors
/// When the loop has no such task.
pub fn task(life: &Life, id: &str) -> Result<Value, Raised> {
    let named = |task: &Value| task["task_id"] == id || task["ext"]["id"] == id;
    tasks(life).into_iter().find(named).ok_or_else(|| {
        let details = json!({ "what": "task", "id": id, "task_of": life.body.id });
        refused(Machine::Loop, "no_such", details)
    })
}

/// The actions of a loop, the oldest first.
///
/// # Errors
/// A record that cannot be read.
pub fn history(known: &Known, page: Page) -> Result<Value, Raised> {
    let rows = view::history(&life(known)?);
    let total = rows.len();
    let shown: Vec<HistoryRow> = rows.into_iter().skip(page.offset).take(page.limit).collect();
    let more = page.offset.saturating_add(shown.len()) < total;
    Ok(json!({
        "loop_id": known.head.run, "history": shown, "total": total,
        "limit": page.limit, "offset": page.offset, "hasMore": more,
    }))
}
