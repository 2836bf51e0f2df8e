//! A tool as it is shown: names, class, permission, undo, and the schema of its arguments.

use kernel::call::{Acts, Tool};
use serde_json::{Value, json};

use crate::files;

/// What is told of one tool.
#[must_use]
pub fn declared(tool: &Tool) -> Value {
    let undo = match tool.acts {
        Acts::Reads | Acts::Converges => "none",
        Acts::Changes => "exact",
        Acts::Runs => "best_effort",
    };
    json!({
        "name": tool.name, "aliases": tool.aliases, "version": kernel::call::TOOL_VERSION,
        "class": tool.classes(), "permissions": [tool.permission], "undo": undo,
        "args_schema": files::Tool::named(tool.name).map(files::Tool::schema),
    })
}
