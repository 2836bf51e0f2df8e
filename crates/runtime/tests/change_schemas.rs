//! The schemas agents are told against the arguments that are read: whatever a schema accepts is
//! read, and what it refuses is refused. Names that are only mapped are in no schema.

use kernel::patch::{APPLY_PATCH_SCHEMA, ApplyPatch, DELETE_SCHEMA, Delete, WRITE_SCHEMA, Write};
use serde_json::{Value, json};

fn check(schema: &str, read: impl Fn(&Value) -> bool, table: &[(Value, bool)]) {
    let schema: Value = serde_json::from_str(schema).expect("a schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (args, accepted) in table {
        assert_eq!(validator.is_valid(args), *accepted, "schema: {args}");
        assert_eq!(read(args), *accepted, "reader: {args}");
    }
}

#[test]
fn schemas_and_readers_agree() {
    let hash = "0".repeat(64);
    check(
        APPLY_PATCH_SCHEMA,
        |args| ApplyPatch::read(args).is_ok(),
        &[
            (json!({ "path": "f", "old": "a", "new": "b" }), true),
            (json!({ "path": "f", "old": "a", "new": "b", "expected": 0 }), true),
            (json!({ "diff": "x", "expect": { "f": hash }, "dry_run": true }), true),
            (json!({ "path": "f", "old": "", "new": "b" }), false),
            (json!({ "path": "f", "old": "a" }), false),
            (json!({ "diff": "x", "path": "f" }), false),
            (json!({ "diff": "x", "expected": 1 }), false),
            (json!({ "diff": "x", "fuzzy": true }), false),
            (json!({ "diff": "x", "expect": { "f": "zz" } }), false),
            (json!({}), false),
        ],
    );
    check(
        WRITE_SCHEMA,
        |args| Write::read(args).is_ok(),
        &[
            (json!({ "path": "f", "text": "", "mode": "create" }), true),
            (json!({ "path": "f", "base64": "AA==", "mode": "overwrite", "expect": hash }), true),
            (json!({ "path": "f", "text": "", "mode": "create", "executable": "keep" }), true),
            (json!({ "path": "f", "text": "", "mode": "create", "executable": false }), true),
            (json!({ "path": "f", "text": "", "mode": "append" }), false),
            (json!({ "path": "f", "text": "", "base64": "", "mode": "create" }), false),
            (json!({ "path": "f", "mode": "create" }), false),
            (json!({ "path": "f", "text": "", "mode": "create", "eol": "cr" }), false),
            (json!({ "path": "f", "text": "", "mode": "create", "at": 3 }), false),
        ],
    );
    check(
        DELETE_SCHEMA,
        |args| Delete::read(args).is_ok(),
        &[
            (json!({ "path": "f" }), true),
            (json!({ "path": "f", "expect": hash }), true),
            (json!({ "expect": hash }), false),
            (json!({ "path": "f", "recursive": true }), false),
        ],
    );
}
