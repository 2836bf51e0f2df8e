//! What doors show of collabs: the list, the snapshot, the result, whether it may be used, the
//! takeover bundle, one participant's answer. Read from the journal, so that no engine is needed.

use kernel::collab::view::{self, Meta};
use kernel::collab::{Level, State};
use kernel::errors::{Machine, nearest};
use kernel::machine::{At, By};
use kernel::run::{Kind, State as Any};
use runtime::clock::Clock;
use runtime::collab;
use runtime::query::{self, Folded};
use runtime::redact::Redactor;
use serde_json::{Value, json};

use crate::problem::{Place, Raised};
use crate::site::{Known, Site, all_of, of_query, refused, run_of};

/// A collab as it stands.
pub struct Seen {
    /// Where it stands.
    pub state: State,
    /// Its place in the journal.
    pub meta: Meta,
    /// The answers, without secrets.
    pub texts: collab::Texts,
}

impl Seen {
    /// Looks at it.
    ///
    /// # Errors
    /// An unknown collab, or a journal that cannot be read.
    pub fn of(site: &Site, id: &str, redactor: &Redactor) -> Result<Self, Raised> {
        let known = run_of(site, id, Kind::Collab)?;
        let folded = query::fold(&known.journal, &known.head, None);
        Self::folded(&known, &folded.map_err(|why| of_query(&why))?, redactor)
    }

    /// The same of one that is folded already.
    ///
    /// # Errors
    /// A run that is no collab.
    pub fn folded(known: &Known, folded: &Folded, redactor: &Redactor) -> Result<Self, Raised> {
        let Any::Collab(state) = &folded.state else {
            return Err(refused(Machine::Collab, "no_such", json!({ "id": known.head.run })));
        };
        let texts = collab::texts(state, &known.dir.path, redactor);
        let meta = Meta {
            run_id: known.head.run.clone(),
            parent: known.head.parent.clone(),
            seq: folded.seq,
            updated_at: At(folded.updated_ms),
        };
        Ok(Self { state: state.clone(), meta, texts })
    }

    fn not_yet(&self, command: &str) -> Raised {
        let state = self.state.name();
        let details = json!({ "state": state, "command": command });
        let raised = refused(Machine::Collab, "not_now", details);
        let allowed = kernel::collab::allowed(&self.state, &By::Person);
        let allowed = Some(allowed.into_iter().map(str::to_owned).collect());
        Raised { allowed, ..raised }.at(Place {
            run_id: Some(self.meta.run_id.clone()),
            machine: Some(Kind::Collab.name().to_owned()),
            state: Some(state.to_owned()),
            ..Place::default()
        })
    }
}

/// Which collabs a list shows.
#[derive(Debug, Default)]
pub struct Wanted {
    /// In this state only.
    pub state: Option<String>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Those that come after this one.
    pub after: Option<String>,
}

/// The list, newest first.
///
/// # Errors
/// A journal that cannot be read, or an `after` that is in no list.
pub fn list(site: &Site, wanted: &Wanted) -> Result<Vec<Value>, Raised> {
    let Some((_, journal)) = site.journal()? else { return Ok(Vec::new()) };
    let mut heads = all_of(&journal, Kind::Collab)?;
    if let Some(after) = &wanted.after {
        let Some(at) = heads.iter().position(|head| head.run == *after) else {
            let near = nearest(after, heads.iter().map(|head| head.run.as_str()));
            let details = json!({ "what": "collab", "id": after, "nearest": near });
            return Err(refused(Machine::Collab, "no_such", details));
        };
        heads.drain(..=at);
    }
    if let Some(state) = &wanted.state {
        heads.retain(|head| head.status.eq_ignore_ascii_case(state));
    }
    let most = wanted.limit.unwrap_or(usize::MAX);
    Ok(heads.iter().take(most).map(query::listed).collect())
}

/// The snapshot, as its file has it, of the time of the look.
#[must_use]
pub fn show(seen: &Seen) -> Value {
    let now = Clock::start(seen.meta.updated_at).now();
    let shown = view::snapshot(&seen.state, &seen.meta, now).map(|snapshot| snapshot.text());
    shown.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null)
}

/// The result; refused before there is one.
///
/// # Errors
/// That there is none yet.
pub fn result(seen: &Seen) -> Result<Value, Raised> {
    let found = view::result(&seen.state, &seen.meta, &seen.texts);
    let found = found.and_then(|result| serde_json::from_str(&result.text()).ok());
    found.ok_or_else(|| seen.not_yet("result"))
}

/// Whether the result may be used: `pass`, `confirm` by a person first, or `failed`.
///
/// # Errors
/// That there is none yet.
pub fn gate(seen: &Seen) -> Result<Value, Raised> {
    let word = match &seen.state {
        State::New | State::Init { .. } | State::Running { .. } => {
            return Err(seen.not_yet("result"));
        }
        State::Success { .. } => "pass",
        State::Degraded { .. } => "confirm",
        State::Failed { .. } => "failed",
    };
    let shortfall = view::shortfall(&seen.state);
    Ok(json!({
        "gate": word, "state": seen.state.name(),
        "degraded_level": shortfall.map(|lack| match lack.level {
            Level::Acceptable => "ACCEPTABLE",
            Level::Unacceptable => "UNACCEPTABLE",
        }),
        "missing_dimensions":
            shortfall.map(|lack| lack.missing.items().to_vec()).unwrap_or_default(),
        "degraded_reason": shortfall.map(|lack| lack.reason.clone()),
    }))
}

/// The takeover bundle; refused where there is none.
///
/// # Errors
/// That there is none.
pub fn takeover(seen: &Seen) -> Result<Value, Raised> {
    let found = view::takeover(&seen.state, &seen.meta);
    let found = found.and_then(|bundle| serde_json::from_str(&bundle.text()).ok());
    found.ok_or_else(|| seen.not_yet("result"))
}

/// What one participant answered; refused while it has not.
///
/// # Errors
/// An unknown participant, or one without an answer.
pub fn output(seen: &Seen, name: &str) -> Result<Value, Raised> {
    let names: Vec<&str> = seen.state.participants().iter().map(|one| one.name.as_str()).collect();
    if !names.contains(&name) {
        let near = nearest(name, names.iter().copied());
        let details = json!({ "what": "participant", "id": name, "nearest": near });
        return Err(refused(Machine::Collab, "no_such", details));
    }
    let Some(text) = seen.texts.get(name) else { return Err(seen.not_yet("output")) };
    let kept = kernel::collab::RESULT_OUTPUT_MAX;
    let mut end = kept.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (shown, truncated) = (&text[..end], text.len() > end);
    Ok(json!({ "participant": name, "output": shown, "output_truncated": truncated }))
}

/// A part of a collab that can be asked for by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the routes' own")]
pub enum Part {
    Result,
    Gate,
    Takeover,
}

impl Part {
    /// The part of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "result" => Some(Self::Result),
            "gate" => Some(Self::Gate),
            "takeover" => Some(Self::Takeover),
            _none => None,
        }
    }

    /// What it shows.
    ///
    /// # Errors
    /// That there is none yet.
    pub fn of(self, seen: &Seen) -> Result<Value, Raised> {
        match self {
            Self::Result => result(seen),
            Self::Gate => gate(seen),
            Self::Takeover => takeover(seen),
        }
    }
}
