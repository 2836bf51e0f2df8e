//! The jobs: each looks, asks where there is something to choose, works, and is over.

use serde_json::{Value, json};

use super::{git, house, told, var};

/// An agent that finds one thing.
const REVIEWER: &str = r#"
[[rule]]
when = "Review the code"
steps = [ { session = "auto" },
  { say = '''{"findings":[{"severity":"warning","dimension":"quality","path":"main.sh","line":1,
    "problem":"it says one"}]}''' }, "end" ]
"#;

#[test]
fn status_needs_nothing_and_shows_every_variable() {
    let house = house(REVIEWER);
    let vars = house.data(&["status", "--vars"]);
    let expected = json!({
        "WORKFLOW_MODE": "INTERACTIVE", "CURRENT_STAGE": null, "STAGE_ENTRY_MODE": "NATURAL",
        "KB_SKIPPED": null, "CREATED_PACKAGE": null, "CURRENT_PACKAGE": null,
        "ACTIVE_TOOL": null, "SUSPENDED_STAGE": null, "TOOL_NESTING": 0,
        "SILENCE_BROKEN": false, "EXEC_STATUS": "IDLE",
        "config": { "OUTPUT_LANGUAGE": "en", "KB_CREATE_MODE": 2, "BILINGUAL_COMMIT": 1 },
    });
    assert_eq!(vars, expected);
    // What is configured is shown, not what is usual.
    let file = house.home.join("config/loopwright/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}[kb]\ncreate_mode = 0\n[commit]\nbilingual = 0\n"))
        .unwrap();
    let config = &house.data(&["status", "--vars"])["config"];
    assert_eq!((&config["KB_CREATE_MODE"], &config["BILINGUAL_COMMIT"]), (&json!(0), &json!(0)));
}

#[test]
fn tests_are_run_and_told() {
    let house = house(REVIEWER);
    let (code, value) = told(&house, &["test"]);
    assert_eq!((code, &value["result"]), (0, &json!("passed")), "{value}");
    house.write("main.sh", "echo two\n");
    let (code, value) = told(&house, &["test"]);
    assert_eq!((code, &value["result"]), (1, &json!("failed")), "{value}");
    assert_eq!(var(&house, "EXEC_STATUS"), "IDLE");
}

#[test]
fn a_review_reads_and_reports() {
    let house = house(REVIEWER);
    let (code, value) = told(&house, &["review", "main.sh"]);
    assert_eq!((code, &value["result"]), (0, &json!("passed")), "{value}");
    assert_eq!(value["data"]["told"]["findings"][0]["path"], "main.sh");
    assert_eq!(git(&house, &["status", "--porcelain"]), "");
}

#[test]
fn a_knowledge_base_is_made_validated_and_left_alone() {
    let house = house(REVIEWER);
    let (code, value) = told(&house, &["init"]);
    assert_eq!((code, &value["result"]), (0, &json!("passed")), "{value}");
    assert!(house.has("loopwright/INDEX.md") && house.has("loopwright/context.md"));
    let (code, value) = told(&house, &["validate", "all"]);
    assert_eq!(code, 0, "{value}");
    // A second one would rebuild: a person is asked, and nobody is there.
    let (code, value) = told(&house, &["init"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    assert_eq!(value["data"]["questions"][0]["kind"], "session.init_rebuild");
    let cancelled = house.data(&["cancel"]);
    assert_eq!(cancelled["state"], "Idle");
}

#[test]
fn a_commit_is_exactly_what_was_shown() {
    let house = house(REVIEWER);
    let (code, value) = told(&house, &["commit"]);
    assert_eq!((code, &value["data"]["told"]["nothing"]), (0, &json!(true)), "{value}");
    house.write("more.sh", "echo more\n");
    let (code, value) = told(&house, &["commit", "add", "more"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let question: &Value = &value["data"]["questions"][0];
    assert_eq!(question["kind"], "session.commit_how");
    let id = question["id"].as_str().unwrap();
    git(&house, &["config", "user.name", "T"]);
    git(&house, &["config", "user.email", "t@example.org"]);
    assert_eq!(house.run(&["answer", id, "local"]).code, 0);
    super::kit::until("the commit", || git(&house, &["log", "--oneline"]).lines().count() == 2);
    let message = git(&house, &["log", "-1", "--format=%B"]);
    assert!(message.contains("add more") && message.contains("Loopwright-Call: "), "{message}");
}

#[test]
fn leftover_packages_are_archived() {
    let house = house(REVIEWER);
    let (code, value) = told(&house, &["clean", "--all"]);
    assert_eq!((code, &value["data"]["told"]["nothing"]), (0, &json!(true)), "{value}");
    let made = house.data(&["package", "new", "left over"]);
    let name = made["context"]["package"].as_str().or(made["name"].as_str());
    let name = name.unwrap_or_else(|| panic!("no name: {made}")).to_owned();
    assert!(house.has(&format!("loopwright/plan/{name}")));
    let (code, value) = told(&house, &["clean", "--all"]);
    assert_eq!((code, &value["result"]), (0, &json!("passed")), "{value}");
    assert!(!house.has(&format!("loopwright/plan/{name}")));
}

#[test]
fn what_was_staged_is_committed_and_the_rest_stays() {
    let house = house(REVIEWER);
    house.write("main.sh", "echo one\necho staged\n");
    git(&house, &["add", "main.sh"]);
    house.write("main.sh", "echo one\necho staged\necho loose\n");
    let (code, value) = told(&house, &["commit", "add", "staged"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    git(&house, &["config", "user.name", "T"]);
    git(&house, &["config", "user.email", "t@example.org"]);
    super::ways::answer(&house, "session.commit_how", &["local"]);
    let last = super::ways::until_idle(&house);
    assert_eq!((&last["how"], &last["verdict"]), (&json!("completed"), &json!("passed")), "{last}");
    assert_eq!(git(&house, &["show", "HEAD:main.sh"]), "echo one\necho staged\n");
    assert_eq!(git(&house, &["status", "--porcelain", "main.sh"]), " M main.sh\n");
}
