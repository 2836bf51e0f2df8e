//! Whose state a workspace holds, whether it is trusted, and a person's yes to exactly what that
//! would let pass.

use kernel::errors::Machine;
use kernel::policy::rules::Held;
use runtime::config::{self, Loosened};
use runtime::policy;
use runtime::workspace::{self, Found, Places, Refusal, Shown, Standing, Trust};
use serde_json::{Value, json};

use crate::problem::Raised;
use crate::site::{Left, Site, Visit, of_workspace};

/// What makes sense where there is nothing foreign.
const ALLOWED_WHEN_OURS: [&str; 2] = ["workspace status", "workspace trust"];

/// A refusal of the workspace as it is told.
fn of(refusal: &Refusal) -> Raised {
    let mut raised = of_workspace(refusal);
    if *refusal == Refusal::NotForeign {
        raised.allowed = Some(ALLOWED_WHEN_OURS.map(str::to_owned).to_vec());
    }
    raised
}

/// What a yes would let pass that the user's own settings do not.
#[derive(Debug)]
pub struct Lists {
    /// Rules by which commands run unasked.
    pub rules: Vec<Held>,
    /// Settings by which the walls around them stand wider.
    pub walls: Vec<Loosened>,
    /// Settings that name programs, or hand them the user's variables.
    pub named: Vec<config::Held>,
}

impl Lists {
    /// Of the settings as they stand.
    ///
    /// # Errors
    /// When the user's own settings cannot be read.
    pub fn of(standing: &Standing, places: &Places) -> Result<Self, Refusal> {
        let settings = standing.settings.as_deref();
        let walls = workspace::loosened(settings, places)?;
        let named = workspace::named(settings, places)?;
        Ok(Self { rules: policy::allowing(settings), walls, named })
    }
}

/// What is named, by setting.
fn named(lists: &Lists) -> Value {
    lists.named.iter().map(|one| (one.key.clone(), json!(one.value))).collect()
}

/// How it stands, and what a yes would let pass.
///
/// # Errors
/// Settings that cannot be read.
pub fn status(site: &Site) -> Result<(Value, Lists), Raised> {
    let (root, places) = (&site.root, &site.places);
    let found = workspace::look(root, places).map_err(|why| of(&why))?;
    let standing = workspace::standing(root, places).map_err(|why| of(&why))?;
    let lists = Lists::of(&standing, places).map_err(|why| of(&why))?;
    let (state, id, why) = match &found {
        Found::Absent => ("absent", None, None),
        Found::Ours(dir) => ("ours", Some(dir.workspace_id.clone()), None),
        Found::Foreign(why) => ("foreign", None, Some(why.word())),
    };
    let data = json!({
        "root": root.path, "state_dir": state, "why": why, "workspace_id": id,
        "trust": standing.trust.word(), "settings_file": standing.settings.is_some(),
        "socket": id.as_deref().and_then(|id| places.socket(id)),
        "allow_rules": lists.rules, "sandbox_loosened": lists.walls, "named": named(&lists),
    });
    Ok((data, lists))
}

/// What a person is asked about, if it is a person and the state is ours.
///
/// # Errors
/// A speaker who is no person, or foreign state.
pub fn before_trust(visit: &Visit<'_>) -> Result<(Standing, Lists), Raised> {
    visit.person(Machine::Workspace, "trust")?;
    let (root, places) = (&visit.site.root, &visit.site.places);
    let standing = workspace::standing(root, places).map_err(|why| of(&why))?;
    if let Found::Foreign(why) = workspace::look(root, places).map_err(|why| of(&why))? {
        return Err(of(&workspace::foreign(root, why)));
    }
    workspace::untracked(root).map_err(|why| of(&why))?;
    let lists = Lists::of(&standing, places).map_err(|why| of(&why))?;
    Ok((standing, lists))
}

/// Records a yes to exactly what these lists hold. An engine holds calls in by the settings it
/// started with: where these become others, one that runs leaves before, and another takes its work
/// up.
///
/// # Errors
/// When the answer cannot be kept, or the engine does not let go.
pub fn give(visit: &Visit<'_>, (standing, lists): (&Standing, &Lists)) -> Result<Value, Raised> {
    let (root, places) = (&visit.site.root, &visit.site.places);
    let settings = standing.settings.as_deref();
    let (listed, walls) = (policy::rules_hash(&lists.rules), config::loosened_hash(&lists.walls));
    let same = standing.trust == Trust::Trusted && standing.walls == walls;
    let left = if same { Left::NoEngine } else { visit.leave()? };
    let dir = workspace::create(root, places).map_err(|why| of(&why))?;
    let shown = Shown { settings, listed: &listed, walls: walls.as_deref() };
    workspace::give(root, &dir, places, shown).map_err(|why| of(&why))?;
    match left {
        Left::Engine => visit.steer().map(drop)?,
        Left::NoEngine => {}
    }
    Ok(json!({
        "root": root.path, "workspace_id": dir.workspace_id, "trust": Trust::Trusted.word(),
        "allow_rules": lists.rules, "sandbox_loosened": lists.walls, "named": named(lists),
    }))
}

/// Moves foreign state aside and begins anew.
///
/// # Errors
/// A speaker who is no person, or state that is ours.
pub fn adopt(visit: &Visit<'_>) -> Result<Value, Raised> {
    visit.person(Machine::Workspace, "adopt")?;
    let (root, places) = (&visit.site.root, &visit.site.places);
    let (dir, aside) = workspace::adopt(root, places).map_err(|why| of(&why))?;
    Ok(json!({ "root": root.path, "workspace_id": dir.workspace_id, "aside": aside }))
}
