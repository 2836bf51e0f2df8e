//! Checkpoints in plain cases: what is covered, what is not and why, what is spared, what is
//! damaged, what is collected.

use std::fs;

use kernel::machine::At;
use runtime::checkpoints::{Always, CallFact, Health, Standing, Start, collect, look};
use runtime::tree::Hash;
use sim::marks::Yard;
use sim::marks::case::scene;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

fn yard() -> (tempfile::TempDir, Yard) {
    let dir = tempfile::tempdir().expect("a directory");
    let yard = Yard::at(dir.path()).expect("a yard");
    (dir, yard)
}

#[test]
fn a_run_that_changes_nothing_starts_no_git() {
    let (_dir, mut yard) = yard();
    fs::write(yard.root().join("a"), "1").unwrap();
    let mark = |yard: &mut Yard, call: &str| {
        let look = yard.keeper.look().unwrap();
        (look.digest, yard.keeper.mark(&look, call, At(1), &mut Always).unwrap())
    };
    let (tree, first) = mark(&mut yard, "call-1");
    let (same, second) = mark(&mut yard, "call-2");
    assert_eq!((first.start, second.start), (Start::Started, Start::Spared));
    assert_eq!((tree, first.commit), (same, second.commit));
    assert_eq!(yard.keeper.git_starts(), 1);
    let mut yard = yard.reborn().unwrap();
    assert_eq!(mark(&mut yard, "call-3").1.start, Start::Spared, "known by its name");
    fs::write(yard.root().join("a"), "2").unwrap();
    let (_, next) = mark(&mut yard, "call-4");
    assert_eq!(next.start, Start::Started);
    assert_ne!(next.commit, first.commit);
    fs::write(yard.root().join("a"), "1").unwrap();
    assert_eq!(mark(&mut yard, "call-5").1.commit, first.commit, "a tree has one mark");
}

#[test]
fn what_is_not_covered_is_listed_with_its_reason() {
    let mut scene = scene(1_000_001).unwrap();
    let made = scene.yard.checkpoint("call-x", &mut Always).unwrap();
    let why = |path: &str| {
        let found = made.not_covered.iter().find(|left| left.path.bytes() == path.as_bytes());
        found.map(|left| left.reason.as_str())
    };
    assert_eq!(why("sub"), Some("submodule"));
    assert_eq!(why("nested"), Some("nested_repository"));
    assert_eq!(made.branch.as_deref(), Some("main"));
    assert!(made.head.is_some_and(|head| head.len() == 40));
}

#[test]
fn names_of_one_minute_are_numbered() {
    let (_dir, mut yard) = yard();
    let mut make = |call: &str| yard.checkpoint(call, &mut Always).unwrap().name;
    assert_eq!(make("call-1"), "chk-202602081200");
    assert_eq!(make("call-2"), "chk-202602081200-2");
    assert_eq!(make("call-1"), "chk-202602081200", "a making that is run again keeps its name");
}

#[test]
fn a_damaged_checkpoint_is_named_and_the_others_stay() {
    let (_dir, mut yard) = yard();
    fs::write(yard.root().join("a"), "one").unwrap();
    let first = yard.checkpoint("call-1", &mut Always).unwrap();
    let packs = yard.root().join(".loop/checkpoints.git/objects/pack");
    let pack = fs::read_dir(&packs).unwrap().flatten().map(|entry| entry.path());
    let pack = pack.into_iter().find(|path| path.extension().is_some_and(|e| e == "pack")).unwrap();
    fs::write(yard.root().join("a"), "two").unwrap();
    let mut yard = yard.reborn().unwrap();
    let second = yard.checkpoint("call-2", &mut Always).unwrap();
    fs::remove_file(pack.with_extension("idx")).unwrap();
    fs::remove_file(&pack).unwrap();
    let verified = yard.keeper.verify().unwrap();
    assert!(matches!(&verified[0], (name, Health::Damaged(_)) if *name == first.name));
    assert_eq!(verified[1], (second.name.clone(), Health::Made));
    assert!(yard.keeper.show(&first.name).is_err());
    assert_eq!(yard.contents(&second.name).unwrap().len(), 1);
    let listed = yard.keeper.list().unwrap();
    assert!(matches!(listed[0].state, Health::Damaged(_)) && listed[1].state == Health::Made);
}

#[test]
fn gc_removes_what_is_old_and_over_and_nothing_else() {
    let (_dir, mut yard) = yard();
    let mut trees = Vec::new();
    for (call, text) in [("call-old", "1"), ("call-young", "2"), ("call-unknown", "3")] {
        trees.push(yard.mark(call).unwrap().digest);
        yard.call(call, |root| fs::write(root.join("a"), text).unwrap()).unwrap();
        fs::write(yard.root().join(".loop/calls").join(call).join("stdout"), "spool").unwrap();
    }
    let kept = yard.checkpoint("call-c", &mut Always).unwrap();
    let now = At(100 * DAY_MS);
    let fact = |call: &str, trees: &[Hash], standing| CallFact {
        call: call.to_owned(),
        aside: None,
        trees: trees.to_vec(),
        standing,
    };
    // The old call ended with the tree that the young one started from.
    let facts = [
        fact("call-old", &trees[..2], Standing::Ended(At(69 * DAY_MS))),
        fact("call-young", &trees[1..], Standing::Ended(At(71 * DAY_MS))),
        fact("call-unknown", &trees[2..], Standing::Unknown),
    ];
    let gc = look(&yard.keeper, &facts, now, 30);
    assert!(gc.remove.iter().all(|part| part.call == "call-old"), "{gc:?}");
    assert_eq!((gc.remove.len(), gc.kept.len()), (2, 2), "{gc:?}");
    assert!(yard.keeper.marked(trees[0]).is_some(), "a look changes nothing");
    collect(&mut yard.keeper, &gc, &mut Always).unwrap();
    assert!(yard.keeper.marked(trees[0]).is_none());
    let spool = |call: &str| yard.root().join(".loop/calls").join(call).join("stdout").exists();
    assert!(!spool("call-old") && spool("call-young") && spool("call-unknown"));
    for &tree in &trees[1..] {
        let commit = yard.keeper.marked(tree).unwrap();
        assert!(yard.keeper.snapshot(commit).is_ok());
    }
    assert_eq!(yard.keeper.verify().unwrap(), [(kept.name, Health::Made)]);
    yard.fsck().unwrap();
}
