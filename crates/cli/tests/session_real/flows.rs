//! The flows: a tweak by words, a plan, and the whole way from words to an archived package.

use serde_json::json;

use super::{git, house, told, var};

/// An agent that changes one word.
pub const TWEAKER: &str = r#"
[[rule]]
when = "main.sh"
steps = [ { session = "auto" }, { write = { path = "main.sh", text = "echo one two\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
when = "Answer briefly"
steps = [ { session = "auto" }, { say = "It says one." }, "end" ]
"#;

/// An agent that reads, designs, and does what it designed.
const DESIGNER: &str = r#"
[[rule]]
when = "Read this project"
steps = [ { session = "auto" }, { say = "One shell script." }, "end" ]
[[rule]]
when = "Design a solution"
steps = [ { session = "auto" },
  { say = '''{"feature":"greeting","type":"implementation","kind":"feature","goal":"greet",
    "approach":"write a file","tasks":[{"id":"1.1","title":"Write hello.txt",
    "files":["hello.txt"],"verify":"grep -q hello hello.txt","depends":[]}]}''' }, "end" ]
[[rule]]
when = "Answer briefly"
steps = [ { say = "One script." }, "end" ]
[[rule]]
when = "Write hello.txt"
steps = [ { session = "auto" }, { write = { path = "hello.txt", text = "hello\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

pub const WISH: &str = "Add a `hello.txt` greeting file; it should contain hello and a test must \
    show it, errors should fail the check, only touch that file, no new dependencies";

/// The same, each word of it so late.
pub fn designer(late_ms: u32) -> String {
    let waits = format!("{{ session = \"auto\" }}, {{ sleep_ms = {late_ms} }},");
    DESIGNER.replace("{ session = \"auto\" },", &waits)
}

#[test]
fn talk_starts_nothing() {
    let house = house(TWEAKER);
    let (code, value) = told(&house, &["say", "what is this?"]);
    assert_eq!(code, 0, "{value}");
    assert_eq!(value["data"]["state"], "Idle");
    let (code, value) = told(&house, &["say", "~foo bar"]);
    assert_eq!((code, &value["error"]["code"]), (2, &json!("session.unknown_command")), "{value}");
}

#[test]
fn a_vague_wish_asks_before_anything_is_read() {
    let house = house(TWEAKER);
    let (code, value) = told(&house, &["auto", "优化代码"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    assert_eq!(value["data"]["questions"][0]["kind"], "session.clarify");
    let shown = house.run(&["status"]);
    assert!(shown.out.contains("- 任务目标：优化"), "by which words it scored: {shown:?}");
    assert_eq!(var(&house, "CURRENT_STAGE"), "EVALUATE");
    assert_eq!(var(&house, "WORKFLOW_MODE"), "AUTO_FULL");
    // Another one is refused, and the first stands as it stood.
    let (code, value) = told(&house, &["plan", "x"]);
    assert_eq!((code, &value["error"]["code"]), (3, &json!("session.flow_active")), "{value}");
    assert_eq!(house.data(&["cancel"])["state"], "Idle");
    assert_eq!(var(&house, "EXEC_STATUS"), "IDLE");
}

#[test]
fn a_small_change_is_one_turn_and_one_entry() {
    let house = house(TWEAKER);
    let wish = "change the text in main.sh from `one` to `one two`";
    let (code, value) = told(&house, &["say", wish, "--yes"]);
    assert_eq!(code, 0, "{value}");
    assert_eq!(house.read("main.sh"), "echo one two\n");
    assert!(house.read("loopwright/CHANGELOG.md").contains("main.sh"), "no entry");
    assert!(!house.has("loopwright/INDEX.md"), "a tweak makes no knowledge base");
    assert_eq!(value["data"]["last"]["how"], "completed");
    assert_eq!(var(&house, "WORKFLOW_MODE"), "INTERACTIVE");
}

/// What counts is what changed: one line of a long file is a small change.
#[test]
fn one_line_of_a_long_file_is_a_small_change() {
    let long = |word: &str| {
        let line = |n| if n == 40 { format!("echo {word}\n") } else { format!("# {n}\n") };
        (1..=80).map(line).collect::<String>()
    };
    let agent = TWEAKER.replace(r#""echo one two\n""#, &format!("{:?}", long("one two")));
    let house = house(&agent);
    house.write("main.sh", &long("one"));
    git(&house, &["commit", "-qam", "longer"]);
    let wish = "change the text in main.sh from `one` to `one two`";
    let (code, value) = told(&house, &["say", wish, "--yes"]);
    assert_eq!((code, &value["data"]["last"]["how"]), (0, &json!("completed")), "{value}");
    assert_eq!(house.read("main.sh"), long("one two"));
}

#[test]
fn a_plan_ends_with_a_package_and_changes_no_code() {
    let house = house(DESIGNER);
    let (code, value) = told(&house, &["plan", WISH, "--yes"]);
    assert_eq!(code, 0, "{value}");
    assert!(!house.has("hello.txt"));
    let packages = house.data(&["package", "list"]);
    assert!(packages.to_string().contains("greeting"), "{packages}");
}

#[test]
fn what_a_person_let_pass_stands_in_the_proposal_and_the_report() {
    let house = house(DESIGNER);
    let wish = ["plan", "添加 `hello.txt`", "--yes", "--answer", "clarify=proceed"];
    let (code, value) = told(&house, &wish);
    assert_eq!((code, &value["result"]), (0, &json!("partial")), "{value}");
    let told = &value["data"]["told"];
    let path = told["deliverables"]["package"]["path"].as_str().unwrap();
    let proposal = house.read(&format!("{}/proposal.md", path.trim_end_matches('/')));
    assert!(proposal.contains("- Waived: the requirement went on at"), "{proposal}");
    let session = value["data"]["session_id"].as_str().unwrap();
    let report = house.read(&format!(".loop/reports/{session}-1.md"));
    for line in
        ["## Package\n\n- `loopwright/plan/", "Waived: the requirement", "🔄 created", "- goal: "]
    {
        assert!(report.contains(line), "{line}: {report}");
    }
}

#[test]
fn the_whole_way_from_words_to_the_archive() {
    let house = house(DESIGNER);
    let (code, value) = told(&house, &["auto", WISH, "--yes"]);
    assert_eq!(code, 0, "{value}");
    assert_eq!(house.read("hello.txt"), "hello\n");
    assert!(house.read("loopwright/archive/_index.md").contains("greeting"), "not archived");
    assert!(house.read("loopwright/CHANGELOG.md").contains("greeting"), "no entry");
    let log = house.read("loopwright/CHANGELOG.md");
    assert!(log.contains("### Added\n"), "a feature is an addition: {log}");
    let index = house.read("loopwright/INDEX.md");
    assert!(index.contains("pending packages: 0\n"), "{index}");
    assert_eq!(value["data"]["last"]["verdict"], "passed", "{value}");
}
