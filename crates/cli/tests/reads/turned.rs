//! Turns in a journal, each led to where a test wants it by the kernel's own samples. Asserts
//! nothing.

use std::path::Path;

use journal::{Batch, Entry, Journal as _, Owner, RunNote, Sqlite};
use kernel::machine::{At, By, Said};
use kernel::run::{Command as Word, Event, Kind, State};
use kernel::turn::{self, samples};

/// One that is done, one whose plan waits for a yes, one that asks.
pub const TURNS: [&str; 3] = ["turn-0001aaaa", "turn-0002bbbb", "turn-0003cccc"];

/// What happens to each turn, by the labels of the kernel's own samples.
const TURN_LABELS: [&[&str]; 3] = [
    &[
        "RESULT, ok",
        "RESULT, ok",
        "RESULT, plan allowed",
        "RESULT, ok",
        "RESULT, ok",
        "RESULT, ok",
        "RESULT, passed",
        "RESULT, commit denied",
    ],
    &["RESULT, ok", "RESULT, ok", "RESULT, plan asked"],
    &["RESULT, questions"],
];

/// A turn that lives through these.
fn turned(journal: &mut Sqlite, id: &str, labels: &[&str]) {
    let mut start = turn::Start { id: id.into(), ..samples::start() };
    // Their moments are past: questions that close by themselves would have.
    start.limits.question_expiry_ms = 0;
    let word = turn::Command::UserMessage(Box::new(start));
    let (mut state, mut seq) = (Kind::Turn.unborn(), 0);
    let mut said = Said { by: By::Person, at: At(1_770_000_000_000), command: word };
    let mut next = labels.iter();
    loop {
        let Said { by, at, command } = said;
        let events = state.decide(Said { by, at, command: Word::Turn(command) }).unwrap();
        let batch = batch(&mut state, id, None, seq, at, &events);
        seq += events.len() as u64;
        journal.append(&batch).unwrap();
        let (State::Turn(turn), Some(label)) = (&state, next.next()) else { return };
        let found = samples::sample_commands(turn).into_iter().find(|(one, _)| one == label);
        said = found.unwrap_or_else(|| panic!("{label} in {}", turn.name())).1;
    }
}

/// Writes them.
pub fn fill(dir: &Path) {
    let owner = Owner { pid: std::process::id(), version: "test".into(), since_ms: 0 };
    let mut journal = Sqlite::open(dir, &owner).unwrap();
    for (id, labels) in TURNS.iter().zip(TURN_LABELS) {
        turned(&mut journal, id, labels);
    }
}

/// What was decided, as it is recorded.
pub fn batch(
    state: &mut State,
    id: &str,
    parent: Option<&str>,
    seq: u64,
    at: At,
    events: &[Event],
) -> Batch {
    let mut entries = Vec::new();
    for event in events {
        state.evolve(event, at);
        let (kind, body) = event.to_record().unwrap();
        entries.push(Entry {
            run: id.into(),
            at_ms: at.0,
            by: "engine".into(),
            trace: "trace_0123456789abcdef0123456789abcdef".into(),
            kind: kind.into(),
            body,
        });
    }
    let note = RunNote {
        run: id.into(),
        machine: state.kind().name().into(),
        expected_seq: seq,
        status: state.status().into(),
        ended: state.ended(),
        parent: parent.map(str::to_owned),
        key: parent.map(|parent| format!("{parent}/{id}")),
    };
    Batch { entries, notes: vec![note] }
}
