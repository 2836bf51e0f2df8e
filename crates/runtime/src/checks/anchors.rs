//! Places in files that output names, and what a tool itself suggests. Only what tools really
//! write is known; nothing is guessed from words.

use std::path::Path;

use super::result::{ANCHORS_MAX, Anchor, ERROR_BYTES_MAX};
use super::text::{Stream, head};
use crate::shim::files;

/// Directories whose files nobody here wrote: an error in one is no place to mend.
const VENDORED: [&str; 8] = [
    "node_modules",
    "vendor",
    "site-packages",
    "dist-packages",
    ".venv",
    ".cargo",
    ".rustup",
    "third_party",
];
/// What a tool's own suggestion begins with, and what stands in the middle of one.
const SUGGESTS: [&str; 4] = ["= help: ", "help: ", "hint: ", "suggestion: "];
const MEANT: &str = "did you mean";

/// Finds `file:line` places in `text`: those of rustc and of panics, and those that stand before a
/// message as most tools write them. A place is told once, with what was said of it first.
pub(super) fn anchors(text: &str, found: &mut Vec<Anchor>) {
    let mut message = "";
    for line in text.lines() {
        if found.len() >= ANCHORS_MAX {
            return;
        }
        let trimmed = line.trim_start();
        if trimmed.starts_with("error") || trimmed.starts_with("warning") {
            message = trimmed;
        }
        let place =
            trimmed.strip_prefix("--> ").or_else(|| trimmed.split_once("panicked at ")?.1.into());
        let anchor = match place {
            Some(place) => anchor(place, message.to_owned()),
            // Compilers, linters and Python's failures: `file.py:12: SomeError`, `a.c:3:7: error`.
            None => trimmed.split_once(": ").and_then(|(place, error)| {
                place.split(':').next().filter(|file| Path::new(file).extension().is_some())?;
                anchor(place, error.to_owned())
            }),
        };
        add(found, anchor);
    }
}

/// Keeps a place that is new and in a file of the project's own.
pub(super) fn add(found: &mut Vec<Anchor>, anchor: Option<Anchor>) {
    let known =
        |new: &Anchor| found.iter().any(|old| (&old.file, old.line) == (&new.file, new.line));
    let new = anchor.filter(|new| !known(new) && !is_vendored(&new.file));
    found.extend(new);
}

fn is_vendored(file: &str) -> bool {
    file.split('/').any(|part| VENDORED.contains(&part))
}

fn anchor(place: &str, message: String) -> Option<Anchor> {
    let mut parts = place.split(':');
    let file = parts.next().filter(|file| !file.is_empty() && !file.contains(' '))?;
    let line = parts.next()?.trim().parse().ok()?;
    let column = parts.next().and_then(|part| part.trim().parse().ok());
    let message = head(&message, ERROR_BYTES_MAX).to_owned();
    Some(Anchor { file: file.to_owned(), line, column, message })
}

/// Reads lines one by one: a message, and the place that follows it.
#[derive(Default)]
pub(super) struct Reading {
    context: String,
    /// What was found so far.
    pub(super) found: Vec<Anchor>,
    /// The first suggestion.
    pub(super) suggestion: Option<String>,
}

impl Reading {
    pub(super) fn line(&mut self, line: &str) {
        let message = line.starts_with("error") || line.starts_with("warning");
        if message {
            self.context.clear();
        }
        let pair = if message { format!("{line}\n") } else { format!("{}{line}", self.context) };
        anchors(&pair, &mut self.found);
        if message {
            self.context = pair;
        }
        if self.suggestion.is_none() {
            self.suggestion = suggested(line);
        }
    }
}

/// What a line suggests, in the tool's own words.
fn suggested(line: &str) -> Option<String> {
    let trimmed = line.trim();
    let after = SUGGESTS.iter().find_map(|word| trimmed.strip_prefix(word));
    let meant = || trimmed.to_lowercase().contains(MEANT).then_some(trimmed);
    let words = after.or_else(meant)?.trim();
    (!words.is_empty()).then(|| head(words, ERROR_BYTES_MAX).to_owned())
}

/// The first place that a text names, as `file:line`.
#[must_use]
pub fn place_in(text: &str) -> Option<String> {
    let mut found = Vec::new();
    anchors(text, &mut found);
    found.first().map(|at| format!("{}:{}", at.file, at.line))
}

/// The places that the output of the call with this directory names, and what it suggests.
#[must_use]
pub fn told(dir: &Path) -> (Vec<Anchor>, Option<String>) {
    let mut reading = Reading::default();
    for name in [files::STDERR, files::STDOUT] {
        reading.context.clear();
        Stream::File(dir.join(name)).each_line(|line| reading.line(line));
    }
    (reading.found, reading.suggestion)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_once_with_their_column_and_never_in_others_code() {
        let text = "error[E0308]: mismatched types\n --> src/a.rs:3:7\n\
                    src/a.rs:3:9: again\nb.c:5:2: error: missing\nt.py:12: ValueError\n\
                    node_modules/x/i.js:1:1: error\n/h/.cargo/registry/src/y.rs:9:1: error\n";
        let mut found = Vec::new();
        anchors(text, &mut found);
        let told: Vec<String> = found
            .iter()
            .map(|at| format!("{}:{}:{:?} {}", at.file, at.line, at.column, at.message))
            .collect();
        let expected = [
            "src/a.rs:3:Some(7) error[E0308]: mismatched types",
            "b.c:5:Some(2) error: missing",
            "t.py:12:None ValueError",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_suggestion_is_the_tool_s_own() {
        let table = [
            ("   = help: consider `x`", Some("consider `x`")),
            ("help: a local variable exists: `y`", Some("a local variable exists: `y`")),
            ("hint: run `npm install`", Some("run `npm install`")),
            ("error TS2551: Did you mean 'length'?", Some("error TS2551: Did you mean 'length'?")),
            ("helpful words", None),
            ("help: ", None),
        ];
        for (line, expected) in table {
            assert_eq!(suggested(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn both_streams_of_a_call_are_read() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(files::STDOUT), "a.py:1: X\nhint: try y\n").unwrap();
        std::fs::write(dir.path().join(files::STDERR), "error: bad\n --> b.rs:2:3\n").unwrap();
        let (found, suggestion) = told(dir.path());
        let files: Vec<&str> = found.iter().map(|at| at.file.as_str()).collect();
        assert_eq!((files, found[0].message.as_str()), (vec!["b.rs", "a.py"], "error: bad"));
        assert_eq!(suggestion.as_deref(), Some("try y"));
    }
}
