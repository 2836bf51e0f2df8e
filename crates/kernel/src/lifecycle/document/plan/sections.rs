//! The four sections of a plan document, found by their names in either language, and the text
//! within them. Text that looks like a heading is escaped when drawn, so that reading finds again
//! what was written.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Context,
    Specs,
    Tasks,
    Risks,
}

impl Section {
    /// The heading as we write it.
    pub(super) const fn heading(self) -> &'static str {
        match self {
            Self::Context => "## 1. Context & Goals (背景与目标)",
            Self::Specs => "## 2. Technical Specs (技术规格)",
            Self::Tasks => "## 3. Atomic Task List (任务清单)",
            Self::Risks => "## 4. Risks (风险)",
        }
    }

    /// The section that a heading begins, by what it is called.
    pub(super) fn named(heading: &str) -> Option<Self> {
        let name = heading.to_lowercase();
        let names: [(Self, &[&str]); 4] = [
            (Self::Context, &["context & goals", "context and goals", "背景与目标"]),
            (Self::Specs, &["technical specs", "技术规格"]),
            (Self::Tasks, &["task list", "任务清单", "任务列表"]),
            (Self::Risks, &["risks", "风险"]),
        ];
        let found = names.into_iter().find(|(_, names)| names.iter().any(|n| name.contains(n)));
        found.map(|(section, _)| section).or(match name.trim() {
            "tasks" | "任务" => Some(Self::Tasks),
            _other => None,
        })
    }
}

/// What a line is to the structure of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// A heading: how deep, and its text.
    Heading(usize, &'a str),
    /// Anything else.
    Text,
    /// A line of a code block, or one of its fences.
    Code,
}

/// Follows code blocks, in which nothing is a heading or a task.
#[derive(Debug, Default)]
pub(super) struct Fences {
    open: Option<char>,
}

impl Fences {
    /// What the next line is.
    pub(super) fn next<'a>(&mut self, line: &'a str) -> Kind<'a> {
        let trimmed = line.trim_start();
        let fence = ['`', '~']
            .into_iter()
            .find(|c| trimmed.chars().take_while(|found| found == c).count() >= 3);
        match (self.open, fence) {
            (None, Some(mark)) => {
                self.open = Some(mark);
                Kind::Code
            }
            (Some(open), Some(mark)) if open == mark => {
                self.open = None;
                Kind::Code
            }
            (Some(_), Some(_) | None) => Kind::Code,
            (None, None) => {
                heading(line).map_or(Kind::Text, |(deep, text)| Kind::Heading(deep, text))
            }
        }
    }

    /// What closes the block that is open.
    const fn closing(&self) -> Option<&'static str> {
        match self.open {
            None => None,
            Some('~') => Some("~~~"),
            Some(_) => Some("```"),
        }
    }
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let deep = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.get(deep..)?;
    let is = (1..=6).contains(&deep) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    is.then(|| (deep, rest.trim()))
}

/// Lines of text as they are written into a section.
pub(super) fn written(lines: &[String]) -> Vec<String> {
    let mut fences = Fences::default();
    let mut out: Vec<String> = lines
        .iter()
        .map(|line| match fences.next(line) {
            Kind::Code => line.clone(),
            Kind::Heading(..) | Kind::Text if escapes(line) => format!("\\{line}"),
            Kind::Heading(..) | Kind::Text => line.clone(),
        })
        .collect();
    out.extend(fences.closing().map(ToOwned::to_owned));
    out
}

/// A line of text as it was before it was written into a section.
pub(super) fn unwritten(line: &str) -> &str {
    line.strip_prefix('\\').filter(|rest| escapes(rest)).unwrap_or(line)
}

/// Whether a line is, or was, one that needs an escape.
fn escapes(line: &str) -> bool {
    line.trim_start_matches('\\').starts_with('#')
}

/// Lines without the empty ones around them.
pub(super) fn trimmed(lines: &[String]) -> Vec<String> {
    let empty = |line: &&String| line.trim().is_empty();
    let from = lines.iter().take_while(empty).count();
    let to = lines.len() - lines[from..].iter().rev().take_while(empty).count();
    lines[from..to].to_vec()
}
