//! A new package: the next free name, both files, and the directories of a root that has none yet.

use kernel::packages::check::{PROPOSAL, TASKS};
use kernel::packages::draft::{self, Draft, Placed};
use kernel::packages::kb;
use kernel::packages::name::{self, Name, VERSIONS_MAX};
use kernel::packages::proposal::Type;
use kernel::packages::{Both, Tongue};
use serde_json::json;

use super::arranged::{Arranged, Plan};
use super::carry::Scene;
use super::refusal::Refusal;

/// Plans a new package.
pub(super) fn plan(
    scene: &Scene<'_>,
    feature: &str,
    minute: &str,
    wanted: &Draft,
) -> Result<Arranged, Refusal> {
    scene.not_taken()?;
    let invalid = || Refusal::new("feature_invalid", json!({ "found": feature }));
    let slug = name::feature(feature).ok_or_else(invalid)?;
    let first = Name::new(minute, &slug, 1)
        .ok_or_else(|| Refusal::new("name_invalid", json!({ "found": minute })))?;
    let place = |name: &Name| format!("{}/{name}", kb::PLAN);
    let free = (1..=VERSIONS_MAX)
        .map(|version| first.with_version(version))
        .find(|name| !scene.shelf.has(&place(name)));
    let full = || Refusal::new("too_many_versions", json!({ "found": first.to_string() }));
    let name = free.ok_or_else(full)?;
    let (dir, at) = (place(&name), spoken(minute));
    let whole = scene.base.join(&dir);
    let filled = filled(wanted, scene.lang);
    let placed = Placed { feature: &slug, dir: &whole, at: &at, tongue: scene.lang };
    let mut plan = Plan::new(scene.base, scene.shelf);
    plan.directories()?;
    plan.dir(&dir)?;
    plan.file(&format!("{dir}/{PROPOSAL}"), draft::proposal(&filled, &placed).as_bytes())?;
    plan.file(&format!("{dir}/{TASKS}"), draft::task_list(&filled, &placed).as_bytes())?;
    plan.step("root", scene.base.path.as_str(), "plan/, archive/ and modules/ are there");
    plan.step("reserve", &whole, "the name was free");
    plan.step("fill", &whole, "both files are synced");
    plan.step("publish", &whole, "both files hold what was written");
    plan.step("check", &whole, "the package is valid");
    plan.note("package", name.to_string());
    plan.note("path", whole);
    plan.note("type", filled.package_type.word());
    Ok(plan.end("create"))
}

/// Plans a package anew: the same name, the same place, other contents.
pub(super) fn again(scene: &Scene<'_>, name: &str, wanted: &Draft) -> Result<Arranged, Refusal> {
    let named =
        Name::parse(name).ok_or_else(|| Refusal::new("name_invalid", json!({ "found": name })))?;
    let dir = format!("{}/{named}", kb::PLAN);
    if !scene.shelf.has(&dir) {
        return Err(Refusal::new("no_such", json!({ "what": "package", "found": name })));
    }
    let whole = scene.base.join(&dir);
    let filled = filled(wanted, scene.lang);
    let at = spoken(named.stamp());
    let placed = Placed { feature: named.feature(), dir: &whole, at: &at, tongue: scene.lang };
    let mut plan = Plan::new(scene.base, scene.shelf);
    plan.file(&format!("{dir}/{PROPOSAL}"), draft::proposal(&filled, &placed).as_bytes())?;
    plan.file(&format!("{dir}/{TASKS}"), draft::task_list(&filled, &placed).as_bytes())?;
    plan.step("fill", &whole, "both files are synced");
    plan.step("check", &whole, "the package is valid");
    plan.note("package", named.to_string());
    plan.note("path", whole);
    plan.note("type", filled.package_type.word());
    Ok(plan.end("redraft"))
}

/// `202601221030` as a person reads it.
fn spoken(minute: &str) -> String {
    let part = |from: usize, to: usize| minute.get(from..to).unwrap_or_default();
    let [year, month, day] = [part(0, 4), part(4, 6), part(6, 8)];
    format!("{year}-{month}-{day} {}:{}", part(8, 10), part(10, 12))
}

/// What was not said is left as a blank to fill in.
fn filled(wanted: &Draft, tongue: Tongue) -> Draft {
    let blank = |text: &str, zh: &'static str, en: &'static str| match text.trim() {
        "" => format!("{{{}}}", Both::new(zh, en).say(tongue)),
        text => text.to_owned(),
    };
    let mut draft = wanted.clone();
    draft.background = blank(&draft.background, "背景", "background");
    draft.goal = blank(&draft.goal, "目标", "goal");
    draft.approach = blank(&draft.approach, "技术方案", "approach");
    if draft.package_type == Type::Overview {
        draft.tasks.clear();
    }
    draft
}
