//! Our server entered in other clients' settings: shown, asked for at a real terminal, and written
//! with a copy of what was there.

use serde_json::{Value, json};

use crate::kit::House;
use crate::seat::Seat;

#[test]
fn nothing_is_written_unasked_and_unknown_clients_are_named() {
    let house = House::new();
    for client in ["codex", "gemini", "claude", "qwen"] {
        let ran = house.run(&["mcp", "install", client, "--json"]);
        let data = &ran.json()["data"];
        assert_eq!((ran.code, &data["state"]), (4, &json!("waiting")), "{ran:?}");
        assert!(data["entry"].as_str().unwrap().contains("mcp"), "{ran:?}");
        let path = data["path"].as_str().unwrap().strip_prefix("~/").unwrap();
        assert!(!house.home.join(path).exists(), "{path}");
    }
    let ran = house.run(&["mcp", "install", "codx", "--json"]);
    let error = &ran.json()["error"];
    assert_eq!((ran.code, &error["code"]), (2, &json!("E_INVALID_ARGS")), "{ran:?}");
    assert!(error["next_step"].as_str().unwrap().contains("codex"), "{ran:?}");
}

#[test]
fn a_yes_writes_it_and_keeps_the_old_file() {
    let house = House::new();
    let file = house.home.join(".gemini/settings.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let before = "{ \"theme\": \"mine\" }\n";
    std::fs::write(&file, before).unwrap();
    let text = || std::fs::read_to_string(&file).unwrap();
    for (answer, exit) in [("yes please", 130), ("n", 130), ("y", 0)] {
        assert_eq!(text(), before, "{answer}");
        let mut seat = Seat::take(&house, &["mcp", "install", "gemini"]);
        seat.sees("[y/N]");
        seat.types(answer);
        assert_eq!(seat.leaves(), exit, "{answer}");
    }
    let now: Value = serde_json::from_str(&text()).unwrap();
    assert_eq!(now["mcpServers"]["loopwright"]["args"], json!(["mcp"]));
    assert_eq!(now["theme"], "mine");
    let copy = house.home.join(".gemini/settings.json.before-loopwright");
    assert_eq!(std::fs::read_to_string(copy).unwrap(), before);
    let again = house.run(&["mcp", "install", "gemini", "--json"]);
    assert_eq!((again.code, &again.json()["data"]["state"]), (0, &json!("unchanged")));
}

#[test]
fn a_file_that_changes_while_it_is_looked_at_stays() {
    let house = House::new();
    let file = house.home.join(".claude.json");
    std::fs::write(&file, "{}").unwrap();
    let mut seat = Seat::take(&house, &["mcp", "install", "claude"]);
    seat.sees("[y/N]");
    std::fs::write(&file, "{\"other\": 1}").unwrap();
    seat.types("y");
    assert_eq!(seat.leaves(), 7);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\"other\": 1}");
    std::fs::write(&file, "{ // a comment\n}").unwrap();
    let ran = house.run(&["mcp", "install", "claude", "--json"]);
    assert_eq!((ran.code, &ran.json()["error"]["code"]), (2, &json!("E_INVALID_ARGS")), "{ran:?}");
}
