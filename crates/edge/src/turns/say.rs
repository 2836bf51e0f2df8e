//! What is said to a turn, bound to what it shows now. Whether it is possible is the machine's to
//! say.

use kernel::errors::Machine;
use kernel::machine::At;
use kernel::run::Kind;
use kernel::turn::{self, PlanPatch, Scope};
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::query::{self, OpenQuestion};
use serde_json::{Value, json};

use super::read::{Seen, not_yet};
use crate::asked::CLARIFY;
use crate::door::{Ask, TurnSay, YesNo};
use crate::loops::Fields;
use crate::problem::{Place, Raised};
use crate::site::{Site, Visit, refused};

/// How far a yes reaches, by word.
const SCOPES: [&str; 3] = ["single_action", "session", "workspace"];

/// Whether a word lets more happen than before, so that the workspace has to be trusted.
#[must_use]
pub const fn widens(say: &TurnSay) -> bool {
    match say {
        TurnSay::Start { .. }
        | TurnSay::Continue { .. }
        | TurnSay::Answer { .. }
        | TurnSay::Confirm { word: YesNo::Yes, .. }
        | TurnSay::Edit { .. }
        | TurnSay::Skip { .. }
        | TurnSay::Resume => true,
        TurnSay::Confirm { word: YesNo::No, .. } | TurnSay::Pause { .. } | TurnSay::Cancel => false,
    }
}

/// Begins a new turn and answers its id.
///
/// # Errors
/// The refusal, or that no engine answers.
pub fn start(visit: &Visit<'_>, say: TurnSay) -> Result<String, Raised> {
    let mut desk = visit.open()?;
    let id = RandomIds.new_id("turn-", runtime::clock::Clock::start(At(0)).now());
    let ask = Ask::Turn { run: id.clone(), trace: desk.trace(), say };
    // A turn that was refused was never made, so it is no place to look at.
    desk.take(&ask).map_err(|raised| raised.at(Place::default()))?;
    Ok(id)
}

/// Says it to a turn; with `at` only if it has recorded nothing since.
///
/// # Errors
/// The refusal, or that no engine answers.
pub fn said(visit: &Visit<'_>, (run, at): (&str, Option<u64>), say: TurnSay) -> Result<(), Raised> {
    let mut desk = if widens(&say) { visit.open()? } else { visit.steer()? };
    let ask = Ask::Turn { run: run.to_owned(), trace: desk.trace(), say };
    let ask = match at {
        None => ask,
        Some(seq) => Ask::At { seq, ask: Box::new(ask) },
    };
    desk.take(&ask).map(drop)
}

/// What the turn shows to whoever answers. A held turn owes no question to anybody, and takes an
/// answer all the same.
fn shown(seen: &Seen) -> Vec<OpenQuestion> {
    let asked = seen.state().life().map(turn::asked).unwrap_or_default();
    query::of_owed(&seen.known.head.run, Kind::Turn.name(), &asked)
}

/// An answer to one of its questions; without a text it goes on and assumes.
///
/// # Errors
/// When several are open and none is named.
pub fn answering(
    seen: &Seen,
    text: Option<String>,
    question: Option<&str>,
) -> Result<TurnSay, Raised> {
    let run = &seen.known.head.run;
    let open = shown(seen);
    let mine: Vec<&OpenQuestion> = open.iter().filter(|one| one.question.kind == CLARIFY).collect();
    let question = match (question, mine.as_slice()) {
        (Some(named), _) => named.to_owned(),
        (None, [one]) => one.slot.clone(),
        // Going on without an answer is about all of them.
        (None, [first, ..]) if text.is_none() => first.slot.clone(),
        // The machine says what it takes instead.
        (None, []) => String::new(),
        (None, several) => {
            let candidates: Vec<&str> = several.iter().map(|one| one.id.as_str()).collect();
            let details = json!({
                "kind": "question", "command": run, "candidates": candidates,
                "help": format!("loopwright turn show {run}"),
            });
            return Err(refused(Machine::Turn, "ambiguous_command", details));
        }
    };
    let text = text.map(|text| match mine.iter().find(|one| one.slot == question) {
        Some(one) => one.key(&text).unwrap_or(&text).to_owned(),
        None => text,
    });
    Ok(TurnSay::Answer { question, text })
}

/// A yes or no to what it shows; to the prompt and the hash that were seen, where they are named.
#[must_use]
pub fn confirming(
    seen: &Seen,
    (prompt, hash): (Option<String>, Option<String>),
    (word, scope, note): (YesNo, Scope, Option<String>),
) -> TurnSay {
    let open = shown(seen);
    let now = open.iter().find(|one| one.question.hash.is_some());
    let (slot, bound) = now
        .map(|one| (one.slot.clone(), one.question.hash.clone().unwrap_or_default()))
        .unwrap_or_default();
    let (prompt, hash) = (prompt.unwrap_or(slot), hash.unwrap_or(bound));
    TurnSay::Confirm { prompt, hash, word, scope, note }
}

/// What a verb says to a turn that runs, from the fields of a request; none where there is no such
/// verb.
///
/// # Errors
/// The field that cannot be taken, or an unknown turn.
pub fn verb(
    site: &Site,
    (id, name): (&str, &str),
    mut fields: Fields,
) -> Result<Option<TurnSay>, Raised> {
    let say = match name {
        "answer" => {
            let (text, question) = (fields.text("text")?, fields.text("question")?);
            if fields.yes("proceed")? == text.is_some() {
                return Err(fields.bad("text", &Value::Null, "text, or proceed"));
            }
            answering(&Seen::of(site, id)?, text, question.as_deref())?
        }
        "confirm" => {
            let word = match fields.word("word", &["yes", "no"])? {
                Some("yes") => YesNo::Yes,
                Some(_) => YesNo::No,
                None => return Err(fields.bad("word", &Value::Null, "yes, no")),
            };
            let shown = (fields.text("prompt")?, fields.text("hash")?);
            let scope = match fields.word("scope", &SCOPES)? {
                None | Some("single_action") => Scope::SingleAction,
                Some("session") => Scope::Session,
                Some(_) => Scope::Workspace,
            };
            let note = fields.text("note")?;
            confirming(&Seen::of(site, id)?, shown, (word, scope, note))
        }
        "skip" => TurnSay::Skip { step: fields.must("step")?, reason: fields.must("reason")? },
        "pause" => TurnSay::Pause { now: fields.yes("now")? },
        "resume" => TurnSay::Resume,
        "cancel" => TurnSay::Cancel,
        _none => return Ok(None),
    };
    fields.done()?;
    Ok(Some(say))
}

/// A change of its plan, and the record it stands on: with the hash of a plan only if that is the
/// plan now.
///
/// # Errors
/// That the plan is another one, or that there is none.
pub fn patching(
    seen: &Seen,
    patch: PlanPatch,
    hash: Option<&str>,
) -> Result<(TurnSay, Option<u64>), Raised> {
    let say = TurnSay::Edit { patch: Box::new(patch) };
    let Some(hash) = hash else { return Ok((say, None)) };
    let run = &seen.known.head.run;
    let work = seen.state().life().and_then(|life| life.body.work.as_deref());
    let Some(work) = work else { return Err(not_yet(run, seen.state(), "EDIT_PLAN")) };
    if work.hash != hash {
        let details = json!({ "expected": hash, "actual": work.hash });
        return Err(refused(Machine::Turn, "conflict", details));
    }
    Ok((say, Some(seen.folded.seq)))
}
