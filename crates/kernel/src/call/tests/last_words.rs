//! What an agent's stream says of its end beats who ended its process afterwards; only a stop that
//! was asked for beats it.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::ending::outcome;
use super::super::rows::started::left_behind;
use super::super::{Ended, Exit, KillWhy, Outcome, Phase, Prep};
use crate::agent::{Answer, Error, Facts, Report, Spooled, Structured};
use crate::machine::At;

fn exit(ended: Ended, answer: Answer) -> Exit {
    Exit {
        ended,
        exit_code: None,
        signal: Some(15),
        started_at: At(1),
        ended_at: At(2),
        stdout_bytes: 0,
        stderr_bytes: 0,
        dropped_bytes: 0,
        sandbox: "none".to_string(),
        held: Box::default(),
        survivors: Vec::new(),
        tree_after: None,
        files_changed: Vec::new(),
        changes: None,
        agent: Some(Box::new(Report { answer, facts: Facts::default() })),
        done: None,
    }
}

fn failed(code: &str, kind: &str) -> Answer {
    let error = Error {
        code: code.to_string(),
        kind: kind.to_string(),
        detail: String::new(),
        retry_after_ms: None,
        reset_at: None,
    };
    Answer::Failed { error, session: None, partial: None }
}

fn answered() -> Answer {
    let text = Spooled { path: "calls/c/answer".to_string(), sha256: "ab".to_string(), bytes: 2 };
    Answer::Answered { session: None, text, structured: Structured::NotAsked }
}

fn told(exit: &Exit, phase: &Phase) -> String {
    let prep = Prep { tree_before: None, program: None, sandbox: "none".to_string(), unkept: None };
    match outcome(exit, phase, &prep) {
        Outcome::Ok => "ok".to_string(),
        Outcome::Stopped => "stopped".to_string(),
        Outcome::TimedOut { limit } => format!("timed out {limit}"),
        Outcome::Failed(why) => format!("{}/{}", why.code, why.kind),
    }
}

#[test]
fn a_last_word_beats_who_ended_the_process() {
    let stopping = |why| Phase::Stopping { why, by: "person".to_string(), since: At(1) };
    let quota = || failed("E009", "quota");
    let table = [
        // It lingered after its error, so the engine's listener had the shim end it.
        (Ended::Stopped, quota(), Phase::Running, "E009/quota"),
        (Ended::Deadline, quota(), Phase::Running, "E009/quota"),
        (Ended::Idle, quota(), Phase::Running, "E009/quota"),
        (Ended::Stopped, failed("E002", "resume_unknown"), Phase::Running, "E002/resume_unknown"),
        (Ended::Stopped, answered(), Phase::Running, "ok"),
        // It said nothing of its end: what is reported is only why it was ended.
        (Ended::Stopped, failed("E007", "stopped"), Phase::Running, "stopped"),
        (Ended::Deadline, failed("E004", "deadline"), Phase::Running, "timed out deadline"),
        (Ended::Idle, failed("E004", "idle"), Phase::Running, "timed out idle"),
        (Ended::Exit, failed("E004", "exit"), Phase::Running, "E004/exit"),
        // It was asked for.
        (Ended::Stopped, quota(), stopping(KillWhy::Stop), "stopped"),
        (Ended::Stopped, quota(), stopping(KillWhy::Idle), "timed out idle"),
        (Ended::Stopped, answered(), stopping(KillWhy::Stop), "ok"),
    ];
    for (ended, answer, phase, expected) in table {
        let exit = exit(ended, answer);
        assert_eq!(told(&exit, &phase), expected, "{exit:?} {phase:?}");
    }
}

/// Its owner may try anew, and must not while it lives on.
#[test]
fn one_that_failed_and_was_ended_by_us_has_not_ended_while_it_lives_on() {
    let prep = Prep { tree_before: None, program: None, sandbox: "none".to_string(), unkept: None };
    for (ended, left) in [(Ended::Stopped, true), (Ended::Deadline, true), (Ended::Exit, false)] {
        let alive = Vec::from(["7 sleep".to_string()]);
        let exit = Exit { survivors: alive, ..exit(ended, failed("E009", "server")) };
        let outcome = outcome(&exit, &Phase::Running, &prep);
        assert_eq!(left_behind(&exit, &outcome), left, "{ended:?}");
    }
}
