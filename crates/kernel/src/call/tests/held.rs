//! Walls that were missing, or that were climbed, beat what a program says of itself.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::ending::outcome;
use super::super::{Ended, Exit, Held, NotBegun, Outcome, Phase, Prep};
use crate::machine::At;

const LEVEL: &str = "landlock+seccomp";

fn told(ended: Ended, held: Held) -> Outcome {
    let exit = Exit {
        ended,
        exit_code: Some(0),
        signal: None,
        started_at: At(1),
        ended_at: At(2),
        stdout_bytes: 0,
        stderr_bytes: 0,
        dropped_bytes: 0,
        sandbox: LEVEL.to_string(),
        held: held.into(),
        survivors: Vec::new(),
        tree_after: None,
        files_changed: Vec::new(),
        changes: None,
        agent: None,
        done: None,
    };
    let prep = Prep { tree_before: None, program: None, sandbox: LEVEL.to_string(), unkept: None };
    outcome(&exit, &Phase::Running, &prep)
}

#[test]
fn what_the_walls_say_comes_first() {
    let failed = |step: &str| Held {
        not_begun: Some(NotBegun { step: step.to_string(), error: "no".to_string() }),
        ..Held::default()
    };
    let put_back = Vec::from([".git/config".to_string(), ".git/hooks/x".to_string()]);
    let moved = Vec::from([".git/HEAD".to_string()]);
    let table = [
        (Ended::Exit, Held::default(), "Ok"),
        (Ended::Exit, Held { moved, ..Held::default() }, "Ok"),
        (
            Ended::Exit,
            Held { put_back, ..Held::default() },
            "E_POLICY_DENIED protected .git/config, .git/hooks/x",
        ),
        (Ended::SpawnFailed, failed("sandbox"), "E_IO sandbox_unavailable sandbox: no"),
        (Ended::SpawnFailed, failed("carve"), "E_IO sandbox_unavailable carve: no"),
        (Ended::SpawnFailed, failed("exec"), "E_IO spawn exec: no"),
    ];
    for (ended, held, expected) in table {
        let said = match told(ended, held) {
            Outcome::Failed(why) => format!("{} {} {}", why.code, why.kind, why.detail),
            Outcome::Ok | Outcome::TimedOut { .. } | Outcome::Stopped => "Ok".to_string(),
        };
        assert_eq!(said, expected);
    }
}
