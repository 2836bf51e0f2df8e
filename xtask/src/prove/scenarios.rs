//! The scenarios, each with the engine killed between every two of its events. A case is one of
//! them; after the last the first comes again, since no two kills meet the same instant.

use std::time::Duration;

use super::list::Proof;
use super::tested::Tested;
use crate::root::root;

const TEST: Tested = Tested {
    package: "loopwright",
    target: "scenarios",
    name: "invariant_a_kill_between_two_events_changes_no_end",
};

pub const PROOF: Proof = Proof {
    name: "scenarios",
    about: "every scenario with kill -9 of the engine between every two events, one a case",
    cases: None,
    case,
};

fn case(number: u64, _: Duration) -> Result<(), String> {
    let names = names().map_err(|why| format!("scenarios: {why}"))?;
    let at = number % u64::try_from(names.len()).unwrap_or(1).max(1);
    let Some(name) = usize::try_from(at).ok().and_then(|at| names.get(at)) else {
        return Err("there are no scenarios".to_owned());
    };
    let played =
        TEST.run(&[("LOOPWRIGHT_SCENARIO_KILLS", "all".to_owned()), ("SCENARIO", name.clone())]);
    played.map_err(|why| format!("{name}: {why}"))
}

/// The directories, in order.
fn names() -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root().join("scenarios"))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_are_found_in_order() {
        let names = names().unwrap();
        assert!(names.len() >= 29 && names.is_sorted(), "{names:?}");
        assert!(names[0].starts_with("001"), "{names:?}");
    }
}
