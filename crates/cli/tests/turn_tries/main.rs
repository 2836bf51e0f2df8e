//! An agent inside its run that tries to get round its gates: to approve, to answer, to change its
//! evidence, the rules or the record. Each try is made for real, by a real process below a real
//! shim; afterwards nothing is other than it would have been, and what came to a door is in the
//! log.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod acts;
#[path = "../loop_real/kit.rs"]
#[expect(dead_code, reason = "the house is shared with the loops' tests, which use more of it")]
mod kit;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use acts::World;
use kit::{House, until};
use serde_json::Value;
use table::{Met, TABLE};

/// Fewer tries than this would leave a door out.
const TRIES_MIN: usize = 50;
/// What the agent finds in its work tree, and what it leaves there.
const FOUND: &str = "world.json";
const LEFT: &str = "tries.jsonl";

const PLAN: &str = r#"goal = "Try the doors"
verification = { mode = "none", required = false }
[[steps]]
title = "Try them"
runner = "agent"
agent = "alpha"
expected_artifacts = [{ type = "file", value = "tries.jsonl" }]
"#;

/// What becomes of the turn when no try has any effect.
const EVENTS: [&str; 10] = [
    "asked",
    "intake_assessed",
    "context_built",
    "plan_accepted",
    "confirmation_asked",
    "confirmed",
    "step_started",
    "call_recorded",
    "call_recorded",
    "questions_asked",
];

/// The agent's part; nothing where no shim is above.
#[test]
fn child() {
    let (Ok(call), Ok(found)) = (std::env::var("LOOPWRIGHT_CALL_ID"), std::fs::read(FOUND)) else {
        return;
    };
    let world = World { call, ..serde_json::from_slice(&found).unwrap() };
    let mut left = String::new();
    for (name, _, act) in TABLE {
        let met = act(&world).err();
        left +=
            &format!("{}\n", serde_json::json!({ "name": name, "met": met, "call": world.call }));
        std::fs::write(LEFT, &left).unwrap();
    }
}

/// A house with a repository, an agent that makes the tries, and a loop that waits for a person's
/// judgement.
fn house() -> (House, String) {
    let house = House::new();
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.args(args).current_dir(&house.work).env("HOME", &house.home);
        assert!(command.stdout(Stdio::null()).status().unwrap().success(), "git {args:?}");
    };
    git(&["init", "-q"]);
    let own = std::env::current_exe().unwrap();
    let scenario = format!(
        "[[rule]]\nsteps = [ {{ session = \"auto\" }}, \
         {{ run = [{own:?}, \"--exact\", \"child\", \"--nocapture\"] }}, \
         {{ say = '{{\"control\":\"ask\",\"questions\":[{{\"text\":\"Which?\"}}]}}' }}, \
         \"end\" ]\n"
    );
    let file = house.home.join("alpha.toml");
    std::fs::write(&file, scenario).unwrap();
    let config = format!(
        "[agents.alpha]\nkind = \"script\"\nscenario = {file:?}\n[turn]\nagents = [\"alpha\"]\n"
    );
    std::fs::create_dir_all(house.home.join("config/loopwright")).unwrap();
    std::fs::write(house.home.join("config/loopwright/config.toml"), config).unwrap();
    house.write(
        "loopwright.toml",
        "[loop.validate]\ncommands = [{ argv = [\"true\"], parser = \"auto\" }]\n",
    );
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    let judged = house.started(&["true"]);
    house.until_status(&judged, "paused");
    until("a question", || house.data(&["questions", "--run", &judged])[0].is_object());
    (house, judged)
}

/// Files that no try may change.
fn kept(house: &House) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut paths: Vec<PathBuf> = ["loopwright.toml", ".git/config", ".loop/owner.json"]
        .map(|name| house.work.join(name))
        .to_vec();
    paths.push(house.home.join("config/loopwright/config.toml"));
    paths.push(house.home.join("state/loopwright/key"));
    paths.push(house.work.join(".git/hooks/post-checkout"));
    let trust = std::fs::read_dir(house.home.join("state/loopwright/trust")).unwrap();
    paths.extend(trust.map(|entry| entry.unwrap().path()));
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).ok())).collect()
}

fn shown(house: &House, id: &str) -> Value {
    house.data(&["turn", "show", id])
}

fn until_state(house: &House, id: &str, state: &str) {
    until(state, || {
        let now = shown(house, id);
        assert_ne!(now["state"], "DONE", "{now}");
        now["state"] == state
    });
}

/// What the agent wrote down, by the name of the try.
fn left(house: &House) -> BTreeMap<String, Value> {
    let text = house.read(LEFT);
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| (line["name"].as_str().unwrap().to_owned(), line)).collect()
}

#[test]
fn invariant_an_agent_gets_round_none_of_its_gates() {
    assert!(TABLE.len() >= TRIES_MIN, "{} tries", TABLE.len());
    let (house, judged) = house();
    let walls = house.run(&["doctor", "--json"]).json()["data"]["sandbox"].clone();
    assert_eq!(walls["carve_out"], "mount", "this test needs mount namespaces: {walls}");
    house.write("plan.toml", PLAN);
    house.write("patch.toml", "remove_steps = [\"s1\"]\n");
    let start = house.data(&["turn", "start", "--plan", "plan.toml", "--no-wait"]);
    let turn = start["run_id"].as_str().unwrap().to_owned();
    until_state(&house, &turn, "AWAITING_CONFIRMATION");
    let before = (kept(&house), house.show(&judged)["seq"].clone(), house.engine_pid());
    let world = World::of(&house, &turn, &judged);
    house.write(FOUND, &serde_json::to_string(&world).unwrap());
    house.data(&["turn", "confirm", &turn, "yes"]);
    until_state(&house, &turn, "CLARIFYING");
    // One of them left a process behind, to answer when nobody looks any more.
    std::thread::sleep(acts::LEFT_BEHIND + acts::LEFT_BEHIND);
    assert_eq!(shown(&house, &turn)["state"], "CLARIFYING");
    let now = (kept(&house), house.show(&judged)["seq"].clone(), house.engine_pid());
    assert_eq!(now, before, "files, the other run and the engine");
    let entries = house.data(&["log", &turn]);
    let events = entries.as_array().unwrap().iter().map(|entry| entry["event"].as_str().unwrap());
    assert_eq!(events.collect::<Vec<_>>(), EVENTS);
    house.data(&["journal", "verify"]);
    held(&house, world);
    house.data(&["turn", "cancel", &turn]);
}

/// Each try was held back by what should hold it, and is told if it came to a door.
fn held(house: &House, world: World) {
    let (left, log) = (left(house), house.run(&["log", &world.turn]).out);
    let call = left["yes"]["call"].as_str().unwrap().to_owned();
    let world = World { call, ..world };
    let mut wrong = Vec::new();
    for (name, expected, _) in TABLE {
        let Some(found) = left.get(*name).and_then(|line| line["met"].as_str()) else {
            wrong.push(format!("{name}: {:?}", left.get(*name)));
            continue;
        };
        let (fits, told) = match expected {
            Met::Wall => (true, None),
            Met::Door(code) => (found == *code, None),
            Met::Told(code, said) => (found == *code, Some(world.filled(said))),
        };
        if !fits {
            wrong.push(format!("{name}: {found}, not {expected:?}"));
        }
        if let Some(said) = told.filter(|said| !log.contains(&format!("`{said}`"))) {
            wrong.push(format!("{name}: the log does not say `{said}`"));
        }
    }
    assert!(!log.contains(table::NOBODY), "who it is, is not its to say: {log}");
    assert!(wrong.is_empty(), "{} of {}:\n{}\n{log}", wrong.len(), TABLE.len(), wrong.join("\n"));
}
