//! New pages of the knowledge base, drawn from facts that were found and from our own words. What
//! a page must have is said where it is checked.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::archive;
use super::kb;
use super::section::{named, sections};
use super::text::Text;
use super::words::{Both, Tongue};

/// What was found out about a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its name.
    pub project: String,
    /// Its languages, the commonest first.
    pub languages: Vec<String>,
    /// Manifests at its root.
    pub manifests: Vec<String>,
    /// Its modules, with what they hold.
    pub modules: Vec<(String, String)>,
    /// Packages that wait.
    pub pending: usize,
    /// The commands that check it.
    pub checks: Vec<String>,
}

fn unknown(tongue: Tongue) -> String {
    Both::new("未识别", "not recognised").say(tongue).to_string()
}

fn listed(items: &[String], tongue: Tongue) -> String {
    if items.is_empty() { unknown(tongue) } else { items.join(", ") }
}

/// INDEX.md.
#[must_use]
pub fn index(facts: &Facts, at: &str, tongue: Tongue) -> String {
    let both = |zh: &'static str, en: &'static str| Both::new(zh, en).say(tongue);
    let rows = [
        (both("项目上下文", "Project context"), kb::CONTEXT),
        (both("模块", "Modules"), kb::MODULES_INDEX),
        (both("变更日志", "Changelog"), kb::CHANGELOG),
        (both("待执行方案", "Packages to come"), "plan/"),
        (both("归档", "Archive"), "archive/"),
    ];
    let mut out = format!("# {}\n\n", both("知识库", "Knowledge base"));
    out.push_str(&format!("## {}\n\n", both("快速导航", "Navigation")));
    out.push_str(&format!(
        "| {} | {} |\n|---|---|\n",
        both("内容", "Content"),
        both("位置", "Place")
    ));
    for (label, path) in rows {
        out.push_str(&format!("| {label} | `{path}` |\n"));
    }
    let status = kb::STATUS.say(tongue);
    out.push_str(&format!("\n## {status}\n\n```yaml\n"));
    out.push_str(&format!("{}: {at}\n", kb::UPDATED.say(tongue)));
    out.push_str(&format!("{}: {}\n", kb::MODULE_COUNT.say(tongue), facts.modules.len()));
    out.push_str(&format!("{}: {}\n```\n", kb::PENDING.say(tongue), facts.pending));
    out.push_str(&format!("\n## {}\n\n", both("读取指引", "Reading guide")));
    out.push_str(both(
        "先读 `context.md`，再读相关模块；代码与文档不一致时以代码为准。\n",
        "Read `context.md` first, then the modules concerned; where code and words differ, the \
         code is right.\n",
    ));
    out
}

/// context.md.
#[must_use]
pub fn context(facts: &Facts, tongue: Tongue) -> String {
    let both = |zh: &'static str, en: &'static str| Both::new(zh, en).say(tongue);
    let title = both("项目上下文", "Project context");
    let mut out = format!("# {title}\n");
    for (n, name) in (1..).zip(kb::required(kb::CONTEXT)) {
        out.push_str(&format!("\n## {n}. {}\n\n", name.say(tongue)));
        out.push_str(&match n {
            1 => format!("- {}: {}\n", both("项目", "Project"), facts.project),
            2 => format!(
                "- {}: {}\n- {}: {}\n- {}: {}\n",
                both("语言", "Languages"),
                listed(&facts.languages, tongue),
                both("清单文件", "Manifests"),
                listed(&facts.manifests, tongue),
                both("检查命令", "Checks"),
                listed(&facts.checks, tongue),
            ),
            5 => format!(
                "| {} | {} | {} |\n|---|---|---|\n",
                both("约束", "Constraint"),
                both("原因", "Reason"),
                both("决策", "Decision")
            ),
            _other => "-\n".to_string(),
        });
    }
    out
}

/// modules/_index.md.
#[must_use]
pub fn modules(facts: &Facts, tongue: Tongue) -> String {
    let both = |zh: &'static str, en: &'static str| Both::new(zh, en).say(tongue);
    let mut out = format!("# {}\n\n", both("模块索引", "Module index"));
    out.push_str(&format!("## {}\n\n", kb::MODULE_LIST.say(tongue)));
    out.push_str(both("| 模块 | 职责 | 状态 | 文档 |\n", "| Module | Does | State | Document |\n"));
    out.push_str("|---|---|---|---|\n");
    for (name, about) in &facts.modules {
        let [name, about] = [name, about].map(|it| it.replace('|', "\\|"));
        out.push_str(&format!("| {name} | {about} | 📝 | - |\n"));
    }
    out.push_str(&format!("\n## {}\n\n-\n", both("模块依赖关系", "Dependencies")));
    out.push_str(&format!("\n## {}\n\n", both("状态说明", "Legend")));
    out.push_str(both(
        "- ✅ 稳定\n- 🚧 开发中\n- 📝 待补充文档\n",
        "- ✅ stable\n- 🚧 at work\n- 📝 to be written\n",
    ));
    out
}

/// archive/_index.md.
#[must_use]
pub fn archive_index(tongue: Tongue) -> String {
    let both = |zh: &'static str, en: &'static str| Both::new(zh, en).say(tongue);
    let mut out = format!("# {}\n\n", both("方案归档索引", "Archive index"));
    out.push_str(&format!("## {}\n\n", archive::QUICK.say(tongue)));
    out.push_str(both(
        "| 时间戳 | 功能 | 类型 | 模块 | 决策 | 结果 |\n",
        "| Timestamp | Feature | Kind | Modules | Decisions | Result |\n",
    ));
    out.push_str("|---|---|---|---|---|---|\n");
    out.push_str(&format!("\n## {}\n", archive::BY_MONTH.say(tongue)));
    out.push_str(&format!("\n## {}\n\n", archive::LEGEND.say(tongue)));
    for ended in archive::Ended::ALL {
        if ended != archive::Ended::Overview {
            out.push_str(&format!("- {}: {}\n", ended.result().say(tongue), ended.word()));
        }
    }
    out
}

/// Adds the sections that a page lacks, empty, at its end. Nothing of it is changed.
pub fn fill(path: &str, text: &mut Text, tongue: Tongue) {
    for name in kb::missing(path, text) {
        let end = text.lines().len();
        let heading = format!("## {}", name.say(tongue));
        text.insert(end, &[String::new(), heading, String::new(), "-".to_string()]);
    }
}

/// Writes the counters of the index anew, where they stand. Answers whether they are there.
pub fn count(text: &mut Text, facts: &Facts, at: &str) -> bool {
    let found = sections(text);
    let Some(section) = named(&found, &kb::STATUS) else { return false };
    let values = [
        (kb::UPDATED, at.to_string()),
        (kb::MODULE_COUNT, facts.modules.len().to_string()),
        (kb::PENDING, facts.pending.to_string()),
    ];
    let pairs: Vec<(usize, String)> = super::section::fenced_pairs(text, section)
        .into_iter()
        .filter_map(|(line, key, _)| {
            let (_, value) = values.iter().find(|(name, _)| name.is(key))?;
            Some((line, format!("{key}: {value}")))
        })
        .collect();
    for (line, new) in &pairs {
        text.replace_line(*line, new);
    }
    !pairs.is_empty()
}

/// The counters of the index that are not what is counted, as they stand.
#[must_use]
pub fn miscounted(text: &Text, facts: &Facts) -> Vec<String> {
    let found = sections(text);
    let Some(section) = named(&found, &kb::STATUS) else { return Vec::new() };
    let values = [(kb::MODULE_COUNT, facts.modules.len()), (kb::PENDING, facts.pending)];
    let wrong = |key: &str, value: &str| {
        let own = values.iter().find(|(name, _)| name.is(key));
        own.is_some_and(|(_, count)| value.trim() != count.to_string())
    };
    super::section::fenced_pairs(text, section)
        .into_iter()
        .filter(|(_, key, value)| wrong(key, value))
        .map(|(_, key, value)| format!("{key}: {value}"))
        .collect()
}
