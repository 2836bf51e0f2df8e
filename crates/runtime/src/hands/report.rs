//! Reading what a check printed: spools and report files of its call, parsed by the approved
//! parser. Only what its own run wrote counts.

use kernel::loops;

use super::pool::Desk;
use crate::checks::{self, Parsed};
use crate::engine::Ran;
use crate::shim::durable;

/// What a check that ran gave.
pub(super) fn read(
    desk: &Desk,
    check: &loops::Check,
    child: &str,
    ran: &Ran,
) -> loops::CheckReport {
    let dir = desk.call_dir(child);
    let (root, sources) = (&desk.plan.root, &desk.plan.checks);
    let output = checks::left(&dir, &ran.exit, root, &sources.report_paths);
    let mut every = Vec::new();
    let parsed = checks::parse(&checks::readable(check), &output, &mut |result| {
        every.push(serde_json::json!(of_result(desk, result.clone())));
    });
    // The whole list is a file beside the call; the journal keeps the counts and the first ones.
    let list = serde_json::Value::Array(every).to_string();
    drop(durable::replace(&dir, "results.json", list.as_bytes()));
    told(desk, check, ran, parsed)
}

fn told(desk: &Desk, check: &loops::Check, ran: &Ran, parsed: Parsed) -> loops::CheckReport {
    let definition = checks::definition_now(&desk.plan.root, &desk.plan.checks, &check.id);
    let digest = |mark: &Option<String>| mark.clone().unwrap_or_default();
    let (root, paths) = (&desk.plan.root, &desk.plan.coverage_paths);
    let written = checks::written(root, paths, checks::began(&ran.exit));
    let coverage = checks::coverage(&written);
    loops::CheckReport {
        id: check.id.clone(),
        argv: check.argv.clone(),
        level: check.level,
        verdict: parsed.verdict,
        counts: parsed.counts,
        pass_rate_known: parsed.pass_rate_known,
        results: parsed.results.into_iter().map(|result| of_result(desk, result)).collect(),
        truncated: parsed.truncated,
        exit_code: ran.exit.exit_code,
        duration_ms: ran.exit.ended_at.since(ran.exit.started_at),
        digest_before: digest(&ran.tree_before),
        digest_after: digest(&ran.exit.tree_after),
        definition_hash: definition,
        coverage_tenths: coverage.coverage_available.then(|| tenths(coverage.coverage)),
        covered: checks::covered(root, &written),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 0..=1000 first"
)]
fn tenths(percent: f64) -> u32 {
    (percent * 10.0).clamp(0.0, 1000.0) as u32
}

/// The same without secrets.
fn of_result(desk: &Desk, result: loops::TestResult) -> loops::TestResult {
    let clean = |text: String| desk.plan.redactor.redact_text(&text);
    loops::TestResult {
        test_name: clean(result.test_name),
        suite: clean(result.suite),
        status: result.status,
        duration_ms: result.duration_ms,
        error_message: result.error_message.map(clean),
        stack_trace: result.stack_trace.map(clean),
    }
}
