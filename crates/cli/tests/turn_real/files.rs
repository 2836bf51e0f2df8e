//! A plan file, tools and commands: no agent is configured and no model is asked.

use super::*;

const PLAN: &str = r#"goal = "Say it in a file"
[verification]
mode = "custom"
commands = ["grep -q hello made.txt", "test -f log"]
required = true
stop_on_fail = true
[[steps]]
title = "Write it"
tool_calls = [
  { name = "write", args_hint = { path = "made.txt", content = "hello\n", mode = "create" } }
]
expected_artifacts = [{ type = "file", value = "made.txt" }]
[[steps]]
title = "Note it"
tool_calls = [{ name = "run", args_hint = { argv = ["cp", "made.txt", "log"] } }]
verify = ["test -s log"]
"#;

#[test]
fn a_plan_file_becomes_a_verified_change() {
    let house = House::new();
    house.write("plan.toml", PLAN);
    let id = started(&house, &["--plan", "plan.toml"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    assert!(!house.has("made.txt"), "nothing is done before somebody said yes");
    confirm(&house, &id);
    let end = done(&house, &id);
    assert_eq!(
        (&end["outcome"], &end["verified"]),
        (&"completed".into(), &"passed".into()),
        "{end}"
    );
    assert_eq!((house.read("made.txt"), house.read("log")), ("hello\n".into(), "hello\n".into()));
    let calls: Vec<Value> =
        serde_json::from_value(house.data(&["runs", "--machine", "call"])).unwrap();
    let below = calls.iter().filter(|run| run["machine"] == "call").count();
    assert_eq!(below, 6, "a checkpoint, two calls, a step's check and two of the turn: {calls:?}");
}

const PATCHES: &str = r#"goal = "Greet the world"
[verification]
commands = ["grep -qx hello-you made.txt"]
[[steps]]
title = "Greet"
tool_calls = [
  { name = "apply_patch", args_hint = { path = "made.txt", old = "hello", new = "hello-world" } }
]
[[steps]]
title = "Greet you"
tool_calls = [
  { name = "apply_patch", args_hint = { path = "made.txt", old = "world", new = "you" } }
]
"#;

#[test]
fn a_plan_patches_what_is_there_and_what_it_made_of_it() {
    let house = House::new();
    house.write("plan.toml", PATCHES);
    house.write("made.txt", "hello\n");
    let id = started(&house, &["--plan", "plan.toml"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    confirm(&house, &id);
    let end = done(&house, &id);
    assert_eq!(end["outcome"], "completed", "{end}");
    assert_eq!(house.read("made.txt"), "hello-you\n");
    house.data(&["undo", &id]);
    assert_eq!(house.read("made.txt"), "hello\n");
}

#[test]
fn a_check_that_fails_is_never_completed() {
    let house = House::new();
    house.write("plan.toml", &PLAN.replace("test -f log", "false"));
    let id = started(&house, &["--plan", "plan.toml", "--fixes", "0", "--replans", "0"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    confirm(&house, &id);
    until("help or an end", || {
        let now = show(&house, &id);
        now["state"] == "DONE" || now["waiting"] == true
    });
    let now = show(&house, &id);
    assert_ne!(now["outcome"], "completed", "{now}");
    assert_eq!(house.read("made.txt"), "hello\n");
}

#[test]
fn a_no_changes_nothing() {
    let house = House::new();
    house.write("plan.toml", PLAN);
    let id = started(&house, &["--plan", "plan.toml"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    let ran = house.run(&["turn", "confirm", &id, "no", "--json"]);
    assert_eq!(ran.json()["ok"], true, "{ran:?}");
    let end = done(&house, &id);
    assert_eq!(end["outcome"], "denied", "{end}");
    assert!(!house.has("made.txt") && !house.has("log"));
}

#[test]
fn a_yes_for_the_session_lasts_until_it_is_taken_back() {
    let house = House::new();
    house.write("plan.toml", &PLAN.replace("test -f log", "test -f go"));
    let id = started(&house, &["--plan", "plan.toml"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    house.data(&["turn", "confirm", &id, "yes", "--scope", "session"]);
    until_state(&house, &id, "RECOVERING");
    house.data(&["turn", "confirm", &id, "no"]);
    assert_eq!(done(&house, &id)["verified"], "failed");
    let again = |house: &House| {
        let told = house.data(&["turn", "continue", &id, "--no-wait"]);
        told["run_id"].as_str().unwrap().to_owned()
    };
    house.write("go", "");
    let next = again(&house);
    let end = done(&house, &next);
    assert_eq!(end["outcome"], "completed", "nobody was asked again: {end}");
    let grants = house.data(&["grant", "list"]);
    for grant in grants.as_array().unwrap() {
        house.data(&["grant", "revoke", grant["grant_id"].as_str().unwrap()]);
    }
    let last = again(&house);
    until_state(&house, &last, "AWAITING_CONFIRMATION");
}

/// A turn that goes on begins anew: what was committed since the first one began is no conflict.
#[test]
fn going_on_commits_on_what_is_checked_out_now() {
    let house = House::new();
    house.write("plan.toml", PLAN);
    house.write(".gitignore", ".loop/\nlog\n");
    git(&house, &["init", "-q", "-b", "main"]);
    git(&house, &["config", "user.name", "a"]);
    git(&house, &["config", "user.email", "a@b"]);
    git(&house, &["add", "-A"]);
    git(&house, &["commit", "-qm", "first"]);
    let id = started(&house, &["--plan", "plan.toml", "--git", "commit"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    house.data(&["turn", "confirm", &id, "no"]);
    done(&house, &id);
    git(&house, &["commit", "-qm", "theirs", "--allow-empty"]);
    let told = house.data(&["turn", "continue", &id, "--no-wait"]);
    let next = told["run_id"].as_str().unwrap().to_owned();
    until_state(&house, &next, "AWAITING_CONFIRMATION");
    confirm(&house, &next);
    until("it asks about the commit", || show(&house, &next)["prompt"]["subject"] == "git");
    confirm(&house, &next);
    let end = done(&house, &next);
    assert_eq!(end["git"]["state"], "committed", "{end}");
    assert_eq!(git(&house, &["log", "--format=%s", "-2"]).lines().nth(1), Some("theirs"));
}

const WAITS: &str = r#"goal = "Wait for it"
verification = { mode = "none", commands = [], required = false, stop_on_fail = false }
[[steps]]
title = "Wait"
tool_calls = [{ name = "run", args_hint = { argv = ["sh", "gate.sh", "one"] } }]
"#;

/// What somebody writes into a view of a turn is kept beside it and told; the turn does not see it.
#[test]
fn an_edit_of_the_plans_view_is_set_aside() {
    let house = House::new();
    house.write("plan.toml", WAITS);
    let id = started(&house, &["--plan", "plan.toml"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    let view = house.work.join(format!(".loop/turns/{id}/plan.json"));
    let text = || std::fs::read_to_string(&view).unwrap_or_default();
    let kept = |words: &str| {
        let all = std::fs::read_dir(house.work.join(".loop/refused")).into_iter().flatten();
        let mut all = all.flatten().filter_map(|one| std::fs::read_to_string(one.path()).ok());
        all.any(|text| text == words)
    };
    let edited = |words: &str| {
        until("it is drawn", || text().contains("Wait for it"));
        std::fs::write(&view, words).unwrap();
        until("it is drawn again", || text().contains("Wait for it"));
        until("what was written is kept", || kept(words));
    };
    let before = show(&house, &id);
    edited("{\"goal\":\"mine\"}");
    let after = show(&house, &id);
    assert_eq!((&after["state"], &after["prompt"]), (&before["state"], &before["prompt"]));
    confirm(&house, &id);
    house.until_began("one");
    edited("{\"goal\":\"mine too\"}");
    assert_eq!(show(&house, &id)["plan_hash"], before["plan_hash"]);
    house.write("go", "");
    let end = done(&house, &id);
    assert_eq!(end["outcome"], "completed", "{end}");
}
