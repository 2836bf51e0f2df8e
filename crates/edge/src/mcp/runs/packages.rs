//! Packages as tools that only read.

use kernel::errors::Machine;
use serde_json::{Value, json};

use super::super::loops::{Kind, Tool};
use super::set::{Caller, Set};
use crate::loops::Fields;
use crate::packages::Base;
use crate::problem::Raised;

/// The tools of packages.
pub(super) const SET: Set = Set { machine: Machine::Session, tools: TOOLS, persons: &[], act };

const TOOLS: &[Tool] = &[
    Tool { name: "package_list", about: "The packages that wait.", must: &[], fields: &[] },
    Tool {
        name: "package_check",
        about: "Whether packages can be carried out; all of them if none is named.",
        must: &[],
        fields: &[("names", Kind::Texts)],
    },
];

fn act(caller: &Caller<'_>, name: &str, mut fields: Fields) -> Result<Value, Raised> {
    let Caller { visit, lang } = *caller;
    let base = Base::of(visit.site, lang)?;
    let names = fields.texts("names")?.unwrap_or_default();
    fields.done()?;
    match name {
        "package_check" => Ok(json!(base.check(visit.site, &names)?)),
        _list => Ok(json!(base.list(visit.site)?)),
    }
}
