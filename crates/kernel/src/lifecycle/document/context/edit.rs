//! What an edit of the page asks for: marks of tasks are claims, the scratchpad is a note, and all
//! else is refused with what to use instead. One change that is refused takes no other down.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::super::bounds::SCRATCH_BYTES_MAX;
use super::super::text::{Broken, Form, Unread};
use super::super::{Odd, Status};
use super::head::KEYS;
use super::page::{Found, FoundTask, Page, read};
use super::scratch::bytes;

/// Why a change is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum No {
    /// A command does it.
    UseCommand,
    /// An amendment of the plan does it.
    UseAmend,
    /// Nothing does it: it is only shown.
    ViewOnly,
    /// It is more than is kept.
    TooLong,
    /// The file can't be read.
    Unparsable(Unread),
}

impl No {
    /// The refusal's reason.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::UseCommand => "use_command",
            Self::UseAmend => "use_amend",
            Self::ViewOnly => "view_only",
            Self::TooLong => "invalid_args",
            Self::Unparsable(_) => "unparsable",
        }
    }
}

/// A change that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Counted from 1.
    pub line: usize,
    /// Why.
    pub no: No,
    /// The key, the task or the section it is about.
    pub what: String,
}

/// The mark of a task that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Counted from 1.
    pub line: usize,
    /// Which task.
    pub task: String,
    /// What the new mark says.
    pub status: Status,
    /// What is odd about it.
    pub odd: Option<Odd>,
    /// What stands between the brackets.
    pub marked: String,
}

/// What an edit comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// The shape the file has now; a redrawing keeps it.
    pub form: Form,
    /// Marks that were changed.
    pub progress: Vec<Change>,
    /// The new scratchpad, if it was changed.
    pub scratch: Option<Vec<String>>,
    /// What is refused, in the order of the file.
    pub refused: Vec<Refused>,
}

impl Edits {
    fn refuse(&mut self, line: usize, no: No, what: impl Into<String>) {
        self.refused.push(Refused { line, no, what: what.into() });
    }

    /// Whether there is nothing to take in and nothing to refuse.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.progress.is_empty() && self.scratch.is_none() && self.refused.is_empty()
    }
}

/// Compares a file with the page it was made from, and with the one that is drawn now: what is as
/// in either was not touched. A file that can't be read is refused whole.
#[must_use]
pub fn compare(base: &Page, now: &Page, file: &[u8]) -> Edits {
    match read(file) {
        Ok(found) => changes(base, now, &found),
        Err(Broken { line, why, found }) => {
            let mut edits = Edits::default();
            edits.refuse(line, No::Unparsable(why), found);
            edits
        }
    }
}

fn changes(drawn: &Page, now: &Page, found: &Found) -> Edits {
    let mut edits = Edits { form: found.form, ..Edits::default() };
    keys([drawn, now], found, &mut edits);
    texts([drawn, now], found, &mut edits);
    queue(drawn, found, &mut edits);
    if found.scratch != drawn.scratch {
        if bytes(&found.scratch) > SCRATCH_BYTES_MAX {
            edits.refuse(found.places[2], No::TooLong, "Scratchpad");
        } else {
            edits.scratch = Some(found.scratch.clone());
        }
    }
    // A block that nobody knows is one find, however many lines it has.
    let mut last = None;
    for line in found.strays.iter().copied() {
        if last.is_none_or(|last| line != last + 1) {
            edits.refuse(line, No::ViewOnly, "");
        }
        last = Some(line);
    }
    edits.refused.sort_by_key(|refused| refused.line);
    edits
}

fn keys(pages: [&Page; 2], found: &Found, edits: &mut Edits) {
    for pair in &found.front.pairs {
        if !KEYS.contains(&&*pair.key) {
            edits.refuse(pair.line, No::ViewOnly, pair.key.clone());
        } else if pages.iter().all(|page| pair.value != page.head.meant(&pair.key)) {
            edits.refuse(pair.line, No::UseCommand, pair.key.clone());
        }
    }
    for key in KEYS.iter().filter(|key| found.front.pair(key).is_none()) {
        edits.refuse(found.front.end, No::UseCommand, *key);
    }
    for line in &found.front.comments {
        edits.refuse(*line, No::ViewOnly, "#");
    }
}

/// Goal and history are only shown.
fn texts([drawn, now]: [&Page; 2], found: &Found, edits: &mut Edits) {
    let sections = [
        (&drawn.goal, &now.goal, &found.goal, found.places[0], "Current Goal"),
        (&drawn.history, &now.history, &found.history, found.places[3], "History"),
    ];
    for (was, now, is, place, name) in sections {
        if is.iter().map(|(_, text)| text).eq(now) {
            continue;
        }
        let differs = |(at, (line, text)): (usize, &(usize, String))| {
            (was.get(at) != Some(text)).then_some(*line)
        };
        let line = is.iter().enumerate().find_map(differs);
        let line = line.or_else(|| (is.len() < was.len()).then_some(place));
        if let Some(line) = line {
            edits.refuse(line, No::ViewOnly, name);
        }
    }
}

fn queue(drawn: &Page, found: &Found, edits: &mut Edits) {
    let mut seen: Vec<&str> = Vec::new();
    for task in &found.queue {
        let Some(was) = drawn.queue.iter().find(|was| was.id == task.id) else {
            edits.refuse(task.line, No::ViewOnly, task.id.clone());
            continue;
        };
        if seen.contains(&&*task.id) || was.text != task.text {
            edits.refuse(task.line, No::UseAmend, task.id.clone());
        }
        if seen.contains(&&*task.id) {
            continue;
        }
        seen.push(&task.id);
        if task.mark.status != was.status {
            edits.progress.push(Change {
                line: task.line,
                task: task.id.clone(),
                status: task.mark.status,
                odd: task.mark.odd,
                marked: task.marked.clone(),
            });
        }
    }
    for was in drawn.queue.iter().filter(|was| !seen.contains(&&*was.id)) {
        edits.refuse(found.places[1], No::UseAmend, was.id.clone());
    }
    if let Some(task) = out_of_order(drawn, &found.queue) {
        edits.refuse(task.line, No::UseAmend, task.id.clone());
    }
}

/// The first task that stands behind one that it stood before.
fn out_of_order<'a>(drawn: &Page, found: &'a [FoundTask]) -> Option<&'a FoundTask> {
    let mut highest = None;
    found.iter().find(|task| {
        let place = drawn.queue.iter().position(|was| was.id == task.id);
        let back = place.is_some() && place < highest;
        highest = highest.max(place);
        back
    })
}
