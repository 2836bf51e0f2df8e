//! Bytes as lines: how they end, how many there are, and the text of a range. It knows no files.

use serde::Serialize;

/// Where a NUL is looked for: what has one there is no text.
pub const BINARY_LOOK_BYTES: usize = 8 * 1024;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// How the lines of a file end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Eol {
    /// All by LF.
    Lf,
    /// All by CR LF.
    Crlf,
    /// Some so, some so.
    Mixed,
    /// No line ends.
    None,
}

/// Which lines are wanted.
pub(super) struct Range {
    pub offset: usize,
    pub limit: usize,
    pub bytes_max: usize,
}

/// What was found.
pub(super) struct Cut {
    pub eol: Eol,
    pub bom: bool,
    pub binary: bool,
    pub start: usize,
    pub end: usize,
    pub lines_total: usize,
    pub text: Option<String>,
    pub truncated: bool,
}

/// Whether bytes are no text.
pub(super) fn has_nul(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(BINARY_LOOK_BYTES)].contains(&0)
}

/// The bytes after a byte order mark.
pub(super) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

/// The lines of `bytes` that are in the range, and what is known of all of them.
pub(super) fn cut(bytes: &[u8], range: &Range) -> Cut {
    let body = without_bom(bytes);
    let bom = body.len() != bytes.len();
    let (eol, lines_total) = ends(body);
    let text = std::str::from_utf8(body).ok().filter(|_| !has_nul(bytes));
    let start = range.offset.min(lines_total + 1);
    let Some(text) = text else {
        let (start, end) = (1, 0);
        return Cut {
            eol,
            bom,
            binary: true,
            start,
            end,
            lines_total,
            text: None,
            truncated: false,
        };
    };
    let mut taken = 0;
    let mut out = String::new();
    let mut whole = true;
    for line in text.split_inclusive('\n').skip(start - 1).take(range.limit) {
        let room = range.bytes_max - out.len();
        if line.len() > room {
            whole = false;
            // A first line without room is cut, or nothing could ever be read past it.
            if taken == 0 {
                out.push_str(&line[..line.floor_char_boundary(room)]);
                taken = 1;
            }
            break;
        }
        out.push_str(line);
        taken += 1;
    }
    let end = start + taken - 1;
    let truncated = !whole || end < lines_total;
    Cut { eol, bom, binary: false, start, end, lines_total, text: Some(out), truncated }
}

/// How lines end and how many there are; one without an end at the end counts.
fn ends(body: &[u8]) -> (Eol, usize) {
    let (mut lf, mut crlf) = (0, 0);
    let mut before = 0;
    for (at, _) in body.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        match at > before && body[at - 1] == b'\r' {
            true => crlf += 1,
            false => lf += 1,
        }
        before = at + 1;
    }
    let eol = match (lf, crlf) {
        (0, 0) => Eol::None,
        (_, 0) => Eol::Lf,
        (0, _) => Eol::Crlf,
        (_, _) => Eol::Mixed,
    };
    (eol, lf + crlf + usize::from(before < body.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: usize = 1024;

    fn cut_of(bytes: &[u8], offset: usize, limit: usize, bytes_max: usize) -> Cut {
        cut(bytes, &Range { offset, limit, bytes_max })
    }

    #[test]
    fn line_ends_are_named() {
        let table: &[(&[u8], Eol, usize)] = &[
            (b"", Eol::None, 0),
            (b"a", Eol::None, 1),
            (b"a\n", Eol::Lf, 1),
            (b"a\nb", Eol::Lf, 2),
            (b"a\r\nb\r\n", Eol::Crlf, 2),
            (b"a\r\nb\n", Eol::Mixed, 2),
            (b"a\rb", Eol::None, 1),
            (b"\n\n", Eol::Lf, 2),
            (b"\r\n", Eol::Crlf, 1),
            (b"\r\n\r\n", Eol::Crlf, 2),
            (b"\xef\xbb\xbfa\n", Eol::Lf, 1),
        ];
        for (bytes, eol, lines) in table {
            let found = cut_of(bytes, 1, 10, WIDE);
            assert_eq!((found.eol, found.lines_total), (*eol, *lines), "{bytes:?}");
        }
    }

    /// Offset, limit, bytes; start and end, text, whether cut.
    type Row = (usize, usize, usize, (usize, usize), &'static str, bool);

    #[test]
    fn ranges_end_where_they_must() {
        let text = b"one\ntwo\nthree\nfour";
        let table: [Row; 8] = [
            (1, 10, WIDE, (1, 4), "one\ntwo\nthree\nfour", false),
            (2, 2, WIDE, (2, 3), "two\nthree\n", true),
            (4, 1, WIDE, (4, 4), "four", false),
            (5, 1, WIDE, (5, 4), "", false),
            (99, 1, WIDE, (5, 4), "", false),
            (1, 10, 9, (1, 2), "one\ntwo\n", true),
            (3, 10, 3, (3, 3), "thr", true),
            (1, 1, 4, (1, 1), "one\n", true),
        ];
        for (offset, limit, bytes_max, (start, end), expected, truncated) in table {
            let found = cut_of(text, offset, limit, bytes_max);
            let name = format!("{offset} {limit} {bytes_max}");
            assert_eq!((found.start, found.end), (start, end), "{name}");
            assert_eq!(found.text.as_deref(), Some(expected), "{name}");
            assert_eq!(found.truncated, truncated, "{name}");
        }
    }

    #[test]
    fn a_cut_keeps_characters_whole() {
        assert_eq!(cut_of("日本".as_bytes(), 1, 1, 4).text.as_deref(), Some("日"));
    }

    #[test]
    fn what_is_no_text_gives_none() {
        let far = [vec![b'a'; BINARY_LOOK_BYTES], vec![0]].concat();
        let table: [(&[u8], bool); 5] = [
            (b"a\0b", true),
            (b"\xff\xfe", true),
            (b"caf\xe9", true),
            (b"abc", false),
            (&far, false),
        ];
        for (bytes, binary) in table {
            let found = cut_of(bytes, 1, 1, 8);
            assert_eq!((found.binary, found.text.is_none()), (binary, binary));
        }
        let found = cut_of(b"\xef\xbb\xbfx\r\n", 1, 1, WIDE);
        assert!(found.bom);
        assert_eq!(found.text.as_deref(), Some("x\r\n"));
    }
}
