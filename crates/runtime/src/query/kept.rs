//! What the journal knows of every call that may have left files: whether it and the run above it
//! are over, and since when. Whoever takes back disk space asks; nothing is removed here.

use std::collections::HashMap;

use journal::{Head, Journal};
use kernel::call;
use kernel::machine::At;
use kernel::run::{Kind, State};

use super::fold::fold;
use super::refusal::Refusal;
use crate::checkpoints::{CallFact, Standing};
use crate::tree::Hash;

/// Runs nest a few deep; a longer chain is a ring.
const DEPTH_MAX: usize = 64;

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
    let moves = name.is_some_and(|name| matches!(name, call::UNDO | call::ROLLBACK));
    CallFact {
        call: id.to_owned(),
        aside: moves.then(|| id.to_owned()),
        trees: digests.filter_map(Hash::from_hex).collect(),
        standing,
    }
}
