//! What must hold of the whole engine, whatever dies when. Each is named, and says what it found.

use std::collections::{BTreeMap, BTreeSet};

use journal::{Journal, Memory};
use kernel::call;
use kernel::run::{Kind, State};
use kernel::turn;
use runtime::engine::fold;

use crate::world::World;

/// Everything that must hold after any tick.
///
/// # Errors
/// The first invariant that does not hold, and where.
pub fn all(world: &World) -> Result<(), String> {
    let journal = world.engine.journal();
    invariant_journal_verifies(journal)?;
    invariant_once(world, journal)?;
    invariant_one_action(journal)?;
    invariant_one_holder(world, journal)?;
    invariant_acknowledged_is_durable(world, journal)?;
    invariant_memory_is_fold(world, journal)
}

/// Every record and hash reads back.
fn invariant_journal_verifies(journal: &Memory) -> Result<(), String> {
    journal.verify().map(drop).map_err(|why| format!("invariant_journal_verifies: {why}"))
}

/// What was executed is at most once per key, and never without a recorded start.
fn invariant_once(world: &World, journal: &Memory) -> Result<(), String> {
    let mut started: BTreeMap<String, u32> = BTreeMap::new();
    for head in heads(journal)? {
        let Some(key) = head.key.filter(|_| head.machine == Kind::Call.name()) else { continue };
        for record in journal.read_run(&head.run, 0).map_err(|why| why.to_string())? {
            if record.kind == "Started" {
                *started.entry(key.clone()).or_default() += 1;
            }
        }
    }
    for (key, times) in &world.executed {
        if *times > 1 {
            return Err(format!("invariant_once: {key} ran {times} times"));
        }
        if started.get(key).is_none_or(|recorded| recorded < times) {
            return Err(format!("invariant_record_before_act: {key} ran without a record"));
        }
    }
    Ok(())
}

/// No loop has two children alive.
fn invariant_one_action(journal: &Memory) -> Result<(), String> {
    let mut alive: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let heads = heads(journal)?;
    let is_loop = |head: &&journal::Head| head.machine == Kind::Loop.name();
    let loops: BTreeSet<String> = heads.iter().filter(is_loop).map(|one| one.run.clone()).collect();
    for head in heads {
        let parent = head.parent.filter(|parent| loops.contains(parent));
        if let (Some(parent), false) = (parent, head.ended) {
            alive.entry(parent).or_default().insert(head.run);
        }
    }
    match alive.into_iter().find(|(_, children)| children.len() > 1) {
        Some((parent, children)) => Err(format!("invariant_one_action: {parent} has {children:?}")),
        None => Ok(()),
    }
}

/// At most one loop holds the work tree.
fn invariant_one_holder(world: &World, journal: &Memory) -> Result<(), String> {
    let mut holders = Vec::new();
    for head in heads(journal)? {
        let held = world.engine.run(&head.run).map(|run| &run.state);
        if let Some(State::Loop(state)) = held
            && state.holds_tree()
        {
            holders.push(head.run);
        }
    }
    if holders.len() > 1 {
        return Err(format!("invariant_one_holder: {holders:?}"));
    }
    Ok(())
}

/// What someone was told is accepted is in the journal, fact by fact, whatever died since.
fn invariant_acknowledged_is_durable(world: &World, journal: &Memory) -> Result<(), String> {
    for told in &world.acknowledged {
        let first = told.seq.saturating_sub(told.facts.len() as u64);
        let records = journal.read_run(&told.run, first).map_err(|why| why.to_string())?;
        let kept: Vec<_> = records.iter().map(|record| record.kind.as_str()).collect();
        if !kept.starts_with(&told.facts) {
            return Err(format!("invariant_acknowledged_is_durable: {told:?}, kept {kept:?}"));
        }
    }
    Ok(())
}

/// What the engine holds is what its facts give, with nothing added.
fn invariant_memory_is_fold(world: &World, journal: &Memory) -> Result<(), String> {
    for head in heads(journal)? {
        let Some(held) = world.engine.run(&head.run) else { continue };
        let folded = fold(journal, &head, None).map_err(|why| why.to_string())?;
        if folded.state != held.state {
            return Err(format!("invariant_memory_is_fold: {} differs", head.run));
        }
    }
    Ok(())
}

/// Nothing is under way in a world where nothing is left to happen: no orphaned call, and every
/// running loop waits for a person.
///
/// # Errors
/// The run that is stuck.
pub fn invariant_nothing_hangs(world: &World) -> Result<(), String> {
    let journal = world.engine.journal();
    for head in heads(journal)? {
        let run = fold(journal, &head, None).map_err(|why| why.to_string())?;
        let stuck = match &run.state {
            State::Call(state) => match state {
                call::State::New
                | call::State::Denied { .. }
                | call::State::Settled { .. }
                | call::State::Undone { .. }
                | call::State::Asked { .. }
                | call::State::Unknown { gate: call::UnknownGate::AskPerson { .. }, .. } => false,
                call::State::Allowed { .. } => run.parent.is_none(),
                call::State::Started { .. }
                | call::State::Unknown { .. }
                | call::State::Undoing { .. } => true,
            },
            State::Loop(_) | State::Grant(_) => false,
            State::Collab(state) => state.at_work(),
            State::Turn(state) => !rests(state) && !asks_below(journal, &head.run)?,
            State::Lifecycle(state) => state.at_work() && !waits_below(journal, &head.run)?,
            State::Session(state) => state.at_work(),
        };
        if stuck {
            return Err(format!("invariant_nothing_hangs: {} is {}", head.run, run.state.status()));
        }
    }
    Ok(())
}

/// Whether a turn has ended, or goes on when a person wants it to.
fn rests(state: &turn::State) -> bool {
    state.life().is_none_or(|life| life.phase.over() || life.waits() || life.body.hold.is_some())
}

/// Whether a call or a turn of this run waits for a person.
fn waits_below(journal: &Memory, run: &str) -> Result<bool, String> {
    for head in heads(journal)?.iter().filter(|head| head.parent.as_deref() == Some(run)) {
        let child = fold(journal, head, None).map_err(|why| why.to_string())?;
        if let State::Turn(state) = &child.state
            && !state.ended()
            && (rests(state) || asks_below(journal, &head.run)?)
        {
            return Ok(true);
        }
    }
    asks_below(journal, run)
}

/// Whether a call of this run waits for a person.
fn asks_below(journal: &Memory, run: &str) -> Result<bool, String> {
    for head in heads(journal)?.iter().filter(|head| head.parent.as_deref() == Some(run)) {
        let child = fold(journal, head, None).map_err(|why| why.to_string())?;
        let asks = matches!(
            child.state,
            State::Call(
                call::State::Asked { .. }
                    | call::State::Unknown { gate: call::UnknownGate::AskPerson { .. }, .. }
            )
        );
        if asks {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The names of a run's facts, in order: what two histories are compared by.
#[must_use]
pub fn story(world: &World, run: &str) -> Vec<String> {
    let journal = world.engine.journal();
    let records = journal.read_run(run, 0).unwrap_or_default();
    records.into_iter().map(|record| record.kind).collect()
}

fn heads(journal: &Memory) -> Result<Vec<journal::Head>, String> {
    journal.heads().map_err(|why| why.to_string())
}
