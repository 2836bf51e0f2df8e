//! What remains of a run: the month's page of tasks. The page is shared by all runs of a month, so
//! each run has its block, which is put again without changing any other.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The words of the page, in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    title: &'static str,
    completed: &'static str,
    files: &'static str,
    summary: &'static str,
    prd: &'static str,
    result: &'static str,
}

impl Words {
    /// English.
    pub const EN: Self = Self {
        title: "Task archive",
        completed: "Completed",
        files: "Files",
        summary: "Summary",
        prd: "PRD",
        result: "Result",
    };
    /// Chinese.
    pub const ZH: Self = Self {
        title: "任务归档",
        completed: "完成时间",
        files: "修改文件",
        summary: "摘要",
        prd: "相关 PRD",
        result: "结果",
    };
}

/// A task as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// When it was closed, as local time; none if it never was.
    pub completed: Option<String>,
    /// The person's commit at the end.
    pub commit: Option<String>,
    /// Paths that it changed.
    pub files: Vec<String>,
    /// What was said of it.
    pub summary: Option<String>,
    /// The plan it came from.
    pub prd: Option<String>,
    /// How it ended, with the reason if it is not done.
    pub result: String,
}

/// `task_archive_202602.md` for a month written `2026-02`.
#[must_use]
pub fn page_name(month: &str) -> String {
    let digits: String = month.chars().filter(char::is_ascii_digit).take(6).collect();
    format!("task_archive_{digits}.md")
}

fn opens(run: &str) -> String {
    format!("<!-- run {run} -->")
}

fn closes(run: &str) -> String {
    format!("<!-- end {run} -->")
}

/// Where the block of a run begins and ends.
fn place(page: &str, run: &str) -> Option<(usize, usize)> {
    let (from, to) = (page.find(&opens(run))?, page.find(&closes(run))?);
    (from < to).then(|| (from, to + closes(run).len()))
}

/// The block of a run within a page.
#[must_use]
pub fn block_of<'a>(page: &'a str, run: &str) -> Option<&'a str> {
    place(page, run).map(|(from, to)| &page[from..to])
}

/// The page with the block of a run: put in the place it has, else at the end.
#[must_use]
pub fn with_run(page: &str, month: &str, run: &str, entries: &[Entry], words: Words) -> String {
    let mut block = opens(run);
    block.push('\n');
    for entry in entries {
        block.push_str(&entry.draw(words));
        block.push('\n');
    }
    block.push_str(&closes(run));
    block.push('\n');
    let page = match page.trim().is_empty() {
        true => format!("# {} {month}\n\n", words.title),
        false => page.to_owned(),
    };
    match place(&page, run) {
        Some((from, to)) => {
            let after = page[to..].strip_prefix('\n').unwrap_or(&page[to..]);
            format!("{}{block}{after}", &page[..from])
        }
        None => {
            let gap = match (page.ends_with("\n\n"), page.ends_with('\n')) {
                (true, _) => "",
                (false, true) => "\n",
                (false, false) => "\n\n",
            };
            format!("{page}{gap}{block}")
        }
    }
}

impl Entry {
    fn draw(&self, words: Words) -> String {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let dash = |text: Option<&str>| text.map_or_else(|| "-".to_owned(), line);
        let files: Vec<String> = self.files.iter().map(|file| format!("`{file}`")).collect();
        let files = if files.is_empty() { "-".to_owned() } else { files.join(", ") };
        format!(
            "## {}: {}\n\n- {}: {}\n- Commit Hash: {}\n- {}: {}\n- {}: {}\n- {}: {}\n- {}: {}\n",
            self.id,
            line(&self.title),
            words.completed,
            dash(self.completed.as_deref()),
            dash(self.commit.as_deref()),
            words.files,
            files,
            words.summary,
            dash(self.summary.as_deref()),
            words.prd,
            dash(self.prd.as_deref()),
            words.result,
            line(&self.result),
        )
    }
}
