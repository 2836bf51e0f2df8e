//! The policy over tools, with the real binary: what is allowed runs, what is asked waits for a yes
//! to exactly that, what is denied names its rule; and one work tree has one holder.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sim::real::house::{House, PATIENCE};

use super::{OLD, house, id, sha256, tool};

pub(super) fn asked(house: &House, name: &str, args: &Value) -> String {
    let args = args.to_string();
    let ran = house.run(&["tool", "run", name, "--args", &args, "--headless", "--json"]).unwrap();
    assert_eq!(ran.code, 4, "{name} {args}: {ran:?}");
    ran.json()["data"]["run_id"].as_str().unwrap().to_owned()
}

pub(super) fn state(house: &House, call: &str) -> String {
    let shown = house.ask(&["call", "show", call]).unwrap();
    format!("{} {}", shown["state"].as_str().unwrap(), shown["outcome"].as_str().unwrap_or("-"))
}

pub(super) fn until(what: &str, mut is: impl FnMut() -> bool) {
    let over = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < over, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A result that is too large is named by its file, and a command that says no limit has one.
#[test]
fn the_limits_of_the_settings_are_in_force() {
    let house = house("[call]\npayload_bytes = \"1KiB\"\n[call.timeout]\nexec = \"1s\"\n");
    fs::write(house.work.join("long.txt"), "line\n".repeat(1000)).unwrap();
    let read = tool(&house, "read", &json!({ "path": "long.txt" }));
    let file = read["payload"]["file"].as_str().unwrap_or_else(|| panic!("{read}"));
    assert!(fs::read_to_string(file).unwrap().contains("line"), "{read}");
    assert_eq!(tool(&house, "read", &json!({ "path": "a.txt" }))["payload"]["text"], OLD);
    let call = asked(&house, "run", &json!({ "argv": ["sh", "-c", "sleep 60"] }));
    house.ask(&["call", "allow", &call]).unwrap();
    until("its time is over", || state(&house, &call) == "Settled timed_out");
}

#[test]
fn a_command_runs_is_asked_or_denied() {
    let house = house("");
    let ran = tool(&house, "run", &json!({ "argv": ["cat", "a.txt"] }));
    assert_eq!(
        (&ran["payload"]["stdout_tail"], &ran["payload"]["exit_code"]),
        (&json!(OLD), &json!(0))
    );
    let call = asked(&house, "run", &json!({ "argv": ["touch", "made"] }));
    assert!(!house.work.join("made").exists());
    let text = house.run(&["tool", "run", "run", "--args", r#"{"argv":["touch","b"]}"#]).unwrap();
    assert!(text.code == 4 && text.out.contains("loopwright call allow call-"), "{text:?}");
    let wide = house.run(&["call", "allow", &call, "--scope", "session", "--json"]).unwrap();
    assert_eq!((wide.code, &wide.json()["error"]["code"]), (6, &json!("call.scope_too_wide")));
    house.ask(&["call", "allow", &call]).unwrap();
    until("it ran", || house.work.join("made").exists());
    until("it ended", || state(&house, &call) == "Settled ok");
    let args = json!({ "argv": ["rm", "-rf", "/"] }).to_string();
    let ran = house.run(&["tool", "run", "run", "--args", &args, "--json"]).unwrap();
    let error = &ran.json()["error"];
    assert_eq!((ran.code, &error["details"]["rule"]), (6, &json!("whole-tree")), "{ran:?}");
    let spent = house.ask(&["grant", "list", "--all"]).unwrap();
    let states: Vec<&str> =
        spent.as_array().unwrap().iter().map(|grant| grant["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["spent"], "{spent}");
    assert_eq!(house.ask(&["grant", "list"]).unwrap(), json!([]));
}

#[test]
fn a_yes_is_to_the_program_that_was_shown() {
    let house = house("");
    house.script("build", "#!/bin/sh\ntouch first\n").unwrap();
    let call = asked(&house, "run", &json!({ "argv": ["./build"] }));
    house.script("build", "#!/bin/sh\ntouch second\n").unwrap();
    let ran = house.run(&["call", "allow", &call, "--json"]).unwrap();
    assert_eq!((ran.code, &ran.json()["error"]["code"]), (7, &json!("call.stale_approval")));
    let again = asked(&house, "run", &json!({ "argv": ["./build"] }));
    house.ask(&["call", "allow", &again]).unwrap();
    until("it ran", || house.work.join("second").exists());
    assert!(!house.work.join("first").exists());
}

#[test]
fn a_secret_is_read_once_a_person_said_so() {
    let house = house("");
    fs::write(house.work.join(".env"), "TOKEN=canary-4711\n").unwrap();
    std::os::unix::fs::symlink(".env", house.work.join("plain.txt")).unwrap();
    let linked = super::refused(&house, "read", &json!({ "path": "plain.txt" }));
    assert_eq!((linked.0, linked.1.as_str()), (6, "E_POLICY_DENIED"), "a link is not the secret");
    let call = asked(&house, "read", &json!({ "path": ".env" }));
    house.ask(&["call", "allow", &call]).unwrap();
    until("it ended", || state(&house, &call) == "Settled ok");
    let kept = fs::read_to_string(house.state().join("calls").join(&call).join("payload.json"));
    assert!(kept.unwrap().contains("canary-4711"));
    let journal = house.run(&["journal", "export"]).unwrap();
    assert!(!journal.out.contains("canary-4711"));
    let call =
        asked(&house, "write", &json!({ "path": ".env.local", "text": "x", "mode": "create" }));
    house.ask(&["call", "deny", &call]).unwrap();
    assert!(!house.work.join(".env.local").exists());
}

const RULE: &str = r#"
[[policy.rule]]
id = "our-touch"
tool = "run"
argv = ["touch", "**"]
verdict = "allow"
reason = { en = "ours", zh = "我们的" }
match = ["touch x"]
"#;

#[test]
fn rules_that_allow_count_once_trust_has_listed_them() {
    let house = house("");
    let touch = |name: &str| json!({ "argv": ["touch", name] });
    asked(&house, "run", &touch("one"));
    fs::write(house.work.join("loopwright.toml"), RULE).unwrap();
    let args = touch("two").to_string();
    let ran = house.run(&["tool", "run", "run", "--args", &args, "--headless", "--json"]).unwrap();
    assert_eq!((ran.code, &ran.json()["error"]["code"]), (4, &json!("workspace.untrusted")));
    let status = house.ask(&["workspace", "status"]).unwrap();
    assert_eq!(status["allow_rules"][0]["id"], "our-touch");
    let trusted = house.ask(&["workspace", "trust"]).unwrap();
    assert_eq!(trusted["allow_rules"][0]["id"], "our-touch");
    let rules = house.ask(&["policy", "rules"]).unwrap();
    assert_eq!(rules["idle"], json!([]));
    // The engine that has been running all the while judges by the rules that were just trusted.
    tool(&house, "run", &touch("three"));
    assert!(house.work.join("three").exists() && !house.work.join("two").exists());
    fs::write(house.work.join("loopwright.toml"), RULE.replace("touch", "mkdir")).unwrap();
    let ran = house.run(&["tool", "run", "run", "--args", &args, "--headless", "--json"]).unwrap();
    assert_eq!((ran.code, &ran.json()["error"]["code"]), (4, &json!("workspace.untrusted")));
    house.ask(&["workspace", "trust"]).unwrap();
    asked(&house, "run", &touch("four"));
}

#[test]
fn one_work_tree_has_one_holder() {
    let house = house("");
    fs::write(house.work.join("gate.sh"), "touch began\nwhile [ ! -e go ]; do sleep 0.05; done\n")
        .unwrap();
    let made = house.ask(&["loop", "create", "--title", "x", "--task", "sh gate.sh"]).unwrap();
    let holder = made["loop_id"].as_str().unwrap();
    house.ask(&["loop", "start", holder, "--auto", "--detach"]).unwrap();
    until("it began", || house.work.join("began").exists());
    let create = json!({ "path": "n.txt", "text": "x", "mode": "create" });
    let args = create.to_string();
    let ran = house.run(&["tool", "run", "write", "--args", &args, "--json"]).unwrap();
    let error = &ran.json()["error"];
    assert_eq!((ran.code, &error["code"]), (3, &json!("call.busy")), "{ran:?}");
    assert!(ran.out.contains(holder), "{ran:?}");
    assert!(!house.work.join("n.txt").exists());
    assert_eq!(tool(&house, "read", &json!({ "path": "a.txt" }))["payload"]["sha256"], sha256(OLD));
    fs::write(house.work.join("go"), "").unwrap();
    until("the loop stands", || {
        let shown = house.ask(&["loop", "show", holder]).unwrap();
        shown["status"] != "running"
    });
    let done = tool(&house, "write", &create);
    assert!(house.work.join("n.txt").exists() && id(&done).starts_with("call-"));
}

#[test]
fn walls_stand_as_they_were_trusted_last() {
    let house = house("[sandbox]\nmode = \"off\"\n");
    let look = json!({ "argv": ["cat", "a.txt"] });
    let held = |house: &House| tool(house, "run", &look)["payload"]["sandbox"].clone();
    assert_eq!(held(&house), "none");
    let before = house.ask(&["engine", "status"]).unwrap()["pid"].clone();
    fs::write(house.work.join("loopwright.toml"), "").unwrap();
    house.ask(&["workspace", "trust"]).unwrap();
    let after = house.ask(&["engine", "status"]).unwrap()["pid"].clone();
    assert!(after.is_u64() && after != before, "an engine with the old walls goes: {after}");
    assert_eq!(held(&house), held(&super::house("")));
    house.ask(&["workspace", "trust"]).unwrap();
    assert_eq!(house.ask(&["engine", "status"]).unwrap()["pid"], after, "nothing changed");
}

#[test]
fn a_command_gets_the_variables_and_the_reach_that_were_allowed() {
    let house = house("");
    let allowed = |args: &Value| {
        let call = asked(&house, "run", args);
        house.ask(&["call", "allow", &call]).unwrap();
        until("it ended", || state(&house, &call).starts_with("Settled"));
        house.ask(&["call", "show", &call]).unwrap()
    };
    let env = json!({ "GREETING": "canary-12345", "LANG": "C" });
    let shown = allowed(&json!({ "argv": ["sh", "-c", "echo $GREETING > out"], "env": env }));
    assert_eq!(shown["args"]["env_names"], json!(["GREETING", "LANG"]));
    assert_eq!(fs::read_to_string(house.work.join("out")).unwrap(), "canary-12345\n");
    assert!(!house.run(&["journal", "export"]).unwrap().out.contains("canary-12345"));
    for name in ["LD_PRELOAD", "PATH", "MY_TOKEN", "A B"] {
        let args = json!({ "argv": ["true"], "env": { (name): "x" } });
        let found = super::refused(&house, "run", &args);
        assert_eq!((found.0, found.1.as_str()), (2, "E_INVALID_ARGS"), "{name}");
    }
    let reach = |network: &str| {
        let words = "exec 3<>/dev/tcp/127.0.0.1/9";
        let args = json!({ "argv": ["bash", "-c", words], "network": network });
        let shown = allowed(&args);
        assert_eq!(shown["args"]["network"], network);
        let call = shown["run_id"].as_str().unwrap().to_owned();
        house.run(&["call", "tail", &call, "--stream", "stderr"]).unwrap().out
    };
    assert!(reach("open").contains("refused"), "nobody listens there");
    assert!(!reach("none").contains("refused"), "it never gets so far");
}

#[test]
fn a_command_is_held_to_what_it_says_it_will_write() {
    let house = house("");
    fs::create_dir(house.work.join("out")).unwrap();
    let words = "echo b.c:3:7: error: no; touch out/a; touch beside; true";
    let args = json!({ "argv": ["sh", "-c", words], "declare": { "writes": ["out/**"] } });
    let call = asked(&house, "run", &args);
    house.ask(&["call", "allow", &call]).unwrap();
    until("it ended", || state(&house, &call).starts_with("Settled"));
    let shown = house.ask(&["call", "show", &call]).unwrap();
    assert_eq!(shown["args"]["declare"], json!(["out/**"]));
    assert!(house.work.join("out/a").exists(), "{shown}");
    let walled = shown["result"]["exit"]["sandbox"] == "landlock+seccomp";
    // Without walls it can write what it likes, and that it did is told.
    let expected = if walled { json!([]) } else { json!(["beside"]) };
    assert_eq!(shown["result"]["undeclared"], expected, "{shown}");
    assert_eq!(house.work.join("beside").exists(), !walled);
    let bad = json!({ "argv": ["true"], "declare": { "writes": ["../x"] } });
    assert_eq!(super::refused(&house, "run", &bad).1, "E_INVALID_ARGS");
}

#[test]
fn a_command_tells_the_places_that_its_output_names() {
    let house = house("");
    let text = "b.c:3:7: error: no";
    fs::write(house.work.join("said.txt"), text).unwrap();
    let ran = tool(&house, "run", &json!({ "argv": ["cat", "said.txt"] }));
    let at = json!([{ "file": "b.c", "line": 3, "column": 7, "message": "error: no" }]);
    assert_eq!(ran["payload"]["anchors"], at, "{ran}");
    assert_eq!(ran["payload"]["undeclared"], json!(null));
}
