//! The menu of an interactive loop and the question about an unverified end, with nobody at a
//! terminal: the question is told, the exit code is 4, and `loop answer` goes on.

use serde_json::json;

use crate::kit::{House, until};

#[test]
fn the_menu_waits_and_is_answered() {
    let house = House::new();
    let ran = house.run(&["loop", "run", "x", "--task", "touch proof"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    for part in ["What next?", "1. develop", "6. exit", "loopwright loop answer loop-"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let id = house.data(&["loop", "list"])["loops"][0]["loop_id"].as_str().unwrap().to_owned();
    let menu = || until("the menu", || !house.show(&id)["ext"]["waiting"].is_null());
    for (key, code) in [("9", "loop.unknown_option"), ("x", "loop.unknown_option")] {
        let ran = house.run(&["loop", "answer", &id, key, "--json"]);
        assert_eq!((ran.code, &ran.json()["error"]["code"]), (2, &json!(code)), "{key}: {ran:?}");
    }
    house.data(&["loop", "answer", &id, "status"]);
    assert_eq!(house.show(&id)["current_iteration"], 0, "a look changes nothing");
    let early = house.run(&["loop", "answer", &id, "complete", "--json"]);
    assert_eq!(early.json()["error"]["code"], "loop.validation_required", "{early:?}");
    house.data(&["loop", "answer", &id, "1"]);
    menu();
    assert!(house.has("proof"));
    let shown = house.run(&["loop", "answer", &id, "4"]);
    assert!(shown.out.contains("touch proof") && !shown.out.contains("<!--"), "{shown:?}");
    let none = house.run(&["loop", "answer", &id, "develop", "--json"]);
    assert_eq!(none.json()["error"]["code"], "loop.nothing_pending", "{none:?}");
    house.data(&["loop", "answer", &id, "validate"]);
    menu();
    house.data(&["loop", "answer", &id, "exit"]);
    assert_eq!(house.show(&id)["ext"]["pause"]["reason"], "user_exit");
    house.data(&["loop", "resume", &id]);
    menu();
    house.data(&["loop", "answer", &id, "complete"]);
    house.until_status(&id, "completed");
    let late = house.run(&["loop", "answer", &id, "1", "--json"]);
    assert_eq!((late.code, &late.json()["error"]["code"]), (3, &json!("loop.question_closed")));
}

#[test]
fn the_mode_can_change_on_the_way() {
    let house = House::new();
    let ran = house.run(&["loop", "run", "x", "--interactive", "--task", "touch proof", "--json"]);
    assert_eq!((ran.code, &ran.json()["result"]), (4, &json!("waiting")), "{ran:?}");
    let id = ran.json()["data"]["loop_id"].as_str().unwrap().to_owned();
    house.data(&["loop", "mode", &id, "auto"]);
    house.until_status(&id, "completed");
}

#[test]
fn an_unreadable_check_is_a_persons_to_judge() {
    let house = House::new();
    house.write(
        "loopwright.toml",
        "[loop.validate]\ncommands = [{ argv = [\"true\"], parser = \"auto\" }]\n",
    );
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    let ran = house.run(&["loop", "run", "x", "--auto", "--task", "true"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.out.contains("1. accept") && ran.out.contains("validate_again"), "{}", ran.out);
    let id = house.data(&["loop", "list"])["loops"][0]["loop_id"].as_str().unwrap().to_owned();
    let hash = house.data(&["questions"])[0]["hash"].as_str().unwrap().to_owned();
    assert!(ran.out.contains(&format!("--hash {hash}")), "{}", ran.out);
    let unseen = house.run(&["loop", "answer", &id, "accept", "--json"]);
    assert_eq!((unseen.code, &unseen.json()["error"]["code"]), (2, &json!("loop.invalid_args")));
    let other = house.run(&["loop", "answer", &id, "accept", "--hash", "0000", "--json"]);
    assert_eq!((other.code, &other.json()["error"]["code"]), (7, &json!("loop.stale_approval")));
    house.data(&["loop", "answer", &id, "accept", "--hash", &hash]);
    house.until_status(&id, "completed");
}
