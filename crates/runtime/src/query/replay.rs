//! A run folded again, record by record, and compared with what is kept beside the records. It
//! changes nothing, also when they differ.

use journal::{Head, Journal};
use kernel::owed::Owed;
use kernel::run::State;
use serde::Serialize;
use serde_json::Value;

use super::fold::{step, unborn};
use super::log::{Logged, logged};
use super::refusal::Refusal;

/// One record and the state after it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stepped {
    /// The record.
    #[serde(flatten)]
    pub entry: Logged,
    /// The state's name before it.
    pub before: &'static str,
    /// The state's name after it.
    pub state: &'static str,
    /// What the world owes then, by its keys below the run.
    pub owed: Vec<String>,
    /// The whole state after it.
    pub after: Value,
}

/// Whether something kept beside the records is what they fold to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Agrees {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// There is none, or another build wrote it; it is only a cache.
    None,
}

/// What folding again has shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replayed {
    /// The run.
    pub run_id: String,
    /// Its last sequence number.
    pub seq: u64,
    /// Its state's name.
    pub state: &'static str,
    /// Whether it has ended.
    pub ended: bool,
    /// The kept snapshot against the fold at its place.
    pub snapshot: Agrees,
    /// Every step.
    pub steps: Vec<Stepped>,
}

/// Folds a run again.
///
/// # Errors
/// A record that cannot be read, or a fold that ends elsewhere than the run's head says.
pub fn replay(journal: &dyn Journal, head: &Head) -> Result<Replayed, Refusal> {
    let kept = journal.snapshot(&head.run)?;
    let mut folded = unborn(head)?;
    let mut steps = Vec::new();
    let mut snapshot = Agrees::None;
    for record in journal.read_run(&head.run, 0)? {
        let before = folded.state.status();
        step(&mut folded, &record)?;
        if let Some(kept) = kept.as_ref().filter(|kept| kept.seq == record.seq) {
            snapshot = match State::from_json(folded.state.kind(), &kept.state) {
                Ok(state) if state == folded.state => Agrees::Yes,
                Ok(_) => Agrees::No,
                Err(_) => Agrees::None,
            };
        }
        let after = folded.state.to_json().ok().and_then(|text| serde_json::from_str(&text).ok());
        let after = after.unwrap_or_default();
        let (entry, state) = (logged(head, &record), folded.state.status());
        steps.push(Stepped { entry, before, state, owed: owed(&folded.state), after });
    }
    let (status, ended) = (folded.state.status(), folded.state.ended());
    if (status, ended, folded.seq) != (head.status.as_str(), head.ended, head.seq) {
        return Err(Refusal::FoldDiffers {
            run: head.run.clone(),
            folded: format!("{status} {}", folded.seq),
            kept: format!("{} {}", head.status, head.seq),
        });
    }
    Ok(Replayed {
        run_id: head.run.clone(),
        seq: folded.seq,
        state: status,
        ended,
        snapshot,
        steps,
    })
}

fn owed(state: &State) -> Vec<String> {
    let slot = |owed: Owed| match owed {
        Owed::Child { slot, .. }
        | Owed::Timer { slot, .. }
        | Owed::Question { slot, .. }
        | Owed::Effect { slot, .. } => slot,
    };
    state.owed().into_iter().map(slot).collect()
}
