//! Each machine alone: explored to the end within small bounds, and lived at random. The long
//! forms are `cargo xtask prove explore` and `cargo xtask prove random`.

use sim::explore::{Limits, Walked, explore};
use sim::machines::{call, collab, lifecycle, loops, session, turn};
use sim::random::{Lived, live};
use sim::subject::{Coverage, Subject};

/// Random lives a machine. A million more are `cargo xtask prove random`.
const LIVES: u64 = 100_000;
/// Whole auto runs.
const AUTOS: u64 = 5_000;
/// Of a turn, whose state is large: what it could do instead is found by trying.
const TURN_LIVES: u64 = 100;
/// One life in so many is long; the others are short, so that there are many beginnings.
const LONG_EVERY: u64 = 40;
/// Commands of a long life, and of a short one.
const LONG: usize = 40;
const SHORT: usize = 6;
/// Of a lifecycle, for the same reason as of a turn.
const LIFECYCLE_LIVES: u64 = 500;
/// Of a session, likewise.
const SESSION_LIVES: u64 = 250;

fn walked<S: Subject>(subject: &S, depth: usize) -> Walked {
    let limits = Limits { depth, until: None };
    explore(subject, limits).unwrap_or_else(|why| panic!("{why}"))
}

fn lived<S: Subject>(subject: &S, everything: &Coverage, lives: u64, long_every: u64) {
    let mut lived = Lived::default();
    for seed in 0..lives {
        let length = if seed % long_every == 0 { LONG } else { SHORT };
        live(subject, seed, length, &mut lived).unwrap_or_else(|why| panic!("{why}"));
    }
    assert_eq!(lived.reached.missing(everything), Vec::<&str>::new(), "never reached");
    let all = lived.moves + lived.refusals;
    assert!(lived.moves > all / 8, "only {} moves of {all}", lived.moves);
}

#[test]
fn every_state_of_a_call() {
    let found = walked(&call::Calls, usize::MAX);
    assert_eq!(found.reached.missing(&call::everything()), Vec::<&str>::new(), "never reached");
    assert_eq!(
        (found.states, found.moves, found.refusals, found.whole),
        (8682, 71139, 327857, true)
    );
}

#[test]
fn random_lives_of_calls() {
    lived(&call::Calls, &call::everything(), LIVES, LONG_EVERY);
}

#[test]
fn every_state_of_loops_within_the_scenes() {
    let expected: [(&str, usize, usize, usize); 7] = [
        ("auto", 3910, 18309, 24221),
        ("debug", 4427, 15853, 14929),
        ("menu", 2873, 9423, 27972),
        ("lent", 1806, 6932, 7502),
        ("lists", 1661, 5275, 5533),
        ("voices", 1530, 9211, 68875),
        ("asking", 4416, 17325, 45693),
    ];
    let mut found = Vec::new();
    let mut reached = Coverage::default();
    for scene in loops::SCENES {
        let walk = walked(&loops::Loops { scene }, scene.depth);
        reached.join(&walk.reached);
        found.push((scene.name, walk.states, walk.moves, walk.refusals));
    }
    assert_eq!(found, expected);
    assert_eq!(reached.missing(&loops::everything()), Vec::<&str>::new(), "never reached");
}

#[test]
fn random_lives_of_loops() {
    lived(&loops::Loops { scene: loops::SCENES[0] }, &loops::everything(), LIVES, LONG_EVERY);
}

/// `cargo xtask prove autos` is the long form.
#[test]
fn invariant_an_auto_run_ends_within_its_bound() {
    let mut ends = std::collections::BTreeMap::<String, usize>::new();
    for seed in 0..AUTOS {
        let ended = loops::autos::live(seed).unwrap_or_else(|why| panic!("{why}"));
        *ends.entry(ended.how).or_default() += 1;
    }
    let expected = [
        "completed",
        "failed error",
        "failed fail_fast",
        "failed limit",
        "paused blocked",
        "paused child_cancelled",
        "paused stuck",
        "paused task_failed",
        "paused tree_moving",
        "paused unverified",
    ];
    assert_eq!(ends.keys().collect::<Vec<_>>(), expected, "every end is met: {ends:?}");
}

#[test]
fn every_state_of_collabs_within_the_scenes() {
    let expected: [(&str, usize, usize, usize); 8] = [
        ("pair", 2751, 18264, 15584),
        ("stops", 2761, 17218, 20499),
        ("serial", 5179, 32278, 37395),
        ("and", 1473, 8462, 10952),
        ("alone", 7235, 102564, 48431),
        ("poor", 5569, 24074, 25449),
        ("lite", 21, 64, 1066),
        ("voices", 6619, 36154, 355900),
    ];
    let mut found = Vec::new();
    let mut reached = Coverage::default();
    for scene in collab::SCENES {
        let walk = walked(&collab::Collabs { scene }, usize::MAX);
        assert!(walk.whole, "{}", scene.name);
        reached.join(&walk.reached);
        found.push((scene.name, walk.states, walk.moves, walk.refusals));
    }
    assert_eq!(found, expected);
    assert_eq!(reached.missing(&collab::everything()), Vec::<&str>::new(), "never reached");
}

#[test]
fn random_lives_of_collabs() {
    lived(&collab::Collabs { scene: collab::SCENES[0] }, &collab::everything(), LIVES, LONG_EVERY);
}

#[test]
fn every_state_of_turns_near_their_samples() {
    let found = walked(&turn::Turns, 2);
    assert_eq!(found.reached.missing(&turn::everything()), Vec::<&str>::new(), "never reached");
    assert_eq!((found.states, found.moves, found.refusals), (5490, 8323, 18303));
}

#[test]
fn random_lives_of_turns() {
    // So few need not meet everything; the walk above does, and the long form does.
    lived(&turn::Turns, &Coverage::default(), TURN_LIVES, 1);
}

#[test]
fn every_state_of_lifecycles_near_their_samples() {
    let found = walked(&lifecycle::Lifecycles, 2);
    let everything = lifecycle::everything();
    assert_eq!(found.reached.missing(&everything), Vec::<&str>::new(), "never reached");
    assert_eq!((found.states, found.moves, found.refusals), (2889, 8089, 51921));
}

#[test]
fn random_lives_of_lifecycles() {
    // So few need not meet everything; the walk above does, and the long form does.
    lived(&lifecycle::Lifecycles, &Coverage::default(), LIFECYCLE_LIVES, 1);
}

#[test]
fn every_state_of_sessions_near_their_samples() {
    let found = walked(&session::Sessions, 1);
    let everything = session::everything();
    assert_eq!(found.reached.missing(&everything), Vec::<&str>::new(), "never reached");
    assert_eq!((found.states, found.moves, found.refusals), (2043, 3253, 1434));
}

#[test]
fn random_lives_of_sessions() {
    // So few need not meet everything; the walk above does.
    lived(&session::Sessions, &Coverage::default(), SESSION_LIVES, 1);
}

/// A tree that a stopped debug action left changed is put back before the next one begins, and the
/// next one puts its own changes back at its end: two children, so two keys. Under one key the
/// second would have been taken for the first, and the tree would have stayed changed.
#[test]
fn reg_restoring_twice_in_one_action_uses_two_keys() {
    use kernel::loops::{Action, Kind, Leg, Subject};
    use kernel::machine::At;
    let legs = [Leg::Restore, Leg::Explore, Leg::Instrument, Leg::Analyze, Leg::Restore];
    let action = |at| Action {
        n: 6,
        kind: Kind::Debug,
        subject: Subject::Loop,
        rule: "A6".to_owned(),
        legs: legs.to_vec(),
        at,
        reask: 0,
        child: None,
        last_child: None,
        started_at: At(0),
        reports: vec![],
        files_changed: vec![],
        changes: vec![],
        summary: String::new(),
        sealed: None,
        seen: None,
        failure: None,
        block: None,
        bad: None,
    };
    let slots = [0, 1, 4].map(|at| action(at).slot(&legs[at as usize]));
    assert_eq!(slots, ["a6/restore.first", "a6/explore", "a6/restore"]);
    for (slot, leg) in slots.iter().zip([Leg::Restore, Leg::Explore, Leg::Restore]) {
        assert_eq!(Leg::of_slot(slot), Some((6, leg)));
    }
}

/// An outside skill that lost its lease may still tell that a task is in progress. When the engine
/// takes over with a validation on hold, nobody is at that task any more.
#[test]
fn reg_no_task_stays_in_progress_when_the_engine_takes_over() {
    use kernel::loops::{
        self as kernel_loops, Change, Command, Driver, PauseHow, Report, TaskStatus,
    };
    use kernel::machine::{At, By, Said};
    let lent = loops::SCENES.into_iter().find(|scene| scene.name == "lent").unwrap();
    let mut state = kernel_loops::State::New;
    let mut say = |wanted: &dyn Fn(&Command) -> bool| {
        let says = lent.says(&state);
        let command = says.into_iter().map(|said| said.command).find(|command| wanted(command));
        let said = Said { by: By::Person, at: At(1_000), command: command.unwrap() };
        for event in kernel_loops::decide(&state, &said).unwrap() {
            kernel_loops::evolve(&mut state, &event, said.at);
        }
    };
    let told = |command: &Command| {
        matches!(command, Command::Report(report) if matches!(
            &**report,
            Report { changes, .. } if matches!(
                changes.first(),
                Some(Change::TaskStatus { status, .. }) if status == "in_progress",
            ),
        ))
    };
    say(&|command| matches!(command, Command::Create { .. }));
    say(&|command| matches!(command, Command::AddTask { .. }));
    say(&|command| matches!(command, Command::Start { driver: Driver::External { .. }, .. }));
    say(&|command| matches!(command, Command::Complete { force: None }));
    say(&|command| matches!(command, Command::Pause { how: PauseHow::Finish }));
    say(&told);
    say(&|command| matches!(command, Command::Start { driver: Driver::Engine, .. }));
    assert_eq!(state.name(), "running");
    let task = &state.life().unwrap().body.tasks[0];
    assert_eq!(task.status, TaskStatus::Pending);
}
