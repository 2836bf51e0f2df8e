//! What is written while a collab runs, also when nobody looks: a line for each critical event, a
//! notice for each silence, a page that says who is slow. And that a deadline ends processes.

use serde_json::Value;

use crate::kit::{House, until};
use crate::{scripted, settle};

const SILENT: &str = r#"
[[rule]]
steps = [ { session = "auto" }, { sleep_ms = 6000 }, { delta = "so" }, { sleep_ms = 6000 },
          { say = "late" }, "end" ]
"#;
const HANGS: &str = r#"
[[rule]]
steps = [ { session = "auto" }, "hang" ]
"#;

fn house(scenario: &str) -> House {
    let house = House::new();
    let agent = scripted(&house, "alpha", scenario);
    let pace = "[collab]\nparticipants = [\"codex\"]\nheartbeat = \"1s\"\n\
                warning_threshold = 1500\nprogress_interval = \"1s\"\n\
                [collab.participant.codex]\nagent = \"alpha\"\n";
    settle(&house, &format!("{pace}{agent}"));
    house
}

fn started(house: &House, more: &[&str]) -> String {
    let start = [&["collab", "start", "how?", "--no-wait"][..], more].concat();
    house.data(&start)["ext"]["run_id"].as_str().unwrap().to_owned()
}

fn log(house: &House, id: &str) -> Vec<Value> {
    let text = house.read(&format!(".loop/collab/{id}.log"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn events(house: &House, id: &str) -> Vec<String> {
    log(house, id).iter().map(|line| line["event"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_silence_is_told_once_and_every_critical_event_has_its_line() {
    let house = house(SILENT);
    let id = started(&house, &[]);
    let notices = || {
        let text = house.read(".loop/cache/notices.jsonl");
        text.lines().filter(|line| line.contains(&id)).count()
    };
    until("a silence is told", || notices() == 1);
    until("its page says so", || house.read(&format!(".loop/collab/{id}.md")).contains("slow"));
    let ran = house.run(&["collab", "watch", &id, "--json"]);
    assert_eq!((ran.code, &ran.json()["data"]["status"]), (0, &"SUCCESS".into()), "{ran:?}");
    assert_eq!(notices(), 2, "one for each silence, however often it was looked at");
    let shown = house.run(&["collab", "show", &id]);
    for part in ["has said nothing", &format!("collab cancel {id} codex")] {
        assert!(shown.out.contains(part), "{part}: {shown:?}");
    }
    until("the log is whole", || events(&house, &id).last().is_some_and(|last| last == "success"));
    assert_eq!(events(&house, &id), ["init", "running", "participant", "participant", "success"]);
    let all = log(&house, &id);
    assert!(
        all.iter().all(|line| line["type"] == "critical_event" && line["timestamp"].is_string())
    );
    assert_eq!(all[4]["task_id"], id.as_str());
    assert_eq!(all[3]["backend"], "alpha", "{all:?}");
}

#[test]
fn an_extension_counts_for_what_runs_and_the_deadline_ends_it() {
    let house = house(HANGS);
    let id = started(&house, &["--timeout", "20s", "--retries", "0"]);
    until("it runs", || events(&house, &id).iter().any(|event| event == "participant"));
    house.data(&["collab", "extend", &id, "5s"]);
    let ran = house.run(&["collab", "watch", &id, "--json"]);
    let result = &ran.json()["data"];
    assert_eq!((ran.code, &result["status"]), (8, &"FAILED".into()), "{ran:?}");
    let took = result["duration_ms"].as_u64().unwrap();
    assert!(took >= 15_000, "half of twenty seconds and five more: {took}");
    assert_eq!(result["ext"]["errors"][0]["code"], "E004", "{result}");
    let call = result["ext"]["participants"]["codex"]["call"].as_str().unwrap();
    let exit = house.read(&format!(".loop/calls/{call}/exit.json"));
    let exit: Value = serde_json::from_str(&exit).unwrap();
    assert_eq!(exit["ended"], "stopped", "the run's timer ended it, not its own: {exit}");
}
