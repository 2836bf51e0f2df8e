//! Undo: content that is not ours, several calls, records that are damaged, and what a cut
//! exchange leaves behind.

use std::fs;

use loopwright_runtime::change::{self, Force, NotOurs, Probed, Problem, Steps, Undoes};
use loopwright_runtime::tree::Hash;
use serde_json::json;

use crate::cases::work;
use crate::world::World;

fn write(world: &World, call: &str, path: &str, text: &str) {
    let mode = if world.get(path).is_some() { "overwrite" } else { "create" };
    let args = json!({ "path": path, "text": text, "mode": mode });
    world.run(call, &work(world, "write", &args).unwrap());
}

fn not_ours(problem: Problem) -> Vec<NotOurs> {
    let Problem::Undo(paths) = problem else { panic!("{problem:?}") };
    paths
}

#[test]
fn calls_are_undone_as_one_plan_newest_first() {
    let world = World::new();
    let before = world.snapshot();
    write(&world, "call-1", "a", "1\n");
    write(&world, "call-2", "x/new", "2\n");
    write(&world, "call-3", "a", "3\n");
    world.run("call-4", &work(&world, "delete", &json!({ "path": "x/new" })).unwrap());
    let plan = world.plan(&["call-4", "call-3", "call-2", "call-1"], Force::No).unwrap();
    let told: Vec<_> = plan.paths.iter().map(|it| (it.path.as_str(), it.action)).collect();
    let expected = [("a", Undoes::Restore), ("x", Undoes::RemoveIfEmpty), ("x/new", Undoes::Same)];
    assert_eq!(told, expected);
    world.carry_out("call-5", &plan, Steps::UNWATCHED);
    assert_eq!(world.snapshot(), before);
    assert!(world.plan(&["call-4", "call-3"], Force::No).is_err(), "no longer what they left");
}

#[test]
fn foreign_content_refuses_the_whole_undo_and_is_listed() {
    let world = World::new();
    write(&world, "call-1", "a", "ours\n");
    write(&world, "call-2", "b", "ours too\n");
    world.put("a", b"theirs\n", 0o640);
    let before = world.snapshot();
    let listed = not_ours(world.plan(&["call-2", "call-1"], Force::No).unwrap_err());
    assert_eq!(listed.len(), 1);
    let hash = |bytes: &[u8]| Some(Hash::of(bytes));
    let told = (listed[0].before, listed[0].after, listed[0].present);
    assert_eq!(told, (hash(b"one\ntwo\nthree\n"), hash(b"ours\n"), hash(b"theirs\n")));
    assert_eq!(world.snapshot(), before, "nothing was undone");
}

#[test]
fn what_is_kept_is_left_alone_and_named_and_the_rest_is_undone() {
    let world = World::new();
    let before = world.snapshot();
    write(&world, "call-1", "a", "ours\n");
    write(&world, "call-2", "b", "ours too\n");
    write(&world, "call-3", "a", "ours again\n");
    world.put("a", b"theirs\n", 0o640);
    let plan = world.plan(&["call-3", "call-2", "call-1"], Force::Keep).unwrap();
    let named: Vec<_> = plan.kept.iter().map(|kept| kept.path.as_str()).collect();
    assert_eq!(named, ["a"], "once, whichever call it was changed by");
    world.carry_out("call-4", &plan, Steps::UNWATCHED);
    assert_eq!(world.get("a").as_deref(), Some(&b"theirs\n"[..]));
    world.put("a", b"one\ntwo\nthree\n", 0o640);
    assert_eq!(world.snapshot(), before, "all else is as it was");
    world.put("a", b"ours\n", 0o640);
    let plan = world.plan(&["call-3", "call-2", "call-1"], Force::Keep).unwrap();
    assert!(plan.kept.is_empty(), "the path stands as it stood before the newest of them");
}

#[test]
fn force_moves_foreign_content_aside_first() {
    let world = World::new();
    let before = world.snapshot();
    write(&world, "call-1", "a", "ours\n");
    world.put("a", b"theirs\n", 0o640);
    let plan = world.plan(&["call-1"], Force::Aside).unwrap();
    assert!(plan.paths[0].aside);
    world.carry_out("call-2", &plan, Steps::UNWATCHED);
    assert_eq!(world.snapshot(), before);
    assert_eq!(fs::read(world.aside("call-2").join("a")).unwrap(), b"theirs\n");
    world.undo("call-3", &["call-2"]);
    assert_eq!(world.get("a").as_deref(), Some(&b"theirs\n"[..]), "and can be undone itself");
}

#[test]
fn an_edit_between_two_calls_is_foreign_to_the_older_one() {
    let world = World::new();
    let before = world.snapshot();
    write(&world, "call-1", "a", "ours\n");
    world.put("a", b"theirs\n", 0o640);
    write(&world, "call-2", "a", "ours again\n");
    let listed = not_ours(world.plan(&["call-2", "call-1"], Force::No).unwrap_err());
    assert_eq!(listed[0].present, Some(Hash::of(b"theirs\n")));
    let plan = world.plan(&["call-2", "call-1"], Force::Aside).unwrap();
    world.carry_out("call-3", &plan, Steps::UNWATCHED);
    assert_eq!(world.snapshot(), before);
    assert_eq!(fs::read(world.aside("call-3").join("a")).unwrap(), b"theirs\n");
}

#[test]
fn a_directory_we_made_stays_while_somebody_uses_it() {
    let world = World::new();
    write(&world, "call-1", "p/q/new", "ours\n");
    world.put("p/theirs", b"x", 0o644);
    world.undo("call-2", &["call-1"]);
    assert_eq!(world.get("p/theirs").as_deref(), Some(&b"x"[..]));
    assert!(!world.path("p/q").exists());
}

#[test]
fn damaged_records_undo_nothing() {
    let world = World::new();
    write(&world, "call-1", "a", "ours\n");
    let bytes = world.record("call-1").dir.join("undo/0.bytes");
    fs::write(&bytes, b"not what was saved").unwrap();
    let problem = world.plan(&["call-1"], Force::No).unwrap_err();
    assert_eq!(problem.kind(), "undo_bytes_missing");
    let manifest = world.record("call-1").dir.join("undo/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    for damaged in [
        text[..text.len() / 2].to_owned(),
        text.replace("\"format\":1", "\"format\":2"),
        text.replace("call-1", "call-9"),
        text.replace("0.bytes", "../../x"),
        text.replace("\"a\"", "\"../a\""),
    ] {
        assert_ne!(damaged, text);
        fs::write(&manifest, &damaged).unwrap();
        assert!(matches!(world.record("call-1").read(), Err(Problem::Damaged)), "{damaged}");
    }
    assert_eq!(world.get("a").as_deref(), Some(&b"ours\n"[..]));
}

#[test]
fn a_foreign_file_displaced_by_a_cut_exchange_is_put_back() {
    let world = World::new();
    let args = json!({ "path": "a", "text": "ours\n", "mode": "overwrite" });
    let ready = work(&world, "write", &args).unwrap();
    let manifest = world.prepare("call-1", &ready, Steps::UNWATCHED).unwrap();
    let temp = world.path(&manifest.paths[0].temp);
    // As after an exchange that displaced an edit, and a death before the look at it.
    fs::write(&temp, b"theirs\n").unwrap();
    world.put("a", b"ours\n", 0o640);
    let probed = change::probe(&world.root, &world.record("call-1")).unwrap();
    assert!(matches!(probed, Probed::Inconclusive(_)));
    assert_eq!(world.get("a").as_deref(), Some(&b"theirs\n"[..]));
    assert!(!temp.exists());
}

#[test]
fn a_foreign_file_is_never_swept() {
    let world = World::new();
    let args = json!({ "path": "a", "text": "ours\n", "mode": "overwrite" });
    let ready = work(&world, "write", &args).unwrap();
    let manifest = world.prepare("call-1", &ready, Steps::UNWATCHED).unwrap();
    let temp = world.path(&manifest.paths[0].temp);
    let probe = || change::probe(&world.root, &world.record("call-1")).unwrap();
    for (left, swept) in [
        (&b""[..], true),
        (b"our", true),
        (b"ours\n", true),
        (b"one\ntwo\nthree\n", true),
        (b"theirs\n", false),
    ] {
        // Prepared anew: a probe that says no drops what was staged.
        world.prepare("call-1", &ready, Steps::UNWATCHED).unwrap();
        fs::write(&temp, left).unwrap();
        assert_eq!(probe(), Probed::DidNotHappen);
        assert_eq!(temp.exists(), !swept, "{left:?}");
    }
}

#[test]
fn the_inverse_patch_is_drawn_for_people() {
    let world = World::new();
    let args = json!({ "path": "a", "old": "two", "new": "2" });
    world.run("call-1", &work(&world, "apply_patch", &args).unwrap());
    let drawn = fs::read_to_string(world.record("call-1").dir.join("undo/inverse.patch")).unwrap();
    let expected =
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-2\n+two\n three\n";
    assert_eq!(drawn, expected);
    let diff = kernel::patch::parse(drawn.as_bytes()).unwrap();
    let after = kernel::patch::apply(&diff, |path| {
        let executable = kernel::patch::Executable::No;
        world.get(path).map(|bytes| kernel::patch::Content { bytes, executable })
    });
    assert_eq!(after.unwrap()[0].after.as_ref().unwrap().bytes, b"one\ntwo\nthree\n");
}
