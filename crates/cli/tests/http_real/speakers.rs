//! Who may come in, and as whom: the token, names and origins; agents found by their sockets.

use serde_json::{Value, json};

use crate::kit::{House, until};

type Headers<'a> = &'a [(&'a str, &'a str)];

#[test]
fn nobody_comes_in_without_the_token_or_by_another_name() {
    let house = House::new();
    let own = house.address.clone();
    let bearer = format!("Bearer {}", house.token);
    let port = own.rsplit(':').next().unwrap();
    let local = format!("localhost:{port}");
    let page = format!("http://{own}");
    let table: [(Headers<'_>, u16, &str); 9] = [
        (&[("Host", &own), ("Authorization", &bearer)], 200, ""),
        (&[("Host", &local), ("Authorization", &bearer)], 200, ""),
        (&[("Host", &own), ("Authorization", &bearer), ("Origin", &page)], 200, ""),
        (&[("Host", &own)], 401, "token"),
        (&[("Host", &own), ("Authorization", "Bearer x")], 401, "token"),
        (&[("Host", &own), ("Authorization", &house.token)], 401, "token"),
        (&[("Host", "evil.example"), ("Authorization", &bearer)], 403, "host"),
        (&[("Authorization", &bearer)], 403, "host"),
        (
            &[("Host", &own), ("Authorization", &bearer), ("Origin", "http://evil.example")],
            403,
            "origin",
        ),
    ];
    for (headers, status, kind) in table {
        for path in ["/api/v1/loops", "/api/loops/v2"] {
            let answer = house.raw("GET", path, headers, b"");
            assert_eq!(answer.status, status, "{headers:?}: {answer:?}");
            assert!(answer.header("x-trace-id").starts_with("trace_"), "{answer:?}");
            if status == 200 {
                continue;
            }
            let body = answer.json();
            assert_eq!(body["code"], "E_AUTH", "{body}");
            if path == "/api/v1/loops" {
                assert_eq!(body["details"]["kind"], kind, "{body}");
            } else {
                assert_eq!(body["success"], false, "{body}");
            }
            assert!(!answer.text.contains(&house.token), "the token is told to nobody");
        }
    }
}

/// A task that asks the server itself: its process is below a shim.
const ASKS: &str = r#"
import json, os, sys, urllib.request, urllib.error
address, token, loop = sys.argv[1:4]
def ask(method, path, body):
    request = urllib.request.Request("http://" + address + path, method=method,
        data=json.dumps(body).encode(), headers={"Authorization": "Bearer " + token})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read()).get("code")
out = [ask("GET", "/api/v1/loops/" + loop, {}),
       ask("POST", "/api/v1/loops", {"title": "mine"}),
       ask("POST", "/api/v1/loops/" + loop + "/pause", {}),
       ask("POST", "/api/loops/v2/" + loop + "/stop", {}),
       ask("POST", "/api/v1/loops/" + loop + "/tasks", {"description": "more", "tool": "codex"})]
with open("asked.new", "w") as file: json.dump(out, file)
os.rename("asked.new", "asked")
"#;

#[test]
fn an_agent_with_the_token_is_still_an_agent() {
    // Walls would keep it from the network; who it is has to be seen without them.
    let house = House::with("[sandbox]\nmode = \"off\"\n");
    house.write("asks.py", ASKS);
    let id = house.create(&[]);
    let line = format!("/usr/bin/python3 asks.py {} {} {id}", house.address, "TOKEN");
    let line = line.replace("TOKEN", "\"$(cat token)\"");
    house.write("asks.sh", &line);
    house.write("token", &house.token);
    let added = house.ask(
        "POST",
        &format!("/api/v1/loops/{id}/tasks"),
        &json!({ "command": "sh asks.sh" }),
    );
    assert_eq!(added.status, 201, "{added:?}");
    house.ask("POST", &format!("/api/v1/loops/{id}/start"), &Value::Null);
    let file = house.work.join("asked");
    until("it has asked", || file.exists());
    let asked: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let refused = json!([403, "loop.needs_person"]);
    assert_eq!(asked, json!([[200, ""], refused, refused, refused, [201, ""]]), "{asked}");
    let tasks = house.get(&format!("/api/v1/loops/{id}/tasks")).json();
    assert_eq!(tasks["total"], 2, "it may add to the loop it works for: {tasks}");
}
