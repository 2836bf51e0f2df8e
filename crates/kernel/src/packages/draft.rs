//! A package before it is a file: what a designer answers, or the blanks of a template, drawn as
//! proposal and task list. Whether it is a good one is found by the check.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::proposal::{self, Type};
use super::tasks::{self, OUR_LINE};
use super::words::{Both, Tongue};

/// One task of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// What it touches.
    #[serde(default)]
    pub files: Vec<String>,
    /// The command that proves it.
    #[serde(default)]
    pub verify: Option<String>,
    /// What comes before it.
    #[serde(default)]
    pub depends: Vec<String>,
}

/// One decision of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// What was decided about.
    pub title: String,
    /// What was chosen.
    pub decision: String,
    /// Why.
    pub reason: String,
    /// What else there was.
    #[serde(default)]
    pub options: String,
}

/// A package before it is a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// What it is for.
    #[serde(default, rename = "type")]
    pub package_type: Type,
    /// What kind of change it is.
    #[serde(default)]
    pub kind: String,
    /// Why.
    #[serde(default)]
    pub background: String,
    /// What for.
    #[serde(default)]
    pub goal: String,
    /// What binds it.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// What shows that it is done.
    #[serde(default)]
    pub acceptance: Vec<String>,
    /// How.
    #[serde(default)]
    pub approach: String,
    /// Modules that it touches.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Files that it touches.
    #[serde(default)]
    pub files: Vec<String>,
    /// What could go wrong, and what was accepted.
    #[serde(default)]
    pub risks: Vec<String>,
    /// Its tasks.
    #[serde(default)]
    pub tasks: Vec<Task>,
    /// Its decisions.
    #[serde(default)]
    pub decisions: Vec<Decision>,
}

/// What a package is called and where it lies.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The feature.
    pub feature: &'a str,
    /// Its directory, below the workspace.
    pub dir: &'a str,
    /// When it was made.
    pub at: &'a str,
    /// Its language.
    pub tongue: Tongue,
}

struct Page {
    lines: Vec<String>,
    tongue: Tongue,
}

impl Page {
    fn say(&self, zh: &'static str, en: &'static str) -> &'static str {
        Both::new(zh, en).say(self.tongue)
    }

    fn line(&mut self, text: &str) {
        self.lines.push(text.to_string());
    }

    fn heading(&mut self, text: &str) {
        self.lines.extend([String::new(), text.to_string(), String::new()]);
    }

    fn bullets(&mut self, items: &[String], prefix: &str) {
        if items.is_empty() {
            self.line("-");
        }
        for item in items {
            let item = plain(item);
            self.line(&format!("{prefix}{item}"));
        }
    }

    fn words(&mut self, text: &str) {
        for line in blank_as_dash(text).lines() {
            // A heading in somebody's answer is not one of ours.
            let line = line.trim_end();
            let odd = line.starts_with('#') || line.starts_with("```") || line.starts_with("<!--");
            self.line(&if odd { format!("\\{line}") } else { line.to_string() });
        }
    }

    fn end(self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }
}

fn blank_as_dash(text: &str) -> &str {
    if text.trim().is_empty() { "-" } else { text.trim() }
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The proposal.
#[must_use]
pub fn proposal(draft: &Draft, placed: &Placed<'_>) -> String {
    let mut page = Page { lines: Vec::new(), tongue: placed.tongue };
    let tongue = placed.tongue;
    page.line(&format!("# {}: {}", page.say("变更提案", "Proposal"), placed.feature));
    page.heading(&format!("## {}", proposal::META.say(tongue)));
    meta(&mut page, draft, placed);
    page.heading(&format!("## 1. {}", proposal::REQUIREMENT.say(tongue)));
    page.line(&format!("### {}", proposal::BACKGROUND.say(tongue)));
    page.words(&draft.background);
    page.heading(&format!("### {}", proposal::GOAL.say(tongue)));
    page.words(&draft.goal);
    page.heading(&format!("### {}", page.say("约束条件", "Constraints")));
    page.bullets(&draft.constraints, "- ");
    page.heading(&format!("### {}", page.say("验收标准", "Acceptance")));
    page.bullets(&draft.acceptance, "- [ ] ");
    page.heading(&format!("## 2. {}", proposal::SOLUTION.say(tongue)));
    page.line(&format!("### {}", page.say("技术方案", "Approach")));
    page.words(&draft.approach);
    page.heading(&format!("### {}", proposal::IMPACT.say(tongue)));
    let listed = |items: &[String]| {
        let items: Vec<String> = items.iter().map(|item| plain(item)).collect();
        blank_as_dash(&items.join(", ")).to_string()
    };
    let modules = listed(&draft.modules);
    page.line(&format!("- {}: {modules}", proposal::MODULES.say(tongue)));
    let files = listed(&draft.files);
    page.line(&format!("- {}: {files}", page.say("预计变更文件", "files")));
    page.heading(&format!("### {}", page.say("风险评估", "Risks")));
    page.bullets(&draft.risks, "- ");
    decisions(&mut page, draft, placed);
    page.end()
}

fn meta(page: &mut Page, draft: &Draft, placed: &Placed<'_>) {
    let tongue = placed.tongue;
    let kind = match draft.kind.trim() {
        "" => page.say("新功能", "feature").to_string(),
        kind => plain(kind),
    };
    page.line("```yaml");
    page.line(&format!("{}: {kind}", proposal::KIND.say(tongue)));
    let package_type = draft.package_type.word();
    page.line(&format!("{}: {package_type}", proposal::PACKAGE_TYPE.say(tongue)));
    page.line(&format!("{}: P2", page.say("优先级", "priority")));
    page.line(&format!("{}: {}", page.say("状态", "status"), page.say("草稿", "draft")));
    page.line(&format!("{}: {}", page.say("创建", "created"), placed.at));
    page.line("```");
}

fn decisions(page: &mut Page, draft: &Draft, placed: &Placed<'_>) {
    if draft.decisions.is_empty() {
        return;
    }
    page.heading(&format!("## 5. {}", proposal::DECISIONS.say(placed.tongue)));
    for (n, decision) in (1..).zip(&draft.decisions) {
        let title = plain(&decision.title);
        page.line(&format!("### {}#D{n:03}: {title}", placed.feature));
        let date = placed.at.split(' ').next().unwrap_or_default();
        page.line(&format!("- {}: {date}", page.say("日期", "Date")));
        let state = page.say("✅采纳", "✅ adopted");
        page.line(&format!("- {}: {state}", proposal::DECISION_STATE.say(placed.tongue)));
        let rows = [
            (page.say("选项分析", "Options"), &decision.options),
            (page.say("决策", "Decision"), &decision.decision),
            (page.say("理由", "Reason"), &decision.reason),
        ];
        for (label, value) in rows.iter().filter(|(_, value)| !value.trim().is_empty()) {
            let value = plain(value);
            page.line(&format!("- {label}: {value}"));
        }
        page.line("");
    }
    page.lines.pop();
}

/// The task list.
#[must_use]
pub fn task_list(draft: &Draft, placed: &Placed<'_>) -> String {
    let mut page = Page { lines: Vec::new(), tongue: placed.tongue };
    let tongue = placed.tongue;
    page.line(&format!("# {}: {}", page.say("任务清单", "Tasks"), placed.feature));
    page.line("");
    page.line(OUR_LINE);
    page.line(&format!("{}: `{}/`", page.say("目录", "Directory"), placed.dir));
    legend(&mut page);
    page.heading(&format!("## {}", tasks::STATE.say(tongue)));
    page.line("```yaml");
    let total = match draft.package_type {
        Type::Implementation => draft.tasks.len(),
        Type::Overview => 0,
    };
    page.line(&format!("{}: {total}", tasks::TOTAL.say(tongue)));
    page.line(&format!("{}: 0", tasks::DONE.say(tongue)));
    let rate = if total == 0 { "N/A" } else { "0%" };
    page.line(&format!("{}: {rate}", tasks::RATE.say(tongue)));
    page.line("```");
    page.heading(&format!("## {}", tasks::LIST.say(tongue)));
    match draft.package_type {
        Type::Overview => {
            page.line(page.say("> 无执行任务（概述文档）", "> No tasks (overview)"));
        }
        Type::Implementation => draft.tasks.iter().for_each(|task| one(&mut page, task)),
    }
    page.heading(&format!("## {}", tasks::NOTES.say(tongue)));
    page.line(page.say("| 任务 | 状态 | 备注 |", "| Task | Status | Note |"));
    page.line("|---|---|---|");
    page.end()
}

fn legend(page: &mut Page) {
    page.heading(&format!("## {}", tasks::LEGEND.say(page.tongue)));
    page.line(page.say("| 符号 | 含义 |", "| Mark | Meaning |"));
    page.line("|---|---|");
    let rows = [
        ("[ ]", page.say("待执行 pending", "pending")),
        ("[√]", page.say("已完成 completed", "completed")),
        ("[X]", page.say("执行失败 failed", "failed")),
        ("[-]", page.say("已跳过 skipped", "skipped")),
        ("[?]", page.say("不确定 uncertain", "uncertain")),
    ];
    for (mark, meaning) in rows {
        page.line(&format!("| `{mark}` | {meaning} |"));
    }
}

fn one(page: &mut Page, task: &Task) {
    let (id, title) = (plain(&task.id), plain(&task.title));
    let mut lines = vec![format!("- [ ] {id} {title}")];
    let label = |name: &Both| name.say(page.tongue);
    if let Some(verify) = task.verify.as_deref().map(plain).filter(|it| !it.is_empty()) {
        // A command with a backtick in it could not be told from words around it.
        let command = if verify.contains('`') { verify } else { format!("`{verify}`") };
        lines.push(format!("  - {}: {command}", label(&tasks::VERIFY)));
    }
    if !task.depends.is_empty() {
        lines.push(format!("  - {}: {}", label(&tasks::DEPENDS), task.depends.join(", ")));
    }
    if !task.files.is_empty() {
        let files: Vec<String> = task.files.iter().map(|file| format!("`{file}`")).collect();
        lines.push(format!("  - {}: {}", label(&tasks::FILES), files.join(", ")));
    }
    page.lines.extend(lines);
}
