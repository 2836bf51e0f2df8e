//! What the journal knows of every call that may have left files, and of the texts that turns have
//! named: whether they and the run above them are over, and since when. Whoever takes back disk
//! space asks; nothing is removed here.

use std::collections::{BTreeSet, HashMap};

use journal::{Head, Journal};
use kernel::call;
use kernel::machine::At;
use kernel::run::{Kind, State};

use super::fold::fold;
use super::refusal::Refusal;
use crate::checkpoints::{CallFact, Standing, Told, is_older};
use crate::rollback::rollback_id;
use crate::tree::Hash;

/// Runs nest a few deep; a longer chain is a ring.
const DEPTH_MAX: usize = 64;
/// Digits of a SHA-256.
const HASH_DIGITS: usize = 64;

/// Every call, oldest first.
///
/// # Errors
/// A record that cannot be read.
pub fn call_facts(journal: &dyn Journal) -> Result<Vec<CallFact>, Refusal> {
    let heads = journal.heads()?;
    let by_id: HashMap<&str, &Head> = heads.iter().map(|head| (head.run.as_str(), head)).collect();
    let calls = heads.iter().filter(|head| head.machine == Kind::Call.name());
    let fact = |head: &Head| {
        let State::Call(state) = fold(journal, head, None)?.state else { return Ok(None) };
        let standing = standing(&state, head, top(&by_id, head));
        Ok(Some(of_call(&head.run, &state, standing)))
    };
    calls.filter_map(|head| fact(head).transpose()).collect()
}

/// What the journal says of the changes of a call.
///
/// # Errors
/// A call that is not there, or a record that cannot be read.
pub fn told(journal: &dyn Journal, call: &str) -> Result<Told, Refusal> {
    let head = journal
        .head(call)?
        .ok_or_else(|| Refusal::NoSuch { id: call.to_owned(), nearest: Vec::new() })?;
    match fold(journal, &head, None)?.state {
        State::Call(state) => Ok(Told::of(&state)),
        State::Loop(_)
        | State::Grant(_)
        | State::Collab(_)
        | State::Turn(_)
        | State::Lifecycle(_)
        | State::Session(_) => Ok(Told::Nothing),
    }
}

/// Hashes that the records of turns name which are not over, or for fewer days than this: what was
/// kept under one of them is still wanted.
///
/// # Errors
/// A record that cannot be read.
pub fn texts(journal: &dyn Journal, now: At, keep_days: u64) -> Result<BTreeSet<String>, Refusal> {
    let heads = journal.heads()?;
    let by_id: HashMap<&str, &Head> = heads.iter().map(|head| (head.run.as_str(), head)).collect();
    let over = |head: &Head, top: &Head| {
        let since = At(top.updated_ms.max(head.updated_ms));
        head.ended && top.ended && is_older(since, now, keep_days)
    };
    let turns = heads.iter().filter(|head| head.machine == Kind::Turn.name());
    let mut names = BTreeSet::new();
    for head in turns.filter(|head| !over(head, top(&by_id, head))) {
        for record in journal.read_run(&head.run, 0)? {
            names.extend(hashes(&record.body).map(str::to_owned));
        }
    }
    Ok(names)
}

/// Every hash in a text.
fn hashes(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_ascii_hexdigit());
    words.filter(|word| word.len() == HASH_DIGITS)
}

/// The run that everything above a call began with.
fn top<'a>(by_id: &HashMap<&str, &'a Head>, head: &'a Head) -> &'a Head {
    let mut top = head;
    for _ in 0..DEPTH_MAX {
        match top.parent.as_deref().and_then(|parent| by_id.get(parent)) {
            Some(above) => top = above,
            None => break,
        }
    }
    top
}

fn standing(state: &call::State, head: &Head, top: &Head) -> Standing {
    if let call::State::Unknown { .. } = state {
        Standing::Unknown
    } else if head.ended && top.ended {
        Standing::Ended(At(top.updated_ms.max(head.updated_ms)))
    } else {
        Standing::Live
    }
}

fn of_call(id: &str, state: &call::State, standing: Standing) -> CallFact {
    let trees = state.trees();
    let digests = [trees.before, trees.after].into_iter().flatten();
    let name = state.facts().map(|facts| facts.request.name.as_str());
    let aside = match name {
        Some(call::UNDO) => Some(id.to_owned()),
        Some(call::ROLLBACK) => Some(rollback_id(id)),
        Some(_) | None => None,
    };
    CallFact {
        call: id.to_owned(),
        aside,
        trees: digests.filter_map(Hash::from_hex).collect(),
        standing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_found_wherever_they_stand() {
        let (one, two) = ("0a".repeat(32), "1b".repeat(32));
        let text = format!("{{\"sha256\":\"{one}\",\"digest\":\"sha256:{two}\",\"x\":\"{one}f\"}}");
        assert_eq!(hashes(&text).collect::<Vec<_>>(), [one, two]);
    }
}
