//! Packages while they are run, tweaks that are taken back or find nothing, and what people type:
//! each with the real engine.

use serde_json::json;

use super::flows::{TWEAKER, WISH, designer};
use super::kit::{House, until};
use super::ways::{answer, asked, until_idle};
use super::{git, house, told, var};

/// An agent that designs two tasks and takes its time over the second.
const TWO: &str = r#"
[[rule]]
when = "Read this project"
steps = [ { session = "auto" }, { say = "One shell script." }, "end" ]
[[rule]]
when = "Design a solution"
steps = [ { session = "auto" },
  { say = '''{"feature":"greeting","type":"implementation","kind":"feature","goal":"greet",
    "approach":"write files","tasks":[{"id":"1.1","title":"Write hello.txt",
    "files":["hello.txt"],"verify":"grep -q hello hello.txt","depends":[]},
    {"id":"1.2","title":"Write later.txt","files":["later.txt"],
    "verify":"grep -q later later.txt","depends":["1.1"]}]}''' }, "end" ]
[[rule]]
when = "Write later.txt"
steps = [ { session = "auto" }, { sleep_ms = 12000 },
          { write = { path = "later.txt", text = "later\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
when = "Write hello.txt"
steps = [ { session = "auto" }, { write = { path = "hello.txt", text = "hello\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

/// The one package that lies in plan/.
fn list_of(house: &House) -> String {
    let plan = std::fs::read_dir(house.work.join("loopwright/plan")).unwrap();
    let names = plan.flatten().map(|entry| entry.file_name().into_string().unwrap());
    let names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    let [name] = names.as_slice() else { panic!("{names:?}") };
    format!("loopwright/plan/{name}/tasks.md")
}

/// Files that were set aside and hold this.
fn refused(house: &House, text: &str) -> usize {
    let dir = std::fs::read_dir(house.work.join(".loop/refused"));
    let files = dir.into_iter().flatten().flatten();
    let texts = files.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    texts.filter(|kept| kept.contains(text)).count()
}

#[test]
fn the_list_of_a_running_package_follows_its_tasks() {
    let house = house(TWO);
    let child = house.spawn(&["auto", WISH, "--yes", "--json", "--headless"]);
    until("the list", || house.has("loopwright/plan") && var(&house, "CURRENT_STAGE") == "DEVELOP");
    let path = list_of(&house);
    until("the first task is marked", || house.read(&path).contains("- [√] 1.1"));
    let drawn = house.read(&path);
    assert!(drawn.contains("- [ ] 1.2") && drawn.contains("rate: 50%"), "{drawn}");
    let beside = std::fs::read_dir(house.work.join(&path).parent().unwrap()).unwrap();
    assert_eq!(beside.count(), 2, "nothing of ours lies in the package");
    // A claim goes to the driver and is drawn by its verdict; other text is set aside.
    house.write(&path, &drawn.replace("- [ ] 1.2", "- [√] 1.2"));
    until("redrawn", || house.read(&path) == drawn);
    house.write(&path, &drawn.replace("Write later.txt", "Write nothing"));
    until("redrawn again", || house.read(&path) == drawn);
    until("kept", || refused(&house, "Write nothing") == 1);
    let ran = super::kit::Ran::of(child);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(house.read("later.txt"), "later\n");
    let archived =
        path.replace("loopwright/plan/", &format!("loopwright/archive/{}/", month(&path)));
    let end = house.read(&archived);
    assert!(end.contains("- [√] 1.1") && end.contains("- [√] 1.2"), "{end}");
}

/// The month of a package's name.
fn month(path: &str) -> String {
    let name = path.split('/').nth(2).unwrap();
    format!("{}-{}", &name[..4], &name[4..6])
}

#[test]
fn marks_of_others_are_ours_once_a_package_is_picked() {
    let house = house(&TWO.replace("{ sleep_ms = 12000 },", ""));
    assert_eq!(told(&house, &["plan", WISH, "--yes"]).0, 0);
    let path = list_of(&house);
    house.write(&path, &house.read(&path).replace("- [ ] 1.1", "- [x] 1.1"));
    let (code, value) = told(&house, &["exec"]);
    // A mark is a claim: the work is done all the same where its check says that it is not.
    assert_eq!((code, house.read("hello.txt").as_str()), (0, "hello\n"), "{value}");
    let calls = std::fs::read_dir(house.work.join(".loop/calls")).unwrap().flatten();
    let reports = calls.filter_map(|call| {
        let text = std::fs::read_to_string(call.path().join("report.json")).ok()?;
        text.contains("\"operation\":\"adopt\"").then_some(())
    });
    assert_eq!(reports.count(), 1, "rewritten once");
}

#[test]
fn a_package_of_before_gets_its_knowledge_base() {
    let house = house(&designer(0));
    assert_eq!(told(&house, &["plan", WISH, "--yes"]).0, 0);
    for file in ["INDEX.md", "context.md", "modules/_index.md"] {
        std::fs::remove_file(house.work.join("loopwright").join(file)).unwrap();
    }
    let (code, value) = told(&house, &["exec"]);
    assert_eq!(code, 0, "{value}");
    assert!(house.has("loopwright/INDEX.md") && house.has("loopwright/context.md"));
}

#[test]
fn what_was_archived_since_is_shown_as_rolled_back() {
    let house = house(&designer(0));
    assert_eq!(house.run(&["checkpoint", "create"]).code, 0);
    let (code, value) = told(&house, &["auto", WISH, "--yes"]);
    assert_eq!(code, 0, "{value}");
    let (code, value) = told(&house, &["say", "~rollback"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let targets = asked(&house, "session.rollback_target");
    let last = targets["options"].as_array().unwrap().len() - 1;
    answer(&house, "session.rollback_target", &[&format!("version_{last}")]);
    answer(&house, "session.rollback_risk", &["confirm"]);
    let end = until_idle(&house);
    assert_eq!((&end["how"], &end["verdict"]), (&json!("completed"), &json!("passed")), "{end}");
    assert!(!house.has("hello.txt"), "the work is taken back");
    let index = house.read("loopwright/archive/_index.md");
    let row = index.lines().find(|line| line.contains("| greeting |")).unwrap();
    assert!(row.contains('🔄') && row.matches(" | ").count() == 5, "{index}");
    let log = house.read("loopwright/CHANGELOG.md");
    assert!(log.contains("### Rolled back") && log.contains("### Added"), "{log}");
    let packages = std::fs::read_dir(house.work.join("loopwright/plan")).unwrap();
    assert_eq!(packages.count(), 0, "the package stays in the archive");
}

#[test]
fn a_tweak_is_taken_back_while_it_edits() {
    let slow = TWEAKER.replace(
        "{ say = '{\"control\":\"step_done\"}' }",
        "{ sleep_ms = 20000 }, { say = '{\"control\":\"step_done\"}' }",
    );
    let house = house(&slow);
    let wish = "change the text in main.sh from `one` to `one two`";
    let child = house.spawn(&["say", wish, "--yes", "--json", "--headless"]);
    until("it edits", || house.read("main.sh") == "echo one two\n");
    let (code, value) = told_plain(&house, &["cancel", "--undo"]);
    assert_eq!(code, 0, "{value}");
    let end = until_idle(&house);
    assert_eq!(house.read("main.sh"), "echo one\n", "{end}");
    drop(super::kit::Ran::of(child));
}

fn told_plain(house: &House, args: &[&str]) -> (i32, serde_json::Value) {
    let ran = house.run(&[args, &["--json"]].concat());
    (ran.code, ran.json())
}

#[test]
fn a_tweak_that_finds_nothing_asks_where() {
    let lost = r#"
[[rule]]
when = "it is in main.sh"
steps = [ { session = "auto" }, { write = { path = "main.sh", text = "echo one two\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
when = "lost.sh"
steps = [ { session = "auto" }, { say = '{"control":"replan","reason":"no such file"}' }, "end" ]
"#;
    let wish = "change the text in lost.sh from `one` to `one two`";
    let first = house(lost);
    let (code, value) = told(&first, &["say", wish, "--yes"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    answer(&first, "session.locate", &["path", "--text", "it is in main.sh"]);
    assert_eq!(until_idle(&first)["how"], "completed");
    assert_eq!(first.read("main.sh"), "echo one two\n");
    let silent = house(lost);
    let (code, value) = told(&silent, &["auto", wish, "--yes"]);
    assert_eq!(code, 1, "{value}");
    assert_eq!(value["data"]["last"]["detail"]["failed"]["code"], "target_not_found", "{value}");
}

#[test]
fn nothing_is_gone_on_with_on_another_branch() {
    let lost = r#"
[[rule]]
when = "lost.sh"
steps = [ { session = "auto" }, { say = '{"control":"replan","reason":"no such file"}' }, "end" ]
"#;
    let house = house(lost);
    let wish = "change the text in lost.sh from `one` to `one two`";
    assert_eq!(told(&house, &["say", wish, "--yes"]).0, 4);
    let place = asked(&house, "session.locate");
    let id = place["id"].as_str().unwrap();
    git(&house, &["checkout", "-q", "-b", "other"]);
    let ran = house.run(&["answer", id, "path", "--text", "main.sh", "--json"]);
    assert_eq!((ran.code, &ran.json()["error"]["code"]), (3, &json!("session.branch_changed")));
    let main = house.data(&["status", "--branch", "main"]);
    assert_eq!(main["questions"][0]["kind"], "session.interrupted", "{main}");
    let id = main["questions"][0]["id"].as_str().unwrap();
    assert_eq!(house.run(&["answer", id, "continue"]).code, 3);
    git(&house, &["checkout", "-q", "main"]);
    answer(&house, "session.interrupted", &["continue"]);
    assert_eq!(asked(&house, "session.locate")["id"], place["id"]);
}

#[test]
fn a_persons_own_lines_are_no_risk_of_the_flow() {
    let risky = "hello = eval(input())\n";
    let adds = designer(0)
        .replace("text = \"hello\\n\"", "text = \"hello = eval(input())\\nmore\\n\"")
        .replace("hello.txt", "hello.py");
    let house = house(&adds);
    house.write("hello.py", risky);
    let (code, value) = told(&house, &["auto", WISH, "--yes"]);
    assert_eq!(code, 0, "{value}");
    assert_eq!(house.read("hello.py"), format!("{risky}more\n"));
}

#[test]
fn what_was_added_is_looked_at_before_it_is_archived() {
    let evil = designer(0)
        .replace("text = \"hello\\n\"", "text = \"hello = eval(input())\\n\"")
        .replace("hello.txt", "hello.py");
    let house = house(&evil);
    let (code, value) = told(&house, &["auto", WISH, "--yes"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let question = asked(&house, "session.risk");
    assert!(question["text"].as_str().unwrap().contains("eval(input())"), "{question}");
    assert_eq!(var(&house, "SILENCE_BROKEN"), true);
    answer(&house, "session.risk", &["confirm"]);
    assert_eq!(until_idle(&house)["how"], "completed");
    assert!(house.read("loopwright/CHANGELOG.md").contains("EHRB"), "accepted and not told");
}

#[test]
fn a_label_answers_and_questions_speak_the_units_language() {
    let house = house(TWEAKER);
    let (code, value) = told(&house, &["--lang", "zh-CN", "auto", WISH]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let plain = house.run(&["questions"]).out;
    assert!(plain.contains("确认执行（静默）"), "in the unit's language: {plain}");
    let flagged = house.run(&["--lang", "en", "questions"]).out;
    assert!(flagged.contains("Run silently"), "in the language of the command: {flagged}");
    let (_, value) = told(&house, &["say", "Cancel"]);
    assert_eq!(value["data"]["state"], "Idle", "a label of the other language: {value}");
}
