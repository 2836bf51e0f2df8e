//! A person's own window, from settings to answer: a real MCP server below the engine is asked
//! about a degraded result. What it says that is no answer is not lost, nor is that it failed.

use crate::kit::{House, until};
use crate::{scripted, settle};

const ANSWERS: &str = r#"
[[rule]]
steps = [ { session = "auto" }, { say = "use a queue" }, "end" ]
"#;
const REFUSED: &str = r#"
[[rule]]
steps = [ { session = "auto" },
          { error = { kind = "auth", status = 401, message = "status 401" } } ]
"#;
/// A window whose person says one thing after the other, the last again and again.
const WINDOW: &str = r#"
import json, sys
said = sys.argv[2:]
count = sys.argv[1]
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"],
                  "capabilities": {"tools": {}}, "serverInfo": {"name": "w", "version": "1"}}
    elif message.get("method") == "tools/call":
        with open(count, "a+") as file:
            file.write("x\n")
            file.seek(0)
            asked = len(file.readlines())
        text = said[min(asked, len(said)) - 1]
        result = {"content": [{"type": "text", "text": text}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"#;

/// A degraded run of a house whose window is this program, and its id.
fn asked(command: impl FnOnce(&House) -> Vec<String>) -> (House, String) {
    let house = House::new();
    let (alpha, beta) = (scripted(&house, "alpha", REFUSED), scripted(&house, "beta", ANSWERS));
    let who = "[collab.participant.codex]\nagent = \"alpha\"\n\
               [collab.participant.gemini]\nagent = \"beta\"\n";
    let window = format!("[ask.zhi]\nenabled = true\ncommand = {:?}\n", command(&house));
    settle(&house, &format!("{alpha}{beta}{who}{window}"));
    let start = ["collab", "start", "how?", "--role", "reviewer", "--no-wait"];
    let id = house.data(&start)["ext"]["run_id"].as_str().unwrap().to_owned();
    (house, id)
}

fn page(house: &House, id: &str, lang: &str) -> String {
    house.run(&["collab", "show", id, "--lang", lang]).out
}

#[test]
fn a_window_is_asked_and_its_answer_is_a_persons() {
    let (house, id) = asked(|house| {
        let file = house.home.join("window.py");
        std::fs::write(&file, WINDOW).unwrap();
        let path = |name: &str| house.home.join(name).to_str().unwrap().to_owned();
        let said = ["不要使用降级结果", "选择的选项: 使用降级结果\n\n够用"];
        let mut command = vec!["/usr/bin/python3".to_owned(), path("window.py"), path("count")];
        command.extend(said.map(str::to_owned));
        command
    });
    until("it is decided", || house.data(&["collab", "show", &id])["state"] == "SUCCESS");
    let result = house.data(&["collab", "result", &id]);
    assert_eq!(result["ext"]["degraded"], true, "{result}");
    assert_eq!(result["degraded_level"], "ACCEPTABLE", "{result}");
    for (lang, words) in [("en", "said at your own window"), ("zh-CN", "在您自己的窗口中说了")]
    {
        let page = page(&house, &id, lang);
        assert!(page.contains(words) && page.contains("不要使用降级结果"), "{page}");
    }
    assert_eq!(std::fs::read_to_string(house.home.join("count")).unwrap().lines().count(), 2);
}

#[test]
fn a_window_that_fails_is_told_and_the_question_stays() {
    let (house, id) = asked(|_| vec!["/no/such/window".to_owned()]);
    until("it is told", || page(&house, &id, "en").contains("your own window could not ask"));
    assert!(page(&house, &id, "zh-CN").contains("窗口无法提问"));
    let open = house.data(&["questions"]);
    assert_eq!(open[0]["run_id"], id.as_str(), "{open}");
    assert_eq!(house.run(&["collab", "confirm", &id]).code, 0);
}
