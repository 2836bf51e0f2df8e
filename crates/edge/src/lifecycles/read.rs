//! What doors show of lifecycles: the list, how one stands, its tasks, failures, evidence, page and
//! the way back. Read from the journal, so that no engine is needed.

use journal::Reader;
use kernel::errors::Machine;
use kernel::lifecycle::document::Form as Shape;
use kernel::lifecycle::document::context::{Around, history_line, show as drawn};
use kernel::lifecycle::view::View;
use kernel::lifecycle::{self, Draft, Failure, HISTORY_LINES, Life, Phase};
use kernel::machine::At;
use kernel::run::{Kind, State as Any};
use runtime::query::{self, Below, Folded, OpenQuestion};
use runtime::views::{last_session_end, local_minute};
use runtime::words::Lang;
use serde_json::{Value, json};

use super::pointer::pointer;
use crate::checkpoints::{self, Way};
use crate::problem::Raised;
use crate::site::{Known, Site, all_of, of_query, refused, run_of};

/// A lifecycle as it stands.
pub struct Seen {
    /// The run.
    pub known: Known,
    /// Where it stands in the journal.
    pub folded: Folded,
    /// The lifecycle.
    pub life: Life,
    /// What is shown of it.
    pub view: View,
}

impl Seen {
    /// Looks at it.
    ///
    /// # Errors
    /// An unknown run, or a journal that cannot be read.
    pub fn of(site: &Site, id: &str) -> Result<Self, Raised> {
        let known = run_of(site, id, Kind::Lifecycle)?;
        let folded = query::fold(&known.journal, &known.head, None);
        Self::folded(known, folded.map_err(|why| of_query(&why))?)
    }

    /// The same of one that is folded already.
    ///
    /// # Errors
    /// That it has not begun, or a journal that cannot be read.
    pub fn folded(known: Known, folded: Folded) -> Result<Self, Raised> {
        let none = || refused(Machine::Lifecycle, "no_run", json!({}));
        let Any::Lifecycle(state) = &folded.state else { return Err(none()) };
        let life = state.life().ok_or_else(none)?.clone();
        let view = lifecycle::shown(state, None).ok_or_else(none)?;
        let mut seen = Self { known, folded, life, view };
        seen.folded.below = Below::first(&seen.known.head.run, &seen.open()?);
        Ok(seen)
    }

    /// Everything that it, as it was looked at, and the runs below it ask.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn open(&self) -> Result<Vec<OpenQuestion>, Raised> {
        let run = &self.known.head.run;
        let own = query::of_run(run, &self.folded.state);
        let mut all = query::questions(&self.known.journal, Some(run))
            .map_err(|refusal| of_query(&refusal))?;
        all.retain(|one| one.run != *run || own.iter().any(|known| known.id == one.id));
        Ok(all)
    }
}

/// All of them, the newest first.
///
/// # Errors
/// A journal that cannot be read.
pub fn list(site: &Site, lang: Lang) -> Result<Vec<Value>, Raised> {
    let Some((_, journal)) = site.journal()? else { return Ok(Vec::new()) };
    let mut heads = all_of(&journal, Kind::Lifecycle)?;
    heads.sort_by(|a, b| (b.created_ms, &b.run).cmp(&(a.created_ms, &a.run)));
    let mut all = Vec::new();
    for head in &heads {
        let folded = query::fold(&journal, head, None).map_err(|why| of_query(&why))?;
        all.push(query::show(head, &folded, lang));
    }
    Ok(all)
}

/// How one stands.
#[must_use]
pub fn show(seen: &Seen, lang: Lang) -> Value {
    query::show(&seen.known.head, &seen.folded, lang)
}

/// Its tasks; those of a plan that waits for a yes too.
#[must_use]
pub fn tasks(seen: &Seen, lang: Lang) -> Value {
    match &seen.life.phase {
        Phase::Confirming(now) => json!(now.plan.tasks),
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Executing(_)
        | Phase::AutoFix(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => query::show(&seen.known.head, &seen.folded, lang)["tasks"].clone(),
    }
}

/// What failed: now, what is to be repaired if that is something else, and at each fix that was
/// tried.
#[must_use]
pub fn errors(seen: &Seen) -> (Vec<&Failure>, Value) {
    let (failure, cause) = match &seen.life.phase {
        Phase::AutoFix(fix) => (Some(&fix.failure), fix.cause.as_ref()),
        Phase::Blocked(blocked) => (blocked.failure.as_ref(), blocked.cause.as_ref()),
        Phase::Planning(planning) => match &planning.step {
            Draft::Stuck { failure, .. } => (Some(failure), None),
            Draft::Drafting { .. } => (None, None),
        },
        Phase::Idle(_) | Phase::Confirming(_) | Phase::Executing(_) | Phase::Archiving(_) => {
            (None, None)
        }
    };
    let attempts = seen.life.phase.work().map_or(&[][..], |work| &work.attempts);
    let run_id = &seen.view.run_id;
    let all = json!({ "run_id": run_id, "failure": failure, "cause": cause, "attempts": attempts });
    (failure.into_iter().chain(cause).collect(), all)
}

/// What its checks came to.
#[must_use]
pub fn evidence(seen: &Seen) -> Value {
    let Some(work) = seen.life.phase.work() else { return json!([]) };
    let one = |one: &std::sync::Arc<lifecycle::Evidence>| {
        let mut value = json!(**one);
        value["fresh"] = json!(work.fresh(one));
        value
    };
    work.evidence.iter().map(one).collect()
}

/// The page of working memory.
///
/// # Errors
/// A journal that cannot be read.
pub fn page(seen: &Seen, lang: Lang) -> Result<String, Raised> {
    let around = Around {
        next_action: query::next_sentence(&seen.view.next_action, lang),
        noted: &|note| query::told_note(note, lang),
        minute: &|at: At| local_minute(at),
        history: history(&seen.known.journal)?,
        last_session_end: last_session_end(&seen.known.dir.path, &seen.view.run_id),
    };
    let page = drawn(&seen.life, around).draw(Shape::default());
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// The ends of the last runs, a line each.
fn history(journal: &Reader) -> Result<Vec<String>, Raised> {
    let mut heads = all_of(journal, Kind::Lifecycle)?;
    heads.sort_by(|a, b| (b.created_ms, &b.run).cmp(&(a.created_ms, &a.run)));
    let mut lines = Vec::new();
    for head in heads.iter().filter(|head| head.ended).take(HISTORY_LINES) {
        let folded = query::fold(journal, head, None).map_err(|why| of_query(&why))?;
        let Any::Lifecycle(state) = &folded.state else { continue };
        let ended = state.life().and_then(|life| Some((life, life.phase.ended()?)));
        lines.extend(ended.map(|(life, end)| history_line(life, end, &|at: At| local_minute(at))));
    }
    Ok(lines)
}

/// The pointer, the view and the page of working memory.
///
/// # Errors
/// A journal that cannot be read.
pub fn context(seen: &Seen, lang: Lang) -> Result<Value, Raised> {
    let (sentence, rows) = pointer(lang, &seen.life, &seen.view, &seen.open()?);
    let facts = rows.into_iter().map(|(name, value)| format!("{name}: {value}"));
    let pointer: Vec<String> = sentence.into_iter().chain(facts).collect();
    let shown = query::show(&seen.known.head, &seen.folded, lang);
    Ok(json!({ "pointer": pointer, "view": shown, "page": page(seen, lang)? }))
}

/// The way back to its last checkpoint, or to this one, only shown.
///
/// # Errors
/// No such checkpoint, or another commit checked out.
pub fn rollback_plan(site: &Site, seen: &Seen, to: Option<&str>) -> Result<Value, Raised> {
    let last = seen.life.phase.work().and_then(|work| work.last_checkpoint.clone());
    let way = Way { to: to.map(str::to_owned).or(last), ..Way::default() };
    let keeper = checkpoints::keeper(site)?;
    let args = checkpoints::wanted(site, &way, &keeper)?;
    Ok(json!(checkpoints::planned(site, &args, &keeper)?))
}
