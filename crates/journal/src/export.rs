//! The journal as lines of JSON, for people and other tools. It is written, never read back.

use crate::chain::hex;
use crate::contract::{Journal, Record};
use crate::fault::Fault;
use serde_json::json;
use std::io::Write;

/// Records read at once: enough to keep a disk busy, few enough to keep memory flat.
const PAGE_RECORDS: usize = 1_000;

/// Writes every record as one line, oldest first, and answers how many.
///
/// # Errors
/// A record that is not what was written ends the export before that record; so does a failed
/// write.
pub fn export_ndjson(journal: &dyn Journal, out: &mut impl Write) -> Result<u64, Fault> {
    let failed = |error: std::io::Error| Fault::io("write the export", &error);
    let mut after_pos = 0;
    loop {
        let page = journal.read_from(after_pos, PAGE_RECORDS)?;
        let Some(last) = page.last() else { break };
        after_pos = last.pos;
        for record in &page {
            writeln!(out, "{}", ndjson_line(record)).map_err(failed)?;
        }
    }
    out.flush().map_err(failed)?;
    Ok(after_pos)
}

/// One record as one line. Keys stand in a fixed order; body and note stand as they were recorded,
/// so a reader can compute the hash again.
#[must_use]
pub fn ndjson_line(record: &Record) -> String {
    let text = |text: &str| json!(text).to_string();
    let place = format!(
        r#""pos":{},"run":{},"seq":{},"prev_pos":{},"at_ms":{}"#,
        record.pos,
        text(&record.run),
        record.seq,
        record.prev_pos,
        record.at_ms,
    );
    let note = record.note.as_ref().map(|note| format!(r#""note":{note},"#)).unwrap_or_default();
    let said = format!(
        r#""by":{},"trace":{},"kind":{},"body":{},{note}"hash":"{}""#,
        text(&record.by),
        text(&record.trace),
        text(&record.kind),
        record.body,
        hex(&record.hash),
    );
    format!("{{{place},{said}}}")
}
