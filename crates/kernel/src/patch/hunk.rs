//! One hunk of a unified diff: read, and taken for what it says. Where it fits is found elsewhere.

use alloc::vec::Vec;

use super::change::{Invalid, Kind};
use super::diff::Text;

/// The shortest line that says "no newline at end of file" in any language.
const NO_NEWLINE_BYTES_MIN: usize = 12;

/// On which side of a diff a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// Context.
    Both,
    /// It goes.
    Old,
    /// It comes.
    New,
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub stands: Stands,
    /// With its ending, unless the file ends without one.
    pub text: &'a [u8],
}

/// A hunk, with as many lines as its header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    pub(super) old_start: usize,
    pub(super) new_start: usize,
    pub(super) lines: Vec<Line<'a>>,
}

impl<'a> Hunk<'a> {
    /// The lines that must be there.
    pub(super) fn old_lines(&self) -> impl Iterator<Item = &'a [u8]> {
        self.lines.iter().filter(|it| it.stands != Stands::New).map(|line| line.text)
    }

    /// The lines that come in their place.
    pub(super) fn new_lines(&self) -> impl Iterator<Item = &'a [u8]> {
        self.lines.iter().filter(|it| it.stands != Stands::Old).map(|line| line.text)
    }

    /// How many lines stand so.
    pub(super) fn count(&self, stands: Stands) -> usize {
        self.lines.iter().filter(|line| line.stands == stands).count()
    }

    /// Whether it begins at the beginning of the file, by what its header says.
    pub(super) fn at_beginning(&self) -> bool {
        self.old_start <= 1
    }

    /// Whether nothing follows its last change, which says that the file ends there.
    pub(super) fn at_end(&self) -> bool {
        self.lines.last().is_none_or(|line| line.stands != Stands::Both)
    }
}

/// Whether a line begins a hunk.
pub(super) fn begins(line: &[u8]) -> bool {
    line.starts_with(b"@@ -")
}

/// Reads the hunk that begins at the current line.
pub(super) fn read<'a>(text: &mut Text<'a>) -> Result<Hunk<'a>, Invalid> {
    let at = text.number();
    let header = text.next().and_then(header);
    let header = header.ok_or(malformed(at, "@@ -line,count +line,count @@"))?;
    let (mut old_left, mut new_left) = (header.old_count, header.new_count);
    let mut lines: Vec<Line<'a>> = Vec::new();
    while old_left > 0 || new_left > 0 || text.peek().is_some_and(is_no_newline) {
        let at = text.number();
        let line = text.next().filter(|line| line.ends_with(b"\n"));
        let line = line.ok_or(malformed(at, "as many lines as the hunk's header says"))?;
        let (stands, content) = match line[0] {
            b'\n' => (Stands::Both, line),
            b' ' => (Stands::Both, &line[1..]),
            b'-' => (Stands::Old, &line[1..]),
            b'+' => (Stands::New, &line[1..]),
            b'\\' if is_no_newline(line) => {
                end_here(&mut lines).ok_or(malformed(at, "a last line before this mark"))?;
                continue;
            }
            _other => return Err(malformed(at, "a line that begins with ' ', '+' or '-'")),
        };
        let too_many = malformed(at, "as many lines as the hunk's header says");
        if stands != Stands::New {
            old_left = old_left.checked_sub(1).ok_or(too_many)?;
        }
        if stands != Stands::Old {
            new_left = new_left.checked_sub(1).ok_or(too_many)?;
        }
        lines.push(Line { stands, text: content });
    }
    let hunk = Hunk { old_start: header.old_start, new_start: header.new_start, lines };
    check(&hunk, at)?;
    Ok(hunk)
}

fn check(hunk: &Hunk<'_>, at: u32) -> Result<(), Invalid> {
    if hunk.count(Stands::Old) + hunk.count(Stands::New) == 0 {
        return Err(malformed(at, "a line that is added or removed"));
    }
    let open = |lines: Vec<&[u8]>| {
        lines.split_last().is_some_and(|(_, rest)| rest.iter().any(|line| !line.ends_with(b"\n")))
    };
    if open(hunk.old_lines().collect()) || open(hunk.new_lines().collect()) {
        return Err(malformed(at, "nothing after a line without newline"));
    }
    Ok(())
}

/// Takes the newline off the last line, which must have one and more than that.
fn end_here(lines: &mut [Line<'_>]) -> Option<()> {
    let last = lines.last_mut()?;
    let text = last.text.strip_suffix(b"\n").filter(|text| !text.is_empty())?;
    last.text = text;
    Some(())
}

fn is_no_newline(line: &[u8]) -> bool {
    line.starts_with(b"\\ ") && line.len() > NO_NEWLINE_BYTES_MIN
}

struct Header {
    old_start: usize,
    old_count: usize,
    new_start: usize,
    new_count: usize,
}

fn header(line: &[u8]) -> Option<Header> {
    let (old_start, old_count, rest) = range(line.strip_prefix(b"@@ -")?)?;
    let (new_start, new_count, rest) = range(rest.strip_prefix(b" +")?)?;
    rest.starts_with(b" @@").then_some(Header { old_start, old_count, new_start, new_count })
}

fn range(text: &[u8]) -> Option<(usize, usize, &[u8])> {
    let (start, rest) = number(text)?;
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest).map(|(count, rest)| (start, count, rest)),
        None => Some((start, 1, rest)),
    }
}

fn number(text: &[u8]) -> Option<(usize, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(digits);
    let value: u32 = core::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((usize::try_from(value).ok()?, rest))
}

pub(super) fn malformed(line: u32, expected: &'static str) -> Invalid {
    Invalid { kind: Kind::Malformed, line, expected }
}
