//! A run that cannot go on: fixes that fail, the ways out, and what each says to the shell.

use super::*;

/// An agent that writes the wrong thing, each time another.
pub(super) const WRONG: &str = r#"
[[rule]]
when = "Write b"
steps = [ { session = "auto" }, { write = { path = "b.txt", text = "${CALL}\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { write = { path = "a.txt", text = "${CALL}\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

pub(super) fn blocked(house: &House) -> String {
    let id = started(house);
    until_state(house, &id, "CONFIRMING");
    let ran = house.run(&["lifecycle", "confirm", &id, "--wait", "--headless", "--json"]);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (4, Some("waiting")), "{ran:?}");
    let stands = status(house, &id);
    assert_eq!(stands["task_status"], "BLOCKED", "{stands}");
    id
}

#[test]
fn three_fixes_fail_and_a_person_says_how_it_goes_on() {
    let house = house(WRONG, PRD);
    let id = blocked(&house);
    let stands = status(&house, &id);
    assert_eq!(
        (&stands["auto_fix_attempts"], &stands["blocked"]["why"]),
        (&3.into(), &"fix_limit".into())
    );
    assert!(house.read(".loop/active_context.md").contains("auto_fix_attempts: 3"));
    let why = house.run(&["lifecycle", "why"]);
    assert!(why.out.contains("grep -q one a.txt: exit 1"), "what failed, and how: {why:?}");
    for way in ["fix", "rollback", "skip", "abort"] {
        assert!(why.out.contains(&format!("loopwright lifecycle {way} {id}")), "{way}: {why:?}");
    }
    assert!(why.out.contains("last checkpoint: chk-"), "{why:?}");
    assert_eq!(why.out.matches("loopwright diff turn-").count(), 3, "each fix's change: {why:?}");
    let errors = house.data(&["lifecycle", "errors"]);
    assert!(errors["attempts"].as_array().is_some_and(|all| all.len() >= 2), "{errors}");
    // It is fixed by hand: only the checks run, and the next task goes on.
    house.write("a.txt", "one\n");
    let ran = house.run(&["lifecycle", "fix", &id, "--fixed", "--wait", "--headless", "--json"]);
    assert_eq!(ran.code, 4, "the second task is stuck too: {ran:?}");
    let tasks = house.data(&["lifecycle", "tasks", &id]);
    assert_eq!((&tasks[0]["status"], &tasks[1]["status"]), (&"done".into(), &"blocked".into()));
    // Skipped, it is partly done.
    let ran = house.run(&["lifecycle", "skip", &id, "--wait", "--headless", "--json"]);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (1, Some("partial")), "{ran:?}");
}

#[test]
fn cancel_says_which_command_it_is_and_leaves_the_files() {
    let house = house(WRONG, PRD);
    let id = blocked(&house);
    let (code, exit, _) = refused(&house, &["lifecycle", "update", "T-9", "DONE"]);
    assert_eq!((code.as_str(), exit), ("lifecycle.no_such", 2));
    let (code, exit, _) = refused(&house, &["lifecycle", "update", "T-1", "finished"]);
    assert_eq!((code.as_str(), exit), ("E_INVALID_ARGS", 2));
    let ran = house.run(&["lifecycle", "cancel", &id, "--wait", "--headless", "--json"]);
    assert_eq!((ran.code, ran.json()["result"].as_str()), (130, Some("aborted")), "{ran:?}");
    assert!(ran.err.contains("USER_ABORT"), "{ran:?}");
    assert!(house.has("a.txt"));
    assert_eq!(status(&house, &id)["outcome"], "aborted");
}

#[test]
fn next_names_no_task_where_only_blocked_ones_are_left() {
    let house = house(WRONG, PRD);
    let id = started(&house);
    until_state(&house, &id, "CONFIRMING");
    let args = ["lifecycle", "confirm", &id, "--wait", "--headless"];
    let ran = house.run(&args);
    assert_eq!(ran.code, 4);
    let tells = |line: &str| ran.err.contains(line);
    assert!(tells("the plan is confirmed by") && !tells("requirement: "), "from there on: {ran:?}");
    let next = house.data(&["lifecycle", "next", &id]);
    assert_eq!((&next["task"], &next["ready"]), (&Value::Null, &Value::Array(vec![])), "{next}");
    assert_eq!((&next["state"], &next["blocked"]), (&"BLOCKED".into(), &"fix_limit".into()));
    for (lang, why, waits) in [
        ("en", "every allowed fix failed", "T-2 waits for T-1"),
        ("zh-CN", "允许的修复全部失败", "T-2 在等待 T-1"),
    ] {
        let ran = house.run(&["lifecycle", "next", &id, "--lang", lang]);
        assert!(ran.out.contains(why) && ran.out.contains(waits), "{lang}: {ran:?}");
    }
    // Once the first is done the second is ready, after a restart as well.
    house.write("a.txt", "one\n");
    let ran = house.run(&["lifecycle", "fix", &id, "--fixed", "--wait", "--headless"]);
    assert_eq!(ran.code, 4);
    assert!(!ran.err.contains("the plan is confirmed by"), "told before: {ran:?}");
    let next = house.data(&["lifecycle", "next", &id]);
    assert_eq!((&next["task"], &next["ready"]), (&Value::Null, &Value::Array(vec![])), "{next}");
    let tasks = house.data(&["lifecycle", "tasks", &id]);
    assert_eq!(tasks[1]["waiting_on"], Value::Array(vec![]), "nothing it needs is open: {tasks}");
}

#[test]
fn a_plan_that_nobody_can_make_is_told_in_words() {
    let house = House::new();
    for (lang, told) in [
        ("en", "nobody is there to make a plan. Name who works"),
        ("zh-CN", "没有可以制定计划的代理。用 `--agent NAME`"),
    ] {
        let args = ["lifecycle", "start", "Add login", "--wait", "--headless", "--lang", lang];
        let ran = house.run(&args);
        assert_eq!(ran.code, 4, "{ran:?}");
        let id = house.data(&["lifecycle", "list"])[0]["run_id"].as_str().unwrap().to_owned();
        let page = house.run(&["lifecycle", "status", &id, "--lang", lang]).out;
        assert!(page.contains(told) && !page.contains("no_planner"), "{page}");
        assert_eq!(house.run(&["lifecycle", "cancel", &id]).code, 0);
        until_state(&house, &id, "IDLE");
    }
}

#[test]
fn a_rate_limit_is_shown_with_its_agent_and_its_end() {
    let limited = |more: &str| {
        format!(
            "[[rule]]\nsteps = [ {{ session = \"auto\" }}, \
             {{ error = {{ kind = \"quota\", status = 429, message = \"limit\"{more} }} }} ]\n"
        )
    };
    for (more, until) in [(", retry_after_ms = 7200000", "until: 20"), ("", "until: not told")] {
        let house = house(&limited(more), PRD);
        let id = blocked(&house);
        let stands = status(&house, &id);
        assert_eq!(
            (&stands["blocked"]["why"], &stands["auto_fix_attempts"]),
            (&"quota".into(), &0.into())
        );
        for verb in ["status", "why"] {
            let page = house.run(&["lifecycle", verb, &id]);
            assert!(page.out.contains(&format!("rate limit of alpha, {until}")), "{page:?}");
        }
        let over = house.run(&["lifecycle", "abort", &id, "--wait", "--headless"]);
        assert_eq!(over.code, 130, "{over:?}");
        // The same while planning: it is stuck, with the same time.
        let ran = house.run(&["lifecycle", "start", "Add login", "--wait", "--headless"]);
        assert_eq!(ran.code, 4, "{ran:?}");
        assert!(ran.out.contains(until), "{ran:?}");
    }
}
