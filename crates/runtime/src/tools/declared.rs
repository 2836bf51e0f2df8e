//! A tool as it is shown: names, class, permission, undo, and the schemas of what it takes and
//! gives.

use kernel::call::{self, Acts, Tool};
use kernel::patch;
use serde_json::{Value, json};

use super::{running, schemas};
use crate::files;

/// What is told of one tool.
#[must_use]
pub fn declared(tool: &Tool) -> Value {
    let undo = match tool.acts {
        Acts::Converges if tool.name == call::ROLLBACK => "exact",
        Acts::Reads | Acts::Converges => "none",
        Acts::Changes | Acts::Arranges => "exact",
        Acts::Commits | Acts::Runs => "best_effort",
    };
    json!({
        "name": tool.name, "aliases": tool.aliases, "version": kernel::call::TOOL_VERSION,
        "class": tool.classes(), "permissions": [tool.permission], "undo": undo,
        "args_schema": schema(tool.name), "result_schema": schemas::result(tool.name),
    })
}

/// The JSON Schema of a tool's arguments.
fn schema(name: &str) -> Option<Value> {
    let text = match name {
        "apply_patch" => patch::APPLY_PATCH_SCHEMA,
        "write" => patch::WRITE_SCHEMA,
        "delete" => patch::DELETE_SCHEMA,
        call::RUN => return Some(running::schema()),
        _ => {
            let reads = files::Tool::named(name).map(files::Tool::schema);
            return reads.or_else(|| schemas::args(name));
        }
    };
    serde_json::from_str(text).ok()
}
