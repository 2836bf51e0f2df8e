//! `doctor --live`: a real call of each agent that is ready, told before it is made.

use crate::kit::House;
use crate::{scripted, settle};

const READY: &str = r#"
effects = "${CWD}/../effects.jsonl"
[[rule]]
when = "ready"
steps = [ { session = "auto" }, { effect = "asked" }, { say = "ready" },
          { usage = { input_tokens = 7, output_tokens = 1 } }, "end" ]
"#;
const REFUSED: &str = r#"
[[rule]]
steps = [ { session = "auto" },
          { error = { kind = "auth", status = 401, message = "status 401" } } ]
"#;

#[test]
fn each_agent_that_is_ready_is_asked_one_word() {
    let house = House::new();
    let (good, bad) = (scripted(&house, "good", READY), scripted(&house, "bad", REFUSED));
    settle(&house, &format!("{good}{bad}[agents.codex]\nbin = \"/no/such/codex\"\n"));
    let plain = house.run(&["doctor", "good", "--json"]);
    assert_eq!(plain.code, 0, "{plain:?}");
    assert!(plain.json()["data"]["agents"][0]["live"].is_null(), "nobody asked for it: {plain:?}");
    assert_eq!(house.data(&["call", "list"]).as_array().unwrap().len(), 0, "no model was asked");
    let live = house.run(&["doctor", "good", "--live", "--json"]);
    let row = &live.json()["data"]["agents"][0]["live"];
    assert_eq!((live.code, &row["ok"]), (0, &true.into()), "{live:?}");
    assert!(row["session_id"].is_string(), "{row}");
    assert_eq!(row["usage"]["input_tokens"], 7, "{row}");
    assert!(live.err.contains("may charge"), "told first: {live:?}");
    let calls = house.data(&["call", "list"]);
    assert_eq!(calls.as_array().unwrap().len(), 1, "one call, recorded: {calls}");
    let call = house.data(&["call", "show", calls[0]["run_id"].as_str().unwrap()]);
    let asked = &call["args"]["agent"];
    assert_eq!((&asked["name"], &asked["access"]), (&"good".into(), &"read".into()), "{call}");
    assert!(asked["prompt"].as_str().unwrap().contains("ready"), "{asked}");
    let failed = house.run(&["doctor", "bad", "--live", "--json"]);
    let row = &failed.json()["data"]["agents"][0]["live"];
    assert_eq!((failed.code, &row["kind"]), (1, &"auth".into()), "{failed:?}");
    let missing = house.run(&["doctor", "codex", "--live", "--json"]);
    assert_eq!(missing.code, 1, "{missing:?}");
    assert!(!missing.err.contains("may charge"), "nobody to ask: {missing:?}");
    let page = house.run(&["doctor", "good", "--live"]);
    assert!(page.out.contains("good: answered; session"), "{page:?}");
}
