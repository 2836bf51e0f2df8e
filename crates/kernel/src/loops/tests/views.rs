//! The document, its order, the task lines, derived numbers and the checks.

use alloc::vec::Vec;

use serde_json::{Value, json};

use super::super::view::{check, derived, document, draw, draw_text, tasks_jsonl};
use super::super::*;
use super::world::*;

/// How to spoil a document, and what is then said of it.
type Fault = (fn(&mut Value), &'static str);

fn finished() -> World {
    let mut world = World::started(Setup { tasks: 2, ..Setup::default() });
    for _ in 0..4 {
        world.good();
    }
    world
}

/// Keys of the top object, in the order of the text.
fn keys(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.strip_prefix("  \"")?.split_once('"').map(|(key, _)| key))
        .collect()
}

#[test]
fn invariant_seed_shape() {
    let mut world = World::made(&Setup::default());
    let text = draw_text(&document(world.life(), 2));
    let created = [
        "loop_id",
        "title",
        "description",
        "max_iterations",
        "status",
        "current_iteration",
        "created_at",
        "updated_at",
        "ext",
    ];
    assert_eq!(keys(&text), created);
    assert!(text.ends_with("}\n"));
    world.ok(start(&Setup::default()));
    let text = draw_text(&document(world.life(), 3));
    let mut running = created.to_vec();
    running.insert(8, "skill_state");
    assert_eq!(keys(&text), running);
    let value: Value = serde_json::from_str(&text).unwrap();
    let skill = &value["skill_state"];
    let mut names: Vec<&str> =
        skill.as_object().unwrap().keys().map(alloc::string::String::as_str).collect();
    names.retain(|name| *name != "ext");
    let mut seed = [
        "current_action",
        "last_action",
        "completed_actions",
        "mode",
        "develop",
        "debug",
        "validate",
        "errors",
    ];
    seed.sort_unstable();
    assert_eq!(names, seed);
    assert_eq!(skill["current_action"], "develop");
    assert_eq!(skill["develop"]["current_task"], "task-001");
    assert_eq!(skill["completed_actions"], json!(["action-init"]));
    assert_eq!(
        value["ext"],
        json!({"rev": 3, "driver": "engine",
        "action": {"n": 2, "leg": "work", "child": null}})
    );
    assert_eq!(value["created_at"], "1970-01-01T00:00:02.000Z");
}

#[test]
fn a_finished_document() {
    let world = finished();
    let value = draw(world.life(), 9);
    assert_eq!(value["status"], "completed");
    assert!(value["completed_at"].is_string() && value.get("failure_reason").is_none());
    assert_eq!(value["skill_state"]["current_action"], "complete");
    assert_eq!(value["skill_state"]["last_action"], "action-complete");
    assert_eq!(value["skill_state"]["validate"]["pass_rate"], 100);
    assert_eq!(value["skill_state"]["develop"]["completed"], 2);
    assert_eq!(value["ext"]["completion"], json!({"how": "validated", "digest": "tree"}));
    let sums = derived(&value);
    assert!(!sums.has_pending_develop && sums.validation_passed && !sums.debug_completed);
    assert!((sums.overall_progress - 75.0).abs() < 1e-9);
    assert!((sums.effective_progress - 100.0).abs() < 1e-9);
}

#[test]
fn a_red_rate_is_one_decimal() {
    let mut world = World::started(Setup::default());
    world.good();
    world.end(red());
    let value = draw(world.life(), 1);
    assert_eq!(value["skill_state"]["validate"]["pass_rate"], 66.6);
    assert_eq!(value["skill_state"]["validate"]["failed_tests"], json!(["fails0"]));
    assert_eq!(value["skill_state"]["ext"]["validate"]["counts"]["failed"], 1);
}

#[test]
fn invariant_ledger_both_lists_hold_the_same_tasks() {
    for (_, state) in samples::sample_states() {
        let Some(life) = state.life() else { continue };
        let text = tasks_jsonl(life);
        assert!(text.is_empty() || text.ends_with('\n'));
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let ids: Vec<&str> = lines.iter().map(|line| line["ext"]["id"].as_str().unwrap()).collect();
        let own: Vec<&str> = life.body.tasks.iter().map(|task| task.id.as_str()).collect();
        assert_eq!(ids, own);
        for (order, line) in lines.iter().enumerate() {
            assert_eq!(line["order"], order);
        }
    }
    let world = World::made(&Setup::default());
    let line = tasks_jsonl(world.life());
    let keys: Vec<usize> = ["task_id", "description", "tool", "mode", "prompt_template", "order"]
        .iter()
        .map(|key| line.find(&alloc::format!("\"{key}\":")).expect(key))
        .collect();
    assert!(keys.is_sorted() && keys[0] == 1, "{line}");
}

#[test]
fn our_own_documents_are_valid() {
    for (name, state) in samples::sample_states() {
        if let Some(life) = state.life() {
            assert_eq!(check(&draw(life, 1)), Vec::<&str>::new(), "{name}");
        }
    }
    assert!(check(&draw(finished().life(), 1)).is_empty());
}

#[test]
fn check_finds_each_fault() {
    let base = draw(finished().life(), 1);
    let cases: [Fault; 12] = [
        (|v| v["loop_id"] = Value::Null, "Missing loop_id"),
        (|v| v["description"] = json!(""), "Missing description"),
        (|v| v["status"] = json!("pending"), "Inconsistent: initialized but status is created"),
        (
            |v| v["skill_state"]["validate"]["passed"] = json!(false),
            "Inconsistent: completed but validation not passed",
        ),
        (
            |v| v["skill_state"]["develop"]["completed"] = json!(1),
            "Inconsistent: completed mismatch",
        ),
        (|v| v["skill_state"]["develop"]["total"] = json!(5), "Inconsistent: total mismatch"),
        (
            |v| v["skill_state"]["debug"]["hypotheses_count"] = json!(1),
            "Inconsistent: hypotheses_count mismatch",
        ),
        (
            |v| v["skill_state"]["debug"]["confirmed_hypothesis"] = json!("H1"),
            "Inconsistent: confirmed_hypothesis",
        ),
        (|v| v["completed_at"] = Value::Null, "Inconsistent: completed_at"),
        (|v| v["failure_reason"] = json!("x"), "Inconsistent: failure_reason"),
        (|v| v["skill_state"]["validate"]["coverage"] = json!(101), "Out of range: coverage"),
        (|v| v["current_iteration"] = json!(11), "Out of range: current_iteration"),
    ];
    for (spoil, expected) in cases {
        let mut value = base.clone();
        spoil(&mut value);
        assert!(check(&value).iter().any(|error| error == expected), "{expected}");
    }
    let old = json!({"session_id": "loop-a", "task_description": "x", "status": "pending",
        "skill_state": null});
    assert!(check(&old).is_empty());
}

#[test]
fn invariant_view_is_fold() {
    let mut world = finished();
    world.ok(Command::Reopen { busy_with: None });
    let mut folded = State::New;
    for (event, at) in world.events.iter().zip(&world.times) {
        evolve(&mut folded, event, *at);
    }
    let folded = folded.life().expect("alive");
    assert_eq!(draw_text(&document(folded, 1)), draw_text(&document(world.life(), 1)));
    assert_eq!(tasks_jsonl(folded), tasks_jsonl(world.life()));
}
