//! Calls over HTTP: what they are and print, a person's word to them, and traces.

use serde_json::{Value, json};

use crate::kit::{House, until};

fn at(call: &str, rest: &str) -> String {
    format!("/api/v1/calls/{call}{rest}")
}

fn tool(house: &House, name: &str, args: &Value) -> Value {
    let answer = house.ask("POST", &format!("/api/v1/tools/{name}"), args);
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

#[test]
fn output_comes_in_parts_without_secrets() {
    let house = House::new();
    let line = format!("the door opens to {} and 中\n", house.token);
    house.write("notes.txt", &line.repeat(3000));
    let ran = tool(&house, "run", &json!({ "argv": ["cat", "notes.txt"] }));
    assert_eq!((&ran["result"], &ran["payload"]["exit_code"]), (&json!("ok"), &json!(0)), "{ran}");
    let call = ran["call"].as_str().unwrap();
    let (mut whole, mut from, mut parts) = (String::new(), 0, 0);
    loop {
        let part = house.get(&at(call, &format!("/output?stream=stdout&from={from}"))).json();
        assert_eq!(part["from"], from, "{part}");
        whole.push_str(part["text"].as_str().unwrap());
        from = part["next"].as_u64().unwrap();
        parts += 1;
        if part["end"] == true {
            break;
        }
    }
    assert!(parts > 1, "{parts}");
    assert_eq!(whole, line.replace(&house.token, "«redacted:door»").repeat(3000));
    let none = house.get(&at(call, "/output?stream=stderr")).json();
    assert_eq!((&none["text"], &none["end"]), (&json!(""), &json!(true)), "{none}");
    for (query, status) in [("?stream=odd", 422), ("?from=x", 422), ("?from=99999999", 200)] {
        assert_eq!(house.get(&at(call, &format!("/output{query}"))).status, status, "{query}");
    }
    let list = house.get("/api/v1/calls?state=settled").json();
    assert_eq!(list[0]["run_id"], call, "{list}");
    assert_eq!(house.get("/api/v1/calls?state=odd").status, 422);
    assert_eq!(house.get("/api/v1/calls?run=none").status, 404);
    let one = house.get(&at(call, ""));
    assert_eq!((one.status, &one.json()["name"]), (200, &json!("run")), "{one:?}");
    assert!(!one.text.contains(&house.token));
    let gone = house.get(&at("call-none", ""));
    assert_eq!((gone.status, &gone.json()["code"]), (404, &json!("call.no_such")));
}

#[test]
fn a_call_is_taken_back_as_its_plan_says() {
    let house = House::new();
    let args = json!({ "path": "new.txt", "text": "one", "mode": "create" });
    let wrote = tool(&house, "write", &args);
    let call = wrote["call"].as_str().unwrap();
    assert_eq!(std::fs::read_to_string(house.work.join("new.txt")).unwrap(), "one");
    let plan = house.get(&at(call, "/undo")).json();
    assert_eq!((&plan["calls"], &plan["conflicts"]), (&json!([call]), &json!([])), "{plan}");
    assert!(house.work.join("new.txt").exists(), "a plan touches nothing");
    house.write("new.txt", "mine");
    let plan = house.get(&at(call, "/undo")).json();
    assert_eq!(plan["conflicts"].as_array().unwrap().len(), 1, "{plan}");
    let refused = house.ask("POST", &at(call, "/undo"), &Value::Null);
    assert_eq!((refused.status, &refused.json()["error"]["class"]), (200, &json!("E_CONFLICT")));
    assert_eq!(std::fs::read_to_string(house.work.join("new.txt")).unwrap(), "mine");
    let back = house.ask("POST", &at(call, "/undo"), &json!({ "force": true }));
    assert_eq!((back.status, &back.json()["call"]), (200, &json!(call)), "{back:?}");
    assert!(!house.work.join("new.txt").exists());
    let twice = house.ask("POST", &at(call, "/undo"), &Value::Null);
    assert_eq!(twice.status, 409, "{twice:?}");
    assert_eq!(house.get(&at(call, "/undo")).status, 409);
}

#[test]
fn words_to_a_call() {
    let house = House::new();
    let stopped = std::thread::scope(|scope| {
        let long = scope.spawn(|| {
            house.ask("POST", "/api/v1/tools/run", &json!({ "argv": ["sh", "gate.sh", "one"] }))
        });
        let asked = || house.get("/api/v1/calls?state=asked").json()[0]["run_id"].clone();
        until("it asks", || asked().is_string() || house.work.join("log").exists());
        let call = asked().as_str().map(str::to_owned);
        if let Some(call) = &call {
            let yes = json!({ "note": "it may" });
            let allowed = house.ask("POST", &at(call, "/allow"), &yes);
            assert_eq!(allowed.status, 200, "{allowed:?}");
        }
        house.until_began("one");
        let call = house.get("/api/v1/calls").json()[0]["run_id"].as_str().unwrap().to_owned();
        let told = house.ask("POST", &at(&call, "/stop"), &Value::Null);
        assert_eq!(told.status, 200, "{told:?}");
        drop(long.join().unwrap());
        call
    });
    until("it is stopped", || house.get(&at(&stopped, "")).json()["state"] == "Settled");
    assert_eq!(house.get(&at(&stopped, "")).json()["outcome"], "stopped");
    let settle = json!({ "how": "happened", "note": "seen" });
    let table = [
        ("settle", settle, 409),
        ("settle", json!({ "how": "happened" }), 422),
        ("settle", json!({ "how": "odd", "note": "x" }), 422),
        ("allow", json!({ "scope": "odd" }), 422),
        ("allow", json!({}), 409),
        ("deny", json!({ "note": "no" }), 409),
        ("stop", json!({ "why": "x" }), 422),
        ("dance", json!({}), 422),
    ];
    for (verb, body, status) in table {
        let answer = house.ask("POST", &at(&stopped, &format!("/{verb}")), &body);
        assert_eq!(answer.status, status, "{verb} {body}: {answer:?}");
        let code = answer.json()["code"].as_str().unwrap().to_owned();
        assert!(code.starts_with("call.") || code == "E_INVALID_ARGS", "{code}");
    }
}

#[test]
fn a_trace_is_shown_to_people() {
    let house = House::new();
    house.create(&[]);
    let id = format!("trace_{}", "a".repeat(32));
    let dir = house.work.join(".loop/traces");
    std::fs::create_dir_all(&dir).unwrap();
    let line = json!({ "source": format!("it said {}", house.token) });
    std::fs::write(dir.join(format!("{id}.jsonl")), format!("{line}\n")).unwrap();
    let shown = house.get(&format!("/api/v1/traces/{id}"));
    assert_eq!(shown.status, 200, "{shown:?}");
    assert_eq!(shown.json(), json!([{ "source": "it said «redacted:door»" }]));
    let none = house.get(&format!("/api/v1/traces/trace_{}", "b".repeat(32)));
    assert_eq!((none.status, &none.json()["code"]), (404, &json!("door.no_such")), "{none:?}");
    assert_eq!(house.get("/api/v1/traces/x").status, 422);
}

#[test]
fn a_page_of_a_code_has_all_its_parts() {
    let house = House::new();
    for code in ["E004", "call.not_now", "E_CONFLICT"] {
        let page = house.get(&format!("/api/v1/errors/{code}")).json();
        for name in ["class", "exit", "http", "when", "state", "next", "commands", "keys"] {
            assert!(!page[name].is_null(), "{code} {name}: {page}");
        }
        let examples = &page["examples"];
        assert!(examples["cli"].as_str().unwrap().contains(&format!("[{code}]")), "{examples}");
        assert_eq!(examples["json"]["error"]["code"], code, "{examples}");
        assert_eq!(examples["http"]["body"]["code"], code, "{examples}");
    }
}
