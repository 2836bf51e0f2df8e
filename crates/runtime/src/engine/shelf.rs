//! Runs on the engine's shelf: taken from the journal when someone speaks to them, kept while they
//! live, snapshotted now and then, dropped when they have ended. It decides nothing.

use journal::{Journal, Snapshot};
use kernel::machine::By;
use kernel::run::Kind;

use super::book::{Halt, Run, fold};
use super::step::Engine;

/// Facts between two snapshots of a run: rare enough to cost nothing, often enough that a start
/// reads little.
const SNAPSHOT_EVERY: u64 = 256;

impl<J: Journal> Engine<J> {
    /// Puts a run into memory with its links.
    pub(super) fn admit(&mut self, id: &str, run: Run) {
        if let Some(key) = &run.key {
            self.keys.insert(key.clone(), id.to_owned());
        }
        if let Some(parent) = &run.parent {
            self.children.entry(parent.clone()).or_default().insert(id.to_owned());
        }
        self.runs.insert(id.to_owned(), run);
    }

    /// Makes sure a run is in memory: live, or folded again because someone speaks to an ended one.
    pub(super) fn load(&mut self, id: &str, kind: Kind) -> Result<(), Halt> {
        if self.runs.contains_key(id) {
            return Ok(());
        }
        let run = match self.journal.head(id)? {
            Some(head) => fold(&self.journal, &head, None)?,
            None => Run::unborn(kind),
        };
        self.admit(id, run);
        Ok(())
    }

    pub(super) fn snapshot<'a>(
        &mut self,
        touched: impl Iterator<Item = &'a String>,
    ) -> Result<(), Halt> {
        let mut snapshots = Vec::new();
        for id in touched {
            let run = self.runs.get_mut(id).expect("touched runs are in memory");
            if run.seq - run.snapshot_seq < SNAPSHOT_EVERY || run.state.ended() {
                continue;
            }
            let state =
                run.state.to_json().map_err(|why| Halt::Broken(format!("state of {id}: {why}")))?;
            run.snapshot_seq = run.seq;
            let Some(last) = self.journal.read_run(id, run.seq - 1)?.pop() else { continue };
            snapshots.push(Snapshot {
                run: id.clone(),
                seq: last.seq,
                pos: last.pos,
                chain: last.hash,
                fingerprint: kernel::run::SNAPSHOT_FINGERPRINT.to_owned(),
                state,
            });
        }
        if !snapshots.is_empty() {
            self.journal.save_snapshots(&snapshots)?;
        }
        Ok(())
    }

    /// The trace a fact carries: its own chain's, else the run's, else the owner's.
    pub(super) fn trace_for(&self, id: &str, by: &By, said: String) -> String {
        if !said.is_empty() {
            return said;
        }
        let trace = |id: &str| self.runs.get(id).map(|run| run.trace.clone()).unwrap_or_default();
        match (trace(id), by) {
            (own, By::Parent { run }) if own.is_empty() => trace(run),
            (own, _) => own,
        }
    }

    /// Drops a run from memory; it is folded again if anyone speaks to it.
    pub(super) fn forget(&mut self, id: &str) {
        let Some(run) = self.runs.remove(id) else { return };
        self.timers.set(id, Vec::new());
        let mine = format!("{id}/");
        self.flight.retain(|key| !key.starts_with(&mine));
        self.made.retain(|key, _| !key.starts_with(&mine));
        if let Some(key) = run.key {
            self.keys.remove(&key);
        }
        if let Some(parent) = run.parent
            && let Some(siblings) = self.children.get_mut(&parent)
        {
            siblings.remove(id);
            if siblings.is_empty() {
                self.children.remove(&parent);
            }
        }
    }
}
