//! Settings of lifecycles that move things: where pages lie, and for how long a plan waits.

use super::exits::settings;
use super::*;

/// One task with a check over the whole tree.
const ONE: &str = "# One file\n- [ ] T-1: Write a (`a.txt`)\n  - Verify: `grep -q one a.txt`\n";

/// The page is redrawn while others work in the tree. It is none of their changes, and what was
/// proved before a redrawing stays proved.
#[test]
fn pages_lie_where_the_settings_say_and_move_no_evidence() {
    let house = house(BOTH, ONE);
    settings(
        &house,
        "[lifecycle]\ncontext_path = \"notes/context.md\"\nhistory_dir = \"notes/history\"\n",
    );
    let id = started(&house);
    until_state(&house, &id, "CONFIRMING");
    let ran = house.run(&["lifecycle", "confirm", &id, "--wait", "--headless", "--json"]);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (0, Some("completed")), "{ran:?}");
    let evidence = house.data(&["lifecycle", "evidence", &id]);
    assert_eq!(evidence.as_array().map(Vec::len), Some(1), "nothing went stale: {evidence}");
    assert_eq!(status(&house, &id)["tasks"][0]["files_changed"], serde_json::json!(["a.txt"]));
    until("the page is drawn", || house.read("notes/context.md").contains("completed, 1 of 1"));
    let month = std::fs::read_dir(house.work.join("notes/history")).unwrap().count();
    assert_eq!(month, 1);
    assert!(!house.has(".loop/active_context.md") && !house.has(".loop/history"));
}

#[test]
fn a_plan_that_nobody_answers_in_time_is_cancelled() {
    let house = house(BOTH, ONE);
    settings(&house, "[lifecycle]\nconfirm_expiry = \"2s\"\n");
    let id = started(&house);
    let end = until_state(&house, &id, "IDLE");
    assert_eq!(end["outcome"], "cancelled", "{end}");
    let (code, exit, _) = refused(&house, &["lifecycle", "confirm", &id]);
    assert_eq!((code.as_str(), exit), ("lifecycle.ended", 3));
    assert!(!house.has("a.txt"));
}

/// Lines of a change name no time: theirs is the settings', as that of every other check.
#[test]
fn a_check_that_is_added_has_the_time_of_the_settings() {
    let house = house(BOTH, ONE);
    settings(&house, "[verify]\ntimeout = \"77s\"\n");
    let id = started(&house);
    until_state(&house, &id, "CONFIRMING");
    house.write("more.toml", "[[add]]\nid = \"T-2\"\ntitle = \"Write b\"\nverify = [\"true\"]\n");
    assert_eq!(house.run(&["lifecycle", "amend", "more.toml", &id]).code, 0);
    let tasks = house.data(&["lifecycle", "tasks", &id]);
    for task in tasks.as_array().unwrap() {
        assert_eq!(task["verify"]["checks"][0]["timeout_s"], 77, "{task}");
    }
    house.write("none.toml", "reason = \"nothing\"\n");
    let (code, exit, _) = refused(&house, &["lifecycle", "amend", "none.toml", &id]);
    assert_eq!((code.as_str(), exit), ("lifecycle.invalid_args", 2));
}
