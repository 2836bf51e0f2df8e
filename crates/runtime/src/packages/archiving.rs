//! A package goes to the archive: its list is finished, everything in its directory moves under the
//! month of its name, and the index says how it ended. What is there already is never overwritten.

use std::path::Path;

use kernel::packages::archive::{self, Ended, Row};
use kernel::packages::check::{PROPOSAL, TASKS};
use kernel::packages::kb;
use kernel::packages::name::{Name, VERSIONS_MAX};
use kernel::packages::proposal::{Proposal, Type};
use kernel::packages::tasks::Tasks;
use kernel::packages::{Text, template};
use serde_json::{Value, json};

use super::arranged::{Arranged, Plan};
use super::carry::Scene;
use super::place::KbRoot;
use super::refusal::Refusal;
use super::shelf::Shelf;
use crate::files::Root;

/// Plans to archive one.
pub(super) fn one(
    scene: &Scene<'_>,
    name: &str,
    status: Option<Ended>,
    at: &str,
) -> Result<Arranged, Refusal> {
    let mut plan = Plan::new(scene.base, scene.shelf);
    let mut index = index(scene)?;
    let mut taken = Vec::new();
    let moved = moved(scene, &mut plan, &mut taken, &Asked { name, status, at })?;
    index.enter(&moved.row, scene);
    plan.file(kb::ARCHIVE_INDEX, index.0.render().as_bytes())?;
    let target = scene.base.join(&moved.target);
    plan.step("reserve", &target, "the name was free");
    plan.step("finish", &format!("{target}/{TASKS}"), "one @status line");
    plan.step("move", &target, "every file holds its bytes, the source is gone");
    plan.step("index", &scene.base.join(kb::ARCHIVE_INDEX), "one row of six cells");
    plan.note("package", moved.row.name.to_string());
    plan.note("source", name);
    plan.note("target", target);
    plan.note("status", moved.row.ended.word());
    plan.note("result", moved.row.ended.result().say(scene.lang));
    Ok(plan.end("archive"))
}

/// Plans to archive several; one that can't be is told and the rest still done.
pub(super) fn several(scene: &Scene<'_>, names: &[String], at: &str) -> Result<Arranged, Refusal> {
    let mut plan = Plan::new(scene.base, scene.shelf);
    let mut index = index(scene)?;
    let mut taken = Vec::new();
    let (mut failed, mut done): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    for name in names {
        match moved(scene, &mut plan, &mut taken, &Asked { name, status: None, at }) {
            Ok(moved) => {
                index.enter(&moved.row, scene);
                let target = scene.base.join(&moved.target);
                plan.step(name, &target, "every file holds its bytes, the source is gone");
                let status = moved.row.ended.word();
                done.push(json!({ "name": name, "target": target, "status": status }));
            }
            Err(why) => {
                let misfit = why.misfit();
                let error = json!({ "code": misfit.code.to_string(), "details": misfit.details });
                failed.push(json!({ "name": name, "failed_at": "reserve", "error": error }));
            }
        }
    }
    if !done.is_empty() {
        plan.file(kb::ARCHIVE_INDEX, index.0.render().as_bytes())?;
    }
    plan.note("moved", done);
    plan.note("failed", failed);
    Ok(plan.end("clean"))
}

/// Plans to show packages of the archive as taken back: on the row, and on the status line. Those
/// that are not there are passed over.
pub(super) fn taken_back(
    scene: &Scene<'_>,
    names: &[String],
    at: &str,
) -> Result<Arranged, Refusal> {
    let mut plan = Plan::new(scene.base, scene.shelf);
    let mut index = index(scene)?;
    let mut done = Vec::new();
    for name in names.iter().filter_map(|name| Name::parse(name)) {
        let place = format!("{}/{}/{name}", kb::ARCHIVE, name.month());
        let path = format!("{place}/{TASKS}");
        let Some(bytes) = scene.shelf.bytes(&path) else { continue };
        let mut tasks = Tasks::read(scene.read(&path, bytes)?, scene.x);
        tasks.set_status_line(Ended::RolledBack.word(), at);
        plan.file(&path, tasks.text().render().as_bytes())?;
        let proposal = scene.shelf.bytes(&format!("{place}/{PROPOSAL}"));
        let proposal = proposal.and_then(|bytes| Text::read(bytes).ok()).map(Proposal::read);
        index.enter(&Row::of(&name, proposal.as_ref(), Ended::RolledBack), scene);
        done.push(name.to_string());
    }
    if !done.is_empty() {
        plan.file(kb::ARCHIVE_INDEX, index.0.render().as_bytes())?;
    }
    let path = scene.base.join(kb::ARCHIVE_INDEX);
    plan.step("index", &path, "the rows say that it was taken back");
    plan.note("packages", done);
    Ok(plan.end("rolled_back"))
}

struct Asked<'a> {
    name: &'a str,
    status: Option<Ended>,
    at: &'a str,
}

struct Moved {
    row: Row,
    target: String,
}

/// The index while rows are entered.
struct Index(Text);

impl Index {
    fn enter(&mut self, row: &Row, scene: &Scene<'_>) {
        if archive::enter(&mut self.0, row, scene.lang) {
            return;
        }
        // Somebody made a page of their own of it: ours follows theirs.
        let ours = Text::parse(&template::archive_index(scene.lang));
        let lines: Vec<String> = ours.lines().iter().skip(1).map(|it| it.text.clone()).collect();
        let end = self.0.lines().len();
        self.0.insert(end, &lines);
        archive::enter(&mut self.0, row, scene.lang);
    }
}

fn index(scene: &Scene<'_>) -> Result<Index, Refusal> {
    match scene.shelf.bytes(kb::ARCHIVE_INDEX) {
        Some(bytes) => scene.read(kb::ARCHIVE_INDEX, bytes).map(Index),
        None => Ok(Index(Text::parse(&template::archive_index(scene.lang)))),
    }
}

fn place(name: &Name) -> String {
    format!("{}/{}/{name}", kb::ARCHIVE, name.month())
}

/// The first name from this one on that the archive has not.
pub(super) fn free_name(shelf: &Shelf, name: &Name, taken: &[String]) -> Result<Name, Refusal> {
    let free = (name.version()..=VERSIONS_MAX)
        .map(|version| name.with_version(version))
        .find(|name| !shelf.has(&place(name)) && !taken.contains(&place(name)));
    free.ok_or_else(|| Refusal::new("too_many_versions", json!({ "found": name.to_string() })))
}

/// The name that a package would have in the archive now.
///
/// # Errors
/// No name of a package, or the root can't be read.
pub fn archive_name(workspace: &Path, base: &KbRoot, name: &str) -> Result<String, Refusal> {
    let named =
        Name::parse(name).ok_or_else(|| Refusal::new("name_invalid", json!({ "found": name })))?;
    let shelf = Shelf::read(&Root::open(workspace)?, &base.path)?;
    free_name(&shelf, &named, &[]).map(|name| name.to_string())
}

fn moved(
    scene: &Scene<'_>,
    plan: &mut Plan<'_>,
    taken: &mut Vec<String>,
    asked: &Asked<'_>,
) -> Result<Moved, Refusal> {
    let name = Name::parse(asked.name)
        .ok_or_else(|| Refusal::new("name_invalid", json!({ "found": asked.name })))?;
    let source = format!("{}/{name}", kb::PLAN);
    if !scene.shelf.has(&source) {
        return Err(scene.absent(&name));
    }
    let inside: Vec<_> = scene.shelf.below(&source).collect();
    let text = |file: &str| {
        let bytes = scene.shelf.bytes(&format!("{source}/{file}"))?;
        Text::read(bytes).ok()
    };
    let proposal = text(PROPOSAL).map(Proposal::read);
    let mut tasks = text(TASKS).map(|text| Tasks::read(text, scene.x));
    let kind = proposal.as_ref().map_or(Type::Implementation, Proposal::package_type);
    let ended = ended(asked, tasks.as_ref(), kind)?;
    if let Some(tasks) = &mut tasks {
        archive::finish(tasks, ended, asked.at, scene.lang);
    }
    let finished = tasks.map(|tasks| tasks.text().render());
    let name = free_name(scene.shelf, &name, taken)?;
    let target = place(&name);
    plan.dir(&target)?;
    for (rest, entry) in &inside {
        let bytes = finished.as_ref().filter(|_| *rest == TASKS).map(String::as_bytes);
        plan.copy(entry, &format!("{target}/{rest}"), bytes)?;
    }
    for (_, entry) in &inside {
        plan.remove(&entry.path)?;
    }
    plan.remove(&source)?;
    taken.push(target.clone());
    Ok(Moved { row: Row::of(&name, proposal.as_ref(), ended), target })
}

/// The marks decide; a wish that they contradict is refused.
fn ended(asked: &Asked<'_>, tasks: Option<&Tasks>, kind: Type) -> Result<Ended, Refusal> {
    let found = Ended::of(tasks, kind);
    match asked.status {
        Some(Ended::RolledBack) => Ok(Ended::RolledBack),
        Some(Ended::Completed) if found != Ended::Completed && found != Ended::Overview => {
            let open = archive::not_done(tasks);
            Err(Refusal::new("not_completed", json!({ "package": asked.name, "open": open })))
        }
        Some(_) | None => Ok(found),
    }
}
