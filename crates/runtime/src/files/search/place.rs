//! A place somebody else named, as it stands in the file: the line with what is around it.

use std::io::Read as _;

use super::super::lines::{has_nul, without_bom};
use super::super::root::Opened;
use super::hit::{Hit, Source};
use super::scan::LINE_CHARS_MAX;

/// Lines around a place.
const CONTEXT: usize = 2;

/// The line `line` of an open file; nothing if it has none, or is no text.
pub(super) fn at(opened: Opened, bytes_max: u64, path: &str, line: u64) -> Option<Hit> {
    let mut bytes = Vec::new();
    opened.file.take(bytes_max + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > bytes_max || has_nul(&bytes) {
        return None;
    }
    let text = String::from_utf8_lossy(without_bom(&bytes)).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let shown = |line: &&str| line.chars().take(LINE_CHARS_MAX).collect::<String>();
    let from = index.saturating_sub(CONTEXT);
    let to = (index + 1 + CONTEXT).min(lines.len());
    Some(Hit {
        path: path.to_owned(),
        line,
        column: 1,
        text: shown(lines.get(index)?),
        before: lines[from..index].iter().map(shown).collect(),
        after: lines[index + 1..to].iter().map(shown).collect(),
        source: Source::Semantic,
        score: 0.0,
    })
}
