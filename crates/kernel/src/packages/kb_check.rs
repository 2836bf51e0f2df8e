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
    for at in 0..text.lines().len() {
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
    let first = |line: &str| {
        let cell = archive::cells(line).into_iter().next()?;
        let name = cell.trim_matches(['`', '[', ']']);
        let name = name.split("](").next().unwrap_or(name).to_string();
        (!name.is_empty() && name != "-").then_some(name)
    };
    rows.filter_map(first).collect()
}
