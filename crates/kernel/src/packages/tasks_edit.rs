//! Edits of a task list: marks, notes, counters, the status line. Each touches its own span; the
//! author's text stays. Who may write a mark is not decided here.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;

use super::marks::{Mark, Status};
use super::tasks::{NOTE, OUR_LINE, Tasks};
use super::text::{Place, Text};
use super::words::Tongue;

impl Tasks {
    /// Reads it again after an edit.
    fn again(&mut self) {
        *self = Self::read(core::mem::take(&mut self.text), self.x);
    }

    /// Sets the mark of the task of that id. Answers whether there is one.
    pub fn set_status(&mut self, id: &str, status: Status) -> bool {
        let Some(task) = self.task(id) else { return false };
        if task.mark != Mark::Own(status) {
            let (at, span) = (task.at, task.mark_at.clone());
            self.text.replace(at, span, status.mark());
            self.again();
        }
        true
    }

    /// Puts something between the brackets of the task of that id, whatever it is.
    pub(super) fn put_mark(&mut self, id: &str, between: &str) {
        let Some(task) = self.task(id) else { return };
        let (at, span) = (task.at, task.mark_at.clone());
        self.text.replace(at, span, between);
        self.again();
    }

    /// Whether picking the package rewrites something of its list.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        let theirs = |task: &super::tasks::Task| task.mark == Mark::Foreign;
        self.tasks.iter().any(theirs) || self.unsaid_x()
    }

    /// Whether a capital X means failed here only because somebody said so.
    fn unsaid_x(&self) -> bool {
        let failed = |task: &super::tasks::Task| task.mark == Mark::Own(Status::Failed);
        !self.legend && self.tasks.iter().any(failed)
    }

    /// Writes marks of others as ours, as is done when a package is picked. Where somebody said
    /// what a capital X means, the file says so from now on.
    pub fn adopt_marks(&mut self) {
        if self.unsaid_x() {
            let title = |at: &usize| self.text.open(*at).is_some_and(|it| it.starts_with("# "));
            let below = (0..self.text.lines().len()).find(title).map_or(0, |at| at + 1);
            self.text.insert(below, &[OUR_LINE.to_string()]);
            self.again();
        }
        let foreign: vec::Vec<String> = self
            .tasks
            .iter()
            .filter(|task| task.mark == Mark::Foreign)
            .map(|task| task.id.clone())
            .collect();
        for id in foreign {
            self.set_status(&id, Status::Completed);
        }
    }

    /// Adds a note below a task, unless the very same is there.
    pub fn add_note(&mut self, id: &str, note: &str, tongue: Tongue) -> bool {
        let Some(task) = self.task(id) else { return false };
        let note = note.split_whitespace().collect::<vec::Vec<_>>().join(" ");
        if !task.notes.contains(&note) {
            let line = format!("  > {}: {note}", NOTE.say(tongue));
            let end = task.end;
            self.text.insert(end, &[line]);
            self.again();
        }
        true
    }

    /// Writes the counters anew, where they stand.
    pub fn recount(&mut self) {
        let counters = self.counters.clone();
        let total = self.tasks.len().to_string();
        let done = self.count(Status::Completed).to_string();
        let rate = self.rate();
        for (counter, value) in
            [(counters.total, total), (counters.completed, done), (counters.rate, rate)]
        {
            let Some(counter) = counter.filter(|it| it.value != value) else { continue };
            let Some(line) = self.text.lines().get(counter.at) else { continue };
            let Some(colon) = line.text.find([':', '：']) else { continue };
            let width = line.text.get(colon..).and_then(|it| it.chars().next());
            let from = colon + width.map_or(1, char::len_utf8);
            let tail = line.text.get(from..).unwrap_or_default();
            let start = from + tail.len() - tail.trim_start().len();
            let end = from + tail.trim_end().len();
            let value = if tail.trim().is_empty() { format!(" {value}") } else { value };
            let span = if tail.trim().is_empty() { from..line.text.len() } else { start..end };
            self.text.replace(counter.at, span, &value);
        }
        self.again();
    }

    /// Whether the counters say what the marks do.
    #[must_use]
    pub fn counters_fit(&self) -> bool {
        let fits = |counter: &Option<super::tasks::Counter>, value: &str| {
            counter.as_ref().is_none_or(|it| it.value.trim_matches(['"', '\'']) == value)
        };
        fits(&self.counters.total, &self.tasks.len().to_string())
            && fits(&self.counters.completed, &self.count(Status::Completed).to_string())
            && fits(&self.counters.rate, &self.rate())
    }

    /// Writes how the package ended, in the place of an older such line or below the title.
    pub fn set_status_line(&mut self, status: &str, at: &str) {
        let line = format!("> **@status:** {status} | {at}");
        set_status_line(&mut self.text, &line);
        self.again();
    }
}

fn set_status_line(text: &mut Text, line: &str) {
    let is_status = |text: &str| {
        ["@status", "Status", "状态"].iter().any(|word| text.starts_with(&format!("> **{word}:**")))
    };
    let open = |at: &usize| text.open(*at).is_some_and(is_status);
    if let Some(at) = (0..text.lines().len()).find(open) {
        text.replace_line(at, line);
        return;
    }
    let title = |line: &super::text::Line| line.place == Place::Open && line.text.starts_with("# ");
    let below = text.lines().iter().position(title).map_or(0, |at| at + 1);
    text.insert(below, &[line.to_string()]);
}
