//! What each kind of parent may set, and that no turn spends more than its row says.

use super::super::*;
use super::world::World;

fn of(profile: Profile) -> impl FnOnce(&mut Start) {
    move |start| {
        start.profile = profile;
        start.limits.fixes = 9;
        start.limits.replans = 9;
        start.verification = Some(VerificationPolicy {
            mode: VerifyMode::Test,
            commands: alloc::vec!["cargo test".into()],
            required: true,
            stop_on_fail: true,
        });
    }
}

#[test]
fn the_rows_of_the_profiles() {
    use Profile::{Closing, LifecyclePlan, LifecycleTask, Loop, Person, Tweak};
    let table = [
        (Person, Mode::Write, 9, 9, true, Checkpoints::Turn, Git::Commit),
        (LifecyclePlan, Mode::Plan, 0, 0, false, Checkpoints::Off, Git::Off),
        (LifecycleTask, Mode::Write, 0, 0, true, Checkpoints::Off, Git::Off),
        (Loop, Mode::Write, 0, 0, false, Checkpoints::Turn, Git::Off),
        (Tweak, Mode::Write, 3, 0, false, Checkpoints::Turn, Git::Off),
        (Closing, Mode::Write, 0, 0, false, Checkpoints::Turn, Git::Off),
    ];
    for (profile, mode, fixes, replans, checks, checkpoints, git) in table {
        let world = World::begun(of(profile));
        let start = &world.life().body.start;
        let required = start.verification.as_ref().is_some_and(|policy| policy.required);
        let found = (start.mode, start.limits.fixes, start.limits.replans, required);
        assert_eq!(found, (mode, fixes, replans, checks), "{profile:?}");
        assert_eq!((start.checkpoints, start.git), (checkpoints, git), "{profile:?}");
    }
}

/// A direct turn with a failing step, and one whose agent wants another plan.
#[test]
fn a_failure_is_the_parents_where_the_parent_repairs() {
    let table = [
        (Profile::LifecycleTask, "SUMMARIZING blocked"),
        (Profile::Loop, "SUMMARIZING blocked"),
        (Profile::Tweak, "RECOVERING Fix"),
        (Profile::Closing, "RECOVERING Undo"),
    ];
    for (profile, expected) in table {
        let mut world = World::begun(of(profile)).labels(&["RESULT, ok", "RESULT, ok"]);
        if world.life().body.start.checkpoints == Checkpoints::Turn {
            world = world.label("RESULT, ok");
        }
        let failed = world.clone().step_failed("E_CONFLICT", "no_match", "x");
        assert_eq!(failed.stands(), expected, "{profile:?}");
        let replans = world.label("RESULT, wants another plan");
        assert_eq!(replans.stands(), "SUMMARIZING blocked", "{profile:?} has no other plan");
    }
}

#[test]
fn a_failing_check_under_a_lifecycle_is_reported() {
    let world = World::begun(of(Profile::LifecycleTask));
    let world = world.labels(&["RESULT, ok", "RESULT, ok", "RESULT, ok", "RESULT, failed"]);
    assert_eq!(world.outcome(), "blocked E_BUILD_FAIL check failed");
    assert_eq!(world.life().body.ledger.fixes, 0);
}
