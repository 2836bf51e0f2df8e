//! Arguments as models send them.

use alloc::string::ToString;

use serde_json::{Value, json};

use crate::patch::{
    ApplyPatch, BadArgs, Body, Delete, EolWanted, ExecutableWanted, Mode, Patch, Write,
};

fn pointer<T>(read: Result<T, BadArgs>) -> alloc::string::String {
    read.err().expect("refused").path
}

#[test]
fn a_patch_is_an_edit_or_a_diff() {
    let edit = ApplyPatch::read(&json!({ "path": "f", "old": "a", "new": "b" })).unwrap();
    let Patch::Edit(edit) = edit.patch else { panic!() };
    assert_eq!((edit.path.as_str(), edit.expected), ("f", 1));
    let other = json!({ "file_path": "f", "old_string": "a", "new_string": "", "expected": 0 });
    let Patch::Edit(edit) = ApplyPatch::read(&other).unwrap().patch else { panic!() };
    assert_eq!((edit.old.as_str(), edit.expected), ("a", 0));
    let hash = "0".repeat(64);
    let diff = json!({ "diff": "x", "expect": { "f": hash }, "dry_run": true });
    let diff = ApplyPatch::read(&diff).unwrap();
    assert_eq!(diff.patch, Patch::Diff("x\n".to_string()), "its last line is ended");
    assert_eq!((diff.expect["f"].as_str(), diff.dry_run), (hash.as_str(), true));
}

#[test]
fn bad_arguments_of_a_patch_are_pointed_at() {
    let table: [(Value, &str); 12] = [
        (json!([]), ""),
        (json!({}), "/path"),
        (json!({ "path": "f" }), "/old"),
        (json!({ "path": "f", "old": "a" }), "/new"),
        (json!({ "path": "f", "old": "", "new": "b" }), "/old"),
        (json!({ "path": "f", "old": "a", "new": "a" }), "/new"),
        (json!({ "path": "f", "old": "a", "new": "b", "expected": -1 }), "/expected"),
        (json!({ "path": "f", "old": "a", "new": "b", "fuzzy": true }), "/fuzzy"),
        (json!({ "path": "f", "file_path": "g", "old": "a", "new": "b" }), "/file_path"),
        (json!({ "diff": "x", "path": "f" }), "/diff"),
        (json!({ "diff": 1 }), "/diff"),
        (json!({ "diff": "x", "expect": { "a/b": "zz" } }), "/expect/a~1b"),
    ];
    for (args, path) in table {
        assert_eq!(pointer(ApplyPatch::read(&args)), path, "{args}");
    }
}

#[test]
fn a_write_says_all_it_needs() {
    let write = Write::read(&json!({ "path": "f", "text": "a", "mode": "create" })).unwrap();
    let kept = (EolWanted::Keep, ExecutableWanted::Keep, Mode::Create);
    assert_eq!((write.eol, write.executable, write.mode), kept);
    let hash = "a".repeat(64);
    let args = json!({ "file": "f", "base64": "AP8=", "mode": "overwrite", "expect": hash,
        "eol": "crlf", "executable": true });
    let write = Write::read(&args).unwrap();
    assert_eq!(write.body, Body::Bytes([0, 255].to_vec()));
    assert_eq!((write.eol, write.executable), (EolWanted::Crlf, ExecutableWanted::Yes));
}

#[test]
fn bad_arguments_of_a_write_or_delete_are_pointed_at() {
    let hash = "a".repeat(64);
    let table: [(Value, &str); 9] = [
        (json!({ "text": "a", "mode": "create" }), "/path"),
        (json!({ "path": "f", "text": "a" }), "/mode"),
        (json!({ "path": "f", "mode": "create" }), "/text"),
        (json!({ "path": "f", "text": "a", "base64": "", "mode": "create" }), "/text"),
        (json!({ "path": "f", "base64": "A", "mode": "create" }), "/base64"),
        (json!({ "path": "f", "text": "a", "mode": "append" }), "/mode"),
        (json!({ "path": "f", "text": "a", "mode": "create", "expect": hash }), "/expect"),
        (json!({ "path": "f", "text": "a", "mode": "create", "executable": "yes" }), "/executable"),
        (json!({ "path": "f", "text": "a", "mode": "create", "line": 3 }), "/line"),
    ];
    for (args, path) in table {
        assert_eq!(pointer(Write::read(&args)), path, "{args}");
    }
    assert_eq!(pointer(Delete::read(&json!({ "path": "f", "expect": "x" }))), "/expect");
    assert_eq!(pointer(Delete::read(&json!({ "path": "f", "recursive": true }))), "/recursive");
    assert!(Delete::read(&json!({ "target_file": "f" })).is_ok());
}
