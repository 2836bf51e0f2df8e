//! Scripted stories and crowds of loops in the fake world, with crashes and failing disks at every
//! index. The long form is `cargo xtask prove engine`.

use journal::Failure;
use sim::crowd;
use sim::story::{Script, Told, Trouble, play, scripts};
use sim::world::Luck;

const ROUGH: Luck = Luck { engine_crash: 8, shim_crash: 40, failure: 5 };

fn played(script: &Script, trouble: &Trouble) -> Told {
    play(script, trouble).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn calm_stories_end_well() {
    for script in scripts() {
        let told = played(&script, &Trouble::default());
        assert_eq!((told.status, told.halts), ("completed", 0), "{}", script.name);
    }
}

/// The engine dies between every two steps: the loop's story is the same as if it had not.
#[test]
fn a_crash_at_any_step_changes_no_story() {
    for script in scripts() {
        let calm = played(&script, &Trouble::default());
        for tick in 0..=calm.ticks {
            let told = played(&script, &Trouble { crash_after: vec![tick], append: None });
            assert_eq!((told.status, &told.story), (calm.status, &calm.story), "{tick}");
        }
    }
}

/// Every append fails once, in every way: the engine halts under a name, the next one goes on,
/// and the story is the same.
#[test]
fn a_failing_disk_at_any_append_changes_no_story() {
    for script in scripts() {
        let calm = played(&script, &Trouble::default());
        for nth in 1..=calm.appends {
            for failure in [Failure::SyncLost, Failure::SyncKept, Failure::NoSpace] {
                let trouble = Trouble { crash_after: vec![], append: Some((nth, failure)) };
                let told = played(&script, &trouble);
                assert_eq!((told.status, &told.story), (calm.status, &calm.story), "{trouble:?}");
                assert_eq!(told.halts, 1, "{trouble:?}");
            }
        }
    }
}

#[test]
fn only_one_loop_of_a_crowd_holds_the_tree() {
    let (mut busy, mut halts, mut completed) = (0, 0, 0);
    for seed in 0..60 {
        let ended = crowd::live(seed, ROUGH, 3).unwrap_or_else(|why| panic!("{why}"));
        busy += ended.busy;
        halts += ended.halts;
        completed += usize::from(ended.completed > 0);
    }
    assert!(busy > 50 && halts > 20 && completed > 5, "{busy} {halts} {completed}");
}

/// A loop that stands still with only its seal missing does not hold the tree. Once another loop
/// does, no word sets the first going: not Resume, and not Complete either.
#[test]
fn reg_complete_takes_no_tree_that_another_loop_holds() {
    let reasons = crowd::second_holder().unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(reasons, ["busy", "busy"]);
}
