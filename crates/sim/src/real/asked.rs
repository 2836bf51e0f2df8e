//! The scripted collab every crash is tried on: one agent answers in the wrong form and is
//! corrected, the other is refused, a person decides. So it passes the gate, two launches at once,
//! one end before the other, a correction, a question and its answer.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::broken::{Broken, ensure};
use super::house::{House, Tenant};
use super::play::{Play, Story, Whose};
use super::script;

/// The collab as a play.
pub const COLLAB: Play = Play { whose: Whose::AnyHand, house, begin, go_on, story, holds };

/// Each agent leaves its line here, beside the work tree.
const ASKED: &str = "asked.jsonl";
const CORRECTED: &str = r#"
effects = "${CWD}/../asked.jsonl"
[[rule]]
launch = 1
steps = [ { session = "auto" }, { effect = "codex 1" }, { say = "no idea" }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { effect = "codex ${LAUNCH}" }, { say = '{"n": 3}' }, "end" ]
"#;
const REFUSED: &str = r#"
effects = "${CWD}/../asked.jsonl"
[[rule]]
steps = [ { session = "auto" }, { effect = "gemini ${LAUNCH}" },
          { error = { kind = "auth", status = 401, message = "status 401" } } ]
"#;
const SCHEMA: &str = r#"{"type":"object","required":["n"]}"#;
/// Who was started, each once.
const LAUNCHES: [&str; 3] = ["codex 1", "codex 2", "gemini 1"];
/// What an agent says of its conversation is recorded when it is heard; the end says it again. A
/// fact of when, so it is no part of the story.
const WHEN_HEARD: &str = "SessionCaptured";
/// Two engines may die under one command.
const TRIES_MAX: usize = 6;

/// A trusted house whose two agents act by the scripts above.
///
/// # Errors
/// When it can't be made.
fn house(exe: &Path) -> Result<House, Broken> {
    let house = House::new(exe, "", Tenant::Us)?;
    agents(&house, &[("codex", CORRECTED), ("gemini", REFUSED)])?;
    fs::write(house.work.join("schema.json"), SCHEMA)?;
    house.ask(&["workspace", "trust"])?;
    Ok(house)
}

/// Makes these participants act by these scenarios.
///
/// # Errors
/// When the disk refuses.
pub fn agents(house: &House, all: &[(&str, &str)]) -> Result<(), Broken> {
    let mut settings = String::new();
    for (name, scenario) in all {
        let file = house.top.join(format!("home/{name}.toml"));
        fs::write(&file, scenario)?;
        settings.push_str(&format!(
            "[agents.a_{name}]\nkind = \"script\"\nscenario = {file:?}\n\
             [collab.participant.{name}]\nagent = \"a_{name}\"\n"
        ));
    }
    house.configure(&settings)
}

fn begin(house: &House) -> Result<String, Broken> {
    let args = ["collab", "start", "how?", "--schema", "schema.json", "--no-wait"];
    for _ in 0..TRIES_MAX {
        let ran = house.run(&[&args[..], &["--json"]].concat())?;
        let told = ran.json()["data"]["ext"]["run_id"].as_str().map(str::to_owned);
        match (told, ids(house)?.as_slice()) {
            (Some(id), [one]) if *one == id => return Ok(id),
            (None, [one]) => return Ok(one.clone()),
            (None, []) => {}
            (told, there) => return Err(Broken(format!("told {told:?}, there {there:?}"))),
        }
    }
    Err(Broken("the collab can't be started".into()))
}

fn ids(house: &House) -> Result<Vec<String>, Broken> {
    let all = house.ask(&["collab", "list"])?;
    let all = all.as_array().cloned().unwrap_or_default();
    Ok(all.iter().filter_map(|run| run["run_id"].as_str().map(str::to_owned)).collect())
}

/// Follows it to its question, and answers that.
fn go_on(house: &House, id: &str) -> Result<(), Broken> {
    let mut last = None;
    for _ in 0..TRIES_MAX {
        let ran = house.run(&["collab", "watch", id, "--json"])?;
        match state(house, id)?.as_str() {
            "DEGRADED" => return decide(house, id),
            "SUCCESS" => return Err(Broken("nobody was asked".into())),
            _ => last = Some(ran),
        }
    }
    Err(Broken(format!("the collab asks nothing: {last:?}")))
}

fn state(house: &House, id: &str) -> Result<String, Broken> {
    let shown = house.ask(&["collab", "show", id])?;
    Ok(shown["state"].as_str().unwrap_or_default().to_owned())
}

/// A person's word, said again only if it was not acknowledged and nothing came of it.
fn decide(house: &House, id: &str) -> Result<(), Broken> {
    for _ in 0..TRIES_MAX {
        let ran = house.run(&["collab", "confirm", id, "--override", "--note", "known"])?;
        match (ran.code, state(house, id)?.as_str()) {
            (_, "SUCCESS") => return Ok(()),
            (0, other) => return Err(Broken(format!("confirmed, but {other}"))),
            (_, _) => {}
        }
    }
    Err(Broken("the answer is not taken".into()))
}

fn story(house: &House, id: &str) -> Result<Story, Broken> {
    let log = house.ask(&["log", id])?;
    let kinds = log.as_array().into_iter().flatten().map(|entry| entry["kind"].to_string());
    let mut facts: Vec<String> = kinds.filter(|kind| !kind.contains(WHEN_HEARD)).collect();
    // Which of the two begins or ends first is the machine's whim.
    facts.sort();
    let result = house.ask(&["collab", "result", id])?;
    Ok(Story { facts, ends: ends(&result) })
}

/// The result without its ids and times.
fn ends(result: &Value) -> Vec<String> {
    let mut ends: Vec<String> = ["status", "degraded_level", "missing_dimensions", "codex_output"]
        .map(|key| format!("{key} {}", result[key]))
        .to_vec();
    for name in ["codex", "gemini"] {
        let told = &result["ext"]["participants"][name];
        let session = result[format!("{name}_session")].is_string();
        ends.push(format!("{name} {} {} {session}", told["status"], told["launches"]));
    }
    let errors = result["ext"]["errors"].as_array().into_iter().flatten();
    ends.extend(errors.map(|one| format!("{} {}", one["participant"], one["code"])));
    ends.push(format!("override {}", result["ext"]["override"]));
    ends.sort();
    ends
}

fn holds(house: &House, id: &str, story: &Story) -> Result<(), Broken> {
    let told = self::story(house, id)?;
    ensure(told == *story, || format!("another story: {told:?}, not {story:?}"))?;
    let asked = effects(&house.top.join(ASKED))?;
    ensure(asked == LAUNCHES, || format!("asked: {asked:?}"))?;
    let calls = house.ask(&["call", "list", "--run", id])?;
    let calls = calls.as_array().cloned().unwrap_or_default();
    let good = calls.iter().all(|call| call["state"] == "Settled");
    ensure(good && calls.len() == LAUNCHES.len(), || format!("calls: {calls:?}"))?;
    let files = house.state().join("collab");
    let shown = house.ask(&["collab", "show", id])?;
    script::redrawn(house, &files.join(format!("{id}.json")), &shown)?;
    let page = fs::read_to_string(files.join(format!("{id}.md")))?;
    ensure(page.contains("backend"), || format!("the page says {page:?}"))?;
    script::untouched(house)?;
    script::whole(house)
}

/// What the agents say they did, in the order of the words.
///
/// # Errors
/// A line that is no effect.
pub fn effects(file: &Path) -> Result<Vec<String>, Broken> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut all = Vec::new();
    for line in text.lines() {
        let effect: Value = serde_json::from_str(line).map_err(|why| Broken(why.to_string()))?;
        all.push(effect["what"].as_str().unwrap_or_default().to_owned());
    }
    all.sort();
    Ok(all)
}
