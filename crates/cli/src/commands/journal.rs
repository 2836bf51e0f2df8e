//! `journal verify|export|stats`: every record and hash, lines of JSON, sizes and counts.

use std::io::{self, Write};

use journal::{Fault, Journal as _, Reader, export_ndjson};
use kernel::errors::Exit;
use runtime::query::Refusal;
use serde_json::{Value, json};

use super::known;
use crate::ctx::{Ctx, Form};
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
}

/// Does it.
///
/// # Errors
/// A journal that is damaged, newer than this build, or cannot be read.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    let Some((_, journal)) = ctx.journal()? else {
        if let (Verb::Export, Form::Text) = (verb, ctx.form) {
            out::notice(&ctx.say("reads-no-journal"));
            return Ok(Reply::printed(Exit::OK));
        }
        return Ok(Reply::new(json!({ "records": 0, "runs": 0 }), ctx.say("reads-no-journal")));
    };
    match verb {
        Verb::Verify => verify(ctx, &journal),
        Verb::Export => export(ctx, &journal),
        Verb::Stats => stats(ctx, &journal),
    }
}

fn of(fault: Fault) -> Trouble {
    trouble::of_query(&Refusal::Journal(fault))
}

fn verify(ctx: &Ctx, journal: &Reader) -> Result<Reply, Trouble> {
    let verified = journal.verify().map_err(of)?;
    let hash: String = verified.last_hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let data = json!({
        "records": verified.records, "runs": verified.runs,
        "last_pos": verified.last_pos, "last_hash": hash,
    });
    let text = ctx.tell(
        "reads-verified",
        &[("records", &verified.records), ("runs", &verified.runs), ("hash", &hash)],
    );
    Ok(Reply::new(data, text))
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
