//! `search`: what is found, in which order, what is left out, and where it ends.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::search::{self, Bound};
use super::super::{Desk, Fault};
use super::ground::{GroundIn, told};

fn places(payload: &search::Payload) -> Vec<String> {
    payload.hits.iter().map(|hit| format!("{}:{}:{}", hit.path, hit.line, hit.column)).collect()
}

#[test]
fn hits_come_in_the_order_of_paths_with_their_lines() {
    let ground = GroundIn::with(&[
        ("b.txt", "x needle\r\nplain\r\nneedle needle\r\n"),
        ("a/z.txt", "one\ntwo\nthree needle\nfour\nfive\nsix\n"),
        ("a-b/y.txt", "\u{feff}needle"),
        ("日本.txt", "日本 needle"),
    ]);
    let payload = ground.search(&json!({ "query": "needle" })).unwrap();
    let expected = ["a-b/y.txt:1:1", "a/z.txt:3:7", "b.txt:1:3", "b.txt:3:1", "日本.txt:1:4"];
    assert_eq!(places(&payload), expected);
    let hit = &payload.hits[1];
    assert_eq!(hit.text, "three needle");
    assert_eq!((hit.before.join("|"), hit.after.join("|")), ("one|two".into(), "four|five".into()));
    assert_eq!(payload.hits[2].text, "x needle", "without its line end");
    assert_eq!((payload.files, payload.truncated.len()), (4, 0));
    let shown = serde_json::to_value(&payload).unwrap();
    assert_eq!(shown["hits"][0]["source"], "grep");
    assert_eq!(shown["fallback"], Value::Null);
}

#[test]
fn queries_are_texts_or_expressions_with_their_case() {
    let ground = GroundIn::with(&[("x", "Foo.bar\nfooXbar\nFOO.BAR\n")]);
    let lines = |args: Value| -> Vec<u64> {
        ground.search(&args).unwrap().hits.iter().map(|hit| hit.line).collect()
    };
    let table: [(Value, &[u64]); 9] = [
        (json!({ "query": "foo.bar" }), &[1, 3]),
        (json!({ "query": "Foo.bar" }), &[1]),
        (json!({ "query": "foo.bar", "case": "sensitive" }), &[]),
        (json!({ "query": "Foo.Bar", "case": "insensitive" }), &[1, 3]),
        (json!({ "query": "foo.bar", "kind": "regex" }), &[1, 2, 3]),
        (json!({ "query": "^foo.*r$", "kind": "regex", "case": "sensitive" }), &[2]),
        (json!({ "pattern": "o.b" }), &[1, 2, 3]),
        (json!({ "pattern": "o.b", "kind": "literal" }), &[1, 3]),
        (json!({ "query": "[" }), &[]),
    ];
    for (args, expected) in table {
        assert_eq!(lines(args.clone()), expected, "{args}");
    }
    for bad in [
        json!({}),
        json!({ "query": "" }),
        json!({ "query": "(", "kind": "regex" }),
        json!({ "query": "a\nb" }),
        json!({ "query": r"a\nb", "kind": "regex" }),
        json!({ "query": "(a{1000}){1000}", "kind": "regex" }),
        json!({ "query": "x", "kind": "symbol" }),
        json!({ "query": "x", "context": 11 }),
        json!({ "query": "x", "limit": 1001 }),
        json!({ "query": "x", "glob": "[" }),
        json!({ "query": "x", "unknown": 1 }),
    ] {
        assert_eq!(told(ground.search(&bad)).0, "E_INVALID_ARGS", "{bad}");
    }
}

#[test]
fn what_is_left_out_is_counted() {
    let ground = GroundIn::with(&[
        (".gitignore", "*.log\n"),
        (".ignore", "/notes\n!keep.log\n"),
        ("a.log", "needle"),
        ("keep.log", "needle"),
        ("notes/n", "needle"),
        ("node_modules/m.js", "needle"),
        ("bin/tool", "needle"),
        ("bin/other", "needle"),
        ("target/x", "needle"),
        (".env", "needle"),
        ("certs/a.pem", "needle"),
        (".ssh/config", "needle"),
        (".gitmodules", "needle"),
        (".loop/x", "needle"),
        (".hidden", "needle"),
        ("plain", "needle"),
    ]);
    ground.track(&["bin/tool"]);
    ground.write("binary", b"needle\0");
    ground.write("large", &b"needle\n".repeat(100));
    ground.link("plain", "link");
    let desk = Desk { searched_bytes_max: 500, ..ground.desk() };
    let args = search::Args::parse(&json!({ "query": "needle" })).unwrap();
    let payload = search::search(&desk, &args).unwrap();
    assert_eq!(places(&payload), [".hidden:1:1", "bin/tool:1:1", "keep.log:1:1", "plain:1:1"]);
    let skipped = serde_json::to_value(payload.skipped).unwrap();
    assert_eq!(skipped, json!({ "binary": 1, "large": 1, "ignored": 5, "protected": 4 }));
}

#[test]
fn a_place_may_be_named() {
    let ground = GroundIn::with(&[
        ("a/x.rs", "needle"),
        ("a/x.txt", "needle"),
        ("a/b/y.rs", "needle"),
        ("c.rs", "needle"),
        (".env", "needle"),
        (".git/x", "needle"),
    ]);
    ground.link(".git", "g");
    ground.link("../outside", "out");
    let at = |args: Value| places(&ground.search(&args).unwrap()).join(" ");
    assert_eq!(
        at(json!({ "query": "needle", "path": "a" })),
        "a/b/y.rs:1:1 a/x.rs:1:1 a/x.txt:1:1"
    );
    assert_eq!(at(json!({ "query": "needle", "path": "a/x.rs" })), "a/x.rs:1:1");
    let rust = json!({ "query": "needle", "glob": "*.rs" });
    assert_eq!(at(rust), "a/b/y.rs:1:1 a/x.rs:1:1 c.rs:1:1");
    assert_eq!(at(json!({ "query": "needle", "glob": "a/*.rs" })), "a/x.rs:1:1");
    assert_eq!(at(json!({ "glob_pattern": "*.txt" })), "a/x.txt:1:1");
    for path in [".env", ".git", ".git/x", "g", "g/x"] {
        let fault = ground.search(&json!({ "query": "needle", "path": path })).unwrap_err();
        assert_eq!(fault.kind(), "protected", "{path}");
    }
    assert!(matches!(
        ground.search(&json!({ "query": "canary", "path": "out" })),
        Err(Fault::Outside { .. })
    ));
}

#[test]
fn bounds_are_named_and_the_answer_is_the_same_each_time() {
    let ground = GroundIn::new();
    for file in 0..300 {
        ground.write(&format!("d{}/f{file:03}.txt", file % 7), "needle\nneedle\n".as_bytes());
    }
    let args = json!({ "query": "needle", "limit": 101, "context": 0 });
    let first = ground.search(&args).unwrap();
    assert_eq!((first.hits.len(), &first.truncated[..]), (101, &[Bound::Hits][..]));
    assert_eq!(first.files, 51, "files after the last hit are not counted");
    for _ in 0..5 {
        assert_eq!(ground.search(&args).unwrap(), first);
    }
    let all = ground.search(&json!({ "query": "needle", "limit": 600, "context": 0 })).unwrap();
    assert_eq!((all.hits.len(), all.truncated.len(), all.files), (600, 0, 300));
    assert_eq!(all.hits[..101], first.hits[..]);
    let parsed = search::Args::parse(&json!({ "query": "needle", "limit": 1000 })).unwrap();
    let few = search::limited(&ground.desk(), &parsed, 10, Duration::from_secs(10)).unwrap();
    assert_eq!((few.files, &few.truncated[..]), (10, &[Bound::Files][..]));
    let none = search::limited(&ground.desk(), &parsed, 10, Duration::ZERO).unwrap();
    assert_eq!((none.files, &none.truncated[..]), (0, &[Bound::Time][..]));
}

#[test]
fn a_long_line_is_cut_around_what_fits() {
    let long = format!("{}needle{}", "x".repeat(5000), "y".repeat(5000));
    let ground = GroundIn::with(&[("x", &long)]);
    let payload = ground.search(&json!({ "query": "needle" })).unwrap();
    let hit = &payload.hits[0];
    assert_eq!((hit.column, hit.text.chars().count()), (5001, 400));
    assert!(hit.text.contains("needle"));
    assert_eq!(payload.truncated, [Bound::Line]);
}

#[test]
fn deep_trees_and_fifos_do_not_hold_it_up() {
    let ground = GroundIn::with(&[("z.txt", "needle")]);
    let deep = ["d"; 200].join("/");
    ground.write(&format!("{deep}/x"), b"needle");
    let fifo = ground.root.join(".gitignore");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let payload = ground.search(&json!({ "query": "needle" })).unwrap();
    assert_eq!(places(&payload), ["z.txt:1:1"]);
    assert_eq!(payload.truncated, [Bound::Depth]);
}
