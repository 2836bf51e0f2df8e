//! The knowledge base is made, filled or made anew, from what is found in the project. Making it
//! anew copies the old one aside first and carries packages and changelog over.

use kernel::packages::{Text, kb, template};
use serde_json::json;

use super::arranged::{Arranged, Plan};
use super::carry::Scene;
use super::checked::CHECK;
use super::facts::of_scene;
use super::operation::InitHow;
use super::refusal::Refusal;

/// Plans it.
pub(super) fn plan(
    scene: &Scene<'_>,
    how: InitHow,
    at: &str,
    stamp: &str,
    checks: &[String],
) -> Result<Arranged, Refusal> {
    scene.not_taken()?;
    let facts = of_scene(scene, checks);
    let mut plan = Plan::new(scene.base, scene.shelf);
    let pages = [
        (kb::INDEX, template::index(&facts, at, scene.lang)),
        (kb::CONTEXT, template::context(&facts, scene.lang)),
        (kb::MODULES_INDEX, template::modules(&facts, scene.lang)),
    ];
    match how {
        InitHow::Rebuild => {
            plan.back_up(stamp)?;
            let kept = |path: &str| {
                let top = path.split('/').next().unwrap_or_default();
                let new = pages.iter().any(|(page, _)| *page == path) || path == kb::MODULES;
                new || [kb::PLAN, kb::ARCHIVE].contains(&top) || path.starts_with("CHANGELOG")
            };
            for entry in scene.shelf.entries.iter().filter(|entry| !kept(&entry.path)) {
                plan.remove(&entry.path)?;
            }
        }
        InitHow::Create | InitHow::Fill => {}
    }
    plan.directories()?;
    plan.step("directories", scene.base.path.as_str(), "plan/, archive/ and modules/ are there");
    for (path, page) in &pages {
        let text = match (how, scene.shelf.bytes(path)) {
            (InitHow::Create | InitHow::Fill, Some(bytes)) if !kb::is_blank(bytes) => {
                let mut text = scene.read(path, bytes)?;
                template::fill(path, &mut text, scene.lang);
                text
            }
            (InitHow::Create | InitHow::Fill | InitHow::Rebuild, _) => Text::parse(page),
        };
        plan.file(path, text.render().as_bytes())?;
        plan.step(path, &scene.base.join(path), "every section it must have is there");
    }
    plan.step(CHECK, scene.base.path.as_str(), "its directories and core files are there");
    plan.note("languages", json!(facts.languages));
    plan.note("modules", facts.modules.len());
    plan.note("root", scene.base.path.as_str());
    Ok(plan.end("init"))
}
