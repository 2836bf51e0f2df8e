//! `read`: facts and lines of a file, and what it refuses.

use kernel::hash::sha256_hex;
use serde_json::{Value, json};

use super::super::{Desk, Eol, Secrets, read};
use super::ground::{GroundIn, told};

#[test]
fn a_file_is_told_with_its_facts() {
    let ground = GroundIn::new();
    let text = b"\xef\xbb\xbfone\r\ntwo\r\nthree";
    ground.write("a b/x.txt", text);
    let payload = ground.read(&json!({ "path": "a b/x.txt", "offset": 2, "limit": 1 })).unwrap();
    assert_eq!(payload.sha256.to_string(), sha256_hex(text));
    assert_eq!((payload.eol, payload.bom, payload.binary), (Eol::Crlf, true, false));
    assert_eq!((payload.start, payload.end, payload.lines_total), (2, 2, 3));
    assert_eq!((payload.text.as_deref(), payload.truncated), (Some("two\r\n"), true));
    let shown = serde_json::to_value(&payload).unwrap();
    let mut names: Vec<&String> = shown.as_object().unwrap().keys().collect();
    names.sort();
    let expected = [
        "binary",
        "bom",
        "end",
        "eol",
        "lines_total",
        "mode",
        "path",
        "sha256",
        "size",
        "start",
        "text",
        "truncated",
    ];
    assert_eq!(names, expected);
    assert_eq!((&shown["eol"], shown["mode"].as_str().unwrap().len()), (&json!("crlf"), 4));
}

#[test]
fn binary_files_give_no_text() {
    let ground = GroundIn::new();
    ground.write("nul", b"a\0b\n");
    ground.write("latin", b"caf\xe9\n");
    for path in ["nul", "latin"] {
        let payload = ground.read(&json!({ "path": path })).unwrap();
        assert!(payload.binary && payload.text.is_none() && !payload.truncated, "{path}");
    }
}

#[test]
fn arguments_are_read_strictly() {
    let table: [(Value, &str); 9] = [
        (json!([]), ""),
        (json!({}), "/path"),
        (json!({ "path": 1 }), "/path"),
        (json!({ "path": "x", "line": 1 }), "/line"),
        (json!({ "path": "x", "offset": 0 }), "/offset"),
        (json!({ "path": "x", "limit": 0 }), "/limit"),
        (json!({ "path": "x", "limit": "9" }), "/limit"),
        (json!({ "path": "x", "file_path": "y" }), "/path"),
        (json!({ "path": "x", "a/b": 1 }), "/a~1b"),
    ];
    for (args, at) in table {
        let fault = read::Args::parse(&args).unwrap_err();
        assert_eq!(fault.code().to_string(), "E_INVALID_ARGS");
        assert_eq!(fault.details()["path"], at, "{args}");
    }
    let aliased = read::Args::parse(&json!({ "target_file": "x", "limit": null })).unwrap();
    assert_eq!((aliased.path.as_str(), aliased.offset, aliased.limit), ("x", 1, 2000));
    let bad = read::Args::parse(&json!({ "path": "../x" }));
    assert_eq!(told(bad), ("E_POLICY_DENIED".to_owned(), "path"));
}

#[test]
fn protected_names_are_judged_where_they_really_stand() {
    let ground = GroundIn::with(&[
        (".git/config", "c"),
        (".loop/x", "l"),
        (".env", "s"),
        ("keys/a.pem", "s"),
        (".claude/x", "a"),
        ("infra/x", "i"),
        (".env.example", "e"),
    ]);
    ground.link(".env", "notes.txt");
    ground.link(".git", "g");
    let denied = [".git/config", ".GIT/config", ".loop/x", ".env", "keys/a.pem", "notes.txt"];
    for path in denied.into_iter().chain(["g/config"]) {
        let fault = ground.read(&json!({ "path": path })).unwrap_err();
        assert_eq!(fault.kind(), "protected", "{path}: {fault:?}");
    }
    for path in [".claude/x", "infra/x", ".env.example"] {
        assert!(ground.read(&json!({ "path": path })).is_ok(), "{path}");
    }
    let desk = Desk { secrets: Secrets::Granted, ..ground.desk() };
    let granted =
        |path: &str| read::read(&desk, &read::Args::parse(&json!({ "path": path })).unwrap());
    for path in [".env", "keys/a.pem", "notes.txt"] {
        assert_eq!(granted(path).unwrap().text.as_deref(), Some("s"), "{path}");
    }
    for path in [".git/config", ".loop/x", "g/config"] {
        assert_eq!(granted(path).unwrap_err().kind(), "protected", "{path}");
    }
}

#[test]
fn a_file_too_large_is_refused_unread() {
    let ground = GroundIn::new();
    let sparse = std::fs::File::create(ground.root.join("sparse")).unwrap();
    sparse.set_len(10 << 30).unwrap();
    assert_eq!(told(ground.read(&json!({ "path": "sparse" }))).1, "too_large");
    assert_eq!(told(ground.read(&json!({ "path": "none" }))).1, "not_found");
}

#[test]
fn text_is_bounded_by_the_desk() {
    let ground = GroundIn::with(&[("x", "12345\n67890\n")]);
    let desk = Desk { text_bytes_max: 8, ..ground.desk() };
    let args = read::Args::parse(&json!({ "path": "x" })).unwrap();
    let payload = read::read(&desk, &args).unwrap();
    assert_eq!((payload.text.as_deref(), payload.end), (Some("12345\n"), 1));
    assert!(payload.truncated);
}
