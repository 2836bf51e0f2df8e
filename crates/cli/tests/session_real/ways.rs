//! Longer ways on real repositories: a plan that is carried out later, a design that is adjusted, a
//! loop as the driver, an old layout, a way back, and an engine that is killed in every stage.

use serde_json::{Value, json};

use super::flows::{WISH, designer};
use super::kit::{House, signal, until};
use super::{git, house, told, var};

/// The one open question of this kind.
pub fn asked(house: &House, kind: &str) -> Value {
    let mut found = Value::Null;
    until(kind, || {
        let view = house.data(&["status"]);
        let open = view["questions"].as_array().cloned().unwrap_or_default();
        found = open.into_iter().find(|one| one["kind"] == kind).unwrap_or_default();
        !found.is_null()
    });
    found
}

pub fn answer(house: &House, kind: &str, key: &[&str]) {
    let question = asked(house, kind);
    let id = question["id"].as_str().unwrap().to_owned();
    let ran = house.run(&[&["answer", id.as_str()], key].concat());
    assert_eq!(ran.code, 0, "{kind} {key:?}: {ran:?}");
}

pub fn until_idle(house: &House) -> Value {
    until("idle", || var(house, "EXEC_STATUS") == "IDLE");
    house.data(&["status"])["last"].clone()
}

pub fn set(house: &House, lines: &str) {
    let file = house.home.join("config/loopwright/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("[session]\n", &format!("[session]\n{lines}\n"))).unwrap();
}

#[test]
fn a_plan_is_carried_out_later() {
    let house = house(&designer(0));
    let (code, value) = told(&house, &["plan", WISH, "--yes"]);
    assert_eq!(code, 0, "{value}");
    assert!(!house.has("hello.txt"));
    let (code, value) = told(&house, &["exec", "no-such-package"]);
    assert_eq!((code, &value["result"]), (1, &json!("failed")), "{value}");
    assert_eq!(value["data"]["last"]["detail"]["failed"]["code"], "no_package", "{value}");
    let (code, value) = told(&house, &["exec"]);
    assert_eq!(code, 0, "{value}");
    assert_eq!(house.read("hello.txt"), "hello\n");
    assert!(house.read("loopwright/archive/_index.md").contains("greeting"));
}

#[test]
fn an_adjusted_design_is_the_same_package() {
    let house = house(&designer(0));
    let wish = ["auto", WISH, "--answer", "complexity=interactive"];
    let (code, value) = told(&house, &wish);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let first = asked(&house, "session.design_done");
    assert!(first["text"].as_str().unwrap().contains("greeting"), "{first}");
    assert!(!first["text"].as_str().unwrap().contains('{'), "facts are words: {first}");
    answer(&house, "session.design_done", &["adjust", "--text", "say it louder"]);
    until("another design", || {
        let open = house.data(&["status"])["questions"][0].clone();
        open["kind"] == "session.design_done" && open["id"] != first["id"]
    });
    let packages = house.data(&["package", "list"]);
    let count = packages.to_string().matches("_greeting\"").count();
    let second = asked(&house, "session.design_done");
    assert_eq!(first["about"], second["about"], "another package: {packages} {count}");
    answer(&house, "session.design_done", &["run"]);
    assert_eq!(until_idle(&house)["how"], "completed");
    assert_eq!(house.read("hello.txt"), "hello\n");
}

#[test]
fn a_loop_drives_a_package() {
    let house = house(&designer(0));
    set(&house, "driver = \"loop\"");
    let (code, value) = told(&house, &["auto", WISH, "--yes"]);
    assert_eq!(code, 0, "{value}");
    assert_eq!(house.read("hello.txt"), "hello\n");
    assert!(house.read("loopwright/archive/_index.md").contains("greeting"), "not archived");
    let loops = house.data(&["loop", "list"]);
    assert_eq!(loops.as_array().or(loops["loops"].as_array()).map(Vec::len), Some(1), "{loops}");
}

#[test]
fn an_old_layout_is_moved_after_a_yes() {
    let house = house("");
    std::fs::create_dir_all(house.work.join("loopwright/wiki")).unwrap();
    house.write("loopwright/project.md", "# Project\n\nA shell script.\n");
    house.write("loopwright/wiki/main.md", "# main\n\nSays one.\n");
    let (code, value) = told(&house, &["upgrade"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let question = asked(&house, "session.upgrade_plan");
    assert!(question["text"].as_str().unwrap().contains("wiki/main.md"), "{question}");
    answer(&house, "session.upgrade_plan", &["run"]);
    let last = until_idle(&house);
    assert_eq!((&last["how"], &last["verdict"]), (&json!("completed"), &json!("passed")), "{last}");
    assert!(house.read("loopwright/modules/main.md").contains("Says one."));
    assert!(house.has("loopwright/context.md") && !house.has("loopwright/wiki/main.md"));
    let beside = std::fs::read_dir(&house.work).unwrap();
    let backup = beside
        .filter_map(Result::ok)
        .find(|entry| entry.file_name().to_string_lossy().starts_with("loopwright_backup_"));
    assert!(backup.is_some_and(|backup| backup.path().join("wiki/main.md").exists()));
}

#[test]
fn what_an_upgrade_could_not_move_is_shown_and_decided_about() {
    let house = house("");
    std::fs::create_dir_all(house.work.join("loopwright/wiki")).unwrap();
    std::fs::create_dir_all(house.work.join("loopwright/modules")).unwrap();
    house.write("loopwright/project.md", "# Project\n");
    house.write("loopwright/wiki/main.md", "# old\n");
    house.write("loopwright/modules/main.md", "# mine\n");
    assert_eq!(told(&house, &["upgrade"]).0, 4);
    let text = |question: &Value| question["text"].as_str().unwrap().to_owned();
    let plan = text(&asked(&house, "session.upgrade_plan"));
    assert!(plan.contains("In the way, and not overwritten: modules/main.md"), "{plan}");
    answer(&house, "session.upgrade_plan", &["details"]);
    until("the plan in full", || {
        text(&asked(&house, "session.upgrade_plan")).contains("  | # Project")
    });
    answer(&house, "session.upgrade_plan", &["run"]);
    let left = asked(&house, "session.upgrade_failed");
    assert!(text(&left).contains("wiki/main.md") && text(&left).contains("older layout"), "{left}");
    answer(&house, "session.upgrade_failed", &["ignore"]);
    let last = until_idle(&house);
    assert_eq!(
        (&last["how"], &last["verdict"]),
        (&json!("completed"), &json!("partial")),
        "{last}"
    );
    assert_eq!(house.read("loopwright/modules/main.md"), "# mine\n");
}

#[test]
fn a_tweak_is_rolled_back_after_a_yes() {
    let house = house(super::flows::TWEAKER);
    let (code, value) = told(&house, &["say", "~rollback"]);
    assert_eq!((code, &value["result"]), (1, &json!("failed")), "{value}");
    assert_eq!(house.run(&["checkpoint", "create"]).code, 0);
    let wish = "change the text in main.sh from `one` to `one two`";
    assert_eq!(told(&house, &["say", wish, "--yes"]).0, 0);
    assert_eq!(house.read("main.sh"), "echo one two\n");
    let (code, value) = told(&house, &["say", "~rollback"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    answer(&house, "session.rollback_target", &["version_1"]);
    answer(&house, "session.rollback_risk", &["confirm"]);
    let last = until_idle(&house);
    assert_eq!((&last["how"], &last["verdict"]), (&json!("completed"), &json!("passed")), "{last}");
    assert_eq!(house.read("main.sh"), "echo one\n");
}

#[test]
fn a_broken_base_fails_its_validation() {
    let house = house("");
    assert_eq!(told(&house, &["init"]).0, 0);
    house.write("loopwright/INDEX.md", "");
    let (code, value) = told(&house, &["validate", "all"]);
    assert_eq!((code, &value["result"]), (1, &json!("failed")), "{value}");
}

#[test]
fn a_commit_has_both_languages() {
    let house = house("");
    house.write("more.sh", "echo more\n");
    let (code, value) = told(&house, &["--lang", "zh-CN", "commit", "增加脚本"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    git(&house, &["config", "user.name", "T"]);
    git(&house, &["config", "user.email", "t@example.org"]);
    answer(&house, "session.commit_how", &["local"]);
    until_idle(&house);
    let message = git(&house, &["log", "-1", "--format=%B"]);
    assert!(message.contains("增加脚本") && message.contains("\n---\n"), "{message}");
}

#[test]
fn another_branch_is_another_session_and_none_is_written_to() {
    let house = house(&designer(0));
    let (code, value) = told(&house, &["auto", WISH]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    git(&house, &["checkout", "-q", "-b", "other"]);
    assert_eq!(var(&house, "EXEC_STATUS"), "IDLE", "the other branch has its own");
    let main = house.data(&["status", "--branch", "main"]);
    let id = main["questions"][0]["id"].as_str().unwrap().to_owned();
    house.run(&["answer", &id, "silent"]);
    until("held", || {
        let main = house.data(&["status", "--branch", "main"]);
        main["questions"][0]["kind"] == "session.interrupted"
    });
    assert!(!house.has("loopwright/plan"), "written on the wrong branch");
    assert_eq!(house.run(&["cancel", "--branch", "main"]).code, 0);
}

#[test]
fn killed_in_every_stage_it_ends_the_same() {
    let house = house(&designer(2_000));
    let (code, value) = told(&house, &["auto", WISH]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let question = value["data"]["questions"][0]["id"].clone();
    kill(&house);
    assert_eq!(asked(&house, "session.complexity")["id"], question);
    answer(&house, "session.complexity", &["silent"]);
    for stage in ["ANALYZE", "DESIGN", "DEVELOP"] {
        until(stage, || var(&house, "CURRENT_STAGE") == stage);
        kill(&house);
        // Talk starts nothing but the engine.
        assert_eq!(told(&house, &["say", "what is this?"]).0, 0);
        assert_eq!(var(&house, "WORKFLOW_MODE"), "AUTO_FULL", "{stage}");
    }
    let last = until_idle(&house);
    assert_eq!(last["how"], "completed", "{last}");
    assert_eq!(house.read("hello.txt"), "hello\n");
    let index = house.read("loopwright/archive/_index.md");
    assert_eq!(index.matches("| greeting |").count(), 1, "{index}");
    let log = house.read("loopwright/CHANGELOG.md");
    assert_eq!(log.matches("_greeting](").count(), 1, "{log}");
}

#[test]
fn a_tweak_survives_its_engine() {
    let slow = super::flows::TWEAKER
        .replace("{ session = \"auto\" },", "{ session = \"auto\" }, { sleep_ms = 2000 },");
    let house = house(&slow);
    let wish = "change the text in main.sh from `one` to `one two`";
    let child = house.spawn(&["say", wish, "--yes", "--json", "--headless"]);
    until("TWEAK", || var(&house, "CURRENT_STAGE") == "TWEAK");
    kill(&house);
    let ran = super::kit::Ran::of(child);
    assert_eq!(ran.code, 0, "the view starts it again: {ran:?}");
    assert_eq!(house.read("main.sh"), "echo one two\n");
}

pub fn kill(house: &House) {
    signal(house.engine_pid(), rustix::process::Signal::KILL);
    until("gone", || !house.run(&["engine", "status", "--json"]).out.contains("\"running\":true"));
}
