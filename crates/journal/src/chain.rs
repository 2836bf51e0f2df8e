//! The hashes: one for each record over the one before it, one for each derived row. Every field
//! is written with its length or a fixed width, so two different values never hash alike. This
//! finds damage, not forgery: nothing here is keyed.

use crate::contract::{Head, Record, Snapshot};

/// A blake3 hash.
pub(crate) type Hash = [u8; 32];

/// A buffer that fields are laid into without ambiguity.
#[derive(Debug, Default)]
pub(crate) struct Ink(Vec<u8>);

impl Ink {
    /// Starts over, for one purpose: equal fields hash differently for different purposes.
    fn start(&mut self, purpose: &str) -> &mut Self {
        self.0.clear();
        self.text(purpose)
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    fn hash(&mut self, hash: &Hash) -> &mut Self {
        self.0.extend_from_slice(hash);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    fn maybe(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            None => self.number(0),
            Some(text) => self.number(1).text(text),
        }
    }

    fn finish(&self) -> Hash {
        *blake3::hash(&self.0).as_bytes()
    }
}

/// The fields of a record that the chain covers, borrowed from wherever they are.
pub(crate) struct Link<'a> {
    pub(crate) pos: u64,
    pub(crate) seq: u64,
    pub(crate) prev_pos: u64,
    pub(crate) at_ms: u64,
    pub(crate) run: &'a str,
    pub(crate) by: &'a str,
    pub(crate) trace: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) body: &'a str,
    pub(crate) note: Option<&'a str>,
}

impl<'a> Link<'a> {
    /// Those of a record that is already in its place.
    pub(crate) fn of(record: &'a Record) -> Self {
        Self {
            pos: record.pos,
            seq: record.seq,
            prev_pos: record.prev_pos,
            at_ms: record.at_ms,
            run: &record.run,
            by: &record.by,
            trace: &record.trace,
            kind: &record.kind,
            body: &record.body,
            note: record.note.as_deref(),
        }
    }
}

/// The hash before the first record.
pub(crate) fn genesis() -> Hash {
    Ink::default().start("loopwright journal 1 genesis").finish()
}

/// The hash of a record after the one with `before`. A note that is not there adds nothing, so
/// records of the time before there were notes keep their hashes.
pub(crate) fn record(ink: &mut Ink, before: &Hash, link: &Link<'_>) -> Hash {
    ink.start("loopwright journal 1 record")
        .hash(before)
        .number(link.pos)
        .number(link.seq)
        .number(link.prev_pos)
        .number(link.at_ms)
        .text(link.run)
        .text(link.by)
        .text(link.trace)
        .text(link.kind)
        .text(link.body);
    if let Some(note) = link.note {
        ink.text(note);
    }
    ink.finish()
}

/// The check of a run's row.
pub(crate) fn head(ink: &mut Ink, head: &Head) -> Hash {
    ink.start("loopwright journal 1 head")
        .text(&head.run)
        .text(&head.machine)
        .maybe(head.parent.as_deref())
        .maybe(head.key.as_deref())
        .number(head.seq)
        .number(head.pos)
        .text(&head.status)
        .number(u64::from(head.ended))
        .number(head.created_ms)
        .number(head.updated_ms)
        .finish()
}

/// The check of a snapshot.
pub(crate) fn snapshot(snapshot: &Snapshot) -> Hash {
    Ink::default()
        .start("loopwright journal 1 snapshot")
        .text(&snapshot.run)
        .number(snapshot.seq)
        .number(snapshot.pos)
        .hash(&snapshot.chain)
        .text(&snapshot.fingerprint)
        .text(&snapshot.state)
        .finish()
}

/// A place in the chain: a record's position and hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tip {
    pub(crate) pos: u64,
    pub(crate) hash: Hash,
}

impl Tip {
    /// The place before the first record.
    pub(crate) fn genesis() -> Self {
        Self { pos: 0, hash: genesis() }
    }
}

/// The totals of a journal: what its runs' rows must add up to, and the record up to which they
/// tell of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) epoch: u64,
    pub(crate) last_pos: u64,
    pub(crate) last_hash: Hash,
    pub(crate) runs: u64,
    /// The exclusive or of the checks of all runs' rows: it can follow a change of one row
    /// without reading the others.
    pub(crate) digest: Hash,
}

impl Totals {
    /// Those of a journal without records.
    pub(crate) fn empty() -> Self {
        Self { epoch: 0, last_pos: 0, last_hash: genesis(), runs: 0, digest: [0; 32] }
    }

    /// The last record that the rows tell of.
    pub(crate) fn tip(&self) -> Tip {
        Tip { pos: self.last_pos, hash: self.last_hash }
    }

    /// The check of the row that keeps them.
    pub(crate) fn check(&self) -> Hash {
        Ink::default()
            .start("loopwright journal 1 totals")
            .number(self.epoch)
            .number(self.last_pos)
            .hash(&self.last_hash)
            .number(self.runs)
            .hash(&self.digest)
            .finish()
    }
}

/// The check of the head file's fields.
pub(crate) fn mark(pos: u64, epoch: u64, hash: &Hash) -> Hash {
    Ink::default().start("loopwright journal 1 mark").number(pos).number(epoch).hash(hash).finish()
}

/// Adds a check to a digest, or takes it out again.
pub(crate) fn toggle(digest: &mut Hash, check: &Hash) {
    for (byte, other) in digest.iter_mut().zip(check) {
        *byte ^= other;
    }
}

/// A hash as people see it.
pub(crate) fn hex(hash: &Hash) -> String {
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariant_every_field_changes_the_record_hash() {
        let base = || Link {
            pos: 1,
            seq: 1,
            prev_pos: 0,
            at_ms: 5,
            run: "a",
            by: "b",
            trace: "c",
            kind: "d",
            body: "e",
            note: None,
        };
        let hash = |link: &Link<'_>| record(&mut Ink::default(), &genesis(), link);
        let others = [
            Link { pos: 2, ..base() },
            Link { seq: 2, ..base() },
            Link { prev_pos: 1, ..base() },
            Link { at_ms: 6, ..base() },
            Link { run: "ab", by: "", ..base() },
            Link { by: "bc", trace: "", ..base() },
            Link { trace: "cd", kind: "", ..base() },
            Link { kind: "de", body: "", ..base() },
            Link { body: "f", ..base() },
            Link { note: Some(""), ..base() },
            Link { note: Some("{}"), ..base() },
        ];
        for other in &others {
            assert_ne!(hash(&base()), hash(other));
        }
        assert_ne!(hash(&base()), record(&mut Ink::default(), &[7; 32], &base()));
    }

    #[test]
    fn invariant_a_digest_forgets_what_is_taken_out() {
        let mut digest = [0; 32];
        toggle(&mut digest, &[1; 32]);
        toggle(&mut digest, &[2; 32]);
        toggle(&mut digest, &[1; 32]);
        assert_eq!(digest, [2; 32]);
    }
}
