//! What makes a plan document valid. Every problem is told at once, each with its line: a person
//! corrects a file once, not once for each.

use alloc::borrow::ToOwned as _;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::super::super::bounds::{
    DOTTED_LEVELS_MAX as LEVELS_MAX, TASKS_MAX, valid_task_id as valid_id,
};
use super::{Item, Problem, Wrong};
use crate::paths::Rel;
use crate::turn::split;

/// Everything that is wrong with the tasks, in the order of the lines.
#[must_use]
pub fn problems(tasks: &[Item]) -> Vec<Problem> {
    let mut found = Vec::new();
    if tasks.is_empty() {
        found.push(Problem::new(1, Wrong::NoTasks, ""));
    }
    if let Some(first_over) = tasks.get(TASKS_MAX) {
        let count = tasks.len().to_string();
        found.push(Problem::new(first_over.line, Wrong::TooManyTasks, count));
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for item in tasks {
        if let Some(problem) = bad_id(item) {
            found.push(problem);
        } else if let Some(line) = seen.get(&*item.id) {
            let what = format!("{} ({line})", item.id);
            found.push(Problem::new(item.line, Wrong::DuplicateId, what));
        } else {
            seen.insert(&item.id, item.line);
        }
    }
    for item in tasks {
        within(item, &seen, &mut found);
    }
    found.extend(cycle(tasks));
    found.sort_by_key(|problem| problem.line);
    found
}

fn bad_id(item: &Item) -> Option<Problem> {
    let what = if item.id.is_empty() {
        Wrong::NoId
    } else if !valid_id(&item.id) {
        Wrong::BadId
    } else if is_dotted(&item.id) && item.id.split('.').count() > LEVELS_MAX {
        Wrong::TooDeep
    } else {
        return None;
    };
    let found = if item.id.is_empty() { &item.title } else { &item.id };
    Some(Problem::new(item.line, what, found.clone()))
}

fn is_dotted(id: &str) -> bool {
    id.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// What one task says of itself and names of others.
fn within(item: &Item, seen: &BTreeMap<&str, usize>, found: &mut Vec<Problem>) {
    let mut tell = |what, word: String| found.push(Problem::new(item.line, what, word));
    if item.title.trim().is_empty() {
        tell(Wrong::NoTitle, item.id.clone());
    }
    for id in item.depends.iter().filter(|id| !seen.contains_key(&***id)) {
        tell(Wrong::UnknownDependency, id.clone());
    }
    for file in &item.files {
        if let Err(bad) = Rel::file(file) {
            tell(Wrong::BadPath, format!("{file} ({})", bad.word()));
        }
    }
    for command in &item.verify {
        if let Err(bad) = split(command) {
            tell(Wrong::BadCommand, format!("{command} ({})", bad.word()));
        }
    }
}

/// The first circle of dependencies, told at the line of its first task.
fn cycle(tasks: &[Item]) -> Option<Problem> {
    let needs: BTreeMap<&str, &Item> = tasks.iter().rev().map(|item| (&*item.id, item)).collect();
    let mut left: BTreeSet<&str> = needs.keys().copied().collect();
    loop {
        let free = |id: &&str| {
            needs.get(*id).is_none_or(|item| !item.depends.iter().any(|d| left.contains(&**d)))
        };
        let gone: Vec<&str> = left.iter().copied().filter(free).collect();
        if gone.is_empty() {
            break;
        }
        left.retain(|id| !gone.contains(id));
    }
    let first = tasks.iter().find(|item| on_circle(item, &needs, &left))?;
    let way = circle(first, &needs, &left);
    Some(Problem::new(first.line, Wrong::Cycle, way.join(" → ")))
}

/// Whether a task leads back to itself; others that are left only wait for such.
fn on_circle(item: &Item, needs: &BTreeMap<&str, &Item>, left: &BTreeSet<&str>) -> bool {
    left.contains(&*item.id) && reaches(item, &item.id, needs)
}

/// Whether the needs of a task lead to that id.
fn reaches(from: &Item, to: &str, needs: &BTreeMap<&str, &Item>) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&Item> = [from].into();
    while let Some(item) = open.pop() {
        for need in &item.depends {
            if need == to {
                return true;
            }
            if seen.insert(need) {
                open.extend(needs.get(&**need));
            }
        }
    }
    false
}

/// The ids along a circle, back to where it began.
fn circle(first: &Item, needs: &BTreeMap<&str, &Item>, left: &BTreeSet<&str>) -> Vec<String> {
    let mut way = Vec::from([first.id.clone()]);
    let mut at = first;
    for _ in 0..left.len() {
        let back = at.depends.iter().find(|need| **need == first.id);
        let on = at.depends.iter().find(|need| {
            let leads = needs.get(&***need).is_some_and(|item| reaches(item, &first.id, needs));
            leads && !way.contains(need)
        });
        let Some(next) = back.or(on) else { break };
        way.push(next.clone());
        match needs.get(&**next) {
            Some(item) if *next != first.id => at = item,
            Some(_) | None => break,
        }
    }
    way
}

impl Problem {
    /// `line: what`, as codes; the sentence is the catalogue's.
    #[must_use]
    pub fn coded(&self) -> String {
        let word = self.what.word().to_owned();
        let rest = if self.found.is_empty() { String::new() } else { format!(" {}", self.found) };
        format!("{}: {word}{rest}", self.line)
    }
}
