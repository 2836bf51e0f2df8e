//! One task line: bullet, mark, id, priority, title, files. It knows no other line.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::super::bounds::valid_task_id as valid_id;
use super::super::super::task::Priority;
use super::super::{Legend, Mark, Status, read_mark};
use super::Item;

/// A task line, its mark, and what stood between the brackets.
pub(super) struct Line {
    pub item: Item,
    pub mark: Mark,
    pub marked: String,
}

/// How far a line is set in; a tab counts as four.
pub(super) fn indent(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blanks.map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// What stands behind a bullet.
pub(super) fn bullet(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix(['-', '*', '+'])?;
    rest.starts_with([' ', '\t', '[']).then(|| rest.trim())
}

/// Reads a task line; none if it is no task.
pub(super) fn read(line: usize, text: &str, legend: Legend) -> Option<Line> {
    let rest = bullet(text)?.strip_prefix('[')?;
    let (marked, rest) = rest.split_once(']')?;
    // A link is no mark.
    if rest.starts_with('(') || rest.starts_with('[') {
        return None;
    }
    let (id, rest) = id(rest.trim());
    let (priority, rest) = priority(rest);
    let (title, files) = files(rest);
    let mark = read_mark(marked, legend);
    let item = Item {
        line,
        id: id.to_owned(),
        title: title.to_owned(),
        priority,
        files,
        depends: Vec::new(),
        verify: Vec::new(),
        acceptance: Vec::new(),
        detail: Vec::new(),
        status: mark.status,
    };
    Some(Line { item, mark, marked: marked.trim().to_owned() })
}

/// An id and what follows it: `Task-001: …`, `1.1 …`, and with the emphasis that people add. A
/// line without one has none; a first word that is no id is told as such by `valid`.
fn id(text: &str) -> (&str, &str) {
    let text = text.trim();
    if let Some((before, rest)) = text.split_once([':', '：']) {
        let bare = before.trim().trim_matches(['*', '`']);
        if !bare.is_empty() && !bare.contains(char::is_whitespace) {
            return (bare, rest.trim_start_matches('*').trim());
        }
    }
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let bare = first.trim_matches(['*', '`']);
    let dotted = bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let numbered = bare.contains('-') && bare.bytes().any(|byte| byte.is_ascii_digit());
    if !bare.is_empty() && valid_id(bare) && (dotted || numbered) {
        return (bare.trim_end_matches('.'), rest.trim());
    }
    ("", text)
}

fn priority(text: &str) -> (Option<Priority>, &str) {
    let known = [
        ("[P0]", Priority::P0),
        ("[P1]", Priority::P1),
        ("[P2]", Priority::P2),
        ("[P3]", Priority::P3),
    ];
    let found = known.into_iter().find_map(|(word, priority)| {
        let rest = text.strip_prefix(word)?;
        Some((Some(priority), rest.trim()))
    });
    found.unwrap_or((None, text))
}

/// A title, and the files in backquotes that a pair of brackets behind it names.
fn files(text: &str) -> (&str, Vec<String>) {
    let none = (text, Vec::new());
    let Some(inner) = text.strip_suffix([')', '）']) else { return none };
    let Some(at) = inner.rfind(['(', '（']) else { return none };
    let (title, group) = inner.split_at(at);
    match super::fields::spans(group.trim_start_matches(['(', '（'])) {
        Some(files) if !files.is_empty() && !title.trim().is_empty() => (title.trim_end(), files),
        Some(_) | None => none,
    }
}

impl Item {
    /// A task that nobody has done anything about.
    #[must_use]
    pub fn new(id: &str, title: &str) -> Self {
        Self {
            line: 0,
            id: id.to_owned(),
            title: title.to_owned(),
            priority: None,
            files: Vec::new(),
            depends: Vec::new(),
            verify: Vec::new(),
            acceptance: Vec::new(),
            detail: Vec::new(),
            status: Status::Pending,
        }
    }

    /// Whether the document says that it is done; nothing proves it yet.
    #[must_use]
    pub fn claimed(&self) -> bool {
        self.status == Status::Done
    }
}
