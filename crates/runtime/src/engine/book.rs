//! Runs in memory, and how they get there: folded from the journal, by snapshot and tail. It
//! decides nothing and appends nothing.

use journal::{Fault, Head, Journal};
use kernel::machine::At;
use kernel::run::{Event, Kind, State};

/// Why the engine stops. It never goes on after one of these; the next start reads the journal.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// The memory failed.
    #[error(transparent)]
    Journal(#[from] Fault),
    /// A record that passed its hash is not a fact of its machine: another version wrote it.
    #[error("record {seq} of {run} is not a fact of this build: {why}")]
    Foreign {
        /// The run.
        run: String,
        /// The record.
        seq: u64,
        /// What the decoder said.
        why: String,
    },
    /// The program is wrong.
    #[error("broken invariant: {0}")]
    Broken(String),
}

/// A run as the engine holds it.
#[derive(Clone, Debug)]
pub struct Run {
    /// Where it stands.
    pub state: State,
    /// Its sequence number.
    pub seq: u64,
    /// The owning run.
    pub parent: Option<String>,
    /// The key it was asked under.
    pub key: Option<String>,
    /// When its last fact was recorded.
    pub updated_at: At,
    /// Trace of the last chain that moved it.
    pub trace: String,
    /// Sequence number of its last snapshot.
    pub snapshot_seq: u64,
}

impl Run {
    /// A run that is not there yet.
    #[must_use]
    pub fn unborn(kind: Kind) -> Self {
        Self {
            state: kind.unborn(),
            seq: 0,
            parent: None,
            key: None,
            updated_at: At(0),
            trace: String::new(),
            snapshot_seq: 0,
        }
    }
}

/// Folds a run as it stood at `until` (none = now), from its snapshot if that is usable.
///
/// # Errors
/// A damaged record, or one that this build can't read.
pub fn fold(journal: &dyn Journal, head: &Head, until: Option<u64>) -> Result<Run, Halt> {
    let kind = Kind::named(&head.machine).ok_or_else(|| Halt::Foreign {
        run: head.run.clone(),
        seq: head.seq,
        why: format!("no machine `{}`", head.machine),
    })?;
    let mut run = Run { parent: head.parent.clone(), key: head.key.clone(), ..Run::unborn(kind) };
    if let Some((state, seq)) = from_snapshot(journal, head, kind, until)? {
        run.state = state;
        run.seq = seq;
        run.snapshot_seq = seq;
        run.updated_at = At(head.updated_ms);
    }
    for record in journal.read_run(&head.run, run.seq)? {
        if until.is_some_and(|until| record.seq > until) {
            break;
        }
        let event = Event::from_record(kind, &record.body).map_err(|why| Halt::Foreign {
            run: head.run.clone(),
            seq: record.seq,
            why: why.to_string(),
        })?;
        run.state.evolve(&event, At(record.at_ms));
        run.seq = record.seq;
        run.updated_at = At(record.at_ms);
        run.trace = record.trace;
    }
    Ok(run)
}

fn from_snapshot(
    journal: &dyn Journal,
    head: &Head,
    kind: Kind,
    until: Option<u64>,
) -> Result<Option<(State, u64)>, Halt> {
    let Some(snapshot) = journal.snapshot(&head.run)? else {
        return Ok(None);
    };
    let usable = snapshot.fingerprint == kernel::run::SNAPSHOT_FINGERPRINT
        && snapshot.seq <= until.unwrap_or(head.seq);
    if !usable {
        return Ok(None);
    }
    Ok(State::from_json(kind, &snapshot.state).ok().map(|state| (state, snapshot.seq)))
}
