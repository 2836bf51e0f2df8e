//! `PATCH /:id/status`: every pair of statuses.

use serde_json::{Value, json};

use crate::kit::House;

/// A new loop in this status; one at a time may run.
fn made(house: &House, status: &str) -> String {
    drop(std::fs::remove_file(house.work.join("go")));
    drop(std::fs::remove_file(house.work.join("log")));
    drop(std::fs::remove_file(house.work.join("proof")));
    let lines: &[&str] = if status == "completed" { &["touch proof"] } else { &["sh gate.sh one"] };
    let id = house.create(lines);
    let told = |verb: &str| {
        let answer = house.ask("POST", &format!("/api/v1/loops/{id}/{verb}"), &Value::Null);
        assert_eq!(answer.status, 200, "{verb}: {answer:?}");
    };
    match status {
        "running" => {
            told("start");
            house.until_began("one");
        }
        "paused" => {
            told("start");
            house.until_began("one");
            told("pause");
        }
        "completed" => {
            told("start");
            house.until_status(&id, "completed");
        }
        "failed" => {
            told("start");
            house.until_began("one");
            told("stop");
            // What was at work is gone before it can be tried again.
            house.write("go", "");
            crate::kit::until("its work is gone", || {
                house.get(&format!("/api/v1/loops/{id}")).json()["ext"]["action"].is_null()
            });
            drop(std::fs::remove_file(house.work.join("go")));
        }
        _created => {}
    }
    id
}

/// Leaves nothing behind that another loop would have to wait for.
fn clear(house: &House, id: &str) {
    house.write("go", "");
    drop(house.ask("POST", &format!("/api/v1/loops/{id}/stop"), &Value::Null));
    crate::kit::until("its work is gone", || {
        house.ask("DELETE", &format!("/api/v1/loops/{id}"), &Value::Null).status == 200
    });
}

#[test]
fn reg_patch_every_pair_is_as_the_table_has_it() {
    let house = House::new();
    let statuses = ["created", "running", "paused", "completed", "failed"];
    // What each pair comes to; a dash is a refusal. Work under way keeps a loop from completing,
    // and what is not validated does not complete.
    let table = [
        ["created", "running", "-", "-", "failed"],
        ["-", "running", "paused", "-", "failed"],
        ["-", "running", "paused", "-", "failed"],
        ["-", "-", "-", "completed", "-"],
        ["-", "running", "-", "-", "failed"],
    ];
    for (from, row) in statuses.iter().zip(table) {
        for (to, expected) in statuses.iter().zip(row) {
            let id = made(&house, from);
            let path = format!("/api/loops/v2/{id}/status");
            let answer = house.ask("PATCH", &path, &json!({ "status": to }));
            let body = answer.json();
            if expected == "-" {
                let text = format!("Cannot change status from {from} to {to}");
                assert_eq!((answer.status, &body["error"]), (400, &json!(text)), "{body}");
                assert!(!body["allowed"].as_array().unwrap().is_empty(), "{body}");
                assert_eq!(house.status(&id), *from, "{from} {to}");
            } else {
                assert_eq!(
                    (answer.status, &body["data"]["status"]),
                    (200, &json!(expected)),
                    "{from} {to}: {body}"
                );
                let ended = ["completed", "failed"].contains(&expected);
                assert_eq!(body["data"]["completed_at"].is_string(), ended, "{body}");
                assert_eq!(
                    body["data"]["failure_reason"].is_string(),
                    expected == "failed",
                    "{body}"
                );
            }
            clear(&house, &id);
        }
    }
    let id = made(&house, "completed");
    let body = json!({ "status": "running", "force": true });
    let opened = house.ask("PATCH", &format!("/api/loops/v2/{id}/status"), &body);
    assert_eq!((opened.status, &opened.json()["success"]), (200, &json!(true)), "{opened:?}");
    house.until_status(&id, "completed");
}
