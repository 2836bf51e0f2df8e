//! Measures, and asserts nothing about time: run by hand, and compared as ratios within one run.

#![expect(clippy::unwrap_used, reason = "a step that fails ends the test")]

#[path = "support/kit.rs"]
mod support;

use loopwright_journal::{Batch, Journal, Sqlite};
use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};
use support::{entry, note, open};
use tempfile::tempdir;

/// How long each case runs.
const CASE: Duration = Duration::from_secs(3);

/// One fact of about 256 bytes for each of some runs.
fn round(runs: std::ops::Range<u64>, seq: u64) -> Batch {
    let body = format!(r#"{{"filler":"{}"}}"#, "x".repeat(240));
    let mut batch = Batch::default();
    for run in runs {
        let run = format!("01890000-0000-7000-8000-{run:012}");
        batch.entries.push(entry(&run, 1_700_000_000_000 + seq, &body));
        batch.notes.push(note(&run, seq));
    }
    batch
}

fn rate(name: &str, each: u64, mut work: impl FnMut(u64)) -> f64 {
    let (start, mut rounds, mut worst) = (Instant::now(), 0, Duration::ZERO);
    let busy = cpu_us();
    while start.elapsed() < CASE {
        let begun = Instant::now();
        work(rounds);
        worst = worst.max(begun.elapsed());
        rounds += 1;
    }
    let rate = (rounds * each) as f64 / start.elapsed().as_secs_f64();
    let busy = (cpu_us() - busy) / i64::try_from(rounds).unwrap();
    eprintln!("{name}: {rate:.0}/s, worst {worst:?}, {busy} us of processor a batch");
    rate
}

/// Time that this thread has really worked: comparable on a busy machine too.
fn cpu_us() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
}

fn raw_sync() -> f64 {
    let dir = tempdir().unwrap();
    let mut file = File::create(dir.path().join("raw")).unwrap();
    rate("raw fdatasync", 1, |_| {
        file.write_all(&[7; 256]).unwrap();
        file.sync_data().unwrap();
    })
}

fn raw_sqlite() -> f64 {
    let dir = tempdir().unwrap();
    let conn = rusqlite::Connection::open(dir.path().join("raw.db")).unwrap();
    conn.execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (b TEXT)")
        .unwrap();
    let body = "x".repeat(256);
    rate("raw sqlite, single commits", 1, |_| {
        conn.prepare_cached("INSERT INTO t VALUES (?1)").unwrap().execute([&body]).unwrap();
    })
}

fn ours(runs: u64) -> f64 {
    let dir = tempdir().unwrap();
    let mut journal = open(dir.path());
    let name = format!("journal, {runs} runs a batch");
    rate(&name, runs, |seq| {
        journal.append(&round(0..runs, seq)).unwrap();
    })
}

#[test]
#[ignore = "measures; needs a quiet machine"]
fn measure_appends() {
    let (sync, sqlite) = (raw_sync(), raw_sqlite());
    let one = ours(1);
    eprintln!("1 run: {:.2} x raw sqlite", one / sqlite);
    for runs in [32, 1_000] {
        eprintln!("{runs} runs: {:.1} x raw fdatasync", ours(runs) / sync);
    }
}

#[test]
#[ignore = "measures; writes about 600 MB"]
fn measure_opening() {
    let dir = tempdir().unwrap();
    let mut journal = open(dir.path());
    let begun = Instant::now();
    for seq in 0..100 {
        for part in 0..10 {
            let mut batch = round(part * 1_000..(part + 1) * 1_000, seq);
            for (index, note) in batch.notes.iter_mut().enumerate() {
                note.ended = seq == 99 && index % 100 != 0;
            }
            journal.append(&batch).unwrap();
        }
    }
    eprintln!("10^6 events written in {:?}", begun.elapsed());
    drop(journal);
    let begun = Instant::now();
    let journal = open(dir.path());
    let heads = journal.heads().unwrap();
    let live: Vec<_> = heads.iter().filter(|head| !head.ended).collect();
    let tails: usize = live.iter().map(|head| journal.read_run(&head.run, 0).unwrap().len()).sum();
    eprintln!("opened with {} live runs, {tails} records, in {:?}", live.len(), begun.elapsed());
    eprintln!("{:?}", journal.stats().unwrap());
    drop(journal);
    let begun = Instant::now();
    let reader = Sqlite::open_reader(dir.path()).unwrap();
    eprintln!("reader opened in {:?}", begun.elapsed());
    let begun = Instant::now();
    reader.verify().unwrap();
    eprintln!("verified in {:?}", begun.elapsed());
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    eprintln!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap());
}
