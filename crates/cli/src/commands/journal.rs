//! `journal verify|export|stats|repair-head`: every record and hash, lines of JSON, sizes and
//! counts; and a person's word that the journal is to be taken as it is.

use std::io::{self, Write};

use edge::door::VERSION;
use journal::{Damage, Fault, Journal as _, Owner, Reader, Sqlite, Verified, export_ndjson};
use kernel::errors::{Exit, Machine};
use kernel::machine::At;
use runtime::clock::Clock;
use runtime::query::Refusal;
use serde_json::{Value, json};

use super::known;
use crate::ctx::{Ctx, Form};
use crate::desk;
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

/// What to do with the journal.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Read everything.
    Verify,
    /// Write everything out.
    Export,
    /// Count.
    Stats,
    /// Take the journal as it is.
    RepairHead,
}

/// Does it.
///
/// # Errors
/// A journal that is damaged, newer than this build, or cannot be read.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    let read = match verb {
        Verb::Verify => return verify(ctx),
        Verb::RepairHead => return repair_head(ctx),
        Verb::Export => export,
        Verb::Stats => stats,
    };
    if let Some((_, journal)) = ctx.journal()? {
        return read(ctx, &journal);
    }
    if let (Verb::Export, Form::Text) = (verb, ctx.form) {
        out::notice(&ctx.say("reads-no-journal"));
        return Ok(Reply::printed(Exit::OK));
    }
    Ok(none(ctx))
}

fn none(ctx: &Ctx) -> Reply {
    Reply::new(json!({ "records": 0, "runs": 0 }), ctx.say("reads-no-journal"))
}

fn of(fault: Fault) -> Trouble {
    trouble::of_query(&Refusal::Journal(fault))
}

/// The records, and the head file apart from them: one that is wrong hides nothing of the rest.
fn verify(ctx: &Ctx) -> Result<Reply, Trouble> {
    let Some(dir) = ctx.state_dir()? else { return Ok(none(ctx)) };
    let dir = dir.journal();
    match Sqlite::open_reader(&dir).and_then(|journal| journal.verify()) {
        Ok(verified) => Ok(sound(ctx, &verified)),
        Err(Fault::Absent { .. }) => Ok(none(ctx)),
        Err(
            fault @ (Fault::Damaged(Damage::HeadMissing | Damage::HeadUnreadable)
            | Fault::ShorterThanHead { .. }),
        ) => {
            let verified = journal::verify_records(&dir).map_err(of)?;
            let mut trouble = of(fault);
            trouble.details["kind"] = json!("head_only");
            trouble.details["records"] = json!(verified.records);
            trouble.details["last_pos"] = json!(verified.last_pos);
            trouble.details["help"] = json!("loopwright journal repair-head");
            Err(trouble)
        }
        Err(fault) => Err(of(fault)),
    }
}

/// Only a person may decide that what the head file spoke of is given up, and only while no
/// engine lives; everything is checked first.
fn repair_head(ctx: &Ctx) -> Result<Reply, Trouble> {
    desk::person(ctx, Machine::Workspace, "repair-head")?;
    let Some(dir) = ctx.state_dir()? else { return Ok(none(ctx)) };
    let dir = dir.journal();
    if let Err(Fault::Absent { .. }) = Sqlite::open_reader(&dir) {
        return Ok(none(ctx));
    }
    let since_ms = Clock::start(At(0)).now().0;
    let owner = Owner { pid: std::process::id(), version: VERSION.to_owned(), since_ms };
    let done = journal::repair_head(&dir, &owner).map_err(of)?;
    let lost = done.was_pos.map_or(0, |was| was.saturating_sub(done.now_pos));
    let mut text = ctx.tell("reads-head-repaired", &[("now", &done.now_pos)]);
    if let Some(was) = done.was_pos.filter(|_| lost > 0) {
        let told = ctx.tell("reads-head-lost", &[("was", &was), ("lost", &lost)]);
        text = format!("{text}\n{told}");
    }
    Ok(Reply::new(json!({ "was_pos": done.was_pos, "now_pos": done.now_pos, "lost": lost }), text))
}

fn sound(ctx: &Ctx, verified: &Verified) -> Reply {
    let hash: String = verified.last_hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let data = json!({
        "records": verified.records, "runs": verified.runs,
        "last_pos": verified.last_pos, "last_hash": hash,
    });
    let text = ctx.tell(
        "reads-verified",
        &[("records", &verified.records), ("runs", &verified.runs), ("hash", &hash)],
    );
    Reply::new(data, text)
}

fn stats(ctx: &Ctx, journal: &Reader) -> Result<Reply, Trouble> {
    let stats = journal.stats().map_err(of)?;
    let data: Value = json!({
        "records": stats.records, "runs": stats.runs, "live_runs": stats.live_runs,
        "db_bytes": stats.db_bytes, "wal_bytes": stats.wal_bytes, "epoch": stats.epoch,
        "last_pos": stats.last_pos, "sqlite_version": stats.sqlite_version,
    });
    let text = known::facts(ctx, &data, &["records", "runs", "live_runs"]);
    Ok(Reply::new(data, text))
}

/// Records keep their bytes here, because a reader may want to compute the hashes again; secrets
/// were taken out before they were recorded.
fn export(ctx: &Ctx, journal: &Reader) -> Result<Reply, Trouble> {
    let mut sink = Sink { out: io::stdout().lock(), failed: None };
    let written = export_ndjson(journal, &mut sink);
    let failed = sink.failed;
    drop(sink.out);
    match (written, failed) {
        (Ok(records), _) => {
            if ctx.form == Form::Json {
                let _ =
                    out::line(&json!({ "ok": true, "data": { "records": records } }).to_string());
            }
            Ok(Reply::printed(Exit::OK))
        }
        (Err(_), Some(io::ErrorKind::BrokenPipe)) => Ok(Reply::printed(Exit::OK)),
        (Err(fault), _) => Err(of(fault)),
    }
}

/// Remembers what the system said, so that a reader who left is told from a failing disk.
struct Sink<W> {
    out: W,
    failed: Option<io::ErrorKind>,
}

impl<W: Write> Write for Sink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).inspect_err(|error| self.failed = Some(error.kind()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().inspect_err(|error| self.failed = Some(error.kind()))
    }
}
