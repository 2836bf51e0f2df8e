//! `doctor --live`: a real call of each agent that is ready, told before it is made.

use crate::kit::House;
use crate::{program, scripted, settle};

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

/// A claude that answers, and before that does what stands for `TRIES`.
const CLAUDE: &str = r#"case "$*" in
*--version*) echo 2.1.325 ;;
*--help*) echo '-p --output-format --verbose --setting-sources --permission-mode --resume --model' \
    '--disallowedTools --mcp-config --strict-mcp-config --allowedTools' ;;
*) cat > /dev/null
while [ $# -gt 0 ]; do [ "$1" = --mcp-config ] && file=$2; shift; done
TRIES
echo '{"type":"system","subtype":"init","session_id":"01a1e071-b39d-7503-86fc-e537e9e678d6"}'
echo '{"type":"result","is_error":false,"num_turns":2,"result":"ready"}' ;;
esac"#;
/// Calls one of the tools it was told of.
const CALLS: &str = r#"server=$(sed 's/.*"command":"\([^"]*\)".*/\1/' "$file")
params='{"name":"policy_check","arguments":{"argv":["true"]}}'
echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'"$params"'}' |
    "$server" mcp --call "$LOOPWRIGHT_CALL_ID" > /dev/null"#;

/// Only a call that comes shows that an agent's program lets our tools be called.
#[test]
fn an_agent_that_works_through_our_tools_must_call_one() {
    let words = ["its call of our tools came", "调用已到达"];
    let none = ["it called none of our tools", "没有调用我们的任何工具"];
    for (tries, came, words) in [(CALLS, true, words), (":", false, none)] {
        let house = House::new();
        std::fs::create_dir(house.home.join(".claude")).unwrap();
        let bin = program(&house, "claude", &CLAUDE.replace("TRIES", tries));
        settle(&house, &format!("[agents.claude]\nbin = \"{bin}\"\ntools = true\n"));
        let live = |more: &[&str]| {
            let mut command = house.command(&[&["doctor", "claude", "--live"], more].concat());
            command.env("ANTHROPIC_API_KEY", "k-123456789").output().unwrap()
        };
        let told = live(&["--json"]);
        let value: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
        let row = &value["data"]["agents"][0]["live"];
        assert_eq!((&row["ok"], &row["tools"]), (&true.into(), &came.into()), "{value}");
        assert_eq!(value["data"]["ready"], came, "{value}");
        assert_eq!(told.status.code(), Some(i32::from(!came)), "{value}");
        for (lang, words) in ["en", "zh-CN"].into_iter().zip(words) {
            let page = String::from_utf8(live(&["--lang", lang]).stdout).unwrap();
            assert!(page.contains(words), "{page}");
        }
    }
}
