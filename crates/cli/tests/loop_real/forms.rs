//! Tasks and arguments as people write them: files with broken lines, verbs and flags that do not
//! exist, ids that fit nothing.

use serde_json::json;

use crate::kit::House;

#[test]
fn a_broken_line_is_named_and_the_rest_runs() {
    let house = House::new();
    let text = "{\"description\":\"a\",\"command\":\"touch a\"}\n{oops\n\n\
                {\"description\":\"p\",\"command\":\"touch proof\"}";
    house.write("tasks.jsonl", text);
    let args = ["loop", "run", "x", "--auto", "--tasks", "tasks.jsonl", "--json"];
    let ran = house.run(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("warning[E_INVALID_ARGS]: tasks.jsonl, line 2"), "{}", ran.err);
    assert!(house.has("a") && house.has("proof"));
    assert_eq!(house.read("tasks.jsonl"), text, "the file is kept as it is");
    house.write("odd.jsonl", "{\"description\":\"o\",\"command\":\"true\",\"frob\":1}");
    let odd = house.run(&["loop", "create", "--title", "x", "--tasks", "odd.jsonl"]);
    assert_eq!(odd.code, 0, "{odd:?}");
    assert!(odd.err.contains("odd.jsonl, line 1: frob"), "{}", odd.err);
    house.write("empty.jsonl", "{oops\n");
    let total = house.data(&["loop", "list"])["total"].clone();
    let empty = house.run(&["loop", "run", "x", "--tasks", "empty.jsonl"]);
    assert_eq!(empty.code, 2, "{empty:?}");
    assert!(empty.err.contains("no line of empty.jsonl is a task"), "{}", empty.err);
    assert_eq!(house.data(&["loop", "list"])["total"], total, "nothing was made");
    let none = house.run(&["loop", "run", "x", "--tasks", "none.jsonl", "--json"]);
    assert_eq!((none.code, &none.json()["error"]["code"]), (1, &json!("E_IO")), "{none:?}");
}

#[test]
fn what_is_not_there_is_a_usage_error() {
    let house = House::new();
    let id = house.create(&["true"]);
    for (args, part) in [
        (vec!["loop", "run"], "Missing loopId or task"),
        (vec!["loop", "run", &id], "--loop-id"),
        (vec!["loop", "run", &id[..id.len() - 2]], "--loop-id"),
        (vec!["loop", "report", &id], "--runner"),
        (vec!["loop", "history", "loop-none"], "loop-none"),
        (vec!["loop", "strat", &id], "start"),
        (vec!["loop", "start", &id, "--atuo"], "--auto"),
        (vec!["loop", "start", &id, "--auto", "--interactive"], "--interactive"),
        (vec!["loop", "mode", &id, "fast"], "interactive"),
        (vec!["loop", "list", "--status", "runing"], "running"),
        (vec!["loop", "list", "--limit", "0"], "--limit"),
        (vec!["loop", "edit", &id], "--title"),
        (vec!["loop", "show", "loop-none"], "loop-none"),
        (vec!["loop", "show", "../etc/passwd"], "loop_id: expected loop-"),
        (vec!["loop", "task", "add", &id], "TEXT"),
        (vec!["call", "settle", "x", "maybe", "--note", "n"], "happened"),
        (vec!["watch", "loop-none"], "loop-none"),
    ] {
        let ran = house.run(&args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
        assert!(ran.err.contains(part), "{args:?}: {}", ran.err);
        assert!(ran.err.contains("next:"), "{args:?}: {}", ran.err);
    }
    assert_eq!(house.status(&id), "created");
    assert_eq!(house.data(&["loop", "list"])["total"], 1, "no loop was made of a name");
}

#[test]
fn a_bad_part_leaves_nothing_made() {
    let house = House::new();
    for args in [
        ["loop", "create", "--title", "x", "--task", "echo 'open"],
        ["loop", "create", "--title", "", "--task", "true"],
        ["loop", "create", "--title", "x", "--max-iterations", "0"],
    ] {
        let ran = house.run(&args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
    }
    assert_eq!(house.data(&["loop", "list"])["total"], 0);
}

#[test]
fn tasks_are_added_changed_ordered_and_removed() {
    let house = House::new();
    let id = house.create(&["true", "false"]);
    let short = &id[..id.len() - 2];
    house.data(&["loop", "task", "add", short, "say it", "--command", "echo hi", "--first"]);
    let order = |data: &serde_json::Value| -> Vec<String> {
        let all = data["tasks"].as_array().unwrap().iter();
        all.map(|task| task["ext"]["id"].as_str().unwrap().to_owned()).collect()
    };
    let list = house.data(&["loop", "task", "list", &id]);
    assert_eq!(order(&list), ["task-003", "task-001", "task-002"]);
    let list = house.data(&["loop", "task", "reorder", &id, "task-002"]);
    assert_eq!(order(&list), ["task-002", "task-003", "task-001"]);
    let list = house.data(&["loop", "task", "edit", &id, "task-002", "--command", "true"]);
    assert_eq!(list["tasks"][0]["command"], "true");
    let list = house.data(&["loop", "task", "rm", &id, "task-003"]);
    assert_eq!((order(&list).len(), &list["total"]), (2, &json!(2)));
    let gone = house.run(&["loop", "task", "rm", &id, "task-003", "--json"]);
    assert_eq!(gone.json()["error"]["code"], "loop.no_such", "{gone:?}");
}

#[test]
fn a_beginning_that_fits_several_names_them() {
    let house = House::new();
    let (one, two) = (house.create(&[]), house.create(&[]));
    let ran = house.run(&["loop", "show", "loop-v2-"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains(&one) || ran.err.contains(&two), "{}", ran.err);
    let gone = house.data(&["loop", "delete", &one]);
    assert_eq!((&gone["loop_id"], &gone["deleted"]), (&json!(one), &json!(true)));
    for end in ["json", "tasks.jsonl", "progress"] {
        assert!(!house.has(&format!(".loop/{one}.{end}")), "{end}: deleted with its files");
    }
    assert_eq!(house.run(&["loop", "show", &one]).code, 2);
    assert_eq!(house.data(&["loop", "list"])["total"], 1);
    assert_eq!(house.run(&["loop", "start", &one, "--auto"]).code, 2);
}

#[test]
fn refusals_name_the_field_and_no_false_state() {
    let house = House::new();
    let id = house.create(&["touch proof"]);
    let table: [(&[&str], &str, &str); 5] = [
        (&["loop", "create", "--title", "", "--task", "true"], "loop.invalid_args", "title"),
        (&["loop", "edit", &id, "--max-iterations", "0"], "loop.invalid_args", "max_iterations"),
        (
            &["loop", "task", "edit", &id, "task-001", "--tool", "nobody"],
            "loop.invalid_args",
            "tool",
        ),
        (&["loop", "task", "rm", &id, "task-9"], "loop.no_such", "no task is named task-9"),
        (&["loop", "retry", &id], "loop.not_now", "allowed: "),
    ];
    for (args, code, part) in table {
        let ran = house.run(args);
        assert!(ran.err.contains(&format!("[{code}]")), "{args:?}: {ran:?}");
        assert!(ran.err.contains(part), "{args:?}: {ran:?}");
        let listed = ran.err.contains("allowed:");
        assert_eq!(listed, code == "loop.not_now", "only a state lists what it takes: {ran:?}");
        assert!(!ran.err.contains("set_mode") && !ran.err.contains(" New"), "{args:?}: {ran:?}");
    }
    let ran = house.run(&["loop", "task", "rm", &id, "task-9"]);
    assert!(ran.err.contains(&format!("loopwright loop task list {id}")), "{ran:?}");
}
