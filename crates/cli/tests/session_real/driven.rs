//! A session whose development a loop drives: where the loop stands still by itself, whoever waits
//! for the session is asked.

use serde_json::json;

use super::flows::{WISH, designer};
use super::kit::until;
use super::{house, told};

#[test]
fn a_loop_that_pauses_by_itself_asks_and_the_session_waits() {
    let house = house(&designer(0));
    let config = house.home.join("config/loopwright/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    let text = text.replace("[session]\n", "[session]\ndriver = \"loop\"\n");
    let debug = "[loop.debug]\nmax_rounds = 0\nmax_fix_tasks = 0\n";
    std::fs::write(&config, format!("{text}{debug}")).unwrap();
    // Nothing that is designed here makes it green.
    let check = std::fs::read_to_string(house.work.join("loopwright.toml")).unwrap();
    house.write("loopwright.toml", &check.replace("\"one\"", "\"mended\""));
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    let (code, value) = told(&house, &["auto", WISH, "--yes"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let open = house.data(&["questions"]);
    let question = &open[0];
    assert_eq!(
        (&question["kind"], &question["options"][0]["key"]),
        (&json!("loop.paused"), &json!("resume")),
        "{open}"
    );
    assert!(question["above"][0].as_str().unwrap().starts_with("session-"), "{question}");
    assert_eq!(question["about"].as_str().unwrap().split(':').next(), Some("stuck"), "{question}");
    let (id, run) = (question["id"].as_str().unwrap(), question["run_id"].as_str().unwrap());
    house.write("main.sh", "echo mended\n");
    house.data(&["answer", id, "resume"]);
    until("it goes on", || house.show(run)["status"] == "completed");
}
