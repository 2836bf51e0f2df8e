//! Hostile repositories against the commands of the real binary: those that a look at git could
//! wake. All of them are the long form, `cargo xtask prove hostile`.

use sim::marks::{doors, hostile};

use crate::exe;

/// What git would run, or where it would go, when it is only asked something.
const SHORT: [&str; 10] = [
    "post-index-change",
    "fsmonitor",
    "filter clean",
    "filter process",
    "external diff",
    "include",
    "promisor",
    "encoding",
    "git directory behind a file",
    "submodule with a program",
];

#[test]
fn invariant_repo_runs_nothing_by_any_command() {
    let met = |name: &&str| {
        let number = hostile::number(name).unwrap_or_else(|| panic!("no fixture {name}"));
        doors::one(exe(), number).unwrap();
    };
    let (one, two) = SHORT.split_at(SHORT.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| one.iter().for_each(met));
        two.iter().for_each(met);
        other.join().unwrap();
    });
}
