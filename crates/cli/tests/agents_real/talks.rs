//! Conversations that are gone on with: what one call of them cost is told of that call alone, also
//! where the program counts over all of them; and whose they are.

use serde_json::Value;

use crate::kit::{House, Ran, until};
use crate::{scripted, settle};

/// One that talks as such a program does.
const TALK: &str = r#"
dialect = "DIALECT"
[[rule]]
steps = [ { session = "auto" }, { say = "hi" },
          { usage = { input_tokens = 100, output_tokens = 10 } }, "end" ]
"#;

/// Asks from a directory of its own, where the engine is started then.
fn asked(house: &House, more: &[&str]) -> Value {
    let root = house.work.to_str().unwrap();
    let words = ["--workspace", root, "agent", "run", "talk", "hello", "--headless", "--json"];
    let mut command = house.command(&[&words[..], more].concat());
    let output = command.current_dir(&house.home).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    let ran = Ran { code, out: text(output.stdout), err: text(output.stderr) };
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.json()["data"].clone()
}

#[test]
fn a_later_call_of_a_conversation_costs_what_it_added() {
    for dialect in ["qwen", "codex"] {
        let house = House::new();
        house.write("talk.toml", &TALK.replace("DIALECT", dialect));
        settle(&house, "[agents.talk]\nkind = \"script\"\nscenario = \"talk.toml\"\n");
        let first = asked(&house, &[]);
        assert_eq!(first["usage"]["input_tokens"], 100, "{dialect}: {first}");
        let session = first["session_id"].as_str().unwrap().to_owned();
        for _ in 0..2 {
            let next = asked(&house, &["--resume", &session]);
            assert_eq!(next["session_id"], session.as_str(), "{dialect}: {next}");
            let told = [&next["usage"]["input_tokens"], &next["usage"]["output_tokens"]];
            assert_eq!(told, [100, 10], "{dialect}: {next}");
        }
        let total = &house.data(&["usage"])["total"];
        assert_eq!((&total["tokens_in"], &total["calls"]), (&300.into(), &3.into()), "{total}");
    }
}

const PLAIN: &str = r#"
[[rule]]
when = "wait for ever"
steps = [ { session = "auto" }, "hang" ]
[[rule]]
when = "take your time"
steps = [ { session = "auto" }, { sleep_ms = 6000 }, { say = "hi" }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { say = "hi" }, "end" ]
"#;

/// The exit and the code of a refusal.
fn refused(ran: &Ran) -> (i32, String) {
    (ran.code, ran.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
}

/// A conversation belongs to its agent, and to one call at a time: also to one that has only just
/// named it.
#[test]
fn a_conversation_is_its_agents_and_one_call_s_at_a_time() {
    let house = House::new();
    let (one, two) = (scripted(&house, "one", PLAIN), scripted(&house, "two", PLAIN));
    let who = "[collab.participant.codex]\nagent = \"one\"\n\
               [collab.participant.gemini]\nagent = \"two\"\n";
    settle(&house, &format!("{one}access_max = \"read\"\n{two}{who}"));
    let run = |name: &str, more: &[&str]| {
        house.run(&[&["agent", "run", name, "hello", "--headless", "--json"], more].concat())
    };
    let ask = |name: &str, resume: &str| {
        let start = ["collab", "start", "how?", "--headless", "--json", "--with", name];
        house.run(&[&start[..], &["--resume", &format!("{name}={resume}")]].concat())
    };
    let first = run("one", &[]).json();
    let id = first["data"]["session_id"].as_str().unwrap().to_owned();
    assert_eq!(run("one", &["--resume", &id]).code, 0);
    assert_eq!(refused(&run("two", &["--resume", &id])).1, "agent.foreign_session");
    let foreign = ask("gemini", &id);
    let ext = &foreign.json()["data"]["ext"];
    assert_eq!((foreign.code, &ext["error_code"]), (1, &"E002".into()), "{foreign:?}");
    assert_eq!(ext["cause"], "start_gate", "{foreign:?}");
    assert_eq!(ask("codex", &id).code, 0);
    assert_eq!(refused(&run("one", &["--access", "edit"])).1, "agent.access");
    let waits = ["agent", "run", "one", "wait for ever", "--wall", "120s", "--headless"];
    let live = house.spawn(&waits);
    let named = || {
        let calls = house.data(&["call", "list"]);
        let call = calls[0]["run_id"].as_str().unwrap().to_owned();
        let spool = house.read(&format!(".loop/calls/{call}/stdout"));
        let line = spool.lines().find(|line| line.contains("\"session\""))?;
        let event: Value = serde_json::from_str(line).ok()?;
        Some((call, event["id"].as_str()?.to_owned()))
    };
    until("it names its conversation", || {
        named().is_some_and(|(call, _)| house.data(&["call", "show", &call])["state"] == "Started")
    });
    let (call, id) = named().unwrap();
    assert_eq!(refused(&run("one", &["--resume", &id])).1, "agent.busy");
    assert_eq!(refused(&ask("codex", &id)).1, "collab.busy");
    house.data(&["call", "stop", &call]);
    Ran::of(live);
    assert_eq!(run("one", &["--resume", &id]).code, 0, "it is free again");
}

/// What was free when a run was planned may be taken when its turn comes.
#[test]
fn a_conversation_that_was_taken_meanwhile_is_not_launched_beside() {
    let house = House::new();
    let (one, two) = (scripted(&house, "one", PLAIN), scripted(&house, "two", PLAIN));
    let who = "[collab.participant.codex]\nagent = \"one\"\n\
               [collab.participant.gemini]\nagent = \"two\"\n";
    settle(&house, &format!("{one}{two}{who}"));
    let first = house.data(&["agent", "run", "two", "hello", "--headless"]);
    let id = first["session_id"].as_str().unwrap();
    let start = ["collab", "start", "take your time", "--serial", "--headless", "--json"];
    let run = house.spawn(&[&start[..], &["--resume", &format!("gemini={id}")]].concat());
    let started = || house.data(&["call", "list", "--state", "Started"]);
    until("the first of them runs", || started().as_array().is_some_and(|all| all.len() == 1));
    let taken = ["agent", "run", "two", "wait for ever", "--resume", id, "--headless"];
    let taken = house.spawn(&taken);
    let result = Ran::of(run).json();
    let errors = &result["data"]["ext"]["errors"];
    assert_eq!((&errors[0]["participant"], &errors[0]["code"]), (&"gemini".into(), &"E002".into()));
    assert!(errors[0]["detail"].as_str().unwrap().contains(id), "{result}");
    let call = started()[0]["run_id"].as_str().unwrap().to_owned();
    house.data(&["call", "stop", &call]);
    Ran::of(taken);
}
