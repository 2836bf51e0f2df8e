//! A run folded again from its first record. Slower than the engine's way by snapshot, and so
//! independent of it: every record of the run is read and its hash checked.

use journal::{Head, Journal, Record};
use kernel::machine::At;
use kernel::run::{Event, Kind, State};

use super::questions::{OpenQuestion, questions};
use super::refusal::Refusal;

/// A run at one moment.
#[derive(Debug, Clone)]
pub struct Folded {
    /// Where it stood.
    pub state: State,
    /// After which record.
    pub seq: u64,
    /// The time of that record.
    pub updated_ms: u64,
    /// The trace of the command that began it.
    pub trace: String,
    /// What a lifecycle waits for that it does not ask itself, where that was looked for.
    pub below: Option<Below>,
}

/// The first question that a run below asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Below {
    /// Its id.
    pub question: String,
    /// The command that answers it.
    pub command: String,
    /// The call whose outcome nobody knows, if it is about one.
    pub call: Option<String>,
}

impl Below {
    /// The first of what a run and those below it ask that is not its own.
    #[must_use]
    pub fn first(run: &str, open: &[OpenQuestion]) -> Option<Self> {
        let one = open.iter().find(|one| one.run != run)?;
        let lost = one.question.kind == SETTLE;
        let call = lost.then(|| one.run.clone());
        Some(Self { question: one.id.clone(), command: one.command(), call })
    }
}

/// The kind of a question about a call whose outcome nobody knows.
const SETTLE: &str = "call.settle";

/// The run as it stood after `until`; none means now.
///
/// # Errors
/// A sequence number the run does not have, or a record that cannot be read.
pub fn fold(journal: &dyn Journal, head: &Head, until: Option<u64>) -> Result<Folded, Refusal> {
    if let Some(seq) = until.filter(|seq| *seq == 0 || *seq > head.seq) {
        return Err(Refusal::NoSeq { run: head.run.clone(), seq, last: head.seq });
    }
    let last = until.unwrap_or(u64::MAX);
    let mut folded = unborn(head)?;
    for record in journal.read_run(&head.run, 0)?.iter().take_while(|record| record.seq <= last) {
        step(&mut folded, record)?;
    }
    let looks = until.is_none() && matches!(folded.state, State::Lifecycle(_));
    if looks && !folded.state.ended() {
        folded.below = Below::first(&head.run, &questions(journal, Some(&head.run))?);
    }
    Ok(folded)
}

/// Takes in what was recorded of a run since it was folded.
///
/// # Errors
/// A record that cannot be read.
pub fn go_on(journal: &dyn Journal, run: &str, folded: &mut Folded) -> Result<(), Refusal> {
    for record in &journal.read_run(run, folded.seq)? {
        step(folded, record)?;
    }
    Ok(())
}

/// The run before its first record.
///
/// # Errors
/// A machine that this build does not know.
pub fn unborn(head: &Head) -> Result<Folded, Refusal> {
    let kind = Kind::named(&head.machine)
        .ok_or_else(|| Refusal::Unreadable { run: head.run.clone(), seq: 1 })?;
    Ok(Folded { state: kind.unborn(), seq: 0, updated_ms: 0, trace: String::new(), below: None })
}

/// Makes one record true.
///
/// # Errors
/// A record that cannot be read.
pub fn step(folded: &mut Folded, record: &Record) -> Result<(), Refusal> {
    let event = Event::from_record(folded.state.kind(), &record.body)
        .map_err(|_| Refusal::Unreadable { run: record.run.clone(), seq: record.seq })?;
    folded.state.evolve(&event, At(record.at_ms));
    if folded.seq == 0 {
        folded.trace.clone_from(&record.trace);
    }
    folded.seq = record.seq;
    folded.updated_ms = record.at_ms;
    Ok(())
}
