//! Entries of the changelog: drawn, placed under their version and group, and replaced when the
//! same package is entered again. Other entries keep their bytes and their order.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::section::{Section, sections};
use super::text::Text;
use super::version::numbers;
use super::words::{Both, Tongue};

/// The title.
pub const TITLE: Both = Both::new("变更日志", "Changelog");
const UNRELEASED: &str = "Unreleased";

/// The group of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Something new.
    Added,
    /// Something repaired.
    Fixed,
    /// Something done otherwise.
    Changed,
    /// Something gone.
    Removed,
    /// Something small.
    Tweaked,
    /// Something taken back.
    RolledBack,
    /// Words.
    Docs,
}

impl Group {
    /// Its heading.
    #[must_use]
    pub const fn name(self) -> Both {
        match self {
            Self::Added => Both::new("新增", "Added"),
            Self::Fixed => Both::new("修复", "Fixed"),
            Self::Changed => Both::new("变更", "Changed"),
            Self::Removed => Both::new("移除", "Removed"),
            Self::Tweaked => Both::new("微调", "Tweaked"),
            Self::RolledBack => Both::new("回滚", "Rolled back"),
            Self::Docs => Both::new("文档", "Docs"),
        }
    }

    /// The group of a package by its kind of change.
    #[must_use]
    pub fn of_kind(kind: &str) -> Self {
        let is = |zh: &str, en: &str| kind.contains(zh) || kind.to_ascii_lowercase().contains(en);
        if is("新功能", "feature") {
            Self::Added
        } else if is("修复", "fix") {
            Self::Fixed
        } else {
            Self::Changed
        }
    }
}

/// A risk that a person accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Risk {
    /// Which.
    pub kind: String,
    /// What it was told by.
    pub evidence: String,
}

/// What an entry is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "about")]
pub enum About {
    /// A package that was carried out.
    Package {
        /// Its archive name.
        package: String,
        /// Its month.
        month: String,
        /// Its decisions: id and title.
        decisions: Vec<(String, String)>,
    },
    /// A package of documents only.
    Overview {
        /// Its archive name.
        package: String,
        /// Its month.
        month: String,
    },
    /// A small change without a package.
    Tweak {
        /// The call that made it.
        call: String,
        /// `path:from-to`.
        files: Vec<String>,
        /// Whether it went past its limit by a person's word.
        forced: bool,
    },
    /// A return to an earlier state.
    Rollback {
        /// The call that did it.
        call: String,
        /// The package that was taken back, and its month.
        package: Option<(String, String)>,
        /// Version or commit.
        to: String,
    },
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its group.
    pub group: Group,
    /// The module it is about.
    pub module: String,
    /// What changed.
    pub description: String,
    /// What it is about.
    pub about: About,
    /// Risks that were accepted.
    #[serde(default)]
    pub risks: Vec<Risk>,
}

/// Where an entry went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Put {
    /// Into its version and group.
    Placed,
    /// In the place of the entry that was there for the same.
    Replaced,
    /// At the end: the text is no changelog that we know.
    Appended,
}

impl Entry {
    /// Its lines.
    #[must_use]
    pub fn render(&self, tongue: Tongue) -> Vec<String> {
        let both = |zh: &'static str, en: &'static str| Both::new(zh, en).say(tongue);
        let mark = self.call().map(|call| format!(" <!-- {call} -->")).unwrap_or_default();
        let mut lines =
            vec![format!("- **[{}]**: {}{mark}", self.module, one_line(&self.description))];
        let link = |package: &str, month: &str| {
            format!("  - {}: [{package}](archive/{month}/{package}/)", both("方案", "Plan"))
        };
        let kind = |text: &str| format!("  - {}: {text}", both("类型", "Kind"));
        match &self.about {
            About::Package { package, month, decisions } => {
                lines.push(link(package, month));
                if !decisions.is_empty() {
                    let told: Vec<String> =
                        decisions.iter().map(|(id, title)| format!("{id}({title})")).collect();
                    let label = both("决策", "Decisions");
                    lines.push(format!("  - {label}: {}", told.join(", ")));
                }
            }
            About::Overview { package, month } => {
                lines.push(link(package, month));
                lines.push(kind(both("概述文档（无执行任务）", "overview (no tasks)")));
            }
            About::Tweak { files, forced, .. } => {
                let word = match forced {
                    true => both("超范围微调", "out-of-range tweak"),
                    false => both("微调（无方案包）", "tweak (no package)"),
                };
                let label = both("文件", "File");
                lines.push(format!("{} · {label}: {}", kind(word), files.join(", ")));
            }
            About::Rollback { package, to, .. } => {
                lines.extend(package.iter().map(|(package, month)| link(package, month)));
                let back = both("回滚至", "rolled back to");
                lines.push(format!("  - {}: {back} {to}", both("原因", "Reason")));
            }
        }
        for risk in &self.risks {
            let accepted = both("用户已确认风险", "risk accepted by user");
            let label = both("检测依据", "Evidence");
            let Risk { kind, evidence } = risk;
            let evidence = one_line(evidence);
            lines.push(format!("  - ⚠️ EHRB: {kind} - {accepted} · {label}: {evidence}"));
        }
        lines
    }

    fn call(&self) -> Option<&str> {
        match &self.about {
            About::Tweak { call, .. } | About::Rollback { call, .. } => Some(call),
            About::Package { .. } | About::Overview { .. } => None,
        }
    }

    /// By what an entry for the same is known.
    fn sign(&self) -> String {
        match &self.about {
            About::Package { package, .. } | About::Overview { package, .. } => {
                format!("[{package}](archive/")
            }
            About::Tweak { call, .. } | About::Rollback { call, .. } => format!("<!-- {call} -->"),
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An empty changelog.
#[must_use]
pub fn empty(tongue: Tongue) -> String {
    format!("# {}\n\n## [{UNRELEASED}]\n", TITLE.say(tongue))
}

/// The newest version that the log names.
#[must_use]
pub fn newest(text: &Text) -> Option<String> {
    sections(text).iter().filter(|it| it.level == 2).find_map(version_of)
}

fn version_of(section: &Section) -> Option<String> {
    let inner = section.raw.strip_prefix('[')?;
    let (version, _) = inner.split_once(']')?;
    numbers(version).map(|_| version.to_string())
}

/// Puts an entry into the log.
pub fn put(text: &mut Text, entry: &Entry, version: &str, date: &str, tongue: Tongue) -> Put {
    let lines = entry.render(tongue);
    let sign = entry.sign();
    if let Some(old) = entry_with(text, &sign, entry) {
        let at = old.start;
        text.remove(old);
        text.insert(at, &lines);
        return Put::Replaced;
    }
    let found = sections(text);
    let of_version =
        found.iter().find(|it| it.level == 2 && version_of(it).as_deref() == Some(version));
    if let Some(section) = of_version {
        into(text, section, &found, entry.group, lines, tongue);
        return Put::Placed;
    }
    let unreleased =
        found.iter().find(|it| it.level == 2 && it.raw.starts_with(&format!("[{UNRELEASED}]")));
    let title = found.iter().find(|it| it.level == 1);
    let first = found.iter().find(|it| it.level == 2);
    let at = match (unreleased, first, title) {
        (Some(section), _, _) => section.end,
        (None, Some(first), _) => first.at,
        (None, None, Some(title)) => title.at + 1,
        (None, None, None) => {
            let end = text.lines().len();
            text.insert(end, &lines);
            return Put::Appended;
        }
    };
    let mut all = vec![
        format!("## [{version}] - {date}"),
        String::new(),
        format!("### {}", entry.group.name().say(tongue)),
    ];
    all.extend(lines);
    let at = spaced(text, at, &mut all);
    text.insert(at, &all);
    Put::Placed
}

/// Sets the new lines apart from what is before and after them; where they go.
fn spaced(text: &Text, at: usize, lines: &mut Vec<String>) -> usize {
    let blank = |at: usize| text.lines().get(at).is_none_or(|line| line.text.trim().is_empty());
    if at > 0 && !blank(at - 1) {
        lines.insert(0, String::new());
    }
    if at < text.lines().len() {
        lines.push(String::new());
    }
    at
}

fn into(
    text: &mut Text,
    section: &Section,
    all: &[Section],
    group: Group,
    mut lines: Vec<String>,
    tongue: Tongue,
) {
    let inside = |it: &&Section| section.body().contains(&it.at) && it.level == 3;
    if let Some(own) = all.iter().filter(inside).find(|it| group.name().is(&it.title)) {
        let blank = text.open(own.at + 1).is_some_and(|line| line.trim().is_empty());
        let at = own.at + 1 + usize::from(blank && own.at + 1 < own.end);
        text.insert(at, &lines);
        return;
    }
    lines.insert(0, format!("### {}", group.name().say(tongue)));
    let mut end = section.end;
    while end > section.at + 1 && text.open(end - 1).is_some_and(|line| line.trim().is_empty()) {
        end -= 1;
    }
    lines.insert(0, String::new());
    text.insert(end, &lines);
}

/// The lines of the entry that bears a sign. A rollback names a package as well, and is not the
/// entry of that package.
fn entry_with(text: &Text, sign: &str, entry: &Entry) -> Option<Range<usize>> {
    let starts = |at: &usize| text.open(*at).is_some_and(|line| line.starts_with("- **["));
    for start in (0..text.lines().len()).filter(starts) {
        let below = |at: &usize| text.open(*at).is_some_and(|line| line.starts_with("  "));
        let end = (start + 1..text.lines().len()).take_while(below).last().unwrap_or(start) + 1;
        let block = || (start..end).filter_map(|at| text.open(at));
        let marked = block().next().is_some_and(|line| line.contains("<!-- call-"));
        if block().any(|line| line.contains(sign)) && marked == entry.call().is_some() {
            return Some(start..end);
        }
    }
    None
}
