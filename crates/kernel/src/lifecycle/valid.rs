//! What makes a plan valid: its tasks, their ids, what they need and their files. Documents are
//! read elsewhere; what is found here names the task.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::bounds::{DOTTED_LEVELS_MAX, TASKS_MAX, valid_task_id};
use super::plan::Plan;
use super::task::Spec;

/// One thing that is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The task, if it is about one.
    pub task: Option<String>,
    /// The problem's word.
    pub problem: &'static str,
    /// What it is about.
    pub about: String,
}

impl Flaw {
    /// In one line.
    #[must_use]
    pub fn line(&self) -> String {
        match &self.task {
            Some(task) => format!("{task}: {}: {}", self.problem, self.about),
            None => format!("{}: {}", self.problem, self.about),
        }
    }
}

/// Everything that is wrong with a plan, in the order of the document.
#[must_use]
pub fn flaws(plan: &Plan) -> Vec<Flaw> {
    let whole = |problem, about: String| Flaw { task: None, problem, about };
    let mut found = Vec::new();
    match plan.tasks.len() {
        0 => found.push(whole("no_tasks", String::from("0"))),
        1..=TASKS_MAX => {}
        many => found.push(whole("too_many_tasks", format!("{many}"))),
    }
    let mut ids = BTreeSet::new();
    let mut checks = BTreeSet::new();
    for task in &plan.tasks {
        found.extend(of_task(plan, task));
        if !ids.insert(task.id.as_str()) {
            let (task, about) = (Some(task.id.clone()), task.title.clone());
            found.push(Flaw { task, problem: "duplicate_id", about });
        }
    }
    for check in plan.all_checks() {
        if !checks.insert(check.id.as_str()) {
            found.push(whole("duplicate_check", check.id.clone()));
        }
        if check.argv.first().is_none_or(String::is_empty) {
            found.push(whole("empty_command", check.id.clone()));
        }
    }
    if let Some(cycle) = cycle(plan) {
        found.push(whole("cycle", cycle.join(" -> ")));
    }
    found
}

fn of_task(plan: &Plan, task: &Spec) -> Vec<Flaw> {
    let flaw = |problem, about: String| Flaw { task: Some(task.id.clone()), problem, about };
    let mut found = Vec::new();
    if !valid_task_id(&task.id) {
        found.push(flaw("bad_id", task.id.clone()));
    }
    let dotted = task.id.chars().all(|c| c.is_ascii_digit() || c == '.');
    if dotted && task.id.split('.').count() > DOTTED_LEVELS_MAX {
        found.push(flaw("too_deep", task.id.clone()));
    }
    if task.title.trim().is_empty() {
        found.push(flaw("no_title", task.id.clone()));
    }
    for need in &task.depends {
        if plan.task(need).is_none() {
            found.push(flaw("no_such_dependency", need.clone()));
        }
    }
    for path in &task.files {
        if !inside(path) {
            found.push(flaw("bad_path", path.clone()));
        }
    }
    found
}

/// Whether a written path stays below the root by its words alone.
fn inside(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with('/')
        && !path.contains(['\0', '\\'])
        && path.split('/').all(|part| part != "..")
}

/// The ids along a cycle, the first one again at the end.
fn cycle(plan: &Plan) -> Option<Vec<String>> {
    plan.tasks.iter().find_map(|task| {
        let mut search = Search { plan, start: &task.id, seen: BTreeSet::new(), path: Vec::new() };
        search.back_from(&task.id).then(|| {
            let mut found: Vec<String> = search.path.iter().map(|id| String::from(*id)).collect();
            found.push(task.id.clone());
            found
        })
    })
}

/// A search for a way back to a task. Each task is looked at once.
struct Search<'a> {
    plan: &'a Plan,
    start: &'a str,
    seen: BTreeSet<&'a str>,
    path: Vec<&'a str>,
}

impl<'a> Search<'a> {
    fn back_from(&mut self, at: &'a str) -> bool {
        if !self.seen.insert(at) {
            return false;
        }
        self.path.push(at);
        let needs: &'a [String] = self.plan.task(at).map_or(&[], |task| &task.depends);
        if needs.iter().any(|need| need == self.start || self.back_from(need)) {
            return true;
        }
        self.path.pop();
        false
    }
}
