//! A first task that stops the queue: what the shell is told, what the views say it waits for, and
//! that the second task has not begun. The same whatever `on_failure` says.

use super::stuck::WRONG;
use super::*;

/// An agent that asks before it does anything.
const ASKS: &str = r#"
[[rule]]
when = "Write a"
steps = [ { session = "auto" },
          { say = '{"control":"ask","questions":[{"text":"Which colour?"}]}' }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { write = { path = "b.txt", text = "two\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

/// An agent that never ends.
const HANGS: &str = r#"
[[rule]]
when = "Write a"
steps = [ { session = "auto" }, { run = ["sh", "note.sh"] }, "hang" ]
[[rule]]
steps = [ { session = "auto" }, { write = { path = "b.txt", text = "two\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

/// Two tasks that do not hang on each other.
const FREE: &str = "# Two files\n- [ ] T-1: Write a (`a.txt`)\n  - Verify: `grep -q one a.txt`\n\
    - [ ] T-2: Write b (`b.txt`)\n  - Verify: `grep -q two b.txt`\n";

/// Adds to the user's settings.
pub(super) fn settings(house: &House, more: &str) {
    let path = house.home.join("config/loopwright/config.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}{more}")).unwrap();
}

/// Says yes and waits headless; answers the exit code with the run.
fn confirmed(house: &House, on_failure: &str) -> (i32, String) {
    let args = ["lifecycle", "start", "--prd", "prd.md", "--on-failure", on_failure];
    let id = house.data(&args)["run_id"].as_str().unwrap().to_owned();
    until_state(house, &id, "CONFIRMING");
    let ran = house.run(&["lifecycle", "confirm", &id, "--wait", "--headless", "--json"]);
    assert_eq!(ran.json()["result"], "waiting", "{ran:?}");
    (ran.code, id)
}

fn second_untouched(house: &House, id: &str) {
    let tasks = house.data(&["lifecycle", "tasks", id]);
    assert_eq!(
        (&tasks[1]["status"], &tasks[1]["turns"]),
        (&"pending".into(), &0.into()),
        "{tasks}"
    );
    assert!(!house.has("b.txt"));
}

#[test]
fn a_spent_budget_exits_with_9_and_needs_more_of_it() {
    let house = house(WRONG, PRD);
    settings(&house, "[lifecycle]\nbudget.turns = 1\n");
    let (exit, id) = confirmed(&house, "stop");
    let stands = status(&house, &id);
    assert_eq!((exit, &stands["blocked"]["why"]), (9, &"budget".into()), "{stands}");
    second_untouched(&house, &id);
    let (code, exit, error) = refused(&house, &["lifecycle", "fix", &id, "--fixed"]);
    assert_eq!((code.as_str(), exit), ("lifecycle.budget", 9), "{error}");
    house.write("a.txt", "one\n");
    let args = ["lifecycle", "fix", &id, "--fixed", "--add-turns", "5", "--wait", "--headless"];
    assert_eq!(house.run(&args).code, 4, "the second task is stuck, with budget left");
    assert_eq!(house.data(&["lifecycle", "tasks", &id])[0]["status"], "done");
}

/// A rule that says so of this tool.
fn denies(tool: &str, more: &str) -> String {
    format!(
        "[[policy.rule]]\nid = \"not-here\"\ntool = \"{tool}\"\n{more}\
         verdict = \"deny\"\nreason = {{ en = \"no\", zh = \"否\" }}\n"
    )
}

#[test]
fn a_turn_that_policy_denies_exits_with_6() {
    let house = house(BOTH, PRD);
    settings(&house, &denies("agent", ""));
    let (exit, id) = confirmed(&house, "continue");
    let stands = status(&house, &id);
    assert_eq!((exit, &stands["blocked"]["why"]), (6, &"policy_denied".into()), "{stands}");
    second_untouched(&house, &id);
    for (lang, told) in [("en", "the rule "), ("zh-CN", "规则 ")] {
        let page = house.run(&["lifecycle", "why", &id, "--lang", lang]).out;
        assert!(page.contains(told) && !page.contains("E_POLICY_DENIED"), "in words: {page}");
    }
}

#[test]
fn a_check_that_cannot_be_run_spends_no_attempt() {
    let no_grep = denies("run", "argv = [\"grep\", \"**\"]\nmatch = [\"grep -q a b\"]\n");
    let missing = PRD.replace("grep -q one a.txt", "no-such-program-here --now");
    for (prd, more, program) in [(PRD, no_grep.as_str(), "grep"), (&missing, "", "no-such-program")]
    {
        let house = house(BOTH, prd);
        settings(&house, more);
        let (exit, id) = confirmed(&house, "continue");
        let stands = status(&house, &id);
        assert_eq!((exit, &stands["blocked"]["why"]), (4, &"cannot_verify".into()), "{stands}");
        assert_eq!(
            (&stands["auto_fix_attempts"], &stands["tasks"][0]["fixes"]),
            (&0.into(), &0.into())
        );
        assert_eq!(stands["tasks"][0]["turns"], 1, "{stands}");
        second_untouched(&house, &id);
        for lang in ["en", "zh-CN"] {
            let page = house.run(&["lifecycle", "why", &id, "--lang", lang]).out;
            assert!(page.contains(program) && !page.contains("not_applied"), "{page}");
        }
    }
}

#[test]
fn a_question_in_the_first_task_is_waited_for_in_every_view() {
    for on_failure in ["stop", "continue"] {
        let house = house(ASKS, FREE);
        let (exit, id) = confirmed(&house, on_failure);
        assert_eq!(exit, 4);
        let question = house.data(&["questions"])[0]["id"].as_str().unwrap().to_owned();
        assert!(question.starts_with("turn-"), "{question}");
        let listed = house.data(&["lifecycle", "list"]);
        let views = [
            status(&house, &id),
            house.data(&["show", &id]),
            listed[0].clone(),
            house.data(&["lifecycle", "context", &id])["view"].clone(),
        ];
        for view in views {
            assert_eq!(view["task_status"], "EXECUTING", "{view}");
            assert_eq!(view["waiting"]["question"], question, "{view}");
            let command = view["next_action"]["command"].as_str().unwrap_or_default();
            assert_eq!(command, format!("loopwright answer {question} \"WORDS\""), "{view}");
        }
        second_untouched(&house, &id);
        for (lang, told) in [("en", "it waits for your answer"), ("zh-CN", "正在等你回答")] {
            for verb in ["status", "next", "why"] {
                let page = house.run(&["lifecycle", verb, &id, "--lang", lang]).out;
                assert!(page.contains(told) && page.contains(&question), "{verb}: {page}");
            }
        }
        assert_eq!(house.run(&["lifecycle", "abort", &id]).code, 0);
    }
}

#[test]
fn a_turn_that_a_person_cancels_stops_the_queue() {
    for on_failure in ["stop", "continue"] {
        let house = house(HANGS, FREE);
        house.write("note.sh", "echo x >> began\n");
        let args = ["lifecycle", "start", "--prd", "prd.md", "--on-failure", on_failure];
        let id = house.data(&args)["run_id"].as_str().unwrap().to_owned();
        until_state(&house, &id, "CONFIRMING");
        assert_eq!(house.run(&["lifecycle", "confirm", &id]).code, 0);
        until("the turn is at work", || house.has("began"));
        let turn = house.data(&["turn", "list"])[0]["run_id"].as_str().unwrap().to_owned();
        assert_eq!(house.run(&["turn", "cancel", &turn]).code, 0);
        let stands = until_state(&house, &id, "BLOCKED");
        assert_eq!(
            (&stands["blocked"]["why"], &stands["auto_fix_attempts"]),
            (&"agent_blocked".into(), &0.into()),
            "{stands}"
        );
        second_untouched(&house, &id);
        for (lang, told) in
            [("en", "the turn was cancelled by a person"), ("zh-CN", "该回合已由用户取消")]
        {
            let page = house.run(&["lifecycle", "why", &id, "--lang", lang]).out;
            assert!(page.contains(told), "{page}");
        }
        assert_eq!(house.run(&["lifecycle", "abort", &id]).code, 0);
    }
}
