//! What the journal's tests share: batches written in one line, both stores behind one face, and
//! everything a journal can be asked, gathered for comparison. No test is here.

#![expect(dead_code, reason = "each test file takes the part it needs")]

use loopwright_journal::{
    Batch, Disk, Entry, Fault, Head, Journal, Memory, Owner, Record, RunNote, Snapshot, Sqlite,
    Verified,
};
use std::path::{Path, PathBuf};

/// The owner all tests write as.
pub fn owner() -> Owner {
    Owner { pid: std::process::id(), version: "0.0.0-test".to_owned(), since_ms: 1 }
}

/// Opens for writing, expecting success.
pub fn open(dir: &Path) -> Sqlite {
    Sqlite::open(dir, &owner()).expect("the journal opens")
}

/// One fact.
pub fn entry(run: &str, at_ms: u64, body: &str) -> Entry {
    Entry {
        run: run.to_owned(),
        at_ms,
        by: "person:ann".to_owned(),
        trace: format!("t-{at_ms}"),
        kind: "Happened".to_owned(),
        body: body.to_owned(),
    }
}

/// One note, without parent or key.
pub fn note(run: &str, expected_seq: u64) -> RunNote {
    RunNote {
        run: run.to_owned(),
        machine: "turn".to_owned(),
        expected_seq,
        status: format!("AT_{expected_seq}"),
        ended: false,
        parent: None,
        key: None,
    }
}

/// `count` facts of one run.
pub fn batch(run: &str, expected_seq: u64, count: u64) -> Batch {
    let fact = |n| entry(run, 1_000 + n, &format!(r#"{{"n":{n},"of":"{run}"}}"#));
    let entries = (expected_seq + 1..=expected_seq + count).map(fact).collect();
    Batch { entries, notes: vec![note(run, expected_seq)] }
}

/// A new run under a key.
pub fn keyed(run: &str, key: &str) -> Batch {
    let mut batch = batch(run, 0, 1);
    batch.notes[0].key = Some(key.to_owned());
    batch.notes[0].parent = Some("parent".to_owned());
    batch
}

/// Two batches as one.
pub fn both(mut one: Batch, other: Batch) -> Batch {
    one.entries.extend(other.entries);
    one.notes.extend(other.notes);
    one
}

/// A snapshot that fits the run as it is.
pub fn snapshot_of(journal: &dyn Journal, run: &str, state: &str) -> Snapshot {
    let last = journal.read_run(run, 0).unwrap().pop().expect("the run has records");
    Snapshot {
        run: run.to_owned(),
        seq: last.seq,
        pos: last.pos,
        chain: last.hash,
        fingerprint: "shape-1".to_owned(),
        state: state.to_owned(),
    }
}

/// A place where a journal survives its writer.
pub enum Shelf {
    Disk(tempfile::TempDir),
    Memory(Disk),
}

impl Shelf {
    pub fn all() -> [(&'static str, Self); 2] {
        [
            ("sqlite", Self::Disk(tempfile::tempdir().unwrap())),
            ("memory", Self::Memory(Disk::new())),
        ]
    }

    pub fn open(&self) -> Box<dyn Journal> {
        match self {
            Self::Disk(dir) => Box::new(open(dir.path())),
            Self::Memory(disk) => Box::new(Memory::open(disk)),
        }
    }

    /// Opens a second writer while the first lives: on disk, after somebody removed the lock.
    pub fn usurp(&self) -> Box<dyn Journal> {
        if let Self::Disk(dir) = self {
            std::fs::remove_file(dir.path().join("engine.lock")).unwrap();
        }
        self.open()
    }
}

/// Everything that can be asked of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    pub heads: Vec<Head>,
    pub records: Vec<Record>,
    pub runs: Vec<Vec<Record>>,
    pub verified: Verified,
}

/// Asks everything; the first fault ends it.
pub fn content(journal: &dyn Journal) -> Result<Content, Fault> {
    let heads = journal.heads()?;
    let mut runs = Vec::new();
    for head in &heads {
        runs.push(journal.read_run(&head.run, 0)?);
        assert_eq!(journal.head(&head.run)?.as_ref(), Some(head));
        if let Some(key) = &head.key {
            assert_eq!(journal.find_key(key)?.as_ref(), Some(&head.run));
        }
    }
    let records = journal.read_from(0, usize::MAX)?;
    Ok(Content { heads, records, runs, verified: journal.verify()? })
}

/// The files of a journal that hold something, without the lock and SQLite's shared memory.
pub const FILES: [&str; 3] = ["journal.db", "journal.db-wal", "head"];

/// Copies the files of a journal, as a crash at this moment would leave them.
pub fn freeze(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for name in FILES {
        let (from, to) = (from.join(name), to.join(name));
        if from.exists() {
            std::fs::copy(from, to).unwrap();
        } else if to.exists() {
            std::fs::remove_file(to).unwrap();
        }
    }
    for name in ["journal.db-shm", "engine.lock"] {
        drop(std::fs::remove_file(to.join(name)));
    }
}

/// A number that the database itself holds, whatever the journal says.
pub fn stored(dir: &Path, sql: &str) -> i64 {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let conn = rusqlite::Connection::open_with_flags(dir.join("journal.db"), flags).unwrap();
    conn.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Changes the database behind the journal's back.
pub fn tamper(dir: &Path, sql: &str) {
    let conn = rusqlite::Connection::open(dir.join("journal.db")).unwrap();
    conn.execute_batch(sql).unwrap();
    conn.close().unwrap();
}

/// Names and bytes of everything in a directory.
pub fn listing(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|item| item.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    found.sort();
    found
}
