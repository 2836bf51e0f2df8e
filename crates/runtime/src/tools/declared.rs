//! A tool as it is shown: names, class, permission, undo, and the schema of its arguments.

use kernel::call::{self, Acts, Tool};
use kernel::patch;
use serde_json::{Value, json};

use super::running;
use crate::files;

/// What a checkpoint is called.
const LABEL: &str = r#"{"type":"object","additionalProperties":false,
"properties":{"label":{"type":"string"}}}"#;

/// What is told of one tool.
#[must_use]
pub fn declared(tool: &Tool) -> Value {
    let undo = match tool.acts {
        Acts::Reads | Acts::Converges => "none",
        Acts::Changes | Acts::Arranges => "exact",
        Acts::Commits | Acts::Runs => "best_effort",
    };
    json!({
        "name": tool.name, "aliases": tool.aliases, "version": kernel::call::TOOL_VERSION,
        "class": tool.classes(), "permissions": [tool.permission], "undo": undo,
        "args_schema": schema(tool.name),
    })
}

/// The JSON Schema of a tool's arguments; none for those that are asked for in another way.
fn schema(name: &str) -> Option<Value> {
    let text = match name {
        "apply_patch" => patch::APPLY_PATCH_SCHEMA,
        "write" => patch::WRITE_SCHEMA,
        "delete" => patch::DELETE_SCHEMA,
        call::RUN => return Some(running::schema()),
        call::CHECKPOINT => LABEL,
        _ => return files::Tool::named(name).map(files::Tool::schema),
    };
    serde_json::from_str(text).ok()
}
