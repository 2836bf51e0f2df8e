//! Deadlines that live runs owe, in order. Derived from states, never stored: after a restart the
//! same states give the same timers, and one that fell due meanwhile fires at once.

use std::collections::{BTreeSet, HashMap};

use kernel::machine::At;

/// All timers, by moment.
#[derive(Debug, Default)]
pub(super) struct Timers {
    by_due: BTreeSet<(At, String, String)>,
    by_run: HashMap<String, Vec<(At, String)>>,
}

impl Timers {
    /// Replaces what a run owes.
    pub(super) fn set(&mut self, run: &str, owed: Vec<(At, String)>) {
        for (due, slot) in self.by_run.remove(run).unwrap_or_default() {
            self.by_due.remove(&(due, run.to_owned(), slot));
        }
        if owed.is_empty() {
            return;
        }
        for (due, slot) in &owed {
            self.by_due.insert((*due, run.to_owned(), slot.clone()));
        }
        self.by_run.insert(run.to_owned(), owed);
    }

    /// The next moment at which something falls due.
    pub(super) fn next(&self) -> Option<At> {
        self.by_due.first().map(|(due, _, _)| *due)
    }

    /// Takes out everything that is due: each key fires at most once, because the command it makes
    /// changes the state that owed it.
    pub(super) fn due(&mut self, now: At) -> Vec<(String, String)> {
        let mut fired = Vec::new();
        while let Some((due, run, slot)) = self.by_due.first().cloned() {
            if due > now {
                break;
            }
            self.by_due.remove(&(due, run.clone(), slot.clone()));
            if let Some(owed) = self.by_run.get_mut(&run) {
                owed.retain(|(_, other)| *other != slot);
            }
            fired.push((run, slot));
        }
        fired
    }
}
