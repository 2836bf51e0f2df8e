//! The knowledge base: which files and sections it must have, what state it is in, and what a flow
//! does about that by the mode that is set. It reads no directory; it is told what is there.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::archive;
use super::name::Name;
use super::section::{named, sections};
use super::text::Text;
use super::words::Both;

/// Way in.
pub const INDEX: &str = "INDEX.md";
/// What the project is.
pub const CONTEXT: &str = "context.md";
/// What changed.
pub const CHANGELOG: &str = "CHANGELOG.md";
/// The modules.
pub const MODULES: &str = "modules";
/// Their list.
pub const MODULES_INDEX: &str = "modules/_index.md";
/// Packages to come.
pub const PLAN: &str = "plan";
/// Packages that were.
pub const ARCHIVE: &str = "archive";
/// Their list.
pub const ARCHIVE_INDEX: &str = "archive/_index.md";
/// The name of a root that nobody named.
pub const ROOT: &str = "loopwright";
/// What an older layout has.
pub const OLD: [&str; 5] = ["wiki", "history", "project.md", "why.md", "how.md"];

/// The state of the base.
pub const STATUS: Both = Both::new("知识库状态", "Status");
/// When it was last written.
pub const UPDATED: Both = Both::new("最后更新", "updated");
/// How many modules.
pub const MODULE_COUNT: Both = Both::new("模块数量", "modules");
/// How many packages wait.
pub const PENDING: Both = Both::new("待执行方案", "pending packages");
/// The list of modules.
pub const MODULE_LIST: Both = Both::new("模块清单", "Modules");
/// What holds now.
pub const CONSTRAINTS: Both = Both::new("当前约束", "Current constraints");

const INDEX_SECTIONS: [Both; 3] =
    [Both::new("快速导航", "Navigation"), STATUS, Both::new("读取指引", "Reading guide")];
const CONTEXT_SECTIONS: [Both; 5] = [
    Both::new("基本信息", "Basics"),
    Both::new("技术上下文", "Technical context"),
    Both::new("项目概述", "Overview"),
    Both::new("开发约定", "Conventions"),
    CONSTRAINTS,
];
const MODULES_SECTIONS: [Both; 3] =
    [MODULE_LIST, Both::new("模块依赖关系", "Dependencies"), Both::new("状态说明", "Legend")];
const MODULE_SECTIONS: [Both; 3] = [
    Both::new("职责", "Responsibility"),
    Both::new("行为规范", "Behaviour"),
    Both::new("依赖关系", "Dependencies"),
];

/// The sections that a file must have; none for one that needs none.
#[must_use]
pub fn required(path: &str) -> &'static [Both] {
    match path {
        INDEX => &INDEX_SECTIONS,
        CONTEXT => &CONTEXT_SECTIONS,
        MODULES_INDEX => &MODULES_SECTIONS,
        ARCHIVE_INDEX => &archive::REQUIRED,
        other if is_module(other) => &MODULE_SECTIONS,
        _other => &[],
    }
}

/// Whether a path is the document of a module.
#[must_use]
pub fn is_module(path: &str) -> bool {
    let name = path.strip_prefix("modules/").and_then(|name| name.strip_suffix(".md"));
    name.is_some_and(|name| !name.contains('/') && !name.starts_with(['_', '.']))
}

/// Sections that a file lacks.
#[must_use]
pub fn missing(path: &str, text: &Text) -> Vec<Both> {
    let found = sections(text);
    required(path).iter().filter(|name| named(&found, name).is_none()).copied().collect()
}

/// One file below the root.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// Its path below the root.
    pub path: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// What state the base is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// There is none.
    Absent,
    /// It has the layout of old.
    Old,
    /// What it stands on is missing or damaged.
    Heavy,
    /// Something is missing.
    Partial,
    /// Whole.
    Ok,
}

impl State {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Old => "old",
            Self::Heavy => "heavy",
            Self::Partial => "partial",
            Self::Ok => "ok",
        }
    }

    /// Told from the names at the root's top and from the files that matter.
    #[must_use]
    pub fn of(top: &[String], files: &[File<'_>]) -> Self {
        let plain = [CHANGELOG, PLAN, ARCHIVE];
        let only = |name: &String| plain.contains(&name.as_str()) || is_shard(name);
        let empty = |name: &String| name == MODULES && !files.iter().any(|it| in_modules(it.path));
        if top.iter().all(|name| only(name) || empty(name) || name.starts_with('.')) {
            return Self::Absent;
        }
        if top.iter().any(|name| OLD.contains(&name.as_str())) {
            return Self::Old;
        }
        let file = |path: &str| files.iter().find(|it| it.path == path);
        let core = [file(INDEX), file(CONTEXT)];
        let damaged = |it: &File<'_>| is_blank(it.bytes) || Text::read(it.bytes).is_err();
        let some = core.iter().any(Option::is_some) || files.iter().any(|it| is_module(it.path));
        let broken = core.iter().any(|it| it.is_none_or(damaged));
        if broken {
            return if some { Self::Heavy } else { Self::Partial };
        }
        let whole = [INDEX, CONTEXT, MODULES_INDEX].iter().all(|path| {
            let text = file(path).and_then(|it| Text::read(it.bytes).ok());
            text.is_some_and(|text| missing(path, &text).is_empty())
        });
        if whole { Self::Ok } else { Self::Partial }
    }
}

fn in_modules(path: &str) -> bool {
    path.starts_with("modules/")
}

fn is_shard(name: &str) -> bool {
    name.starts_with("CHANGELOG_") && name.ends_with(".md")
}

/// Whether nothing is written there.
#[must_use]
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

/// When the base is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum CreateMode {
    /// Never.
    Off,
    /// When somebody says so.
    OnDemand,
    /// By itself for code.
    ForCoding,
    /// Always.
    Always,
}

impl CreateMode {
    /// The mode of that number.
    #[must_use]
    pub const fn of(number: u64) -> Self {
        match number {
            0 => Self::Off,
            1 => Self::OnDemand,
            3 => Self::Always,
            _other => Self::ForCoding,
        }
    }
}

/// What a flow is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// A tweak.
    Tweak,
    /// Code.
    Coding,
    /// Documents only.
    Documents,
}

/// What a flow does about the base, once, before it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Does {
    /// Nothing is written, all may be read.
    Reads,
    /// The changelog alone.
    ChangelogOnly,
    /// Somebody is asked whether to make it.
    Asks,
    /// It goes on and says that the base should be made anew.
    Notes,
    /// The base is made.
    Creates,
    /// The base is made anew, the old one moved aside.
    Rebuilds,
    /// It is read and written.
    Writes,
}

impl Does {
    /// `KB_SKIPPED`, as far as it follows; of a question it is the answer's.
    #[must_use]
    pub const fn skips(self) -> bool {
        match self {
            Self::Reads | Self::ChangelogOnly => true,
            Self::Asks | Self::Notes | Self::Creates | Self::Rebuilds | Self::Writes => false,
        }
    }
}

/// What a flow does about the base.
#[must_use]
pub const fn on_flow(mode: CreateMode, state: State, flow: Flow) -> Does {
    match (mode, flow) {
        (_, Flow::Tweak) => return Does::ChangelogOnly,
        (CreateMode::Off, _) => return Does::Reads,
        (_, _) => {}
    }
    let by_itself = match (mode, flow) {
        (CreateMode::Always, _) | (CreateMode::ForCoding, Flow::Coding) => true,
        (_, _) => false,
    };
    match state {
        State::Absent if by_itself => Does::Creates,
        State::Absent => Does::Asks,
        State::Heavy if by_itself => Does::Rebuilds,
        State::Heavy => Does::Notes,
        State::Ok | State::Partial | State::Old => Does::Writes,
    }
}

/// Enters a decision that holds into the constraints of the context, once. Answers whether their
/// table is there.
pub fn constrain(context: &mut Text, package: &Name, id: &str, title: &str) -> bool {
    let found = sections(context);
    let Some(section) = named(&found, &CONSTRAINTS) else { return false };
    let (name, month) = (package.to_string(), package.month());
    let sign = alloc::format!("[{name}{id}](");
    let line = |at: usize| context.open(at).unwrap_or_default();
    if section.body().any(|at| line(at).contains(&sign)) {
        return true;
    }
    let row = |at: &usize| line(*at).trim_start().starts_with('|');
    let Some(last) = section.body().rfind(row) else { return false };
    let title = title.replace('|', "\\|");
    let link = alloc::format!("{sign}archive/{month}/{name}/proposal.md{id})");
    context.insert(last + 1, &[alloc::format!("| {title} | - | {link} |")]);
    true
}
