//! A layout of old becomes the present one: the plan that is shown, and the same plan carried out
//! once its hash was named, after a copy of everything.

use std::path::Path;

use kernel::hash;
use kernel::packages::upgrade::{self, Old, Operation};
use kernel::packages::{Tongue, XMeans};
use serde::Serialize;
use serde_json::json;

use super::arranged::{Arranged, Plan};
use super::carry::Scene;
use super::checked::{CHECK, UPGRADE};
use super::facts::of_scene;
use super::place::KbRoot;
use super::refusal::Refusal;
use super::shelf::Shelf;
use crate::change::Kind;
use crate::files::Root;

/// What would be done, and the hash it is approved by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UpgradePlan {
    /// The plan.
    #[serde(flatten)]
    pub plan: upgrade::Plan,
    /// Its hash.
    pub plan_hash: String,
}

/// The plan as it would be now. `at` is written into pages, so it is part of what is approved.
///
/// # Errors
/// When the root can't be read.
pub fn upgrade_plan(
    workspace: &Path,
    base: &KbRoot,
    at: &str,
    lang: Tongue,
) -> Result<UpgradePlan, Refusal> {
    let root = Root::open(workspace)?;
    let shelf = Shelf::read(&root, &base.path)?;
    Ok(drawn(&Scene { workspace: root.path(), base, shelf: &shelf, lang, x: XMeans::Ask }, at))
}

fn drawn(scene: &Scene<'_>, at: &str) -> UpgradePlan {
    let files: Vec<Old> = scene
        .shelf
        .entries
        .iter()
        .filter(|entry| entry.content.kind == Kind::File)
        .map(|entry| Old { path: entry.path.clone(), bytes: entry.bytes.clone() })
        .collect();
    let plan = upgrade::plan(&files, &of_scene(scene, &[]), at, scene.lang);
    let plan_hash = hash::of_json(&json!(plan));
    UpgradePlan { plan, plan_hash }
}

/// Plans to carry it out, if it still is what was shown.
pub(super) fn plan(
    scene: &Scene<'_>,
    plan_hash: &str,
    at: &str,
    stamp: &str,
) -> Result<Arranged, Refusal> {
    let drawn = drawn(scene, at);
    if drawn.plan_hash != plan_hash {
        return Err(Refusal::new("stale_approval", json!({ "plan_hash": drawn.plan_hash })));
    }
    let mut plan = Plan::new(scene.base, scene.shelf);
    plan.back_up(stamp)?;
    plan.step("directories", scene.base.path.as_str(), "plan/, archive/ and modules/ are there");
    let (mut moved, mut merged) = (Vec::new(), Vec::new());
    for operation in &drawn.plan.operations {
        match operation {
            Operation::Mkdir { path } => plan.dir(path)?,
            Operation::Write { path, content } => {
                plan.file(path, content.as_bytes())?;
                plan.step(path, &scene.base.join(path), "it holds what the plan says");
                merged.push(path.clone());
            }
            Operation::Rename { from, to } => {
                let entry = scene.shelf.get(from);
                let gone = || Refusal::new("no_such", json!({ "what": "file", "found": from }));
                plan.copy(entry.ok_or_else(gone)?, to, None)?;
                plan.remove(from)?;
                plan.step(to, &scene.base.join(to), "it holds the bytes of its source");
                moved.push(json!({ "from": from, "to": to }));
            }
            Operation::Delete { path } => plan.remove(path)?,
        }
    }
    emptied(scene, &mut plan)?;
    plan.step(CHECK, scene.base.path.as_str(), "its directories and core files are there");
    plan.note("root", scene.base.path.as_str());
    plan.note("moved", json!(moved));
    plan.note("merged", json!(merged));
    plan.note("conflicts", json!(drawn.plan.conflicts));
    plan.note("left", json!(drawn.plan.left));
    Ok(plan.end(UPGRADE))
}

/// Directories that only the layout of old has go, if nothing is left in them.
fn emptied(scene: &Scene<'_>, plan: &mut Plan<'_>) -> Result<(), Refusal> {
    for entry in scene.shelf.entries.iter().filter(|entry| entry.content.kind == Kind::Dir) {
        let top = entry.path.split('/').next().unwrap_or_default();
        let package = top == kernel::packages::kb::PLAN && entry.path != top;
        if ["wiki", "history"].contains(&top) || package {
            plan.remove(&entry.path)?;
        }
    }
    Ok(())
}
