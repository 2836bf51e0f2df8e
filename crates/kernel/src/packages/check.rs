//! What is wrong with a package, found from its texts alone. Every finding has its code; what is
//! done about it is not decided here.

use alloc::borrow::ToOwned as _;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::marks::{Mark, Status, XMeans};
use super::name::Name;
use super::proposal::{self, Proposal, Type};
use super::section::named;
use super::tasks::{self, Tasks};
use super::text::Text;

/// Letters of a task that are told.
const DESCRIPTION_CHARS: usize = 100;
/// The file that says what and why.
pub const PROPOSAL: &str = "proposal.md";
/// The file that says what is to be done.
pub const TASKS: &str = "tasks.md";

/// A package as it was found.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// Its directory's name.
    pub name: &'a str,
    /// Its directory, below the workspace.
    pub path: &'a str,
    /// The bytes of its proposal.
    pub proposal: Option<&'a [u8]>,
    /// The bytes of its task list.
    pub tasks: Option<&'a [u8]>,
    /// What a capital X means where nothing else says so.
    pub x: XMeans,
}

/// Which files there are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Files {
    /// Those that are there.
    pub present: Vec<String>,
    /// Those that are not.
    pub missing: Vec<String>,
}

/// How many tasks stand where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ByStatus {
    /// Not done yet.
    pub pending: usize,
    /// Done.
    pub completed: usize,
    /// Tried in vain.
    pub failed: usize,
    /// Left out.
    pub skipped: usize,
    /// Nobody knows.
    pub uncertain: usize,
}

/// One task, as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Where it stands.
    pub status: Status,
    /// Its first words.
    pub description: String,
    /// Its id.
    pub id: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its mark as it stands.
    pub mark: String,
}

/// The tasks, as they are told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TasksFound {
    /// All of them.
    pub total: usize,
    /// By where they stand.
    pub by_status: ByStatus,
    /// One by one.
    pub items: Vec<Item>,
}

/// The proposal, as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProposalFound {
    /// Required sections that are there.
    pub sections_found: usize,
    /// Required sections.
    pub sections_expected: usize,
    /// Ids of its decisions.
    pub decisions: Vec<String>,
    /// What it is for.
    pub pkg_type: Type,
    /// Whether a template was missing; ours are always there.
    pub template_missing: bool,
    /// Required sections that are not there.
    pub sections_missing: Vec<String>,
}

/// What was found of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub path: String,
    /// Whether it can be read as one.
    pub valid: bool,
    /// Whether it could be carried out.
    pub executable: bool,
    /// What stands in the way, each with its code.
    pub issues: Vec<String>,
    /// What should be known, each with its code.
    pub warnings: Vec<String>,
    /// Its files.
    pub files: Files,
    /// Its tasks; none if they cannot be read.
    pub tasks: Option<TasksFound>,
    /// Its proposal; none if it cannot be read.
    pub proposal: Option<ProposalFound>,
}

#[derive(Default)]
struct Findings {
    /// It is no package.
    broken: bool,
    /// It is one, but cannot be carried out.
    stopped: bool,
    issues: Vec<String>,
    warnings: Vec<String>,
}

impl Findings {
    fn breaks(&mut self, code: &str, what: &str) {
        self.broken = true;
        self.issues.push(format!("{code}: {what}"));
    }

    fn stops(&mut self, code: &str, what: &str) {
        self.stopped = true;
        self.issues.push(format!("{code}: {what}"));
    }

    fn warns(&mut self, code: &str, what: &str) {
        self.warnings.push(format!("{code}: {what}"));
    }
}

/// Checks a package.
#[must_use]
pub fn package(given: &Given<'_>) -> Checked {
    let mut found = Findings::default();
    if Name::parse(given.name).is_none() {
        found.breaks("name_invalid", given.name);
    }
    let mut files = Files::default();
    let mut read = |name: &str, bytes: Option<&[u8]>, found: &mut Findings| {
        let Some(bytes) = bytes else {
            files.missing.push(name.to_owned());
            found.breaks("missing_file", name);
            return None;
        };
        files.present.push(name.to_owned());
        if bytes.iter().all(u8::is_ascii_whitespace) {
            found.breaks("empty_file", name);
            return None;
        }
        match Text::read(bytes) {
            Ok(text) => Some(text),
            Err(why) => {
                found.breaks("unreadable", &format!("{name} byte {}", why.offset));
                None
            }
        }
    };
    let proposal = read(PROPOSAL, given.proposal, &mut found).map(Proposal::read);
    let tasks = read(TASKS, given.tasks, &mut found).map(|text| Tasks::read(text, given.x));
    let kind = proposal.as_ref().map_or(Type::Implementation, Proposal::package_type);
    if let Some(proposal) = &proposal {
        of_proposal(proposal, &mut found);
    }
    if let Some(tasks) = &tasks {
        of_tasks(tasks, kind, &mut found);
    }
    let executable = !found.broken && !found.stopped && kind == Type::Implementation;
    Checked {
        name: given.name.to_owned(),
        path: given.path.to_owned(),
        valid: !found.broken,
        executable,
        issues: found.issues,
        warnings: found.warnings,
        files,
        tasks: tasks.as_ref().map(tell_tasks),
        proposal: proposal.as_ref().map(|proposal| tell_proposal(proposal, kind)),
    }
}

fn of_proposal(proposal: &Proposal, found: &mut Findings) {
    for name in proposal.missing() {
        found.stops("missing_section", &format!("{PROPOSAL} {} / {}", name.zh, name.en));
    }
    placeholders(proposal.text(), PROPOSAL, found);
    let mut seen = BTreeSet::new();
    for decision in proposal.decisions() {
        if !seen.insert(decision.id.clone()) {
            found.warns("duplicate_decision", &decision.id);
        }
    }
}

fn of_tasks(list: &Tasks, kind: Type, found: &mut Findings) {
    for name in tasks::REQUIRED.iter().filter(|name| named(&list.sections, name).is_none()) {
        found.stops("missing_section", &format!("{TASKS} {} / {}", name.zh, name.en));
    }
    ids(list, found);
    for task in &list.tasks {
        match task.mark {
            Mark::Own(_) => {}
            Mark::Foreign => {
                found.warns("foreign_mark", &format!("{} [{}]", task.id, task.between))
            }
            Mark::Unknown => {
                found.warns("unknown_mark", &format!("{} [{}]", task.id, task.between))
            }
            Mark::Ambiguous(_) => found.warns("markers", &format!("{} [X]", task.id)),
        }
        if !task.has_id {
            found.warns("task_without_id", &format!("{} line {}", task.id, task.at + 1));
        }
        if task.verify.is_empty() {
            found.warns("task_without_verify", &task.id);
        }
        if task.status() == Status::Failed {
            found.warns("failed_task", &task.id);
        }
    }
    if !list.counters_fit() {
        let done = list.count(Status::Completed);
        found.warns("counter_mismatch", &format!("{done}/{} {}", list.tasks.len(), list.rate()));
    }
    placeholders(list.text(), TASKS, found);
    if kind == Type::Overview {
        return;
    }
    let open = [Status::Pending, Status::Failed, Status::Uncertain];
    if list.tasks.is_empty() {
        found.stops("no_tasks", TASKS);
    } else if open.iter().all(|status| list.count(*status) == 0) {
        found.stopped = true;
        found.warns("all_closed", "建议迁移至archive/ / ready to archive");
    }
}

fn ids(list: &Tasks, found: &mut Findings) {
    let mut depends: BTreeMap<&str, &[String]> = BTreeMap::new();
    for task in &list.tasks {
        if depends.insert(&task.id, &task.depends).is_some() {
            found.breaks("duplicate_task_id", &task.id);
        }
    }
    for task in &list.tasks {
        for other in task.depends.iter().filter(|other| !depends.contains_key(other.as_str())) {
            found.breaks("unknown_dependency", &format!("{} -> {other}", task.id));
        }
    }
    if let Some(id) = cycle(&depends) {
        found.breaks("dependency_cycle", id);
    }
}

/// A task that waits for itself. Whatever waits for nothing open is taken away until none is left.
fn cycle<'a>(depends: &BTreeMap<&'a str, &'a [String]>) -> Option<&'a str> {
    let mut left = depends.clone();
    loop {
        let free: Vec<&str> = left
            .iter()
            .filter(|(_, on)| on.iter().all(|other| !left.contains_key(other.as_str())))
            .map(|(id, _)| *id)
            .collect();
        if free.is_empty() {
            return left.keys().next().copied();
        }
        for id in free {
            left.remove(id);
        }
    }
}

fn placeholders(text: &Text, file: &str, found: &mut Findings) {
    for at in 0..text.lines().len() {
        let Some(word) = text.open(at).and_then(placeholder) else { continue };
        found.warns("placeholder_left", &format!("{file}:{} {word}", at + 1));
    }
}

/// A word in braces outside of code.
fn placeholder(line: &str) -> Option<String> {
    for part in line.split('`').step_by(2) {
        let Some((_, rest)) = part.split_once('{') else { continue };
        let Some((word, _)) = rest.split_once('}') else { continue };
        if !word.trim().is_empty() && !word.contains('{') {
            return Some(format!("{{{word}}}"));
        }
    }
    None
}

/// How many tasks stand where.
#[must_use]
pub fn by_status(list: &Tasks) -> ByStatus {
    ByStatus {
        pending: list.count(Status::Pending),
        completed: list.count(Status::Completed),
        failed: list.count(Status::Failed),
        skipped: list.count(Status::Skipped),
        uncertain: list.count(Status::Uncertain),
    }
}

fn tell_tasks(list: &Tasks) -> TasksFound {
    let item = |task: &tasks::Task| Item {
        status: task.status(),
        description: task.title.chars().take(DESCRIPTION_CHARS).collect(),
        id: task.id.clone(),
        line: task.at + 1,
        mark: task.between.clone(),
    };
    let items: Vec<Item> = list.tasks.iter().map(item).collect();
    TasksFound { total: items.len(), by_status: by_status(list), items }
}

fn tell_proposal(proposal: &Proposal, pkg_type: Type) -> ProposalFound {
    let missing = proposal.missing();
    let expected = proposal::REQUIRED.len();
    ProposalFound {
        sections_found: expected - missing.len(),
        sections_expected: expected,
        decisions: proposal.decisions().into_iter().map(|it| it.id).collect(),
        pkg_type,
        template_missing: false,
        sections_missing: missing.iter().map(|name| name.zh.to_string()).collect(),
    }
}
