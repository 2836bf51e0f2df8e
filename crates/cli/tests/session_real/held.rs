//! What belongs to a session while it works, and what it leaves behind: packages that it holds, the
//! way back, and a knowledge base that nobody wants.

use serde_json::json;

use super::flows::{TWEAKER, WISH, designer};
use super::kit::until;
use super::ways::{answer, asked, until_idle};
use super::{git, house, told, var};

const SMALL: &str = "change the text in main.sh from `one` to `one two`";

#[test]
fn a_package_that_a_session_holds_is_that_sessions() {
    let house = house(&designer(0));
    let wish = ["auto", WISH, "--answer", "complexity=interactive"];
    assert_eq!(told(&house, &wish).0, 4);
    asked(&house, "session.design_done");
    let made = var(&house, "CREATED_PACKAGE");
    let name = made.as_str().unwrap().trim_end_matches('/').rsplit('/').next().unwrap();
    let listed = house.data(&["package", "list"]);
    let own = house.data(&["status"]);
    assert_eq!(listed[0]["held_by"], own["session_id"], "{listed}");
    assert_eq!(own["reply_state"], "waiting", "{own}");
    let ran = house.run(&["package", "archive", name, "--json", "--headless"]);
    assert_eq!(
        (ran.code, &ran.json()["error"]["code"]),
        (3, &json!("session.package_in_use")),
        "{ran:?}"
    );
    // Asked for as a bare tool it is the engine that says so, and marks are not asked for at all.
    let tool = |operation: serde_json::Value| {
        let mut args = operation;
        (args["root"], args["lang"]) = (json!("loopwright"), json!("en"));
        let ran = house.run(&[
            "tool",
            "run",
            "package",
            "--args",
            &args.to_string(),
            "--json",
            "--headless",
        ]);
        (ran.json()["error"]["code"].clone(), ran)
    };
    let at = "2026-01-22 11:00";
    for operation in [
        json!({ "operation": "archive", "name": name, "at": at }),
        json!({ "operation": "clean", "names": [name], "at": at }),
    ] {
        let (code, ran) = tool(operation);
        assert_eq!(code, "session.package_in_use", "{ran:?}");
        assert_eq!(ran.json()["error"]["details"]["holder"], own["session_id"], "{ran:?}");
    }
    let task = json!({ "id": "1.1", "status": "completed" });
    let (code, ran) = tool(json!({ "operation": "mark", "name": name, "tasks": [task] }));
    assert_eq!(code, "E_INVALID_ARGS", "{ran:?}");
    assert!(house.has(made.as_str().unwrap()), "moved from under its session");
    // Another branch has another session, which cannot pick it either.
    git(&house, &["checkout", "-q", "-b", "other"]);
    let failed = |args: &[&str]| {
        let (code, value) = told(&house, args);
        assert_eq!(code, 1, "{value}");
        value["data"]["last"]["detail"]["failed"]["code"].clone()
    };
    assert_eq!(failed(&["exec", name]), "package_in_use");
    git(&house, &["checkout", "-q", "main"]);
    answer(&house, "session.design_done", &["run"]);
    assert_eq!(until_idle(&house)["how"], "completed");
    assert_eq!(house.data(&["status"])["reply_state"], "complete");
    assert_eq!(failed(&["exec", name]), "package_archived");
}

#[test]
fn the_way_back_is_the_sessions() {
    let house = house(TWEAKER);
    let (code, value) = told(&house, &["rollback"]);
    assert_eq!((code, &value["result"]), (1, &json!("failed")), "{value}");
    assert_eq!(house.run(&["checkpoint", "create"]).code, 0);
    let listed = house.data(&["checkpoint", "list"]);
    let first = listed[0]["name"].as_str().unwrap().to_owned();
    for n in 1..=2 {
        assert_eq!(told(&house, &["say", SMALL, "--yes"]).0, 0);
        assert_eq!(house.read("main.sh"), "echo one two\n");
        // Typed bare it asks where to; with a name it shows the plan.
        let args: &[&str] = if n == 1 { &["rollback"] } else { &["rollback", &first] };
        let (code, value) = told(&house, args);
        assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
        if n == 1 {
            let targets = asked(&house, "session.rollback_target");
            let last = targets["options"].as_array().unwrap().len() - 1;
            answer(&house, "session.rollback_target", &[&format!("version_{last}")]);
        }
        let (code, value) = told(&house, &["auto", "x"]);
        assert_eq!(code, 3, "only one at a time: {value}");
        answer(&house, "session.rollback_risk", &["confirm"]);
        assert_eq!(until_idle(&house)["verdict"], "passed");
        assert_eq!(house.read("main.sh"), "echo one\n");
        let log = house.read("loopwright/CHANGELOG.md");
        assert_eq!(log.matches("rolled back to").count(), n, "each has its entry: {log}");
    }
    let log = house.read("loopwright/CHANGELOG.md");
    assert!(log.contains("main.sh:1-1"), "{log}");
    let (code, value) = told(&house, &["rollback", "no-such-checkpoint"]);
    assert_eq!(code, 1, "{value}");
    assert_eq!(value["data"]["last"]["detail"]["failed"]["code"], "target_not_found", "{value}");
}

#[test]
fn a_base_that_is_switched_off_is_not_made_for_a_line() {
    let house = house(TWEAKER);
    let file = house.home.join("config/loopwright/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}[kb]\ncreate_mode = 0\n")).unwrap();
    assert_eq!(house.run(&["checkpoint", "create"]).code, 0);
    let ran = house.run(&["say", SMALL, "--yes", "--headless"]);
    assert!(ran.code == 0 && ran.out.contains("CHANGELOG: ⚠️"), "{ran:?}");
    assert_eq!(house.read("main.sh"), "echo one two\n");
    assert!(!house.has("loopwright"), "nobody wanted it");
    assert_eq!(told(&house, &["rollback"]).0, 4);
    let targets = asked(&house, "session.rollback_target");
    let last = targets["options"].as_array().unwrap().len() - 1;
    answer(&house, "session.rollback_target", &[&format!("version_{last}")]);
    answer(&house, "session.rollback_risk", &["confirm"]);
    assert_eq!(until_idle(&house)["verdict"], "passed");
    assert!(house.read("main.sh") == "echo one\n" && !house.has("loopwright"));
}

#[test]
fn what_is_edited_after_a_yes_is_asked_again() {
    let house = house(&designer(0));
    let wish = ["auto", WISH, "--answer", "complexity=interactive"];
    assert_eq!(told(&house, &wish).0, 4);
    let first = asked(&house, "session.design_done");
    // The commit holds what the yes would begin.
    assert_eq!(told(&house, &["commit"]).0, 4);
    answer(&house, "session.design_done", &["run"]);
    until("approved", || !var(&house, "CURRENT_PACKAGE").is_null());
    let package = var(&house, "CURRENT_PACKAGE").as_str().unwrap().to_owned();
    let tasks = format!("{package}tasks.md");
    house.write(&tasks, &house.read(&tasks).replace("Write hello.txt", "Write hello.txt twice"));
    answer(&house, "session.commit_how", &["cancel"]);
    until("asked again", || asked(&house, "session.design_done")["id"] != first["id"]);
    assert!(!house.has("hello.txt"), "it ran without a yes");
    answer(&house, "session.design_done", &["run"]);
    assert_eq!(until_idle(&house)["how"], "completed");
    assert_eq!(house.read("hello.txt"), "hello\n");
}
