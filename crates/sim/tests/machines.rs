//! Each machine alone: explored to the end within small bounds, and lived at random. The long
//! forms are `cargo xtask prove explore` and `cargo xtask prove random`.

use sim::explore::{Limits, Walked, explore};
use sim::machines::call;
use sim::random::{Lived, live};
use sim::subject::{Coverage, Subject};

/// Commands of one random life.
const LENGTH: usize = 40;
/// Random commands a machine.
const COMMANDS: usize = 100_000;

fn walked<S: Subject>(subject: &S, depth: usize) -> Walked {
    let limits = Limits { depth, until: None };
    explore(subject, limits).unwrap_or_else(|why| panic!("{why}"))
}

fn lived<S: Subject>(subject: &S, everything: &Coverage) {
    let mut lived = Lived::default();
    for seed in 0.. {
        live(subject, seed, LENGTH, &mut lived).unwrap_or_else(|why| panic!("{why}"));
        if lived.moves + lived.refusals >= COMMANDS {
            break;
        }
    }
    assert_eq!(lived.reached.missing(everything), Vec::<&str>::new(), "never reached");
    assert!(lived.moves > COMMANDS / 4, "only {} moves", lived.moves);
}

#[test]
fn every_state_of_a_call() {
    let found = walked(&call::Calls, usize::MAX);
    assert_eq!(found.reached.missing(&call::everything()), Vec::<&str>::new(), "never reached");
    assert_eq!(
        (found.states, found.moves, found.refusals, found.whole),
        (8680, 71137, 327757, true)
    );
}

#[test]
fn random_lives_of_calls() {
    lived(&call::Calls, &call::everything());
}
