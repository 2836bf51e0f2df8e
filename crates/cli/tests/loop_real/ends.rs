//! How a followed loop ends, and with which exit code.

use serde_json::json;

use crate::kit::House;

#[test]
fn three_tasks_and_a_check_complete() {
    let house = House::new();
    let args = ["loop", "run", "make it", "--auto", "--json", "--task", "touch a"];
    let args = [&args[..], &["--task", "touch b", "--task", "touch proof"]].concat();
    let ran = house.run(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    let value = ran.json();
    assert_eq!((&value["ok"], &value["result"]), (&json!(true), &json!("completed")));
    let data = &value["data"];
    assert_eq!((&data["status"], &data["current_iteration"]), (&json!("completed"), &json!(4)));
    assert_eq!((&data["title"], &data["description"]), (&json!("make it"), &json!("make it")));
    assert_eq!(data["skill_state"]["validate"]["passed"], true);
    assert_eq!(data["granted"].as_array().unwrap().len(), 4, "three tasks and the check");
    assert!(house.has("a") && house.has("b") && house.has("proof"));
    let id = data["loop_id"].as_str().unwrap();
    assert!(house.has(&format!(".loop/{id}.json")), "the view is drawn");
}

#[test]
fn lines_tell_what_happens() {
    let house = House::new();
    let args = ["loop", "run", "make it", "--auto", "--task", "touch proof", "--lang"];
    for (lang, expected) in [
        (
            "en",
            [
                "This start allows",
                "task   touch proof",
                "check  test -f proof",
                "[1/10] develop",
                "check 1: test -f proof",
                "Validated by its checks.",
            ],
        ),
        (
            "zh-CN",
            [
                "此次启动允许",
                "任务   touch proof",
                "检查   test -f proof",
                "[1/10] 开发",
                "检查 1：test -f proof",
                "已由检查验证。",
            ],
        ),
    ] {
        let ran = house.run(&[&args[..], &[lang]].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        for part in expected {
            assert!(ran.out.contains(part), "{part}: {}", ran.out);
        }
        assert!(!ran.out.contains('\u{1b}'), "no terminal, no escapes: {}", ran.out);
    }
}

#[test]
fn a_failed_task_does_what_it_was_told_to() {
    for (on_error, code, status, pause, after) in [
        ("continue", 4, "paused", json!("stuck"), true),
        ("pause", 4, "paused", json!("task_failed"), false),
        ("fail_fast", 1, "failed", json!(null), false),
    ] {
        let house = House::new();
        let id = house.create(&[]);
        let add = ["loop", "task", "add", &id, "--command", "false", "--on-error", on_error];
        house.data(&add);
        house.data(&["loop", "task", "add", &id, "--command", "touch after"]);
        let ran = house.run(&["loop", "start", &id, "--auto", "--json"]);
        assert_eq!(ran.code, code, "{on_error}: {ran:?}");
        let value = ran.json();
        assert_eq!(value["result"], status, "{on_error}");
        assert_eq!(value["data"]["ext"]["pause"]["reason"], pause, "{on_error}");
        assert_eq!(house.has("after"), after, "{on_error}");
        assert_eq!(value["data"]["failure_reason"].is_string(), status == "failed", "{on_error}");
    }
}

#[test]
fn a_red_validation_stands_still_and_says_why() {
    let house = House::new();
    let ran = house.run(&["loop", "run", "x", "--auto", "--task", "true"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.out.contains("failed, 0 passed, 1 failed"), "{}", ran.out);
    assert!(ran.out.contains("paused") && ran.out.contains("next:"), "{}", ran.out);
    assert!(ran.out.contains("validate: ran"), "that it ran is no success: {}", ran.out);
    assert!(!ran.out.contains("used up"), "nothing was tried: {}", ran.out);
    let id = house.data(&["loop", "list"])["loops"][0]["loop_id"].as_str().unwrap().to_owned();
    assert_eq!(house.show(&id)["ext"]["pause"]["reason"], "stuck");
    // What was missing comes, and the loop goes on.
    house.write("proof", "");
    house.data(&["loop", "resume", &id]);
    house.until_status(&id, "completed");
}

#[test]
fn a_loop_without_a_way_to_break_it_down_is_blocked_and_not_left_running() {
    let house = House::new();
    let ran = house.run(&["loop", "run", "think of something", "--auto", "--json"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    assert_eq!(ran.json()["data"]["ext"]["pause"]["reason"], "blocked");
    let told = house.run(&["loop", "run", "think of something", "--auto"]).out;
    assert!(told.contains("is not configured here") && !told.contains("E001"), "{told}");
}

#[test]
fn reg_a_run_that_proves_nothing_says_why() {
    let house = House::new();
    house.write("moves.sh", "test -e made || echo 1 > made\n");
    let commands = "commands = [{ argv = [\"sh\", \"moves.sh\"], parser = \"exit\" }]";
    house.write("loopwright.toml", &format!("[loop.validate]\n{commands}\n"));
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    let ran = house.run(&["loop", "run", "x", "--auto", "--task", "true"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let told = "the files changed while they were checked";
    assert_eq!(ran.out.matches(told).count(), 1, "once for the run that made a file: {ran:?}");
}

#[test]
fn reg_spawn() {
    let house = House::new();
    house.write("plain.txt", "no program\n");
    for line in ["no-such-program now", "./plain.txt"] {
        let id = house.started(&[line]);
        house.until_status(&id, "paused");
        let shown = house.show(&id);
        let pause = &shown["ext"]["pause"];
        assert_eq!(pause["reason"], "blocked", "{line}: {shown}");
        assert!(pause["code"].is_string(), "{line}: {shown}");
        let skill = &shown["skill_state"];
        assert_eq!(skill["develop"]["tasks"][0]["status"], "pending", "{line}: {shown}");
        assert_eq!(skill["current_action"], serde_json::Value::Null, "{line}: {shown}");
        house.data(&["loop", "stop", &id]);
    }
    // Wherever it is started from, its children stand in the work tree's root.
    std::fs::create_dir(house.work.join("deep")).unwrap();
    house.write("where.sh", "pwd > where\n");
    let id = house.create(&["sh where.sh", "touch proof"]);
    house.run(&["engine", "stop"]);
    let mut command = house.command(&["loop", "start", &id, "--auto"]);
    let ran = command.current_dir(house.work.join("deep")).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    assert_eq!(house.read("where").trim(), house.work.to_str().unwrap());
}

#[test]
fn a_task_whose_agent_is_not_there_stays_pending() {
    let house = House::new();
    house.write("tasks.jsonl", "{\"description\":\"write it\",\"tool\":\"gemini\"}\n");
    let args = ["loop", "run", "x", "--auto", "--tasks", "tasks.jsonl"];
    let ran = house.run(&[&args[..], &["--json"]].concat());
    assert_eq!(ran.code, 4, "{ran:?}");
    let pause = ran.json()["data"]["ext"]["pause"].clone();
    assert_eq!((&pause["reason"], &pause["code"]), (&"blocked".into(), &"E001".into()));
    let id = ran.json()["data"]["loop_id"].as_str().unwrap().to_owned();
    let shown = house.run(&["loop", "show", &id]).out;
    assert!(shown.contains("[ ] task-001  gemini write  write it"), "{shown}");
}

#[test]
fn reg_a_failed_task_shows_what_it_printed() {
    let house = House::new();
    house.write("bad.sh", "echo first\necho the cause >&2\nexit 1\n");
    let ran = house.run(&["loop", "run", "x", "--auto", "--task", "sh bad.sh"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.out.contains("| the cause") && ran.out.contains("call tail call-"), "{}", ran.out);
}

#[test]
fn the_bound_ends_a_loop() {
    let house = House::new();
    let args = ["loop", "run", "x", "--auto", "--max-iterations", "1", "--task", "true", "--json"];
    let ran = house.run(&[&args[..], &["--task", "true"]].concat());
    assert_eq!(ran.code, 1, "{ran:?}");
    let data = &ran.json()["data"];
    assert_eq!(data["ext"]["failure_kind"], "limit");
    let id = data["loop_id"].as_str().unwrap();
    let refused = house.run(&["loop", "retry", id, "--json"]);
    assert_eq!(refused.code, 3);
    assert_eq!(refused.json()["error"]["code"], "loop.iteration_limit");
    house.data(&["loop", "edit", id, "--max-iterations", "9"]);
    house.data(&["loop", "retry", id]);
    house.until_status(id, "paused");
}

#[test]
fn files_of_ours_are_for_their_owner_alone() {
    let house = House::new();
    let args = ["loop", "run", "make it", "--auto", "--json", "--task", "touch proof"];
    assert_eq!(house.run(&args).code, 0);
    let mut rooms = vec![house.work.join(".loop")];
    while let Some(room) = rooms.pop() {
        for entry in std::fs::read_dir(&room).unwrap() {
            let entry = entry.unwrap();
            let meta = entry.metadata().unwrap();
            // What is below git's own directory has the modes that git gives.
            let foreign = entry.file_name() == "checkpoints.git";
            if meta.is_dir() && !foreign {
                rooms.push(entry.path());
            }
            let open = std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o077;
            assert!(open == 0 || !(meta.is_dir() || meta.is_file()), "{:?}", entry.path());
        }
    }
}
