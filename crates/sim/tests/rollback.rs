//! Rollback over random repositories, and cut off at every step. The long forms are proofs.

use std::fs;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;
use std::process::Command;

use kernel::rollback::Conflicts;
use runtime::checkpoints::Always;
use runtime::rollback::State;
use sim::marks::{Yard, case, held, hostile, kills};

/// Repositories of the short form.
const SHORT: u64 = 500;

#[test]
fn invariant_no_user_byte_lost_over_random_repositories() {
    // Two threads: that many cores can be counted on.
    let half = |from: u64| (from..SHORT).step_by(2).try_for_each(case::case);
    std::thread::scope(|scope| {
        let other = scope.spawn(move || half(1));
        half(0).unwrap();
        other.join().unwrap().unwrap();
    });
}

#[test]
fn invariant_a_rollback_cut_off_anywhere_goes_on() {
    let steps = kills::rollback(7).unwrap();
    assert!(steps > 20, "only {steps} steps: nothing was cut off in the middle");
}

#[test]
fn invariant_a_rollback_that_is_stopped_leaves_nothing_waiting() {
    let steps = kills::cancelled(7).unwrap();
    assert!(steps > 20, "only {steps} steps");
}

#[test]
fn invariant_a_making_cut_off_anywhere_is_made() {
    let steps = kills::checkpoint(3).unwrap();
    assert!(steps > 5, "only {steps} steps");
}

#[test]
fn invariant_repo_runs_nothing() {
    const { assert!(hostile::COUNT > 60) };
    let half = |from: usize| (from..hostile::COUNT).step_by(2).try_for_each(hostile::one);
    std::thread::scope(|scope| {
        let other = scope.spawn(move || half(1));
        half(0).unwrap();
        other.join().unwrap().unwrap();
    });
}

/// The user's git, as a person would call it.
fn git(dir: &Path, args: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=u", "-c", "user.email=u@u"]).args(args).current_dir(dir);
    let said = git.env("GIT_CONFIG_GLOBAL", "/dev/null").output().expect("the yard of a test");
    assert!(said.status.success(), "{args:?}: {said:?}");
}

/// Plans and goes back.
fn back(yard: &mut Yard, checkpoint: &str) {
    let wanted = yard.wanted(checkpoint, Conflicts::Aside);
    let plan = yard.plan(&wanted).expect("the yard of a test").plan;
    let report = yard.roll(&wanted, &plan.plan_hash, &mut Always).expect("the yard of a test");
    assert_eq!(report.state, State::Done, "{report:?}");
}

fn size_below(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).expect("the yard of a test").flatten();
    let size = |entry: fs::DirEntry| match entry.metadata().expect("the yard of a test") {
        at if at.is_dir() => size_below(&entry.path()),
        at => at.len(),
    };
    entries.map(size).sum()
}

#[test]
fn a_gibibyte_that_nobody_tracks_is_neither_copied_nor_touched() {
    let dir = tempfile::tempdir().unwrap();
    let mut yard = Yard::at(dir.path()).unwrap();
    let (root, large) = (yard.root(), yard.root().join("data/large.bin"));
    fs::create_dir(root.join("data")).unwrap();
    // Mostly a hole, so that it takes no disk; a keeper that read it would take its time.
    let file = fs::File::create(&large).unwrap();
    file.set_len(1 << 30).unwrap();
    file.write_all_at(b"the end", (1 << 30) - 7).unwrap();
    fs::write(root.join("a"), "old").unwrap();
    let checkpoint = yard.checkpoint("call-c", &mut Always).unwrap();
    let left = checkpoint.not_covered.iter().find(|left| left.path.bytes() == b"data/large.bin");
    assert_eq!(left.map(|left| left.reason.as_str()), Some("too_large"));
    let before = large.metadata().unwrap();
    yard.call("call-1", |root| {
        fs::write(root.join("a"), "new").unwrap();
        fs::write(root.join("data/made"), "new").unwrap();
    })
    .unwrap();
    back(&mut yard, &checkpoint.name);
    assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "old");
    assert!(!root.join("data/made").exists());
    let after = large.metadata().unwrap();
    let same = |at: &fs::Metadata| (at.ino(), at.len(), at.mtime_nsec(), at.ctime_nsec());
    assert_eq!(same(&after), same(&before));
    assert!(size_below(&root.join(".loop")) < 1 << 20, "it was copied");
}

#[test]
fn of_a_monorepo_the_second_project_and_the_repository_are_not_touched() {
    let dir = tempfile::tempdir().unwrap();
    let mut yard = Yard::at(dir.path()).unwrap();
    let (root, second) = (yard.root(), dir.path().join("second"));
    fs::create_dir(&second).unwrap();
    for (path, text) in [("tree/a", "old"), ("second/b", "old"), ("shared", "old")] {
        fs::write(dir.path().join(path), text).unwrap();
    }
    git(dir.path(), &["init", "-q"]);
    git(dir.path(), &["add", "tree/a", "second/b", "shared"]);
    git(dir.path(), &["commit", "-qm", "one"]);
    let checkpoint = yard.checkpoint("call-c", &mut Always).unwrap();
    assert_eq!(yard.contents(&checkpoint.name).unwrap().len(), 1, "the project's own file");
    yard.call("call-1", |root| fs::write(root.join("a"), "new").unwrap()).unwrap();
    // Somebody works on the other one meanwhile.
    fs::write(second.join("b"), "theirs").unwrap();
    fs::write(second.join("made"), "theirs").unwrap();
    fs::write(dir.path().join("shared"), "theirs").unwrap();
    git(dir.path(), &["add", "second/b"]);
    let beside = || (held(&second, &[]), held(&dir.path().join(".git"), &[]));
    let before = beside();
    back(&mut yard, &checkpoint.name);
    assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "old");
    assert_eq!(beside(), before);
    assert_eq!(fs::read_to_string(dir.path().join("shared")).unwrap(), "theirs");
}
