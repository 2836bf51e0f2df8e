//! Reads output line by line, whatever is in it: colours are taken out, bytes that are no text are
//! replaced, CRLF is LF, and a line is never longer than a bound. Nothing is held but one line.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

/// What a shim lets through as one line, too.
pub const LINE_BYTES_MAX: usize = 1024 * 1024;

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// Where output is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stream {
    /// In memory.
    Bytes(Vec<u8>),
    /// In a spool file. One that can't be read is empty.
    File(PathBuf),
}

impl Stream {
    /// Calls `each` for every line, without its end.
    pub fn each_line(&self, each: impl FnMut(&str)) {
        match self {
            Self::Bytes(bytes) => lines(bytes.as_slice(), each),
            Self::File(path) => {
                if let Ok(file) = File::open(path) {
                    lines(BufReader::new(file), each);
                }
            }
        }
    }
}

fn lines(mut from: impl BufRead, mut each: impl FnMut(&str)) {
    let mut line = Vec::new();
    loop {
        line.clear();
        // A stream that breaks off says no more than what was read of it.
        match (&mut from).take(LINE_BYTES_MAX as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() >= LINE_BYTES_MAX && skip_line(&mut from).is_none() {
            return;
        }
        each(&plain(&line));
    }
}

fn skip_line(from: &mut impl BufRead) -> Option<()> {
    loop {
        let buffer = from.fill_buf().ok()?;
        if buffer.is_empty() {
            return Some(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        from.consume(used);
        if end.is_some() {
            return Some(());
        }
    }
}

/// The text of a line: its last state if it was overwritten, without colours.
pub(super) fn plain(line: &[u8]) -> Cow<'_, str> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.rsplit(|&byte| byte == b'\r').next().unwrap_or(line);
    if !line.contains(&ESCAPE) {
        return String::from_utf8_lossy(line);
    }
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((&byte, after)) = rest.split_first() {
        rest = if byte == ESCAPE {
            after_escape(after)
        } else {
            out.push(byte);
            after
        };
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

/// What follows an escape sequence, given what follows its first byte.
fn after_escape(rest: &[u8]) -> &[u8] {
    let past = |at: usize| rest.get(at..).unwrap_or_default();
    match rest.first() {
        None => rest,
        Some(b'[') => {
            let end = rest[1..].iter().position(|byte| (0x40..=0x7e).contains(byte));
            past(end.map_or(rest.len(), |at| at + 2))
        }
        Some(b']') => {
            let end = rest.iter().position(|&byte| byte == BELL || byte == ESCAPE);
            let length = |at: usize| if rest[at] == BELL { 1 } else { 2 };
            past(end.map_or(rest.len(), |at| at + length(at)))
        }
        Some(b'(' | b')' | b'#' | b'%') => past(2),
        Some(0x20..=0x7e) => past(1),
        Some(_) => rest,
    }
}

/// The same of a text of several lines.
pub(super) fn plain_lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(|line| plain(line.as_bytes())).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Seconds with a fraction, as milliseconds.
pub(super) fn seconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    let (whole, part) = (whole.parse::<u64>().ok()?, digits.parse::<u64>().ok()?);
    Some(whole.saturating_mul(1000).saturating_add(part))
}

/// Milliseconds with a fraction; nonsense is 0.
pub(super) fn millis(number: f64) -> u64 {
    let time = std::time::Duration::try_from_secs_f64(number / 1000.0).unwrap_or_default();
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// At most `max` bytes from the start of `text`, cut between characters.
pub(super) fn head(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

/// At most `max` bytes from the end of `text`, cut between characters.
pub(super) fn tail(text: &str, max: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(max))..]
}

/// The last lines of a stream, as many as fit.
#[derive(Default)]
pub(super) struct Tail {
    text: String,
}

impl Tail {
    pub(super) fn push(&mut self, line: &str, max: usize) {
        if line.is_empty() && self.text.is_empty() {
            return;
        }
        self.text.push_str(tail(line, max));
        self.text.push('\n');
        // Cut rarely, so that a long stream costs no more than its length.
        if self.text.len() > max * 4 {
            self.text = tail(&self.text, max).to_owned();
        }
    }

    pub(super) fn into_text(self, max: usize) -> Option<String> {
        let text = tail(self.text.trim(), max);
        (!text.is_empty()).then(|| text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut out = Vec::new();
        Stream::Bytes(bytes.to_vec()).each_line(|line| out.push(line.to_owned()));
        out
    }

    #[test]
    fn lines_are_plain_text() {
        let rows: [(&[u8], &[&str]); 9] = [
            (b"", &[]),
            (b"a\r\nb\n\nc", &["a", "b", "", "c"]),
            (b"\x1b[1m\x1b[31mred\x1b[0m\x1b(B\x1b[m!", &["red!"]),
            (b"\x1b]0;title\x07x\x1b]8;;u\x1b\\y", &["xy"]),
            (b"10%\r50%\r100%\n", &["100%"]),
            (b"a\xff\xfeb", &["a\u{fffd}\u{fffd}b"]),
            (b"cut \x1b[3", &["cut "]),
            (b"\x1b", &[""]),
            (b"\x1b7a", &["a"]),
        ];
        for (bytes, want) in rows {
            assert_eq!(all(bytes), want, "{bytes:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_cut_and_the_next_one_found() {
        let mut bytes = vec![b'x'; 3 * LINE_BYTES_MAX];
        bytes.extend_from_slice(b"\nnext\n");
        let lines = all(&bytes);
        assert_eq!((lines[0].len(), lines[1].as_str()), (LINE_BYTES_MAX, "next"));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn the_tail_holds_the_last_lines() {
        let mut last = Tail::default();
        (0..10_000).for_each(|n| last.push(&format!("line {n} é"), 64));
        let text = last.into_text(64).expect("some");
        assert!(text.len() <= 64 && text.ends_with("line 9999 é"), "{text}");
    }
}
