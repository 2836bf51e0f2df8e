//! Who of a collab has said nothing for too long: told by when the files of a launch grew last. It
//! is a notice and never an end; what ends a launch is its deadline.

use std::path::Path;
use std::time::UNIX_EPOCH;

use kernel::collab::{Phase, State};
use kernel::machine::At;

use crate::shim::files;

/// The files that grow when an agent says something; the tails grow when its spools are full.
const SPOKEN: [&str; 4] = [files::STDOUT, files::STDERR, files::STDOUT_TAIL, files::STDERR_TAIL];

/// A participant whose agent runs and says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// The participant.
    pub participant: String,
    /// The call that is silent.
    pub call: String,
    /// Since when: the last byte, or its start.
    pub since: At,
}

/// Those that have been silent for at least so long.
#[must_use]
pub fn silences(state: &State, loop_dir: &Path, now: At, threshold_ms: u64) -> Vec<Silence> {
    let running = state.participants().iter().filter_map(|one| match &one.phase {
        Phase::Running { call, since, .. } => Some((one, call, *since)),
        Phase::Pending
        | Phase::Starting { .. }
        | Phase::Backoff { .. }
        | Phase::Stopping { .. }
        | Phase::Ended { .. } => None,
    });
    let judged = running.map(|(one, call, started)| Silence {
        participant: one.name.clone(),
        call: call.clone(),
        since: spoke_at(&loop_dir.join("calls").join(call)).map_or(started, |at| at.max(started)),
    });
    judged.filter(|one| now.since(one.since) >= threshold_ms).collect()
}

/// When an agent's files grew last.
fn spoke_at(dir: &Path) -> Option<At> {
    let grown = |name: &&str| {
        let meta = std::fs::metadata(dir.join(name)).ok().filter(|meta| meta.len() > 0)?;
        let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(At(u64::try_from(since.as_millis()).unwrap_or(0)))
    };
    SPOKEN.iter().filter_map(grown).max()
}
