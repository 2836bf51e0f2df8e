//! What reading commands answer about loops: lists, pages, signals, checks.

use serde_json::{Value, json};

use crate::kit::House;

#[test]
fn a_list_has_pages_and_filters() {
    let house = House::new();
    let empty = house.data(&["loop", "list"]);
    assert_eq!(empty, json!({"loops": [], "total": 0, "limit": 50, "offset": 0, "hasMore": false}));
    let ids: Vec<String> = (0..3).map(|_| house.create(&["true"])).collect();
    let page = house.data(&["loop", "list", "--limit", "2"]);
    assert_eq!((&page["total"], &page["hasMore"]), (&json!(3), &json!(true)));
    let row = &page["loops"][0];
    for name in ["loop_id", "title", "status", "current_iteration", "max_iterations"] {
        assert!(!row[name].is_null(), "{name}: {row}");
    }
    let rest = house.data(&["loop", "list", "--limit", "2", "--offset", "2"]);
    assert_eq!((rest["loops"].as_array().unwrap().len(), &rest["hasMore"]), (1, &json!(false)));
    house.data(&["loop", "stop", &ids[1]]);
    let failed = house.data(&["loop", "list", "--status", "failed"]);
    assert_eq!((&failed["total"], &failed["loops"][0]["loop_id"]), (&json!(1), &json!(ids[1])));
    let newest = house.data(&["loop", "list"]);
    assert_eq!(newest["loops"][0]["loop_id"], json!(ids[1]), "the last changed first");
}

#[test]
fn a_list_knows_whether_there_is_more() {
    let house = House::new();
    let mut made = 0;
    for count in [0, 1, 50, 51] {
        while made < count {
            house.create(&[]);
            made += 1;
        }
        let page = house.data(&["loop", "list"]);
        let shown = page["loops"].as_array().unwrap().len();
        assert_eq!((shown, &page["hasMore"]), (count.min(50), &json!(count > 50)), "{count}");
        assert_eq!(page["total"], json!(count));
    }
}

#[test]
fn stats_are_of_loops_that_ended() {
    let house = House::new();
    let ids: Vec<String> = (0..10).map(|_| house.create(&["true"])).collect();
    for (n, id) in ids.iter().enumerate() {
        if n < 8 {
            house.data(&["loop", "start", id, "--interactive", "--detach"]);
            house.data(&["loop", "complete", id, "--force", "--why", "shown"]);
        } else {
            house.data(&["loop", "stop", id]);
        }
    }
    let stats = house.data(&["loop", "stats"]);
    assert_eq!((&stats["total"], &stats["success_rate"]), (&json!(10), &json!(80.0)), "{stats}");
}

#[test]
fn ids_lead_nowhere_else() {
    let house = House::new();
    let long = format!("loop-{}", "a".repeat(135));
    let ids = ["", "../etc/passwd", "..\\x", "./f", "loop-a/b", "loop-..", &long];
    for id in ids {
        for verb in [&["show"][..], &["rebuild", "--from-progress"], &["delete"]] {
            let args = [&["loop", verb[0], id][..], &verb[1..], &["--json"]].concat();
            let ran = house.run(&args);
            let code = ran.json()["error"]["code"].clone();
            assert_eq!((ran.code, code), (2, json!("loop.invalid_args")), "{id}: {ran:?}");
        }
    }
}

#[test]
fn what_people_note_is_kept_shown_and_cleared() {
    let house = House::new();
    let id = house.create(&["true"]);
    let edit = ["loop", "edit", &id, "--tag", "auth", "--tag", "api", "--priority", "high"];
    house.data(&[&edit[..], &["--notes", "ask Ann"]].concat());
    let shown = house.show(&id);
    assert_eq!((&shown["tags"], &shown["priority"]), (&json!(["auth", "api"]), &json!("high")));
    // What is no status is drawn a moment later.
    let name = format!(".loop/{id}.json");
    let file = || serde_json::from_str::<Value>(&house.read(&name)).unwrap();
    crate::kit::until("the file", || file()["notes"] == "ask Ann");
    assert_eq!(file()["tags"], shown["tags"]);
    let text = house.run(&["loop", "show", &id]).out;
    for part in ["Tags: auth, api", "Priority: high", "Notes: ask Ann"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let wrong = house.run(&["loop", "edit", &id, "--priority", "urgent", "--json"]);
    assert_eq!(wrong.json()["error"]["code"], "loop.invalid_args", "{wrong:?}");
    house.data(&["loop", "edit", &id, "--tag", "", "--priority", "", "--notes", ""]);
    let shown = house.show(&id);
    for name in ["tags", "priority", "notes"] {
        assert!(shown.get(name).is_none(), "{name}: {shown}");
    }
}

#[test]
fn a_foreign_document_is_listed_apart() {
    let house = House::new();
    let id = house.create(&[]);
    house.write(".loop/loop-foreign.json", "{\"loop_id\":\"loop-foreign\"}");
    let foreign = house.data(&["loop", "list", "--foreign"]);
    assert_eq!(foreign["loops"][0]["loop_id"], "loop-foreign");
    assert_eq!((&foreign["total"], &foreign["loops"][0]["status"]), (&json!(1), &json!("foreign")));
    assert_eq!(house.data(&["loop", "list"])["loops"][0]["loop_id"], json!(id));
    let listed = house.run(&["loop", "list"]);
    assert!(
        listed.err.contains("1 loop documents") && listed.err.contains("--foreign"),
        "{listed:?}"
    );
    let config = house.home.join("config/loopwright");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.toml"), "[loop]\nadopt_foreign = \"never\"\n").unwrap();
    assert_eq!(house.run(&["loop", "list"]).err, "", "whoever wants none of it is not told");
}

#[test]
fn reg_a_lost_journal_is_not_silent() {
    let house = House::new();
    house.create(&[]);
    assert_eq!(house.run(&["engine", "stop"]).code, 0);
    std::fs::remove_dir_all(house.work.join(".loop/journal")).unwrap();
    let listed = house.run(&["loop", "list"]);
    assert!(listed.err.contains("--foreign"), "{listed:?}");
}

#[test]
fn reg_a_loop_that_no_engine_drives_says_so() {
    let house = House::new();
    let ran = house.data(&["loop", "run", "x", "--auto", "--detach", "--task", "sh gate.sh one"]);
    let id = ran["loop_id"].as_str().unwrap().to_owned();
    house.until_began("one");
    let shown = house.show(&id);
    assert_eq!((&shown["run_id"], &shown["machine"]), (&json!(id), &json!("loop")));
    assert!(shown["trace_id"].as_str().unwrap().starts_with("trace_"), "{shown}");
    assert_eq!(shown["ext"]["no_engine"], false);
    crate::kit::signal(house.engine_pid(), rustix::process::Signal::KILL);
    let alone = house.run(&["loop", "show", &id]).out;
    assert!(alone.contains(&format!("loopwright loop watch {id}")), "{alone}");
    assert_eq!(house.show(&id)["ext"]["no_engine"], true);
}

#[test]
fn show_is_the_document_with_what_is_derived() {
    let house = House::new();
    let id = house.create(&["touch proof"]);
    let made = house.show(&id);
    assert_eq!(made["skill_state"], Value::Null, "absent until it begins");
    house.data(&["loop", "start", &id, "--auto", "--detach"]);
    house.until_status(&id, "completed");
    let shown = house.show(&id);
    assert_eq!(shown["derived"]["overall_progress"], 75.0);
    assert_eq!(shown["derived"]["effective_progress"], 100.0);
    assert_eq!(shown["skill_state"]["develop"]["completed"], 1);
    let text = house.run(&["loop", "show", &id]).out;
    for part in ["Develop: 1/1 (100%)", "Debug: Not started", "Validate: PASSED", "[x] task-001"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let checked = house.data(&["loop", "check", &id]);
    assert_eq!(checked, json!({"valid": true, "errors": []}));
    house.write("bad.json", "{\"loop_id\":\"loop-x\",\"status\":\"failed\"}");
    let bad = house.run(&["loop", "check", "bad.json", "--json"]);
    assert_eq!((bad.code, &bad.json()["data"]["valid"]), (1, &json!(false)), "{bad:?}");
    house.write("no.json", "[1");
    assert_eq!(house.run(&["loop", "check", "no.json"]).code, 2);
}

#[test]
fn signals_by_row() {
    let house = House::new();
    let check = |id: &str, runner: &[&str], action: &str, reason: &str, code: i32| {
        let args = [&["loop", "signal", id][..], runner].concat();
        let data = house.data(&args);
        let found = (data["action"].as_str(), data["reason"].as_str());
        assert_eq!(found, (Some(action), Some(reason)), "{id} {runner:?}");
        assert_eq!(data["continue"], json!(action == "continue"));
        let ran = house.run(&[&args[..], &["--exit-code"]].concat());
        assert_eq!(ran.code, code, "{id}: {ran:?}");
    };
    check("loop-none", &[], "stop_exit", "state_not_found", 3);
    let id = house.create(&["sh gate.sh one", "touch proof"]);
    check(&id, &[], "stop_exit", "not_started", 3);
    house.data(&["loop", "start", &id, "--auto", "--detach"]);
    house.until_began("one");
    check(&id, &[], "continue", "running", 0);
    check(&id, &["--runner", "me"], "stop_exit", "not_owner", 3);
    house.data(&["loop", "pause", &id]);
    check(&id, &[], "pause_exit", "paused", 4);
    house.write("go", "");
    house.data(&["loop", "stop", &id]);
    check(&id, &[], "stop_exit", "stopped", 3);
    let lent = house.create(&["true"]);
    crate::kit::until("the tree is free", || {
        house.run(&["loop", "start", &lent, "--external", "me"]).code == 0
    });
    check(&lent, &["--runner", "me"], "continue", "running", 0);
    check(&lent, &["--runner", "you"], "stop_exit", "not_owner", 3);
}

/// A skill that asks before every action must not go on because nobody could read its loop.
#[test]
fn reg_what_cannot_be_read_tells_a_skill_to_stop() {
    let house = House::new();
    let id = house.started(&["sh gate.sh one"]);
    house.until_began("one");
    assert_eq!(house.data(&["loop", "signal", &id])["continue"], true);
    house.write("go", "");
    house.until_status(&id, "paused");
    assert_eq!(house.run(&["engine", "stop"]).code, 0);
    house.write(".loop/journal/journal.db", &"no journal at all ".repeat(1000));
    let ran = house.run(&["loop", "signal", &id, "--json"]);
    let signal = &ran.json()["data"];
    assert_eq!((ran.code, &signal["action"]), (0, &json!("stop_exit")), "{ran:?}");
    assert_eq!((&signal["continue"], &signal["reason"]), (&json!(false), &json!("unknown_status")));
    assert!(ran.err.contains("E_JOURNAL"), "people see what is wrong: {ran:?}");
    assert_eq!(house.run(&["loop", "signal", &id, "--exit-code"]).code, 3);
}

#[test]
fn a_completed_loop_tells_a_skill_to_stop() {
    let house = House::new();
    let id = house.started(&["touch proof"]);
    house.until_status(&id, "completed");
    assert_eq!(house.data(&["loop", "signal", &id])["reason"], "completed");
}

#[test]
fn what_loops_have_done_is_told_in_rows_numbers_and_lines() {
    let house = House::new();
    let none = json!({ "created": 0, "running": 0, "paused": 0, "completed": 0, "failed": 0 });
    let stats = house.data(&["loop", "stats"]);
    assert_eq!((&stats["total"], &stats["by_status"]), (&json!(0), &none));
    assert_eq!((&stats["success_rate"], &stats["avg_iterations"]), (&json!(0.0), &json!(0.0)));

    let id = house.started(&["touch proof", "echo hello"]);
    house.until_status(&id, "completed");
    let other = house.create(&["true"]);
    house.data(&["loop", "stop", &other]);
    let history = house.data(&["loop", "history", &id]);
    let rows = history["history"].as_array().unwrap();
    let actions: Vec<_> = rows.iter().map(|row| row["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["init", "develop", "develop", "validate", "complete"]);
    assert!(rows.iter().all(|row| row["result"] == "ok"), "{history}");
    assert_eq!(rows[1]["task_id"], "task-001", "{history}");
    let page = house.data(&["loop", "history", &id, "--limit", "2", "--offset", "4"]);
    assert_eq!((&page["total"], &page["hasMore"]), (&json!(5), &json!(false)));
    let text = house.run(&["loop", "history", &id]);
    assert!(text.out.contains("validate"), "{text:?}");

    let stats = house.data(&["loop", "stats"]);
    assert_eq!((&stats["total"], &stats["success_rate"]), (&json!(2), &json!(50.0)), "{stats}");
    assert_eq!((&stats["active_count"], &stats["avg_iterations"]), (&json!(0), &json!(1.5)));

    let logs = house.data(&["loop", "logs", &id]);
    let line = json!("hello");
    let lines = logs["lines"].as_array().unwrap();
    assert!(lines.iter().any(|l| l["line"] == line && l["step_id"] == "a3/work"), "{logs}");
    // The end may be read before its pages are drawn.
    house.data(&["loop", "rebuild", &id]);
    let summary = house.read(&format!(".loop/{id}.progress/summary.md"));
    for part in ["# Loop Summary", "**Status**: completed", "| Develop | 2/2 |", "- [x] task-001"] {
        assert!(summary.contains(part), "{part} is not in {summary}");
    }
    assert!(!house.has(&format!(".loop/{other}.progress/summary.md")), "it never began");
}
