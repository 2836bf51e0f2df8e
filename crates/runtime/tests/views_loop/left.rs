//! What is left of a loop whose journal is lost, read back: from comment lines nothing is missing,
//! from headings and lists what a page shows.

use std::path::Path;

use kernel::loops::{Command, Life, State, view};
use kernel::machine::{At, By, Said};
use loopwright_runtime::tasks::Tools;
use loopwright_runtime::views::{self, Beside, View, Why, draw_all};
use loopwright_runtime::words::Lang;
use serde_json::{Value, json};

use super::pages::{life, spoken};
use super::world::{ID, World, place};

/// Puts the files of a loop into a directory, each changed by this; none of it is left out.
fn put(dir: &Path, life: &Life, lang: Lang, change: impl Fn(View, String) -> Option<String>) {
    for (view, bytes) in draw_all(&spoken(life, lang), 9) {
        let text = String::from_utf8(bytes).expect("text");
        let Some(text) = change(view, text) else { continue };
        let path = view.path(dir, ID);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        std::fs::write(path, text).expect("written");
    }
}

/// The document of a loop that was taken in.
fn taken_in(life: &Life, document: &Value) -> Value {
    let tools = Tools { default: "gemini".into(), agents: vec!["gemini".into()] };
    let (id, source, why) = (ID, "here", Why::Rebuilt);
    let beside = Beside { id, source, why, tools: &tools, now: At(1_769_050_000_000) };
    let course = life.body.course().expect("begun").clone();
    let found = views::found(document, beside, course).expect("a loop");
    let command = Command::Import(Box::new(found.import));
    let mut state = State::New;
    let said = Said { by: By::Person, at: At(1_769_050_000_000), command };
    for event in kernel::loops::decide(&state, &said).expect("taken in") {
        kernel::loops::evolve(&mut state, &event, said.at);
    }
    view::draw(state.life().expect("alive"), 1)
}

fn without_comment(view: View, text: String) -> Option<String> {
    match view {
        View::Develop | View::Debug | View::Validate => {
            Some(text.rsplit_once("<!--").expect("a comment").0.to_owned())
        }
        View::Tasks | View::Changes | View::Summary => Some(text),
        View::Json => None,
    }
}

#[test]
fn rebuild_from_comments_is_the_same_skill_state() {
    let life = life();
    let before = view::draw(&life, 9);
    for ends in ["\n", "\r\n"] {
        let dir = place();
        put(dir.path(), &life, Lang::En, |view, text| {
            let text = format!("\u{feff}{}", text.replace('\n', ends));
            (view != View::Json).then_some(text)
        });
        let document = views::left(dir.path(), ID).expect("left");
        let after = taken_in(&life, &document);
        for part in ["develop", "debug", "validate"] {
            assert_eq!(after["skill_state"][part], before["skill_state"][part], "{part}");
        }
        assert_eq!(after["status"], "paused");
        assert_eq!(after["ext"]["pause"]["reason"], "rebuilt");
        for part in ["created_at", "description", "current_iteration"] {
            // The counter of this life was never moved; its pages show what it should be.
            let expected = if part == "current_iteration" { &json!(4) } else { &before[part] };
            assert_eq!(&after[part], expected, "{part}");
        }
        let lacks = views::lacks(&document);
        assert_eq!(lacks.defaulted, ["title", "max_iterations"], "the person is told");
    }
}

#[test]
fn rebuild_from_the_document_is_all_of_it() {
    let life = life();
    let before = view::draw(&life, 9);
    let dir = place();
    put(dir.path(), &life, Lang::En, |view, text| (view == View::Json).then_some(text));
    let document = views::left(dir.path(), ID).expect("left");
    assert_eq!(views::lacks(&document), views::Lacks::default());
    let after = taken_in(&life, &document);
    for part in ["develop", "debug", "validate", "errors", "completed_actions", "last_action"] {
        assert_eq!(after["skill_state"][part], before["skill_state"][part], "{part}");
    }
    assert_eq!(after["skill_state"]["ext"]["validate"]["verdict"], "failed");
    assert_eq!(after["skill_state"]["ext"]["validate"]["fresh"], false, "nothing is believed");
}

#[test]
fn rebuild_from_tables_alone_gives_tasks_verdicts_and_the_last_run() {
    let life = life();
    let before = view::draw(&life, 9)["skill_state"].clone();
    for lang in Lang::ALL {
        for list in [true, false] {
            let dir = place();
            put(dir.path(), &life, lang, |view, text| {
                let lost = view == View::Tasks && !list;
                if lost { None } else { without_comment(view, text) }
            });
            let document = views::left(dir.path(), ID).expect("left");
            let after = taken_in(&life, &document)["skill_state"].clone();
            let told = |skill: &Value| -> Vec<Value> {
                let all = skill["develop"]["tasks"].as_array().expect("tasks");
                let one = |task: &Value| json!([task["id"], task["description"], task["status"]]);
                all.iter().map(one).collect()
            };
            assert_eq!(told(&after), told(&before), "{lang} {list}");
            if !list {
                assert_eq!(after["develop"]["tasks"][0]["files_changed"], json!(["src/a.rs"]));
            }
            let debug = &after["debug"];
            let judged: Vec<Value> = debug["hypotheses"]
                .as_array()
                .expect("hypotheses")
                .iter()
                .map(|one| {
                    json!([
                        one["id"],
                        one["description"],
                        one["logging_point"],
                        one["likelihood"],
                        one["status"],
                        one["evidence"],
                        one["verdict_reason"]
                    ])
                })
                .collect();
            assert_eq!(
                judged,
                [
                    json!(["H1", "Cause 1", "src/a.rs:login:3", 1, "confirmed", { "lines": 2 },
                        "the log says so"]),
                    json!([
                        "H2",
                        "Cause 2",
                        "src/a.rs:login:3",
                        2,
                        "rejected",
                        null,
                        "the log says so"
                    ]),
                ]
            );
            assert_eq!(
                (&debug["confirmed_hypothesis"], &debug["iteration"]),
                (&json!("H1"), &json!(1))
            );
            assert_eq!(debug["active_bug"], before["debug"]["active_bug"]);
            let run = &after["validate"];
            assert_eq!((&run["pass_rate"], &run["passed"]), (&json!(66.6), &json!(false)));
            assert_eq!(run["failed_tests"], json!(["logs_in"]));
            let failed = &run["test_results"][0];
            assert_eq!(
                (&failed["suite"], &failed["error_message"]),
                (&json!("auth"), &json!("assertion failed\n## Validation Decision"))
            );
            let counts = &after["ext"]["validate"]["counts"];
            assert_eq!(counts, &json!({ "total": 3, "passed": 2, "failed": 1, "skipped": 0 }));
        }
    }
}

#[test]
fn nothing_left_is_no_loop() {
    let dir = place();
    assert!(views::left(dir.path(), ID).is_none());
    let world = World::created();
    std::fs::remove_file(world.path(View::Json)).expect("removed");
    let document = views::left(world.dir.path(), ID).expect("its list of tasks");
    assert_eq!(document["skill_state"]["develop"]["tasks"].as_array().map(Vec::len), Some(2));
}

#[test]
fn reg_clock() {
    let of = |created: &str, updated: &str| {
        let document = json!({ "loop_id": ID, "title": "x", "description": "x",
            "max_iterations": 3, "current_iteration": 0, "status": "completed",
            "created_at": created, "updated_at": updated, "completed_at": updated });
        let life = life();
        (views::lacks(&document).raised, taken_in(&life, &document))
    };
    let table = [
        ("2026-01-22T10:00:00+08:00", "2026-01-22T10:00:05+08:00", "2026-01-22T02:00:00.000Z", 0),
        ("2026-01-22T02:00:00Z", "2026-01-22T02:00:05Z", "2026-01-22T02:00:00.000Z", 0),
        // Local time that says it is UTC: it ends before it begins.
        ("2026-01-22T10:00:00Z", "2026-01-22T02:00:05Z", "2026-01-22T10:00:00.000Z", 2),
    ];
    for (created, updated, expected, raised) in table {
        let (lacks, drawn) = of(created, updated);
        assert_eq!(drawn["created_at"], expected, "{created}");
        assert_eq!(lacks.len(), raised, "{created}: {lacks:?}");
        let at = |name: &str| drawn[name].as_str().expect("a moment").to_owned();
        assert!(at("updated_at") >= at("created_at"), "{drawn}");
    }
}

#[test]
fn reg_no_task_is_lost_for_its_number() {
    let task = |id: &str, text: &str| json!({ "id": id, "description": text });
    let document = json!({ "loop_id": ID, "title": "x", "description": "x",
        "status": "running", "skill_state": { "develop": { "tasks": [
            task("task-002", "a"), task("x", "b"), task("task-002", "c"), task("task-002", "a"),
            task("task-003", "d")] } } });
    let after = taken_in(&life(), &document);
    let tasks = after["skill_state"]["develop"]["tasks"].as_array().expect("tasks");
    let told: Vec<String> =
        tasks.iter().map(|task| format!("{} {}", task["id"], task["description"])).collect();
    let expected =
        [r#""task-002" "a""#, r#""task-001" "b""#, r#""task-004" "c""#, r#""task-003" "d""#];
    assert_eq!(told, expected, "only what is there twice is one");
}

#[test]
fn older_words_are_read() {
    let document = json!({ "session_id": ID, "task_description": "Old", "status": "running",
        "initialized": true, "created_at": "2026-01-22T10:00:00+08:00",
        "develop": { "total_count": 1, "completed_count": 0, "tasks": [
            { "id": "task-001", "description": "One", "tool": "ai", "mode": "modify",
              "status": "pending", "on_error": "abort" },
            { "id": "task-002", "description": "Two", "tool": "gemini", "mode": "read",
              "on_error": "stop" }] },
        "validate": { "passed": true, "test_results": [
            { "test_name": "t", "suite": "s", "status": "passed" }] },
        "tags": ["a", "a", " "], "priority": "urgent", "notes": "n" });
    let after = taken_in(&life(), &document);
    let tasks = &after["skill_state"]["develop"]["tasks"];
    let told = |n: usize| {
        let task = &tasks[n];
        format!("{} {} {}", task["tool"], task["mode"], task["ext"]["on_error"])
    };
    assert_eq!(told(0), r#""gemini" "write" "fail_fast""#);
    assert_eq!(told(1), r#""gemini" "analysis" "pause""#);
    assert_eq!(after["skill_state"]["validate"]["passed"], true, "shown");
    assert_eq!(after["skill_state"]["ext"]["validate"]["fresh"], false, "and not believed");
    assert_eq!((&after["tags"], &after["notes"]), (&json!(["a"]), &json!("n")));
    assert!(after.get("priority").is_none());
}
