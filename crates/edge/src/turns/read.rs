//! What doors show of turns: the list, how one stands, its plan, context, summary and entries. Read
//! from the journal, so that no engine is needed.

use kernel::errors::Machine;
use kernel::machine::By;
use kernel::run::{Kind, State as Any};
use kernel::turn::{self, ChangedFile, Phase, Seen as Looked, State, Summary};
use runtime::query::{self, Changed, Folded};
use runtime::turns::store;
use runtime::words::Lang;
use serde_json::{Value, json};

use crate::problem::{Place, Raised};
use crate::site::{Known, Site, all_of, of_query, refused, run_of};

/// A turn as it stands.
pub struct Seen {
    /// The run.
    pub known: Known,
    /// Where it stands in the journal.
    pub folded: Folded,
}

impl Seen {
    /// Looks at it.
    ///
    /// # Errors
    /// An unknown turn, or a journal that cannot be read.
    pub fn of(site: &Site, id: &str) -> Result<Self, Raised> {
        let known = run_of(site, id, Kind::Turn)?;
        let folded = query::fold(&known.journal, &known.head, None);
        Ok(Self { folded: folded.map_err(|why| of_query(&why))?, known })
    }

    /// The turn.
    #[must_use]
    pub const fn state(&self) -> &State {
        match &self.folded.state {
            Any::Turn(state) => state,
            Any::Call(_)
            | Any::Loop(_)
            | Any::Collab(_)
            | Any::Grant(_)
            | Any::Lifecycle(_)
            | Any::Session(_) => &State::Idle,
        }
    }
}

/// All of them, the newest first.
///
/// # Errors
/// A journal that cannot be read.
pub fn list(site: &Site, lang: Lang) -> Result<Vec<Value>, Raised> {
    let Some((_, journal)) = site.journal()? else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for head in &all_of(&journal, Kind::Turn)? {
        let folded = query::fold(&journal, head, None).map_err(|why| of_query(&why))?;
        all.push(query::show(head, &folded, lang));
    }
    Ok(all)
}

/// How one stands.
///
/// # Errors
/// An unknown turn, or a journal that cannot be read.
pub fn show(site: &Site, id: &str, lang: Lang) -> Result<Value, Raised> {
    let seen = Seen::of(site, id)?;
    Ok(query::show(&seen.known.head, &seen.folded, lang))
}

/// Its plan, and the hash by which it is approved; refused before there is one.
///
/// # Errors
/// As [`show`], or that there is none yet.
pub fn plan(site: &Site, id: &str) -> Result<(Value, String), Raised> {
    let seen = Seen::of(site, id)?;
    let work = seen.state().life().and_then(|life| life.body.work.as_deref());
    let found = work.map(|work| (json!(work.plan), work.hash.clone()));
    found.ok_or_else(|| not_yet(&seen.known.head.run, seen.state(), "plan"))
}

/// What its planner was given; refused before there is any.
///
/// # Errors
/// As [`show`], or that there is none yet.
pub fn context(site: &Site, id: &str) -> Result<Value, Raised> {
    let seen = Seen::of(site, id)?;
    let pack = seen.state().life().and_then(|life| life.body.pack.as_ref());
    let kept = pack.and_then(|pack| runtime::turns::load_pack(&seen.known.dir.path, pack));
    let found = kept.map(|pack| json!(pack));
    found.ok_or_else(|| not_yet(&seen.known.head.run, seen.state(), "context"))
}

/// Its summary; refused before its end.
///
/// # Errors
/// As [`show`], or that there is none yet.
pub fn summary(site: &Site, id: &str) -> Result<Value, Raised> {
    let seen = Seen::of(site, id)?;
    let found = summed(&seen.known, seen.state())?.map(|summary| json!(summary));
    found.ok_or_else(|| not_yet(&seen.known.head.run, seen.state(), "summary"))
}

/// Its audit entries after this record.
///
/// # Errors
/// As [`show`].
pub fn log(site: &Site, id: &str, after: u64) -> Result<Vec<Value>, Raised> {
    let known = run_of(site, id, Kind::Turn)?;
    query::audited(&known.journal, &known.head, after).map_err(|why| of_query(&why))
}

/// The summary that was kept, or one drawn from the journal where that is gone; none before the
/// end.
///
/// # Errors
/// A journal that cannot be read.
pub fn summed(known: &Known, state: &State) -> Result<Option<Summary>, Raised> {
    let Some(life) = state.life() else { return Ok(None) };
    let Phase::Done(over) = &life.phase else { return Ok(None) };
    let kept = over.summary.as_deref().and_then(|hash| store::load(&known.dir.path, hash).ok());
    if let Some(summary) = kept.and_then(|text| serde_json::from_str(&text).ok()) {
        return Ok(Some(turn::settled(summary, over)));
    }
    let diff = query::diff(&known.journal, &known.head, &known.dir.marks())
        .map_err(|refusal| of_query(&refusal))?;
    let changed = diff.changes.iter().map(|change| ChangedFile {
        path: change.path.clone(),
        action: action(change).to_owned(),
        added: 0,
        removed: 0,
    });
    Ok(turn::summed(life, &Looked { changed: changed.collect(), ..Looked::default() }))
}

const fn action(change: &Changed) -> &'static str {
    match (&change.before, &change.after) {
        (None, Some(_)) => "added",
        (Some(_), None) => "removed",
        (Some(_), Some(_)) | (None, None) => "modified",
    }
}

/// What is not there yet, with what can be said meanwhile.
#[must_use]
pub fn not_yet(run: &str, state: &State, command: &str) -> Raised {
    let details = json!({ "state": state.name(), "command": command });
    let mut raised = refused(Machine::Turn, "not_now", details);
    let allowed = turn::allowed(state, &By::Person);
    raised.allowed = Some(allowed.into_iter().map(str::to_owned).collect());
    raised.at(Place {
        run_id: Some(run.to_owned()),
        machine: Some(Kind::Turn.name().to_owned()),
        state: Some(state.name().to_owned()),
        ..Place::default()
    })
}
