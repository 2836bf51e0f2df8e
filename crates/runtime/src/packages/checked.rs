//! Checks of packages and of the base, over what is on disk; also the check that an operation on
//! the whole base ends with. Reads only.

use std::path::Path;

use kernel::packages::check::{self, Checked, Given, PROPOSAL, TASKS};
use kernel::packages::kb::{self, File, State};
use kernel::packages::name::Name;
use kernel::packages::report::Report;
use kernel::packages::{Finding, Grade, Text, Tongue, XMeans, check_kb as check_pages, template};
use serde::Serialize;
use serde_json::json;

use super::carry::Scene;
use super::facts::of_scene;
use super::found::placed;
use super::listed::{Listed, list};
use super::place::{KbRoot, Marker};
use super::refusal::Refusal;
use super::shelf::Shelf;
use crate::change::Kind;
use crate::files::Root;
use crate::redact::Redactor;

/// What was found of all packages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AllChecked {
    /// When.
    pub timestamp: String,
    /// Where they are.
    pub plan_path: String,
    /// How many.
    pub total: usize,
    /// Of these valid.
    pub valid: usize,
    /// Of these not.
    pub invalid: usize,
    /// Of these ready to be carried out.
    pub executable: usize,
    /// Each of them.
    pub packages: Vec<Checked>,
}

/// The state of the base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KbStatus {
    /// Where it is, below the workspace.
    pub root: String,
    /// What is there.
    pub marker: Marker,
    /// What state it is in.
    pub state: State,
    /// `KB_CREATE_MODE`.
    pub create_mode: u64,
    /// How many documents of modules.
    pub modules: usize,
    /// Packages to come.
    pub packages: Vec<Listed>,
    /// Other roots that bear the marker.
    pub ambiguous: Vec<String>,
}

/// Checks the packages of these names, or all that are to come.
///
/// # Errors
/// When one of them is not there, or the root can't be read.
pub fn check_all(
    workspace: &Path,
    base: &KbRoot,
    names: &[String],
    x: XMeans,
    timestamp: &str,
) -> Result<AllChecked, Refusal> {
    let shelf = Shelf::read(&Root::open(workspace)?, &base.path)?;
    let full = |name: &String| shelf.below(&format!("{}/{name}", kb::PLAN)).next().is_some();
    let names = match names {
        [] => shelf.dirs(kb::PLAN).into_iter().filter(full).collect(),
        some => some.to_vec(),
    };
    let found: Result<Vec<Checked>, Refusal> =
        names.iter().map(|name| one(base, &shelf, name, x)).collect();
    let packages = found?;
    let count = |fits: fn(&Checked) -> bool| packages.iter().filter(|it| fits(it)).count();
    let valid = count(|it| it.valid);
    Ok(AllChecked {
        timestamp: timestamp.to_owned(),
        plan_path: base.plan(),
        total: packages.len(),
        valid,
        invalid: packages.len() - valid,
        executable: count(|it| it.executable),
        packages,
    })
}

/// Checks one package.
///
/// # Errors
/// When it is not there, or the root can't be read.
pub fn check(workspace: &Path, base: &KbRoot, name: &str, x: XMeans) -> Result<Checked, Refusal> {
    let shelf = Shelf::read(&Root::open(workspace)?, &base.path)?;
    one(base, &shelf, name, x)
}

fn one(base: &KbRoot, shelf: &Shelf, name: &str, x: XMeans) -> Result<Checked, Refusal> {
    let month = Name::parse(name).map(|name| format!("{}/{}", kb::ARCHIVE, name.month()));
    let places = [Some(kb::PLAN.to_owned()), month];
    let place = places.into_iter().flatten().find(|it| shelf.has(&format!("{it}/{name}")));
    let none = || Refusal::new("no_such", json!({ "what": "package", "found": name }));
    let place = place.filter(|_| !name.is_empty() && !name.contains('/')).ok_or_else(none)?;
    let path = format!("{place}/{name}");
    let whole = base.join(&path);
    let bytes = |file: &str| shelf.bytes(&format!("{path}/{file}"));
    let (proposal, tasks) = (bytes(PROPOSAL), bytes(TASKS));
    Ok(check::package(&Given { name, path: &whole, proposal, tasks, x }))
}

fn files(shelf: &Shelf) -> Vec<File<'_>> {
    let files = shelf.entries.iter().filter(|entry| entry.content.kind == Kind::File);
    files.map(|entry| File { path: &entry.path, bytes: &entry.bytes }).collect()
}

fn state(shelf: &Shelf) -> State {
    let mut top = shelf.top();
    // A package of old is a sign of the layout of old, wherever it lies.
    let old = |path: &str| path.ends_with("/why.md") || path.ends_with("/how.md");
    if shelf.entries.iter().any(|entry| old(&entry.path)) {
        top.push("why.md".to_owned());
    }
    State::of(&top, &files(shelf))
}

/// The last step of what makes or moves a base.
pub(super) const CHECK: &str = "check";
/// What moves a base.
pub(super) const UPGRADE: &str = "upgrade";

/// Looks at what such an operation has left. Where directories or core files lack it was not done,
/// and what is made anew has to be whole; what is moved may leave something for a person.
pub(super) fn verified(root: &Root, mut report: Report) -> Report {
    let name = report.context.get("root").and_then(|name| name.as_str());
    let checks = report.completed.last().is_some_and(|step| step.step == CHECK);
    let Some(name) = name.filter(|_| checks) else { return report };
    let looked = placed(root.path(), name).and_then(|base| Shelf::read(root, &base.path));
    let wrong = match looked {
        Err(why) => Some(why.misfit().code.to_string()),
        Ok(shelf) => {
            let is_dir =
                |path: &&str| shelf.get(path).is_some_and(|it| it.content.kind == Kind::Dir);
            let rooms = [kb::PLAN, kb::ARCHIVE, kb::MODULES].iter().all(is_dir);
            report.context.insert("state".to_owned(), json!(state(&shelf)));
            // What is left of an old layout says nothing about the present one beside it.
            let mut top = shelf.top();
            top.retain(|name| !kb::OLD.contains(&name.as_str()));
            let found = State::of(&top, &files(&shelf));
            let stands = match found {
                State::Ok => true,
                State::Partial => report.operation == UPGRADE,
                State::Absent | State::Heavy | State::Old => false,
            };
            (!(rooms && stands))
                .then(|| if stands { "missing_directory" } else { found.word() })
                .map(str::to_owned)
        }
    };
    match wrong {
        None => report,
        Some(why) => report.stopped(|step| step.step != CHECK, &format!("{CHECK}: {why}")),
    }
}

/// The state of the base.
///
/// # Errors
/// When the root can't be read.
pub fn kb_status(
    workspace: &Path,
    base: &KbRoot,
    create_mode: u64,
    lang: Tongue,
) -> Result<KbStatus, Refusal> {
    let shelf = Shelf::read(&Root::open(workspace)?, &base.path)?;
    Ok(KbStatus {
        root: base.path.as_str().to_owned(),
        marker: base.marker,
        state: state(&shelf),
        create_mode,
        modules: shelf.entries.iter().filter(|entry| kb::is_module(&entry.path)).count(),
        packages: list(workspace, base, lang)?,
        ambiguous: Vec::new(),
    })
}

/// Checks the base: its pages, its packages, and whether a secret stands in it.
///
/// # Errors
/// When the root can't be read.
pub fn check_kb(
    workspace: &Path,
    base: &KbRoot,
    x: XMeans,
    redactor: &Redactor,
) -> Result<Vec<Finding>, Refusal> {
    let shelf = Shelf::read(&Root::open(workspace)?, &base.path)?;
    let pages = |path: &str| !path.starts_with("plan/") && !path.starts_with("archive/2");
    let all = files(&shelf);
    let links: Vec<File<'_>> = all.clone();
    let mut found: Vec<Finding> =
        check_pages(&links).into_iter().filter(|it| pages(&it.path)).collect();
    if let Some(index) = shelf.bytes(kb::INDEX).and_then(|bytes| Text::read(bytes).ok()) {
        let scene = Scene { workspace, base, shelf: &shelf, lang: Tongue::default(), x };
        for wrong in template::miscounted(&index, &of_scene(&scene, &[])) {
            found.push(Finding::new(Grade::Info, "counter_mismatch", kb::INDEX, &wrong));
        }
    }
    for file in &all {
        let text = String::from_utf8_lossy(file.bytes);
        if redactor.redact_text(&text) != text {
            found.push(Finding::new(Grade::Critical, "secret_found", file.path, ""));
        }
    }
    for name in shelf.dirs(kb::PLAN) {
        let path = format!("{}/{name}", kb::PLAN);
        if shelf.below(&path).next().is_none() {
            continue;
        }
        let checked = one(base, &shelf, &name, x)?;
        if !checked.valid {
            let why = checked.issues.join("; ");
            found.push(Finding::new(Grade::Critical, "package_broken", &path, &why));
        }
    }
    found.sort_by(|a, b| (a.grade, &a.path).cmp(&(b.grade, &b.path)));
    Ok(found)
}
