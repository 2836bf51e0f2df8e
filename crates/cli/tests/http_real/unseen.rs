//! Callers that cannot be found, agents with the token, and what live streams hold back.

use std::io::{IoSlice, IoSliceMut, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::net::TcpStream;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::kit::{House, until};

/// Asks over a connection that no process holds while the server looks for who is there: it is on
/// its way from one end of a pair of sockets to the other.
fn unheld(house: &mut House, path: &str, body: &Value) -> u16 {
    let server = Pid::from_child(house.server());
    kill_process(server, Signal::STOP).unwrap();
    let mut stream = TcpStream::connect(&house.address).unwrap();
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        house.address,
        house.token,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let (ours, theirs) = UnixStream::pair().unwrap();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let fds = [stream.as_fd()];
    assert!(control.push(SendAncillaryMessage::ScmRights(&fds)));
    sendmsg(&ours, &[IoSlice::new(b"x")], &mut control, SendFlags::empty()).unwrap();
    drop(stream);
    kill_process(server, Signal::CONT).unwrap();
    // Longer than the server takes to look, on a machine that is busy with other builds.
    std::thread::sleep(Duration::from_secs(5));
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(&theirs, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::empty()).unwrap();
    let fd = control.drain().find_map(|message| {
        let RecvAncillaryMessage::ScmRights(mut fds) = message else { return None };
        fds.next()
    });
    let mut text = String::new();
    TcpStream::from(fd.unwrap()).read_to_string(&mut text).unwrap();
    text.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Whoever cannot be found may only read, unless the settings say that it is a person.
#[test]
fn who_cannot_be_found_is_a_person_only_if_the_settings_say_so() {
    for (settings, status, total) in [("", 403, 0), ("[edge]\nremote = \"person\"\n", 201, 1)] {
        let mut house = House::with(settings);
        let made = unheld(&mut house, "/api/v1/loops", &json!({ "title": "theirs" }));
        assert_eq!(made, status, "{settings}");
        assert_eq!(house.get("/api/v1/loops").json()["total"], total, "{settings}");
    }
}

/// Asks the server what a file lists: its process is below a shim.
const ASKS: &str = r#"
import json, os, sys, urllib.request, urllib.error
address, token = sys.argv[1:3]
def ask(method, path, body):
    request = urllib.request.Request("http://" + address + path, method=method,
        data=json.dumps(body).encode(), headers={"Authorization": "Bearer " + token})
    try:
        with urllib.request.urlopen(request) as answer:
            return [answer.status, ""]
    except urllib.error.HTTPError as error:
        return [error.code, json.loads(error.read()).get("code")]
with open("list") as file: rows = json.load(file)
out = [ask(*row) for row in rows]
with open("asked.new", "w") as file: json.dump(out, file)
os.rename("asked.new", "asked")
"#;

#[test]
fn invariant_agent_never_approves_over_http() {
    let house = House::with("[sandbox]\nmode = \"off\"\n");
    house.write("old.txt", "x");
    let asks = house.ask("POST", "/api/v1/tools/run", &json!({ "argv": ["rm", "-r", "old.txt"] }));
    assert_eq!(asks.status, 202, "{asks:?}");
    let call = asks.json()["run_id"].as_str().unwrap().to_owned();
    let question = house.get("/api/v1/questions").json()[0]["id"].as_str().unwrap().to_owned();
    let wrote = json!({ "path": "new.txt", "text": "one", "mode": "create" });
    let wrote = house.ask("POST", "/api/v1/tools/write", &wrote).json();
    let wrote = wrote["call"].as_str().unwrap().to_owned();
    house.ask("POST", "/api/v1/checkpoints", &Value::Null);
    let trace = format!("/api/v1/traces/trace_{}", "a".repeat(32));
    let answer = format!("/api/v1/questions/{question}/answer");
    let table = [
        ("GET", format!("/api/v1/calls/{call}"), json!({}), 200, ""),
        ("GET", format!("/api/v1/calls/{wrote}/undo"), json!({}), 200, ""),
        ("GET", "/api/v1/grants".into(), json!({}), 200, ""),
        ("POST", answer, json!({ "key": "allow" }), 403, "call.needs_person"),
        ("POST", format!("/api/v1/calls/{call}/allow"), json!({}), 403, "call.needs_person"),
        ("POST", format!("/api/v1/calls/{call}/deny"), json!({}), 403, "call.needs_person"),
        ("POST", format!("/api/v1/calls/{wrote}/undo"), json!({}), 403, "call.needs_person"),
        ("GET", trace, json!({}), 403, "door.needs_person"),
        ("POST", "/api/v1/tools/write".into(), json!({}), 403, "call.needs_person"),
        ("POST", "/api/v1/checkpoints".into(), json!({}), 403, "call.needs_person"),
        (
            "POST",
            "/api/v1/rollbacks".into(),
            json!({ "plan_hash": "x" }),
            403,
            "workspace.needs_person",
        ),
        ("POST", "/api/v1/workspace/trust".into(), json!({}), 403, "workspace.needs_person"),
        ("POST", "/api/v1/workspace/adopt".into(), json!({}), 403, "workspace.needs_person"),
        ("POST", "/api/v1/workspace/gc".into(), json!({}), 403, "workspace.needs_person"),
        ("DELETE", "/api/v1/grants/gr-1".into(), json!({}), 403, "policy.needs_person"),
        (
            "POST",
            "/api/v1/agents/codex/calls".into(),
            json!({ "task": "x" }),
            403,
            "agent.needs_person",
        ),
        ("POST", "/api/v1/doctor".into(), json!({}), 403, "agent.needs_person"),
    ];
    let rows: Vec<Value> =
        table.iter().map(|(method, path, body, ..)| json!([method, path, body])).collect();
    house.write("list", &json!(rows).to_string());
    house.write("asks.py", ASKS);
    house.write("token", &house.token);
    let line = format!("/usr/bin/python3 asks.py {} \"$(cat token)\"", house.address);
    house.write("asks.sh", &line);
    let id = house.create(&["sh asks.sh"]);
    house.ask("POST", &format!("/api/v1/loops/{id}/start"), &Value::Null);
    let file = house.work.join("asked");
    until("it has asked", || file.exists());
    let asked: Vec<(u16, String)> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    for ((method, path, _, status, code), found) in table.iter().zip(&asked) {
        assert_eq!((found.0, found.1.as_str()), (*status, *code), "{method} {path}");
    }
    assert!(house.work.join("old.txt").exists() && house.work.join("new.txt").exists());
}

#[test]
fn a_notice_is_a_live_object() {
    let house = House::new();
    let id = house.create(&["sh gate.sh one"]);
    let mut stream = house.stream(&format!("/api/v1/loops/{id}/events"), None);
    let file = house.work.join(format!(".loop/{id}.json"));
    std::fs::write(&file, "no document").unwrap();
    // Whatever is said next draws the file again, and finds what displaced it.
    house.ask("POST", &format!("/api/v1/loops/{id}/tasks"), &json!({ "command": "true" }));
    let notice = stream.until("LOOP_NOTICE").pop().unwrap().1;
    assert_eq!(notice["loop_id"], json!(id), "{notice}");
    for name in ["code", "text", "next_step"] {
        assert!(!notice[name].as_str().unwrap().is_empty(), "{name}: {notice}");
    }
}

/// Within a second only the newest state is told, unless the status changes.
#[test]
fn states_are_held_back_for_a_second() {
    let house = House::new();
    let id = house.create(&[]);
    let at = format!("/api/v1/loops/{id}");
    let mut stream = house.stream(&format!("{at}/events"), None);
    assert_eq!(stream.next().1["type"], "LOOP_STATE_UPDATE");
    let began = std::time::Instant::now();
    let count = 40;
    for n in 0..count {
        let edited = house.ask("PATCH", &at, &json!({ "notes": format!("n{n}") }));
        assert_eq!(edited.status, 200, "{edited:?}");
    }
    let last = house.get(&at).json()["updated_at"].clone();
    let mut told = 0;
    while stream.next().1["updated_at"] != last {
        told += 1;
    }
    let most = began.elapsed().as_secs() + 2;
    assert!(told < most && told < count, "{told} in {:?}", began.elapsed());
    house.ask("POST", &format!("{at}/start"), &json!({ "external": true, "runner": "me" }));
    let (_, at_once) = stream.next();
    assert_eq!(at_once["status"], "running", "a change of status is told at once: {at_once}");
}
