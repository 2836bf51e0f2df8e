//! `list`: order, pages, what is hidden and what is told.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use serde_json::{Value, json};

use super::super::list;
use super::ground::{GroundIn, told};

fn paths(payload: &list::Payload) -> Vec<&str> {
    payload.entries.iter().map(|entry| entry.path.as_str()).collect()
}

fn sample() -> GroundIn {
    let ground = GroundIn::with(&[
        (".gitignore", "*.log\n/cache/\n"),
        ("a-b/x", ""),
        ("a/x.rs", "12345"),
        ("a/sub/y.rs", ""),
        ("a.txt", ""),
        ("cache/c", ""),
        ("debug.log", ""),
        ("node_modules/m/i.js", ""),
        ("bin/tool", ""),
        ("bin/other", ""),
        (".env", "s"),
        ("nested/.git/HEAD", ""),
    ]);
    ground.track(&["a/x.rs", "bin/tool", "debug.log"]);
    ground
}

#[test]
fn entries_come_in_the_order_of_paths_with_their_facts() {
    let ground = sample();
    let payload = ground.list(&json!({ "depth": 8 })).unwrap();
    let expected = [
        ".env",
        ".git",
        ".gitignore",
        "a-b",
        "a-b/x",
        "a.txt",
        "a",
        "a/sub",
        "a/sub/y.rs",
        "a/x.rs",
        "bin",
        "bin/tool",
        "debug.log",
        "nested",
        "nested/.git",
    ];
    assert_eq!(paths(&payload), expected);
    assert_eq!(payload.next, None);
    let shown = serde_json::to_value(&payload).unwrap();
    let of = |path: &str| {
        let mut entries = shown["entries"].as_array().unwrap().iter();
        entries.find(|entry| entry["path"] == path).unwrap().clone()
    };
    let fact = |path: &str, name: &str| of(path)[name].clone();
    assert_eq!(fact("a/x.rs", "tracked"), json!(true));
    assert_eq!(fact("a/sub/y.rs", "tracked"), json!(false));
    assert_eq!((fact("a/x.rs", "size"), fact("a", "kind")), (json!(5), json!("dir")));
    assert_eq!(fact(".env", "protected"), json!("secret"));
    assert_eq!(fact(".git", "protected"), json!("control"));
    assert_eq!(fact("a.txt", "protected"), Value::Null);
    assert_eq!(
        (fact("nested", "nested_repo"), fact("a", "nested_repo")),
        (json!(true), json!(false))
    );
    assert_eq!(fact("debug.log", "ignored"), json!(false), "tracked in spite of the rule");
    assert!(of("a.txt").get("raw").is_none());
}

#[test]
fn what_is_ignored_shows_only_when_asked_for() {
    let ground = sample();
    let payload = ground.list(&json!({ "ignored": true, "depth": 2 })).unwrap();
    let ignored: Vec<&str> = payload
        .entries
        .iter()
        .filter(|entry| entry.ignored)
        .map(|entry| entry.path.as_str())
        .collect();
    let expected =
        [".git", "bin/other", "cache", "cache/c", "nested/.git", "node_modules", "node_modules/m"];
    assert_eq!(ignored, expected);
    assert!(!paths(&payload).contains(&".git/index"), "git's own content is never listed");
    let told = told(ground.list(&json!({ "path": ".git" })));
    assert_eq!(told, ("E_POLICY_DENIED".to_owned(), "protected"));
    ground.link(".git", "g");
    assert_eq!(super::ground::told(ground.list(&json!({ "path": "g" }))).1, "protected");
}

#[test]
fn pages_join_to_the_whole() {
    let ground = sample();
    let whole = ground.list(&json!({ "depth": 8, "ignored": true })).unwrap();
    for limit in [1, 2, 3, 7, 100] {
        let mut joined = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let args = json!({ "depth": 8, "ignored": true, "limit": limit, "cursor": cursor });
            let page = ground.list(&args).unwrap();
            assert!(page.entries.len() <= limit);
            joined.extend(page.entries);
            match page.next {
                Some(next) => cursor = json!(next),
                None => break,
            }
        }
        assert_eq!(joined, whole.entries, "by {limit}");
    }
    let bad = ground.list(&json!({ "cursor": "zz" }));
    assert_eq!(told(bad).0, "E_INVALID_ARGS");
}

#[test]
fn names_that_are_no_utf8_are_told_raw() {
    let ground = GroundIn::new();
    std::fs::write(ground.root.join(OsStr::from_bytes(b"bad\xff.txt")), "needle").unwrap();
    std::fs::write(ground.root.join("new\nline"), "needle").unwrap();
    let payload = ground.list(&json!({})).unwrap();
    assert_eq!(paths(&payload), ["bad\u{fffd}.txt", "new\nline"]);
    assert_eq!(payload.entries[0].raw.as_deref(), Some("YmFk/y50eHQ="));
    assert_eq!(payload.entries[0].tracked, None, "no index, nothing known");
    assert_eq!(ground.search(&json!({ "query": "needle" })).unwrap().hits.len(), 2);
}

#[test]
fn globs_and_depth_choose_entries() {
    let ground = sample();
    let shown = |args: Value| {
        let payload = ground.list(&args).unwrap();
        paths(&payload).join(" ")
    };
    assert_eq!(shown(json!({ "glob": "*.rs", "depth": 8 })), "a/sub/y.rs a/x.rs");
    assert_eq!(shown(json!({ "path": "a" })), "a/sub a/x.rs");
    assert_eq!(shown(json!({ "path": "a/", "depth": 2, "glob": "a/*/*" })), "a/sub/y.rs");
    assert_eq!(shown(json!({ "path": "cache" })), "", "an ignored directory holds nothing tracked");
    assert_eq!(shown(json!({ "path": "cache", "ignored": true })), "cache/c");
    for (args, code) in [
        (json!({ "depth": 9 }), "E_INVALID_ARGS"),
        (json!({ "limit": 1001 }), "E_INVALID_ARGS"),
        (json!({ "path": "a.txt" }), "E_IO"),
        (json!({ "path": "none" }), "E_IO"),
        (json!({ "path": "/" }), "E_POLICY_DENIED"),
    ] {
        assert_eq!(told(ground.list(&args)).0, code, "{args}");
    }
}
