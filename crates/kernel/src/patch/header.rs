//! What stands before the hunks of a file: git's extended header, or just the two names. Modes,
//! names and kinds are checked against each other, since a header that contradicts itself was
//! written by nobody who knew what they wanted.

use alloc::string::String;
use alloc::vec::Vec;

use super::change::{Executable, Invalid, Kind};
use super::diff::{FileDiff, Op, Text};
use super::hunk::{begins as hunk_begins, malformed};
use super::name::{self, Name, Side};

/// How names are written; a diff does it in one way throughout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Style {
    Prefixed,
    Bare,
}

/// Whether a header changes something by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changes {
    /// Only what its hunks say.
    Text,
    /// The mode, the name or the existence of the file.
    File,
}

/// A header that was read; its hunks come next.
pub(super) struct Header<'a> {
    pub file: FileDiff<'a>,
    pub changes: Changes,
    pub style: Option<Style>,
}

const GIT: &[u8] = b"diff --git ";
const NAMES: &str = "--- a/file and +++ b/file, or /dev/null";

/// Whether a file begins at the current line.
pub(super) fn begins(text: &Text<'_>) -> bool {
    text.peek().is_some_and(|line| line.starts_with(GIT)) || begins_plain(text)
}

fn begins_plain(text: &Text<'_>) -> bool {
    text.peek().is_some_and(|line| line.starts_with(b"--- "))
        && text.peek_at(1).is_some_and(|line| line.starts_with(b"+++ "))
        && text.peek_at(2).is_some_and(hunk_begins)
}

/// Whether a line stands for content that is no text.
pub(super) fn is_binary(line: &[u8]) -> bool {
    line.starts_with(b"GIT binary patch")
        || (line.starts_with(b"Binary files ") && line.ends_with(b" differ\n"))
}

/// Reads the header at the current line.
pub(super) fn read<'a>(text: &mut Text<'a>) -> Result<Header<'a>, Invalid> {
    if begins_plain(text) { plain(text) } else { git(text) }
}

fn plain<'a>(text: &mut Text<'a>) -> Result<Header<'a>, Invalid> {
    let at = text.number();
    let (old, new) = names(text)?.ok_or(malformed(at, NAMES))?;
    let style = style(&old).or(style(&new));
    let (path, op) = match (old.path(), new.path()) {
        (None, Some(path)) => (path, Op::Create),
        (Some(path), None) => (path, Op::Delete),
        (Some(_), Some(path)) if old == new => (path, Op::Modify),
        (Some(_), Some(_)) | (None, None) => {
            return Err(malformed(at, "one name, or git's rename from and rename to"));
        }
    };
    let file = FileDiff { path: path.into(), op, executable: None, hunks: Vec::new() };
    Ok(Header { file, changes: Changes::Text, style })
}

fn style(name: &Name) -> Option<Style> {
    match name {
        Name::Null => None,
        Name::Prefixed(_) => Some(Style::Prefixed),
        Name::Bare(_) => Some(Style::Bare),
    }
}

/// The two name lines, if they come next.
fn names(text: &mut Text<'_>) -> Result<Option<(Name, Name)>, Invalid> {
    let at = text.number();
    let Some(old) = text.peek().and_then(|line| line.strip_prefix(b"--- ")) else {
        return Ok(None);
    };
    text.next();
    let new = text.next().and_then(|line| line.strip_prefix(b"+++ "));
    let old = name::of_line(old, Side::Old);
    let new = new.and_then(|rest| name::of_line(rest, Side::New));
    old.zip(new).map(Some).ok_or(malformed(at, NAMES))
}

/// What git's extended header lines say.
#[derive(Default)]
struct Said {
    old_mode: Option<Executable>,
    new_mode: Option<Executable>,
    created: Option<Executable>,
    deleted: Option<Executable>,
    from: Option<String>,
    to: Option<String>,
}

fn git<'a>(text: &mut Text<'a>) -> Result<Header<'a>, Invalid> {
    let at = text.number();
    let first = text.next().and_then(|line| line.strip_prefix(GIT)).unwrap_or_default();
    let both = name::of_both(first);
    let mut said = Said::default();
    while let Some(line) = text.peek() {
        if !extended(line, text.number(), &mut said)? {
            break;
        }
        text.next();
    }
    if text.peek().is_some_and(is_binary) {
        return Err(unsupported(text.number(), "text, not binary"));
    }
    let names = names(text)?;
    if names.is_none() && text.peek().is_some_and(hunk_begins) {
        return Err(malformed(text.number(), NAMES));
    }
    let named = |name: &Name| matches!(name, Name::Null | Name::Prefixed(_));
    if names.as_ref().is_some_and(|(old, new)| !named(old) || !named(new)) {
        return Err(malformed(at, NAMES));
    }
    let (path, op) = op(&said, both, names.as_ref()).ok_or(malformed(at, CONTRADICTS))?;
    let executable = match op {
        Op::Create => said.created,
        Op::Delete => None,
        Op::Modify | Op::Rename { .. } => said.new_mode,
    };
    let changes = match op {
        Op::Modify if executable.is_none() => Changes::Text,
        Op::Modify | Op::Create | Op::Delete | Op::Rename { .. } => Changes::File,
    };
    let file = FileDiff { path, op, executable, hunks: Vec::new() };
    Ok(Header { file, changes, style: Some(Style::Prefixed) })
}

const CONTRADICTS: &str = "names and modes of a header that agree";

/// The path and what happens to it, if the parts of the header agree.
fn op(said: &Said, both: Option<String>, names: Option<&(Name, Name)>) -> Option<(String, Op)> {
    let (old, new) = match names {
        Some((old, new)) => (Some(old), Some(new)),
        None => (None, None),
    };
    let is = |name: Option<&Name>, path: &str| name.is_none_or(|it| it.path() == Some(path));
    let null = |name: Option<&Name>| name.is_none_or(|it| *it == Name::Null);
    if said.old_mode.is_some() != said.new_mode.is_some() {
        return None;
    }
    match (&said.from, &said.to, said.created, said.deleted) {
        (Some(from), Some(to), None, None) => {
            let agree = is(old, from) && is(new, to) && from != to;
            agree.then(|| (to.clone(), Op::Rename { from: from.clone() }))
        }
        (None, None, Some(_), None) => {
            let path = both?;
            (null(old) && is(new, &path) && said.new_mode.is_none()).then_some((path, Op::Create))
        }
        (None, None, None, Some(_)) => {
            let path = both?;
            (is(old, &path) && null(new) && said.new_mode.is_none()).then_some((path, Op::Delete))
        }
        (None, None, None, None) => {
            let path = both?;
            (is(old, &path) && is(new, &path)).then_some((path, Op::Modify))
        }
        _contradiction => None,
    }
}

/// Takes in a line of the extended header; false if it is none.
fn extended(line: &[u8], at: u32, said: &mut Said) -> Result<bool, Invalid> {
    let rest = |prefix: &str| line.strip_prefix(prefix.as_bytes());
    let name = |rest: &[u8]| name::whole(rest).ok_or(malformed(at, "a file name")).map(Some);
    if let Some(rest) = rest("old mode ") {
        said.old_mode = mode(rest, at)?;
    } else if let Some(rest) = rest("new mode ") {
        said.new_mode = mode(rest, at)?;
    } else if let Some(rest) = rest("new file mode ") {
        said.created = mode(rest, at)?;
    } else if let Some(rest) = rest("deleted file mode ") {
        said.deleted = mode(rest, at)?;
    } else if let Some(rest) = rest("rename from ") {
        said.from = name(rest)?;
    } else if let Some(rest) = rest("rename to ") {
        said.to = name(rest)?;
    } else if rest("copy from ").is_some() || rest("copy to ").is_some() {
        return Err(unsupported(at, "a new file instead of a copy"));
    } else if let Some(rest) = rest("index ") {
        if let Some(mode_at) = rest.iter().position(|&byte| byte == b' ') {
            mode(&rest[mode_at + 1..], at)?;
        }
    } else {
        return Ok(rest("similarity index ").is_some() || rest("dissimilarity index ").is_some());
    }
    Ok(true)
}

fn mode(rest: &[u8], at: u32) -> Result<Option<Executable>, Invalid> {
    match rest.strip_suffix(b"\n").unwrap_or(rest) {
        b"100644" => Ok(Some(Executable::No)),
        b"100755" => Ok(Some(Executable::Yes)),
        _other => Err(unsupported(at, "mode 100644 or 100755: no link, no submodule")),
    }
}

fn unsupported(line: u32, expected: &'static str) -> Invalid {
    Invalid { kind: Kind::Unsupported, line, expected }
}
