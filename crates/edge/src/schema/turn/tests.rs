//! Values that the kernel's own models write fit their schemas, and what nobody wrote does not.

use kernel::machine::At;
use kernel::turn::samples::sample_states;
use kernel::turn::{
    CheckResult, CheckVerdict, CodeSnippet, Confidence, ContextPack, Decision, Event, Failure,
    FailureKind, HitSource, IntakeReport, Intent, Permission, Plan, PlanPatch, PolicyDecision,
    RetrievalHit, Risk, Seen, State, Tests, audit, summed,
};
use runtime::agents::schema::Schema;
use runtime::words::Lang;
use serde_json::{Value, json};

use super::super::list::{all, named, names};

fn issues(name: &str, value: &Value) -> usize {
    let schema = named(name).unwrap_or_else(|| panic!("{name} is in the list"));
    let schema = Schema::read(&schema.to_string()).unwrap_or_else(|why| panic!("{name}: {why}"));
    schema.issues(value, 64 << 10).len()
}

fn sample(name: &str) -> State {
    sample_states().into_iter().find(|(one, _)| *one == name).unwrap().1
}

fn plan() -> Plan {
    sample("summarizing").life().unwrap().body.work.clone().unwrap().plan
}

fn result() -> CheckResult {
    CheckResult {
        command: "cargo test".into(),
        exit_code: Some(101),
        verdict: CheckVerdict::Fail,
        timed_out: false,
        summary: "1 failed".into(),
        tests: Some(Tests { passed: 3, failed: 1, skipped: 0 }),
        errors: Vec::new(),
        suggestion: None,
        digest: "d".into(),
        definition_hash: None,
    }
}

fn pack() -> ContextPack {
    let hit = RetrievalHit {
        source: HitSource::Grep,
        path: "src/list.rs".into(),
        score: 0.5,
        summary: "s".into(),
        start_line: Some(3),
        end_line: None,
    };
    let content = String::from("fn main() {}");
    let snippet = CodeSnippet { path: "a".into(), start_line: 1, end_line: 1, content };
    ContextPack {
        retrieval_hits: vec![hit],
        code_snippets: vec![snippet],
        ..ContextPack::default()
    }
}

fn examples() -> Vec<(&'static str, Value)> {
    let state = sample("summarizing");
    let event = Event::CallDenied { name: "write".into(), rule: "paths".into() };
    let intake = IntakeReport {
        intent: Intent::CodingTask,
        confidence: Confidence(80),
        permissions: vec![Permission::FsWrite],
        risk_level: Risk::Medium,
        constraints: Vec::new(),
        missing: Vec::new(),
        by: "rules".into(),
    };
    let failure = Failure {
        kind: FailureKind::Tool,
        code: "E_IO".into(),
        detail: String::new(),
        signature: "s".into(),
        step_id: Some("s1".into()),
        call_id: None,
        tool: None,
        errors: Vec::new(),
    };
    let decision = PolicyDecision {
        decision: Decision::RequireConfirmation,
        reason: None,
        scope: None,
        rule: Some("r".into()),
    };
    let patch: PlanPatch =
        serde_json::from_value(json!({ "add_steps": [{ "title": "t" }], "version": 2 })).unwrap();
    let evidence = plan().steps[0].evidence.clone().unwrap();
    vec![
        ("audit-log-entry", json!(audit(&state, &event, 4, At(1_000)))),
        ("artifact", json!({ "type": "file", "value": "src/list.rs" })),
        ("check-result", json!(result())),
        ("code-snippet", json!(pack().code_snippets[0])),
        ("context-pack", json!(pack())),
        ("failure", json!(failure)),
        ("intake-report", json!(intake)),
        ("plan", json!(plan())),
        ("plan-patch", json!(patch)),
        ("planner-answer", json!({ "type": "Questions", "questions": [{ "text": "Which?" }] })),
        ("policy-decision", json!(decision)),
        ("retrieval-hit", json!(pack().retrieval_hits[0])),
        ("step", json!(plan().steps[0])),
        ("step-control", json!({ "control": "step_done" })),
        ("token-budget", json!(pack().token_budget)),
        ("verification-policy", json!(plan().verification)),
        ("step-evidence", json!(evidence)),
        ("turn-form", json!(runtime::turns::Form::default())),
        ("summary", json!(summed(state.life().unwrap(), &Seen::default()))),
        (
            "verification",
            json!({
                "policy": plan().verification, "verified": "failed",
                "rounds": [{ "round": 0, "results": [result()] }],
            }),
        ),
    ]
}

#[test]
fn invariant_models_fit_their_schemas() {
    for (name, value) in examples() {
        assert_eq!(issues(name, &value), 0, "{name}: {value}");
        let mut more = value.clone();
        more["nobody_wrote_this"] = json!(1);
        assert_ne!(issues(name, &more), 0, "{name}: unknown fields are refused");
    }
}

/// A turn with the facts that every run has.
fn shown(state: &State) -> Value {
    let mut view = runtime::query::turn_view("turn-sample", state, Lang::En);
    let facts = json!({
        "run_id": "turn-sample", "machine": "turn", "parent": null, "seq": 3,
        "created_at": "2026-11-15T18:14:09Z", "updated_at": "2026-11-15T18:14:09Z",
        "trace_id": "trace_5b", "ended": state.ended(),
    });
    view.as_object_mut().unwrap().extend(facts.as_object().unwrap().clone());
    view
}

#[test]
fn a_turn_fits_its_schema_in_every_state() {
    for (name, state) in sample_states() {
        if state.life().is_some() {
            assert_eq!(issues("turn", &shown(&state)), 0, "{name}: {}", shown(&state));
        }
    }
}

#[test]
fn calls_fit_their_schemas_in_every_state() {
    let mut results = 0;
    for (name, state) in kernel::call::samples::sample_states() {
        let Some(facts) = state.facts() else { continue };
        let asked = runtime::query::asked_for("call-1", "trace_1", facts);
        assert_eq!(issues("tool-call-request", &asked), 0, "{name}: {asked}");
        let shown = runtime::query::call_view("call-1", &state)["result"].clone();
        let told = [Some(shown).filter(Value::is_object), runtime::query::brief("call-1", &state)];
        for result in told.into_iter().flatten() {
            results += 1;
            assert_eq!(issues("tool-call-result", &result), 0, "{name}: {result}");
        }
    }
    assert!(results > 4, "only {results}");
}

#[test]
fn what_does_not_fit_is_noticed() {
    assert_eq!(issues("tool-call-template", &json!({ "name": "read" })), 0);
    assert_ne!(issues("tool-call-template", &json!({ "tool": "read" })), 0);
    let mut wrong = json!(plan());
    wrong["steps"][0]["runner"] = json!("robot");
    assert_ne!(issues("plan", &wrong), 0);
    wrong = json!(plan());
    wrong["steps"] = json!([]);
    assert_ne!(issues("plan", &wrong), 0);
    wrong = json!(plan());
    wrong["steps"][0]["step_id"] = json!("a b");
    assert_ne!(issues("plan", &wrong), 0);
}

#[test]
fn names_are_sorted_and_found_however_they_are_written() {
    let all: Vec<&str> = all().into_iter().map(|(name, _)| name).collect();
    assert!(all.is_sorted() && all.iter().copied().eq(names()));
    for name in ["plan-patch", "PlanPatch", "plan_patch", "PLANPATCH"] {
        assert_eq!(named(name).unwrap()["title"], "PlanPatch", "{name}");
    }
    assert_eq!(named("plans"), None);
}
