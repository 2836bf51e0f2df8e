//! Bytes to lines to JSON, in bounded memory, whatever arrives and however it is cut into pieces.
//! What a line means is the folders' business.

use serde_json::Value;

/// The longest line that is read; no event of any CLI comes near it, a flood does.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// What one line was. Blank lines are nothing at all.
#[derive(Debug, PartialEq)]
pub enum Line<'a> {
    /// An object.
    Json(Value),
    /// Something else: counted, its beginning noted.
    Bad(&'a [u8]),
    /// Longer than [`LINE_BYTES_MAX`]: its bytes were let go.
    TooLong,
}

/// A stream on its way to lines.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    held: Vec<u8>,
    skipping: bool,
}

impl Lines {
    /// Takes the next bytes and tells each line that they complete.
    pub fn feed(&mut self, bytes: &[u8], each: &mut dyn FnMut(Line<'_>)) {
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(at);
            if self.held.is_empty() && !self.skipping && line.len() <= LINE_BYTES_MAX {
                tell(line, each);
            } else {
                self.hold(line, each);
                self.cut(each);
            }
            rest = &after[1..];
        }
        self.hold(rest, each);
    }

    /// Ends the line that is being read: the stream ended, or bytes are missing from here on. A
    /// line that was cut is a bad one; the two sides of a gap are never taken for one line.
    pub fn cut(&mut self, each: &mut dyn FnMut(Line<'_>)) {
        if !self.skipping {
            tell(&self.held, each);
        }
        self.held.clear();
        self.skipping = false;
    }

    fn hold(&mut self, part: &[u8], each: &mut dyn FnMut(Line<'_>)) {
        if self.skipping {
            return;
        }
        if self.held.len() + part.len() > LINE_BYTES_MAX {
            self.held = Vec::new();
            self.skipping = true;
            each(Line::TooLong);
        } else {
            self.held.extend_from_slice(part);
        }
    }
}

fn tell(line: &[u8], each: &mut dyn FnMut(Line<'_>)) {
    if line.iter().all(u8::is_ascii_whitespace) {
        return;
    }
    each(object(line).map_or(Line::Bad(line), Line::Json));
}

/// The object of a line. What stands before its first brace was said by something else.
fn object(line: &[u8]) -> Option<Value> {
    let start = line.iter().position(|byte| *byte == b'{')?;
    let text = String::from_utf8_lossy(&line[start..]);
    serde_json::from_str::<Value>(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pieces: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut all = Vec::new();
        let mut each = |line: Line<'_>| {
            all.push(match line {
                Line::Json(value) => value.to_string(),
                Line::Bad(bytes) => format!("bad {}", String::from_utf8_lossy(bytes)),
                Line::TooLong => "too long".to_owned(),
            });
        };
        for piece in pieces {
            lines.feed(piece, &mut each);
        }
        lines.cut(&mut each);
        all
    }

    #[test]
    fn lines_of_every_sort() {
        let table: [(&[u8], &[&str]); 8] = [
            (b"{\"a\":1}\n{\"b\":2}", &["{\"a\":1}", "{\"b\":2}"]),
            (b"\n \r\n{\"a\":1}\r\n", &["{\"a\":1}"]),
            (b"warning: {\"a\":1}\n", &["{\"a\":1}"]),
            (b"hello\n[1]\n", &["bad hello", "bad [1]"]),
            (b"{\"a\":1} {\"b\":2}\n", &["bad {\"a\":1} {\"b\":2}"]),
            (b"{\"a\":{\"b\":1}\n", &["bad {\"a\":{\"b\":1}"]),
            (b"{\"a\":\"\xff\"}\n", &["{\"a\":\"\u{fffd}\"}"]),
            (b"", &[]),
        ];
        for (bytes, expected) in table {
            assert_eq!(told(&[bytes]), expected, "{}", String::from_utf8_lossy(bytes));
            for at in 0..bytes.len() {
                assert_eq!(told(&[&bytes[..at], &bytes[at..]]), expected, "cut at {at}");
            }
        }
    }

    #[test]
    fn a_long_line_is_let_go_and_the_next_one_read() {
        let mut lines = Lines::default();
        let mut seen = (0, 0);
        let mut each = |line: Line<'_>| match line {
            Line::Json(_) => seen.0 += 1,
            Line::TooLong => seen.1 += 1,
            Line::Bad(_) => panic!("not bad"),
        };
        for _ in 0..(10 << 20) / 4096 {
            lines.feed(&[b'x'; 4096], &mut each);
            assert!(lines.held.capacity() <= 2 * LINE_BYTES_MAX);
        }
        lines.feed(b"\n{\"a\":1}\n", &mut each);
        assert_eq!(seen, (1, 1));
    }

    #[test]
    fn the_longest_line_is_still_read() {
        for (bytes, expected) in [(LINE_BYTES_MAX, true), (LINE_BYTES_MAX + 1, false)] {
            let mut line = b"{\"a\":\"".to_vec();
            line.resize(bytes - 2, b'x');
            line.extend(b"\"}");
            assert_eq!(line.len(), bytes);
            for split in [0, 1, 4096, bytes - 1, bytes] {
                let got = told(&[&line[..split], &line[split..], b"\n"]);
                assert_eq!(got.len(), 1);
                assert_eq!(got[0] != "too long", expected, "{bytes} split at {split}");
            }
        }
    }
}
