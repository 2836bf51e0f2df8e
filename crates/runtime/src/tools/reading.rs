//! Lets a reading tool act: arguments in, payload out. Repeating it changes nothing.

use kernel::paths::{Class, Rel};
use serde::Serialize;
use serde_json::Value;

use super::bounds::Bounds;
use crate::files::{Desk, Fault, Root, Secrets, Tool, list, read as file, search};

/// Where a reading tool looks, if its arguments fit.
///
/// # Errors
/// The first argument that does not.
pub(super) fn place(tool: Tool, args: &Value) -> Result<Rel, Fault> {
    Ok(match tool {
        Tool::Read => file::Args::parse(args)?.path,
        Tool::List => list::Args::parse(args)?.path,
        Tool::Search => search::Args::parse(args)?.path,
        Tool::SearchSemantic => search::Semantic::parse(args)?.path,
    })
}

/// Reads for a call that was allowed. Who allowed it saw the path: where its own name says that it
/// is a secret, the secret was granted. A link to one under another name was not.
///
/// # Errors
/// Why nothing was read.
pub fn read(root: &Root, bounds: &Bounds, tool: Tool, args: &Value) -> Result<Value, Fault> {
    let asked = place(tool, args)?;
    let secrets = if bounds.names.classes(asked.as_str()).has(Class::Secret) {
        Secrets::Granted
    } else {
        Secrets::Withheld
    };
    let desk = Desk { secrets, ..bounds.desk(root) };
    match tool {
        Tool::Read => file::read(&desk, &file::Args::parse(args)?).map(payload),
        Tool::List => list::list(&desk, &list::Args::parse(args)?).map(payload),
        Tool::Search => search::search(&desk, &search::Args::parse(args)?).map(payload),
        Tool::SearchSemantic => {
            let args = search::Semantic::parse(args)?;
            search::search_semantic(&desk, &args, bounds.semantic.as_ref()).map(payload)
        }
    }
}

fn payload(payload: impl Serialize) -> Value {
    serde_json::to_value(payload).expect("payloads are plain data")
}
