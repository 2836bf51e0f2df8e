//! Lifecycles with the real binary, the real engine and the real shim: from a plan document and a
//! scripted agent to the archive. What the machine decides is the kernel's table; here it is seen
//! to happen.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod at_once;
mod bad_input;
mod ends;
mod exits;
mod gates;
mod granted;
#[path = "../loop_real/kit.rs"]
#[expect(dead_code, reason = "the house is shared with the loops' tests, which use more of it")]
mod kit;
mod lost;
mod pages;
mod settings;
mod stuck;
mod whole;

use kit::{House, until};
use serde_json::Value;

/// Two tasks, the second after the first, each with a check of its own.
const PRD: &str = "# Two files\n\n## 3. Atomic Task List (任务清单)\n\
    - [ ] T-1: [P0] Write a (`a.txt`)\n  - Verify: `grep -q one a.txt`\n\
    - [ ] T-2: Write b (`b.txt`)\n  - 依赖：T-1\n  - 验证：`grep -q two b.txt`\n";

/// An agent that does both.
const BOTH: &str = r#"
[[rule]]
when = "Write a"
steps = [ { session = "auto" }, { write = { path = "a.txt", text = "one\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
when = "Write b"
steps = [ { session = "auto" }, { write = { path = "b.txt", text = "two\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

/// A house whose agent acts by this scenario, with a plan document in it.
fn house(scenario: &str, prd: &str) -> House {
    let house = House::new();
    let file = house.home.join("alpha.toml");
    std::fs::write(&file, scenario).unwrap();
    let config = format!(
        "[agents.alpha]\nkind = \"script\"\nscenario = {:?}\n[turn]\nagents = [\"alpha\"]\n",
        file.to_str().unwrap()
    );
    let dir = house.home.join("config/loopwright");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("config.toml"), config).unwrap();
    house.write("prd.md", prd);
    house
}

/// Starts a run from the plan document and answers its id.
fn started(house: &House) -> String {
    let data = house.data(&["lifecycle", "start", "--prd", "prd.md"]);
    data["run_id"].as_str().unwrap_or_else(|| panic!("no run: {data}")).to_owned()
}

fn status(house: &House, id: &str) -> Value {
    house.data(&["lifecycle", "status", id])
}

/// Waits until a run stands there.
fn until_state(house: &House, id: &str, state: &str) -> Value {
    let mut last = Value::Null;
    until(&format!("{id} {state}"), || {
        last = status(house, id);
        last["task_status"] == state
    });
    last
}

/// What a command is refused with, and its exit code.
fn refused(house: &House, args: &[&str]) -> (String, i32, Value) {
    let ran = house.run(&[args, &["--json"]].concat());
    let error = ran.json()["error"].clone();
    let code = error["code"].as_str().unwrap_or_else(|| panic!("not refused: {ran:?}"));
    (code.to_owned(), ran.code, error)
}
