//! Ends that are no archive: a plan that is cancelled, work that is taken back. What remains of
//! them is the same as of any other; and a run whose engine is gone says so.

use super::stuck::{WRONG, blocked};
use super::*;

/// The record that remains of a run.
fn record(house: &House, id: &str) -> Option<Value> {
    let months = std::fs::read_dir(house.work.join(".loop/archive")).ok()?;
    let path = months.flatten().map(|month| month.path().join(format!("{id}.json")));
    let text = path.into_iter().find_map(|path| std::fs::read_to_string(path).ok())?;
    serde_json::from_str(&text).ok()
}

fn month(house: &House) -> String {
    let all = std::fs::read_dir(house.work.join(".loop/history")).into_iter().flatten().flatten();
    all.map(|page| std::fs::read_to_string(page.path()).unwrap()).collect()
}

#[test]
fn a_way_back_is_shown_before_it_is_taken_and_leaves_its_record() {
    let house = house(WRONG, PRD);
    let id = blocked(&house);
    let dry = house.data(&["lifecycle", "rollback", &id, "--dry-run"]);
    assert_eq!(dry["actions"][0]["path"], "a.txt", "{dry}");
    assert_eq!(house.run(&["lifecycle", "rollback", &id]).code, 0);
    until("the way back is asked about", || {
        house.data(&["questions"])[0]["kind"] == "lifecycle.rollback"
    });
    for lang in ["en", "zh-CN"] {
        let page = house.run(&["lifecycle", "status", &id, "--lang", lang]);
        assert!(page.out.contains("a.txt"), "what would be touched: {page:?}");
    }
    assert!(house.has("a.txt"), "nothing is touched before the yes");
    let question = format!("{id}/q/rollback/1");
    assert_eq!(house.run(&["answer", &question, "go"]).code, 0);
    let end = until_state(&house, &id, "IDLE");
    assert_eq!(end["outcome"], "rolled_back", "{end}");
    assert!(!house.has("a.txt"));
    until("its record is drawn", || record(&house, &id).is_some());
    let record = record(&house, &id).unwrap();
    assert_eq!(record["view"]["outcome"], "rolled_back", "{record}");
    assert!(record["evidence"].as_array().is_some_and(|all| !all.is_empty()), "{record}");
    until("the month's page has it", || month(&house).contains("## T-1: Write a"));
}

#[test]
fn the_hash_of_a_way_back_that_was_shown_is_a_yes_to_it() {
    let house = house(WRONG, PRD);
    let id = blocked(&house);
    let dry = house.data(&["lifecycle", "rollback", &id, "--dry-run"]);
    let hash = dry["plan_hash"].as_str().unwrap();
    let args = ["lifecycle", "rollback", &id, "--approve", hash, "--wait", "--headless", "--json"];
    let ran = house.run(&args);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (1, Some("rolled_back")), "{ran:?}");
    assert!(!house.has("a.txt"));
}

#[test]
fn a_cancelled_plan_leaves_its_record_too() {
    let house = house(BOTH, PRD);
    let id = started(&house);
    until_state(&house, &id, "CONFIRMING");
    assert_eq!(house.run(&["lifecycle", "cancel", &id]).code, 0);
    until("its record is drawn", || record(&house, &id).is_some());
    let record = record(&house, &id).unwrap();
    assert_eq!(record["view"]["outcome"], "cancelled", "{record}");
    assert_eq!(record["plan"]["tasks"][1]["id"], "T-2", "{record}");
    until("the month's page has it", || month(&house).contains("## T-2: Write b"));
    until("the page has its line", || {
        house.read(".loop/active_context.md").contains("Two files, cancelled, 0 of 2")
    });
}

/// An agent that waits for a file.
const WAITS: &str = r#"
[[rule]]
when = "Write a"
steps = [ { session = "auto" }, { run = ["sh", "wait.sh"] },
          { write = { path = "a.txt", text = "one\n" } },
          { say = "It is there.\n{\"control\":\"step_done\"}" }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { write = { path = "b.txt", text = "two\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

#[test]
fn a_run_whose_engine_is_gone_says_so_and_goes_on_when_it_is_followed() {
    let house = house(WAITS, PRD);
    house.write("wait.sh", "echo x >> began; while ! test -e go; do sleep 0.05; done\n");
    let id = started(&house);
    until_state(&house, &id, "CONFIRMING");
    assert_eq!(house.run(&["lifecycle", "confirm", &id]).code, 0);
    until("the turn is at work", || house.has("began"));
    let pid = house.data(&["engine", "status"])["pid"].to_string();
    let killed = std::process::Command::new("kill").args(["-9", &pid]).status().unwrap();
    assert!(killed.success());
    until("the engine is gone", || house.data(&["engine", "status"])["running"] == false);
    let page = house.run(&["lifecycle", "status", &id]);
    assert!(page.out.contains(&format!("loopwright lifecycle watch {id}")), "{page:?}");
    house.write("go", "");
    let ran = house.run(&["lifecycle", "watch", &id, "--json"]);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (0, Some("completed")), "{ran:?}");
    assert!(ran.err.contains("T-1 was interrupted"), "{ran:?}");
    assert_eq!(house.read("began"), "x\n", "nothing ran twice");
    assert!(house.read(".loop/active_context.md").contains("T-1: It is there."));
}

#[test]
fn no_end_without_its_record_and_a_disk_that_refuses_it_is_told() {
    let house = house(BOTH, PRD);
    let id = started(&house);
    until_state(&house, &id, "CONFIRMING");
    // Where the record belongs there is something else.
    house.write(".loop/archive", "in the way\n");
    let ran = house.run(&["lifecycle", "confirm", &id, "--wait", "--headless", "--json"]);
    assert_eq!(ran.code, 10, "{ran:?}");
    let stands = status(&house, &id);
    assert_eq!((&stands["task_status"], &stands["outcome"]), (&"ARCHIVING".into(), &Value::Null));
    std::fs::remove_file(house.work.join(".loop/archive")).unwrap();
    let end = until_state(&house, &id, "IDLE");
    assert_eq!(end["outcome"], "completed", "it is tried again by itself: {end}");
    assert_eq!(record(&house, &id).unwrap()["view"]["task_status"], "ARCHIVING");
}
