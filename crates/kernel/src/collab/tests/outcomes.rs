//! How a call's state is read: every state of a call has one meaning here.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::{answered, failed};
use super::super::{Outcome, outcome_of};
use crate::agent::{Report, Structured};
use crate::call::{
    self, Charge, Ended, Exit, Failure, RELAUNCHES_MAX, SettledBy, State, UndoLevel,
};
use crate::machine::At;

fn word(outcome: Option<Outcome>) -> String {
    let Some(outcome) = outcome else { return "open".to_string() };
    match outcome {
        Outcome::Report { survivors, .. } => alloc::format!("report {}", survivors.join(" ")),
        Outcome::Denied { by } => alloc::format!("denied {by}"),
        Outcome::NotApplied => "not_applied".to_string(),
        Outcome::SpawnFailed { .. } => "spawn_failed".to_string(),
        Outcome::Failed(failure) => alloc::format!("failed {}", failure.kind),
        Outcome::TimedOut { report } => alloc::format!("timed_out {}", report.is_some()),
        Outcome::Stopped { report } => alloc::format!("stopped {}", report.is_some()),
        Outcome::Lost => "lost".to_string(),
        Outcome::Unknown { .. } => "unknown".to_string(),
        Outcome::Refused { .. } => "refused".to_string(),
    }
}

/// Every sample state of a call.
#[test]
fn every_state_of_a_call_is_read() {
    let expected = [
        ("New", "open"),
        ("Asked", "open"),
        ("Denied", "denied policy"),
        ("Allowed Ready", "open"),
        ("Started Running, Once", "open"),
        ("Started Stopping for a Stop", "open"),
        ("Settled", "unknown"),
        ("Settled, nothing happened", "stopped false"),
        ("Unknown Probe", "open"),
        ("Unknown Wait", "open"),
        ("Unknown AskPerson", "unknown"),
        ("Undoing", "unknown"),
        ("Undone", "unknown"),
    ];
    let states = call::samples::sample_states();
    for (name, meaning) in expected {
        let (_, state) = states.iter().find(|(label, _)| *label == name).expect("a sample");
        assert_eq!(word(outcome_of(state)), meaning, "{name}");
    }
}

fn report(outcome: Outcome) -> Option<Box<Report>> {
    if let Outcome::Report { report, .. } = outcome { Some(report) } else { None }
}

fn exit(ended: Ended, agent: Option<Box<Report>>) -> Exit {
    Exit {
        ended,
        exit_code: Some(0),
        signal: None,
        started_at: At(1),
        ended_at: At(2),
        stdout_bytes: 1,
        stderr_bytes: 0,
        dropped_bytes: 0,
        sandbox: "landlock".to_string(),
        held: Box::default(),
        survivors: Vec::from(["7 sleep".to_string()]),
        tree_after: None,
        files_changed: Vec::new(),
        changes: None,
        agent,
        done: None,
    }
}

fn settled(outcome: call::Outcome, by: SettledBy, exit: Option<Exit>, relaunches: u32) -> State {
    let states = call::samples::sample_states();
    let facts = states.iter().find_map(|(_, state)| state.facts()).expect("facts").clone();
    State::Settled {
        facts: Box::new(facts),
        attempt: 1,
        relaunches,
        outcome,
        by,
        exit,
        prep: None,
        undo: UndoLevel::None("read_only".to_string()),
        charge: Charge::default(),
        late: false,
        undos: 0,
        at: At(3),
    }
}

#[test]
fn settled_calls() {
    let good = || report(answered("codex", None, Structured::NotAsked));
    let bad = || report(failed("codex", "E009", "auth", None));
    let failure = |code: &str, kind: &str| {
        let detail = String::new();
        call::Outcome::Failed(Failure { code: code.into(), kind: kind.into(), detail })
    };
    let late = || call::Outcome::TimedOut { limit: "deadline".into() };
    let person = || SettledBy::Person { note: String::new() };
    let (result, probe) = (|| SettledBy::Result, || SettledBy::Probe);
    let none = || failure("E_IO", "not_applied");
    let with = |ended, agent| Some(exit(ended, agent));
    let table = [
        (settled(call::Outcome::Ok, result(), with(Ended::Exit, good()), 0), "report 7 sleep"),
        (settled(failure("E009", "auth"), result(), with(Ended::Exit, bad()), 0), "report 7 sleep"),
        (settled(late(), result(), with(Ended::Deadline, bad()), 0), "timed_out true"),
        (settled(late(), result(), with(Ended::Deadline, None), 0), "timed_out false"),
        (settled(call::Outcome::Stopped, result(), with(Ended::Stopped, bad()), 0), "stopped true"),
        (
            settled(failure("E_IO", "spawn"), result(), with(Ended::SpawnFailed, None), 0),
            "spawn_failed",
        ),
        (
            settled(failure("E_IO", "sandbox_unavailable"), result(), with(Ended::Exit, good()), 0),
            "failed sandbox_unavailable",
        ),
        (settled(failure("E_IO", "not_found"), result(), None, 0), "failed not_found"),
        (settled(none(), result(), None, RELAUNCHES_MAX), "not_applied"),
        (settled(none(), probe(), None, RELAUNCHES_MAX), "not_applied"),
        (settled(none(), probe(), None, 0), "lost"),
        (settled(none(), person(), None, 0), "lost"),
        (settled(call::Outcome::Ok, person(), None, 0), "unknown"),
    ];
    for (index, (state, meaning)) in table.into_iter().enumerate() {
        assert_eq!(word(outcome_of(&state)), meaning, "row {index}");
    }
}
