//! Notices about a run that come while it is followed. Older ones are on its page.

use std::time::{Duration, Instant};

use runtime::views::{Notice, notices};
use runtime::workspace::StateDir;

/// How often they are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What is known already.
#[derive(Debug)]
pub struct News {
    seen: Vec<Notice>,
    looked: Instant,
}

impl News {
    /// From now on.
    #[must_use]
    pub fn since_now(dir: &StateDir, run: &str) -> Self {
        Self { seen: notices(&dir.path, run), looked: Instant::now() }
    }

    /// What came since the last look, once it is time for another.
    pub fn come(&mut self, dir: &StateDir, run: &str) -> Vec<Notice> {
        let due = self.looked.elapsed() >= LOOK_EVERY;
        if due { self.last(dir, run) } else { Vec::new() }
    }

    /// What came since the last look, whenever that was.
    pub fn last(&mut self, dir: &StateDir, run: &str) -> Vec<Notice> {
        self.looked = Instant::now();
        let all = notices(&dir.path, run);
        let new = all.iter().filter(|notice| !self.seen.contains(notice)).cloned().collect();
        self.seen = all;
        new
    }
}
