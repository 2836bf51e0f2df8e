//! Reads a plan document. Whatever can be read is read; what is wrong with it is told by `valid`.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::super::bounds::PRD_BYTES_MAX;
use super::super::text::{self, Numbered, Unread};
use super::super::{Legend, Mark};
use super::sections::{Fences, Kind, Section, trimmed, unwritten};
use super::{Doubt, Outline, Problem, Warning, Wrong, fields, task_line};

/// The comment by which a task list says that its marks are ours.
const OURS: &str = "<!-- loopwright:tasks";

/// Reads a document.
///
/// # Errors
/// When it is no text of a sensible length.
pub fn read(bytes: &[u8]) -> Result<Outline, Problem> {
    let (_, lines) = text::lines(bytes, PRD_BYTES_MAX).map_err(|broken| {
        let what = match broken.why {
            Unread::TooLarge => Wrong::TooLarge,
            Unread::NotUtf8
            | Unread::NoFence
            | Unread::OpenFence
            | Unread::DuplicateKey
            | Unread::Anchor
            | Unread::Tag
            | Unread::NotAPair
            | Unread::Nested
            | Unread::Collection
            | Unread::BlockText
            | Unread::OpenQuote
            | Unread::BadEscape
            | Unread::AfterQuote
            | Unread::NoSection => Wrong::NotUtf8,
        };
        Problem::new(broken.line, what, "")
    })?;
    let mut reader = Reader::new(&lines);
    for (line, text) in &lines {
        reader.line(*line, text);
    }
    Ok(reader.done())
}

struct Reader {
    out: Outline,
    fences: Fences,
    section: Option<(Section, usize)>,
    /// Whether tasks have a section of their own; else they are read wherever they stand.
    own_list: bool,
    legend: Legend,
    /// How far the current task is set in; none where no task is open.
    open: Option<usize>,
    title: Option<String>,
    first: Option<String>,
}

impl Reader {
    fn new(lines: &[Numbered<'_>]) -> Self {
        let mut fences = Fences::default();
        let own_list = lines.iter().any(|(_, text)| match fences.next(text) {
            Kind::Heading(_, name) => Section::named(name) == Some(Section::Tasks),
            Kind::Text | Kind::Code => false,
        });
        let legend = if lines.iter().any(|(_, text)| bears_legend(text)) {
            Legend::Ours
        } else {
            Legend::None
        };
        Self {
            out: Outline::default(),
            fences: Fences::default(),
            section: None,
            own_list,
            legend,
            open: None,
            title: None,
            first: None,
        }
    }

    fn line(&mut self, line: usize, text: &str) {
        match self.fences.next(text) {
            Kind::Heading(deep, name) => self.heading(deep, name),
            Kind::Code => self.code(text),
            Kind::Text => self.text(line, text),
        }
    }

    /// A heading begins a section of ours, ends one of the same depth, or belongs to its text.
    fn heading(&mut self, deep: usize, name: &str) {
        self.open = None;
        if deep == 1 && self.title.is_none() && !name.is_empty() {
            self.title = Some(name.to_owned());
            return;
        }
        match (Section::named(name), self.section) {
            (Some(section), None) => self.section = Some((section, deep)),
            (Some(section), Some((_, outer))) if deep <= outer => {
                self.section = Some((section, deep));
            }
            (None, Some((_, outer))) if deep <= outer => self.section = None,
            (Some(_) | None, Some(_)) => {
                let text: String =
                    core::iter::repeat_n('#', deep).chain([' ']).chain(name.chars()).collect();
                self.keep(text.trim_end());
            }
            (None, None) => {}
        }
    }

    fn code(&mut self, text: &str) {
        match (self.open, self.out.tasks.last_mut()) {
            (Some(_), Some(item)) => item.detail.push(text.trim().to_owned()),
            (Some(_) | None, _) => self.keep(text),
        }
    }

    fn text(&mut self, line: usize, text: &str) {
        let listed = match self.section {
            Some((Section::Tasks, _)) => true,
            Some((Section::Context | Section::Specs | Section::Risks, _)) | None => !self.own_list,
        };
        if listed && self.task(line, text) {
            return;
        }
        if let (Some(indent), Some(item)) = (self.open, self.out.tasks.last_mut()) {
            if text.trim().is_empty() {
                return;
            }
            if task_line::indent(text) > indent {
                match task_line::bullet(text) {
                    Some(rest) => fields::take(item, line, rest, &mut self.out.warnings),
                    None => item.detail.push(text.trim().to_owned()),
                }
                return;
            }
            self.open = None;
        }
        if self.first.is_none() && !text.trim().is_empty() {
            self.first = Some(text.trim().trim_start_matches(['>', ' ']).to_owned());
        }
        self.keep(unwritten(text));
    }

    fn task(&mut self, line: usize, text: &str) -> bool {
        let Some(found) = task_line::read(line, text, self.legend) else { return false };
        let Mark { odd, .. } = found.mark;
        if let Some(odd) = odd {
            let warning = Warning { line, what: Doubt::Mark(odd), found: found.marked };
            self.out.warnings.push(warning);
        }
        self.open = Some(task_line::indent(text));
        self.out.tasks.push(found.item);
        true
    }

    /// Keeps a line of the section it stands in.
    fn keep(&mut self, text: &str) {
        let lines = match self.section {
            Some((Section::Context, _)) => &mut self.out.context,
            Some((Section::Specs, _)) => &mut self.out.specs,
            Some((Section::Risks, _)) => &mut self.out.risks,
            Some((Section::Tasks, _)) | None => return,
        };
        lines.push(text.to_owned());
    }

    fn done(mut self) -> Outline {
        self.out.goal = self.title.or(self.first).unwrap_or_default();
        for lines in [&mut self.out.context, &mut self.out.specs, &mut self.out.risks] {
            *lines = trimmed(lines);
        }
        self.out
    }
}

/// Whether a line says what a cross means here: our comment, or a row of our legend.
fn bears_legend(text: &str) -> bool {
    let failed = ["failed", "失败"].iter().any(|word| text.contains(word));
    text.starts_with(OURS) || (text.contains("`[X]`") && failed)
}

/// The lines of a text as a section keeps them.
pub(super) fn section_lines(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    trimmed(&lines)
}
