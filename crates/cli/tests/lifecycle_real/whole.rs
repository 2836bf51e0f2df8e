//! The whole way: plan document, yes, tasks done and checked, archive; and everything that can be
//! read of it.

use super::*;

#[test]
fn a_plan_document_is_confirmed_done_checked_and_archived() {
    let house = house(BOTH, PRD);
    let id = started(&house);
    let asked = until_state(&house, &id, "CONFIRMING");
    assert_eq!(asked["waiting"]["question"], format!("{id}/q/confirm/1"), "{asked}");
    let listed = house.data(&["questions"]);
    assert_eq!(listed[0]["kind"], "lifecycle.confirm", "{listed}");
    let page = house.run(&["lifecycle", "status"]);
    assert!(page.out.contains("grep -q one a.txt"), "its checks are shown: {page:?}");
    assert!(!page.out.contains("Checks"), "no task uses the checks of the workspace: {page:?}");
    let tasks = house.data(&["lifecycle", "tasks"]);
    assert_eq!((&tasks[0]["id"], &tasks[1]["id"]), (&"T-1".into(), &"T-2".into()), "{tasks}");
    let question = format!("{id}/q/confirm/1");
    let ran = house.run(&["lifecycle", "confirm", &question, "--wait", "--headless", "--json"]);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (0, Some("completed")), "{ran:?}");
    assert_eq!((house.read("a.txt"), house.read("b.txt")), ("one\n".into(), "two\n".into()));
    let end = status(&house, &id);
    assert_eq!((&end["task_status"], &end["outcome"]), (&"IDLE".into(), &"completed".into()));
    let context = house.read(".loop/active_context.md");
    assert!(context.contains("task_status: IDLE"), "{context}");
    assert!(context.contains("Two files, completed, 2 of 2"), "{context}");
    reads(&house, &id);
}

fn reads(house: &House, id: &str) {
    let evidence = house.data(&["lifecycle", "evidence", id]);
    let all = evidence.as_array().unwrap();
    for task in ["T-1", "T-2"] {
        let proved = |one: &&Value| one["task_id"] == task && one["verdict"] == "pass";
        assert!(all.iter().any(|one| proved(&one) && one["fresh"] == true), "{task}: {evidence}");
    }
    let history = house.data(&["lifecycle", "history"]);
    assert_eq!(history[0]["outcome"], "completed", "{history}");
    let archive = house.read(history[0]["archive"].as_str().unwrap());
    let record: Value = serde_json::from_str(&archive).unwrap();
    assert!(record.to_string().contains("\"T-2\""), "{archive}");
    let month: Vec<_> = std::fs::read_dir(house.work.join(".loop/history")).unwrap().collect();
    assert_eq!(month.len(), 1);
    let listed = house.data(&["lifecycle", "list"]);
    assert_eq!(listed[0]["run_id"], id, "{listed}");
    let next = house.data(&["lifecycle", "next"]);
    assert_eq!(next["command"], "loopwright lifecycle start", "{next}");
    assert_eq!(house.data(&["show", id])["task_status"], "IDLE");
    let page = house.run(&["lifecycle", "status", id]);
    assert!(!page.out.contains("stale"), "what was checked again is no longer stale: {page:?}");
    let report = house.data(&["report", id]);
    assert_eq!(report["checks"].as_array().map(Vec::len), Some(2), "{report}");
    let context = house.read(".loop/active_context.md");
    assert!(!context.contains("control"), "words for us are none for people: {context}");
    let short = id.get(..id.len() - 3).unwrap();
    assert_eq!(status(house, short)["run_id"], id, "a unique beginning is enough");
    for verb in ["status", "next", "why", "tasks", "errors", "evidence", "context"] {
        for lang in ["en", "zh-CN"] {
            let ran = house.run(&["lifecycle", verb, "--lang", lang]);
            assert!(ran.code == 0 && !ran.out.trim().is_empty(), "{verb} {lang}: {ran:?}");
            assert!(!ran.out.contains("lifecycle-"), "{verb} {lang} has no words: {}", ran.out);
        }
    }
}

#[test]
fn a_yes_is_bound_to_what_was_shown() {
    let house = house(BOTH, PRD);
    let id = started(&house);
    until_state(&house, &id, "CONFIRMING");
    let waits = house.run(&["lifecycle", "watch", &id, "--json"]);
    assert_eq!((waits.code, waits.json()["result"].as_str()), (4, Some("waiting")), "{waits:?}");
    let old = format!("{id}/q/confirm/9");
    let (code, exit, _) = refused(&house, &["lifecycle", "confirm", &old]);
    assert_eq!((code.as_str(), exit), ("lifecycle.answered", 3));
    let (code, exit, error) = refused(&house, &["lifecycle", "stop-fix"]);
    assert_eq!((code.as_str(), exit), ("lifecycle.not_now", 3));
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("FORCE_STOP is not possible in CONFIRMING."), "{message}");
    assert!(error["allowed"].as_array().is_some_and(|all| all.contains(&"USER_CONFIRM".into())));
    let (code, exit, error) = refused(&house, &["lifecycle", "start", "Another thing"]);
    assert_eq!((code.as_str(), exit), ("lifecycle.busy", 3));
    assert!(error["allowed"].as_array().is_none_or(Vec::is_empty), "a start is not: {error}");
    // The document changes before the yes: it is read again, and asked about again.
    house.write("prd.md", &PRD.replace("Write b", "Write b too"));
    let (code, exit, _) = refused(&house, &["lifecycle", "confirm"]);
    assert_eq!((code.as_str(), exit), ("lifecycle.plan_changed", 7));
    let asked = until_state(&house, &id, "CONFIRMING");
    assert_eq!(asked["plan"]["revision"], 2, "{asked}");
    let data = house.data(&["answer", &id, "cancel"]);
    assert_eq!(data["state"], "IDLE", "{data}");
    let ran = house.run(&["lifecycle", "watch", &id, "--json"]);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (130, Some("cancelled")), "{ran:?}");
    let (code, exit, _) = refused(&house, &["lifecycle", "resume", &id]);
    assert_eq!((code.as_str(), exit), ("lifecycle.ended", 3));
}
