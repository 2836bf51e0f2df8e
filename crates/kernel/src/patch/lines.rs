//! Text as lines of bytes: their endings, the mark before the first, and what can be shown of one.
//! Nothing here knows an encoding; a line ends at LF and that is all.

use alloc::string::String;
use alloc::vec::Vec;

/// The byte order mark of UTF-8: it stands before line 1 and is no part of it.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";
/// A longer line says no more to whoever reads a conflict.
const SHOWN_CHARS_MAX: usize = 200;

/// How the lines of a text end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eol {
    /// Every one with LF alone.
    Lf,
    /// Every one with CR LF.
    Crlf,
    /// Some so, some so.
    Mixed,
    /// There is no line ending at all.
    None,
}

/// How the lines of these bytes end.
pub fn eol(bytes: &[u8]) -> Eol {
    let (mut plain, mut with_cr) = (false, false);
    let mut last = 0;
    for &byte in bytes {
        if byte == b'\n' {
            if last == b'\r' {
                with_cr = true;
            } else {
                plain = true;
            }
        }
        last = byte;
    }
    match (plain, with_cr) {
        (true, true) => Eol::Mixed,
        (true, false) => Eol::Lf,
        (false, true) => Eol::Crlf,
        (false, false) => Eol::None,
    }
}

/// The mark, if there is one, and what follows it.
pub fn split_bom(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    bytes.split_at(length)
}

/// The lines with their endings; the last may have none.
pub(super) fn split(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

/// With CR LF for each LF that has no CR yet.
pub(super) fn to_crlf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 16);
    let mut last = 0;
    for &byte in bytes {
        if byte == b'\n' && last != b'\r' {
            out.push(b'\r');
        }
        out.push(byte);
        last = byte;
    }
    out
}

/// With LF for each CR LF.
pub(super) fn to_lf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if byte == b'\n' && out.last() == Some(&b'\r') {
            out.pop();
        }
        out.push(byte);
    }
    out
}

/// How many lines were added and removed, as far as the lines both begin and end with tell.
pub fn changed_lines(old: &[u8], new: &[u8]) -> (u32, u32) {
    let (old, new) = (split(old), split(new));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    (count(new.len() - tail), count(old.len() - tail))
}

/// A number of lines as it is reported.
pub(super) fn count(lines: usize) -> u32 {
    u32::try_from(lines).unwrap_or(u32::MAX)
}

/// A line as it can be shown: without its ending, cut, with a mark for what is no text.
pub(super) fn shown(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = &line[..line.len().min(SHOWN_CHARS_MAX * 4)];
    String::from_utf8_lossy(line).chars().take(SHOWN_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_told_apart() {
        let table: [(&[u8], Eol); 7] = [
            (b"", Eol::None),
            (b"a", Eol::None),
            (b"a\r", Eol::None),
            (b"a\nb", Eol::Lf),
            (b"a\r\nb\r\n", Eol::Crlf),
            (b"a\r\nb\n", Eol::Mixed),
            (b"\r\n", Eol::Crlf),
        ];
        for (bytes, expected) in table {
            assert_eq!(eol(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn endings_are_turned_round() {
        assert_eq!(to_crlf(b"a\nb\r\n\n"), b"a\r\nb\r\n\r\n");
        assert_eq!(to_lf(b"a\r\nb\n\r\r\n"), b"a\nb\n\r\n");
    }

    #[test]
    fn changed_lines_are_those_between() {
        type Row<'a> = (&'a [u8], &'a [u8], (u32, u32));
        let table: [Row<'_>; 5] = [
            (b"a\nb\nc\n", b"a\nx\ny\nc\n", (2, 1)),
            (b"", b"a\nb", (2, 0)),
            (b"a\n", b"a\n", (0, 0)),
            (b"a", b"a\n", (1, 1)),
            (b"a\na\n", b"a\n", (0, 1)),
        ];
        for (old, new, expected) in table {
            assert_eq!(changed_lines(old, new), expected, "{old:?} {new:?}");
        }
    }
}
