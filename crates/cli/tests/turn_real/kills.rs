//! An engine that is killed in the middle of a turn: the next one goes on, and nothing is done
//! twice.

use rustix::process::Signal;

use super::kit::signal;
use super::*;

const PLAN: &str = r#"goal = "Wait, then write"
[verification]
mode = "custom"
commands = ["grep -q later made.txt"]
required = true
stop_on_fail = true
[[steps]]
title = "Write"
tool_calls = [
  { name = "write", args_hint = { path = "made.txt", content = "first\n", mode = "create" } }
]
[[steps]]
title = "Wait"
tool_calls = [{ name = "run", args_hint = { argv = ["sh", "gate.sh", "one"] } }]
[[steps]]
title = "Write again"
tool_calls = [
  { name = "run", args_hint = { argv = ["cp", "later.txt", "made.txt"] } }
]
"#;

#[test]
fn an_engine_that_is_killed_goes_on_where_it_was() {
    let house = House::new();
    house.write("later.txt", "later\n");
    house.write("plan.toml", PLAN);
    let id = started(&house, &["--plan", "plan.toml"]);
    until_state(&house, &id, "AWAITING_CONFIRMATION");
    // Killed while it waits for a person, then again while a command runs.
    signal(house.engine_pid(), Signal::KILL);
    confirm(&house, &id);
    house.until_began("one");
    signal(house.engine_pid(), Signal::KILL);
    house.write("go", "");
    // Whatever changes something starts the next one.
    house.create(&["true"]);
    let end = done(&house, &id);
    assert_eq!(
        (&end["outcome"], &end["verified"]),
        (&"completed".into(), &"passed".into()),
        "{end}"
    );
    assert_eq!(house.read("made.txt"), "later\n");
    assert_eq!(house.read("log"), "one began\none ended\n", "nothing runs twice");
}
