//! For real once: a loop mends a small cargo project of which two tests fail. Its suite is run,
//! what failed is looked into and run again alone, the fix is made, and the whole suite proves it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::kit::House;
use crate::{scripted, settle};

const SUMS: &str = "pub fn add(a: i64, b: i64) -> i64 {\n    a - b\n}\n
#[cfg(test)]
mod tests {
    use super::add;

    #[test]
    fn adds() {
        assert_eq!(add(2, 3), 5);
    }

    #[test]
    fn adds_what_is_negative() {
        assert_eq!(add(2, -3), -1);
    }

    #[test]
    fn adds_nothing() {
        assert_eq!(add(2, 0), 2);
    }
}
";

/// The agent: it says where the cause stands, judges by the line itself, and puts it right.
fn agent() -> String {
    let guess = json!({ "hypotheses": [{
        "description": "it subtracts", "testable_condition": "the operator", "likelihood": 1,
        "logging_point": "", "evidence_criteria": { "confirm": "a - b", "reject": "a + b" },
    }] });
    let verdict = json!({ "verdicts": [{ "id": "H1", "status": "confirmed", "reason": "seen",
        "quotes": [{ "path": "src/lib.rs", "line": 2, "text": "a - b" }] }] });
    let rule = |when: &str, step: &str, said: &str| {
        format!(
            "[[rule]]\nwhen = {when:?}\nsteps = [ {{ session = \"auto\" }}, {step} \
             {{ say = {said:?} }}, \"end\" ]\n"
        )
    };
    let text = SUMS.replace("a - b", "a + b");
    let write = format!("{{ write = {{ path = \"src/lib.rs\", text = {text:?} }} }},");
    [
        rule("Something is wrong with the work", "", &guess.to_string()),
        rule("Judge each hypothesis below", "", &verdict.to_string()),
        rule("Fix", &write, "fixed"),
    ]
    .concat()
}

/// The toolchain that builds this test, by its own paths: nothing else finds it in a house.
fn tool(name: &str) -> String {
    Path::new(env!("CARGO")).with_file_name(name).to_str().unwrap().to_owned()
}

fn house() -> House {
    let house = House::new();
    for dir in ["src", ".cargo"] {
        std::fs::create_dir(house.work.join(dir)).unwrap();
    }
    house.write("src/lib.rs", SUMS);
    house.write(
        "Cargo.toml",
        "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    let tools = format!("[build]\nrustc = {:?}\nrustdoc = {:?}\n", tool("rustc"), tool("rustdoc"));
    house.write(".cargo/config.toml", &tools);
    let argv = json!([tool("cargo"), "test", "--offline"]);
    let check = format!("[loop.validate]\ncommands = [{{ argv = {argv}, parser = \"cargo\" }}]\n");
    // Its libraries lie beside the directory of its programs.
    let top = Path::new(env!("CARGO")).parent().and_then(Path::parent);
    let read = format!("[sandbox]\nread = [{:?}]\n", top.unwrap());
    house.write("loopwright.toml", &format!("{check}{read}"));
    // What cargo makes is no part of the tree that is proven.
    house.write(".gitignore", "/target\nCargo.lock\n");
    let git = Command::new("git").args(["init", "-q"]).current_dir(&house.work).status();
    assert!(git.unwrap().success());
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    let agent = scripted(&house, "mine", &agent());
    settle(&house, &format!("[loop.develop]\ndefault_tool = \"mine\"\n{agent}"));
    house
}

#[test]
fn a_loop_mends_a_failing_suite() {
    let house = house();
    let ran = house.run(&["loop", "run", "make the sums right", "--auto", "--task", "true"]);
    assert_eq!(ran.code, 0, "nobody was asked: {ran:?}");
    assert!(house.read("src/lib.rs").contains("a + b"));
    let id = house.data(&["loop", "list"])["loops"][0]["loop_id"].as_str().unwrap().to_owned();
    let shown = house.show(&id);
    assert_eq!(shown["ext"]["completion"]["how"], "validated", "{shown}");
    let skill = &shown["skill_state"];
    assert_eq!(skill["debug"]["confirmed_hypothesis"], "H1", "{skill}");
    let sig = skill["debug"]["hypotheses"][0]["ext"]["problem"].as_str().unwrap();
    assert!(sig.starts_with("tests:"), "{sig}");
    let tests = skill["validate"]["test_results"].as_array().unwrap();
    assert_eq!((tests.len(), &skill["validate"]["pass_rate"]), (3, &json!(100)), "{skill}");
    let history = house.data(&["loop", "history", &id]);
    let rows = history["history"].as_array().unwrap();
    let actions: Vec<&str> = rows.iter().map(|row| row["action"].as_str().unwrap()).collect();
    let expected = ["init", "develop", "validate", "debug", "develop", "validate", "complete"];
    assert_eq!(actions, expected);
    assert!(rows[2]["summary"].as_str().unwrap().contains("2 failed"), "{history}");
    // What failed ran again by itself, by the word that covers the suite.
    let calls = house.data(&["call", "list"]);
    let told = |call: &Value| house.data(&["call", "show", call["run_id"].as_str().unwrap()]);
    let all: Vec<Value> = calls.as_array().unwrap().iter().map(told).collect();
    let again = json!([
        tool("cargo"),
        "test",
        "--no-fail-fast",
        "--offline",
        "--",
        "--exact",
        "tests::adds",
        "tests::adds_what_is_negative",
    ]);
    let narrowed = all.iter().filter(|call| call.to_string().contains(&again.to_string()));
    assert_eq!(narrowed.count(), 1, "{all:?}");
}
