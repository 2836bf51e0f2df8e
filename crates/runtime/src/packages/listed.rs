//! The packages to come, as they are listed and shown. Reads only, and starts nothing.

use std::path::Path;

use kernel::packages::check::{PROPOSAL, TASKS};
use kernel::packages::name::Name;
use kernel::packages::proposal::{NO_SUMMARY, Proposal, Type};
use kernel::packages::tasks::Tasks;
use kernel::packages::{Text, Tongue, XMeans, kb};
use serde::Serialize;
use serde_json::json;

use super::place::KbRoot;
use super::refusal::Refusal;
use super::shelf::Shelf;
use crate::files::Root;

/// One package in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Where it is, below the workspace.
    pub path: String,
    /// Twelve digits.
    pub timestamp: String,
    /// What it is about.
    pub feature: String,
    /// 1 unless its name says otherwise.
    pub version: u32,
    /// What it is for.
    #[serde(rename = "type")]
    pub package_type: Type,
    /// Whether both files are there and can be read.
    pub complete: bool,
    /// How many tasks it has.
    pub task_count: usize,
    /// Its first words.
    pub summary: String,
    /// The session that holds it.
    pub held_by: Option<String>,
}

/// One package with its texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// As it is listed.
    #[serde(flatten)]
    pub listed: Listed,
    /// Whether it is in the archive.
    pub archived: bool,
    /// Its proposal, if it can be read.
    pub proposal: Option<String>,
    /// Its task list, if it can be read.
    pub tasks: Option<String>,
}

/// The packages to come, the newest first.
///
/// # Errors
/// When the root can't be read.
pub fn list(workspace: &Path, base: &KbRoot, lang: Tongue) -> Result<Vec<Listed>, Refusal> {
    let shelf = Shelf::read(&Root::open(workspace)?, &base.path)?;
    let mut all: Vec<Listed> = shelf
        .dirs(kb::PLAN)
        .iter()
        .filter(|name| shelf.below(&format!("{}/{name}", kb::PLAN)).next().is_some())
        .map(|name| one(base, &shelf, kb::PLAN, name, lang))
        .collect();
    all.sort_by(|a, b| b.name.cmp(&a.name));
    Ok(all)
}

/// One package by its name, to come or archived.
///
/// # Errors
/// When there is none, or it can't be read.
pub fn show(workspace: &Path, base: &KbRoot, name: &str, lang: Tongue) -> Result<Shown, Refusal> {
    let shelf = Shelf::read(&Root::open(workspace)?, &base.path)?;
    let month = Name::parse(name).map(|name| format!("{}/{}", kb::ARCHIVE, name.month()));
    let places = [Some(kb::PLAN.to_owned()), month];
    let place = places.into_iter().flatten().find(|it| shelf.has(&format!("{it}/{name}")));
    let none = || Refusal::new("no_such", json!({ "what": "package", "found": name }));
    let place = place.filter(|_| !name.contains('/') && !name.is_empty()).ok_or_else(none)?;
    let text = |file: &str| {
        let bytes = shelf.bytes(&format!("{place}/{name}/{file}"))?;
        Text::read(bytes).ok().map(|text| text.render())
    };
    Ok(Shown {
        listed: one(base, &shelf, &place, name, lang),
        archived: place != kb::PLAN,
        proposal: text(PROPOSAL),
        tasks: text(TASKS),
    })
}

fn one(base: &KbRoot, shelf: &Shelf, place: &str, name: &str, lang: Tongue) -> Listed {
    let path = format!("{place}/{name}");
    let read = |file: &str| {
        let bytes = shelf.bytes(&format!("{path}/{file}"))?;
        Text::read(bytes).ok().filter(|_| !kb::is_blank(bytes))
    };
    let proposal = read(PROPOSAL).map(Proposal::read);
    let tasks = read(TASKS).map(|text| Tasks::read(text, XMeans::Ask));
    let parsed = Name::parse(name);
    let part = |of: fn(&Name) -> &str| parsed.as_ref().map_or("", of).to_owned();
    let none = || NO_SUMMARY.say(lang).to_owned();
    Listed {
        name: name.to_owned(),
        path: base.join(&path),
        timestamp: part(Name::stamp),
        feature: part(Name::feature),
        version: parsed.as_ref().map_or(1, Name::version),
        package_type: proposal.as_ref().map_or(Type::Implementation, Proposal::package_type),
        complete: proposal.is_some() && tasks.is_some(),
        task_count: tasks.as_ref().map_or(0, |tasks| tasks.tasks.len()),
        summary: proposal.as_ref().map_or_else(none, |proposal| proposal.summary(lang)),
        held_by: None,
    }
}
