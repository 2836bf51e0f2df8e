//! What only the journal on a disk promises: its lock, its head file, its readers, its death.

#![expect(clippy::unwrap_used, reason = "a step that fails ends the test")]

#[path = "support/kit.rs"]
mod support;

use loopwright_journal::{Damage, Fault, Journal, Owner, Repaired, Sqlite, repair_head};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use support::{
    FILES, batch, both, content, freeze, keyed, listing, open, owner, snapshot_of, tamper,
};
use tempfile::tempdir;

fn fault<T>(outcome: Result<T, Fault>) -> Fault {
    outcome.err().expect("it is refused")
}

/// A store may be made in one thread and used in another, one at a time.
#[test]
fn stores_can_be_handed_to_a_thread() {
    fn send<T: Send>() {}
    send::<Sqlite>();
    send::<loopwright_journal::Reader>();
    send::<loopwright_journal::Memory>();
}

#[test]
fn a_second_writer_is_told_who_holds_the_journal() {
    let dir = tempdir().unwrap();
    let first = Owner { pid: 4_711, version: "1.2.3".to_owned(), since_ms: 99 };
    let held = Sqlite::open(dir.path(), &first).unwrap();
    let refused = fault(Sqlite::open(dir.path(), &owner()));
    assert_eq!(refused, Fault::Locked { owner: Some(first) });
    let refused = fault(repair_head(dir.path(), &owner()));
    assert_eq!(refused.kind(), "locked");
    drop(held);
    assert_eq!(open(dir.path()).epoch(), 2);
}

#[test]
fn the_files_are_for_their_owner_only() {
    let outer = tempdir().unwrap();
    let dir = outer.path().join("deep/journal");
    let mut journal = open(&dir);
    journal.append(&batch("a", 0, 1)).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir), 0o700);
    for name in ["journal.db", "journal.db-wal", "journal.db-shm", "head", "engine.lock"] {
        assert_eq!(mode(&dir.join(name)), 0o600, "{name}");
    }
    drop(journal);
    let left: Vec<_> = listing(&dir).into_iter().map(|(path, _)| path).collect();
    assert_eq!(left, ["engine.lock", "head", "journal.db"].map(|name| dir.join(name)));
}

#[test]
fn a_head_behind_the_journal_is_normal() {
    let dir = tempdir().unwrap();
    let mut journal = open(dir.path());
    journal.append(&batch("a", 0, 2)).unwrap();
    let old = fs::read(dir.path().join("head")).unwrap();
    journal.append(&batch("a", 2, 2)).unwrap();
    let before = content(&journal).unwrap();
    let killed = tempdir().unwrap();
    freeze(dir.path(), killed.path());
    fs::write(killed.path().join("head"), old).unwrap();
    assert_eq!(content(&Sqlite::open_reader(killed.path()).unwrap()).unwrap(), before);
    assert_eq!(content(&open(killed.path())).unwrap(), before);
}

#[test]
fn a_head_of_another_journal_is_noticed() {
    let (one, other) = (tempdir().unwrap(), tempdir().unwrap());
    open(one.path()).append(&batch("a", 0, 3)).unwrap();
    open(other.path()).append(&batch("b", 0, 2)).unwrap();
    fs::copy(other.path().join("head"), one.path().join("head")).unwrap();
    assert_eq!(fault(Sqlite::open(one.path(), &owner())), Fault::HashMismatch { pos: 2 });
    assert_eq!(fault(Sqlite::open_reader(one.path())), Fault::HashMismatch { pos: 2 });
}

/// A log that lost its tail, in files a killed writer left.
#[test]
fn a_shorter_journal_stops_and_stays_as_it_was_found() {
    let (dir, killed) = (tempdir().unwrap(), tempdir().unwrap());
    let mut journal = open(dir.path());
    journal.append(&batch("a", 0, 2)).unwrap();
    let log = fs::metadata(dir.path().join("journal.db-wal")).unwrap().len();
    journal.append(&batch("a", 2, 3)).unwrap();
    let before = content(&journal).unwrap();
    freeze(dir.path(), killed.path());
    let path = killed.path().join("journal.db-wal");
    let whole = fs::read(&path).unwrap();
    let mut hurt = whole.clone();
    hurt[usize::try_from(log).unwrap() + 100] ^= 4;
    fs::write(&path, &hurt).unwrap();
    let shorter =
        Fault::ShorterThanHead { head_pos: 5, head_epoch: 1, journal_pos: 2, journal_epoch: 1 };
    assert_eq!(fault(Sqlite::open(killed.path(), &owner())), shorter);
    assert_eq!(fault(Sqlite::open_reader(killed.path())), shorter);
    assert_eq!(fs::read(&path).unwrap(), hurt, "the evidence is untouched");
    fs::write(&path, whole).unwrap();
    assert_eq!(content(&open(killed.path())).unwrap(), before);
}

#[test]
fn a_person_can_go_on_with_a_shorter_journal() {
    let (dir, killed) = (tempdir().unwrap(), tempdir().unwrap());
    let mut journal = open(dir.path());
    journal.append(&batch("a", 0, 2)).unwrap();
    freeze(dir.path(), killed.path());
    journal.append(&batch("a", 2, 3)).unwrap();
    fs::copy(dir.path().join("head"), killed.path().join("head")).unwrap();
    assert_eq!(fault(Sqlite::open(killed.path(), &owner())).kind(), "shorter_than_head");
    let done = repair_head(killed.path(), &owner()).unwrap();
    assert_eq!(done, Repaired { was_pos: Some(5), now_pos: 2 });
    assert_eq!(open(killed.path()).append(&batch("a", 2, 1)), Ok(3));
}

#[test]
fn a_missing_head_is_damage_unless_there_are_no_records() {
    let dir = tempdir().unwrap();
    drop(open(dir.path()));
    fs::remove_file(dir.path().join("head")).unwrap();
    drop(Sqlite::open_reader(dir.path()).unwrap());
    open(dir.path()).append(&batch("a", 0, 1)).unwrap();
    fs::remove_file(dir.path().join("head")).unwrap();
    let missing = Fault::Damaged(Damage::HeadMissing);
    assert_eq!(fault(Sqlite::open(dir.path(), &owner())), missing);
    assert_eq!(fault(Sqlite::open_reader(dir.path())), missing);
    let done = repair_head(dir.path(), &owner()).unwrap();
    assert_eq!(done, Repaired { was_pos: None, now_pos: 1 });
    assert_eq!(open(dir.path()).heads().unwrap().len(), 1);
}

#[test]
fn repair_refuses_a_journal_with_a_wrong_record() {
    let dir = tempdir().unwrap();
    open(dir.path()).append(&batch("a", 0, 5)).unwrap();
    tamper(dir.path(), "UPDATE records SET body = '{}' WHERE pos = 2");
    fs::remove_file(dir.path().join("head")).unwrap();
    let refused = fault(repair_head(dir.path(), &owner()));
    assert_eq!(refused, Fault::HashMismatch { pos: 2 });
    assert!(!dir.path().join("head").exists());
}

#[test]
fn a_lost_main_file_is_not_taken_for_a_new_journal() {
    let (dir, killed) = (tempdir().unwrap(), tempdir().unwrap());
    let mut journal = open(dir.path());
    journal.append(&batch("a", 0, 2)).unwrap();
    freeze(dir.path(), killed.path());
    fs::remove_file(killed.path().join("journal.db")).unwrap();
    for _ in 0..2 {
        assert_eq!(fault(Sqlite::open(killed.path(), &owner())).kind(), "shorter_than_head");
        assert_eq!(fault(Sqlite::open_reader(killed.path())).kind(), "shorter_than_head");
    }
    fs::remove_file(killed.path().join("head")).unwrap();
    let missing = Fault::Damaged(Damage::JournalMissing);
    assert_eq!(fault(Sqlite::open(killed.path(), &owner())), missing);
    assert_eq!(fault(Sqlite::open_reader(killed.path())), missing);
    fs::write(killed.path().join("journal.db"), "").unwrap();
    assert_eq!(fault(Sqlite::open(killed.path(), &owner())).kind(), "damaged");
}

#[test]
fn a_newer_format_is_refused_and_left_alone() {
    let dir = tempdir().unwrap();
    open(dir.path()).append(&batch("a", 0, 2)).unwrap();
    tamper(dir.path(), "PRAGMA user_version = 3; CREATE TABLE novelty (x)");
    let before = listing(dir.path());
    let newer = Fault::NewerFormat { found: 3, known: 2 };
    assert_eq!(fault(Sqlite::open_reader(dir.path())), newer);
    assert_eq!(listing(dir.path()), before);
    assert_eq!(fault(Sqlite::open(dir.path(), &owner())), newer);
    let data = |(path, _): &(std::path::PathBuf, Vec<u8>)| !path.ends_with("engine.lock");
    assert!(listing(dir.path()).iter().filter(|f| data(f)).eq(before.iter().filter(|f| data(f))));
}

#[test]
fn what_was_changed_behind_our_back_is_named() {
    let table = [
        ("UPDATE records SET body = '{}' WHERE pos = 3", "hash_mismatch"),
        ("UPDATE records SET \"by\" = 'person:bob' WHERE pos = 1", "hash_mismatch"),
        ("UPDATE records SET at_ms = at_ms + 1 WHERE pos = 6", "hash_mismatch"),
        ("UPDATE records SET note = NULL WHERE pos = 5", "hash_mismatch"),
        ("UPDATE records SET note = '' WHERE pos = 1", "hash_mismatch"),
        ("DELETE FROM records WHERE pos = 6", "damaged"),
        ("DELETE FROM records WHERE pos = 3", "damaged"),
        ("DELETE FROM records", "damaged"),
        (
            "INSERT INTO records SELECT 7, run, 4, 5, at_ms, \"by\", trace, kind, body, hash,
          note FROM records WHERE pos = 6",
            "hash_mismatch",
        ),
        ("UPDATE heads SET status = 'DONE', ended = 1 WHERE id = 1", "damaged"),
        ("UPDATE heads SET \"key\" = NULL WHERE id = 2", "damaged"),
        ("DELETE FROM heads WHERE id = 2", "damaged"),
        (
            "INSERT INTO heads SELECT 3, 'x', machine, parent, NULL, seq, pos, status, ended,
          created_ms, updated_ms, chk FROM heads WHERE id = 1",
            "damaged",
        ),
        ("UPDATE meta SET epoch = 9", "damaged"),
        ("UPDATE meta SET last_pos = 5", "damaged"),
        ("DELETE FROM meta", "damaged"),
        ("PRAGMA application_id = 1", "damaged"),
        ("PRAGMA user_version = 0", "damaged"),
        ("PRAGMA user_version = 1", "damaged"),
        ("CREATE INDEX extra ON records (run)", "damaged"),
        ("DROP TABLE snapshots", "damaged"),
    ];
    for (sql, expected) in table {
        let dir = tempdir().unwrap();
        let mut journal = open(dir.path());
        journal.append(&both(batch("a", 0, 4), keyed("b", "k"))).unwrap();
        journal.append(&batch("a", 4, 1)).unwrap();
        let before = content(&journal).unwrap();
        drop(journal);
        tamper(dir.path(), sql);
        let outcomes = [
            Sqlite::open_reader(dir.path()).and_then(|journal| content(&journal)),
            Sqlite::open(dir.path(), &owner()).and_then(|journal| content(&journal)),
        ];
        for outcome in outcomes {
            let word = match outcome {
                Ok(found) => {
                    if found == before {
                        "same"
                    } else {
                        "other"
                    }
                }
                Err(fault) => fault.kind(),
            };
            assert_eq!(word, expected, "{sql}");
        }
    }
}

#[test]
fn a_reader_leaves_no_trace_at_rest() {
    let dir = tempdir().unwrap();
    let absent = fault(Sqlite::open_reader(&dir.path().join("nowhere")));
    assert_eq!(absent.kind(), "absent");
    assert_eq!(fault(Sqlite::open_reader(dir.path())).kind(), "absent");
    assert!(listing(dir.path()).is_empty());
    open(dir.path()).append(&batch("a", 0, 2)).unwrap();
    let before = listing(dir.path());
    let mut reader = Sqlite::open_reader(dir.path()).unwrap();
    assert_eq!(content(&reader).unwrap().records.len(), 2);
    assert_eq!(reader.append(&batch("a", 2, 1)), Err(Fault::ReadOnly));
    assert_eq!(reader.save_snapshots(&[]), Err(Fault::ReadOnly));
    drop(reader);
    assert_eq!(listing(dir.path()), before);
}

#[test]
fn a_reader_follows_writers_that_come_and_go() {
    let dir = tempdir().unwrap();
    open(dir.path()).append(&batch("a", 0, 1)).unwrap();
    let reader = Sqlite::open_reader(dir.path()).unwrap();
    let seqs = || (reader.read_run("a", 0).unwrap().len(), reader.read_from(0, 99).unwrap().len());
    assert_eq!((seqs(), reader.epoch()), ((1, 1), 1));
    for seq in 1..6 {
        let mut writer = open(dir.path());
        writer.append(&batch("a", seq, 1)).unwrap();
        let now = usize::try_from(seq).unwrap() + 1;
        assert_eq!(seqs(), (now, now), "beside the writer");
        let kept = snapshot_of(&writer, "a", "state");
        writer.save_snapshots(&[kept]).unwrap();
        drop(writer);
        assert_eq!(seqs(), (now, now), "after the writer");
        assert!(reader.snapshot("a").unwrap().is_some(), "saved when it was closed");
        assert_eq!(reader.stats().unwrap().last_pos, seq + 1);
    }
}

#[test]
fn a_reader_sees_whole_batches_beside_a_busy_writer() {
    let dir = tempdir().unwrap();
    let mut writer = open(dir.path());
    writer.append(&both(batch("a", 0, 1), batch("b", 0, 2))).unwrap();
    let path = dir.path().to_owned();
    let looking = std::thread::spawn(move || {
        let reader = Sqlite::open_reader(&path).unwrap();
        let mut seen = 0;
        while seen < 300 {
            let heads = reader.heads().unwrap();
            assert_eq!(heads[0].seq * 2, heads[1].seq, "half a batch");
            let records = reader.read_from(0, usize::MAX).unwrap();
            assert_eq!(records.len() % 3, 0, "half a batch");
            seen = records.len();
        }
        Sqlite::open_reader(&path).unwrap().verify().unwrap();
    });
    for seq in 1..100 {
        writer.append(&both(batch("a", seq, 1), batch("b", seq * 2, 2))).unwrap();
    }
    looking.join().unwrap();
}

/// The variable by which the test below tells its child where to write.
const CHILD_DIR: &str = "LOOPWRIGHT_TEST_JOURNAL_CHILD";

/// Not a test by itself: the writer that `a_killed_writer_loses_nothing` kills.
#[test]
fn child_that_writes_until_it_is_killed() {
    let Ok(dir) = std::env::var(CHILD_DIR) else { return };
    let mut journal = open(Path::new(&dir));
    let mut seq = journal.head("a").unwrap().map_or(0, |head| head.seq);
    loop {
        let pos = journal.append(&batch("a", seq, 3)).unwrap();
        seq += 3;
        println!("acknowledged {pos}");
    }
}

#[test]
fn a_killed_writer_loses_nothing() {
    let dir = tempdir().unwrap();
    for round in 1..=5 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_that_writes_until_it_is_killed", "--nocapture"])
            .env(CHILD_DIR, dir.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut said = lines
            .map_while(Result::ok)
            .filter_map(|line| line.split_once("acknowledged ")?.1.parse::<u64>().ok());
        let heard = said.nth(round * 7).expect("the child writes");
        child.kill().unwrap();
        child.wait().unwrap();
        let acknowledged = said.last().unwrap_or(heard);
        let before = content(&Sqlite::open_reader(dir.path()).unwrap()).unwrap();
        assert!(before.verified.last_pos >= acknowledged);
        assert_eq!(before.verified.last_pos % 3, 0, "half a batch");
        let again = tempdir().unwrap();
        freeze(dir.path(), again.path());
        assert_eq!(content(&open(again.path())).unwrap(), before, "without shared memory");
        assert_eq!(open(dir.path()).epoch(), round as u64 * 2);
        assert!(FILES.iter().any(|name| dir.path().join(name).exists()));
    }
}
