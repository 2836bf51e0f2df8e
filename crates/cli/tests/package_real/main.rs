//! Packages and the knowledge base with the real binary on real repositories, in both languages:
//! what is made, checked, archived and taken back, and what is refused without touching anything.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod base;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use sim::real::house::{House, Tenant};

pub fn house(settings: &str) -> House {
    let exe = Path::new(env!("CARGO_BIN_EXE_loopwright"));
    let house = House::new(exe, settings, Tenant::Us).unwrap();
    git(&house, &["init", "-q", "-b", "main"]);
    write(&house, "src/main.rs", "fn main() {}\n");
    house.ask(&["workspace", "trust"]).unwrap();
    house
}

pub fn git(house: &House, args: &[&str]) -> String {
    let who = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
    let out = Command::new("git").args(who).args(args).current_dir(&house.work).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

pub fn write(house: &House, path: &str, text: &str) {
    let full = house.work.join(path);
    fs::create_dir_all(full.parent().unwrap()).unwrap();
    fs::write(full, text).unwrap();
}

pub fn read(house: &House, path: &str) -> String {
    fs::read_to_string(house.work.join(path)).unwrap_or_else(|_| panic!("no {path}"))
}

/// Exit code and code of an error.
pub fn refused(house: &House, args: &[&str]) -> (i32, String) {
    let ran = house.run(&[args, &["--json"]].concat()).unwrap();
    (ran.code, ran.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
}

fn name(report: &Value) -> String {
    report["context"]["package"].as_str().unwrap().to_owned()
}

#[test]
fn a_package_lives_from_its_making_to_its_archive() {
    for (lang, title, result) in [
        ("zh-CN", "# 变更提案: user-login\n", "⏸未执行"),
        ("en", "# Proposal: user-login\n", "⏸Not run"),
    ] {
        let house = house("");
        let none = house.run(&["package", "list", "--lang", lang]).unwrap();
        assert!(none.code == 0 && none.out.contains("package new"), "{none:?}");
        let made = house.ask(&["package", "new", "User Login", "--lang", lang]).unwrap();
        assert_eq!(made["success"], true);
        let name = name(&made);
        let dir = format!("loopwright/plan/{name}");
        assert!(read(&house, &format!("{dir}/proposal.md")).starts_with(title));
        let listed = house.ask(&["package", "list", "--lang", lang]).unwrap();
        assert_eq!(listed[0]["name"], json!(name));
        assert_eq!((&listed[0]["task_count"], &listed[0]["complete"]), (&json!(0), &json!(true)));
        let checked = house.ask(&["package", "check"]).unwrap();
        assert_eq!((&checked["valid"], &checked["executable"]), (&json!(1), &json!(0)));
        let shown = house.run(&["package", "show", &name, "--lang", lang]).unwrap();
        assert!(shown.out.contains(title.trim()), "{shown:?}");
        let before = read(&house, &format!("{dir}/tasks.md"));
        let done = house.ask(&["package", "archive", &name, "--lang", lang]).unwrap();
        let target = done["context"]["target"].as_str().unwrap();
        assert!(!house.work.join(&dir).exists());
        assert!(read(&house, &format!("{target}/tasks.md")).contains("> **@status:** skipped | "));
        let index = read(&house, "loopwright/archive/_index.md");
        assert_eq!(index.matches(&format!("| user-login | ")).count(), 1, "{index}");
        assert!(index.contains(&format!("| {result} |\n")), "{index}");
        let again = refused(&house, &["package", "archive", &name]);
        assert_eq!(again, (3, "session.package_archived".to_owned()));
        house.ask(&["undo", done["call"].as_str().unwrap()]).unwrap();
        assert_eq!(read(&house, &format!("{dir}/tasks.md")), before, "byte for byte");
        assert!(!house.work.join("loopwright/archive/_index.md").exists());
        house.empty().unwrap();
    }
}

#[test]
fn two_processes_make_two_packages() {
    let house = house("");
    let mut children: Vec<_> = (0..2)
        .map(|_| house.command_behind(&[], &["package", "new", "x", "--json"]).spawn().unwrap())
        .collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let listed = house.ask(&["package", "list"]).unwrap();
    let mut names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|it| it["feature"].as_str().unwrap()).collect();
    names.dedup();
    assert_eq!((listed.as_array().unwrap().len(), names), (2, vec!["x"]), "{listed}");
    assert!(listed.as_array().unwrap().iter().all(|it| it["complete"] == true));
    house.empty().unwrap();
}

#[test]
fn bad_input_is_refused_by_its_code_and_touches_nothing() {
    let house = house("");
    write(&house, "loopwright/plan/202601221030_x/proposal.md", "# p\n");
    write(&house, "loopwright/plan/202601221030_x/tasks.md", "- [√] 1 a\n- [ ] 2 b\n");
    let table: [(&[&str], i32, &str); 8] = [
        (&["package", "show", "gone"], 2, "session.no_such"),
        (&["package", "check", "gone"], 2, "session.no_such"),
        (&["package", "new", " -- "], 2, "session.feature_invalid"),
        (&["package", "new", "x", "--type", "novel"], 2, "E_INVALID_ARGS"),
        (&["package", "archive", "nonsense"], 2, "session.name_invalid"),
        (&["package", "archive", "202601221030_gone"], 2, "session.no_package"),
        (&["package", "archive", "202601221030_x", "--status", "great"], 2, "E_INVALID_ARGS"),
        (
            &["package", "archive", "202601221030_x", "--status", "completed"],
            3,
            "session.not_completed",
        ),
    ];
    for (args, exit, code) in table {
        assert_eq!(refused(&house, args), (exit, code.to_owned()), "{args:?}");
    }
    assert_eq!(read(&house, "loopwright/plan/202601221030_x/tasks.md"), "- [√] 1 a\n- [ ] 2 b\n");
    let told = house
        .run(&["package", "archive", "202601221030_x", "--status", "completed", "--lang", "zh-CN"])
        .unwrap();
    assert!(told.err.contains("未完成：2"), "{told:?}");
    let report = house.ask(&["package", "archive", "202601221030_x"]).unwrap();
    assert_eq!(report["context"]["status"], "partial");
    house.empty().unwrap();
}

#[test]
fn a_check_ends_with_one_if_something_is_broken() {
    let house = house("");
    write(&house, "loopwright/plan/202601221030_x/tasks.md", "- [ ] 1 a\n- [ ] 1 b\n");
    let ran = house.run(&["package", "check", "--json"]).unwrap();
    assert_eq!(ran.code, 1, "{ran:?}");
    let data = &ran.json()["data"]["packages"][0];
    let issues: Vec<&str> =
        data["issues"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert!(issues.contains(&"missing_file: proposal.md"), "{issues:?}");
    assert!(issues.contains(&"duplicate_task_id: 1"), "{issues:?}");
    let told = house.run(&["package", "check", "--lang", "zh-CN"]).unwrap();
    assert!(told.out.contains("⛔ 202601221030_x：无效"), "{told:?}");
}
