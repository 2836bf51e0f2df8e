//! The scripted loop that debugs, as a crash is tried on it: its check is red, an agent explores,
//! instruments, judges and fixes, and what was instrumented is put back between. So it passes read
//! only agents, turns that write, a reproduction with its log, an undo, a fix task and a seal.

use std::fs;
use std::path::Path;

use super::asked::effects;
use super::broken::{Broken, ensure};
use super::house::{House, Tenant};
use super::play::{Play, Story, Whose};
use super::script;

/// The loop as a play.
pub const DEBUG: Play =
    Play { whose: Whose::AnyHand, house, begin, go_on: script::drive_on, story, holds };

/// The agent leaves its lines here, beside the work tree.
const DONE: &str = "done.jsonl";
const SETTINGS: &str = "[[loop.validate.commands]]\nargv = [\"./check.sh\"]\nparser = \"exit\"\n";
const CHECK: &str = "#!/bin/sh\n[ \"$(sh prog.sh 2 3)\" = 5 ]\n";
const WRONG: &str = "#!/bin/sh\necho $(( $1 - $2 ))\n";
const RIGHT: &str = "#!/bin/sh\necho $(( $1 + $2 ))\n";
/// The wrong program with a line that logs.
const LOGGED: &str = r#"#!/bin/sh
log=$LOOPWRIGHT_DEBUG_LOG
[ -n "$log" ] && echo '{"hid":"H1","ts":1,"func":"add","data":-1}' >> "$log"
echo $(( $1 - $2 ))
"#;
const GUESS: &str = r#"{"hypotheses":[{"description":"it subtracts","testable_condition":"the
operator","likelihood":1,"logging_point":"prog.sh:add:2","evidence_criteria":{"confirm":"-1",
"reject":"5"}}]}"#;
const VERDICT: &str =
    r#"{"verdicts":[{"id":"H1","status":"confirmed","reason":"seen","quotes":[]}]}"#;
/// What the agent did, each once, in the order of the words.
const ONCE: [&str; 6] = ["analyze", "explore", "fix", "instrument", "prog.sh", "prog.sh"];

fn scenario() -> String {
    let rule = |when: &str, effect: &str, write: Option<&str>, said: &str| {
        let write =
            write.map(|text| format!("{{ write = {{ path = \"prog.sh\", text = {text:?} }} }}, "));
        let write = write.unwrap_or_default();
        let said = said.replace('\n', " ");
        format!(
            "[[rule]]\nwhen = {when:?}\nsteps = [ {{ session = \"auto\" }}, \
             {{ effect = {effect:?} }}, {write}{{ say = {said:?} }}, \"end\" ]\n"
        )
    };
    [
        format!("effects = \"${{CWD}}/../{DONE}\"\n"),
        rule("Something is wrong with the work", "explore", None, GUESS),
        rule("Add logging for the hypotheses", "instrument", Some(LOGGED), "logged"),
        rule("Judge each hypothesis below", "analyze", None, VERDICT),
        rule("Fix", "fix", Some(RIGHT), "fixed"),
    ]
    .concat()
}

fn house(exe: &Path) -> Result<House, Broken> {
    let house = House::new(exe, SETTINGS, Tenant::Us)?;
    let file = house.top.join("home/mine.toml");
    fs::write(&file, scenario())?;
    house.configure(&format!(
        "[loop.develop]\ndefault_tool = \"mine\"\n\
         [agents.mine]\nkind = \"script\"\nscenario = {file:?}\n"
    ))?;
    house.script("step.sh", "#!/bin/sh\ntrue\n")?;
    house.script("check.sh", CHECK)?;
    house.script("prog.sh", WRONG)?;
    house.ask(&["workspace", "trust"])?;
    Ok(house)
}

fn begin(house: &House) -> Result<String, Broken> {
    let id = script::create(house)?;
    script::start(house, &id)?;
    Ok(id)
}

fn story(house: &House, id: &str) -> Result<Story, Broken> {
    let mut story = script::story(house, id)?;
    let shown = house.ask(&["loop", "show", id])?;
    let debug = &shown["skill_state"]["debug"];
    let found = &debug["hypotheses"][0];
    story.ends.push(format!("{} {}", debug["confirmed_hypothesis"], debug["iteration"]));
    story.ends.push(format!("{} {}", found["status"], found["evidence"]["lines"]));
    story.ends.push(format!("{} {}", shown["status"], shown["current_iteration"]));
    let rows = house.ask(&["loop", "history", id])?;
    for row in rows["history"].as_array().into_iter().flatten() {
        story.ends.push(format!("{} {} {}", row["action"], row["result"], row["files_changed"]));
    }
    Ok(story)
}

fn holds(house: &House, id: &str, story: &Story) -> Result<(), Broken> {
    let told = self::story(house, id)?;
    ensure(told == *story, || format!("another story: {told:?}, not {story:?}"))?;
    let done = effects(&house.top.join(DONE))?;
    ensure(done == ONCE, || format!("done: {done:?}"))?;
    let program = fs::read_to_string(house.work.join("prog.sh"))?;
    ensure(program == RIGHT, || format!("the program is {program:?}"))?;
    let log = house.state().join(format!("{id}.progress/debug.log"));
    let lines = fs::read_to_string(log)?;
    ensure(lines.lines().count() == 1, || format!("debug lines: {lines:?}"))?;
    let calls = house.ask(&["call", "list", "--run", id])?;
    let calls = calls.as_array().cloned().unwrap_or_default();
    let over = |state: &str| ["Settled", "Undone"].contains(&state);
    let good = calls.iter().all(|call| call["state"].as_str().is_some_and(over));
    ensure(good && !calls.is_empty(), || format!("calls: {calls:?}"))?;
    script::drawn(house, id)?;
    script::untouched(house)?;
    script::whole(house)
}
