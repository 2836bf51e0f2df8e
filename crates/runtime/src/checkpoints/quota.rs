//! What goes when marks and checkpoints take all that they may: first marks that no call at work or
//! lost needs, then checkpoints that are old and of runs that ended. What a call may still need is
//! never among them, so the quota may stay reached.

use std::collections::BTreeSet;

use kernel::machine::At;

use super::gc::{CallFact, Part, Standing, What, is_older};
use super::keeper::Keeper;
use super::names::Time;
use super::shown::Listed;
use crate::tree::Hash;

/// In the order in which they go. `gone` goes anyway.
pub(super) fn parts(
    keeper: &Keeper,
    calls: &[CallFact],
    gone: &[Part],
    now: Time,
    keep_days: u64,
) -> Vec<Part> {
    let ended = |fact: &&CallFact| matches!(fact.standing, Standing::Ended(_));
    let needed = calls.iter().filter(|fact| !ended(fact)).flat_map(|fact| fact.trees.iter());
    let going = gone.iter().filter_map(|part| match &part.what {
        What::Mark { digest } => Some(digest),
        What::Spool { .. } | What::Checkpoint { .. } | What::Aside { .. } | What::Text { .. } => {
            None
        }
    });
    let mut known: BTreeSet<Hash> = needed.chain(going).copied().collect();
    let mut parts = Vec::new();
    for fact in calls.iter().filter(ended) {
        for &digest in &fact.trees {
            if keeper.marked(digest).is_some() && known.insert(digest) {
                parts.push(Part { call: fact.call.clone(), what: What::Mark { digest }, bytes: 0 });
            }
        }
    }
    parts.extend(checkpoints(keeper, calls, now, keep_days));
    parts
}

/// Checkpoints that may go, oldest first. One that can't be read is left for `checkpoint verify`.
fn checkpoints(keeper: &Keeper, calls: &[CallFact], now: Time, keep_days: u64) -> Vec<Part> {
    let over = |call: &str| {
        let fact = calls.iter().find(|fact| fact.call == call);
        fact.is_some_and(|fact| matches!(fact.standing, Standing::Ended(_)))
    };
    let listed = keeper.list().unwrap_or_default();
    let old = listed
        .into_iter()
        .filter(|one| over(&one.call) && is_older(At(one.made_at_ms), now, keep_days));
    let part =
        |one: Listed| Part { call: one.call, what: What::Checkpoint { name: one.name }, bytes: 0 };
    old.map(part).collect()
}

/// What goes at once before the quota is looked at again: all marks, which are many and small, and
/// then one checkpoint at a time.
pub(super) fn turns(parts: &[Part]) -> impl Iterator<Item = &[Part]> {
    let is_mark = |part: &Part| matches!(part.what, What::Mark { .. });
    let marks = parts.iter().take_while(|part| is_mark(part)).count();
    let (marks, checkpoints) = parts.split_at(marks);
    (!marks.is_empty()).then_some(marks).into_iter().chain(checkpoints.chunks(1))
}
