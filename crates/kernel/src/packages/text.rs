//! A document as an optional byte order mark and lines, each with its own end. Reading and drawing
//! give the same bytes for every text; an edit changes the span it names and nothing else. What a
//! line means is said elsewhere.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// The byte order mark.
const BOM: char = '\u{feff}';

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// LF.
    Lf,
    /// CR LF.
    Crlf,
    /// CR alone.
    Cr,
    /// The text ends first.
    None,
}

impl End {
    /// Its bytes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::Crlf => "\r\n",
            Self::Cr => "\r",
            Self::None => "",
        }
    }
}

/// Where a line stands: what is fenced or commented is never a heading, a task or a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the open.
    Open,
    /// In a fenced block, or its fence.
    Fenced,
    /// In an HTML comment.
    Comment,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Without its end.
    pub text: String,
    /// Its end.
    pub end: End,
    /// Where it stands.
    pub place: Place,
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    bom: bool,
    lines: Vec<Line>,
}

/// Bytes that are no document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unreadable at byte {offset}")]
pub struct Unreadable {
    /// Where it stops being text, or where there is too much of it.
    pub offset: usize,
}

impl Text {
    /// Reads bytes.
    ///
    /// # Errors
    /// When they are not UTF-8, or too many.
    pub fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        if bytes.len() > super::DOC_MAX {
            return Err(Unreadable { offset: super::DOC_MAX });
        }
        core::str::from_utf8(bytes)
            .map(Self::parse)
            .map_err(|why| Unreadable { offset: why.valid_up_to() })
    }

    /// Reads a text; there is none that cannot be.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (bom, mut rest) = match text.strip_prefix(BOM) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut lines = Vec::new();
        while !rest.is_empty() {
            let (line, end, left) = first_line(rest);
            lines.push(Line { text: line.to_string(), end, place: Place::Open });
            rest = left;
        }
        let mut text = Self { bom, lines };
        text.find_places();
        text
    }

    /// Draws it.
    #[must_use]
    pub fn render(&self) -> String {
        let size: usize = self.lines.iter().map(|line| line.text.len() + 2).sum();
        let mut out = String::with_capacity(size + BOM.len_utf8());
        if self.bom {
            out.push(BOM);
        }
        for line in &self.lines {
            out.push_str(&line.text);
            out.push_str(line.end.as_str());
        }
        out
    }

    /// Its lines.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The text of a line that stands in the open.
    #[must_use]
    pub fn open(&self, at: usize) -> Option<&str> {
        let line = self.lines.get(at).filter(|line| line.place == Place::Open)?;
        Some(&line.text)
    }

    /// Replaces a part of a line.
    pub fn replace(&mut self, at: usize, span: Range<usize>, with: &str) {
        if let Some(line) = self.lines.get_mut(at)
            && line.text.get(span.clone()).is_some()
        {
            line.text.replace_range(span, with);
            self.find_places();
        }
    }

    /// Replaces a whole line; its end stays.
    pub fn replace_line(&mut self, at: usize, with: &str) {
        if let Some(line) = self.lines.get_mut(at) {
            line.text = with.to_string();
            self.find_places();
        }
    }

    /// Inserts lines before that one, with the ends that are commonest here. A text without a final
    /// line end stays one.
    pub fn insert(&mut self, at: usize, new: &[String]) {
        let end = self.commonest_end();
        let at = at.min(self.lines.len());
        let mut made: Vec<Line> =
            new.iter().map(|text| Line { text: text.clone(), end, place: Place::Open }).collect();
        if at == self.lines.len()
            && let Some(last) = self.lines.last_mut()
            && last.end == End::None
        {
            last.end = end;
            if let Some(made) = made.last_mut() {
                made.end = End::None;
            }
        }
        self.lines.splice(at..at, made);
        self.find_places();
    }

    /// Takes lines out.
    pub fn remove(&mut self, lines: Range<usize>) {
        let end = lines.end.min(self.lines.len());
        if lines.start < end {
            self.lines.drain(lines.start..end);
            self.find_places();
        }
    }

    fn commonest_end(&self) -> End {
        let count = |end: End| self.lines.iter().filter(|line| line.end == end).count();
        let mut best = (End::Lf, count(End::Lf));
        for end in [End::Crlf, End::Cr] {
            let found = count(end);
            if found > best.1 {
                best = (end, found);
            }
        }
        best.0
    }

    fn find_places(&mut self) {
        let mut fence: Option<(char, usize)> = None;
        let mut comment = false;
        for line in &mut self.lines {
            if let Some((mark, length)) = fence {
                line.place = Place::Fenced;
                if closes(&line.text, mark, length) {
                    fence = None;
                }
                continue;
            }
            if comment {
                line.place = Place::Comment;
                comment = !line.text.contains("-->");
                continue;
            }
            if let Some(opened) = opens(&line.text) {
                fence = Some(opened);
                line.place = Place::Fenced;
                continue;
            }
            let starts = line.text.trim_start().starts_with("<!--");
            line.place = if starts { Place::Comment } else { Place::Open };
            comment = leaves_comment_open(&line.text);
        }
    }
}

/// The first line, its end, and what follows.
fn first_line(text: &str) -> (&str, End, &str) {
    let Some(at) = text.find(['\n', '\r']) else { return (text, End::None, "") };
    let (line, rest) = text.split_at(at);
    for end in [End::Crlf, End::Lf, End::Cr] {
        if let Some(left) = rest.strip_prefix(end.as_str()) {
            return (line, end, left);
        }
    }
    (text, End::None, "")
}

/// The letter and length of the fence that a line opens.
fn opens(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
    let length = line.chars().take_while(|letter| *letter == mark).count();
    let info = line.get(length..).unwrap_or_default();
    // A run of backticks with another one after it is code within a line.
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

fn closes(line: &str, mark: char, length: usize) -> bool {
    let line = line.trim();
    line.chars().count() >= length && line.chars().all(|letter| letter == mark)
}

/// Whether a comment begins on this line and does not end on it. One in code is no comment.
fn leaves_comment_open(line: &str) -> bool {
    let mut rest = line;
    let mut in_code = false;
    while let Some(at) = rest.find("<!--") {
        let (before, after) = rest.split_at(at);
        let ticks = before.chars().filter(|letter| *letter == '`').count();
        in_code ^= ticks % 2 == 1;
        if in_code {
            rest = after.get(4..).unwrap_or_default();
            continue;
        }
        match after.find("-->") {
            Some(end) => rest = after.get(end + 3..).unwrap_or_default(),
            None => return true,
        }
    }
    false
}
