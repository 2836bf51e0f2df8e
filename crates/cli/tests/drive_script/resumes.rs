//! Going on with a conversation: only one that was given can be resumed, it keeps its id, and what
//! some CLIs count runs on over its calls.

use serde_json::Value;

use crate::kit::{Agent, Ran};

const ANSWER: &str = r#"{ say = "hi" }, "end""#;

fn id_of(ran: &Ran) -> String {
    let first = &ran.events()[0];
    let id = ["id", "thread_id", "session_id"].iter().find_map(|key| first[*key].as_str());
    id.unwrap_or_else(|| panic!("{ran:?}")).to_owned()
}

#[test]
fn what_was_given_can_be_resumed_and_keeps_its_id() {
    for dialect in ["stream/1", "codex", "gemini", "claude", "qwen"] {
        let agent = Agent::steps(dialect, ANSWER);
        let id = id_of(&agent.run());
        let other = format!("{}-again", agent.call);
        let again = agent.called(&other).resume(&id).run();
        assert_eq!((id_of(&again), again.code), (id, Some(0)), "{dialect}");
    }
}

#[test]
fn each_dialect_refuses_what_it_never_gave_its_own_way() {
    let id = "0d9e1b1a-2222-4000-8000-000000000000";
    let table = [
        ("stream/1", 1, "\"kind\":\"resume_unknown\"", "no session 0d9e1b1a"),
        ("codex", 1, "", "no rollout found for thread id 0d9e1b1a"),
        ("gemini", 42, "", "Error resuming session: Invalid session identifier"),
        (
            "claude",
            1,
            "\"errors\":[\"No conversation found",
            "No conversation found with session ID",
        ),
        ("qwen", 1, "", "No saved session found with ID 0d9e1b1a"),
        ("wrapper", 1, "", "no rollout found"),
    ];
    for (dialect, code, stdout, stderr) in table {
        let steps = format!("{{ write = {{ path = \"x\", text = \"x\" }} }}, {ANSWER}");
        let agent = Agent::steps(dialect, &steps).resume(id);
        let ran = agent.run();
        assert_eq!(ran.code, Some(code), "{dialect}: {ran:?}");
        assert!(ran.stdout.contains(stdout), "{dialect}: {ran:?}");
        assert_eq!(ran.stdout.is_empty(), stdout.is_empty(), "{dialect}: {ran:?}");
        assert!(ran.stderr.contains(stderr), "{dialect}: {ran:?}");
        assert!(!agent.work().join("x").exists(), "{dialect}: it acted all the same");
    }
}

#[test]
fn an_id_given_in_words_is_given_too() {
    let agent = Agent::steps("codex", r#"{ session = "my-own-id" }, { say = "hi" }, "end""#);
    assert_eq!(id_of(&agent.run()), "my-own-id");
    let agent = agent.resume("my-own-id");
    assert_eq!(agent.run().code, Some(0));
    // Another home is another agent's memory.
    let other = Agent::steps("codex", ANSWER).resume("my-own-id");
    assert_eq!(other.run().code, Some(1));
}

#[test]
fn totals_run_on_over_a_conversation_where_theirs_do() {
    let ended = |ran: &Ran| ran.events().pop().unwrap();
    let number = |event: &Value, at: &str| event.pointer(at).and_then(Value::as_f64).unwrap();
    let steps = r#"{ say = "hi" }, { usage = { input_tokens = 7, cost_usd = 0.5 } }, "end""#;
    for dialect in ["codex", "gemini", "claude", "qwen"] {
        let agent = Agent::steps(dialect, steps);
        let first = agent.run();
        let agent = agent.resume(&id_of(&first));
        let (first, second) = (ended(&first), ended(&agent.run()));
        let input = match dialect {
            "gemini" => "/stats/input_tokens",
            _ => "/usage/input_tokens",
        };
        let expected = if ["codex", "qwen"].contains(&dialect) { 14.0 } else { 7.0 };
        assert_eq!(number(&first, input), 7.0, "{dialect}");
        assert_eq!(number(&second, input), expected, "{dialect}");
        if dialect == "claude" {
            assert_eq!(number(&second, "/total_cost_usd"), 1.0);
            let model = "/model_usage_since_last_result/claude-sonnet-4-5/costUSD";
            assert_eq!(number(&second, model), 0.5);
        }
    }
}
