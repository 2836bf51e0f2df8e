//! The engine is killed in each phase of a collab; the next one comes to the same end, and nobody
//! is started twice. The phases are held open by agents that wait for a file. Every single write
//! of the engine is met by the proofs; here it is one kill for each row that a person could name.

use rustix::process::Signal;
use serde_json::{Value, json};

use super::kit::{self, House};
use super::{house, id};

/// Waits, as a program the agent runs, until the test lets it go on.
const WAITS: &str = r#"{ run = ["sh", "gate.sh", "agent"] }"#;

/// An agent of this name that leaves a line and plays these steps.
fn plays(name: &str, steps: &str) -> String {
    let effect = format!("{{ session = \"auto\" }}, {{ effect = \"{name} ${{LAUNCH}}\" }}");
    format!("effects = \"${{CWD}}/../effects.jsonl\"\n[[rule]]\nsteps = [{effect}, {steps}]\n")
}

fn answers(name: &str) -> String {
    plays(name, r#"{ say = "use a queue" }, "end""#)
}

fn waits(name: &str) -> String {
    plays(name, &format!("{WAITS}, {{ say = \"late\" }}, \"end\""))
}

fn refused(name: &str) -> String {
    plays(name, r#"{ error = { kind = "auth", status = 401, message = "status 401" } }"#)
}

fn hangs(name: &str) -> String {
    plays(name, "\"hang\"")
}

/// Answers in the wrong form, and in the right one when it may go on.
fn corrected(name: &str) -> String {
    let right = format!("{WAITS}, {{ say = '{{\"n\": 3}}' }}, \"end\"");
    let wrong = plays(name, "{ say = \"no idea\" }, \"end\"");
    let then = plays(name, &right);
    let (_, then) = then.split_once("[[rule]]").unwrap();
    format!("{}[[rule]]{then}", wrong.replace("[[rule]]\n", "[[rule]]\nlaunch = 1\n"))
}

/// When the engine is killed.
#[derive(Debug, Clone, Copy)]
enum When {
    /// As soon as the run is acknowledged: the gate is not passed, or just now.
    Created,
    /// So many launches have begun.
    Launched(usize),
    /// This participant has ended.
    Ended(&'static str),
    /// A person is asked.
    Asked,
}

struct Row {
    name: &'static str,
    codex: String,
    gemini: String,
    more: &'static [&'static str],
    when: When,
    starts: &'static [&'static str],
    status: &'static str,
    code: &'static str,
}

const BOTH: &[&str] = &["codex 1", "gemini 1"];

fn row(name: &'static str, codex: String, gemini: String, when: When) -> Row {
    Row { name, codex, gemini, more: &[], when, starts: BOTH, status: "SUCCESS", code: "" }
}

fn table() -> Vec<Row> {
    let schema = &["--schema", "schema.json"];
    let three = &["codex 1", "codex 2", "gemini 1"];
    let degraded = |when| Row {
        status: "DEGRADED",
        ..row("degraded", refused("codex"), waits("gemini"), when)
    };
    vec![
        row("created", answers("codex"), answers("gemini"), When::Created),
        row("launching", waits("codex"), waits("gemini"), When::Launched(1)),
        row("both running", waits("codex"), waits("gemini"), When::Launched(2)),
        row("one ended", answers("codex"), waits("gemini"), When::Ended("codex")),
        Row {
            more: &["--serial"],
            ..row("serial, the second", answers("codex"), waits("gemini"), When::Launched(2))
        },
        Row {
            more: schema,
            starts: three,
            status: "DEGRADED",
            ..row("correction", corrected("codex"), refused("gemini"), When::Launched(3))
        },
        degraded(When::Ended("codex")),
        degraded(When::Asked),
        Row {
            more: &["--gate", "and"],
            status: "FAILED",
            code: "E009",
            ..row("the and-gate", refused("codex"), waits("gemini"), When::Ended("codex"))
        },
    ]
}

/// Every start, in the order of the words.
fn starts(house: &House) -> Vec<String> {
    let text = std::fs::read_to_string(house.home.join("../effects.jsonl")).unwrap_or_default();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let starts = lines.filter(|line| line["act"] == "effect");
    let mut all: Vec<String> =
        starts.map(|line| line["what"].as_str().unwrap().to_owned()).collect();
    all.sort();
    all
}

fn begun(row: &Row) -> (House, String) {
    let house = house(&row.codex, &row.gemini);
    house.write("schema.json", r#"{"type":"object","required":["n"]}"#);
    let args = [&["collab", "start", "how?", "--no-wait"], row.more].concat();
    let started = house.data(&args);
    let id = started["ext"]["run_id"].as_str().unwrap().to_owned();
    (house, id)
}

fn reached(house: &House, id: &str, when: When) -> bool {
    let shown = || house.data(&["collab", "show", id]);
    match when {
        When::Created => true,
        When::Launched(n) => starts(house).len() >= n,
        When::Ended(name) => {
            !["pending", "running"].contains(&shown()[name]["status"].as_str().unwrap())
        }
        When::Asked => {
            house.write("go", "");
            shown()["state"] == "DEGRADED"
        }
    }
}

/// The result without ids and times.
fn told(result: &Value) -> Value {
    let ext = &result["ext"];
    let errors = ext["errors"].as_array().unwrap().iter();
    let errors: Vec<Value> =
        errors.map(|one| json!([one["participant"], one["code"], one["launch"]])).collect();
    let participant = |name: &str| {
        let one = &ext["participants"][name];
        json!([one["status"], one["launches"], result[format!("{name}_output")]])
    };
    json!({
        "status": result["status"], "level": result["degraded_level"],
        "missing": result["missing_dimensions"], "cause": ext["cause"], "code": ext["error_code"],
        "errors": errors, "codex": participant("codex"), "gemini": participant("gemini"),
    })
}

/// Follows a run to its end, or to its question.
fn followed(house: &House, id: &str) -> Value {
    house.write("go", "");
    let ran = house.run(&["collab", "watch", id, "--json"]);
    assert_eq!(ran.json()["ok"], true, "{ran:?}");
    ran.json()["data"].clone()
}

fn killed(house: &House) {
    kit::signal(house.engine_pid(), Signal::KILL);
}

#[test]
fn invariant_a_kill_in_any_phase_changes_no_end_and_starts_nobody_twice() {
    for row in table() {
        let (calm, calm_id) = begun(&row);
        let expected = told(&followed(&calm, &calm_id));
        let code = expected["code"].as_str().unwrap_or_default();
        assert_eq!((&expected["status"], code), (&row.status.into(), row.code), "{}", row.name);
        let (house, id) = begun(&row);
        kit::until(row.name, || reached(&house, &id, row.when));
        killed(&house);
        let result = followed(&house, &id);
        assert_eq!(told(&result), expected, "{} {:?}", row.name, row.when);
        assert_eq!(starts(&house), row.starts, "{} {:?}", row.name, row.when);
        assert_eq!(starts(&calm), row.starts, "{}, calm", row.name);
    }
}

#[test]
fn the_same_question_is_open_after_a_kill_and_is_answered_once() {
    let house = house(&refused("codex"), &answers("gemini"));
    let asked = house.data(&["collab", "start", "how?", "--headless"]);
    let id = id(&asked);
    let before = house.data(&["questions"]);
    killed(&house);
    assert_eq!(house.data(&["questions"]), before);
    let done = house.run(&["collab", "confirm", &id, "--override", "--note", "I know", "--json"]);
    assert_eq!(done.code, 0, "{done:?}");
    killed(&house);
    let again = house.run(&["collab", "confirm", &id, "--override", "--note", "I know", "--json"]);
    assert_eq!(again.json()["error"]["code"], "collab.ended", "{again:?}");
    assert_eq!(house.data(&["collab", "result", &id])["ext"]["override"], true);
    assert_eq!(house.data(&["questions"]), json!([]));
}

/// The deadline passes while no engine lives: the next one stops the agents at once.
#[test]
fn a_deadline_that_passes_without_an_engine_is_kept() {
    let house = house(&hangs("codex"), &hangs("gemini"));
    let args = ["collab", "start", "how?", "--no-wait", "--timeout", "10s", "--retries", "0"];
    let started = house.data(&args);
    let id = started["ext"]["run_id"].as_str().unwrap().to_owned();
    kit::until("both run", || starts(&house) == BOTH);
    killed(&house);
    std::thread::sleep(std::time::Duration::from_secs(11));
    let result = followed(&house, &id);
    let ext = &result["ext"];
    let end = (&result["status"], &ext["cause"], &ext["error_code"]);
    assert_eq!(end, (&"FAILED".into(), &"timeout".into(), &"E005".into()), "{result}");
    assert_eq!(starts(&house), BOTH);
}

/// Killed while its agents are being stopped: they are stopped by the next one.
#[test]
fn a_cancel_that_is_under_way_is_gone_on_with() {
    let deaf = |name: &str| plays(name, "\"ignore_term\", \"hang\"");
    let house = house(&deaf("codex"), &deaf("gemini"));
    let started = house.data(&["collab", "start", "how?", "--no-wait"]);
    let id = started["ext"]["run_id"].as_str().unwrap().to_owned();
    kit::until("both run", || starts(&house) == BOTH);
    house.data(&["collab", "cancel", &id]);
    killed(&house);
    let result = followed(&house, &id);
    let ext = &result["ext"];
    let end = (&result["status"], &ext["cause"], &ext["error_code"]);
    assert_eq!(end, (&"FAILED".into(), &"cancelled".into(), &"E007".into()), "{result}");
    for call in house.data(&["call", "list", "--run", &id]).as_array().unwrap() {
        assert_eq!(call["state"], "Settled", "{call}");
        let marked = runtime::shim::procfs::marked(call["run_id"].as_str().unwrap());
        assert_eq!(marked, [], "survivors");
    }
}
