//! What tools take and give, as JSON Schemas: the arguments that are no tool's own business, and
//! every payload a person or an agent gets to see. Reading and making them is done elsewhere; a
//! test holds real ones against these.

use kernel::call;
use serde_json::{Value, json};

/// What a checkpoint is called.
const LABEL: &str = r#"{"type":"object","additionalProperties":false,
"properties":{"label":{"type":"string"}}}"#;

/// The arguments of tools that are asked for by machines and doors of ours.
pub(super) fn args(name: &str) -> Option<Value> {
    let hash = json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" });
    Some(match name {
        call::CHECKPOINT => serde_json::from_str(LABEL).ok()?,
        call::ROLLBACK => object(&json!({
            "checkpoint": { "type": "string" }, "calls": texts(),
            "conflicts": { "enum": ["aside", "keep"] },
            "head_rule": { "enum": ["same", "may_differ"] }, "approved": hash,
        })),
        call::UNDO => {
            let mut schema = object(&json!({
                "call": { "type": "string" }, "foreign": { "enum": ["refuse", "aside"] },
                "before": hash, "after": hash,
            }));
            // The marks of a process; a tool has none.
            schema["required"] = json!(["call", "foreign"]);
            schema
        }
        call::PACKAGE => json!({
            "type": "object", "required": ["root", "lang", "operation"],
            "properties": {
                "root": { "type": "string" }, "lang": { "type": "string" },
                "operation": { "enum": OPERATIONS },
            },
        }),
        call::GIT_COMMIT => object(&json!({
            "head": object(&json!({ "commit": or_null("string"), "branch": or_null("string") })),
            "message": { "type": "string" }, "paths": texts(),
        })),
        call::AGENT => json!({
            "type": "object", "required": ["agent", "kind", "access", "prompt", "lang"],
            "properties": {
                "agent": { "type": "string" }, "kind": { "type": "string" },
                "access": { "type": "string" }, "model": or_null("string"),
                "resume": or_null("string"), "prompt": { "type": "array" },
                "schema": or_null("string"), "lang": { "type": "string" },
                "tools": { "type": "string" },
            },
        }),
        _ => return None,
    })
}

/// What may be done with packages and the knowledge base.
pub(super) const OPERATIONS: [&str; 11] = [
    "create",
    "redraft",
    "archive",
    "clean",
    "init",
    "upgrade",
    "changelog",
    "adopt",
    "rolled_back",
    "mark",
    "sync",
];

/// The payload of a tool; none where it is a report that its own page describes.
pub(super) fn result(name: &str) -> Option<Value> {
    Some(match name {
        "read" => object(&json!({
            "path": { "type": "string" }, "sha256": hash(), "size": count(),
            "mode": { "type": "string", "pattern": "^[0-7]{4}$" },
            "eol": { "enum": ["lf", "crlf", "mixed", "none"] }, "bom": { "type": "boolean" },
            "binary": { "type": "boolean" }, "start": count(), "end": count(),
            "lines_total": count(), "text": or_null("string"), "truncated": { "type": "boolean" },
        })),
        "list" => object(&json!({ "entries": list(&entry()), "next": or_null("string") })),
        "search" | "search_semantic" => found(),
        "apply_patch" => object(&json!({ "files": list(&changed()) })),
        "write" => changed(),
        "delete" => object(&json!({ "path": { "type": "string" }, "before": hash() })),
        call::RUN => ran(),
        _ => return None,
    })
}

fn entry() -> Value {
    let mut entry = object(&json!({
        "path": { "type": "string" }, "raw": { "type": "string" },
        "kind": { "enum": ["file", "dir", "symlink", "other"] }, "size": count(),
        "tracked": or_null("boolean"), "ignored": { "type": "boolean" },
        "protected": { "enum": ["sensitive", "secret", "agent_settings", "control", null] },
        "nested_repo": { "type": "boolean" },
    }));
    // Only of a name that is no UTF-8.
    entry["required"].as_array_mut().into_iter().for_each(|all| all.retain(|one| one != "raw"));
    entry
}

fn found() -> Value {
    let source = json!({ "enum": ["grep", "semantic"] });
    let hit = object(&json!({
        "path": { "type": "string" }, "line": count(), "column": count(),
        "text": { "type": "string" }, "before": texts(), "after": texts(), "source": source,
        "score": { "type": "number", "minimum": 0, "maximum": 1 },
    }));
    let why = json!({ "enum": ["absent", "failed", "timeout", "unreadable", "empty"] });
    let mut fallback = object(&json!({ "from": source, "to": source, "why": why }));
    fallback["type"] = json!(["object", "null"]);
    object(&json!({
        "hits": list(&hit), "files": count(),
        "skipped": object(&json!({
            "binary": count(), "large": count(), "ignored": count(), "protected": count(),
        })),
        "truncated": list(&json!({ "enum": ["hits", "files", "time", "depth", "line"] })),
        "fallback": fallback,
    }))
}

/// What became of one file.
fn changed() -> Value {
    let side = json!({ "type": ["string", "null"], "pattern": "^[0-9a-f]{64}$" });
    object(&json!({
        "path": { "type": "string" }, "action": { "enum": ["create", "modify", "delete"] },
        "before": side, "after": side, "hunks": count(), "offset": { "type": "integer" },
        "added": count(), "removed": count(), "eol_translated": { "type": "boolean" },
    }))
}

fn ran() -> Value {
    let ended = ["exit", "signal", "deadline", "idle", "stopped", "spawn_failed"];
    object(&json!({
        "exit_code": or_null("integer"), "signal": or_null("integer"), "ended": { "enum": ended },
        "stdout_tail": { "type": "string" }, "stderr_tail": { "type": "string" },
        "bytes": object(&json!({ "stdout": count(), "stderr": count() })),
        "truncated": { "type": "boolean" },
        "anchors": list(&json!({ "type": "object", "required": ["file"] })),
        "files_changed": texts(), "sandbox": { "type": "string" },
        "undeclared": { "type": ["array", "null"], "items": { "type": "string" } },
    }))
}

/// An object with exactly these fields.
fn object(fields: &Value) -> Value {
    let names: Vec<&String> = fields.as_object().into_iter().flat_map(|all| all.keys()).collect();
    json!({
        "type": "object", "additionalProperties": false, "required": names, "properties": fields,
    })
}

fn list(item: &Value) -> Value {
    json!({ "type": "array", "items": item })
}

fn texts() -> Value {
    list(&json!({ "type": "string" }))
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn hash() -> Value {
    json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
}

fn or_null(kind: &str) -> Value {
    json!({ "type": [kind, "null"] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::declared;

    #[test]
    fn every_tool_says_what_it_takes() {
        for tool in &call::TOOLS {
            let told = declared(tool);
            assert!(told["args_schema"].is_object(), "{}", tool.name);
            assert!(jsonschema::validator_for(&told["args_schema"]).is_ok(), "{}", tool.name);
        }
    }

    #[test]
    fn what_our_own_machines_ask_with_fits() {
        let hash = "0a".repeat(32);
        let head = json!({ "commit": null, "branch": "main" });
        let table = [
            (call::CHECKPOINT, json!({ "label": "x" }), true),
            (call::CHECKPOINT, json!({ "name": "x" }), false),
            (
                call::ROLLBACK,
                json!(crate::hands::RollbackArgs {
                    checkpoint: "chk-1".to_owned(),
                    calls: vec!["call-1".to_owned()],
                    conflicts: kernel::rollback::Conflicts::Aside,
                    head_rule: kernel::rollback::HeadRule::MayDiffer,
                    approved: hash.clone(),
                }),
                true,
            ),
            (call::UNDO, json!({ "call": "call-1", "foreign": "aside", "before": hash }), true),
            (call::UNDO, json!({ "call": "call-1" }), false),
            (call::GIT_COMMIT, json!({ "head": head, "message": "m", "paths": ["a"] }), true),
            (call::GIT_COMMIT, json!({ "message": "m", "paths": ["a"] }), false),
            (call::PACKAGE, json!({ "root": "kb", "lang": "en", "operation": "sync" }), true),
            (call::PACKAGE, json!({ "root": "kb", "lang": "en", "operation": "burn" }), false),
        ];
        for (name, asked, fits) in table {
            let schema = jsonschema::validator_for(&args(name).unwrap()).unwrap();
            assert_eq!(schema.is_valid(&asked), fits, "{name} {asked}");
        }
    }
}
