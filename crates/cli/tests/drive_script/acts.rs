//! What the agent does to the world is really done, stays in its directory, and is counted.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::kit::Agent;

#[test]
fn files_are_written_and_deleted_and_programs_run() {
    let steps = r#"
        { write = { path = "deep/er/a.txt", text = "${PROMPT} in ${CWD}\n" } },
        { write = { path = "${CWD}/b.txt", text = "b" } },
        { run = ["sh", "-c", "echo ran > c.txt"] },
        { write = { path = "d.txt", text = "d" } }, { delete = "d.txt" },
        "read_stdin", { say = "ok" }, "end""#;
    let agent = Agent::steps("claude", steps).prompt("多写几句 \"quoted\"");
    assert_eq!(agent.run().code, Some(0));
    let expected = format!("多写几句 \"quoted\" in {}\n", agent.work().display());
    assert_eq!(agent.read("deep/er/a.txt"), expected);
    assert_eq!((agent.read("b.txt").as_str(), agent.read("c.txt").as_str()), ("b", "ran\n"));
    assert!(!agent.work().join("d.txt").exists());
}

#[test]
fn invariant_no_path_leads_out_of_the_working_directory() {
    let agent = Agent::new(
        r#"
        [[rule]]
        dialect = "stream/1"
        steps = [
          { write = { path = "${PROMPT}", text = "x" } }, { delete = "${PROMPT}" },
          { say = "ok" }, "end",
        ]"#,
    );
    let outside = agent.root().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, agent.work().join("link")).unwrap();
    std::fs::write(outside.join("kept"), "kept").unwrap();
    let absolute = outside.join("kept").to_str().unwrap().to_owned();
    let mut agent = agent;
    for path in ["../outside/kept", &absolute, "link/kept", "a/../../outside/kept"] {
        agent = agent.prompt(path);
        let ran = agent.run();
        let failed = ran.stdout.matches("\"status\":\"failed\"").count();
        assert_eq!((failed, ran.code), (2, Some(0)), "{path}: {ran:?}");
        assert_eq!(std::fs::read_to_string(outside.join("kept")).unwrap(), "kept", "{path}");
    }
}

fn effects(agent: &Agent, name: &str) -> Vec<Value> {
    agent.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_effect_leaves_one_line_unlike_every_other() {
    let scenario = r#"
        effects = "trail"
        [[rule]]
        steps = [
          { effect = "asked ${LAUNCH}" }, { write = { path = "a", text = "1" } },
          { write = { path = "a", text = "1" } }, { delete = "a" }, { run = ["true"] },
          { file = { path = "only-claimed", kind = "add" } }, { say = "ok" }, "end",
        ]"#;
    let agent = Agent::new(scenario).launch(3);
    agent.run();
    let seen: Vec<_> = effects(&agent, "trail")
        .iter()
        .map(|e| format!("{} {} {} {}", e["launch"], e["step"], e["act"], e["what"]))
        .collect();
    let expected = [
        r#"3 1 "effect" "asked 3""#,
        r#"3 2 "write" "a""#,
        r#"3 3 "write" "a""#,
        r#"3 4 "delete" "a""#,
        r#"3 5 "run" "true""#,
    ];
    assert_eq!(seen, expected);
    agent.run();
    let lines: BTreeSet<String> = agent.read("trail").lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 10, "a second run of the same call shows");
}

#[test]
fn agents_at_once_do_not_mix_their_lines() {
    const AGENTS: usize = 8;
    const EACH: usize = 40;
    let step = r#"{ effect = "a rather long label so that a torn line would be seen" },"#;
    let scenario = format!("effects = \"trail\"\n[[rule]]\nsteps = [{}\"end\"]", step.repeat(EACH));
    let agent = Agent::new(&scenario);
    let children: Vec<_> = (0..AGENTS).map(|_| agent.command().spawn().unwrap()).collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    let lines: BTreeSet<String> =
        effects(&agent, "trail").iter().map(ToString::to_string).collect();
    assert_eq!(lines.len(), AGENTS * EACH);
}

#[test]
fn a_failing_program_is_told_and_does_not_end_the_play() {
    let agent = Agent::steps(
        "codex",
        r#"
        { run = ["sh", "-c", "echo no; exit 3"] }, { run = ["/no/such"] }, { say = "ok" }, "end""#,
    );
    let events = agent.run().events();
    let codes: Vec<_> = events
        .iter()
        .filter(|event| event["type"] == "item.completed")
        .map(|event| (event["item"]["exit_code"].clone(), event["item"]["status"].clone()))
        .collect();
    let failed = Value::from("failed");
    let expected = [(3.into(), failed.clone()), (Value::Null, failed), (Value::Null, Value::Null)];
    assert_eq!(codes, expected);
    assert_eq!(events.last().unwrap()["type"], "turn.completed");
}
