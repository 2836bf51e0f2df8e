//! Servers that fail, crash, hang or flood: the question stays open, and nothing stays alive.

use std::process::Command;

use runtime::ask::Heard;
use serde_json::{Value, json};

use crate::kit::{Port, Room, read, text, until};

/// Why the port heard no answer.
fn why(port: &Port, room: &Room) -> String {
    let heard = port.hears();
    let Heard::Gone { question, why } = heard else { panic!("{heard:?}") };
    assert_eq!(question, room.question.id);
    why
}

#[test]
fn a_server_that_fails_is_told_once_and_the_question_stays() {
    let error = json!({ "raw": { "error": { "code": -32000, "message": "no display" } } });
    let failed = json!({ "type": "text", "text": "no window" });
    let tool = json!({ "raw": { "result": { "content": [failed], "isError": true } } });
    let table: [(Value, &str); 5] = [
        (error, "tool: -32000: no display"),
        (tool, "tool: no window"),
        (json!({ "crash": true }), "gone"),
        (json!({ "crash_at_start": true }), "handshake"),
        (json!({ "flood": true }), "gone"),
    ];
    for (reply, expected) in table {
        let room = Room::new(std::slice::from_ref(&reply));
        let port = room.asking(1);
        let told = why(&port, &room);
        assert!(told.starts_with(expected), "{reply}: {told}");
        room.until_nobody();
        port.silent();
        drop(port);
        room.asking(2).silent();
        assert!(room.calls().len() <= 1, "{reply}: it is not asked again");
    }
}

#[test]
fn a_program_that_is_not_there_is_told() {
    let room = Room::new(&[]);
    let mut plan = room.plan(1);
    plan.command = vec!["no-such-window".into()];
    let mut port = Port::of(plan);
    port.zhi.reconcile(std::slice::from_ref(&room.question));
    let told = why(&port, &room);
    assert!(told.starts_with("spawn: "), "{told}");
}

#[test]
fn invariant_a_server_that_hangs_is_stopped_when_another_door_answers() {
    let room = Room::new(&[json!({ "hang": true })]);
    let mut port = room.asking(1);
    until("it hangs", || room.server("hangs").exists());
    assert_eq!(port.zhi.live(), 1);
    assert!(!room.nobody());
    port.zhi.reconcile(&[]);
    room.until_nobody();
    until("its end is recorded", || room.call_dir().join("exit.json").exists());
    assert_eq!(read(&room.call_dir().join("exit.json"))["ended"], "stopped");
    let orphan = std::fs::read_to_string(room.server("hangs")).unwrap();
    let alive = |stat: String| !stat.contains(") Z ");
    let stat = std::fs::read_to_string(format!("/proc/{orphan}/stat"));
    assert!(!stat.is_ok_and(alive), "what the server started is gone too");
    port.silent();
}

#[test]
fn what_an_earlier_engine_asked_is_stopped_if_nobody_waits_for_it() {
    let room = Room::new(&[json!({ "hang": true })]);
    let port = room.asking(1);
    until("it hangs", || room.server("hangs").exists());
    drop(port);
    assert!(!room.nobody(), "an engine that leaves stops nothing");
    let mut port = room.port(2);
    port.zhi.reconcile(&[]);
    room.until_nobody();
    port.silent();
}

#[test]
fn a_driver_without_a_request_says_so_in_one_line() {
    let room = Room::new(&[text("1")]);
    std::fs::write(room.work().join("bad.json"), "{\"command\":[]}").unwrap();
    for (name, part) in [("none.json", "No such file"), ("bad.json", "missing field")] {
        let output = Command::new(env!("CARGO_BIN_EXE_loopwright"))
            .arg("drive-zhi")
            .arg(room.work())
            .args(["--request", name])
            .output()
            .unwrap();
        let line: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &line["error"]["kind"]), (Some(1), &json!("request")));
        assert!(line["error"]["detail"].as_str().unwrap().contains(part), "{line}");
    }
}
