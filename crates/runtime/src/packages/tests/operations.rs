//! What operations leave and refuse.

use serde_json::{Value, json};

use super::yard::Yard;
use crate::change::{Pass, Steps};

pub(super) fn create(feature: &str) -> Value {
    json!({ "operation": "create", "root": "loopwright", "lang": "zh", "feature": feature,
        "minute": "202601221030", "draft": { "goal": "登录", "tasks": [
            { "id": "1.1", "title": "做", "verify": "true" } ] } })
}

pub(super) fn archive(name: &str, status: Value) -> Value {
    json!({ "operation": "archive", "root": "loopwright", "lang": "zh", "name": name,
        "status": status, "at": "2026-01-22 11:00" })
}

fn code(result: Result<Value, String>) -> String {
    result.expect_err("refused").split(' ').next().unwrap().to_owned()
}

#[test]
fn a_new_package_takes_the_next_free_name() {
    let yard = Yard::new(&[]);
    for (call, name) in [("c1", "202601221030_login"), ("c2", "202601221030_login_v2")] {
        let report = yard.run(call, &create("Login")).unwrap();
        assert_eq!(report["context"]["package"], name);
        assert_eq!(report["success"], true);
        assert_eq!(report["pending"], json!([]));
        let steps: Vec<&str> = report["completed"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| step["step"].as_str().unwrap())
            .collect();
        assert_eq!(steps, ["root", "reserve", "fill", "publish", "check"]);
    }
    let tree: Vec<String> = yard.tree().into_keys().collect();
    assert_eq!(
        tree,
        [
            "loopwright/",
            "loopwright/archive/",
            "loopwright/modules/",
            "loopwright/plan/",
            "loopwright/plan/202601221030_login/",
            "loopwright/plan/202601221030_login/proposal.md",
            "loopwright/plan/202601221030_login/tasks.md",
            "loopwright/plan/202601221030_login_v2/",
            "loopwright/plan/202601221030_login_v2/proposal.md",
            "loopwright/plan/202601221030_login_v2/tasks.md",
        ]
    );
}

#[test]
fn what_cannot_be_is_refused_by_its_word_and_changes_nothing() {
    let yard = Yard::new(&[("loopwright/plan/202601221030_x/tasks.md", "- [ ] 1 a\n")]);
    let with = |mut args: Value, key: &str, value: Value| {
        args[key] = value;
        args
    };
    let stale = json!({ "operation": "upgrade", "root": "loopwright", "lang": "en",
        "plan_hash": "0", "at": "2026-01-22 11:00", "stamp": "20260122110000" });
    let table = [
        (create(" -- "), "session.feature_invalid"),
        (with(create("x"), "minute", json!("202613011200")), "session.name_invalid"),
        (with(create("x"), "root", json!("../out")), "session.outside_workspace"),
        (with(create("x"), "root", json!("/etc")), "session.outside_workspace"),
        (with(create("x"), "surprise", json!(1)), "E_INVALID_ARGS"),
        (with(create("x"), "root", json!(".git/kb")), "E_POLICY_DENIED"),
        (archive("nonsense", Value::Null), "session.name_invalid"),
        (archive("202601221030_none", Value::Null), "session.no_package"),
        (archive("202601221030_x", json!("completed")), "session.not_completed"),
        (stale, "session.stale_approval"),
    ];
    let before = yard.tree();
    for (n, (args, expected)) in table.into_iter().enumerate() {
        assert_eq!(code(yard.run(&format!("c{n}"), &args)), expected, "{args}");
        assert_eq!(yard.tree(), before, "{args}");
    }
    let taken = Yard::new(&[("loopwright/main.rs", "fn main() {}\n")]);
    assert_eq!(code(taken.run("c", &create("x"))), "session.kb_root_taken");
    let outside = tempfile::tempdir().unwrap();
    let linked = Yard::new(&[]);
    std::os::unix::fs::symlink(outside.path(), linked.path().join("loopwright")).unwrap();
    assert_eq!(code(linked.run("c", &create("x"))), "session.outside_workspace");
}

#[test]
fn an_archive_is_never_overwritten() {
    let name = "202601221030_x";
    let yard = Yard::new(&[
        (
            "loopwright/plan/202601221030_x/proposal.md",
            "# p\r\n## 元信息\n```yaml\n类型: 修复\n```\n",
        ),
        ("loopwright/plan/202601221030_x/tasks.md", "\u{feff}# t\r\n- [√] 1 a\r\n- [~] 2 b"),
        ("loopwright/plan/202601221030_x/sub/image.bin", "\u{1}\u{2}"),
        ("loopwright/archive/2026-01/202601221030_x/proposal.md", "older"),
    ]);
    let report = yard.run("c1", &archive(name, json!("skipped"))).unwrap();
    assert_eq!(report["context"]["package"], "202601221030_x_v2");
    assert_eq!(report["context"]["status"], "partial", "the marks decide");
    assert_eq!(yard.read("loopwright/archive/2026-01/202601221030_x/proposal.md"), "older");
    let moved = "loopwright/archive/2026-01/202601221030_x_v2";
    assert_eq!(
        yard.read(&format!("{moved}/tasks.md")),
        "\u{feff}# t\r\n> **@status:** partial | 2026-01-22 11:00\r\n- [√] 1 a\r\n- [~] 2 b\r\n  > \
         备注: 未执行"
    );
    assert_eq!(yard.read(&format!("{moved}/sub/image.bin")), "\u{1}\u{2}");
    assert!(!yard.has("loopwright/plan/202601221030_x"));
    let index = yard.read("loopwright/archive/_index.md");
    let row = "| 202601221030 | x_v2 | 修复 | - | - | ⚠️部分完成 |";
    assert_eq!(index.matches(row).count(), 1, "{index}");
    assert_eq!(code(yard.run("c2", &archive(name, Value::Null))), "session.package_archived");
}

#[test]
fn what_was_archived_can_be_taken_back_byte_for_byte() {
    let yard = Yard::new(&[
        ("loopwright/plan/202601221030_x/tasks.md", "- [ ] 1 a\r\n"),
        ("loopwright/archive/_index.md", "# mine\n"),
    ]);
    let before = yard.tree();
    yard.run("c1", &archive("202601221030_x", Value::Null)).unwrap();
    assert!(yard.read("loopwright/archive/_index.md").starts_with("# mine\n"));
    let root = crate::files::Root::open(yard.path()).unwrap();
    let record = yard.record("u1");
    let aside = yard.path().join("aside");
    std::fs::create_dir_all(&record.dir).unwrap();
    crate::tools::prepare_undo(
        &root,
        &record,
        &yard.record("c1"),
        crate::change::Force::No,
        &aside,
        &[],
    )
    .unwrap();
    crate::tools::act(&root, &record, Pass::Again).unwrap();
    assert_eq!(yard.tree(), before);
}

#[test]
fn leftovers_are_cleaned_and_what_fails_is_told() {
    let yard = Yard::new(&[
        ("loopwright/plan/202601221030_a/tasks.md", "- [ ] 1 a\n"),
        ("loopwright/plan/202601221031_b/proposal.md", "broken"),
    ]);
    let args = json!({ "operation": "clean", "root": "loopwright", "lang": "en",
        "names": ["202601221030_a", "gone", "202601221031_b"], "at": "2026-01-22 11:00" });
    let report = yard.run("c", &args).unwrap();
    assert_eq!(report["context"]["moved"].as_array().unwrap().len(), 2);
    assert_eq!(report["context"]["failed"][0]["name"], "gone");
    let index = yard.read("loopwright/archive/_index.md");
    assert_eq!(index.matches("⏸Not run |").count(), 2, "{index}");
    assert!(yard.has("loopwright/plan") && !yard.has("loopwright/plan/202601221030_a"));
}

fn init(how: &str) -> Value {
    json!({ "operation": "init", "root": "loopwright", "lang": "en", "how": how,
        "at": "2026-01-22 11:00", "stamp": "20260122110000" })
}

#[test]
fn a_base_is_made_filled_and_made_anew() {
    let yard = Yard::new(&[("crates/cli/src/main.rs", ""), ("Cargo.toml", "[package]\n")]);
    yard.run("c1", &init("create")).unwrap();
    let index = yard.read("loopwright/INDEX.md");
    assert!(index.contains("modules: 1\npending packages: 0\n"), "{index}");
    assert!(
        yard.read("loopwright/context.md").contains("Languages: Rust\n- Manifests: Cargo.toml")
    );
    assert!(yard.read("loopwright/modules/_index.md").contains("| cli | `crates/cli/` | 📝 | - |"));
    yard.write("loopwright/context.md", "# mine\r\n");
    std::fs::remove_file(yard.path().join("loopwright/INDEX.md")).unwrap();
    yard.run("c2", &init("fill")).unwrap();
    let context = yard.read("loopwright/context.md");
    assert!(context.starts_with("# mine\r\n\r\n## Basics\r\n"), "{context}");
    assert_eq!(yard.read("loopwright/INDEX.md"), index);
    yard.write("loopwright/CHANGELOG.md", "log");
    yard.write("loopwright/modules/old.md", "old");
    yard.write("loopwright/plan/202601221030_x/tasks.md", "t");
    let before = yard.tree();
    yard.run("c3", &init("rebuild")).unwrap();
    for (path, bytes) in before.iter().filter(|(path, _)| path.starts_with("loopwright/")) {
        let rest = path.strip_prefix("loopwright/").unwrap();
        let copy = format!("loopwright_backup_20260122110000/{rest}");
        assert_eq!(yard.tree().get(&copy), Some(bytes), "{copy}");
    }
    assert_eq!(yard.read("loopwright/CHANGELOG.md"), "log");
    assert_eq!(yard.read("loopwright/plan/202601221030_x/tasks.md"), "t");
    assert!(!yard.has("loopwright/modules/old.md"));
    assert!(!yard.read("loopwright/context.md").contains("mine"));
}

#[test]
fn marks_changelog_and_counters_are_written_where_they_stand() {
    let yard = Yard::new(&[]);
    yard.run("c1", &create("x")).unwrap();
    yard.run("c2", &init("fill")).unwrap();
    let mark = json!({ "operation": "mark", "root": "loopwright", "lang": "zh",
        "name": "202601221030_x", "tasks": [{ "id": "1.1", "status": "completed" }] });
    assert_eq!(yard.run("c3", &mark).unwrap()["context"]["rate"], "100%");
    let tasks = yard.read("loopwright/plan/202601221030_x/tasks.md");
    assert!(
        tasks.contains("已完成: 1\n完成率: 100%\n") && tasks.contains("- [√] 1.1 做\n"),
        "{tasks}"
    );
    let entry = json!({ "group": "added", "module": "m", "description": "d", "risks": [],
        "about": { "about": "package", "package": "202601221030_x", "month": "2026-01",
        "decisions": [] } });
    let log = json!({ "operation": "changelog", "root": "loopwright", "lang": "zh",
        "version": "0.1.0", "date": "2026-01-22", "entry": entry });
    for call in ["c4", "c5"] {
        yard.run(call, &log).unwrap();
    }
    let text = yard.read("loopwright/CHANGELOG.md");
    assert_eq!(text.matches("- **[m]**: d\n").count(), 1, "{text}");
    let sync = json!({ "operation": "sync", "root": "loopwright", "lang": "en", "archived": null,
        "at": "2026-01-23 09:00" });
    yard.run("c6", &sync).unwrap();
    let index = yard.read("loopwright/INDEX.md");
    assert!(
        index.contains("updated: 2026-01-23 09:00\n") && index.contains("pending packages: 1\n")
    );
    // The one that is about to be archived is not counted any more.
    let sync = json!({ "operation": "sync", "root": "loopwright", "lang": "en",
        "archived": "202601221030_x", "at": "2026-01-23 09:01" });
    yard.run("c7", &sync).unwrap();
    assert!(yard.read("loopwright/INDEX.md").contains("pending packages: 0\n"));
    assert!(!yard.has("CHANGELOG.md"), "never in the project's root");
}

#[test]
fn the_list_of_modules_follows_what_lies_there() {
    let yard = Yard::new(&[("crates/api/a.rs", ""), ("crates/web/b.rs", "")]);
    yard.run("c1", &init("create")).unwrap();
    std::fs::remove_dir_all(yard.path().join("crates/web")).unwrap();
    yard.write("crates/cli/c.rs", "");
    let base = crate::packages::find(yard.path(), "", &[]).unwrap().root;
    let redactor = crate::redact::Redactor::new(&crate::redact::Secrets::default()).unwrap();
    yard.write("crates/more/d.rs", "");
    let x = kernel::packages::XMeans::Ask;
    let found = crate::packages::check_kb(yard.path(), &base, x, &redactor).unwrap();
    let wrong = found.iter().find(|one| one.code == "counter_mismatch").unwrap();
    assert_eq!(wrong.detail, "modules: 2", "{found:?}");
    let sync = json!({ "operation": "sync", "root": "loopwright", "lang": "en", "archived": null,
        "at": "2026-01-23 09:00" });
    let told = yard.run("c2", &sync).unwrap();
    let list = yard.read("loopwright/modules/_index.md");
    for (name, there) in [("api", true), ("web", false), ("cli", true), ("more", true)] {
        assert_eq!(list.contains(&format!("| {name} |")), there, "{list} {told}");
    }
    assert!(yard.read("loopwright/INDEX.md").contains("modules: 3\n"));
}

#[test]
fn a_name_that_the_archive_has_is_known_before_it_is_moved() {
    let decided = json!({ "operation": "create", "root": "loopwright", "lang": "en",
        "feature": "x", "minute": "202601221030", "draft": { "goal": "g",
        "tasks": [{ "id": "1.1", "title": "do" }],
        "decisions": [{ "title": "JWT", "decision": "d", "reason": "r" }] } });
    let yard = Yard::new(&[]);
    yard.run("c1", &init("create")).unwrap();
    let base = crate::packages::find(yard.path(), "", &[]).unwrap().root;
    let name = "202601221030_x";
    for (n, expected) in [name, "202601221030_x_v2"].into_iter().enumerate() {
        yard.run(&format!("m{n}"), &decided).unwrap();
        let free = crate::packages::archive_name(yard.path(), &base, name).unwrap();
        assert_eq!(free, expected);
        let sync = json!({ "operation": "sync", "root": "loopwright", "lang": "en",
            "archived": name, "at": "2026-01-23 09:00" });
        yard.run(&format!("s{n}"), &sync).unwrap();
        let link = format!("(archive/2026-01/{expected}/proposal.md#D001)");
        let context = yard.read("loopwright/context.md");
        assert!(context.contains(&link), "{context}");
        let told = yard.run(&format!("a{n}"), &archive(name, Value::Null)).unwrap();
        assert_eq!(told["context"]["package"], expected);
    }
}

#[test]
fn a_package_is_written_anew_under_its_name() {
    let yard = Yard::new(&[]);
    yard.run("c1", &create("x")).unwrap();
    let again = |name: &str| {
        json!({ "operation": "redraft", "root": "loopwright", "lang": "zh", "name": name,
            "draft": { "goal": "another goal", "tasks": [] } })
    };
    let told = yard.run("c2", &again("202601221030_x")).unwrap();
    assert_eq!(told["context"]["package"], "202601221030_x");
    assert!(yard.read("loopwright/plan/202601221030_x/proposal.md").contains("another goal"));
    assert!(!yard.has("loopwright/plan/202601221030_x_v2"));
    assert_eq!(code(yard.run("c3", &again("202601221030_y"))), "session.no_such");
    assert_eq!(code(yard.run("c4", &again("y"))), "session.name_invalid");
}

#[test]
fn a_change_in_between_stops_it_and_nothing_is_half_done() {
    let yard = Yard::new(&[("loopwright/plan/202601221030_x/tasks.md", "- [ ] 1 a\n")]);
    yard.prepare("c", &archive("202601221030_x", Value::Null)).unwrap();
    yard.write("loopwright/plan/202601221030_x/tasks.md", "- [√] 1 mine\n");
    let before = yard.tree();
    let report = yard.act("c", Pass::First, Steps::UNWATCHED).unwrap_err();
    assert_eq!(report["success"], false);
    assert_eq!(report["failed_at"], "reserve");
    assert_eq!(report["pending"], json!(["reserve", "finish", "move", "index"]));
    assert_eq!(yard.tree(), before);
}
