//! What came before a turn: the turns of its conversation and what their calls came to. Reads only,
//! and no further back than a planner is told of.

use journal::{Head, Journal};
use kernel::call;
use kernel::run::Kind;
use kernel::turn::{self, Life, RECENT_ACTIONS_MAX};

use super::step::Engine;

/// Earlier turns that a planner is told of.
const TURNS_MAX: usize = 5;
/// Turns that are looked at for them: a conversation is a thing of hours.
const LOOKED_AT_MAX: usize = 100;

impl<J: Journal> Engine<J> {
    /// The turns before this one, the oldest first: the one it goes on from, and those of the same
    /// conversation.
    pub(super) fn before(&self, life: &Life) -> Vec<(String, turn::State)> {
        let start = &life.body.start;
        if start.conversation_id.is_none() && start.continues.is_none() {
            return Vec::new();
        }
        let heads = self.journal.heads().unwrap_or_default();
        let over = |head: &&Head| head.machine == Kind::Turn.name() && head.ended;
        let mut wanted = start.continues.clone();
        let mut found = Vec::new();
        for head in heads.iter().rev().filter(over).take(LOOKED_AT_MAX) {
            let Some(state) = self.turn(&head.run) else { continue };
            let Some(other) = state.life().map(|life| &life.body.start) else { continue };
            let same =
                other.conversation_id.is_some() && other.conversation_id == start.conversation_id;
            let continued = wanted.as_ref() == Some(&head.run);
            if continued {
                wanted.clone_from(&other.continues);
            }
            if same || continued {
                found.push((head.run.clone(), state));
            }
            if found.len() == TURNS_MAX {
                break;
            }
        }
        found.reverse();
        found
    }

    /// The last calls of these turns, the oldest first.
    pub(super) fn last_calls(&self, turns: &[(String, turn::State)]) -> Vec<(String, call::State)> {
        let calls = turns.iter().flat_map(|(id, _)| self.calls_of(id));
        let mut calls: Vec<_> = calls.collect();
        calls.split_off(calls.len().saturating_sub(RECENT_ACTIONS_MAX))
    }
}
