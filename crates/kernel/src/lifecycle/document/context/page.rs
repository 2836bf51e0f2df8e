//! The page itself: front matter, goal, queue, scratchpad, history. The scratchpad may hold any
//! text, even our own headings, because its end is the last heading of the history.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::super::super::bounds::{CONTEXT_FILE_BYTES_MAX, HISTORY_LINES, valid_task_id};
use super::super::text::{self, Broken, Form, Numbered, Unread};
use super::super::{Legend, Mark, Status, read_mark};
use super::front::{self, FENCE, Front};
use super::head::Head;
use super::scalar::Scalar;

/// Of a long requirement the page shows the beginning; the whole is in the plan.
pub const GOAL_CHARS_MAX: usize = 2000;

const TITLE: &str = "# Active Context (短期记忆 - 工作台)";
const GOAL: &str = "## 1. Current Goal (当前目标)";
const QUEUE: &str = "## 2. Task Queue (任务队列)";
const SCRATCHPAD: &str = "## 3. Scratchpad (草稿区)";
const HISTORY: &str = "## 4. History (近 5 条记录)";

/// A task line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// How it stands.
    pub status: Status,
    /// Its id.
    pub id: String,
    /// Everything behind the id: title and files.
    pub text: String,
}

impl Task {
    /// A task line of a title and files.
    #[must_use]
    pub fn new(status: Status, id: &str, title: &str, files: &[String]) -> Self {
        let mut text = one_line(title);
        if !files.is_empty() {
            let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
            text = format!("{text} ({})", files.join(", "));
        }
        Self { status, id: id.to_owned(), text: text.trim().to_owned() }
    }
}

/// What the page says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its front matter.
    pub head: Head,
    /// Lines of the goal.
    pub goal: Vec<String>,
    /// The tasks, in document order.
    pub queue: Vec<Task>,
    /// Lines of the scratchpad, as `scratch_lines` makes them.
    pub scratch: Vec<String>,
    /// Ends of runs, the newest first.
    pub history: Vec<String>,
}

/// A page as found, with the places of everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The shape of the file.
    pub form: Form,
    pub(super) front: Front,
    pub(super) goal: Vec<(usize, String)>,
    pub(super) queue: Vec<FoundTask>,
    pub(super) scratch: Vec<String>,
    pub(super) history: Vec<(usize, String)>,
    /// Lines that nothing of ours looks like.
    pub(super) strays: Vec<usize>,
    /// Where the sections begin: goal, queue, scratchpad, history.
    pub(super) places: [usize; 4],
}

/// A task line as found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundTask {
    pub line: usize,
    pub mark: Mark,
    pub marked: String,
    pub id: String,
    pub text: String,
}

/// The lines of the goal: the beginning of a requirement, and the plan it came from.
#[must_use]
pub fn goal(text: &str, prd: Option<&str>) -> Vec<String> {
    let mut cut: String = text.chars().take(GOAL_CHARS_MAX).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    let mut lines: Vec<String> =
        cut.lines().map(|line| line.trim().to_owned()).skip_while(String::is_empty).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    if let Some(prd) = prd {
        let last = lines.pop().unwrap_or_default();
        lines.push(format!("{last} **PRD**: `{}`", one_line(prd)).trim().to_owned());
    }
    lines
}

/// A text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Page {
    /// The bytes of the page.
    #[must_use]
    pub fn draw(&self, form: Form) -> Vec<u8> {
        let mut out = format!("{FENCE}\n{}{FENCE}\n\n{TITLE}\n{GOAL}\n", self.head.draw());
        for line in &self.goal {
            out.push_str(format!("> {line}").trim_end());
            out.push('\n');
        }
        out.push_str(QUEUE);
        out.push('\n');
        for Task { status, id, text } in &self.queue {
            out.push_str(format!("- [{}] {id}: {text}", status.mark()).trim_end());
            out.push('\n');
        }
        out.push_str(SCRATCHPAD);
        out.push('\n');
        for line in &self.scratch {
            out.push_str(line);
            out.push('\n');
        }
        out.push_str(HISTORY);
        out.push('\n');
        for (at, line) in self.history.iter().take(HISTORY_LINES).enumerate() {
            out.push_str(&format!("{}. {line}\n", at + 1));
        }
        text::shaped(&out, form)
    }
}

/// The shape of a file, whatever it says.
#[must_use]
pub fn form(bytes: &[u8]) -> Form {
    text::lines(bytes, CONTEXT_FILE_BYTES_MAX).map_or_else(|_| Form::default(), |(form, _)| form)
}

/// Reads a page.
///
/// # Errors
/// Where and why it can't be read at all.
pub fn read(bytes: &[u8]) -> Result<Found, Broken> {
    let (form, lines) = text::lines(bytes, CONTEXT_FILE_BYTES_MAX)?;
    let (front, body) = front::read(&lines)?;
    let end = lines.len() + 1;
    let missing = |heading: &str| Broken::new(end, Unread::NoSection, heading);
    let first = |from: usize, heading: &str| {
        let found = body.iter().skip(from).position(|(_, line)| line.trim_end() == heading);
        found.map(|at| at + from).ok_or_else(|| missing(heading))
    };
    let title = first(0, TITLE)?;
    let goal = first(title, GOAL)?;
    let queue = first(goal, QUEUE)?;
    let scratch = first(queue, SCRATCHPAD)?;
    let history = body.iter().rposition(|(_, line)| line.trim_end() == HISTORY);
    let history = history.filter(|at| *at > scratch).ok_or_else(|| missing(HISTORY))?;
    let place = |at: usize| body.get(at).map_or(end, |(line, _)| *line);
    let mut found = Found {
        form,
        front,
        goal: Vec::new(),
        queue: Vec::new(),
        scratch: text_of(&body[scratch + 1..history]),
        history: Vec::new(),
        strays: Vec::new(),
        places: [place(goal), place(queue), place(scratch), place(history)],
    };
    found.strays.extend(filled(&body[..title]).map(|(line, _)| line));
    found.strays.extend(filled(&body[title + 1..goal]).map(|(line, _)| line));
    found.take_goal(&body[goal + 1..queue]);
    found.take_queue(&body[queue + 1..scratch]);
    found.take_history(&body[history + 1..]);
    Ok(found)
}

impl Found {
    fn take_goal(&mut self, lines: &[Numbered<'_>]) {
        for (line, text) in filled(lines) {
            match text.trim_end().strip_prefix('>') {
                Some(rest) => {
                    let rest = rest.strip_prefix(' ').unwrap_or(rest);
                    self.goal.push((line, rest.to_owned()));
                }
                None => self.strays.push(line),
            }
        }
    }

    fn take_queue(&mut self, lines: &[Numbered<'_>]) {
        for (line, text) in filled(lines) {
            match task(line, text) {
                Some(task) => self.queue.push(task),
                None => self.strays.push(line),
            }
        }
    }

    fn take_history(&mut self, lines: &[Numbered<'_>]) {
        for (line, text) in filled(lines) {
            let numbered = text.split_once(". ").filter(|(number, _)| {
                !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            });
            match numbered {
                Some((_, rest)) => self.history.push((line, rest.trim_end().to_owned())),
                None => self.strays.push(line),
            }
        }
    }

    /// The page, if it has every key and every mark is one of ours: nothing was touched by hand.
    ///
    /// # Errors
    /// The key or the line that is not as we draw it.
    pub fn page(&self) -> Result<Page, String> {
        let head = Head::read(&self.front).map_err(ToOwned::to_owned)?;
        let strays = self.front.comments.iter().chain(&self.strays);
        if let Some(line) = strays.min() {
            return Err(line.to_string());
        }
        let unknown = self.front.pairs.iter().find(|pair| !super::KEYS.contains(&&*pair.key));
        if let Some(pair) = unknown {
            return Err(pair.key.clone());
        }
        if let Some(task) = self.queue.iter().find(|task| task.mark.odd.is_some()) {
            return Err(task.line.to_string());
        }
        let queue = self.queue.iter().map(|task| Task {
            status: task.mark.status,
            id: task.id.clone(),
            text: task.text.clone(),
        });
        Ok(Page {
            head,
            goal: self.goal.iter().map(|(_, text)| text.clone()).collect(),
            queue: queue.collect(),
            scratch: self.scratch.clone(),
            history: self.history.iter().map(|(_, text)| text.clone()).collect(),
        })
    }

    /// The run that the page is of.
    #[must_use]
    pub fn run_id(&self) -> Option<&str> {
        match &self.front.pair("x_run_id")?.value {
            Scalar::Text(text) => Some(text),
            Scalar::Null => None,
        }
    }

    /// The position of the run at which the page was drawn that this one was made from.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        match &self.front.pair("x_seq")?.value {
            Scalar::Text(text) => text.parse().ok(),
            Scalar::Null => None,
        }
    }
}

fn filled<'a, 'b>(lines: &'b [Numbered<'a>]) -> impl Iterator<Item = Numbered<'a>> + use<'a, 'b> {
    lines.iter().copied().filter(|(_, text)| !text.trim().is_empty())
}

fn text_of(lines: &[Numbered<'_>]) -> Vec<String> {
    lines.iter().map(|(_, text)| text.trim_end_matches('\r').to_owned()).collect()
}

/// `- [mark] id: text`, as we draw it and with the bullets and colons that people use.
fn task(line: usize, text: &str) -> Option<FoundTask> {
    let rest = text.trim().strip_prefix(['-', '*'])?.trim_start().strip_prefix('[')?;
    let (mark, rest) = rest.split_once(']')?;
    let rest = rest.trim_start();
    let (id, text) = named(rest.split_once([':', '：']))
        .or_else(|| named(rest.split_once(char::is_whitespace)))?;
    let (marked, mark) = (mark.trim().to_owned(), read_mark(mark, Legend::None));
    Some(FoundTask { line, mark, marked, id: id.to_owned(), text: text.to_owned() })
}

fn named<'a>(split: Option<(&'a str, &'a str)>) -> Option<(&'a str, &'a str)> {
    let (id, text) = split?;
    valid_task_id(id.trim()).then(|| (id.trim(), text.trim()))
}
