//! When a loop is to be drawn again. It has no clock: moments come from the host, and what was
//! asked for without one is stamped when the host looks next.

use std::collections::BTreeMap;

use kernel::machine::At;

/// Changes wait this long for others, so that a loop is drawn at most ten times a second.
pub const REDRAW_MS: u64 = 100;
/// A loop that is slow to draw, having many tasks, waits this many times as long as its last
/// drawing took: the engine has its work to go on with.
const REDRAW_SHARE: u64 = 25;
/// Nobody who looks at a file waits longer than this for what is new.
const REDRAW_MS_MAX: u64 = 1000;

/// The loops to draw, and when.
#[derive(Debug, Default)]
pub(super) struct Due {
    at: BTreeMap<String, At>,
    /// Not yet stamped: how long after the host's next look.
    delays_ms: BTreeMap<String, u64>,
    /// How long the last drawing took, of those that took any time.
    took_ms: BTreeMap<String, u64>,
}

impl Due {
    /// A change at `now`; the first of several sets the time.
    pub(super) fn mark(&mut self, run: &str, now: At) {
        let took_ms = self.took_ms.get(run).copied().unwrap_or(0);
        let wait_ms = took_ms.saturating_mul(REDRAW_SHARE).clamp(REDRAW_MS, REDRAW_MS_MAX);
        self.by(run, now.plus(wait_ms));
    }

    /// How long the loop took to draw.
    pub(super) fn took(&mut self, run: &str, took_ms: u64) {
        if took_ms == 0 {
            self.took_ms.remove(run);
        } else {
            self.took_ms.insert(run.to_owned(), took_ms);
        }
    }

    /// A look that is wanted `delay_ms` from now.
    pub(super) fn after(&mut self, run: &str, delay_ms: u64) {
        let known = self.delays_ms.entry(run.to_owned()).or_insert(delay_ms);
        *known = (*known).min(delay_ms);
    }

    /// A look that is wanted at this moment.
    pub(super) fn by(&mut self, run: &str, at: At) {
        let known = self.at.entry(run.to_owned()).or_insert(at);
        *known = (*known).min(at);
    }

    /// The loop is being drawn.
    pub(super) fn done(&mut self, run: &str) {
        self.at.remove(run);
        self.delays_ms.remove(run);
    }

    /// The loops whose time has come; they are not named again.
    pub(super) fn take(&mut self, now: At) -> Vec<String> {
        for (run, delay_ms) in std::mem::take(&mut self.delays_ms) {
            self.by(&run, now.plus(delay_ms));
        }
        let due: Vec<String> =
            self.at.iter().filter(|(_, at)| **at <= now).map(|(run, _)| run.clone()).collect();
        for run in &due {
            self.at.remove(run);
        }
        due
    }

    /// When to look next.
    pub(super) fn next(&self) -> Option<At> {
        if self.delays_ms.is_empty() { self.at.values().min().copied() } else { Some(At(0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_drawn_together_ten_times_a_second_at_most() {
        let mut due = Due::default();
        let mut drawn = Vec::new();
        for now in 0..1000 {
            due.mark("loop-a", At(now));
            for run in due.take(At(now)) {
                due.done(&run);
                drawn.push(now);
            }
        }
        assert!(drawn.len() <= 10 && drawn.len() >= 9, "{drawn:?}");
        assert_eq!(drawn[0], REDRAW_MS);
        assert_eq!(due.next(), Some(At(drawn[drawn.len() - 1] + 1 + REDRAW_MS)));
    }

    #[test]
    fn one_that_is_slow_to_draw_is_drawn_less_often() {
        let mut due = Due::default();
        for (took_ms, wait_ms) in [(1, 100), (12, 300), (500, 1000), (0, 100)] {
            due.took("loop-a", took_ms);
            due.mark("loop-a", At(0));
            assert_eq!(due.next(), Some(At(wait_ms)), "{took_ms}");
            due.done("loop-a");
        }
    }

    #[test]
    fn what_has_no_moment_yet_is_looked_at_soon() {
        let mut due = Due::default();
        assert_eq!(due.next(), None);
        due.after("loop-a", 200);
        assert_eq!(due.next(), Some(At(0)), "the host must say what time it is");
        assert_eq!(due.take(At(1000)), [] as [&str; 0]);
        assert_eq!(due.next(), Some(At(1200)));
        due.after("loop-a", 0);
        assert_eq!(due.take(At(1001)), ["loop-a"]);
        assert_eq!(due.next(), None);
    }
}
