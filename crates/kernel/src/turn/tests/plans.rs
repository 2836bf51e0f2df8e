//! Plans as others write them, what makes them valid, and how they may be changed.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::super::*;
use crate::machine::At;

const AGENTS: &[&str] = &["codex"];

fn agents() -> Vec<String> {
    AGENTS.iter().map(ToString::to_string).collect()
}

/// Three steps in a row that agents do, and one check.
pub fn drafted() -> Value {
    json!({
        "type": "FullPlan",
        "goal": "Add --json to list",
        "constraints": ["no public API change"],
        "steps": [
            { "step_id": "s1", "title": "Write", "intent": "why", "runner": "agent" },
            { "id": "1.1", "description": "Document", "dependencies": ["s1"], "agent": "codex" },
            { "step_id": "1.10", "title": "Read", "depends_on": ["s1"], "tool_calls": [
                { "name": "read_file", "args_hint": { "path": "a" } }] },
        ],
        "verification": { "mode": "test", "commands": ["cargo test"], "required": true,
            "stop_on_fail": true },
    })
}

fn made(value: &Value, detected: &[Detected]) -> Result<Plan, Wrong> {
    made_of(value, detected, Source::Planner)
}

fn made_of(value: &Value, detected: &[Detected], source: Source) -> Result<Plan, Wrong> {
    let Answer::Full(drafted) = read_answer(value).map_err(|flaw| flaw.what)? else {
        panic!("{value}")
    };
    let plan = drafted.make(&Made {
        plan_id: "plan-1".to_string(),
        at: At(1_000),
        source,
        request: "add it",
        constraints: &["keep the tests".to_string()],
        given: None,
        detected,
        on_failure: OnFailure::Stop,
    });
    let agents = agents();
    let ground = Ground { steps_max: PLAN_STEPS_MAX, agents: &agents, bad_args: &[] };
    valid_plan(&plan, ground).map(|()| plan).map_err(|flaw| flaw.what)
}

#[test]
fn aliases_are_read_and_ours_is_set() {
    let plan = made(&drafted(), &[]).unwrap();
    let ids: Vec<&str> = plan.steps.iter().map(|step| step.step_id.as_str()).collect();
    assert_eq!(ids, ["s1", "1.1", "1.10"]);
    assert_eq!(plan.constraints, ["keep the tests", "no public API change"]);
    assert_eq!((plan.version, plan.created_at), (1, Stamp(At(1_000))));
    let runners: Vec<Runner> = plan.steps.iter().map(|step| step.runner).collect();
    assert_eq!(runners, [Runner::Agent, Runner::Agent, Runner::Tools]);
    assert!(plan.steps.iter().all(|step| step.status == Status::Pending));
}

#[test]
fn what_makes_a_plan_invalid() {
    let set = |pointer: &str, value: Value| {
        let mut plan = drafted();
        *plan.pointer_mut(pointer).expect("a field") = value;
        plan
    };
    let thirteen: Vec<Value> = (0..13).map(|n| json!({ "title": n.to_string() })).collect();
    let table = [
        (
            "unknown tool",
            set("/steps/2/tool_calls/0/name", json!("format_disk")),
            Wrong::UnknownTool,
        ),
        (
            "cycle",
            set("/steps/0", json!({ "step_id": "s1", "title": "x", "depends_on": ["1.1"] })),
            Wrong::Cycle,
        ),
        ("itself", set("/steps/1/dependencies", json!(["1.1"])), Wrong::Cycle),
        (
            "missing dependency",
            set("/steps/1/dependencies", json!(["1.2"])),
            Wrong::UnknownDependency,
        ),
        ("duplicate id", set("/steps/2/step_id", json!("1.1")), Wrong::DuplicateId),
        ("bad id", set("/steps/0/step_id", json!("a b")), Wrong::BadId),
        ("empty", set("/steps", json!([])), Wrong::NoSteps),
        ("13th step", set("/steps", json!(thirteen)), Wrong::TooManySteps),
        ("unknown agent", set("/steps/1/agent", json!("nobody")), Wrong::NoAgent),
        ("no call", set("/steps/0/runner", json!("tools")), Wrong::NoCall),
        (
            "operator",
            set("/verification/commands/0", json!("npm test; rm -rf /")),
            Wrong::BadCommand,
        ),
        ("operator", set("/verification/commands/0", json!("pytest && curl x")), Wrong::BadCommand),
        ("required, none", set("/verification/commands", json!([])), Wrong::NoCommand),
        ("unknown field", set("/goal", json!({})), Wrong::Schema),
        ("type", set("/type", json!("Poem")), Wrong::Schema),
    ];
    for (name, plan, wrong) in table {
        assert_eq!(made(&plan, &[]), Err(wrong), "{name}");
    }
    assert!(made(&set("/verification/commands/0", json!("npm run lint")), &[]).is_ok());
}

/// A planner called its own step done; nothing ran, nobody was asked, and the turn was completed.
#[test]
fn reg_a_planners_word_skips_no_step() {
    let skip = |reason| Some((Status::Skipped, Some(reason)));
    let table = [
        (json!({ "status": "done" }), skip(SkipReason::AlreadyDone)),
        (json!({ "status": "completed" }), skip(SkipReason::AlreadyDone)),
        (json!({ "status": "skipped" }), skip(SkipReason::Person)),
        (
            json!({ "status": "skipped", "skip_reason": "already_done" }),
            skip(SkipReason::AlreadyDone),
        ),
        (json!({ "status": "skipped", "skip_reason": "dependency" }), None),
        (json!({ "status": "in_progress", "attempt": 4 }), None),
    ];
    for (said, of_a_file) in table {
        let mut plan = drafted();
        plan["steps"][2].as_object_mut().unwrap().extend(said.as_object().unwrap().clone());
        let stands = |source| {
            let plan = made_of(&plan, &[], source).unwrap();
            (plan.steps[2].status, plan.steps[2].skip_reason)
        };
        let pending = (Status::Pending, None);
        assert_eq!(stands(Source::Planner), pending, "{said}");
        assert_eq!(stands(Source::Direct), pending, "{said}");
        assert_eq!(stands(Source::File), of_a_file.unwrap_or(pending), "{said}");
    }
}

#[test]
fn checks_are_given_planned_detected_or_none() {
    let mut plan = drafted();
    plan.as_object_mut().unwrap().remove("verification");
    assert_eq!(made(&plan, &[]).unwrap().verification, VerificationPolicy::none());
    let detected = |mode, command: &str| Detected { mode, command: command.to_string() };
    let found =
        [detected(VerifyMode::Build, "cargo check"), detected(VerifyMode::Test, "cargo test")];
    let policy = made(&plan, &found).unwrap().verification;
    assert!(policy.required && policy.stop_on_fail);
    assert_eq!(policy.commands, ["cargo check", "cargo test"]);
    plan["verification"] =
        json!({ "mode": "build", "commands": [], "required": true, "stop_on_fail": false });
    assert_eq!(made(&plan, &found).unwrap().verification.commands, ["cargo check"]);
}

fn patch(value: Value) -> Result<PlanPatch, Wrong> {
    let mut value = value;
    value["type"] = json!("PlanPatch");
    match read_answer(&value).map_err(|flaw| flaw.what)? {
        Answer::Patch(patch) => Ok(patch),
        Answer::Full(_) | Answer::Questions(_) | Answer::Carried(_) => panic!("{value}"),
    }
}

#[test]
fn what_makes_a_patch_invalid() {
    let mut plan = made(&drafted(), &[]).unwrap();
    plan.steps[0].status = Status::Done;
    plan.steps[1].status = Status::InProgress;
    let step = |id: &str| json!({ "step_id": id, "title": id, "intent": "x", "runner": "agent" });
    let many: Vec<Value> = (0..10).map(|n| step(&n.to_string())).collect();
    let table = [
        ("done step", json!({ "remove_steps": ["s1"] }), Err(Wrong::DoneStep)),
        (
            "in progress",
            json!({ "update_steps": [{ "step_id": "1.1" }] }),
            Err(Wrong::StepInProgress),
        ),
        (
            "two lists",
            json!({ "remove_steps": ["1.10"], "update_steps": [{ "step_id": "1.10" }] }),
            Err(Wrong::TwoLists),
        ),
        (
            "twice",
            json!({ "remove_steps": ["1.10"], "add_steps": [step("1.10")] }),
            Err(Wrong::TwoLists),
        ),
        ("empty", json!({ "title": "x" }), Err(Wrong::EmptyPatch)),
        (
            "cycle",
            json!({ "update_steps": [{ "step_id": "1.10", "depends_on": ["1.10"] }] }),
            Err(Wrong::Cycle),
        ),
        ("unknown field", json!({ "drop_steps": ["1.10"] }), Err(Wrong::Schema)),
        ("unknown step", json!({ "remove_steps": ["1.1.0"] }), Err(Wrong::UnknownStep)),
        ("13th step", json!({ "add_steps": many }), Err(Wrong::TooManySteps)),
        ("old version", json!({ "remove_steps": ["1.10"], "version": 7 }), Err(Wrong::OldVersion)),
        (
            "good",
            json!({ "remove_steps": ["1.10"], "add_steps": [step("s4")] }),
            Ok(vec!["s1", "1.1", "s4"]),
        ),
    ];
    let agents = agents();
    let ground = Ground { steps_max: PLAN_STEPS_MAX, agents: &agents, bad_args: &[] };
    for (name, value, expected) in table {
        let found = patch(value)
            .and_then(|patch| apply_patch(&plan, &patch, ground).map_err(|flaw| flaw.what));
        if let Ok(next) = &found {
            assert_eq!(next.version, 2);
        }
        let ids = found
            .as_ref()
            .map(|plan| plan.steps.iter().map(|step| step.step_id.as_str()).collect::<Vec<_>>());
        assert_eq!(ids.map_err(|wrong| *wrong), expected, "{name}");
    }
}

#[test]
fn invariant_a_full_plan_keeps_what_is_done() {
    let mut old = made(&drafted(), &[]).unwrap();
    old.steps[0].status = Status::Done;
    let mut value = drafted();
    value["steps"] = json!([{ "step_id": "n1", "title": "New", "depends_on": ["s1"] }]);
    let Answer::Full(drafted) = read_answer(&value).unwrap() else { panic!() };
    let new = drafted.make(&Made {
        plan_id: "other".to_string(),
        at: At(9),
        source: Source::Planner,
        request: "",
        constraints: &[],
        given: None,
        detected: &[],
        on_failure: OnFailure::Stop,
    });
    let agents = agents();
    let ground = Ground { steps_max: PLAN_STEPS_MAX, agents: &agents, bad_args: &[] };
    let next = replace_plan(&old, &new, ground).unwrap();
    let steps: Vec<(&str, Status)> =
        next.steps.iter().map(|step| (step.step_id.as_str(), step.status)).collect();
    assert_eq!(steps, [("s1", Status::Done), ("n1", Status::Pending)]);
    assert_eq!((next.plan_id.as_str(), next.version), ("plan-1", 2));
}

#[test]
fn invariant_an_approval_is_of_what_would_be_done() {
    let plan = made(&drafted(), &[]).unwrap();
    let hash = |plan: &Plan| subject::plan(plan, &Reach::default());
    let first = hash(&plan);
    let same: [fn(&mut Plan); 4] = [
        |plan| plan.steps[0].status = Status::Done,
        |plan| plan.steps[0].attempt = 3,
        |plan| plan.created_at = Stamp(At(9)),
        |plan| plan.steps[0].evidence = Some(StepEvidence::default()),
    ];
    let other: [fn(&mut Plan); 5] = [
        |plan| plan.steps[0].intent.push('x'),
        |plan| plan.version += 1,
        |plan| plan.verification.commands.push("true".to_string()),
        |plan| plan.steps[2].tool_calls[0].args_hint = serde_json::Map::new(),
        |plan| drop(plan.steps.pop()),
    ];
    let changed = |change: fn(&mut Plan)| {
        let mut plan = plan.clone();
        change(&mut plan);
        hash(&plan)
    };
    assert!(same.into_iter().all(|change| changed(change) == first));
    assert!(other.into_iter().all(|change| changed(change) != first));
    let reach = Reach { paths: vec!["src/**".to_string()], ..Reach::default() };
    assert_ne!(subject::plan(&plan, &reach), first);
}

#[test]
fn ready_steps_in_order() {
    let mut plan = made(&drafted(), &[]).unwrap();
    assert_eq!(plan.ready().unwrap().step_id, "s1");
    plan.steps[0].status = Status::Done;
    assert_eq!(plan.ready().unwrap().step_id, "1.1");
    plan.steps[1].status = Status::Blocked;
    assert_eq!(plan.ready().unwrap().step_id, "1.10");
    plan.steps[0].status = Status::Blocked;
    plan.steps[1].status = Status::Pending;
    assert_eq!(plan.ready(), None);
    assert_eq!(plan.dependants("s1"), ["1.1", "1.10"]);
    plan.steps.iter_mut().for_each(|step| step.depends_on.clear());
    assert_eq!(plan.needs(&plan.steps[2]), ["1.1"], "each waits for the one before it");
}

#[test]
fn invariant_json_roundtrip() {
    let mut plan = made(&drafted(), &[]).unwrap();
    plan.steps[0].evidence = Some(StepEvidence::default());
    plan.steps[0].skip_reason = Some(SkipReason::AlreadyDone);
    let text = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
    let file = read_file(&serde_json::to_value(made(&drafted(), &[]).unwrap()).unwrap());
    assert_eq!(file.map(|drafted| drafted.steps.len()).map_err(|flaw| flaw.found), Ok(3));
    let intake = json!({ "intent": "coding_task", "confidence": 0.8, "permissions": ["fs.write"],
        "risk_level": "medium", "constraints": [], "missing": [], "by": "rules" });
    let read: IntakeReport = serde_json::from_value(intake.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), intake);
    let decision = json!({ "decision": "REQUIRE_CONFIRMATION", "scope": "single_action" });
    let read: PolicyDecision = serde_json::from_value(decision.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), decision);
    let audit = json!({ "timestamp": "2026-11-15T18:14:09.000Z", "trace_id": "trace_5b1e",
        "session_id": "s-01J", "event": "step_done", "plan_id": "plan-01J", "tool_call_id": null,
        "data": { "step_id": "s1", "attempt": 1 }, "seq": 41, "run_id": "turn-01JC" });
    let read: AuditLogEntry = serde_json::from_value(audit.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), audit);
    let pack = ContextPack::default();
    let text = serde_json::to_string(&pack).unwrap();
    assert_eq!(serde_json::from_str::<ContextPack>(&text).unwrap(), pack);
}
