//! Checkpoints in plain cases: what is covered, what is not and why, what is spared, what is
//! damaged, what is collected.

use std::fs;
use std::time::{Duration, UNIX_EPOCH};

use kernel::machine::At;
use runtime::checkpoints::{
    Always, CallFact, Collected, Error, Gc, Go, Health, KeepDays, Standing, Start, Steps,
    StopAfter, What, WhyKept, look,
};
use runtime::tree::Hash;
use runtime::turns::store;
use sim::marks::Yard;
use sim::marks::case::scene;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// When a yard makes its checkpoints.
const MADE_MS: u64 = 1_770_552_000_000;
const KIB: usize = 1024;

/// Bytes that no packing makes smaller.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut dice = sim::dice::Dice::new(seed);
    (0..length.div_ceil(8)).flat_map(|_| dice.next().to_le_bytes()).collect()
}

fn fact(call: &str, trees: &[Hash], standing: Standing) -> CallFact {
    CallFact { call: call.to_owned(), aside: None, trees: trees.to_vec(), standing }
}

/// Collects what a look named.
fn collect(yard: &mut Yard, gc: &Gc, steps: &mut dyn Steps) -> Result<Collected, Error> {
    yard.collect(|_| gc.clone(), steps).expect("a lock").1
}

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
    // The old call ended with the tree that the young one started from.
    let facts = [
        fact("call-old", &trees[..2], Standing::Ended(At(69 * DAY_MS))),
        fact("call-young", &trees[1..], Standing::Ended(At(71 * DAY_MS))),
        fact("call-unknown", &trees[2..], Standing::Unknown),
    ];
    let gc = look(&yard.keeper, &facts, now, KeepDays { calls: 30, checkpoints: 14 });
    assert!(gc.remove.iter().all(|part| part.call == "call-old"), "{gc:?}");
    assert_eq!((gc.remove.len(), gc.kept.len()), (2, 2), "{gc:?}");
    assert!(yard.keeper.marked(trees[0]).is_some(), "a look changes nothing");
    collect(&mut yard, &gc, &mut Always).unwrap();
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

#[test]
fn gc_removes_texts_that_no_turn_wants_any_more() {
    let (_dir, mut yard) = yard();
    let loop_dir = yard.root().join(".loop");
    let keep = |text: &str| store::keep(&loop_dir, text).unwrap();
    let old = |sha256: &str| {
        let at = UNIX_EPOCH + Duration::from_millis(69 * DAY_MS);
        fs::File::open(loop_dir.join(store::DIR).join(sha256)).unwrap().set_modified(at).unwrap();
    };
    let (gone, named, young, again) = (keep("gone"), keep("named"), keep("young"), keep("again"));
    for sha256 in [&gone, &named, &again] {
        old(sha256);
    }
    assert_eq!(keep("again"), again, "kept once more, it is young");
    let wanted = std::collections::BTreeSet::from([named.clone()]);
    let days = KeepDays { calls: 30, checkpoints: 14 };
    let gc = Gc::default().with_texts(&loop_dir, &wanted, At(100 * DAY_MS), days);
    let left: Vec<&What> = gc.remove.iter().map(|part| &part.what).collect();
    assert_eq!(left, [&What::Text { sha256: gone.clone() }]);
    collect(&mut yard, &gc, &mut Always).unwrap();
    assert!(store::load(&loop_dir, &gone).is_err());
    for sha256 in [named, young, again] {
        assert!(store::load(&loop_dir, &sha256).is_ok());
    }
}

#[test]
fn days_of_calls_are_those_of_the_setting() {
    let (_dir, mut yard) = yard();
    let tree = yard.mark("call-1").unwrap().digest;
    yard.call("call-1", |_| ()).unwrap();
    let facts = [fact("call-1", &[tree], Standing::Ended(At(70 * DAY_MS)))];
    for (days, goes) in [(29, true), (30, false), (31, false)] {
        let keep = KeepDays { calls: days, checkpoints: 1 };
        let gc = look(&yard.keeper, &facts, At(100 * DAY_MS), keep);
        assert_eq!(gc.remove.len(), usize::from(goes), "{days}: {gc:?}");
        assert_eq!(gc.kept.iter().any(|kept| kept.why == WhyKept::Young), !goes, "{days}");
        assert_eq!(gc.over_quota, [], "the quota is not reached");
    }
}

#[test]
fn a_quota_that_is_reached_refuses_marks_and_checkpoints() {
    let dir = tempfile::tempdir().unwrap();
    let mut yard = Yard::within(dir.path(), 64 * KIB as u64).unwrap();
    fs::write(yard.root().join("a"), noise(1, 100 * KIB)).unwrap();
    let first = yard.checkpoint("call-1", &mut Always).unwrap();
    fs::write(yard.root().join("b"), "more").unwrap();
    let look = yard.keeper.look().unwrap();
    let refused = yard.keeper.mark(&look, "call-2", At(1), &mut Always).unwrap_err();
    assert!(
        matches!(refused, Error::Quota { used, quota: 65_536 } if used > 100_000),
        "{refused:?}"
    );
    assert_eq!(refused.class().1, "over_quota");
    assert!(yard.checkpoint("call-3", &mut Always).is_err());
    assert_eq!(yard.keeper.verify().unwrap(), [(first.name, Health::Made)]);
    let mut yard = Yard::within(dir.path(), 1 << 20).unwrap();
    yard.checkpoint("call-3", &mut Always).unwrap();
}

/// A yard whose marks and checkpoints hold four times 100 KiB, that may take so much; with the
/// facts of their calls, all over but the last.
fn full(quota_kib: usize) -> (tempfile::TempDir, Yard, Vec<CallFact>) {
    let (dir, mut yard) = yard();
    let put = |yard: &Yard, n: u64| {
        fs::write(yard.root().join("a"), noise(n, 100 * KIB)).expect("room");
    };
    let ended = Standing::Ended(At(MADE_MS));
    let mut facts = Vec::new();
    for (n, call, standing) in [(1, "call-over", ended), (2, "call-live", Standing::Live)] {
        put(&yard, n);
        facts.push(fact(call, &[yard.mark(call).expect("a mark").digest], standing));
    }
    for (n, call) in [(3, "call-chk-1"), (4, "call-chk-2")] {
        put(&yard, n);
        yard.checkpoint(call, &mut Always).expect("a checkpoint");
        facts.push(fact(call, &[], ended));
    }
    let yard = Yard::within(dir.path(), (quota_kib * KIB) as u64).expect("a yard");
    (dir, yard, facts)
}

#[test]
fn over_the_quota_marks_go_first_and_old_checkpoints_until_it_fits() {
    // What there is to go, how much may be taken, how old checkpoints are: what is left.
    let cases = [
        (1000, 20, (true, 2), "the quota is not reached"),
        (350, 20, (false, 2), "the mark of the call that is over is enough"),
        (250, 20, (false, 1), "and the older checkpoint"),
        (50, 20, (false, 0), "and all others, but no mark of a call at work"),
        (50, 13, (false, 2), "checkpoints that are not old stay whatever they take"),
    ];
    for (quota_kib, days, left, why) in cases {
        let (_dir, mut yard, facts) = full(quota_kib);
        let now = At(MADE_MS + days * DAY_MS);
        let gc = look(&yard.keeper, &facts, now, KeepDays { calls: 30, checkpoints: 14 });
        let marks = gc.over_quota.iter().filter(|it| matches!(it.what, What::Mark { .. })).count();
        assert_eq!(marks, usize::from(quota_kib < 1000), "{why}: {gc:?}");
        assert_eq!(yard.keeper.list().unwrap().len(), 2, "a look changes nothing");
        collect(&mut yard, &gc, &mut Always).unwrap();
        let checkpoints = yard.keeper.verify().unwrap();
        let over = yard.keeper.marked(facts[0].trees[0]).is_some();
        assert_eq!((over, checkpoints.len()), left, "{why}: {gc:?}");
        assert!(checkpoints.iter().all(|(_, health)| *health == Health::Made), "{why}");
        let live = yard.keeper.marked(facts[1].trees[0]).unwrap();
        assert!(yard.keeper.snapshot(live).is_ok(), "{why}");
        yard.fsck().unwrap();
    }
}

#[test]
fn invariant_a_collection_that_is_cut_off_anywhere_costs_nothing_and_is_finished_later() {
    let keep = KeepDays { calls: 30, checkpoints: 14 };
    // Over the quota all goes but the mark of the call at work.
    let now = At(MADE_MS + 20 * DAY_MS);
    for cut in 0.. {
        let (dir, mut yard, facts) = full(50);
        let gc = look(&yard.keeper, &facts, now, keep);
        let first = collect(&mut yard, &gc, &mut StopAfter(cut));
        let mut yard = Yard::within(dir.path(), 50 * KIB as u64).unwrap();
        let whole = yard.keeper.verify().unwrap();
        assert!(whole.iter().all(|(_, health)| *health == Health::Made), "cut {cut}: {whole:?}");
        let live = |yard: &Yard| yard.keeper.marked(facts[1].trees[0]).unwrap();
        assert!(yard.keeper.snapshot(live(&yard)).is_ok(), "cut {cut}");
        let gc = look(&yard.keeper, &facts, now, keep);
        collect(&mut yard, &gc, &mut Always).unwrap();
        assert!(yard.keeper.marked(facts[0].trees[0]).is_none(), "cut {cut}");
        assert!(yard.keeper.list().unwrap().len() < 2, "cut {cut}");
        assert!(yard.keeper.snapshot(live(&yard)).is_ok(), "cut {cut}");
        yard.fsck().unwrap();
        if first.is_ok() {
            assert!(cut >= 4, "it had only {cut} steps");
            break;
        }
    }
}

/// What was cut off after the last name had gone left its bytes, and nothing to look for.
#[test]
fn reg_a_collection_that_was_cut_off_before_it_packed_is_finished_by_the_next() {
    let (_dir, mut yard, facts) = full(350);
    let now = At(MADE_MS + 13 * DAY_MS);
    let old = |yard: &Yard| old_ones(yard, &facts, now);
    let (gc, size) = (old(&yard), |yard: &Yard| {
        let packs = fs::read_dir(yard.root().join(".loop/checkpoints.git/objects/pack")).unwrap();
        packs.flatten().map(|pack| pack.metadata().unwrap().len()).sum::<u64>()
    });
    let before = size(&yard);
    assert!(collect(&mut yard, &gc, &mut StopAfter(1)).is_err());
    let gc = old(&yard);
    assert_eq!((&gc.remove[..], &gc.over_quota[..]), (&[][..], &[][..]));
    assert!(size(&yard) > before - 50_000, "the bytes are there still");
    let done = collect(&mut yard, &gc, &mut Always).unwrap();
    assert!(done.freed_bytes > 90_000 && size(&yard) < before - 90_000, "{done:?}");
    yard.fsck().unwrap();
}

#[test]
fn the_checkpoint_of_a_run_at_work_stays_over_any_quota() {
    let (_dir, mut yard, mut facts) = full(50);
    facts[2].standing = Standing::Live;
    let now = At(MADE_MS + 100 * DAY_MS);
    let gc = look(&yard.keeper, &facts, now, KeepDays { calls: 300, checkpoints: 14 });
    collect(&mut yard, &gc, &mut Always).unwrap();
    let left = yard.keeper.list().unwrap();
    assert_eq!(left.iter().map(|one| one.call.as_str()).collect::<Vec<_>>(), ["call-chk-1"]);
}

/// Whether somebody holds the lock of a repository, at each step.
struct Held {
    path: std::path::PathBuf,
    seen: Vec<bool>,
}

impl Steps for Held {
    fn next(&mut self) -> Go {
        let file = fs::File::open(&self.path);
        let free = file.is_ok_and(|file| file.try_lock().is_ok());
        self.seen.push(!free);
        Go::On
    }
}

#[test]
fn nobody_collects_between_a_thing_and_its_name() {
    let (_dir, mut yard) = yard();
    let path = yard.root().join(".loop/checkpoints.git/lw.lock");
    let held = || Held { path: path.clone(), seen: Vec::new() };
    fs::write(yard.root().join("a"), "1").unwrap();
    let look = yard.keeper.look().unwrap();
    let mut steps = held();
    yard.keeper.mark(&look, "call-1", At(1), &mut steps).unwrap();
    assert!(steps.seen.len() > 2 && steps.seen.iter().all(|held| *held), "{:?}", steps.seen);
    // The same files in another look: the commit is there already and only gets a second name.
    fs::create_dir(yard.root().join("empty")).unwrap();
    let mut steps = held();
    let again = yard.keeper.look().unwrap();
    let marked = yard.keeper.mark(&again, "call-2", At(1), &mut steps).unwrap();
    assert_eq!(marked.start, Start::Spared);
    assert!(steps.seen.iter().all(|held| *held), "{:?}", steps.seen);
    let mut steps = held();
    yard.checkpoint("call-3", &mut steps).unwrap();
    let first = steps.seen.iter().position(|held| *held).unwrap();
    assert!(first < 2 && steps.seen[first..].iter().all(|held| *held), "{:?}", steps.seen);
    let facts = [fact("call-1", &[look.digest], Standing::Ended(At(1)))];
    let now = At(100 * DAY_MS);
    let gc = old_ones(&yard, &facts, now);
    assert_eq!(gc.remove.len(), 1, "{gc:?}");
    let mut steps = held();
    collect(&mut yard, &gc, &mut steps).unwrap();
    assert!(steps.seen.len() > 1 && steps.seen.iter().all(|held| *held), "{:?}", steps.seen);
    // What went is made anew by the next one that needs it, whatever a keeper remembers.
    fs::remove_dir(yard.root().join("empty")).unwrap();
    let look = yard.keeper.look().unwrap();
    let marked = yard.keeper.mark(&look, "call-4", At(1), &mut Always).unwrap();
    assert!(yard.keeper.snapshot(marked.commit).is_ok());
}

fn old_ones(yard: &Yard, facts: &[CallFact], now: At) -> Gc {
    look(&yard.keeper, facts, now, KeepDays { calls: 30, checkpoints: 14 })
}
