//! How legs end in a walk: one end for each case that the rules tell apart.

use kernel::call::Failure;
use kernel::loops::{
    CheckReport, Counts, Found, Gave, Hypothesis, HypothesisStatus, Leg, LegEnd, NewTask, Origin,
    Run, TaskMode, TestResult, TestStatus, Verdict, samples,
};
use kernel::machine::At;
use kernel::policy::grant::Pin;

/// The digest of the tree as it stands.
const TREE: &str = "tree";

/// A task as given.
pub fn task(word: &str) -> NewTask {
    NewTask {
        task_id: format!("task-1-{word}"),
        description: "Step".to_owned(),
        tool: "bash".to_owned(),
        mode: TaskMode::Write,
        prompt_template: None,
        command: Some("true".to_owned()),
        run: Some(Run::Argv(vec!["true".to_owned()])),
        on_error: None,
        origin: Origin::Queue,
        pin: Pin::default(),
    }
}

fn failure() -> Failure {
    Failure { code: "E001".to_owned(), kind: String::new(), detail: "it broke".to_owned() }
}

/// Every end of a leg, well or badly.
pub fn of(leg: &Leg, now: At) -> Vec<LegEnd> {
    let mut all = vec![
        LegEnd::Failed { failure: failure(), files_changed: vec![] },
        LegEnd::TimedOut { failure: failure(), files_changed: vec![] },
        LegEnd::Blocked { failure: failure(), reset_at: None },
        LegEnd::Blocked { failure: failure(), reset_at: Some(now) },
        LegEnd::Unusable { failure: failure(), bad: None },
        LegEnd::Cancelled,
    ];
    all.extend(good(leg).into_iter().map(LegEnd::Ok));
    all
}

/// Every result of a leg that went well, and one that is another leg's.
pub fn good(leg: &Leg) -> Vec<Gave> {
    match leg {
        Leg::Breakdown => vec![Gave::Tasks(vec![task("b1")]), Gave::Tasks(vec![])],
        Leg::Work => {
            let summary = "done".to_owned();
            vec![Gave::Work { files_changed: vec![], summary }, Gave::Digest(TREE.to_owned())]
        }
        Leg::Explore => vec![
            Gave::Hypotheses(vec![hypothesis("src/a.rs:f:1")]),
            Gave::Hypotheses(vec![hypothesis("")]),
        ],
        Leg::Instrument => vec![Gave::Instrumented { files_changed: vec![] }],
        Leg::Reproduce => vec![Gave::Reproduced(Box::default())],
        Leg::Analyze => {
            use HypothesisStatus::{Confirmed, Inconclusive, Rejected};
            let one = |status, n: usize| found(&format!("H{n}"), status);
            let all = |status| Gave::Analysis((1..40).map(|n| one(status, n)).collect());
            let mut ends = [Confirmed, Rejected, Inconclusive].map(all).to_vec();
            ends.push(Gave::Analysis(vec![one(Confirmed, 1)]));
            ends
        }
        Leg::Restore => [vec![], vec!["src/a.rs".to_owned()]]
            .map(|kept| Gave::Restored { files_changed: vec![], left: false, kept })
            .to_vec(),
        Leg::Check(_) => {
            let mut all: Vec<_> =
                [Verdict::Passed, Verdict::Failed, Verdict::NoTests, Verdict::Unparsed]
                    .map(report)
                    .to_vec();
            all.push(CheckReport { digest_after: "other".to_owned(), ..report(Verdict::Passed) });
            all.push(CheckReport {
                definition_hash: Some("another".to_owned()),
                ..report(Verdict::Passed)
            });
            all.into_iter().map(|report| Gave::Check(Box::new(report))).collect()
        }
        Leg::Seal => vec![Gave::Digest(TREE.to_owned()), Gave::Digest("other".to_owned())],
    }
}

fn hypothesis(point: &str) -> Hypothesis {
    Hypothesis {
        id: String::new(),
        description: "off by one".to_owned(),
        testable_condition: String::new(),
        logging_point: point.to_owned(),
        confirm: String::new(),
        reject: String::new(),
        likelihood: 1,
        status: HypothesisStatus::Pending,
        evidence: None,
        verdict_reason: None,
        problem: String::new(),
        round: 0,
    }
}

fn found(id: &str, status: HypothesisStatus) -> Found {
    let evidence = Some(serde_json::json!({ "lines": 1 }));
    Found { id: id.to_owned(), status, reason: "seen".to_owned(), evidence }
}

fn report(verdict: Verdict) -> CheckReport {
    let (passed, failed) = match verdict {
        Verdict::Passed | Verdict::CoverageBelow | Verdict::DefinitionChanged => (1, 0),
        Verdict::Failed => (0, 1),
        Verdict::NoTests | Verdict::Unparsed | Verdict::Accepted => (0, 0),
    };
    let check = samples::sample_check();
    let results = (0..failed).map(|_| TestResult {
        test_name: "t".to_owned(),
        suite: "s".to_owned(),
        status: TestStatus::Failed,
        duration_ms: 1,
        error_message: None,
        stack_trace: None,
    });
    CheckReport {
        id: check.id,
        argv: check.argv,
        level: check.level,
        verdict,
        counts: Counts { total: passed + failed, passed, failed, skipped: 0 },
        pass_rate_known: passed + failed > 0,
        results: results.collect(),
        truncated: false,
        exit_code: Some(i32::from(failed > 0)),
        duration_ms: 1,
        digest_before: TREE.to_owned(),
        digest_after: TREE.to_owned(),
        definition_hash: None,
        coverage_tenths: None,
        covered: vec![],
    }
}
