//! Mutations of the recorded streams, seeded: no reader panics, none grows, and the same bytes
//! give the same facts in any split. `LOOPWRIGHT_STREAM_ROUNDS` makes it longer,
//! `LOOPWRIGHT_STREAM_SEED` another one.

use kernel::agent::Kind;
use loopwright_runtime::agents::fold::{
    CommandShape, End, FILES_CLAIMED_MAX, Fold, FoldPlan, Output, TEXT_BYTES_MAX,
};
use loopwright_runtime::agents::structured;

use crate::bench::{transcript, transcripts};
use crate::dice::{Dice, asked};

const ROUNDS: u64 = 3000;
const SEED: u64 = 42;

/// One to eight changes: bytes, pieces of other streams, lines moved, words that mean something.
fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>, other: &[u8]) {
    let words: [&[u8]; 14] = [
        b"\n",
        b"{",
        b"}",
        b"\"",
        b"\\",
        b"\xff",
        b"null",
        b"-1",
        b"1e308",
        b"[[[[[[[[",
        b"\0",
        b"99999999999999999999",
        b"\"type\":\"result\",",
        b"---\nSESSION_ID: x\n",
    ];
    for _ in 0..=dice.below(8) {
        let at = dice.below(bytes.len());
        match dice.below(6) {
            0 => drop(bytes.drain(at..(at + dice.below(50)).min(bytes.len()))),
            1 => bytes.insert(at, u8::try_from(dice.below(256)).unwrap()),
            2 => {
                let word = words[dice.below(words.len())];
                bytes.splice(at..at, word.iter().copied());
            }
            3 => {
                let from = dice.below(other.len());
                let to = (from + dice.below(400)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            4 => {
                let to = (at + dice.below(400)).min(bytes.len());
                let piece = bytes[at..to].to_vec();
                let into = dice.below(bytes.len());
                bytes.splice(into..into, piece);
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
}

fn fold(kind: Kind, plan: &FoldPlan, pieces: &[&[u8]]) -> End {
    let mut fold = Fold::new(kind, plan);
    for (n, piece) in pieces.iter().enumerate() {
        fold.feed(piece);
        assert!(n > 0 || fold.heard().bytes == piece.len() as u64);
    }
    fold.finish()
}

fn plans() -> Vec<(Kind, FoldPlan)> {
    let kinds = Kind::ALL.into_iter().map(|kind| (kind, FoldPlan::default()));
    let shapes = [Output::Json, Output::Jsonl].map(|output| {
        let text = Some("/result".to_owned());
        let error = Some("/error".to_owned());
        let command = CommandShape { output, text, error, ..CommandShape::default() };
        (Kind::Command, FoldPlan { command, ..FoldPlan::default() })
    });
    kinds.chain(shapes).collect()
}

pub fn run(rounds: u64, seed: u64) {
    let streams: Vec<Vec<u8>> = transcripts().iter().map(|name| transcript(name)).collect();
    let plans = plans();
    let mut dice = Dice(seed);
    for round in 0..rounds {
        let mut bytes = dice.of(&streams).clone();
        let other = dice.of(&streams);
        mutate(&mut dice, &mut bytes, other);
        let (kind, plan) = dice.of(&plans);
        let whole = fold(*kind, plan, &[&bytes]);
        let at = dice.below(bytes.len());
        let split = fold(*kind, plan, &[&bytes[..at], &bytes[at..]]);
        assert_eq!(split, whole, "round {round} of seed {seed}");
        assert!(whole.text.len() <= TEXT_BYTES_MAX && whole.files.len() <= FILES_CLAIMED_MAX);
        assert!(whole.notes.len() <= 100 && whole.denied.len() <= 100);
        let _ = structured::extract(&whole.text, "{\"type\":\"object\"}").unwrap();
    }
}

#[test]
fn mutated_streams_are_read_without_harm() {
    run(asked("LOOPWRIGHT_STREAM_ROUNDS", ROUNDS), asked("LOOPWRIGHT_STREAM_SEED", SEED));
}
