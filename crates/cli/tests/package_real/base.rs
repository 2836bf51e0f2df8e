//! The knowledge base with the real binary: where it is, what state it is in, and its operations as
//! the session asks for them.

use serde_json::{Value, json};
use sim::real::house::House;

use super::{git, house, read, refused, write};

fn tool(house: &House, args: &Value) -> Value {
    let args = args.to_string();
    house.ask(&["tool", "run", "package", "--args", &args, "--headless"]).unwrap()
}

fn state(house: &House) -> Value {
    house.ask(&["kb", "status"]).unwrap()["state"].clone()
}

fn init(how: &str) -> Value {
    json!({ "operation": "init", "root": "loopwright", "lang": "zh", "how": how,
        "at": "2026-01-22 11:00", "stamp": "20260122110000" })
}

#[test]
fn the_base_is_made_and_its_state_told() {
    let house = house("");
    assert_eq!(state(&house), "absent");
    let made = tool(&house, &init("create"));
    assert_eq!(made["payload"]["success"], true);
    assert_eq!(state(&house), "ok");
    assert!(read(&house, "loopwright/context.md").contains("语言: Rust"));
    write(&house, "loopwright/INDEX.md", "");
    assert_eq!(state(&house), "heavy");
    let rebuilt = tool(&house, &init("rebuild"));
    assert_eq!(state(&house), "ok");
    assert_eq!(read(&house, "loopwright_backup_20260122110000/INDEX.md"), "");
    house.ask(&["undo", rebuilt["call"].as_str().unwrap()]).unwrap();
    assert_eq!(state(&house), "heavy");
    let told = house.run(&["kb", "status", "--lang", "zh-CN"]).unwrap();
    assert!(told.out.contains("核心文件缺失或为空"), "{told:?}");
    house.empty().unwrap();
}

#[test]
fn the_settings_say_where_the_base_is() {
    let home = house("[paths]\nkb_root = \"docs/kb\"\n");
    assert_eq!(home.ask(&["kb", "status"]).unwrap()["root"], "docs/kb");
    home.ask(&["package", "new", "x"]).unwrap();
    assert!(home.work.join("docs/kb/plan").exists() && !home.work.join("loopwright").exists());
    home.empty().unwrap();
    let out = house("[paths]\nkb_root = \"../out\"\n");
    let expected = (6, "session.outside_workspace".to_owned());
    assert_eq!(refused(&out, &["kb", "status"]), expected);
    assert_eq!(refused(&out, &["package", "new", "x"]), expected);
    let taken = house("");
    write(&taken, "loopwright/lib.rs", "pub fn f() {}\n");
    let expected = (3, "session.kb_root_taken".to_owned());
    assert_eq!(refused(&taken, &["package", "new", "x"]), expected);
    taken.empty().unwrap();
    let protected = house("[paths]\nkb_root = \".git/kb\"\n");
    let (exit, _) = refused(&protected, &["package", "new", "x"]);
    assert_eq!(exit, 6, "policy denies it");
    protected.empty().unwrap();
}

#[test]
fn what_is_made_is_no_surprise_to_git() {
    let house = house("");
    git(&house, &["add", "."]);
    git(&house, &["commit", "-qm", "first"]);
    house.ask(&["package", "new", "x"]).unwrap();
    let status = git(&house, &["status", "--porcelain", "--untracked-files=all"]);
    let lines: Vec<&str> = status.lines().collect();
    assert_eq!(lines.len(), 2, "{status}");
    assert!(lines.iter().all(|line| line.starts_with("?? loopwright/plan/")), "{status}");
    house.empty().unwrap();
}
