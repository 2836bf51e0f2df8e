//! What is wrong with the knowledge base, found from its texts alone, by grade.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::archive;
use super::kb::{CONTEXT, File, INDEX, MODULE_LIST, MODULES_INDEX, is_blank, is_module, missing};
use super::section::{named, sections};
use super::text::Text;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// ⛔
    Critical,
    /// ⚠️
    Warning,
    /// ℹ️
    Info,
}

impl Grade {
    /// Its sign.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Critical => "⛔",
            Self::Warning => "⚠️",
            Self::Info => "ℹ️",
        }
    }
}

/// One finding about the base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How grave.
    pub grade: Grade,
    /// Its code.
    pub code: String,
    /// The file, below the root.
    pub path: String,
    /// What of it.
    pub detail: String,
}

impl Finding {
    /// The finding.
    #[must_use]
    pub fn new(grade: Grade, code: &str, path: &str, detail: &str) -> Self {
        let [code, path, detail] = [code, path, detail].map(ToString::to_string);
        Self { grade, code, path, detail }
    }
}

/// Checks the base by its texts.
#[must_use]
pub fn check_kb(files: &[File<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for path in [INDEX, CONTEXT] {
        match files.iter().find(|it| it.path == path) {
            None => found.push(Finding::new(Grade::Critical, "missing_file", path, "")),
            Some(it) if is_blank(it.bytes) => {
                found.push(Finding::new(Grade::Critical, "empty_file", path, ""));
            }
            Some(_) => {}
        }
    }
    for file in files {
        let core = [INDEX, CONTEXT].contains(&file.path);
        if !file.path.ends_with(".md") {
            if !file.path.split('/').any(|part| part.starts_with('.')) {
                found.push(Finding::new(Grade::Info, "unknown_format", file.path, ""));
            }
            continue;
        }
        match Text::read(file.bytes) {
            Err(why) => {
                let grade = if core { Grade::Critical } else { Grade::Warning };
                let at = why.offset.to_string();
                found.push(Finding::new(grade, "unreadable", file.path, &at));
            }
            Ok(_) if is_blank(file.bytes) && !core => {
                found.push(Finding::new(Grade::Info, "empty_file", file.path, ""));
            }
            Ok(_) if is_blank(file.bytes) => {}
            Ok(text) => of_text(file.path, &text, files, &mut found),
        }
    }
    modules(files, &mut found);
    found.sort_by(|a, b| (a.grade, &a.path).cmp(&(b.grade, &b.path)));
    found
}

fn of_text(path: &str, text: &Text, files: &[File<'_>], found: &mut Vec<Finding>) {
    for name in missing(path, text) {
        found.push(Finding::new(Grade::Warning, "missing_section", path, name.zh));
    }
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    let mut wide = None;
    for at in 0..text.lines().len() {
        if let Some(cells) = misaligned(text.open(at), &mut wide) {
            let detail = alloc::format!("line {}: {cells}", at + 1);
            found.push(Finding::new(Grade::Info, "table_alignment", path, &detail));
        }
        for link in text.open(at).map(links).unwrap_or_default() {
            let Some(target) = resolved(above, link) else { continue };
            let there = files
                .iter()
                .any(|it| it.path == target || it.path.starts_with(&alloc::format!("{target}/")));
            if !there {
                let detail = alloc::format!("line {}: {link}", at + 1);
                found.push(Finding::new(Grade::Warning, "dead_link", path, &detail));
            }
        }
    }
}

/// How many cells a row has that its table's first one has not. `wide` is what that one has, while
/// a table goes on.
fn misaligned(line: Option<&str>, wide: &mut Option<usize>) -> Option<usize> {
    let row = line.map(str::trim).filter(|line| line.starts_with('|'));
    let cells = row.map(|row| archive::cells(row).len());
    let first = *wide;
    *wide = cells.map(|own| first.unwrap_or(own));
    cells.filter(|own| first.is_some_and(|first| first != *own))
}

/// Targets of links, outside of code.
fn links(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in line.split('`').step_by(2) {
        let mut rest = part;
        while let Some(at) = rest.find("](") {
            rest = rest.get(at + 2..).unwrap_or_default();
            if let Some(end) = rest.find(')') {
                found.push(rest.get(..end).unwrap_or_default());
            }
        }
    }
    found
}

/// The path below the root that a link of ours names; none for one that leads elsewhere.
fn resolved(above: &str, link: &str) -> Option<String> {
    let path = link.split(['#', '?']).next().unwrap_or_default().trim();
    let elsewhere = path.is_empty() || path.contains("://") || path.contains('{');
    if elsewhere || path.starts_with(['/', '<']) || path.starts_with("mailto:") {
        return None;
    }
    let mut parts: Vec<&str> = above.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

fn modules(files: &[File<'_>], found: &mut Vec<Finding>) {
    let Some(index) = files.iter().find(|it| it.path == MODULES_INDEX) else { return };
    let Ok(text) = Text::read(index.bytes) else { return };
    let listed = listed_modules(&text);
    let documents: Vec<&str> = files
        .iter()
        .filter(|it| is_module(it.path))
        .filter_map(|it| it.path.strip_prefix("modules/")?.strip_suffix(".md"))
        .collect();
    for name in listed.iter().filter(|name| !documents.contains(&name.as_str())) {
        found.push(Finding::new(Grade::Warning, "module_without_document", MODULES_INDEX, name));
    }
    for name in documents.iter().filter(|name| !listed.iter().any(|it| it == *name)) {
        found.push(Finding::new(Grade::Warning, "document_without_module", MODULES_INDEX, name));
    }
}

/// The modules that the list names.
#[must_use]
pub fn listed_modules(text: &Text) -> Vec<String> {
    let found = sections(text);
    let Some(section) = named(&found, &MODULE_LIST) else { return Vec::new() };
    let rows = section.body().filter_map(|at| text.open(at));
    let rows = rows.filter(|line| line.trim_start().starts_with('|')).skip(2);
    rows.filter_map(|line| module_of(&archive::cells(line))).collect()
}

/// The module that a row of the list is about.
fn module_of(cells: &[String]) -> Option<String> {
    let name = cells.first()?.trim_matches(['`', '[', ']']);
    let name = name.split("](").next().unwrap_or(name).to_string();
    (!name.is_empty() && name != "-").then_some(name)
}

/// Brings the list of modules up to date: a row for each that is new, and none for one whose
/// directory is gone, unless somebody has written what it does. Answers whether the list is there.
pub fn list_modules(text: &mut Text, modules: &[(String, String)]) -> bool {
    let found = sections(text);
    let Some(section) = named(&found, &MODULE_LIST) else { return false };
    let is_row = |at: &usize| text.open(*at).is_some_and(|it| it.trim_start().starts_with('|'));
    let rows: Vec<usize> = section.body().filter(is_row).collect();
    let [_, separator, rest @ ..] = rows.as_slice() else { return false };
    let row = |at: &usize| archive::cells(text.open(*at).unwrap_or_default());
    let listed: Vec<String> = rest.iter().filter_map(|at| module_of(&row(at))).collect();
    let escaped = |word: &str| word.replace('|', "\\|");
    let there = |name: &str| modules.iter().any(|(known, _)| escaped(known) == name);
    let drawn = |cell: &String| cell.starts_with('`') && cell.ends_with("/`");
    let gone = |at: &&usize| {
        let cells = row(at);
        let away = module_of(&cells).is_some_and(|name| !there(&name));
        away && cells.get(1).is_some_and(drawn)
    };
    let gone: Vec<usize> = rest.iter().filter(gone).copied().collect();
    let new: Vec<String> = modules
        .iter()
        .map(|(name, about)| (escaped(name), escaped(about)))
        .filter(|(name, _)| !listed.contains(name))
        .map(|(name, about)| alloc::format!("| {name} | {about} | 📝 | - |"))
        .collect();
    let end = rest.last().unwrap_or(separator) + 1;
    if !new.is_empty() {
        text.insert(end, &new);
    }
    for at in gone.into_iter().rev() {
        text.remove(at..at + 1);
    }
    true
}
