//! Plan documents that are none: the line and the reason, and what is possible then.

use super::*;

#[test]
fn a_document_that_is_no_plan_is_told_by_line_and_reason() {
    let cycle = "# P\n\n- [ ] T-1: a\n  - Depends: T-2\n- [ ] T-2: b\n  - Depends: T-1\n";
    let table = [
        ("# Only words\n", "line 1: there is no task in it"),
        (cycle, "line 3: the tasks depend on each other in a circle: T-1 → T-2 → T-1"),
        ("- [ ] T-1: a\n- [ ] T-1: b\n", "line 2: the id stands there twice: T-1 (1)"),
        ("- [ ] T-1: a\n  - Depends: T-7\n", "line 1: it depends on a task that is not there: T-7"),
        ("- [ ] T-1: a (`../b`)\n", "line 1: this is no path in the workspace: ../b"),
    ];
    let house = house(BOTH, "");
    for (prd, expected) in table {
        house.write("prd.md", prd);
        let ran =
            house.run(&["lifecycle", "start", "--prd", "prd.md", "--wait", "--headless", "--json"]);
        assert_eq!((ran.code, ran.json()["result"].as_str()), (4, Some("waiting")), "{ran:?}");
        let id = ran.json()["data"]["run_id"].as_str().unwrap().to_owned();
        let stands = status(&house, &id);
        assert_eq!(stands["task_status"], "PLANNING", "{stands}");
        let page = house.run(&["lifecycle", "status", &id]);
        assert!(page.out.contains(expected), "{expected}: {page:?}");
        let allowed = stands["allowed"].as_array().unwrap();
        for word in ["RETRY_PLAN", "USER_MODIFY", "USER_CANCEL"] {
            assert!(allowed.contains(&word.into()), "{word}: {stands}");
        }
        assert_eq!(house.run(&["lifecycle", "cancel", &id]).code, 0);
        until_state(&house, &id, "IDLE");
    }
    let (code, exit, _) = refused(&house, &["lifecycle", "start", "--prd", "nowhere.md"]);
    assert!(exit == 2 || exit == 1, "{code} {exit}");
    let (code, exit, error) = refused(&house, &["lifecycle", "start", "--prd", "/etc/hosts"]);
    assert_eq!((code.as_str(), exit), ("lifecycle.invalid_args", 2));
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("/etc/hosts"), "which field, and what is wrong: {message}");
}
