//! Rollback over random repositories, and cut off at every step. The long forms are proofs.

use sim::marks::{case, hostile, kills};

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
