//! Agents as the binary shows them: which there are, what they are set to, whether they could be
//! launched, and what is wrong with settings that name them.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::json;

use crate::kit::{House, SECRET};

impl House {
    fn settings(&self, text: &str) {
        let dir = self.home.join(".config/loopwright");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("config.toml"), text).unwrap();
    }

    /// A program that answers as gemini does, in a directory of its own.
    fn gemini(&self) -> String {
        let path = self.home.join("gemini");
        let help = "--output-format --approval-mode --skip-trust -m --resume";
        // Written by another process: a descriptor of ours, open while some other test forks,
        // would make the program busy.
        let line = format!("printf '#!/bin/sh\\necho 0.61.0\\necho \"{help}\"\\n' > \"$0\"");
        let made = Command::new("sh").args(["-c", &line]).arg(&path).status();
        assert!(made.unwrap().success());
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }
}

#[test]
fn doctor_looks_at_those_who_would_work_for_turns() {
    let house = House::new();
    let ready = format!("[agents.g]\nkind = \"gemini\"\nbin = {:?}\n", house.gemini());
    let asked = "[collab]\nparticipants = [\"g\"]\n";
    for (turn, exit) in [("[]", 0), ("[\"g\"]", 0), ("[\"g\", \"codex\"]", 1)] {
        house.settings(&format!("{ready}{asked}[turn]\nagents = {turn}\n"));
        let mut command = house.command(&["doctor", "--json"]);
        let ran = command.env("GEMINI_API_KEY", "a-key-of-ours").output().unwrap();
        assert_eq!(
            ran.status.code(),
            Some(exit),
            "{turn}: {}",
            String::from_utf8_lossy(&ran.stdout)
        );
    }
}

#[test]
fn doctor_says_what_is_missing_and_exits_by_it() {
    let house = House::new();
    let ran = house.run(&["doctor", "--json"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let data = &ran.json()["data"];
    assert_eq!(data["ready"], json!(false));
    assert_eq!(data["journal"]["state"], "absent");
    let sandbox = &data["sandbox"];
    assert_eq!(sandbox["mode"], "prefer");
    // What it is depends on the machine; that it was measured shows in that the parts agree.
    let walled = sandbox["level"] == "landlock+seccomp";
    assert_eq!(walled, sandbox["carve_out"] != "none", "{sandbox}");
    assert!(!walled || sandbox["landlock_abi"].as_u64().unwrap() >= 2, "{sandbox}");
    let codex = data["agents"].as_array().unwrap().iter().find(|row| row["agent"] == "codex");
    let codex = codex.unwrap();
    assert_eq!((&codex["state"], &codex["path"]), (&json!("missing"), &json!(null)));
    assert!(codex["hint"].as_str().unwrap().contains("npm install -g @openai/codex"));
    let zh = house.run(&["doctor", "codex", "--lang", "zh-CN"]);
    assert!(zh.code == 1 && zh.out.contains("请安装"), "{}", zh.out);
}

#[test]
fn doctor_is_content_with_what_is_ready() {
    let house = House::new();
    let bin = house.gemini();
    let text = format!(
        "[collab]\nparticipants = [\"g\"]\n[collab.participant.g]\nagent = \"gemini\"\n\
         [agents.gemini]\nbin = \"{bin}\"\n[agents.codex]\nenv = [\"API_TOKEN\"]\n"
    );
    house.settings(&text);
    let ran = house.run_with(&["doctor", "--json"], "GEMINI_API_KEY", "k-123456789");
    assert_eq!(ran.code, 0, "only what a run would ask must be ready: {}{}", ran.out, ran.err);
    let ran = house.run(&["doctor", "gemini"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("needs_auth") && ran.out.contains("GEMINI_API_KEY"), "{}", ran.out);
    assert!(!ran.out.contains("journal"), "named agents only: {}", ran.out);
}

#[test]
fn agents_are_listed_and_shown_with_their_sources() {
    let house = House::new();
    house.settings("[agents.mine]\nkind = \"claude\"\nmodel = \"m1\"\nenv = [\"API_TOKEN\"]\n");
    let list = house.run(&["agent", "list", "--json"]);
    let names: Vec<String> = list.json()["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| format!("{}:{}", row["agent"].as_str().unwrap(), row["kind"].as_str().unwrap()))
        .collect();
    let expected = ["claude:claude", "codex:codex", "gemini:gemini", "mine:claude", "qwen:qwen"];
    assert_eq!(names[..5], expected);
    let show = house.run(&["agent", "show", "mine", "--json"]);
    let data = &show.json()["data"];
    assert_eq!(data["settings"]["model"], json!({ "value": "m1", "source": "user" }));
    assert!(data["env_names"].as_array().unwrap().contains(&json!("API_TOKEN")));
    assert!(!show.out.contains(SECRET), "names, not values");
    let page = house.run(&["agent", "show", "mine"]);
    assert!(page.code == 0 && page.out.contains("m1"), "{}{}", page.out, page.err);
    let none = house.run(&["agent", "show", "codx", "--json"]);
    let error = &none.json()["error"];
    assert_eq!((none.code, &error["code"]), (2, &json!("agent.no_such")));
    assert_eq!(error["details"]["nearest"], json!(["codex"]));
}

#[test]
fn settings_of_agents_are_shown_like_the_others() {
    let house = House::new();
    house.settings("[agents.codex]\nwall = \"10m\"\n");
    let row = |key: &str| house.run(&["config", "show", key, "--json"]).json()["data"][0].clone();
    let wall = row("agents.codex.wall");
    assert_eq!((&wall["value"], &wall["source"]), (&json!(600_000), &json!("user")));
    assert_eq!(row("agents.codex.access_max")["value"], "full");
    assert_eq!(row("agents.gemini.kind")["source"], "built_in");
    assert_eq!(row("collab.participants")["value"], json!(["codex", "gemini"]));
    let none = house.run(&["config", "show", "agents.codex.wal", "--json"]);
    assert_eq!(none.code, 2);
    assert_eq!(none.json()["error"]["details"]["nearest"][0], "agents.codex.wall");
}

#[test]
fn settings_that_no_launch_could_follow_are_refused_by_their_code() {
    let command = "[agents.x]\nkind = \"command\"\nargv = [\"p\", \"{nope}\"]\n";
    let table = [
        ("[agents.codex]\nargs = [\"--json\"]\n", "agent.invalid_args", "--json"),
        (command, "E002", "{prompt_file}"),
        ("[agents.codex]\nlite = true\n", "E_INVALID_ARGS", "codex"),
        ("[agents.codex]\nmodle = \"m\"\n", "E_INVALID_ARGS", "agents.codex.model"),
    ];
    for (text, code, part) in table {
        let house = House::new();
        house.settings(text);
        let ran = house.run(&["agent", "list", "--json"]);
        let error = &ran.json()["error"];
        assert_eq!((ran.code, error["code"].as_str().unwrap()), (2, code), "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn agents_of_a_file_that_nobody_trusts_are_not_there() {
    let house = House::new();
    let text = "[agents.theirs]\nkind = \"command\"\nargv = [\"/bin/true\"]\n";
    std::fs::write(house.work.join("loopwright.toml"), text).unwrap();
    let listed = || house.run(&["agent", "list"]).out.contains("theirs");
    assert!(!listed());
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    assert!(listed());
}
