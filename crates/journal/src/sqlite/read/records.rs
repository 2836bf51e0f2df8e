//! Records, each checked in its place in the chain: all after a place in order, or those of one
//! run backwards from its last.

use super::super::errors::reading;
use super::super::schema::Format;
use super::view::{View, number};
use crate::chain::{self, Hash, Ink, Link, Tip};
use crate::contract::{Head, Record};
use crate::fault::{Damage, Fault};
use rusqlite::{CachedStatement, OptionalExtension, Row};

const AT: &str = r#"SELECT pos, run, seq, prev_pos, at_ms, "by", trace, kind, body, hash, note
    FROM records WHERE pos = ?1"#;
const AT_ONE: &str = r#"SELECT pos, run, seq, prev_pos, at_ms, "by", trace, kind, body, hash, NULL
    FROM records WHERE pos = ?1"#;
const AFTER: &str = r#"SELECT pos, run, seq, prev_pos, at_ms, "by", trace, kind, body, hash, note
    FROM records WHERE pos > ?1 ORDER BY pos LIMIT ?2"#;
const AFTER_ONE: &str = r#"SELECT pos, run, seq, prev_pos, at_ms, "by", trace, kind, body, hash,
    NULL FROM records WHERE pos > ?1 ORDER BY pos LIMIT ?2"#;
const HASH_AT: &str = "SELECT hash FROM records WHERE pos = ?1";

/// What SQLite takes for "all of them".
const NO_LIMIT: i64 = -1;

/// How far to follow the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// To the last record there is.
    End,
    /// Up to this position, which must be there.
    Pos(u64),
}

/// Hands on the records after a place in the chain, and answers where they end.
pub(super) fn follow(
    view: &View<'_>,
    from: Tip,
    until: Until,
    mut take: impl FnMut(Record) -> Result<(), Fault>,
) -> Result<Tip, Fault> {
    let (limit, due) = match until {
        Until::End => (NO_LIMIT, from.pos),
        Until::Pos(last) => (last.saturating_sub(from.pos).cast_signed(), last),
    };
    let mut statement = view.prepare(match view.format {
        Format::One => AFTER_ONE,
        Format::Two => AFTER,
    })?;
    let mut rows = statement.query([from.pos.cast_signed(), limit]).map_err(reading)?;
    let mut ink = Ink::default();
    let mut tip = from;
    while let Some(row) = rows.next().map_err(reading)? {
        let record = record_of(row).map_err(reading)?;
        let pos = tip.pos + 1;
        if record.pos != pos {
            return Err(Damage::RecordMissing { pos }.into());
        }
        let hash = chain::record(&mut ink, &tip.hash, &Link::of(&record));
        if hash != record.hash {
            return Err(Fault::HashMismatch { pos });
        }
        tip = Tip { pos, hash };
        take(record)?;
    }
    if tip.pos < due {
        return Err(Damage::RecordMissing { pos: tip.pos + 1 }.into());
    }
    Ok(tip)
}

/// At most `limit` records of all runs after a position, in a journal known to end at `end`.
pub(in super::super) fn from(
    view: &View<'_>,
    end: Tip,
    after: u64,
    limit: usize,
) -> Result<Vec<Record>, Fault> {
    let due = end.pos.saturating_sub(after).min(limit as u64);
    let mut found = Vec::new();
    if due == 0 {
        return Ok(found);
    }
    let begin = Tip { pos: after, hash: hash_at(view, after)? };
    let reached = follow(view, begin, Until::Pos(after + due), |record| {
        found.push(record);
        Ok(())
    })?;
    if reached.pos == end.pos && reached.hash != end.hash {
        return Err(Fault::HashMismatch { pos: end.pos });
    }
    Ok(found)
}

/// The records of a run after a sequence, found backwards from its last.
pub(in super::super) fn run(
    view: &View<'_>,
    head: &Head,
    after_seq: u64,
) -> Result<Vec<Record>, Fault> {
    let mut walk = Walk::new(view)?;
    let mut found = Vec::new();
    let (mut pos, mut seq) = (head.pos, head.seq);
    while seq > after_seq {
        let record = walk.record(pos)?;
        let first = (record.seq == 1) == (record.prev_pos == 0);
        if record.run != head.run || record.seq != seq || record.prev_pos >= pos || !first {
            return Err(Damage::RunBroken { run: head.run.clone(), pos }.into());
        }
        (pos, seq) = (record.prev_pos, seq - 1);
        found.push(record);
    }
    found.reverse();
    Ok(found)
}

/// One record, checked against the hash stored before it.
pub(super) fn record_at(view: &View<'_>, pos: u64) -> Result<Record, Fault> {
    Walk::new(view)?.record(pos)
}

/// The stored hash of a position.
pub(super) fn hash_at(view: &View<'_>, pos: u64) -> Result<Hash, Fault> {
    stored_hash(&mut view.prepare(HASH_AT)?, pos)
}

/// That before the first record is known.
fn stored_hash(statement: &mut CachedStatement<'_>, pos: u64) -> Result<Hash, Fault> {
    if pos == 0 {
        return Ok(chain::genesis());
    }
    let found = statement.query_row([pos.cast_signed()], |row| row.get(0)).optional();
    found.map_err(reading)?.ok_or_else(|| Damage::RecordMissing { pos }.into())
}

/// Looks at single records along a run.
struct Walk<'a> {
    record: CachedStatement<'a>,
    hash: CachedStatement<'a>,
    ink: Ink,
}

impl<'a> Walk<'a> {
    fn new(view: &View<'a>) -> Result<Self, Fault> {
        let at = match view.format {
            Format::One => AT_ONE,
            Format::Two => AT,
        };
        let (record, hash) = (view.prepare(at)?, view.prepare(HASH_AT)?);
        Ok(Self { record, hash, ink: Ink::default() })
    }

    fn record(&mut self, pos: u64) -> Result<Record, Fault> {
        let found = self.record.query_row([pos.cast_signed()], record_of).optional();
        let record = found.map_err(reading)?.ok_or(Damage::RecordMissing { pos })?;
        let before = stored_hash(&mut self.hash, pos.saturating_sub(1))?;
        if record.pos != pos
            || chain::record(&mut self.ink, &before, &Link::of(&record)) != record.hash
        {
            return Err(Fault::HashMismatch { pos });
        }
        Ok(record)
    }
}

fn record_of(row: &Row<'_>) -> rusqlite::Result<Record> {
    Ok(Record {
        pos: number(row, 0)?,
        run: row.get(1)?,
        seq: number(row, 2)?,
        prev_pos: number(row, 3)?,
        at_ms: number(row, 4)?,
        by: row.get(5)?,
        trace: row.get(6)?,
        kind: row.get(7)?,
        body: row.get(8)?,
        hash: row.get(9)?,
        note: row.get(10)?,
    })
}
