//! What is looked at again before a run ends. Whole lives are in `stories`.

use alloc::vec;

use super::super::samples::{self, plan};
use super::super::*;
use super::world::World;

/// A person's skip, and the setting's: files may have changed since the last look at them.
#[test]
fn a_done_task_is_looked_at_again_before_a_skip_ends_the_run() {
    for on_failure in [OnFailure::Stop, OnFailure::Continue] {
        let change = |begin: &mut Begin| {
            begin.options.on_failure = on_failure;
            begin.options.fix_limit = 0;
        };
        let mut world = World::at_work(plan(), change);
        world.label("saved");
        world.proved("d1");
        world.label("saved");
        world.fails("a");
        if on_failure == OnFailure::Stop {
            world.label("skip");
        }
        assert_eq!(world.owed().len(), 1, "{on_failure:?}");
        assert!(world.key().starts_with("digest/"), "{on_failure:?}: {}", world.key());
        assert_eq!(world.count("ALL_TASKS_DONE"), 0, "{on_failure:?}");
        let mut intact = world.clone();
        let digest = Digest { covers: vec!["**".into()], digest: "d1".into() };
        intact.engine(Command::Digested { key: intact.key(), digests: vec![digest] });
        assert!(matches!(intact.phase(), Phase::Archiving(a) if a.result == WorkResult::Partial));
        world.label("tree changed");
        assert!(world.key().starts_with("check/seal/"), "{on_failure:?}: {}", world.key());
        world.check(Verdict::Fail, "e3");
        assert_ne!(world.work().task("T-1").unwrap().status, Status::Done, "{on_failure:?}");
    }
}

/// A tree that could not be read says nothing: neither of what was proved before, nor by a pass.
#[test]
fn what_could_not_be_looked_at_is_not_fresh() {
    let one = || Plan { tasks: vec![samples::spec("T-1", &[])], ..plan() };
    let mut world = World::at_work(one(), |_| {});
    world.label("saved");
    world.proved("d1");
    let digest = Digest { covers: vec!["**".into()], digest: "".into() };
    world.engine(Command::Digested { key: world.key(), digests: vec![digest] });
    assert!(world.key().starts_with("check/seal/"), "{}", world.key());
    let mut unseen = World::at_work(one(), |_| {});
    unseen.label("saved");
    unseen.proved("");
    assert_ne!(unseen.work().task("T-1").unwrap().status, Status::Done);
    assert!(unseen.key().starts_with("check/T-1/"), "{}", unseen.key());
}
