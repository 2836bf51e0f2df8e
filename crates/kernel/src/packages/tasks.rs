//! The task list of a package, read from its text. Tasks stand at the margin; what is indented
//! below one belongs to it. Nothing is judged here.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::marks::{Mark, Status, XMeans};
use super::section::{Section, fenced_pairs, named, sections};
use super::text::{Place, Text};
use super::words::{Both, pair};

/// The line by which a file of ours says that its marks are ours.
pub const OUR_LINE: &str = "<!-- loopwright:tasks 1 -->";
/// The legend.
pub const LEGEND: Both = Both::new("任务状态符号说明", "Legend");
/// The counters.
pub const STATE: Both = Both::new("执行状态", "Status");
/// The list.
pub const LIST: Both = Both::new("任务列表", "Tasks");
/// The notes table.
pub const NOTES: Both = Both::new("执行备注", "Notes");
/// The sections a list must have.
pub const REQUIRED: [Both; 3] = [STATE, LIST, NOTES];
/// A note below a task.
pub const NOTE: Both = Both::new("备注", "Note");
/// All tasks.
pub const TOTAL: Both = Both::new("总任务", "total");
/// Done tasks.
pub const DONE: Both = Both::new("已完成", "completed");
/// Their share.
pub const RATE: Both = Both::new("完成率", "rate");
/// What proves a task.
pub const VERIFY: Both = Both::new("验证", "verify");
/// What comes before it.
pub const DEPENDS: Both = Both::new("依赖", "depends");
/// What it touches.
pub const FILES: Both = Both::new("文件", "files");
/// How it is done.
pub const RUN: Both = Both::new("执行", "run");

/// What proves a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verify {
    /// A command, as it stood between backticks.
    Command(String),
    /// Words for whoever reads.
    Words(String),
}

/// One task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its id, or `#k`.
    pub id: String,
    /// Whether the id is written there.
    pub has_id: bool,
    /// What follows the id.
    pub title: String,
    /// How its mark is taken.
    pub mark: Mark,
    /// What stands between the brackets.
    pub between: String,
    /// What proves it.
    pub verify: Vec<Verify>,
    /// Ids that come before it.
    pub depends: Vec<String>,
    /// Paths it names.
    pub files: Vec<String>,
    /// How it is done.
    pub run: Vec<String>,
    /// Notes below it.
    pub notes: Vec<String>,
    /// Its line, from 0.
    pub at: usize,
    /// The line after its last one.
    pub end: usize,
    pub(super) mark_at: Range<usize>,
}

impl Task {
    /// Where it stands.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.mark.status()
    }
}

/// A counter of the state block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// Its line.
    pub at: usize,
    /// What stands there.
    pub value: String,
}

/// The counters of the state block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counters {
    /// All tasks.
    pub total: Option<Counter>,
    /// Done tasks.
    pub completed: Option<Counter>,
    /// Their share.
    pub rate: Option<Counter>,
}

/// A task list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tasks {
    pub(super) text: Text,
    /// Its headings.
    pub sections: Vec<Section>,
    /// Its tasks, in order.
    pub tasks: Vec<Task>,
    /// Its counters.
    pub counters: Counters,
    /// Whether it says itself what a capital X means.
    pub legend: bool,
    pub(super) x: XMeans,
}

impl Tasks {
    /// Reads a list.
    #[must_use]
    pub fn read(text: Text, x: XMeans) -> Self {
        let sections = sections(&text);
        let legend = has_legend(&text);
        let counters = named(&sections, &STATE).map_or_else(Counters::default, |section| {
            let mut found = Counters::default();
            for (at, key, value) in fenced_pairs(&text, section) {
                let counter = Counter { at, value: value.to_string() };
                for (name, slot) in [
                    (TOTAL, &mut found.total),
                    (DONE, &mut found.completed),
                    (RATE, &mut found.rate),
                ] {
                    if name.is(key) && slot.is_none() {
                        *slot = Some(counter.clone());
                    }
                }
            }
            found
        });
        let tasks = all_tasks(&text, legend, x);
        Self { text, sections, tasks, counters, legend, x }
    }

    /// The text.
    #[must_use]
    pub const fn text(&self) -> &Text {
        &self.text
    }

    /// How many stand there.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.tasks.iter().filter(|task| task.status() == status).count()
    }

    /// The task of that id, compared whole.
    #[must_use]
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// The share of what is done.
    #[must_use]
    pub fn rate(&self) -> String {
        let total = self.tasks.len();
        match (100 * self.count(Status::Completed)).checked_div(total) {
            Some(rate) => format!("{rate}%"),
            None => "N/A".to_string(),
        }
    }
}

fn has_legend(text: &Text) -> bool {
    let says = |line: &str| {
        let row = line.trim_start().starts_with('|') && line.contains("[X]");
        row && (line.contains("失败") || line.to_ascii_lowercase().contains("failed"))
    };
    text.lines().iter().any(|line| match line.place {
        Place::Comment => line.text.trim() == OUR_LINE,
        Place::Open => says(&line.text),
        Place::Fenced => false,
    })
}

fn all_tasks(text: &Text, legend: bool, x: XMeans) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut below = false;
    for at in 0..text.lines().len() {
        let Some(line) = text.open(at) else { continue };
        if let Some(found) = task_line(line) {
            let (id, title, has_id) = match split_id(found.rest) {
                Some((id, title)) => (id.to_string(), title, true),
                None => (format!("#{}", tasks.len() + 1), found.rest, false),
            };
            let between = line.get(found.mark.clone()).unwrap_or_default();
            tasks.push(Task {
                id,
                has_id,
                title: title.trim().to_string(),
                mark: Mark::read(between, legend, x),
                between: between.to_string(),
                verify: Vec::new(),
                depends: Vec::new(),
                files: paths_of(title).into_iter().filter(|path| is_path(path)).collect(),
                run: Vec::new(),
                notes: Vec::new(),
                at,
                end: at + 1,
                mark_at: found.mark,
            });
            below = true;
            continue;
        }
        let blank = line.trim().is_empty();
        let inside = line.starts_with([' ', '\t']) || note(line).is_some();
        if let Some(task) = tasks.last_mut().filter(|_| below && inside && !blank) {
            belongs(task, line);
            task.end = at + 1;
        } else if !blank {
            below = false;
        }
    }
    tasks
}

struct Found<'a> {
    mark: Range<usize>,
    rest: &'a str,
}

/// A task's line: a bullet at the margin, one mark in brackets, something after it.
fn task_line(line: &str) -> Option<Found<'_>> {
    let rest = line.strip_prefix(['-', '*'])?;
    let blank = rest.len() - rest.trim_start().len();
    let open = 1 + blank;
    let inner = rest.trim_start().strip_prefix('[')?;
    let close = inner.find(']')?;
    let between = inner.get(..close)?;
    let mut letters = between.chars();
    let single = letters.next().is_none_or(|first| first != '[')
        && letters.next().is_none_or(|second| second == '\u{fe0f}')
        && letters.next().is_none();
    let after = inner.get(close + 1..)?;
    // A link or a reference in a list is no task.
    let link = after.starts_with(['(', '[', ':']);
    let rest = after.trim_start();
    let start = open + 1;
    (single && !link && !rest.is_empty())
        .then(|| Found { mark: start..start + between.len(), rest })
}

/// The id that a task's text begins with, and what follows it.
fn split_id(text: &str) -> Option<(&str, &str)> {
    let end = text.find([' ', '\t', ':', '：'])?;
    let (id, rest) = text.split_at(end);
    let rest = rest.trim_start_matches([' ', '\t', ':', '：']);
    is_id(id).then_some((id, rest))
}

fn is_id(id: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match id.split_once('-') {
        Some((letters, numbers)) => {
            let word = !letters.is_empty() && letters.bytes().all(|it| it.is_ascii_alphabetic());
            word && numbers.split('.').all(number)
        }
        None => id.split('.').all(number) && id.split('.').count() <= 3,
    }
}

/// The text of a note.
fn note(line: &str) -> Option<&str> {
    let (key, value) = pair(line.trim_start().strip_prefix('>')?)?;
    NOTE.is(key.trim_matches('*')).then_some(value)
}

fn belongs(task: &mut Task, line: &str) {
    if let Some(text) = note(line) {
        task.notes.push(text.to_string());
        return;
    }
    let Some(bullet) = line.trim_start().strip_prefix(['-', '*']) else { return };
    let Some((key, value)) = pair(bullet) else { return };
    if VERIFY.is(key) {
        task.verify.push(match whole_code(value) {
            Some(command) => Verify::Command(command.to_string()),
            None => Verify::Words(value.to_string()),
        });
    } else if DEPENDS.is(key) {
        task.depends.extend(ids_of(value));
    } else if FILES.is(key) {
        for path in paths_of(value) {
            if !task.files.contains(&path) {
                task.files.push(path);
            }
        }
    } else if RUN.is(key) {
        task.run.push(whole_code(value).unwrap_or(value).to_string());
    }
}

fn whole_code(value: &str) -> Option<&str> {
    let inner = value.strip_prefix('`')?.strip_suffix('`')?;
    (!inner.is_empty() && !inner.contains('`')).then_some(inner)
}

fn ids_of(value: &str) -> Vec<String> {
    let none = |id: &str| matches!(id, "无" | "-" | "—") || id.eq_ignore_ascii_case("none");
    value
        .split([',', '，', '、', ';', '；', ' ', '\t'])
        .map(|id| id.trim().trim_matches('`'))
        .filter(|id| !id.is_empty() && !none(id))
        .map(ToString::to_string)
        .collect()
}

/// What stands between backticks.
fn paths_of(text: &str) -> Vec<String> {
    let parts = text.split('`').enumerate().filter(|(n, _)| n % 2 == 1).map(|(_, part)| part);
    let closed = text.matches('`').count() / 2;
    parts.take(closed).filter(|part| !part.is_empty()).map(ToString::to_string).collect()
}

fn is_path(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').is_some_and(|(_, end)| {
        !end.is_empty() && end.len() <= 10 && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let plain = !text.contains([' ', '(', ')', '*', '"', '\'']) && !text.contains("::");
    plain && (text.contains('/') || ending)
}
