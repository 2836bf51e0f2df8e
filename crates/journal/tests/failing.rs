//! Appends that fail: what the caller is told, that nothing is tried again, and what is found
//! when the journal is opened anew.

#![expect(clippy::unwrap_used, reason = "a step that fails ends the test")]

#[path = "support/kit.rs"]
mod support;

use loopwright_journal::{Disk, Failure, Fault, Journal, Memory};
use support::{batch, content};

#[test]
fn a_failed_append_spends_the_store_and_leaves_all_or_nothing() {
    let table = [
        (Failure::SyncLost, "sync_failed", 2),
        (Failure::SyncKept, "sync_failed", 4),
        (Failure::NoSpace, "no_space", 2),
    ];
    for (failure, kind, found) in table {
        let disk = Disk::new();
        let mut journal = Memory::open(&disk);
        journal.append(&batch("a", 0, 1)).unwrap();
        disk.fail_append(2, failure);
        journal.append(&batch("a", 1, 1)).unwrap();
        let spare = disk.fork();
        let fault = journal.append(&batch("a", 2, 2)).unwrap_err();
        assert_eq!(fault.kind(), kind);
        for _ in 0..2 {
            assert_eq!(journal.append(&batch("b", 0, 1)), Err(fault.clone()), "never tried again");
        }
        assert_eq!(journal.save_snapshots(&[]), Err(fault));
        assert_eq!(disk.appends(), 3, "the spent store does not reach the disk");
        let again = Memory::open(&disk);
        assert_eq!(content(&again).unwrap().records.len(), found, "{failure:?}");
        let mut forked = Memory::open(&spare);
        assert_eq!(forked.append(&batch("a", 2, 2)), Ok(4), "a fork has no failures ahead");
    }
}

#[test]
fn kinds_are_the_documented_words() {
    let text = String::new;
    let table = [
        (Fault::SyncFailed { detail: text() }, "sync_failed"),
        (Fault::HashMismatch { pos: 1 }, "hash_mismatch"),
        (Fault::Locked { owner: None }, "locked"),
        (Fault::NoSpace { detail: text() }, "no_space"),
        (Fault::NewerFormat { found: 2, known: 1 }, "newer_format"),
        (Fault::EpochLost { ours: 1, found: 2 }, "epoch_lost"),
        (Fault::ReadOnly, "read_only"),
    ];
    for (fault, kind) in table {
        assert_eq!(fault.kind(), kind);
        assert!(!fault.refuses_batch());
    }
}
