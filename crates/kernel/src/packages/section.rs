//! Headings and what stands under them. A heading is compared whole, without its hashes, number and
//! bracketed suffix; a word elsewhere in the text is never one.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::text::{Place, Text};
use super::words::{Both, pair};

/// A heading and its extent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// How many hashes.
    pub level: usize,
    /// The heading as it is compared.
    pub title: String,
    /// The heading without its hashes alone.
    pub raw: String,
    /// The line of the heading.
    pub at: usize,
    /// Where the next heading of its level, or of one above it, begins.
    pub end: usize,
}

impl Section {
    /// The lines below the heading.
    #[must_use]
    pub const fn body(&self) -> Range<usize> {
        self.at + 1..self.end
    }
}

/// Every heading in the open.
#[must_use]
pub fn sections(text: &Text) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    for at in 0..text.lines().len() {
        let Some((level, raw)) = text.open(at).and_then(heading) else { continue };
        for open in all.iter_mut().filter(|it| it.end == usize::MAX && it.level >= level) {
            open.end = at;
        }
        let (title, raw) = (plain_heading(raw), raw.to_string());
        all.push(Section { level, title, raw, at, end: usize::MAX });
    }
    for open in all.iter_mut().filter(|it| it.end == usize::MAX) {
        open.end = text.lines().len();
    }
    all
}

/// The first section of that name below the title.
#[must_use]
pub fn named<'a>(all: &'a [Section], name: &Both) -> Option<&'a Section> {
    all.iter().find(|section| section.level > 1 && name.is(&section.title))
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.get(level..)?;
    let apart = rest.is_empty() || rest.starts_with([' ', '\t']);
    let raw = rest.trim().trim_end_matches('#').trim_end();
    ((1..=6).contains(&level) && apart).then_some((level, raw))
}

/// A heading as it is compared: without number and bracketed suffix.
#[must_use]
pub fn plain_heading(raw: &str) -> String {
    let digits = |letter: char| letter.is_ascii_digit() || letter == '.';
    let rest = raw.trim_start_matches(digits);
    let numbered = rest.len() < raw.len() && rest.starts_with([' ', '、', '\t']);
    let text = if numbered { rest.trim_start_matches(['、', ' ', '\t']) } else { raw };
    let mut text = text.trim();
    for (open, close) in [('(', ')'), ('（', '）'), ('[', ']'), ('【', '】')] {
        if text.ends_with(close)
            && let Some(at) = text.rfind(open).filter(|at| *at > 0)
        {
            text = text.get(..at).unwrap_or_default().trim_end();
        }
    }
    text.to_string()
}

/// The pairs of the first fenced block of a section: line, key, value.
#[must_use]
pub fn fenced_pairs<'a>(text: &'a Text, section: &Section) -> Vec<(usize, &'a str, &'a str)> {
    let mut found = Vec::new();
    let lines = text.lines();
    let mut inside = false;
    for at in section.body() {
        let Some(line) = lines.get(at) else { break };
        match line.place {
            Place::Fenced => inside = true,
            Place::Open | Place::Comment if inside => break,
            Place::Open | Place::Comment => continue,
        }
        if let Some((key, value)) = pair(&line.text) {
            found.push((at, key, value));
        }
    }
    found
}
