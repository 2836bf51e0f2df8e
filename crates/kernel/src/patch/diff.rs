//! Reads a unified diff: which files, what happens to each, their hunks. It is at no place laxer
//! than `git apply`, and stricter wherever git would guess or pass over something in silence.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::change::{Executable, Invalid, Kind};
use super::header::{self, Style};
use super::hunk::{self, Hunk, malformed};

/// More files in one patch is a task for several, each of which can be looked at.
pub const PATCH_FILES_MAX: usize = 200;
/// A longer patch is no patch but a delivery.
pub const PATCH_BYTES_MAX: usize = 8 << 20;

/// A diff that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff<'a> {
    /// Its files, each named once.
    pub files: Vec<FileDiff<'a>>,
}

/// What a diff does with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff<'a> {
    /// The file, by its new name.
    pub path: String,
    /// What happens to it.
    pub op: Op,
    /// The executable bit it gets, if the diff says so.
    pub executable: Option<Executable>,
    /// Where and how its text changes.
    pub hunks: Vec<Hunk<'a>>,
}

/// What happens to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// It stays.
    Modify,
    /// It is new.
    Create,
    /// It goes.
    Delete,
    /// It had another name.
    Rename {
        /// The other name.
        from: String,
    },
}

impl Diff<'_> {
    /// Every path it touches, old names of renamed files included.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(|file| {
            let from = match &file.op {
                Op::Rename { from } => Some(from.as_str()),
                Op::Modify | Op::Create | Op::Delete => None,
            };
            from.into_iter().chain([file.path.as_str()])
        })
    }
}

/// The lines of a diff, read from the first to the last.
pub(super) struct Text<'a> {
    lines: Vec<&'a [u8]>,
    at: usize,
}

impl<'a> Text<'a> {
    /// The number of the current line, counted from 1.
    pub(super) fn number(&self) -> u32 {
        super::lines::count(self.at + 1)
    }

    /// The current line.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        self.peek_at(0)
    }

    /// A line after the current one.
    pub(super) fn peek_at(&self, ahead: usize) -> Option<&'a [u8]> {
        self.lines.get(self.at + ahead).copied()
    }

    /// The current line, which is then behind.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.peek()?;
        self.at += 1;
        Some(line)
    }
}

/// What the lines between two files may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// Anything: a letter, a list of changed files.
    Prose,
    /// Right behind a hunk: a line that looks like one more of it was not counted by its header,
    /// and would be lost.
    Hunk,
}

/// Reads a whole diff.
///
/// # Errors
/// Names the first line that can't be used.
pub fn parse(bytes: &[u8]) -> Result<Diff<'_>, Invalid> {
    if bytes.len() > PATCH_BYTES_MAX {
        return Err(malformed(0, "at most 8 MiB"));
    }
    let mut text = Text { lines: super::lines::split(bytes), at: 0 };
    let mut files: Vec<FileDiff<'_>> = Vec::new();
    let mut styles = BTreeSet::new();
    let mut between = Between::Prose;
    while let Some(line) = text.peek() {
        let at = text.number();
        if !header::begins(&text) {
            between = pass(line, at, between)?;
            text.next();
            continue;
        }
        let header = header::read(&mut text)?;
        styles.extend(header.style);
        let mut file = header.file;
        while text.peek().is_some_and(hunk::begins) {
            file.hunks.push(hunk::read(&mut text)?);
        }
        check(&file, header.changes, at)?;
        between = if file.hunks.is_empty() { Between::Prose } else { Between::Hunk };
        files.push(file);
        if files.len() > PATCH_FILES_MAX {
            return Err(malformed(at, "at most 200 files"));
        }
    }
    if styles.contains(&Style::Bare) && styles.contains(&Style::Prefixed) {
        return Err(malformed(0, "a/ and b/ before every name, or before none"));
    }
    let diff = Diff { files };
    check_all(&diff)?;
    Ok(diff)
}

fn pass(line: &[u8], at: u32, between: Between) -> Result<Between, Invalid> {
    if hunk::begins(line) {
        return Err(malformed(at, "--- a/file and +++ b/file before a hunk"));
    }
    if header::is_binary(line) {
        return Err(Invalid { kind: Kind::Unsupported, line: at, expected: "text, not binary" });
    }
    match (between, line[0]) {
        (Between::Hunk, b'-') if line == b"-- \n" => Ok(Between::Prose),
        (Between::Hunk, b' ' | b'+' | b'-' | b'\\') => {
            Err(malformed(at, "no more lines than the hunk's header says"))
        }
        (Between::Hunk | Between::Prose, _other) => Ok(between),
    }
}

fn check(file: &FileDiff<'_>, changes: header::Changes, at: u32) -> Result<(), Invalid> {
    if file.hunks.is_empty() && changes == header::Changes::Text {
        return Err(malformed(at, "a hunk, a new mode or a new name"));
    }
    let lines = |side: fn(&Hunk<'_>) -> usize| file.hunks.iter().map(side).sum::<usize>();
    let (old, new) =
        (lines(|hunk| hunk.old_lines().count()), lines(|hunk| hunk.new_lines().count()));
    match file.op {
        Op::Create if old > 0 => Err(malformed(at, "a new file without old lines")),
        Op::Delete if new > 0 => Err(malformed(at, "a deleted file without new lines")),
        Op::Create | Op::Delete | Op::Modify | Op::Rename { .. } => Ok(()),
    }
}

fn check_all(diff: &Diff<'_>) -> Result<(), Invalid> {
    if diff.files.is_empty() {
        return Err(malformed(0, "a unified diff: --- a/file, +++ b/file, @@ … @@"));
    }
    let mut seen = BTreeSet::new();
    if diff.paths().all(|path| seen.insert(path)) {
        return Ok(());
    }
    Err(malformed(0, "each file once"))
}
