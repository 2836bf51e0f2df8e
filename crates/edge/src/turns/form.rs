//! From the fields of a request to the form of a turn, and from a body to a change of its plan.
//! What a form lacks is filled in by the engine.

use std::path::PathBuf;

use kernel::turn::PlanPatch;
use runtime::plan_file;
use runtime::turns::Form;
use runtime::words::Lang;
use serde_json::Value;

use super::check::{self, With, bad_plan};
use crate::door::TurnSay;
use crate::loops::Fields;
use crate::problem::Raised;
use crate::site::Site;

/// A request. A plan is a file of the workspace.
///
/// # Errors
/// The field that cannot be taken, or the first thing that is wrong with the plan.
pub fn starting(site: &Site, lang: Lang, mut fields: Fields) -> Result<TurnSay, Raised> {
    let plan = fields.inside("plan")?;
    let form: Form = fields.form()?;
    let given = With::checks(&form.verify, form.verify_mode.as_deref());
    let with = With { agents: form.agents.clone(), given };
    let look = |path: PathBuf| check::found(site, lang, &site.root.path.join(path), &with);
    let plan = plan.map(look).transpose()?;
    let lang = form.lang.clone().or_else(|| Some(lang.tag().to_owned()));
    Ok(TurnSay::Start { form: Box::new(Form { plan, lang, ..form }) })
}

/// A change of a plan, as its schema has it.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn patch(lang: Lang, body: &Value) -> Result<PlanPatch, Raised> {
    plan_file::read_patch(&body.to_string()).map_err(|why| bad_plan(lang, &why))
}
