//! The runs' rows are stored behind the records: now and then, and when the writer is closed.
//! Whoever looks in between sees every run as it stands, or a named fault.

#![expect(clippy::unwrap_used, reason = "a step that fails ends the test")]

#[path = "support/kit.rs"]
mod support;

use loopwright_journal::{Batch, Fault, Journal, Sqlite};
use std::path::Path;
use support::{batch, both, content, entry, freeze, keyed, note, open, owner, stored, tamper};
use tempfile::tempdir;

/// Records of a batch below: a few of them fill the time between two settlings.
const MANY: u64 = 300;

/// More records than are ever left behind a settling, with so few runs and such batches.
const BEHIND_MAX: u64 = 1_700;

fn settled_pos(dir: &Path) -> u64 {
    u64::try_from(stored(dir, "SELECT last_pos FROM meta")).unwrap()
}

/// Many facts of one run, and one of a new one that ends.
fn round(number: u64) -> Batch {
    let long = (0..MANY - 1).map(|n| entry("long", number * MANY + n, "{}")).collect();
    let long = Batch { entries: long, notes: vec![note("long", number * (MANY - 1))] };
    let mut short = keyed(&format!("short-{number}"), &format!("key/{number}"));
    short.notes[0].ended = true;
    both(long, short)
}

#[test]
fn rows_are_stored_now_and_then_and_when_closed() {
    let dir = tempdir().unwrap();
    let mut journal = open(dir.path());
    let mut settlings = Vec::new();
    for number in 0..20 {
        let last = journal.append(&round(number)).unwrap();
        let settled = settled_pos(dir.path());
        assert!(last - settled <= BEHIND_MAX, "{settled} of {last}");
        assert_eq!(settled % MANY, 0, "half a batch");
        settlings.push(settled);
    }
    settlings.dedup();
    assert!((3..10).contains(&settlings.len()), "now and then: {settlings:?}");
    let before = content(&journal).unwrap();
    drop(journal);
    assert_eq!(settled_pos(dir.path()), 20 * MANY);
    assert_eq!(stored(dir.path(), "SELECT count(*) FROM heads"), 21);
    assert_eq!(content(&Sqlite::open_reader(dir.path()).unwrap()), Ok(before));
}

/// Each row is stored for a part of its records only.
#[test]
fn rows_of_many_runs_are_stored_less_often() {
    let dir = tempdir().unwrap();
    let mut journal = open(dir.path());
    let round = |seq| {
        let runs = (0..1_000).map(|run| format!("run-{run}"));
        runs.fold(Batch::default(), |all, run| both(all, batch(&run, seq, 1)))
    };
    for seq in 0..8 {
        journal.append(&round(seq)).unwrap();
        assert_eq!(settled_pos(dir.path()), 0);
    }
    journal.append(&round(8)).unwrap();
    assert_eq!(settled_pos(dir.path()), 8_000);
    let heads = journal.heads();
    assert_eq!(Sqlite::open_reader(dir.path()).unwrap().heads(), heads);
}

#[test]
fn invariant_everyone_sees_the_runs_as_they_stand() {
    let dir = tempdir().unwrap();
    let mut journal = open(dir.path());
    journal.append(&batch("first", 0, 1)).unwrap();
    let (often, seldom) = (Sqlite::open_reader(dir.path()), Sqlite::open_reader(dir.path()));
    let (often, seldom) = (often.unwrap(), seldom.unwrap());
    for number in 0..12 {
        journal.append(&round(number)).unwrap();
        if number == 9 {
            drop(journal);
            journal = open(dir.path());
        }
        let heads = journal.heads().unwrap();
        assert_eq!(often.heads(), Ok(heads.clone()), "a reader that follows");
        assert_eq!(often.epoch(), journal.epoch());
        let killed = tempdir().unwrap();
        freeze(dir.path(), killed.path());
        assert_eq!(Sqlite::open_reader(killed.path()).unwrap().heads(), Ok(heads.clone()));
        assert_eq!(open(killed.path()).heads(), Ok(heads), "a writer after a killed one");
    }
    let before = content(&journal).unwrap();
    assert_eq!(content(&seldom), Ok(before.clone()), "a reader that was overtaken");
    assert_eq!(content(&often), Ok(before));
}

/// A writer that starts after a killed one stores what that one left behind.
#[test]
fn a_new_writer_stores_what_was_left() {
    let (dir, killed) = (tempdir().unwrap(), tempdir().unwrap());
    let mut journal = open(dir.path());
    journal.append(&both(batch("a", 0, 2), keyed("b", "k"))).unwrap();
    freeze(dir.path(), killed.path());
    assert_eq!(settled_pos(killed.path()), 0);
    let next = open(killed.path());
    assert_eq!((settled_pos(killed.path()), next.epoch()), (3, 2));
    assert_eq!(content(&next), content(&journal));
}

#[test]
fn a_writer_that_was_overtaken_stores_no_rows() {
    let dir = tempdir().unwrap();
    let mut old = open(dir.path());
    old.append(&batch("a", 0, 1)).unwrap();
    std::fs::remove_file(dir.path().join("engine.lock")).unwrap();
    let mut new = open(dir.path());
    new.append(&batch("a", 1, 2)).unwrap();
    let before = content(&new).unwrap();
    drop(old);
    assert_eq!(settled_pos(dir.path()), 1, "as the new one began");
    assert_eq!(content(&new), Ok(before.clone()));
    drop(new);
    assert_eq!(content(&open(dir.path())), Ok(before));
}

#[test]
fn what_was_changed_behind_the_rows_is_named() {
    let table = [
        ("UPDATE records SET body = '{}' WHERE pos = 7", "hash_mismatch"),
        ("UPDATE records SET note = NULL WHERE pos = 8", "hash_mismatch"),
        ("UPDATE records SET note = NULL WHERE pos = 9", "hash_mismatch"),
        ("UPDATE records SET note = '{}' WHERE pos = 7", "hash_mismatch"),
        ("DELETE FROM records WHERE pos = 6", "damaged"),
        ("DELETE FROM records WHERE pos = 7", "damaged"),
        ("DELETE FROM records WHERE pos = 9", "shorter_than_head"),
        ("DELETE FROM records WHERE pos > 5", "shorter_than_head"),
        ("DELETE FROM records WHERE pos > 4", "damaged"),
        (
            "UPDATE records SET pos = 99 WHERE pos = 6; UPDATE records SET pos = 6 WHERE pos = 7;
          UPDATE records SET pos = 7 WHERE pos = 99",
            "hash_mismatch",
        ),
        (
            "INSERT INTO records SELECT 10, run, 6, 9, at_ms, \"by\", trace, kind, body, hash, NULL
          FROM records WHERE pos = 6",
            "hash_mismatch",
        ),
        ("UPDATE heads SET status = 'DONE', ended = 1 WHERE id = 1", "damaged"),
        ("DELETE FROM heads WHERE id = 2", "damaged"),
        ("UPDATE meta SET last_pos = 9", "damaged"),
        ("UPDATE meta SET last_pos = 0", "damaged"),
    ];
    for (sql, expected) in table {
        let (dir, killed) = (tempdir().unwrap(), tempdir().unwrap());
        open(dir.path()).append(&both(batch("a", 0, 4), keyed("b", "k"))).unwrap();
        let mut journal = open(dir.path());
        journal.append(&both(batch("a", 4, 1), batch("c", 0, 2))).unwrap();
        journal.append(&batch("b", 1, 1)).unwrap();
        freeze(dir.path(), killed.path());
        assert_eq!(settled_pos(killed.path()), 5);
        tamper(killed.path(), sql);
        let outcomes = [
            Sqlite::open_reader(killed.path()).and_then(|journal| content(&journal)),
            Sqlite::open(killed.path(), &owner()).and_then(|journal| content(&journal)),
        ];
        for outcome in outcomes {
            assert_eq!(outcome.err().as_ref().map(Fault::kind), Some(expected), "{sql}");
        }
    }
}
