//! Operations on one or two files: an entry of the changelog, marks of a package at work, counters
//! and constraints.

use kernel::packages::changelog::{self, Entry, Put};
use kernel::packages::check::{PROPOSAL, TASKS};
use kernel::packages::name::Name;
use kernel::packages::proposal::Proposal;
use kernel::packages::tasks::Tasks;
use kernel::packages::{Text, XMeans, kb, list_modules, template};
use serde_json::json;

use super::archiving::free_name;
use super::arranged::{Arranged, Plan};
use super::carry::Scene;
use super::facts::of_scene;
use super::operation::MarkOf;
use super::refusal::Refusal;

/// Plans an entry of the changelog.
pub(super) fn changelog(
    scene: &Scene<'_>,
    (version, passed): (&str, &[String]),
    date: &str,
    entry: &Entry,
) -> Result<Arranged, Refusal> {
    scene.not_taken()?;
    let mut text = match scene.shelf.bytes(kb::CHANGELOG) {
        Some(bytes) => scene.read(kb::CHANGELOG, bytes)?,
        None => Text::parse(&changelog::empty(scene.lang)),
    };
    let put = changelog::put(&mut text, entry, version, date, scene.lang);
    let mut plan = Plan::new(scene.base, scene.shelf);
    plan.directories()?;
    plan.file(kb::CHANGELOG, text.render().as_bytes())?;
    let path = scene.base.join(kb::CHANGELOG);
    plan.step("changelog", &path, "one entry for what it is about");
    plan.note("version", version);
    plan.note("path", path);
    let mut warnings: Vec<String> =
        passed.iter().map(|source| format!("version_passed: {source}")).collect();
    if put == Put::Appended {
        warnings.push("changelog_format".to_owned());
    }
    if !warnings.is_empty() {
        plan.note("warnings", warnings);
    }
    Ok(plan.end("changelog"))
}

/// Plans marks, notes and counters of a package at work.
pub(super) fn mark(scene: &Scene<'_>, name: &str, marks: &[MarkOf]) -> Result<Arranged, Refusal> {
    let name =
        Name::parse(name).ok_or_else(|| Refusal::new("name_invalid", json!({ "found": name })))?;
    let path = format!("{}/{name}/{TASKS}", kb::PLAN);
    let bytes = scene.shelf.bytes(&path).ok_or_else(|| scene.absent(&name))?;
    let mut tasks = Tasks::read(scene.read(&path, bytes)?, scene.x);
    for mark in marks {
        if !tasks.set_status(&mark.id, mark.status) {
            return Err(Refusal::new("no_such", json!({ "what": "task", "found": mark.id })));
        }
        if let Some(note) = &mark.note {
            tasks.add_note(&mark.id, note, scene.lang);
        }
    }
    tasks.recount();
    let mut plan = Plan::new(scene.base, scene.shelf);
    plan.file(&path, tasks.text().render().as_bytes())?;
    plan.step("mark", &scene.base.join(&path), "marks and counters are those given");
    plan.note("package", name.to_string());
    plan.note("rate", tasks.rate());
    Ok(plan.end("mark"))
}

/// Plans marks of others to be ours. What the package is then is told by its hash.
pub(super) fn adopt(scene: &Scene<'_>, name: &str, x: XMeans) -> Result<Arranged, Refusal> {
    let name =
        Name::parse(name).ok_or_else(|| Refusal::new("name_invalid", json!({ "found": name })))?;
    let path = format!("{}/{name}/{TASKS}", kb::PLAN);
    let bytes = scene.shelf.bytes(&path).ok_or_else(|| scene.absent(&name))?;
    let mut tasks = Tasks::read(scene.read(&path, bytes)?, x);
    tasks.adopt_marks();
    let text = tasks.text().render();
    let proposal = scene.shelf.bytes(&format!("{}/{name}/{PROPOSAL}", kb::PLAN));
    let proposal = String::from_utf8_lossy(proposal.unwrap_or_default());
    let mut plan = Plan::new(scene.base, scene.shelf);
    plan.file(&path, text.as_bytes())?;
    plan.step("adopt", &scene.base.join(&path), "every mark is one of ours or unknown");
    plan.note("package", name.to_string());
    plan.note("hash", package_hash(&proposal, &text));
    Ok(plan.end("adopt"))
}

/// The hash of a package: of both its texts.
pub(crate) fn package_hash(proposal: &str, tasks: &str) -> String {
    kernel::hash::of_json(&json!([proposal, tasks]))
}

/// Plans the counters of the index, and the constraints that an archived package's decisions are.
pub(super) fn sync(
    scene: &Scene<'_>,
    archived: Option<&str>,
    at: &str,
) -> Result<Arranged, Refusal> {
    let mut plan = Plan::new(scene.base, scene.shelf);
    let mut warnings = Vec::new();
    if let Some(bytes) = scene.shelf.bytes(kb::INDEX) {
        let mut text = scene.read(kb::INDEX, bytes)?;
        let mut facts = of_scene(scene, &[]);
        // The one that is archived right after this waits no more.
        let leaves = archived.is_some_and(|name| scene.shelf.has(&format!("{}/{name}", kb::PLAN)));
        facts.pending = facts.pending.saturating_sub(usize::from(leaves));
        if template::count(&mut text, &facts, at) {
            plan.file(kb::INDEX, text.render().as_bytes())?;
        } else {
            warnings.push("counters_missing");
        }
    }
    plan.step("index", &scene.base.join(kb::INDEX), "counters are those counted");
    if let Some(bytes) = scene.shelf.bytes(kb::MODULES_INDEX) {
        let mut text = scene.read(kb::MODULES_INDEX, bytes)?;
        if list_modules(&mut text, &of_scene(scene, &[]).modules) {
            plan.file(kb::MODULES_INDEX, text.render().as_bytes())?;
        } else {
            warnings.push("module_list_missing");
        }
    }
    plan.step("modules", &scene.base.join(kb::MODULES_INDEX), "one row for each module");
    if let Some(name) = archived {
        let name = Name::parse(name)
            .ok_or_else(|| Refusal::new("name_invalid", json!({ "found": name })))?;
        // It is archived right after this; the rows link to where it will lie.
        let archived = format!("{}/{}/{name}/{PROPOSAL}", kb::ARCHIVE, name.month());
        let planned = format!("{}/{name}/{PROPOSAL}", kb::PLAN);
        let waits = scene.shelf.has(&planned);
        let path = if waits { planned } else { archived };
        let name = if waits { free_name(scene.shelf, &name, &[])? } else { name };
        let texts = scene.shelf.bytes(&path).zip(scene.shelf.bytes(kb::CONTEXT));
        if let Some((proposal, context)) = texts {
            let proposal = Proposal::read(scene.read(&path, proposal)?);
            let mut context = scene.read(kb::CONTEXT, context)?;
            for decision in proposal.decisions().iter().filter(|it| it.adopted) {
                if !kb::constrain(&mut context, &name, &decision.id, &decision.title) {
                    warnings.push("constraints_missing");
                    break;
                }
            }
            plan.file(kb::CONTEXT, context.render().as_bytes())?;
        }
        plan.step("context", &scene.base.join(kb::CONTEXT), "one row for each decision");
    }
    plan.note("warnings", json!(warnings));
    Ok(plan.end("sync"))
}
