//! Search and replace: an exact text, found exactly as often as was said. No pattern, no guess.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::args::Edit;
use super::change::{Conflict, Why};
use super::find::{Overlap, places};
use super::lines::{Eol, changed_lines, count, eol, shown, split_bom, to_crlf};
use super::nearest::nearest;

/// More line numbers help nobody.
pub const LINES_TOLD_MAX: usize = 20;

/// What a search and replace made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The new text.
    pub bytes: Vec<u8>,
    /// Places replaced.
    pub places: u32,
    /// Lines added in all places.
    pub added: u32,
    /// Lines removed in all places.
    pub removed: u32,
    /// Whether LF became CR LF.
    pub eol_translated: bool,
}

/// Replaces `old` by `new`, provided it occurs as often as `expected` says.
///
/// # Errors
/// When it occurs another number of times.
pub fn replace(bytes: &[u8], edit: &Edit) -> Result<Replaced, Conflict> {
    let (bom, body) = split_bom(bytes);
    let (old, new) = (edit.old.as_bytes(), edit.new.as_bytes());
    let plain = !old.contains(&b'\r') && !new.contains(&b'\r');
    let breaks = old.contains(&b'\n') || new.contains(&b'\n');
    let translated = plain && breaks && eol(body) == Eol::Crlf;
    let turned = |text| if translated { Cow::Owned(to_crlf(text)) } else { Cow::Borrowed(text) };
    let (old, new): (Cow<'_, [u8]>, Cow<'_, [u8]>) = (turned(old), turned(new));
    let found = places(body, &old, Overlap::Skipped);
    let fits = match edit.expected {
        0 => !found.is_empty(),
        expected => found.len() == expected as usize,
    };
    if !fits {
        return Err(conflict(&edit.path, body, &old, &found));
    }
    let (added, removed) = changed_lines(&old, &new);
    let times = count(found.len());
    Ok(Replaced {
        bytes: join(bom, body, &found, old.len(), &new),
        places: times,
        added: added.saturating_mul(times),
        removed: removed.saturating_mul(times),
        eol_translated: translated,
    })
}

fn join(bom: &[u8], body: &[u8], found: &[usize], old: usize, new: &[u8]) -> Vec<u8> {
    let mut out = bom.to_vec();
    let mut done = 0;
    for &at in found {
        out.extend_from_slice(&body[done..at]);
        out.extend_from_slice(new);
        done = at + old;
    }
    out.extend_from_slice(&body[done..]);
    out
}

fn conflict(path: &str, body: &[u8], old: &[u8], found: &[usize]) -> Conflict {
    let want = Some(shown(old.split_inclusive(|&byte| byte == b'\n').next().unwrap_or(&[])));
    if found.is_empty() {
        let near = nearest(body, old);
        let (line, text) = near.map_or((None, None), |near| (Some(near.line), Some(near.text)));
        let whole = Conflict::of_file(path, Why::NoMatch);
        return Conflict { hunk: 1, want, found: text, line, ..whole };
    }
    let lines = line_numbers(body, &found[..found.len().min(LINES_TOLD_MAX)]);
    let whole = Conflict::of_file(path, Why::NotUnique);
    Conflict { hunk: 1, want, line: lines.first().copied(), lines, ..whole }
}

/// The lines in which these ascending places begin.
fn line_numbers(body: &[u8], found: &[usize]) -> Vec<u32> {
    let (mut line, mut done) = (1, 0);
    let mut lines = Vec::new();
    for &at in found {
        line += body[done..at].iter().filter(|&&byte| byte == b'\n').count();
        done = at;
        lines.push(count(line));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn edit(old: &str, new: &str, expected: u32) -> Edit {
        Edit { path: "f".to_string(), old: old.to_string(), new: new.to_string(), expected }
    }

    #[test]
    fn exact_counts_are_replaced() {
        type Row<'a> = (&'a [u8], &'a str, &'a str, u32, &'a [u8]);
        let table: [Row<'_>; 8] = [
            (b"one two", "one", "1", 1, b"1 two"),
            (b"aaa", "aa", "b", 1, b"ba"),
            (b"x x x", "x", "y", 3, b"y y y"),
            (b"x x x", "x", "", 0, b"  "),
            (b"\xEF\xBB\xBFa\n", "a", "b", 1, b"\xEF\xBB\xBFb\n"),
            (b"a\r\nb\r\n", "a\nb", "c\nd\ne", 1, b"c\r\nd\r\ne\r\n"),
            (b"a\r\nb\n", "a\r\n", "c\n", 1, b"c\nb\n"),
            (b"a\r\n", "a\r\n", "b\r\n", 1, b"b\r\n"),
        ];
        for (bytes, old, new, expected, after) in table {
            let replaced = replace(bytes, &edit(old, new, expected)).unwrap();
            assert_eq!(replaced.bytes, after, "{old:?}");
        }
    }

    #[test]
    fn other_counts_are_told_and_change_nothing() {
        type Row<'a> = (&'a [u8], &'a str, u32, Why, Option<u32>, usize);
        let many = "x\n".repeat(30);
        let table: [Row<'_>; 6] = [
            (b"a\nb\na\n", "a", 1, Why::NotUnique, Some(1), 2),
            (many.as_bytes(), "x", 1, Why::NotUnique, Some(1), LINES_TOLD_MAX),
            (b"a\n", "a", 2, Why::NotUnique, Some(1), 1),
            (b"alpha\nbeta\n", "betas", 1, Why::NoMatch, Some(2), 0),
            (b"", "a", 0, Why::NoMatch, None, 0),
            (b"a\r\nb\n", "a\nb", 1, Why::NoMatch, Some(1), 0),
        ];
        for (bytes, old, expected, why, line, lines) in table {
            let conflict = replace(bytes, &edit(old, "z", expected)).unwrap_err();
            assert_eq!((conflict.why, conflict.line), (why, line), "{old:?}");
            assert_eq!(conflict.lines.len(), lines, "{old:?}");
        }
        let conflict = replace(b"a\nb\na\n", &edit("a", "z", 1)).unwrap_err();
        assert_eq!(conflict.lines, [1, 3]);
    }

    #[test]
    fn translation_is_told_only_where_a_line_ending_was_turned() {
        for (old, new, told) in [("a\nb", "c", true), ("a", "c", false), ("a", "c\nd", true)] {
            let replaced = replace(b"a\r\nb\r\n", &edit(old, new, 1)).unwrap();
            assert_eq!(replaced.eol_translated, told, "{old:?} {new:?}");
        }
    }
}
