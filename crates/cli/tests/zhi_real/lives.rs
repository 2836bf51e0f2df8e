//! The port across the lives of its engine: the window stays, and its answer is heard by whoever is
//! there when it comes, once.

use runtime::ask::{Heard, call_id};
use runtime::shim::clock;
use runtime::shim::files::{self, FORMAT, Request, Stdin};
use runtime::shim::launch;
use serde_json::json;

use crate::kit::{Room, text, until};

fn accepted(room: &Room) -> Heard {
    let question = room.question.id.clone();
    Heard::Answered { question, choice: "accept".into(), note: None }
}

#[test]
fn a_window_outlives_its_engine() {
    let room = Room::new(&[json!({ "wait": true, "text": "1" })]);
    let port = room.asking(1);
    until("it is asked", || room.calls().len() == 1);
    drop(port);
    let port = room.asking(2);
    until("it is found", || port.zhi.live() == 1);
    std::fs::write(room.server("go"), "").unwrap();
    assert_eq!(port.hears(), accepted(&room));
    assert_eq!(room.calls().len(), 1, "one window, not two");
}

#[test]
fn an_answer_given_while_no_engine_lived_is_heard() {
    let room = Room::new(&[json!({ "wait": true, "text": "1" })]);
    let port = room.asking(1);
    until("it is asked", || room.calls().len() == 1);
    drop(port);
    std::fs::write(room.server("go"), "").unwrap();
    until("its end is recorded", || room.call_dir().join("exit.json").exists());
    room.until_nobody();
    // The first engine dies before anybody took the answer; the second hears it again.
    assert_eq!(room.asking(2).hears(), accepted(&room));
    let port = room.asking(3);
    assert_eq!(port.hears(), accepted(&room));
    port.zhi.taken(&room.question.id);
    port.silent();
    drop(port);
    room.asking(4).silent();
    assert_eq!(room.calls().len(), 1);
}

#[test]
fn what_was_prepared_and_never_launched_is_asked_once() {
    let room = Room::new(&[text("accept")]);
    let work = room.work().to_str().unwrap().to_owned();
    let request = Request {
        format: FORMAT,
        call_id: call_id(&room.question),
        key: room.question.id.clone(),
        attempt: 1,
        epoch: 1,
        argv: vec!["true".into()],
        workspace: work.clone(),
        cwd: work,
        env_names: vec![],
        stdin: Stdin::Null,
        deadline_wall_ms: clock::wall_ms() + 60_000,
        deadline_boot_ms: None,
        boot_id: None,
        idle_ms: None,
        grace_ms: 100,
        spool_bytes: 1 << 20,
        tail_bytes: files::TAIL_BYTES,
        collect: vec![],
        sandbox: None,
        tool_call: json!({ "ask": 1 }),
    };
    launch::prepare(&room.call_dir(), &request).unwrap();
    assert_eq!(room.asking(2).hears(), accepted(&room));
    assert_eq!(room.calls().len(), 1);
}

#[test]
fn another_hash_is_another_question() {
    let mut room = Room::new(&[json!({ "hang": true }), text("accept")]);
    let mut port = room.asking(1);
    until("it hangs", || room.server("hangs").exists());
    let old = room.question.clone();
    room.question.question.hash = Some("other".into());
    port.zhi.reconcile(std::slice::from_ref(&room.question));
    assert_eq!(port.hears(), accepted(&room));
    until("the old window is gone", || runtime::shim::procfs::marked(&call_id(&old)).is_empty());
}
