//! The workspace over HTTP: how it stands, what lies in it, checkpoints and the way back, policy,
//! grants, agents.

use serde_json::{Value, json};

use crate::kit::House;

#[test]
fn the_workspace_is_shown_trusted_and_swept() {
    let house = House::new();
    house.write("lib.rs", "pub fn find_me() {}\n");
    let shown = house.get("/api/v1/workspace").json();
    assert_eq!((&shown["trust"], &shown["state_dir"]), (&json!("trusted"), &json!("ours")));
    house.write("loopwright.toml", "[run]\nmemory = \"4GiB\"\n");
    assert_eq!(house.get("/api/v1/workspace").json()["trust"], "changed");
    let refused = house.ask("POST", "/api/v1/loops", &json!({ "title": "x" }));
    assert_eq!(refused.json()["code"], "workspace.untrusted", "{refused:?}");
    let given = house.ask("POST", "/api/v1/workspace/trust", &Value::Null);
    assert_eq!((given.status, &given.json()["trust"]), (200, &json!("trusted")), "{given:?}");
    assert_eq!(house.ask("POST", "/api/v1/loops", &json!({ "title": "x" })).status, 201);
    let ours = house.ask("POST", "/api/v1/workspace/adopt", &Value::Null);
    assert_eq!((ours.status, &ours.json()["code"]), (409, &json!("workspace.not_now")));
    let swept = house.ask("POST", "/api/v1/workspace/gc", &json!({ "dry_run": true }));
    assert_eq!((swept.status, &swept.json()["done"]), (200, &Value::Null), "{swept:?}");
    let swept = house.ask("POST", "/api/v1/workspace/gc", &Value::Null);
    assert_eq!((swept.status, &swept.json()["done"]["removed"]), (200, &json!(0)), "{swept:?}");
    assert_eq!(house.ask("POST", "/api/v1/workspace/gc", &json!({ "dry": true })).status, 422);
    let map = house.get("/api/v1/workspace/map");
    assert!(map.status == 200 && map.text.contains("find_me"), "{map:?}");
    let found = house.get("/api/v1/workspace/search?query=find_me");
    assert_eq!((found.status, &found.json()["hits"][0]["path"]), (200, &json!("lib.rs")));
    let calls = house.get("/api/v1/calls").json();
    assert_eq!(calls, json!([]), "looking leaves no record");
    let bad = house.get("/api/v1/workspace/search?query=(&kind=regex");
    assert_eq!((bad.status, &bad.json()["class"]), (422, &json!("E_INVALID_ARGS")), "{bad:?}");
}

#[test]
fn a_checkpoint_is_gone_back_to_by_the_plan_that_was_shown() {
    let house = House::new();
    house.write("a.txt", "before\n");
    let made = house.ask("POST", "/api/v1/checkpoints", &json!({ "label": "first" }));
    assert_eq!(made.status, 201, "{made:?}");
    let list = house.get("/api/v1/checkpoints").json();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["label"]), (1, &json!("first")));
    let name = list[0]["name"].as_str().unwrap();
    let shown = house.get(&format!("/api/v1/checkpoints/{name}")).json();
    assert!(shown["files"].as_array().unwrap().contains(&json!("a.txt")), "{shown}");
    assert_eq!(house.get("/api/v1/checkpoints/chk-none").status, 404);
    let read = house.ask("POST", "/api/v1/tools/read", &json!({ "path": "a.txt" })).json();
    let expect = json!({ "a.txt": read["payload"]["sha256"] });
    let args = json!({ "path": "a.txt", "old": "before", "new": "after", "expect": expect });
    let patched = house.ask("POST", "/api/v1/tools/apply_patch", &args);
    assert_eq!((patched.status, &patched.json()["result"]), (200, &json!("ok")), "{patched:?}");
    let diff = house.get(&format!("/api/v1/checkpoints/{name}/diff"));
    assert!(diff.status == 200 && diff.text.contains("a.txt"), "{diff:?}");
    let later = house.ask("POST", "/api/v1/checkpoints", &json!({ "label": "later" }));
    assert_eq!(later.status, 201, "{later:?}");
    let way = json!({ "to": name, "conflicts": "keep" });
    let plan = house.ask("POST", "/api/v1/rollbacks/plan", &way);
    assert_eq!(plan.status, 200, "{plan:?}");
    let plan = plan.json();
    assert_eq!(plan["actions"][0]["action"], "restore", "{plan}");
    let wrong = json!({ "plan_hash": "0".repeat(64), "to": name });
    let wrong = house.ask("POST", "/api/v1/rollbacks", &wrong).json();
    assert_eq!(wrong["error"]["code"], "workspace.plan_changed", "{wrong}");
    assert_eq!(std::fs::read_to_string(house.work.join("a.txt")).unwrap(), "after\n");
    // The hash alone says which plan it is, also where another checkpoint is the newest by now.
    let done = house.ask("POST", "/api/v1/rollbacks", &json!({ "plan_hash": plan["plan_hash"] }));
    assert_eq!((done.status, &done.json()["result"]), (200, &json!("ok")), "{done:?}");
    assert_eq!(std::fs::read_to_string(house.work.join("a.txt")).unwrap(), "before\n");
    let id = done.json()["rollback_id"].as_str().unwrap().to_owned();
    let told = house.get(&format!("/api/v1/rollbacks/{id}"));
    assert_eq!((told.status, &told.json()["payload"]), (200, &done.json()["payload"]), "{told:?}");
    assert_eq!(house.get("/api/v1/rollbacks/rb-none").status, 404);
    let call = patched.json()["call"].as_str().unwrap().replace("call-", "rb-");
    assert_eq!(house.get(&format!("/api/v1/rollbacks/{call}")).status, 404, "no rollback");
}

#[test]
fn policy_and_grants() {
    let house = House::new();
    let check = |body: &Value| house.ask("POST", "/api/v1/policy/check", body);
    for (argv, verdict) in [
        (json!(["git", "status"]), "allow"),
        (json!(["git", "push", "--force"]), "ask"),
        (json!(["rm", "-rf", "/"]), "deny"),
    ] {
        let told = check(&json!({ "argv": argv }));
        assert_eq!((told.status, &told.json()["verdict"]), (200, &json!(verdict)), "{argv}");
    }
    assert_eq!(check(&json!({})).status, 422);
    let id = house.create(&["sh gate.sh one"]);
    house.ask("POST", &format!("/api/v1/loops/{id}/start"), &Value::Null);
    house.until_began("one");
    let grants = house.get("/api/v1/grants").json();
    let grant = grants[0]["grant_id"].as_str().unwrap_or_else(|| panic!("{grants}")).to_owned();
    let one = house.get(&format!("/api/v1/grants/{grant}"));
    assert_eq!((one.status, &one.json()["state"]), (200, &json!("live")), "{one:?}");
    let held = house.ask("DELETE", &format!("/api/v1/grants/{grant}"), &Value::Null);
    assert_eq!((held.status, &held.json()["code"]), (409, &json!("policy.not_now")), "{held:?}");
    assert_eq!(house.get("/api/v1/grants/gr-none").status, 404);
    house.ask("POST", &format!("/api/v1/loops/{id}/stop"), &Value::Null);
    crate::kit::until("it is over", || house.get("/api/v1/grants").json() == json!([]));
    house.write("old.txt", "x");
    let asks = house.ask("POST", "/api/v1/tools/run", &json!({ "argv": ["rm", "-r", "old.txt"] }));
    let call = asks.json()["run_id"].as_str().unwrap().to_owned();
    let yes = house.ask("POST", &format!("/api/v1/calls/{call}/allow"), &Value::Null);
    assert_eq!(yes.status, 200, "{yes:?}");
    crate::kit::until("it is used", || {
        house.get("/api/v1/grants?all=true").json()[0]["state"] == "spent"
    });
    let spent = house.get("/api/v1/grants?all=true").json()[0]["grant_id"].clone();
    let path = format!("/api/v1/grants/{}", spent.as_str().unwrap());
    assert_eq!(house.get(&path).json()["scope"], "once");
    let over = house.ask("DELETE", &path, &Value::Null);
    assert_eq!((over.status, &over.json()["code"]), (409, &json!("policy.not_now")), "{over:?}");
}

#[test]
fn agents_are_listed_and_asked() {
    let house = House::new();
    let list = house.get("/api/v1/agents").json();
    let names: Vec<&str> =
        list.as_array().unwrap().iter().map(|one| one["agent"].as_str().unwrap()).collect();
    assert!(names.contains(&"codex"), "{names:?}");
    let one = house.get("/api/v1/agents/codex");
    assert_eq!((one.status, &one.json()["kind"]), (200, &json!("codex")), "{one:?}");
    let none = house.get("/api/v1/agents/nobody");
    assert_eq!((none.status, &none.json()["code"]), (404, &json!("agent.no_such")), "{none:?}");
    let ask =
        |name: &str, body: &Value| house.ask("POST", &format!("/api/v1/agents/{name}/calls"), body);
    let none = ask("nobody", &json!({ "task": "x" }));
    assert_eq!((none.status, &none.json()["code"]), (404, &json!("agent.no_such")), "{none:?}");
    assert_eq!(ask("codex", &json!({})).status, 422);
    let made = ask("codex", &json!({ "task": "Which?", "access": "read" }));
    assert_eq!((made.status, &made.json()["machine"]), (202, &json!("call")), "{made:?}");
    let call = made.json()["run_id"].as_str().unwrap().to_owned();
    // The program is not there, which is how it ends.
    crate::kit::until("it ends", || {
        house.get(&format!("/api/v1/calls/{call}")).json()["state"] == "Settled"
    });
    let ended = house.get(&format!("/api/v1/calls/{call}")).json();
    assert_eq!(ended["outcome"], "failed", "{ended}");
    let looked = house.ask("POST", "/api/v1/doctor", &json!({ "agents": ["codex"] }));
    assert_eq!((looked.status, &looked.json()["ready"]), (200, &json!(false)), "{looked:?}");
    assert_eq!(looked.json()["agents"][0]["state"], "missing");
    let whole = house.ask("POST", "/api/v1/doctor", &Value::Null).json();
    assert_eq!(whole["journal"]["state"], "sound", "{whole}");
    assert!(whole["sandbox"]["level"].is_string() && whole["git"]["path"].is_string(), "{whole}");
}
