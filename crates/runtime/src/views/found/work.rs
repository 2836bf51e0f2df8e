//! What a skill kept of its work, read from a document. Its own tests prove nothing here: what they
//! said is shown, and they are run again.

use kernel::loops::{
    Counts, Debug, Entry, Hypothesis, HypothesisStatus, Kind, RESULTS_KEPT, TestResult, TestStatus,
    Validation, Verdict, Work,
};
use kernel::machine::At;
use serde_json::Value;

use super::document::{moment, texts};

/// All of it.
pub(super) fn work(skill: &Value) -> Work {
    let debug = &skill["debug"];
    let hypotheses: Vec<Hypothesis> =
        debug["hypotheses"].as_array().into_iter().flatten().filter_map(hypothesis).collect();
    let confirmed = debug["confirmed_hypothesis"].as_str().map(str::to_owned);
    let found = validation(&skill["validate"], &skill["ext"]["validate"]);
    let errors = skill["errors"].as_array().into_iter().flatten();
    Work {
        debug: Debug {
            active_bug: debug["active_bug"].as_str().map(str::to_owned),
            confirmed: confirmed.filter(|id| hypotheses.iter().any(|h| h.id == *id)),
            hypotheses,
            iteration: whole(&debug["iteration"]),
            last_analysis_at: moment(&debug["last_analysis_at"]),
            ..Debug::default()
        },
        last_action: skill["last_action"].as_str().and_then(kind),
        completed_actions: texts(&skill["completed_actions"])
            .iter()
            .filter_map(|word| kind(word))
            .collect(),
        // A result that comes with the claim says it itself.
        claimed_passed: skill["validate"]["passed"] == true
            && !found.as_ref().is_some_and(Validation::passed),
        validation: found,
        last_progress_at: moment(&skill["develop"]["last_progress_at"]),
        last_run_at: moment(&skill["validate"]["last_run_at"]),
        errors: errors.filter_map(entry).collect(),
        ..Work::default()
    }
}

fn kind(word: &str) -> Option<Kind> {
    [Kind::Init, Kind::Develop, Kind::Debug, Kind::Validate, Kind::Complete]
        .into_iter()
        .find(|kind| word == kind.action_word() || word == kind.word())
}

fn entry(value: &Value) -> Option<Entry> {
    Some(Entry {
        action: kind(value["action"].as_str()?)?,
        message: value["message"].as_str().unwrap_or_default().to_owned(),
        at: moment(&value["timestamp"]).unwrap_or(At(0)),
    })
}

fn whole(value: &Value) -> u32 {
    value.as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn hypothesis(value: &Value) -> Option<Hypothesis> {
    Some(Hypothesis {
        id: value["id"].as_str()?.to_owned(),
        description: text(&value["description"]),
        testable_condition: text(&value["testable_condition"]),
        logging_point: text(&value["logging_point"]),
        confirm: text(&value["evidence_criteria"]["confirm"]),
        reject: text(&value["evidence_criteria"]["reject"]),
        likelihood: whole(&value["likelihood"]),
        status: match value["status"].as_str() {
            Some("confirmed") => HypothesisStatus::Confirmed,
            Some("rejected") => HypothesisStatus::Rejected,
            Some("inconclusive") => HypothesisStatus::Inconclusive,
            Some(_) | None => HypothesisStatus::Pending,
        },
        evidence: Some(value["evidence"].clone()).filter(|evidence| !evidence.is_null()),
        verdict_reason: value["verdict_reason"].as_str().map(str::to_owned),
        problem: text(&value["ext"]["problem"]),
        round: whole(&value["ext"]["round"]),
    })
}

/// The last run, as far as it was kept. None if nothing of one is there.
fn validation(part: &Value, ext: &Value) -> Option<Validation> {
    let all = part["test_results"].as_array().into_iter().flatten();
    let results: Vec<TestResult> = all.filter_map(result).take(RESULTS_KEPT).collect();
    let counts = counts(&ext["counts"], &results);
    if counts.total == 0 && ext.is_null() {
        return None;
    }
    let failed_tests = texts(&part["failed_tests"]);
    let verdict = ext["verdict"].as_str().and_then(verdict);
    let verdict = verdict.unwrap_or(match (part["passed"] == true, counts.failed, counts.passed) {
        (true, _, _) => Verdict::Passed,
        (false, 0, 0) => Verdict::NoTests,
        (false, _, _) => Verdict::Failed,
    });
    let flag = |name: &str, default: bool| ext[name].as_bool().unwrap_or(default);
    let coverage_tenths = tenths(&part["coverage"]);
    Some(Validation {
        verdict,
        pass_rate_tenths: tenths(&part["pass_rate"]),
        pass_rate_known: flag("pass_rate_known", counts.any_ran()),
        coverage_tenths,
        coverage_available: flag("coverage_available", coverage_tenths > 0),
        truncated: flag("truncated", u64::try_from(results.len()) != Ok(counts.total)),
        counts,
        results,
        failed_tests,
        argv: ext["argv"].as_array().into_iter().flatten().map(texts).collect(),
        digest: text(&ext["digest"]),
        accept_hash: String::new(),
        acceptable: false,
        warnings: Vec::new(),
        red: Vec::new(),
        fresh: false,
        duration_ms: ext["duration_ms"].as_u64().unwrap_or(0),
        at: moment(&part["last_run_at"]).unwrap_or(At(0)),
    })
}

fn verdict(word: &str) -> Option<Verdict> {
    use Verdict::{Accepted, CoverageBelow, DefinitionChanged, Failed, NoTests, Passed, Unparsed};
    [Failed, DefinitionChanged, NoTests, Unparsed, CoverageBelow, Passed, Accepted]
        .into_iter()
        .find(|verdict| verdict.word() == word)
}

fn counts(told: &Value, results: &[TestResult]) -> Counts {
    let number = |name: &str| told[name].as_u64();
    if let (Some(passed), Some(failed), Some(skipped)) =
        (number("passed"), number("failed"), number("skipped"))
    {
        return Counts::of(passed, failed, skipped);
    }
    let mut counts = Counts::default();
    results.iter().for_each(|result| counts.add(result.status));
    counts
}

/// A percentage in tenths.
fn tenths(value: &Value) -> u32 {
    let percent = value.as_f64().unwrap_or(0.0).clamp(0.0, 100.0);
    // The number is at most a thousand.
    format!("{:.0}", percent * 10.0).parse().unwrap_or(0)
}

fn result(value: &Value) -> Option<TestResult> {
    let status = match value["status"].as_str()? {
        "passed" => TestStatus::Passed,
        "failed" => TestStatus::Failed,
        "skipped" => TestStatus::Skipped,
        _ => return None,
    };
    Some(TestResult {
        test_name: value["test_name"].as_str()?.to_owned(),
        suite: text(&value["suite"]),
        status,
        duration_ms: value["duration_ms"].as_u64().unwrap_or(0),
        error_message: value["error_message"].as_str().map(str::to_owned),
        stack_trace: value["stack_trace"].as_str().map(str::to_owned),
    })
}
