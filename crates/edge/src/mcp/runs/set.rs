//! The sets of tools, by machine: which there are, who is offered which, and what calls one.

use kernel::errors::Machine;
use runtime::words::Lang;
use serde_json::Value;

use super::super::loops::{Loops, Tool};
use super::{collabs, lifecycles, packages, sessions, turns};
use crate::loops::Fields;
use crate::problem::Raised;
use crate::site::Visit;

/// Who calls.
pub(in crate::mcp) struct Caller<'a> {
    pub(in crate::mcp) visit: &'a Visit<'a>,
    pub(in crate::mcp) lang: Lang,
}

/// What calls a tool of a set.
type Act = fn(&Caller<'_>, &str, Fields) -> Result<Value, Raised>;

/// The tools of one machine.
pub(in crate::mcp) struct Set {
    /// Who refuses what cannot be read.
    pub(in crate::mcp) machine: Machine,
    /// What everybody is offered.
    pub(super) tools: &'static [Tool],
    /// What exists only on a person's connection.
    pub(super) persons: &'static [Tool],
    /// What calls them.
    pub(in crate::mcp) act: Act,
}

/// Every set.
const SETS: [&Set; 5] =
    [&turns::SET, &collabs::SET, &lifecycles::SET, &sessions::SET, &packages::SET];

/// Every tool of every set.
pub(in crate::mcp) fn all() -> impl Iterator<Item = &'static Tool> {
    SETS.into_iter().flat_map(|set| set.tools.iter().chain(set.persons))
}

/// The tools that this connection has.
pub(in crate::mcp) fn offered(to: &Loops) -> Vec<&'static Tool> {
    let persons = to.is_persons();
    let only =
        |name: &str| SETS.into_iter().any(|set| set.persons.iter().any(|it| it.name == name));
    all().filter(|tool| persons || !only(tool.name)).collect()
}

/// The set that a tool belongs to.
pub(in crate::mcp) fn set_of(name: &str) -> Option<&'static Set> {
    SETS.into_iter().find(|set| set.tools.iter().chain(set.persons).any(|tool| tool.name == name))
}
