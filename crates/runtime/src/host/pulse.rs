//! The pulse of running collabs: who is silent is looked at on every heartbeat and told once for
//! each silence; pages are drawn again at an interval. Nothing here waits, and nothing is recorded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kernel::collab::State;
use kernel::machine::At;

use crate::collab::{Silence, silences};
use crate::views::Notice;

/// How often what is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Between two looks.
    pub heartbeat_ms: u64,
    /// A silence that is worth a notice.
    pub warning_threshold_ms: u64,
    /// Between two drawings of a page whose run did not change.
    pub progress_interval_ms: u64,
}

/// What a look found.
#[derive(Debug, Default)]
pub(super) struct Beat {
    /// What people are to be told.
    pub(super) notices: Vec<Notice>,
    /// Runs whose page is to be drawn.
    pub(super) draw: Vec<String>,
}

/// What is known of running collabs.
pub(super) struct Pulse {
    loop_dir: PathBuf,
    pace: Pace,
    looked: Option<At>,
    drawn: BTreeMap<String, At>,
    silent: BTreeMap<String, Vec<Silence>>,
}

impl Pulse {
    pub(super) fn new(loop_dir: &Path, pace: Pace) -> Self {
        Self {
            loop_dir: loop_dir.to_owned(),
            pace,
            looked: None,
            drawn: BTreeMap::new(),
            silent: BTreeMap::new(),
        }
    }

    /// When the next look is due, as long as something runs.
    pub(super) fn next_due(&self) -> Option<At> {
        let looked = self.looked.filter(|_| !self.drawn.is_empty())?;
        Some(looked.plus(self.pace.heartbeat_ms))
    }

    /// Those of a run who are silent.
    pub(super) fn silent(&self, run: &str) -> Vec<String> {
        let all = self.silent.get(run).into_iter().flatten();
        all.map(|silence| silence.participant.clone()).collect()
    }

    /// Looks at the running collabs, if it is time.
    pub(super) fn beat<'a>(
        &mut self,
        now: At,
        running: impl Iterator<Item = (&'a str, &'a State)>,
    ) -> Beat {
        let running: BTreeMap<&str, &State> = running.collect();
        self.drawn.retain(|run, _| running.contains_key(run.as_str()));
        self.silent.retain(|run, _| running.contains_key(run.as_str()));
        for run in running.keys() {
            // What has just begun is drawn by its events.
            self.drawn.entry((*run).to_owned()).or_insert(now);
        }
        let since = now.since(self.looked.unwrap_or(At(0)));
        if running.is_empty() || since < self.pace.heartbeat_ms {
            self.looked = self.looked.or(Some(now));
            return Beat::default();
        }
        self.looked = Some(now);
        let mut beat = Beat::default();
        for (run, state) in running {
            self.look(run, state, now, &mut beat);
        }
        beat
    }

    fn look(&mut self, run: &str, state: &State, now: At, beat: &mut Beat) {
        let found = silences(state, &self.loop_dir, now, self.pace.warning_threshold_ms);
        let known = self.silent.insert(run.to_owned(), found.clone()).unwrap_or_default();
        let told = |one: &Silence| known.contains(one);
        beat.notices.extend(
            found
                .iter()
                .filter(|one| !told(one))
                .map(|one| Notice::silent(run, &one.participant, now.since(one.since))),
        );
        let drawn = self.drawn.entry(run.to_owned()).or_insert(now);
        if found != known || now.since(*drawn) >= self.pace.progress_interval_ms {
            *drawn = now;
            beat.draw.push(run.to_owned());
        }
    }
}
