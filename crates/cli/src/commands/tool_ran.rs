//! What `tool run run` tells of a command that ended: what it printed last, and what it changed
//! without having said so.

use serde_json::Value;

use crate::ctx::Ctx;

/// The page of such a call.
pub fn page(ctx: &Ctx, data: &Value) -> String {
    let payload = &data["payload"];
    let mut lines: Vec<String> = ["stdout_tail", "stderr_tail"]
        .iter()
        .filter_map(|name| payload[*name].as_str())
        .map(|text| text.trim_end().to_owned())
        .filter(|text| !text.is_empty())
        .collect();
    let undeclared = payload["undeclared"].as_array().into_iter().flatten();
    let paths: Vec<&str> = undeclared.filter_map(Value::as_str).collect();
    if !paths.is_empty() {
        lines.push(ctx.tell("tool-undeclared", &[("paths", &paths.join(", "))]));
    }
    let call = data["call"].as_str().unwrap_or_default();
    lines.push(ctx.tell("tool-done", &[("call", &call)]));
    lines.join("\n")
}
