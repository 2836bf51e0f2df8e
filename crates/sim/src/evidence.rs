//! What processes leave behind in the fake world: exit records and what is read from a check.

use kernel::agent::{Answer, Ask, Error, Facts, Report, Spooled, Structured};
use kernel::call::{Ended, Exit};
use kernel::loops::{
    self, CheckReport, Counts, Gave, Leg, Level, NewTask, Origin, TaskMode, Verdict,
};
use kernel::machine::At;
use kernel::policy::grant::Pin;
use runtime::engine::Look;

/// The exit record of a process that ended now.
pub fn exit(code: i32, ended: Ended, now: At) -> Exit {
    Exit {
        ended,
        exit_code: Some(code),
        signal: None,
        started_at: now,
        ended_at: now,
        stdout_bytes: 0,
        stderr_bytes: 0,
        dropped_bytes: 0,
        sandbox: "none".to_owned(),
        held: Box::default(),
        survivors: Vec::new(),
        tree_after: Some("tree".to_owned()),
        files_changed: Vec::new(),
        changes: None,
        agent: None,
        done: None,
    }
}

/// The same of an agent: what it answered has the wanted form if it went well, and has not if a
/// form was wanted and it did not.
pub fn answered(call: &str, ask: &Ask, exit: Exit) -> Exit {
    let spooled = |name: &str| Spooled {
        path: format!("calls/{call}/{name}"),
        sha256: "00".to_owned(),
        bytes: 1,
    };
    let structured = match (&ask.schema, exit.exit_code) {
        (None, _) => Structured::NotAsked,
        (Some(_), Some(0)) => Structured::Valid(spooled("answer.json")),
        (Some(_), _) => Structured::Invalid { kind: "not_json".to_owned(), issues: Vec::new() },
    };
    let answer = if ask.schema.is_some() || exit.exit_code == Some(0) {
        Answer::Answered { session: Some("s-1".to_owned()), text: spooled("answer"), structured }
    } else {
        let error = Error {
            code: "E009".to_owned(),
            kind: "error_event".to_owned(),
            detail: String::new(),
            retry_after_ms: None,
            reset_at: None,
        };
        Answer::Failed { error, session: None, partial: None }
    };
    let report = Report { answer, facts: Facts::default() };
    let ended = exit.ended == Ended::Exit;
    Exit { agent: ended.then(|| Box::new(report)), ..exit }
}

/// What is read from an agent's answer in this world: two tasks that only read, or some work.
pub fn given(leg: &Leg, tool: &str) -> Gave {
    let task = |index: u32| NewTask {
        task_id: format!("task-2-{index:08x}"),
        description: format!("look {index}"),
        tool: tool.to_owned(),
        mode: TaskMode::Analysis,
        prompt_template: None,
        command: None,
        run: None,
        on_error: None,
        origin: Origin::Breakdown,
        pin: Pin::default(),
    };
    match leg {
        Leg::Breakdown => Gave::Tasks(vec![task(1), task(2)]),
        Leg::Work
        | Leg::Explore
        | Leg::Instrument
        | Leg::Reproduce
        | Leg::Analyze
        | Leg::Restore
        | Leg::Check(_)
        | Leg::Seal => Gave::Work { files_changed: Vec::new(), summary: "seen".to_owned() },
    }
}

/// What is found in what a command printed.
pub fn looked(look: &Look, exit: &Exit) -> Gave {
    match look {
        Look::Check(check) => Gave::Check(Box::new(report(check, exit))),
        Look::Problem(_) => Gave::Reproduced(Box::default()),
    }
}

/// What a check that ran gives in this world: one test, as green as its exit code.
pub fn report(check: &loops::Check, exit: &Exit) -> CheckReport {
    let green = exit.exit_code == Some(0);
    CheckReport {
        id: check.id.clone(),
        argv: check.argv.clone(),
        level: Level::Test,
        verdict: if green { Verdict::Passed } else { Verdict::Failed },
        counts: Counts {
            total: 1,
            passed: u64::from(green),
            failed: u64::from(!green),
            skipped: 0,
        },
        pass_rate_known: true,
        results: vec![loops::TestResult {
            test_name: "t".to_owned(),
            suite: "s".to_owned(),
            status: if green { loops::TestStatus::Passed } else { loops::TestStatus::Failed },
            duration_ms: 1,
            error_message: None,
            stack_trace: None,
        }],
        truncated: false,
        exit_code: exit.exit_code,
        duration_ms: 1,
        digest_before: "tree".to_owned(),
        digest_after: "tree".to_owned(),
        definition_hash: check.definition_hash.clone(),
        coverage_tenths: None,
        covered: vec![],
    }
}
