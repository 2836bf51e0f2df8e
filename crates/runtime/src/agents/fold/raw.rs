//! Output that is no stream of events: its beginning up to a cap, and its last bytes, where some
//! programs put what counts.

/// The end that is kept apart: a trailer of two short lines, with room for blank ones.
const END_BYTES: usize = 4096;

/// The bytes of an output as far as they are kept.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    head: Vec<u8>,
    head_max: usize,
    end: Vec<u8>,
    bytes: usize,
}

impl Raw {
    /// Keeps at most `head_max` bytes of the beginning.
    pub(super) const fn new(head_max: usize) -> Self {
        Self { head: Vec::new(), head_max, end: Vec::new(), bytes: 0 }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let room = self.head_max.saturating_sub(self.head.len());
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        let last = &bytes[bytes.len().saturating_sub(END_BYTES)..];
        let over = (self.end.len() + last.len()).saturating_sub(END_BYTES);
        self.end.drain(..over);
        self.end.extend_from_slice(last);
        self.bytes = self.bytes.saturating_add(bytes.len());
    }

    /// Bytes are missing from here on: what comes later is no longer the beginning.
    pub(super) fn gap(&mut self) {
        self.head_max = self.head.len();
        self.bytes = self.bytes.saturating_add(1);
        self.end.clear();
    }

    /// The last `wanted` lines that are not blank, first to last, and where the first of them
    /// begins in the whole output. Fewer, if the kept end has no more.
    pub(super) fn last_lines(&self, wanted: usize) -> (Vec<String>, usize) {
        let mut lines = Vec::new();
        let mut at = self.end.len();
        let mut found_at = at;
        for line in self.end.rsplit(|byte| *byte == b'\n') {
            at -= line.len();
            if lines.len() < wanted && !line.iter().all(u8::is_ascii_whitespace) {
                lines.insert(0, String::from_utf8_lossy(line).trim().to_owned());
                found_at = at;
            }
            at = at.saturating_sub(1);
        }
        (lines, self.bytes - self.end.len() + found_at)
    }

    /// The output up to byte `end` as far as it was kept, and whether that is all of it.
    pub(super) fn before(&self, end: usize) -> (String, Kept) {
        let kept = &self.head[..self.head.len().min(end)];
        let whole = if kept.len() < end { Kept::Part } else { Kept::Whole };
        (String::from_utf8_lossy(kept).into_owned(), whole)
    }

    /// All of it, as far as it was kept.
    pub(super) fn all(&self) -> (String, Kept) {
        self.before(self.bytes)
    }
}

/// Whether something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Whole,
    Part,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_beginning() {
        let mut raw = Raw::new(8);
        raw.feed(b"one\ntwo\n");
        raw.feed(b"\nthree\n  four \n\n");
        let (lines, at) = raw.last_lines(2);
        assert_eq!((lines, at), (vec!["three".to_owned(), "four".to_owned()], 9));
        assert_eq!(raw.before(4), ("one\n".to_owned(), Kept::Whole));
        assert_eq!(raw.all(), ("one\ntwo\n".to_owned(), Kept::Part));
        let mut long = Raw::new(1);
        for _ in 0..10 {
            long.feed(&[b'x'; 5000]);
        }
        assert_eq!((long.end.len(), long.bytes), (END_BYTES, 50_000));
        assert_eq!(Raw::new(1).last_lines(2), (vec![], 0));
    }
}
