//! Replies of a server that does as it should: what it was asked, and what its reply is taken for.

use runtime::ask::{Heard, Then, ZHI_REASK_MAX};
use serde_json::{Value, json};

use crate::kit::{Room, asked, text};

fn answered(room: &Room, choice: &str, note: Option<&str>) -> Heard {
    let (choice, note) = (choice.to_owned(), note.map(str::to_owned));
    Heard::Answered { question: room.question.id.clone(), choice, note }
}

fn comment(room: &Room, text: &str, then: Then) -> Heard {
    Heard::Comment { question: room.question.id.clone(), text: text.to_owned(), then }
}

#[test]
fn the_server_is_asked_once_in_the_settled_form() {
    let room = Room::new(&[text("选择的选项: 使用降级结果\n\n够用")]);
    let port = room.asking(1);
    assert_eq!(port.hears(), answered(&room, "accept", Some("够用")));
    let calls = room.calls();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0]["name"], "zhi");
    let given = &calls[0]["arguments"];
    assert_eq!(given["predefined_options"], json!(["使用降级结果", "继续等待", "取消执行"]));
    assert_eq!((&given["is_markdown"], &given["project_path"]), (&json!(true), &json!("/w")));
    let message = given["message"].as_str().unwrap();
    for part in ["结果已降级", "frontend: E004", "1. 使用降级结果", room.question.id.as_str()]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
    room.until_nobody();
    port.silent();
}

#[test]
fn replies_of_every_form_are_taken() {
    let object = json!({ "user_input": "n", "selected_options": ["Use the degraded result"] });
    let structured = json!({ "raw": { "result": { "content": [], "structuredContent": object } } });
    let noisy = json!({ "noise": 8 << 20, "text": "1" });
    let empty = json!({ "raw": { "result": { "content": [] } } });
    let table: [(Value, &str, Option<&str>); 7] = [
        (text(&object.to_string()), "accept", Some("n")),
        (structured, "accept", Some("n")),
        (text("2"), "wait", None),
        (text("用户取消了操作"), "cancel", None),
        (text("CANCELLED"), "cancel", None),
        (empty, "cancel", None),
        (noisy, "accept", None),
    ];
    for (reply, choice, note) in table {
        let room = Room::new(std::slice::from_ref(&reply));
        assert_eq!(room.asking(1).hears(), answered(&room, choice, note), "{reply}");
        room.until_nobody();
    }
}

#[test]
fn a_comment_is_kept_and_the_person_asked_again() {
    let room = Room::new(&[text("不要使用降级结果"), text("选择的选项: 取消执行")]);
    let port = room.asking(1);
    assert_eq!(port.hears(), comment(&room, "不要使用降级结果", Then::AskAgain));
    assert_eq!(port.hears(), answered(&room, "cancel", None));
    let messages: Vec<Value> =
        room.calls().iter().map(|call| call["arguments"]["message"].clone()).collect();
    let again = |message: &Value| message.as_str().unwrap().contains("请选择一项");
    assert_eq!(messages.iter().map(again).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn after_so_many_comments_the_port_is_silent() {
    let room = Room::new(&[text("请按照最佳实践继续")]);
    let port = room.asking(1);
    for n in 0..=ZHI_REASK_MAX {
        let then = if n < ZHI_REASK_MAX { Then::AskAgain } else { Then::Silent };
        assert_eq!(port.hears(), comment(&room, "请按照最佳实践继续", then), "{n}");
    }
    port.silent();
    drop(port);
    room.asking(2).silent();
    assert_eq!(room.calls().len(), 4, "and stays so after a restart");
    room.until_nobody();
}

#[test]
fn a_refused_answer_is_asked_again_and_a_taken_one_is_not() {
    let room = Room::new(&[text("accept"), text("wait")]);
    let port = room.asking(1);
    assert_eq!(port.hears(), answered(&room, "accept", None));
    port.zhi.refused(&room.question.id);
    assert_eq!(port.hears(), answered(&room, "wait", None));
    port.zhi.taken(&room.question.id);
    port.silent();
    assert_eq!(room.calls().len(), 2);
}

#[test]
fn a_closed_window_means_no_answer_that_is_not_offered() {
    let mut room = Room::new(&[text("用户取消了操作")]);
    room.question = asked(&room.question.run, "call.ask", &["allow", "deny"]);
    let port = room.asking(1);
    assert_eq!(port.hears(), Heard::Dismissed { question: room.question.id.clone() });
    port.silent();
}
