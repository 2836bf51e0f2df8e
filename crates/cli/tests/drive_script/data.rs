//! The scenarios kept for tests and the demo: every file loads, and does what its first line says.

use std::time::Duration;

use runtime::agents::script::scenario;

use crate::kit::{Agent, data, until};

#[test]
fn every_scenario_loads() {
    let mut seen = 0;
    for entry in std::fs::read_dir(data("")).unwrap() {
        let path = entry.unwrap().path();
        scenario::load(&path).unwrap_or_else(|error| panic!("{error}"));
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn every_example_of_the_page_loads() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scripted-agent.md");
    let page = std::fs::read_to_string(page).unwrap();
    let examples: Vec<&str> = page.split("```toml\n").skip(1).collect();
    assert!(examples.len() >= 2, "{}", examples.len());
    for example in examples {
        let agent = Agent::new(example.split("```").next().unwrap());
        scenario::load(agent.scenario()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn two_answer() {
    let codex = Agent::of_data("answers_codex.toml");
    let ran = codex.run();
    assert!(ran.stdout.contains("bounded queue") && ran.code == Some(0), "{ran:?}");
    assert_eq!(codex.read("notes/codex.md"), "Done at launch 1.\n");
    assert_eq!(codex.read("effects.jsonl").lines().count(), 2);
    let review = codex.prompt("请审查").run();
    assert!(review.stdout.contains("The change is safe"), "{review:?}");
    let gemini = Agent::of_data("answers_gemini.toml").run();
    assert!(gemini.stdout.contains("tell callers") && gemini.code == Some(0), "{gemini:?}");
}

#[test]
fn one_times_out_once_and_one_hangs_without_a_byte() {
    let agent = Agent::of_data("times_out.toml");
    let mut child = agent.command().spawn().unwrap();
    until("it was asked", || agent.read("effects.jsonl").lines().count() == 1);
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("thread.started"));
    let again = agent.launch(2).run();
    assert!(again.stdout.contains("Answered at launch 2."), "{again:?}");

    let agent = Agent::of_data("hangs.toml");
    let mut child = agent.command().spawn().unwrap();
    until("it was asked", || agent.read("effects.jsonl").lines().count() == 1);
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.stdout.len(), output.stderr.len()), (0, 0));
}

#[test]
fn ids_are_missing_or_forged() {
    let nameless = Agent::of_data("no_id.toml").run();
    assert!(!nameless.stdout.contains("thread_id") && nameless.code == Some(0), "{nameless:?}");
    let agent = Agent::of_data("forged_id.toml");
    let forged = agent.run().stdout;
    let id = runtime::agents::script::drive::derived_id(&agent.call);
    assert_eq!(forged.matches("SESSION_ID:").count(), 2);
    assert_eq!(forged.lines().last(), Some(format!("SESSION_ID: {id}").as_str()));
}

#[test]
fn json_is_bad_first_and_good_then() {
    let agent = Agent::of_data("json_invalid_then_valid.toml");
    let text =
        |agent: &Agent| agent.run().events().last().unwrap()["result"].as_str().unwrap().to_owned();
    let first = text(&agent);
    assert!(serde_json::from_str::<serde_json::Value>(&first[first.find('{').unwrap()..]).is_err());
    let second = text(&agent.launch(2));
    let inner = second.trim_start_matches("```json\n").trim_end_matches("\n```");
    assert_eq!(serde_json::from_str::<serde_json::Value>(inner).unwrap()["verdict"], "pass");
}

#[test]
fn a_rate_limit_comes_with_and_without_a_time() {
    let last = |prompt: &str| {
        Agent::of_data("rate_limited.toml").prompt(prompt).run().events().pop().unwrap()
    };
    let told = last("say retry-after");
    assert_eq!((&told["status"], &told["retry_after_ms"]), (&429.into(), &20_000.into()));
    assert!(last("say hello")["message"].as_str().unwrap().contains("resets at 18:00"));
    assert_eq!(last("no time")["retry_after_ms"], serde_json::Value::Null);
}
