//! What a session hears of a call: what its agent answered, what its check showed, what its tool
//! told. Pure facts of its record and its files.

use kernel::agent::{Answer, Structured};
use kernel::call::{self, DeniedBy, Exit, Failure, Outcome as Ended};
use kernel::loops::{Check, CheckReport, TestResult, TestStatus, Verdict};
use kernel::session::{
    Base, Found, Frame, Gave, Job, Life, Outcome, Phase, Report, Spoken, Stage, Step, Tests,
};

use super::super::answer;
use super::super::pool::Desk;
use super::super::report;
use super::super::tool::PAYLOAD;
use super::failed;
use crate::checks;
use crate::engine::{Left, Ran, Sitting};
use crate::shim::durable;

/// A report of ours is no longer than this.
const PAYLOAD_BYTES_MAX: u64 = 16 << 20;
/// First errors that are told.
const ERRORS_TOLD: usize = 10;

/// What the session hears.
pub(super) fn read(desk: &Desk, sitting: &Sitting, left: &Left) -> Outcome {
    match &left.state {
        call::State::Denied { by, .. } => denied(by),
        call::State::Undone { .. } => failed("E_CONFLICT", "undone", ""),
        call::State::Settled { outcome: Ended::Stopped, .. } => Outcome::Stopped,
        call::State::Settled { outcome, exit, prep, facts, .. } => {
            let request = &facts.request;
            if request.name == call::RUN
                && let Some(check) = check_of(&sitting.life, &sitting.slot)
                && let Some(exit) = exit
            {
                let tree_before = prep.as_ref().and_then(|prep| prep.tree_before.clone());
                let ran = Ran { exit: exit.clone(), tree_before };
                let read = report::read(desk, &check, &left.call, &ran);
                return tests(desk, &left.call, &read, outcome);
            }
            match outcome {
                Ended::Failed(failure) => Outcome::Failed(failure.clone()),
                Ended::TimedOut { limit } => failed("E_TOOL_TIMEOUT", limit, ""),
                Ended::Stopped => Outcome::Stopped,
                Ended::Ok => well(desk, left, &request.name, exit.as_ref()),
            }
        }
        call::State::New
        | call::State::Asked { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. }
        | call::State::Unknown { .. }
        | call::State::Undoing { .. } => failed("E_UNKNOWN_OUTCOME", "lost", &left.call),
    }
}

fn denied(by: &DeniedBy) -> Outcome {
    let (kind, detail) = match by {
        DeniedBy::Policy { rule } => ("policy", rule.as_str()),
        DeniedBy::User { note } => ("user", note.as_str()),
        DeniedBy::Timer => ("timer", ""),
        DeniedBy::Parent => return Outcome::Stopped,
    };
    failed("E_POLICY_DENIED", kind, detail)
}

/// What a call gave that went well.
fn well(desk: &Desk, left: &Left, tool: &str, exit: Option<&Exit>) -> Outcome {
    if let Some(report) = exit.and_then(|exit| exit.agent.as_deref()) {
        return answered(desk, &left.call, &report.answer);
    }
    let file = desk.call_dir(&left.call).join(PAYLOAD);
    let bytes = durable::read(&file, PAYLOAD_BYTES_MAX).unwrap_or_default();
    let mut told: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if tool == call::UNDO || told["success"].is_null() {
        return Outcome::Ok(Box::new(Gave::Done(told)));
    }
    let success = told["success"] == true;
    told["call_id"] = serde_json::json!(left.call);
    Outcome::Ok(Box::new(Gave::Report(Report { success, told })))
}

fn answered(desk: &Desk, call: &str, said: &Answer) -> Outcome {
    match said {
        Answer::Failed { error, .. } => Outcome::Failed(Failure {
            code: error.code.clone(),
            kind: error.kind.clone(),
            detail: error.detail.clone(),
        }),
        Answer::Answered { text, structured, .. } => match structured {
            Structured::NotAsked => {
                let said = Spoken { call: call.to_owned(), sha256: text.sha256.clone() };
                Outcome::Ok(Box::new(Gave::Words(said)))
            }
            Structured::Invalid { kind, .. } => failed("E_MODEL", kind, &text.path),
            Structured::Valid(value) => {
                let text = answer::load(&desk.plan.loop_dir, value)
                    .map(|text| desk.plan.redactor.redact_text(&text));
                match text.map(|text| serde_json::from_str(&text)) {
                    Ok(Ok(value)) => Outcome::Ok(Box::new(Gave::Value(value))),
                    Ok(Err(_)) => failed("E_MODEL", "not_json", &value.path),
                    Err(why) => failed("E_IO", why, &value.path),
                }
            }
        },
    }
}

/// The check that a slot runs.
fn check_of(life: &Life, slot: &str) -> Option<Check> {
    if let Base::Flow { stage, .. } = life.base()
        && let Stage::Testing { checks: Some(checks), so_far, .. } = &**stage
    {
        return checks.get(so_far.ran.len()).cloned();
    }
    let base = match life.base() {
        Base::Job { job } => Some(&**job),
        Base::Idle { .. } | Base::Flow { .. } => None,
    };
    let above = life.frames().iter().filter_map(|frame| match frame {
        Frame::Embedded { job, .. } => Some(&**job),
        Frame::Relating { .. } | Frame::Replacing { .. } | Frame::Tool(_) | Frame::Chat(_) => None,
    });
    let mut all = base.into_iter().chain(above);
    all.find(|job| job.slot().as_deref() == Some(slot)).and_then(check_of_job)
}

fn check_of_job(job: &Job) -> Option<Check> {
    match &job.phase {
        Phase::Working {
            found: Found::Test { checks }, step: Step::Check { index, .. }, ..
        } => checks.get(*index).cloned(),
        Phase::Working { .. }
        | Phase::Detecting { .. }
        | Phase::Asking { .. }
        | Phase::Result { .. }
        | Phase::Held { .. }
        | Phase::Over { .. } => None,
    }
}

/// What one check showed. No test at all proves nothing.
fn tests(desk: &Desk, call: &str, report: &CheckReport, outcome: &Ended) -> Outcome {
    let green = match report.verdict {
        Verdict::Passed | Verdict::Accepted | Verdict::Unparsed => report.exit_code == Some(0),
        Verdict::NoTests
        | Verdict::Failed
        | Verdict::DefinitionChanged
        | Verdict::CoverageBelow => false,
    };
    let failed = report.results.iter().filter(|test| test.status == TestStatus::Failed);
    let mut errors: Vec<String> = failed.take(ERRORS_TOLD).map(line).collect();
    if errors.is_empty() && !green {
        // What did not even build names no test.
        let (places, _) = checks::told(&desk.call_dir(call));
        let told = |at: &checks::Anchor| format!("{}:{}: {}", at.file, at.line, at.message);
        errors = places.iter().take(ERRORS_TOLD).map(told).collect();
    }
    Outcome::Ok(Box::new(Gave::Tests(Tests {
        passed: report.counts.passed,
        failed: report.counts.failed,
        skipped: report.counts.skipped,
        green,
        timed_out: matches!(outcome, Ended::TimedOut { .. }),
        ran: vec![report.argv.join(" ")],
        errors,
        optional: Vec::new(),
    })))
}

/// A failed test in one line, with the place that it names.
fn line(test: &TestResult) -> String {
    let said = [&test.error_message, &test.stack_trace].map(|text| text.as_deref());
    let why = said[0].and_then(|text| text.lines().next()).unwrap_or_default();
    let place = said.into_iter().flatten().find_map(checks::place_in);
    let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
    format!("{place}{} {}: {why}", test.suite, test.test_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_test_names_its_place_where_one_is_known() {
        let failed = |error: &str, trace: &str| TestResult {
            error_message: Some(error.to_owned()),
            stack_trace: Some(trace.to_owned()),
            ..TestResult::new("suite", "name", TestStatus::Failed)
        };
        let table = [
            (
                "panicked at src/a.rs:7:5:\nno",
                "",
                "src/a.rs:7: suite name: panicked at src/a.rs:7:5:",
            ),
            ("no", "t.py:12: AssertionError", "t.py:12: suite name: no"),
            ("no", "", "suite name: no"),
        ];
        for (error, trace, expected) in table {
            assert_eq!(line(&failed(error, trace)), expected);
        }
    }
}
