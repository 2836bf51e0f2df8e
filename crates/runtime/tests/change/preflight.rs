//! What is refused before anything is saved or touched, and what is told of what will be done.

use std::fs;
use std::os::unix::fs::symlink;

use kernel::patch::Action;
use loopwright_runtime::change::{self, Pass, Steps, Swap, touched};
use loopwright_runtime::files::HardLinks;
use loopwright_runtime::tree::Hash;
use serde_json::{Value, json};

use crate::cases::{self, of, work};
use crate::world::World;

#[test]
fn refusals_name_their_kind_and_change_nothing() {
    let world = World::new();
    fs::hard_link(world.path("a"), world.path("twin")).unwrap();
    symlink("d", world.path("dirlink")).unwrap();
    fs::create_dir(world.path("full")).unwrap();
    world.put("full/x", b"x", 0o644);
    let big = vec![b'x'; (16 << 20) + 1];
    world.put("big", &big, 0o644);
    let before = world.snapshot();
    let over = |path: &str| json!({ "path": path, "text": "x", "mode": "overwrite" });
    let create = |path: &str| json!({ "path": path, "text": "x", "mode": "create" });
    let edit = |path: &str, old: &str| json!({ "path": path, "old": old, "new": "x" });
    let table: Vec<(&str, Value, &str, &str)> = vec![
        ("write", over("a"), "E_POLICY_DENIED", "hardlink"),
        ("write", over("link"), "E_POLICY_DENIED", "symlink"),
        ("write", over("dirlink/moved"), "E_POLICY_DENIED", "symlink"),
        ("write", create("dirlink/x"), "E_POLICY_DENIED", "symlink"),
        ("write", over("d"), "E_IO", "not_a_file"),
        ("write", over("nothing"), "E_IO", "not_found"),
        ("write", create("b"), "E_CONFLICT", "exists"),
        ("write", over("../a"), "E_POLICY_DENIED", "path"),
        ("write", over("/etc/passwd"), "E_POLICY_DENIED", "path"),
        ("write", json!({ "path": "b", "mode": "overwrite" }), "E_INVALID_ARGS", ""),
        ("apply_patch", edit("b", "zzz"), "E_CONFLICT", "no_match"),
        ("apply_patch", edit("b", "f"), "E_CONFLICT", "not_unique"),
        ("apply_patch", edit("big", "y"), "E_IO", "too_large"),
        ("apply_patch", json!({ "diff": "nonsense" }), "E_INVALID_ARGS", "malformed"),
        ("delete", json!({ "path": "full" }), "E_IO", "not_a_file"),
        ("delete", json!({ "path": "nothing" }), "E_IO", "not_found"),
    ];
    for (tool, args, code, kind) in table {
        let problem = work(&world, tool, &args).expect_err(&format!("{tool} {args}"));
        assert_eq!((problem.code().to_string().as_str(), problem.kind()), (code, kind), "{args}");
        assert!(problem.details().is_object());
    }
    assert_eq!(world.snapshot(), before);
}

#[test]
fn a_ticket_is_needed_and_must_be_of_what_is_there() {
    let world = World::new();
    let none = |_: &str| None;
    let wrong = |_: &str| Some(Hash::of(b"something else"));
    let right = Hash::of(&world.get("a").unwrap()).to_string();
    let stale = Hash::of(b"older").to_string();
    let edit = json!({ "path": "a", "old": "two", "new": "2" });
    let with =
        |hash: &str| json!({ "path": "a", "old": "two", "new": "2", "expect": { "a": hash } });
    let over = |hash: &str| json!({ "path": "a", "text": "", "mode": "overwrite", "expect": hash });
    let gone = |hash: &str| json!({ "path": "a", "expect": hash });
    let table: Vec<(&str, Value, change::Known<'_>, bool)> = vec![
        ("apply_patch", edit.clone(), &none, false),
        ("apply_patch", edit, &wrong, false),
        ("apply_patch", with(&right), &none, true),
        ("apply_patch", with(&right), &wrong, true),
        ("apply_patch", with(&stale), &none, false),
        ("write", over(&right), &none, true),
        ("write", over(&stale), &none, false),
        ("delete", gone(&right), &none, true),
        ("delete", gone(&stale), &none, false),
        ("delete", json!({ "path": "a" }), &none, false),
        ("delete", json!({ "path": "d/empty" }), &none, true),
    ];
    for (tool, args, known, accepted) in table {
        match of(&world.root, tool, &args, known) {
            Ok(_) => assert!(accepted, "{tool} {args}"),
            Err(problem) => {
                assert!(!accepted, "{tool} {args}: {problem:?}");
                assert_eq!(problem.kind(), "changed_since_read", "{tool} {args}");
            }
        }
    }
    let other = json!({ "path": "a", "old": "two", "new": "2", "expect": { "b": right } });
    assert_eq!(of(&world.root, "apply_patch", &other, &none).unwrap_err().kind(), "");
}

#[test]
fn payloads_tell_each_file_with_its_hashes() {
    let world = World::new();
    let (_, tool, args) = cases::all().into_iter().find(|(name, ..)| *name == "several").unwrap();
    let payload = work(&world, tool, &args).unwrap().payload();
    let files = payload["files"].as_array().unwrap();
    let told: Vec<(&str, &str)> = files
        .iter()
        .map(|file| (file["path"].as_str().unwrap(), file["action"].as_str().unwrap()))
        .collect();
    let expected = [
        ("a", "modify"),
        ("n/m/new", "create"),
        ("gone", "delete"),
        ("d/moved", "delete"),
        ("e/moved", "create"),
        ("b", "modify"),
    ];
    assert_eq!(told, expected);
    assert_eq!(files[0]["before"], json!(Hash::of(b"one\ntwo\nthree\n")));
    assert_eq!(files[0]["after"], json!(Hash::of(b"one\nzwei\nthree\n")));
    assert_eq!((&files[1]["before"], &files[2]["after"]), (&Value::Null, &Value::Null));
    let numbers = ["hunks", "offset", "added", "removed"].map(|it| files[0][it].clone());
    assert_eq!(numbers, [json!(1), json!(0), json!(1), json!(1)]);
    assert_eq!(files[5]["eol_translated"], json!(true));
    let gone = work(&world, "delete", &json!({ "path": "gone" })).unwrap().payload();
    assert_eq!(gone, json!({ "path": "gone", "before": Hash::of(b"bye\n") }));
    let write = json!({ "path": "new", "text": "x", "mode": "create" });
    assert_eq!(work(&world, "write", &write).unwrap().payload()["action"], json!("create"));
}

#[test]
fn every_touched_path_is_named_for_the_judge() {
    let (_, tool, args) = cases::all().into_iter().find(|(name, ..)| *name == "several").unwrap();
    let named: Vec<(String, Action)> = touched(tool, &args)
        .unwrap()
        .into_iter()
        .map(|(path, action)| (path.to_string(), action))
        .collect();
    assert_eq!(named.len(), 6);
    assert!(named.contains(&("d/moved".to_owned(), Action::Delete)));
    assert!(named.contains(&("e/moved".to_owned(), Action::Create)));
    let bad = json!({ "diff": "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n" });
    assert_eq!(touched("apply_patch", &bad).unwrap_err().kind(), "path");
    assert!(touched("run", &json!({})).is_err());
}

#[test]
fn modes_are_kept_and_only_the_executable_bit_changes() {
    let world = World::new();
    let table = [
        ("a", json!({ "path": "a", "text": "x", "mode": "overwrite" }), 0o640),
        ("a", json!({ "path": "a", "text": "x", "mode": "overwrite", "executable": true }), 0o750),
        ("run", json!({ "path": "run", "text": "x", "mode": "overwrite" }), 0o755),
        (
            "run",
            json!({ "path": "run", "text": "y", "mode": "overwrite", "executable": false }),
            0o644,
        ),
    ];
    for (n, (path, args, mode)) in table.into_iter().enumerate() {
        world.run(&format!("call-{n}"), &work(&world, "write", &args).unwrap());
        assert_eq!(world.snapshot()[path].1, mode, "{args}");
    }
}

#[test]
fn a_file_changed_after_preparing_is_left_alone_and_told() {
    for swap in [Swap::Exchange, Swap::Rename] {
        for (tool, args) in [
            ("write", json!({ "path": "a", "text": "x", "mode": "overwrite" })),
            ("delete", json!({ "path": "a" })),
            ("apply_patch", cases::all().remove(6).2),
        ] {
            let world = World::new();
            let ready = work(&world, tool, &args).unwrap();
            world.prepare("call-1", &ready, Steps::UNWATCHED).unwrap();
            world.put("a", b"edited\n", 0o640);
            let before = world.snapshot();
            let record = world.record("call-1");
            let acted = change::act(&world.root, &record, Pass::First, swap, Steps::UNWATCHED);
            let not_acted = acted.unwrap_err();
            assert_eq!(not_acted.why.kind(), "changed_since_read", "{tool}");
            assert_eq!((not_acted.mixed.len(), world.snapshot()), (0, before), "{tool} {swap:?}");
        }
    }
}

#[test]
fn without_exchange_the_record_says_so() {
    let world = World::new();
    let args = json!({ "path": "a", "text": "x", "mode": "overwrite" });
    world.prepare("call-1", &work(&world, "write", &args).unwrap(), Steps::UNWATCHED).unwrap();
    let record = world.record("call-1");
    let acted = change::act(&world.root, &record, Pass::First, Swap::Rename, Steps::UNWATCHED);
    assert!(!acted.unwrap().cas);
    assert_eq!(world.get("a").as_deref(), Some(&b"x"[..]));
    let args = json!({ "path": "a", "text": "y", "mode": "overwrite" });
    world.prepare("call-2", &work(&world, "write", &args).unwrap(), Steps::UNWATCHED).unwrap();
    assert!(world.act("call-2", Pass::First, Steps::UNWATCHED).unwrap().cas);
}

#[test]
fn hard_links_are_broken_only_when_the_rule_says_so() {
    let world = World::new();
    fs::hard_link(world.path("a"), world.path("twin")).unwrap();
    let known = |_: &str| Some(Hash::of(b"one\ntwo\nthree\n"));
    let args = json!({ "path": "a", "text": "x", "mode": "overwrite" });
    let args = kernel::patch::Write::read(&args).unwrap();
    let ready = change::write(&world.root, &args, &known, HardLinks::Break).unwrap();
    let record = world.record("call-1");
    let links = HardLinks::Break;
    change::prepare(&world.root, &record, &ready.wanted, links, Steps::UNWATCHED).unwrap();
    world.act("call-1", Pass::First, Steps::UNWATCHED).unwrap();
    assert_eq!(world.get("a").as_deref(), Some(&b"x"[..]));
    assert_eq!(world.get("twin").as_deref(), Some(&b"one\ntwo\nthree\n"[..]));
}
