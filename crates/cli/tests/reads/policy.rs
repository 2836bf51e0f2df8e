//! `policy rules|check|test` through the real binary: verdict, rule, parts, risks, exit codes, both
//! languages.

use crate::kit::House;

fn trusted() -> House {
    let house = House::new();
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    house
}

#[test]
fn a_verdict_is_told_and_exits() {
    let house = trusted();
    let table: [(&[&str], i32, &str, &str); 7] = [
        (&["git", "log", "--format=%h"], 0, "allow", "git-read"),
        (&["ruff", "format", "."], 0, "allow", "ruff-format"),
        (&["cargo", "fmt"], 0, "allow", "cargo-fmt"),
        (&["grep", "-r", "rm -rf", "."], 0, "allow", "grep-search"),
        (&["npm", "run", "lint"], 4, "ask", "run-asks"),
        (&["git", "reset", "--hard"], 4, "ask", "ehrb-destructive"),
        (&["rm", "-fr", "/"], 6, "deny", "whole-tree"),
    ];
    for (argv, code, verdict, rule) in table {
        let args = [&["policy", "check", "--json", "--"], argv].concat();
        let ran = house.run(&args);
        let data = &ran.json()["data"];
        assert_eq!(
            (ran.code, &data["verdict"], &data["rule"]),
            (code, &verdict.into(), &rule.into())
        );
    }
    let ran = house.run(&["policy", "check", "--json", "--", "sudo", "rm", "-r", "x"]);
    let data = &ran.json()["data"];
    assert_eq!(data["segments"].as_array().map(Vec::len), Some(2));
    assert_eq!(data["ehrb"][0]["type"], "permission");
    assert_eq!(data["ehrb"][1]["type"], "destructive");
    for (lang, word) in [("en", "denied by whole-tree"), ("zh-CN", "拒绝（whole-tree）")] {
        let ran = house.run(&["--lang", lang, "policy", "check", "--", "rm", "-rf", "."]);
        assert!(ran.out.contains(word), "{}", ran.out);
    }
}

#[test]
fn nothing_is_allowed_without_trust() {
    let ran = House::new().run(&["policy", "check", "--json", "--", "git", "log"]);
    assert_eq!((ran.code, &ran.json()["data"]["rule"]), (6, &"untrusted".into()));
}

const GOOD: &str = "[[policy.rule]]\nid = \"npm\"\ntool = \"run\"\nargv = [\"npm\", \"**\"]\n\
    verdict = \"allow\"\nmatch = [\"npm run lint\"]\nnot_match = [\"npx x\"]\n";

#[test]
fn a_file_of_rules_holds_by_its_examples() {
    let house = trusted();
    std::fs::write(house.work.join("good.toml"), GOOD).unwrap();
    assert_eq!(house.run(&["policy", "test", "good.toml"]).code, 0);
    let bad = GOOD.replace("npm run lint", "yarn lint");
    std::fs::write(house.work.join("bad.toml"), &bad).unwrap();
    let ran = house.run(&["policy", "test", "bad.toml"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("yarn lint"), "{}", ran.err);
    assert_eq!(house.run(&["policy", "test", "none.toml"]).code, 2);
}

#[test]
fn rules_of_the_user_count_and_those_of_the_workspace_once_a_person_saw_them() {
    let house = House::new();
    let user = house.home.join(".config/loopwright");
    std::fs::create_dir_all(&user).unwrap();
    std::fs::write(user.join("config.toml"), GOOD).unwrap();
    let own = GOOD.replace("npm", "make");
    std::fs::write(house.work.join("loopwright.toml"), &own).unwrap();
    let ran = house.run(&["workspace", "trust"]);
    assert!(ran.code == 0 && ran.out.contains("make: run make **"), "{}", ran.out);
    let check = |words: &[&str]| house.run(&[&["policy", "check", "--"], words].concat()).code;
    assert_eq!((check(&["npm", "run", "lint"]), check(&["make", "run", "lint"])), (0, 0));
    let other = own.replace("make", "just");
    std::fs::write(house.work.join("loopwright.toml"), other).unwrap();
    assert_eq!((check(&["make", "run", "lint"]), check(&["just", "run", "lint"])), (6, 6));
    std::fs::write(house.work.join("loopwright.toml"), own).unwrap();
    let bad = GOOD.replace("npm run lint", "yarn lint");
    std::fs::write(user.join("config.toml"), bad).unwrap();
    assert_eq!((check(&["npm", "test"]), check(&["git", "log"])), (6, 0));
    assert!(house.run(&["policy", "rules"]).out.contains("yarn lint"));
}

#[test]
fn a_workspace_opens_the_walls_only_by_what_was_listed() {
    let house = House::new();
    let user = house.home.join(".config/loopwright");
    std::fs::create_dir_all(&user).unwrap();
    let own = |text: &str| std::fs::write(user.join("config.toml"), text).unwrap();
    let held = || {
        ["mode", "write"].map(|name| {
            let ran = house.run(&["config", "show", &format!("sandbox.{name}"), "--json"]);
            ran.json()["data"][0]["value"].to_string().replace('"', "")
        })
    };
    own("[sandbox]\nmode = \"require\"\n");
    let theirs = "[sandbox]\nmode = \"off\"\nwrite = [\"/srv\"]\n[env]\npass = [\"A_TOKEN\"]\n";
    std::fs::write(house.work.join("loopwright.toml"), theirs).unwrap();
    assert_eq!(held(), ["require", "[]"]);
    let status = house.run(&["workspace", "status", "--json"]).json();
    assert_eq!(status["data"]["sandbox_loosened"][0]["key"], "sandbox.mode");
    assert_eq!(status["data"]["named"]["env.pass"][0], "A_TOKEN");
    let ran = house.run(&["workspace", "trust"]);
    let listed =
        ["sandbox.mode = \"off\"", "sandbox.write = [\"/srv\"]", "env.pass = [\"A_TOKEN\"]"];
    for line in listed.map(|line| format!("  {line}")) {
        assert!(ran.code == 0 && ran.out.contains(&line), "{}", ran.out);
    }
    assert_eq!(held(), ["off", "[/srv]"]);
    own("");
    assert_eq!(held(), ["off", "[/srv]"], "as it was listed");
    own("[sandbox]\nwrite = [\"/srv\", \"/opt\"]\n");
    assert_eq!(held(), ["prefer", "[/srv]"], "no longer what was listed");
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    assert_eq!(held(), ["off", "[/srv]"]);
    std::fs::write(house.work.join("loopwright.toml"), format!("{theirs}\n")).unwrap();
    assert_eq!(held(), ["prefer", "[/srv,/opt]"], "the settings changed");
}
