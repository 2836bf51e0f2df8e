//! Displaced files that hold just what was drawn there last. An editor that had looked the name up,
//! but not yet opened the file, when the names were exchanged has no open file that could be seen,
//! and writes into the displaced one a moment later. So each keeps its name for that moment and is
//! looked at once more. It does not decide what an edit means.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::displaced::{Displaced, NotYet};

/// Between looking a name up and opening it a process can only be put off by others that run: a
/// second is thousands of times as long as it takes.
const KEPT_FOR: Duration = Duration::from_secs(1);

/// Which of them to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// Those whose moment has passed.
    Ripe,
    /// All of them: nobody will be there to look later.
    Any,
}

/// Files to look at once more, the oldest first; `T` says whose they are.
#[derive(Debug)]
pub struct Late<T> {
    waiting: VecDeque<(Instant, Kept<T>)>,
}

/// One of them.
#[derive(Debug)]
pub struct Kept<T> {
    /// Whose it is.
    pub of: T,
    /// Where it is.
    pub displaced: Displaced,
    /// What was drawn there.
    pub drawn: Vec<u8>,
}

impl<T> Default for Late<T> {
    fn default() -> Self {
        Self { waiting: VecDeque::new() }
    }
}

impl<T> Late<T> {
    /// Keeps one for its moment.
    pub fn keep(&mut self, of: T, displaced: Displaced, drawn: Vec<u8>) {
        self.waiting.push_back((Instant::now(), Kept { of, displaced, drawn }));
    }

    /// How long until the next is to be looked at.
    #[must_use]
    pub fn wait(&self) -> Option<Duration> {
        self.waiting.front().map(|(since, _)| KEPT_FOR.saturating_sub(since.elapsed()))
    }

    /// Removes those of this age; answers those that somebody wrote to.
    pub fn edited(&mut self, age: Age) -> Vec<Kept<T>> {
        let upto = match age {
            Age::Ripe => self.waiting.partition_point(|(since, _)| since.elapsed() >= KEPT_FOR),
            Age::Any => self.waiting.len(),
        };
        let looked_at = self.waiting.drain(..upto).map(|(_, kept)| kept);
        looked_at.filter_map(Kept::settle).collect()
    }
}

impl<T> Kept<T> {
    fn settle(self) -> Option<Self> {
        match self.displaced.taken_in(&self.drawn) {
            Ok(()) => None,
            Err(NotYet(displaced)) => Some(Self { displaced, ..self }),
        }
    }
}
