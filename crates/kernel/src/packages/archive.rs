//! How a package ends: its status by the marks, the last edits of its task list, and its row in the
//! index. Marks decide; a wish never makes a package completed.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::marks::Status;
use super::name::Name;
use super::proposal::{self, Proposal, Type};
use super::section::{named, sections};
use super::tasks::Tasks;
use super::text::Text;
use super::words::{Both, Tongue};

/// The table of all packages.
pub const QUICK: Both = Both::new("快速索引", "Quick index");
/// The list of months.
pub const BY_MONTH: Both = Both::new("按月归档", "By month");
/// What the results mean.
pub const LEGEND: Both = Both::new("结果状态说明", "Legend");
/// The sections an index must have.
pub const REQUIRED: [Both; 3] = [QUICK, BY_MONTH, LEGEND];

/// How a package ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Every task is done.
    Completed,
    /// Some are.
    Partial,
    /// None is, and some were tried.
    Failed,
    /// Nothing was tried.
    Skipped,
    /// There was nothing to do.
    Overview,
    /// It was taken back.
    RolledBack,
}

impl Ended {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Completed,
        Self::Partial,
        Self::Failed,
        Self::Skipped,
        Self::Overview,
        Self::RolledBack,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Partial => "partial",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Overview => "overview",
            Self::RolledBack => "rolled_back",
        }
    }

    /// The one of that word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }

    /// What its row says.
    #[must_use]
    pub const fn result(self) -> Both {
        match self {
            Self::Completed | Self::Overview => Both::new("✅完成", "✅Done"),
            Self::Partial => Both::new("⚠️部分完成", "⚠️Partly"),
            Self::Failed => Both::new("❌失败/中止", "❌Failed"),
            Self::Skipped => Both::new("⏸未执行", "⏸Not run"),
            Self::RolledBack => Both::new("🔄已回滚", "🔄Rolled back"),
        }
    }

    /// What the marks say.
    #[must_use]
    pub fn of(tasks: Option<&Tasks>, kind: Type) -> Self {
        let count = |status| tasks.map_or(0, |tasks| tasks.count(status));
        let total = tasks.map_or(0, |tasks| tasks.tasks.len());
        let done = count(Status::Completed);
        match (kind, done) {
            (Type::Overview, _) => Self::Overview,
            (Type::Implementation, 0) if count(Status::Failed) > 0 => Self::Failed,
            (Type::Implementation, 0) => Self::Skipped,
            (Type::Implementation, done) if done == total => Self::Completed,
            (Type::Implementation, _) => Self::Partial,
        }
    }
}

/// Tasks that are not done, so that nobody may call the package completed.
#[must_use]
pub fn not_done(tasks: Option<&Tasks>) -> Vec<String> {
    let Some(tasks) = tasks else { return Vec::new() };
    let open = tasks.tasks.iter().filter(|task| task.status() != Status::Completed);
    open.map(|task| task.id.clone()).collect()
}

/// What is noted below a task that ended without a word.
fn note_of(status: Status) -> Both {
    match status {
        Status::Pending => Both::new("未执行", "not run"),
        Status::Failed => Both::new("执行失败", "failed"),
        Status::Skipped => Both::new("已跳过", "skipped"),
        Status::Uncertain => Both::new("结果不确定", "uncertain"),
        Status::Completed => Both::new("已完成", "completed"),
    }
}

/// The last edits of a task list: status line, a note for every task not done, counters.
pub fn finish(tasks: &mut Tasks, ended: Ended, at: &str, tongue: Tongue) {
    tasks.set_status_line(ended.word(), at);
    let silent: Vec<(String, Status)> = tasks
        .tasks
        .iter()
        .filter(|task| task.status() != Status::Completed && task.notes.is_empty())
        .map(|task| (task.id.clone(), task.status()))
        .collect();
    for (id, status) in silent {
        tasks.add_note(&id, note_of(status).say(tongue), tongue);
    }
    tasks.recount();
}

/// A row of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The package, under its final name.
    pub name: Name,
    /// What kind of change it is.
    pub kind: String,
    /// Modules that it touches.
    pub modules: Vec<String>,
    /// Ids of its decisions.
    pub decisions: Vec<String>,
    /// What became of it.
    pub ended: Ended,
}

impl Row {
    /// The row of a package, as far as its texts say.
    #[must_use]
    pub fn of(name: &Name, proposal: Option<&Proposal>, ended: Ended) -> Self {
        let kind = match (proposal, ended) {
            (_, Ended::Overview) => Type::Overview.word().to_string(),
            (Some(proposal), _) => proposal.fact(&proposal::KIND).unwrap_or("-").trim().to_string(),
            (None, _) => "-".to_string(),
        };
        Self {
            name: name.clone(),
            kind,
            modules: proposal.map(Proposal::modules).unwrap_or_default(),
            decisions: proposal
                .map(|it| it.decisions().into_iter().map(|one| one.id).collect())
                .unwrap_or_default(),
            ended,
        }
    }

    fn feature(&self) -> String {
        match self.name.version() {
            1 => self.name.feature().to_string(),
            version => format!("{}_v{version}", self.name.feature()),
        }
    }

    /// Six cells, always.
    #[must_use]
    pub fn render(&self, tongue: Tongue) -> String {
        let feature = self.feature();
        let decisions = match self.decisions.is_empty() {
            true => String::new(),
            false => format!("{feature}{}", self.decisions.join(",")),
        };
        let cells = [
            self.name.stamp().to_string(),
            feature,
            self.kind.clone(),
            self.modules.join(", "),
            decisions,
            self.ended.result().say(tongue).to_string(),
        ];
        let cells: Vec<String> = cells.iter().map(|cell| cell_of(cell)).collect();
        format!("| {} |", cells.join(" | "))
    }
}

fn cell_of(text: &str) -> String {
    let text = text.trim();
    let line = if text.is_empty() { "-" } else { text };
    line.replace(['\n', '\r'], " ").replace("\\|", "|").replace('|', "\\|")
}

/// The cells of a table's row.
#[must_use]
pub fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut escaped = false;
    for letter in line.chars() {
        match letter {
            '|' if !escaped => cells.push(core::mem::take(&mut cell).trim().to_string()),
            _ => cell.push(letter),
        }
        escaped = letter == '\\' && !escaped;
    }
    if !cell.trim().is_empty() {
        cells.push(cell.trim().to_string());
    }
    cells
}

/// Enters a package: first row below the separator, in the place of its own older row, and one line
/// under its month. Answers whether the table is there.
pub fn enter(index: &mut Text, row: &Row, tongue: Tongue) -> bool {
    let found = sections(index);
    let Some(section) = named(&found, &QUICK) else { return false };
    let body = section.body();
    let is_row = |at: &usize| index.open(*at).is_some_and(|it| it.trim_start().starts_with('|'));
    let separator = body.clone().find(|at| {
        let line = index.open(*at).unwrap_or_default();
        is_row(at) && line.contains('-') && line.chars().all(|it| " |:-\t".contains(it))
    });
    let Some(separator) = separator else { return false };
    let (stamp, feature) = (row.name.stamp(), row.feature());
    let own = (separator + 1..body.end).take_while(is_row).find(|at| {
        let cells = cells(index.open(*at).unwrap_or_default());
        cells.first().is_some_and(|it| it == stamp) && cells.get(1) == Some(&feature)
    });
    let drawn = row.render(tongue);
    match own {
        Some(at) => index.replace_line(at, &drawn),
        None => index.insert(separator + 1, &[drawn]),
    }
    enter_month(index, row);
    true
}

fn enter_month(index: &mut Text, row: &Row) {
    let (month, name) = (row.name.month(), row.name.to_string());
    let line = format!("- [{name}]({month}/{name}/)");
    let found = sections(index);
    let Some(section) = named(&found, &BY_MONTH) else { return };
    let own = found.iter().find(|it| section.body().contains(&it.at) && it.title == month);
    if let Some(own) = own {
        let link = format!("[{name}](");
        if own.body().any(|at| index.open(at).is_some_and(|it| it.contains(&link))) {
            return;
        }
        let skip = own.body().take_while(|at| index.open(*at).is_some_and(str::is_empty)).count();
        index.insert(own.at + 1 + skip.min(1), &[line]);
        return;
    }
    let heading = format!("### {month}");
    index.insert(section.at + 1, &[String::new(), heading, String::new(), line]);
}
