//! What a call has printed so far, part by part and without secrets. Places are counted in what is
//! shown: a secret keeps its length to itself, and no cut can fall into one.

use runtime::query::{self, Pipe};
use runtime::redact::Redactor;
use serde::Serialize;

use crate::problem::Raised;
use crate::site::{Known, bad_value, of_query};

/// The most that one part holds.
const PART_BYTES_MAX: usize = 64 << 10;

/// A part of what was printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The call.
    pub call: String,
    /// Which stream.
    pub stream: String,
    /// The text.
    pub text: String,
    /// Where it begins.
    pub from: usize,
    /// Where the next part begins.
    pub next: usize,
    /// Whether there is nothing after it, for good.
    pub end: bool,
}

/// The part of a stream that begins at `from`.
///
/// # Errors
/// An unknown stream, or a spool that cannot be read.
pub fn part(known: &Known, stream: &str, from: usize, redactor: &Redactor) -> Result<Part, Raised> {
    let pipe = match stream {
        "stdout" => Pipe::Stdout,
        "stderr" => Pipe::Stderr,
        _other => return Err(bad_value("stream", stream, &["stdout", "stderr"])),
    };
    let call = known.head.run.clone();
    let raw = query::read_from(&known.dir.call(&call), pipe, 0).map_err(|why| of_query(&why))?;
    let mut clean = redactor.stream();
    let mut shown = clean.push(&raw);
    // While it may print more, its last bytes may be the beginning of a secret.
    if known.head.ended {
        shown.extend(clean.finish());
    }
    let text = String::from_utf8_lossy(&shown);
    let from = at_char(&text, from);
    let next = at_char(&text, from.saturating_add(PART_BYTES_MAX));
    let end = known.head.ended && next == text.len();
    Ok(Part { call, stream: stream.to_owned(), text: text[from..next].to_owned(), from, next, end })
}

/// The last place up to `at` where a character begins.
fn at_char(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_begins_where_a_character_does() {
        for (at, expected) in [(0, 0), (1, 1), (2, 1), (3, 1), (4, 4), (9, 5)] {
            assert_eq!(at_char("a中b", at), expected, "{at}");
        }
    }
}
