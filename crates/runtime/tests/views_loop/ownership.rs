//! Each field × driver × status.

use kernel::loops::{Change, Command, Driver, PauseHow, TaskPatch};
use loopwright_runtime::views::{Seen, View, Wish};
use serde_json::{Value, json};

use super::world::{ID, World, changes, start};

const COLUMNS: [&str; 9] = [
    "created",
    "engine running",
    "engine paused",
    "external running",
    "external paused",
    "engine failed",
    "engine completed",
    "external failed",
    "external completed",
];

/// What became of an edit: the reasons it was refused for, then what it asked for.
fn fate(seen: &Seen) -> String {
    let mut words: Vec<&str> = seen
        .notices
        .iter()
        .flat_map(|notice| notice.lines.iter().map(|line| line.reason.word()))
        .collect();
    words.extend(seen.wishes.iter().map(|(_, wish)| match wish {
        Wish::StartExternal => "START",
        Wish::Complete => "COMPLETE",
        Wish::Command(command) => command.name(),
    }));
    if words.is_empty() { "-".into() } else { words.join(" ") }
}

type Edit = fn(&mut Value);

/// The row's fields: a name, an edit, and what comes of it in each column.
fn table() -> Vec<(&'static str, Edit, [&'static str; 9])> {
    let skill: [&str; 9] = [
        "conflict",
        "engine_drives",
        "engine_drives",
        "report",
        "report",
        "engine_drives",
        "engine_drives",
        "conflict",
        "conflict",
    ];
    let owned = ["owned"; 9];
    let unborn = |first: &'static str| {
        let mut row = skill;
        row[0] = first;
        row
    };
    let follows = unborn("engine_drives");
    vec![
        ("loop_id", |d| d["loop_id"] = json!("loop-x"), owned),
        ("created_at", |d| d["created_at"] = json!("2020-01-01T00:00:00Z"), owned),
        ("title", |d| d["title"] = json!("Mine"), owned),
        ("description", |d| d["description"] = json!("Mine"), owned),
        ("max_iterations", |d| d["max_iterations"] = json!(99), owned),
        ("failure_reason", |d| d["failure_reason"] = json!("because"), owned),
        ("tags", |d| d["tags"] = json!(["a"]), owned),
        ("priority", |d| d["priority"] = json!("high"), owned),
        ("notes", |d| d["notes"] = json!("n"), owned),
        ("unknown", |d| d["colour"] = json!("red"), ["invalid"; 9]),
        ("ext", |d| d["ext"]["driver"] = json!("me"), ["-"; 9]),
        ("current_iteration", |d| d["current_iteration"] = json!(7), owned),
        ("updated_at", |d| d["updated_at"] = json!("2030-01-01T00:00:00Z"), owned),
        ("completed_at", |d| d["completed_at"] = json!("2030-01-01T00:00:00Z"), owned),
        (
            "status running",
            |d| d["status"] = json!("running"),
            [
                "START", "-", "conflict", "-", "conflict", "conflict", "conflict", "conflict",
                "conflict",
            ],
        ),
        (
            "status completed",
            |d| d["status"] = json!("completed"),
            [
                "owned", "conflict", "conflict", "COMPLETE", "conflict", "conflict", "-",
                "conflict", "-",
            ],
        ),
        (
            "status paused",
            |d| d["status"] = json!("paused"),
            ["owned", "owned", "-", "owned", "-", "conflict", "conflict", "conflict", "conflict"],
        ),
        (
            "status failed",
            |d| d["status"] = json!("failed"),
            ["owned", "owned", "conflict", "owned", "conflict", "-", "conflict", "-", "conflict"],
        ),
        ("status nonsense", |d| d["status"] = json!("dancing"), {
            let mut row = ["conflict"; 9];
            (row[0], row[1], row[3]) = ("invalid", "invalid", "invalid");
            row
        }),
        (
            "new task",
            |d| {
                let new = json!({"id": "mine", "description": "More", "tool": "gemini"});
                list(d, "develop", "tasks").push(new);
            },
            [
                "conflict", "report", "report", "report", "report", "conflict", "conflict",
                "conflict", "conflict",
            ],
        ),
        (
            "pending task",
            |d| task(d, "task-002", "description", json!("Else")),
            [
                "-", "report", "report", "report", "report", "conflict", "conflict", "conflict",
                "conflict",
            ],
        ),
        (
            "new hypothesis",
            |d| {
                let new = json!({"id": "H1", "description": "Null pointer", "likelihood": 1});
                list(d, "debug", "hypotheses").push(new);
            },
            [
                "conflict", "report", "report", "report", "report", "conflict", "conflict",
                "conflict", "conflict",
            ],
        ),
        ("task status", |d| task(d, "task-002", "status", json!("completed")), unborn("-")),
        ("active_bug", |d| d["skill_state"]["debug"]["active_bug"] = json!("It hangs"), follows),
        ("passed", |d| d["skill_state"]["validate"]["passed"] = json!(true), follows),
        ("stamp", |d| stamp(d, "develop", "last_progress_at"), follows),
        ("stamp of debug", |d| stamp(d, "debug", "last_analysis_at"), follows),
        ("stamp of validate", |d| stamp(d, "validate", "last_run_at"), follows),
        ("errors", |d| errors(d), follows),
        ("completed_actions", |d| completed(d), follows),
        ("current_action", |d| d["skill_state"]["current_action"] = json!("debug"), follows),
        ("last_action", |d| d["skill_state"]["last_action"] = json!("action-debug"), follows),
        ("mode", |d| d["skill_state"]["mode"] = json!("interactive"), {
            let mut row = owned;
            row[0] = "engine_drives";
            row
        }),
        ("total", |d| d["skill_state"]["develop"]["total"] = json!(77), follows),
        ("completed", |d| d["skill_state"]["develop"]["completed"] = json!(77), follows),
        ("current_task", |d| d["skill_state"]["develop"]["current_task"] = json!("x"), follows),
        ("hypotheses_count", |d| d["skill_state"]["debug"]["hypotheses_count"] = json!(7), follows),
        (
            "confirmed_hypothesis",
            |d| d["skill_state"]["debug"]["confirmed_hypothesis"] = json!("H9"),
            follows,
        ),
        ("iteration", |d| d["skill_state"]["debug"]["iteration"] = json!(7), follows),
        ("pass_rate", |d| d["skill_state"]["validate"]["pass_rate"] = json!(50), follows),
        ("coverage", |d| d["skill_state"]["validate"]["coverage"] = json!(50), follows),
        ("test_results", |d| d["skill_state"]["validate"]["test_results"] = json!([{}]), follows),
        ("failed_tests", |d| d["skill_state"]["validate"]["failed_tests"] = json!(["t"]), follows),
        ("unknown of the skill", |d| d["skill_state"]["colour"] = json!("red"), ["invalid"; 9]),
    ]
}

fn stamp(document: &mut Value, part: &str, name: &str) {
    document["skill_state"][part][name] = json!("2026-01-22T09:00:00Z");
}

fn errors(document: &mut Value) {
    let entry = json!({"action": "action-develop-with-file", "message": "no luck",
                       "timestamp": "2026-01-22T02:06:00Z"});
    append(&mut document["skill_state"]["errors"], entry);
}

fn completed(document: &mut Value) {
    append(&mut document["skill_state"]["completed_actions"], json!("action-debug-with-file"));
}

fn append(list: &mut Value, entry: Value) {
    if list.is_null() {
        *list = json!([]);
    }
    list.as_array_mut().expect("a list").push(entry);
}

fn list<'a>(document: &'a mut Value, part: &str, name: &str) -> &'a mut Vec<Value> {
    let list = &mut document["skill_state"][part][name];
    if list.is_null() {
        *list = json!([]);
    }
    list.as_array_mut().expect("a list")
}

fn task(document: &mut Value, id: &str, key: &str, value: Value) {
    if let Some(tasks) = document["skill_state"]["develop"]["tasks"].as_array_mut() {
        let task = tasks.iter_mut().find(|task| task["id"] == id).expect("there");
        task[key] = value;
    }
}

#[test]
fn each_field_has_one_owner() {
    let mut wrong = Vec::new();
    for (field, edit, expected) in table() {
        for (column, expected) in COLUMNS.into_iter().zip(expected) {
            let mut world = World::named(column);
            let before = world.state.clone();
            let seen = world.edit(edit);
            let found = fate(&seen);
            if found != expected {
                wrong.push(format!("{field} × {column}: {found}, not {expected}"));
            }
            let refused = !seen.notices.is_empty();
            assert_eq!(world.refused().len(), usize::from(refused), "{field} × {column}");
            assert!(!seen.wishes.is_empty() || world.state == before, "{field} × {column}");
            for (wish, answer) in &world.said {
                assert_eq!(answer, &Ok(()), "{field} × {column}: {wish:?}");
            }
            world.check_drawn();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_notice_names_path_owner_reason_and_next_step() {
    let mut world = World::named("external running");
    let seen = world.edit(|d| {
        d["title"] = json!("Mine");
        d["skill_state"]["debug"]["active_bug"] = json!("It hangs");
    });
    let notice = &seen.notices[0];
    assert_eq!((notice.loop_id.as_str(), notice.code.as_str()), (ID, "loop.owned"));
    assert_eq!(notice.lines.len(), 1, "the rest was taken in");
    assert_eq!(notice.lines[0].path, "title");
    assert_eq!(notice.lines[0].command, format!("loopwright loop edit {ID} --title TEXT"));
    let kept = world.dir.path().join(notice.kept.as_ref().expect("kept"));
    assert!(std::fs::read_to_string(kept).expect("there").contains("Mine"));
    assert_eq!(world.json()["skill_state"]["debug"]["active_bug"], "It hangs");
    assert_eq!(world.json()["title"], "Implement user authentication");
}

#[test]
fn reg_lost_pause() {
    for name in ["external paused", "engine paused"] {
        let mut world = World::named(name);
        world.person(Command::Resume { busy_with: None });
        world.draw();
        let running = world.json();
        world.person(Command::Pause { how: PauseHow::Now });
        world.draw();
        for status in ["running", "completed"] {
            let mut late = running.clone();
            late["status"] = json!(status);
            late["skill_state"]["debug"]["active_bug"] = json!(format!("seen while {status}"));
            world.write(View::Json, late.to_string());
            world.heard(View::Json);
            assert_eq!(world.json()["status"], "paused", "{name} {status}");
        }
        let bug = &world.json()["skill_state"]["debug"]["active_bug"];
        if name == "external paused" {
            assert_eq!(bug, "seen while running", "a late report is kept");
            assert_eq!(world.refused().len(), 1, "two of the same base can't both win");
        }
    }
}

/// What the history tells of the action that ended last.
fn told(world: &World) -> String {
    let life = world.state.life().expect("alive");
    life.body.records.last().expect("an end").summary.clone()
}

#[test]
fn reg_what_a_skill_says_of_its_actions_is_read_by_people() {
    let mut world = World::named("external running");
    world.edit(|d| {
        let validate = &mut d["skill_state"]["validate"];
        validate["pass_rate"] = json!(95.5);
        validate["failed_tests"] = json!(["a", "b"]);
        stamp(d, "validate", "last_run_at");
    });
    assert_eq!(told(&world), "pass_rate 95.5, coverage 0, failed_tests a, b");
    world.edit(|d| {
        d["skill_state"]["develop"]["current_task"] = json!("task-002");
        stamp(d, "develop", "last_progress_at");
    });
    assert_eq!(told(&world), "task-002");
}

#[test]
fn an_outside_skill_works_through_the_file_alone() {
    let mut world = World::created();
    let seen = world.edit(|d| {
        d["status"] = json!("running");
        d["skill_state"] = json!({
            "current_action": "init", "last_action": null, "mode": "interactive",
            "completed_actions": ["action-init"],
            "develop": {"total": 3, "completed": 0, "tasks": [
                {"id": "a", "description": "Third", "tool": "gemini", "mode": "write",
                 "status": "pending", "files_changed": []}]},
            "errors": [],
        });
    });
    assert_eq!(seen.notices, []);
    let words = fate(&seen);
    assert!(words.starts_with("START report"), "{words}");
    let tasks = world.json()["skill_state"]["develop"]["tasks"].clone();
    assert_eq!(tasks.as_array().expect("tasks").len(), 3, "two of the queue and one more");

    let seen = world.edit(|d| {
        task(d, "task-001", "status", json!("completed"));
        task(d, "task-001", "files_changed", json!(["src/a.rs"]));
        let develop = &mut d["skill_state"]["develop"];
        develop["completed"] = json!(1);
        develop["last_progress_at"] = json!("2026-01-22T10:05:00+08:00");
        d["skill_state"]["last_action"] = json!("DEVELOP");
    });
    assert_eq!(fate(&seen), "report report");
    assert_eq!(told(&world), "", "nothing was said of it");
    let now = world.json();
    assert_eq!(now["current_iteration"], 1, "one changed stamp, one action");
    assert_eq!(now["skill_state"]["develop"]["tasks"][0]["files_changed"], json!(["src/a.rs"]));

    let seen = world.edit(|d| {
        let errors = d["skill_state"]["errors"].as_array_mut().expect("a list");
        errors.push(json!({"action": "action-develop-with-file", "message": "no luck",
                           "timestamp": "2026-01-22T02:06:00Z"}));
        d["skill_state"]["develop"]["last_progress_at"] = json!("2026-01-22T02:06:00Z");
        d["skill_state"]["validate"]["passed"] = json!(true);
        d["status"] = json!("completed");
    });
    assert_eq!(seen.notices, []);
    assert_eq!(fate(&seen), "report report COMPLETE");
    let now = world.json();
    assert_eq!(now["skill_state"]["errors"][0]["message"], "no luck");
    assert_ne!(now["status"], "completed", "the engine validates first");
    assert_eq!(now["skill_state"]["current_action"], "validate");
}

#[test]
fn removal_and_order_are_the_drivers() {
    let mut world = World::named("external running");
    let seen = world.edit(|d| {
        let tasks = d["skill_state"]["develop"]["tasks"].as_array_mut().expect("tasks");
        tasks.reverse();
    });
    assert_eq!(fate(&seen), "reorder_tasks");
    assert_eq!(world.json()["skill_state"]["develop"]["tasks"][0]["id"], "task-002");
    let seen = world.edit(|d| {
        d["skill_state"]["develop"]["tasks"].as_array_mut().expect("tasks").remove(0);
    });
    assert_eq!(fate(&seen), "remove_task");
    let mut world = World::named("engine running");
    let seen = world.edit(|d| {
        d["skill_state"]["develop"]["tasks"].as_array_mut().expect("tasks").remove(1);
    });
    assert_eq!(fate(&seen), "engine_drives");
}

#[test]
fn a_verdict_of_a_new_hypothesis_is_about_the_number_it_got() {
    let mut world = World::named("external running");
    let seen = world.edit(|d| {
        d["skill_state"]["debug"]["hypotheses"] = json!([{"id": "mine", "description": "Null",
            "status": "confirmed", "evidence": {"lines": 1}, "verdict_reason": "seen"}]);
    });
    assert_eq!(fate(&seen), "report report");
    let found = matches!(&changes(&seen.wishes[1].1)[0],
        Change::HypothesisFound(found) if found.id == "H1");
    assert!(found);
    assert_eq!(world.json()["skill_state"]["debug"]["confirmed_hypothesis"], "H1");
}

#[test]
fn bases_are_kept_for_sixty_four_revisions() {
    for (back, expected) in [(1, "report"), (63, "report"), (64, "conflict")] {
        let mut world = World::named("external running");
        let old = world.json();
        for n in 0..back {
            let description = Some(format!("Else {n}"));
            let patch = TaskPatch { description, ..TaskPatch::default() };
            world.person(Command::EditTask { task: "task-002".into(), patch });
            world.draw();
        }
        let mut edit = old;
        edit["skill_state"]["debug"]["active_bug"] = json!("It hangs");
        world.write(View::Json, edit.to_string());
        assert_eq!(fate(&world.heard(View::Json)), expected, "{back} back");
    }
}

#[test]
fn a_start_that_a_person_made_first_is_no_second_one() {
    let mut world = World::created();
    let mut edit = world.json();
    edit["status"] = json!("running");
    world.person(start(Driver::Engine));
    world.draw();
    world.write(View::Json, edit.to_string());
    assert_eq!(fate(&world.heard(View::Json)), "-");
    assert_eq!(world.json()["ext"]["driver"], "engine");
}
