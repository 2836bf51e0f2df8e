//! Which rows of the lifecycle's table scenarios show: what a person may say in each column, and
//! each reason to stand still. The names are computed from the machine; a row that only tests of
//! the kernel hold is listed, and that list may only shrink.

use std::collections::BTreeSet;

use kernel::lifecycle::{Why, decide, samples};
use kernel::machine::By;

use super::form::{self, Machine};

/// Rows that no scenario shows yet.
const KERNEL_ONLY: [&str; 16] = [
    "AMEND: BLOCKED",
    "HALT(branch_changed)",
    "HALT(budget)",
    "HALT(io)",
    "HALT(outcome_unknown)",
    "HALT(policy_denied)",
    "NOTE: ARCHIVING",
    "NOTE: AUTO_FIX",
    "NOTE: BLOCKED",
    "NOTE: CONFIRMING",
    "NOTE: EXECUTING",
    "NOTE: IDLE ended",
    "NOTE: PLANNING",
    "NOTE: rolling",
    "RESUME: BLOCKED",
    "update_progress: AUTO_FIX",
];

/// What no halt says: other facts lead there.
const NO_HALT: [Why; 3] = [Why::FixLimit, Why::ForceStop, Why::RollbackFailed];

fn table() -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for (_, state) in samples::sample_states() {
        for (_, said) in samples::sample_commands(&state) {
            let moves = decide(&state, &said).is_ok_and(|events| !events.is_empty());
            if moves && said.by == By::Person && !said.command.is_engines() {
                rows.insert(format!("{}: {}", said.command.name(), state.column()));
            }
        }
    }
    let halts = Why::ALL.into_iter().filter(|why| !NO_HALT.contains(why));
    rows.extend(halts.map(|why| format!("HALT({})", why.word())));
    rows
}

#[test]
fn each_row_of_a_lifecycle_is_shown_or_listed() {
    if std::env::var_os("SCENARIO").is_some() {
        return;
    }
    let all = form::all();
    let shown: BTreeSet<&String> = all
        .iter()
        .filter(|one| one.said.machine == Machine::Lifecycle)
        .flat_map(|one| &one.said.rows)
        .collect();
    // A row may say more behind a comma.
    let is_shown = |row: &str| {
        shown.iter().any(|one| {
            one.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
        })
    };
    let table = table();
    let open: Vec<&String> =
        table.iter().filter(|row| !is_shown(row) && !KERNEL_ONLY.contains(&row.as_str())).collect();
    assert!(open.is_empty(), "no scenario shows {open:#?}");
    let listed: Vec<&&str> =
        KERNEL_ONLY.iter().filter(|row| is_shown(row) || !table.contains(**row)).collect();
    assert!(listed.is_empty(), "shown or gone, and listed all the same: {listed:#?}");
}
