//! What lies in a workspace: its most central files, and what a search finds. Needs no engine,
//! records nothing, and shows nothing that is secret or ignored.

use kernel::call;
use kernel::errors::{Class, Machine};
use kernel::policy::{Asker, Word};
use runtime::files::{self, Root, map as drawn};
use runtime::tools::{self, Bounds, Misfit};
use serde_json::{Value, json};

use crate::checkpoints::of;
use crate::policy;
use crate::problem::Raised;
use crate::site::{Site, class, refused};

/// The search that is always there.
const SEARCH: &str = "search";

/// The most central files with the names they define.
///
/// # Errors
/// When the root cannot be walked.
pub fn map(site: &Site) -> Result<drawn::Map, Raised> {
    let bounds = Bounds::of(&site.settings()?.settings);
    let fault = |fault| of(&Misfit::from(&fault));
    let root = Root::hold(&site.root).map_err(fault)?;
    drawn::map(&bounds.desk(&root)).map_err(fault)
}

/// What a search finds, by the arguments of the tool of that name.
///
/// # Errors
/// Arguments that do not fit, a place that the policy keeps closed, or one that cannot be read.
pub fn search(site: &Site, args: &Value) -> Result<Value, Raised> {
    let (Some(tool), Some(reads)) = (call::named(SEARCH), files::Tool::named(SEARCH)) else {
        return Err(refused(Machine::Call, "unknown_tool", json!({ "found": SEARCH })));
    };
    tools::check(tool, args).map_err(|misfit| of(&misfit))?;
    let judged = tools::judged(tool, args, &policy::standing(site)?, Asker::Agent);
    if let Some(judged) = judged.map_err(|misfit| of(&misfit))?
        && judged.verdict.word() != Word::Allow
    {
        return Err(class(Class::PolicyDenied, json!({ "rule": judged.verdict.rule() })));
    }
    let bounds = Bounds::of(&site.settings()?.settings);
    let fault = |fault| of(&Misfit::from(&fault));
    let root = Root::hold(&site.root).map_err(fault)?;
    tools::read(&root, &bounds, reads, args).map_err(fault)
}
