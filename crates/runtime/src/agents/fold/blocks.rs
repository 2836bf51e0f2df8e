//! Content blocks of messages, in the shape that two CLIs share: text, tools started, tools ended.

use kernel::agent::{FileClaim, FileKind};
use serde_json::Value;

use super::draft::Draft;
use super::field::{list, text};

fn blocks<'a>(event: &'a Value, kind: &'static str) -> impl Iterator<Item = &'a Value> {
    list(&event["message"], "content").iter().filter(move |b| text(b, "type") == Some(kind))
}

/// The text blocks of a message, joined.
pub(super) fn prose(event: &Value) -> String {
    blocks(event, "text").filter_map(|block| text(block, "text")).collect()
}

/// Tools that a message starts; those named in `edits` change the file that they name.
pub(super) fn tools_started(draft: &mut Draft, event: &Value, edits: &[&str]) {
    for block in blocks(event, "tool_use") {
        let Some(id) = text(block, "id") else { continue };
        let name = text(block, "name").unwrap_or_default();
        draft.open_tool(id, name);
        let input = &block["input"];
        let path = text(input, "file_path").or_else(|| text(input, "notebook_path"));
        if let Some(path) = path.filter(|_| edits.contains(&name)) {
            draft.may_claim(id, FileClaim { path: path.to_owned(), kind: FileKind::Update });
        }
    }
}

/// Tools that a message ends; what they changed is told as `kind`, where the message says it.
pub(super) fn tools_ended(draft: &mut Draft, event: &Value, kind: Option<FileKind>) {
    for block in blocks(event, "tool_result") {
        let Some(id) = text(block, "tool_use_id") else { continue };
        draft.close_tool(id);
        let failed = block["is_error"] == Value::Bool(true);
        if let Some(claim) = draft.claimed_by(id).filter(|_| !failed) {
            draft.claim(FileClaim { kind: kind.unwrap_or(claim.kind), ..claim });
        }
    }
}

/// Tools that the result says were refused.
pub(super) fn denials(draft: &mut Draft, result: &Value) {
    for denial in list(result, "permission_denials") {
        if let Some(tool) = text(denial, "tool_name") {
            draft.denied(tool);
        }
    }
}
