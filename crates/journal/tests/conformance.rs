//! What every store promises, as scenarios that run on each of them. What only a disk can do is
//! tested in `disk.rs` and `damage.rs`.

#![expect(clippy::unwrap_used, reason = "a step that fails ends the test")]

#[path = "support/kit.rs"]
mod support;

use loopwright_journal::{Batch, Entry, Fault, Misuse, RunNote, Snapshot};
use support::{Shelf, batch, both, content, entry, keyed, note, snapshot_of};

/// Runs a scenario on a fresh journal of each kind.
fn on_each(scenario: impl Fn(&Shelf)) {
    for (name, shelf) in Shelf::all() {
        eprintln!("on {name}");
        scenario(&shelf);
    }
}

#[test]
fn a_batch_gets_positions_in_order_and_sequences_by_run() {
    on_each(|shelf| {
        let mut journal = shelf.open();
        assert_eq!(journal.append(&batch("a", 0, 2)), Ok(2));
        assert_eq!(journal.append(&both(batch("b", 0, 1), batch("a", 2, 2))), Ok(5));
        let places: Vec<_> = journal
            .read_from(0, 10)
            .unwrap()
            .into_iter()
            .map(|record| (record.pos, record.run, record.seq, record.prev_pos))
            .collect();
        let expected =
            [(1, "a", 1, 0), (2, "a", 2, 1), (3, "b", 1, 0), (4, "a", 3, 2), (5, "a", 4, 4)];
        let expected = expected.map(|(pos, run, seq, prev)| (pos, run.to_owned(), seq, prev));
        assert_eq!(places, expected);
    });
}

#[test]
fn a_head_says_where_a_run_stands() {
    on_each(|shelf| {
        let mut journal = shelf.open();
        journal.append(&keyed("a", "k/1")).unwrap();
        let mut more = batch("a", 1, 2);
        more.notes[0].status = "DONE".to_owned();
        more.notes[0].ended = true;
        journal.append(&more).unwrap();
        let head = journal.head("a").unwrap().expect("it exists");
        assert_eq!((head.seq, head.pos, head.status.as_str(), head.ended), (3, 3, "DONE", true));
        assert_eq!((head.created_ms, head.updated_ms), (1_001, 1_003));
        assert_eq!((head.parent.as_deref(), head.key.as_deref()), (Some("parent"), Some("k/1")));
        assert_eq!(journal.heads().unwrap(), [head]);
        assert_eq!(journal.head("b"), Ok(None));
        let stats = journal.stats().unwrap();
        assert_eq!((stats.records, stats.runs, stats.live_runs), (3, 1, 0));
        assert_eq!((stats.last_pos, stats.epoch), (3, 1));
    });
}

#[test]
fn everything_survives_the_writer() {
    on_each(|shelf| {
        let mut journal = shelf.open();
        journal.append(&both(keyed("a", "k/1"), batch("b", 0, 3))).unwrap();
        journal.append(&batch("a", 1, 2)).unwrap();
        let before = content(&*journal).unwrap();
        assert_eq!(journal.epoch(), 1);
        drop(journal);
        let journal = shelf.open();
        assert_eq!(journal.epoch(), 2);
        assert_eq!(content(&*journal), Ok(before));
    });
}

#[test]
fn a_refused_batch_leaves_no_trace() {
    type Row = (&'static str, Batch, Fault);
    let seq =
        |run: &str, expected, found| Fault::SeqMismatch { run: run.to_owned(), expected, found };
    let key = |key: &str, run: &str| Fault::KeyReused { key: key.to_owned(), run: run.to_owned() };
    let bad = |run: &str, why| Fault::BadBatch { run: run.to_owned(), why };
    let with = |change: fn(&mut Entry, &mut RunNote)| {
        let mut batch = batch("a", 2, 1);
        change(&mut batch.entries[0], &mut batch.notes[0]);
        batch
    };
    let alone = |entries, notes| Batch { entries, notes };
    let table: [Row; 17] = [
        ("stale", batch("a", 1, 1), seq("a", 1, 2)),
        ("ahead", batch("a", 3, 1), seq("a", 3, 2)),
        ("exists", batch("a", 0, 1), seq("a", 0, 2)),
        ("unknown", batch("z", 4, 1), seq("z", 4, 0)),
        ("one of two stale", both(batch("c", 0, 1), batch("a", 1, 1)), seq("a", 1, 2)),
        ("key of an ended run", keyed("c", "k/1"), key("k/1", "b")),
        ("key twice in one batch", both(keyed("c", "k"), keyed("d", "k")), key("k", "c")),
        ("no note", alone(vec![entry("a", 1, "1")], vec![]), bad("a", Misuse::NoNote)),
        ("no entry", alone(vec![], vec![note("a", 2)]), bad("a", Misuse::NoEntry)),
        ("two notes", both(batch("a", 2, 1), batch("a", 2, 1)), bad("a", Misuse::TwoNotes)),
        ("two notes, new", both(batch("c", 0, 1), batch("c", 0, 1)), bad("c", Misuse::TwoNotes)),
        ("no name", batch("", 0, 1), bad("", Misuse::NoName)),
        ("other machine", with(|_, n| n.machine = "loop".into()), bad("a", Misuse::Changed)),
        ("late key", with(|_, n| n.key = Some("k/2".into())), bad("a", Misuse::Changed)),
        ("late time", with(|e, _| e.at_ms = u64::MAX), bad("a", Misuse::TooLarge)),
        ("not json", with(|e, _| e.body = "{".into()), bad("a", Misuse::BodyNotJson)),
        ("two lines", with(|e, _| e.body = "[1,\n2]".into()), bad("a", Misuse::BodyNotJson)),
    ];
    on_each(|shelf| {
        let mut journal = shelf.open();
        let mut ended = keyed("b", "k/1");
        ended.notes[0].ended = true;
        journal.append(&both(batch("a", 0, 2), ended)).unwrap();
        let before = content(&*journal).unwrap();
        for (name, batch, fault) in &table {
            assert_eq!(journal.append(batch).as_ref(), Err(fault), "{name}");
            assert!(fault.refuses_batch());
            assert_eq!(content(&*journal).as_ref(), Ok(&before), "{name}");
        }
        assert_eq!(journal.append(&batch("a", 2, 1)), Ok(4), "the store is as good as before");
    });
}

#[test]
fn an_empty_batch_answers_the_last_position() {
    on_each(|shelf| {
        let mut journal = shelf.open();
        assert_eq!(journal.append(&Batch::default()), Ok(0));
        journal.append(&batch("a", 0, 3)).unwrap();
        assert_eq!(journal.append(&Batch::default()), Ok(3));
    });
}

#[test]
fn a_key_names_its_run_for_ever() {
    on_each(|shelf| {
        let mut journal = shelf.open();
        assert_eq!(journal.find_key("k/1"), Ok(None));
        let mut ended = keyed("a", "k/1");
        ended.notes[0].ended = true;
        journal.append(&ended).unwrap();
        drop(journal);
        let mut journal = shelf.open();
        assert_eq!(journal.find_key("k/1"), Ok(Some("a".to_owned())));
        let again = journal.append(&keyed("b", "k/1"));
        assert_eq!(again, Err(Fault::KeyReused { key: "k/1".into(), run: "a".into() }));
        let mut repeated = batch("a", 1, 1);
        repeated.notes[0].key = Some("k/1".to_owned());
        assert_eq!(journal.append(&repeated), Ok(2), "a note may repeat what is fixed");
    });
}

#[test]
fn a_writer_that_was_overtaken_is_fenced() {
    on_each(|shelf| {
        let mut old = shelf.open();
        old.append(&batch("a", 0, 1)).unwrap();
        let mut new = shelf.usurp();
        assert_eq!((old.epoch(), new.epoch()), (1, 2));
        let lost = Err(Fault::EpochLost { ours: 1, found: 2 });
        assert_eq!(old.append(&batch("a", 1, 1)), lost);
        assert_eq!(old.append(&batch("b", 0, 1)), lost, "and stays so");
        assert_eq!(new.append(&batch("a", 1, 1)), Ok(2));
        drop(old);
        assert_eq!(content(&*new).unwrap().records.len(), 2);
        drop(new);
        assert_eq!(content(&*shelf.open()).unwrap().records.len(), 2);
    });
}

#[test]
fn reading_starts_and_stops_where_it_is_told() {
    on_each(|shelf| {
        let mut journal = shelf.open();
        for round in 0..5 {
            journal.append(&both(batch("a", round, 1), batch("b", round * 2, 2))).unwrap();
        }
        let from = |after, limit| -> Vec<u64> {
            journal.read_from(after, limit).unwrap().iter().map(|record| record.pos).collect()
        };
        let run = |run, after| -> Vec<u64> {
            journal.read_run(run, after).unwrap().iter().map(|record| record.seq).collect()
        };
        assert_eq!(from(0, 3), [1, 2, 3]);
        assert_eq!(from(12, 100), [13, 14, 15]);
        assert_eq!((from(15, 9), from(99, 9), from(u64::MAX, 9)), (vec![], vec![], vec![]));
        assert_eq!(from(3, 0), [0; 0]);
        assert_eq!(run("a", 0), [1, 2, 3, 4, 5]);
        assert_eq!(run("b", 7), [8, 9, 10]);
        assert_eq!((run("a", 5), run("a", u64::MAX), run("z", 0)), (vec![], vec![], vec![]));
    });
}

#[test]
fn a_snapshot_is_a_cache() {
    on_each(|shelf| {
        let mut journal = shelf.open();
        journal.append(&both(batch("a", 0, 2), batch("b", 0, 2))).unwrap();
        assert_eq!(journal.snapshot("a"), Ok(None));
        let first = snapshot_of(&*journal, "a", "one");
        let others = snapshot_of(&*journal, "b", "two");
        journal.save_snapshots(&[first.clone(), others.clone()]).unwrap();
        assert_eq!(journal.snapshot("a"), Ok(Some(first.clone())), "at once");
        journal.append(&batch("a", 2, 1)).unwrap();
        drop(journal);
        let mut journal = shelf.open();
        assert_eq!(journal.snapshot("a"), Ok(Some(first.clone())), "after the next append");
        let wrong = [
            Snapshot { seq: 1, ..first.clone() },
            Snapshot { pos: 3, ..first.clone() },
            Snapshot { pos: 99, seq: 99, ..first.clone() },
            Snapshot { chain: [0; 32], ..first.clone() },
        ];
        for wrong in wrong {
            journal.save_snapshots(std::slice::from_ref(&wrong)).unwrap();
            assert_eq!(journal.snapshot("a"), Ok(None), "{wrong:?}");
        }
        let second = snapshot_of(&*journal, "a", "three");
        let nobody = Snapshot { run: "z".to_owned(), ..first };
        journal.save_snapshots(&[second.clone(), nobody]).unwrap();
        journal.append(&batch("b", 2, 1)).unwrap();
        assert_eq!(journal.snapshot("a"), Ok(Some(second)), "replaced");
        assert_eq!(journal.snapshot("b"), Ok(Some(others)), "kept");
        assert_eq!(journal.snapshot("z"), Ok(None));
    });
}

#[test]
fn any_text_comes_back_as_it_was() {
    let texts = ["", "日志", "a\u{0}b", "\u{1f980} '\"; DROP TABLE records", "\n\t\\"];
    on_each(|shelf| {
        let mut journal = shelf.open();
        let mut all = Batch::default();
        for (index, text) in texts.iter().enumerate() {
            let run = format!("r{index}{text}");
            let body = serde_json::json!({ "text": text }).to_string();
            let fact = Entry { by: (*text).into(), trace: (*text).into(), ..entry(&run, 0, &body) };
            all.entries.push(fact);
            all.notes.push(RunNote { status: (*text).into(), ..note(&run, 0) });
        }
        journal.append(&all).unwrap();
        drop(journal);
        let journal = shelf.open();
        for (record, entry) in journal.read_from(0, 99).unwrap().into_iter().zip(all.entries) {
            let back = Entry {
                run: record.run,
                at_ms: record.at_ms,
                by: record.by,
                trace: record.trace,
                kind: record.kind,
                body: record.body,
            };
            assert_eq!(back, entry);
        }
        let statuses: Vec<_> = journal.heads().unwrap().into_iter().map(|h| h.status).collect();
        assert_eq!(statuses, texts);
    });
}

#[test]
fn invariant_a_run_is_the_journal_filtered_by_it() {
    on_each(|shelf| {
        let mut journal = shelf.open();
        let mut dice = 0x2545_f491_4f6c_dd1d_u64;
        let mut seqs = [0_u64; 7];
        for _ in 0..60 {
            let mut all = Batch::default();
            for (run, seq) in seqs.iter_mut().enumerate() {
                dice ^= dice << 13;
                dice ^= dice >> 7;
                dice ^= dice << 17;
                let count = (dice >> 33) % 4;
                if count > 0 {
                    all = both(all, batch(&format!("run-{run}"), *seq, count));
                    *seq += count;
                }
            }
            // Entries of different runs may lie between each other.
            let turn = usize::try_from(dice % 5).unwrap();
            all.entries.sort_by_key(|entry| (entry.at_ms, (entry.run.len() + turn) % 3));
            journal.append(&all).unwrap();
        }
        let all = journal.read_from(0, usize::MAX).unwrap();
        for (run, seq) in seqs.iter().enumerate() {
            let run = format!("run-{run}");
            for after in [0, seq / 2, *seq] {
                let filtered: Vec<_> =
                    all.iter().filter(|r| r.run == run && r.seq > after).cloned().collect();
                assert_eq!(journal.read_run(&run, after).unwrap(), filtered);
            }
        }
        journal.verify().unwrap();
    });
}

#[test]
fn invariant_both_stores_keep_the_same_chain() {
    let [(_, disk), (_, memory)] = Shelf::all();
    let fill = |shelf: &Shelf| {
        let mut journal = shelf.open();
        journal.append(&both(keyed("a", "k"), batch("b", 0, 3))).unwrap();
        journal.append(&batch("a", 1, 4)).unwrap();
        content(&*journal).unwrap()
    };
    assert_eq!(fill(&disk), fill(&memory));
}
