//! What processes leave behind in the fake world: exit records and what is read from a check.

use kernel::call::{Ended, Exit};
use kernel::loops::{self, CheckReport, Counts, Level, Verdict};
use kernel::machine::At;

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
        survivors: Vec::new(),
        tree_after: Some("tree".to_owned()),
        files_changed: Vec::new(),
        agent: None,
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
    }
}
