//! Names, task lists and proposals.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::packages::archive::{self, Ended, Row};
use crate::packages::check::{self, Given};
use crate::packages::name::{self, Name};
use crate::packages::proposal::{Proposal, Type};
use crate::packages::tasks::{Tasks, Verify};
use crate::packages::{Mark, Status, Text, Tongue, XMeans};

#[test]
fn a_feature_is_what_a_name_can_bear() {
    let table = [
        ("User Login", Some("user-login")),
        ("登录 功能!", Some("登录-功能")),
        ("Fix: API/v2 (auth)", Some("fix-api-v2-auth")),
        ("  --  ", None),
        ("", None),
        ("../../etc/passwd", Some("etc-passwd")),
    ];
    for (text, expected) in table {
        assert_eq!(name::feature(text).as_deref(), expected, "{text}");
    }
    let long = "a".repeat(59) + " bcd";
    assert_eq!(name::feature(&long), Some("a".repeat(59)), "cut, and no dash at the end");
}

#[test]
fn a_name_is_a_minute_and_a_feature() {
    let table: [(&str, Option<(&str, u32)>); 12] = [
        ("202501181430_login", Some(("login", 1))),
        ("202501181430_login_v2", Some(("login", 2))),
        ("202501181430_login_v100", Some(("login", 100))),
        ("202501181430_login_v101", Some(("login_v101", 1))),
        ("202501181430_login_v1", Some(("login_v1", 1))),
        ("202402291200_x", Some(("x", 1))),
        ("202302291200_x", None),
        ("202513991430_x", None),
        ("202501182460_x", None),
        ("2025_login", None),
        ("202501181430_", None),
        ("202501181430", None),
    ];
    for (text, expected) in table {
        let found = Name::parse(text);
        let told = found.as_ref().map(|name| (name.feature(), name.version()));
        assert_eq!(told, expected, "{text}");
        if let Some(name) = found {
            assert_eq!(name.to_string(), text);
            assert_eq!(name.month(), format!("{}-{}", &text[..4], &text[4..6]));
        }
    }
}

fn list(text: &str) -> Tasks {
    Tasks::read(Text::parse(text), XMeans::Ask)
}

#[test]
fn a_mark_is_read_as_the_page_says() {
    let table = [
        ("- [ ] 1.1 x", Some((Status::Pending, Mark::Own(Status::Pending)))),
        ("- [√] 1.1 x", Some((Status::Completed, Mark::Own(Status::Completed)))),
        ("- [-] 1.1 x", Some((Status::Skipped, Mark::Own(Status::Skipped)))),
        ("- [?] 1.1 x", Some((Status::Uncertain, Mark::Own(Status::Uncertain)))),
        ("- [~] x", Some((Status::Pending, Mark::Unknown))),
        ("- [] x", Some((Status::Pending, Mark::Unknown))),
        ("* [✓] y", Some((Status::Completed, Mark::Foreign))),
        ("- [x] z", Some((Status::Completed, Mark::Foreign))),
        ("- [✅] z", Some((Status::Completed, Mark::Foreign))),
        ("- [✔️] z", Some((Status::Completed, Mark::Foreign))),
        ("- [X] z", Some((Status::Uncertain, Mark::Ambiguous(Status::Uncertain)))),
        ("  - [ ] sub", None),
        ("1. [ ] n", None),
        ("- [a](b.md) a link", None),
        ("- [ab] two letters", None),
        ("- [ ]", None),
    ];
    for (line, expected) in table {
        let tasks = list(line);
        let found = tasks.tasks.first().map(|task| (task.status(), task.mark));
        assert_eq!(found, expected, "{line}");
        assert_eq!(tasks.text().render(), line, "kept verbatim");
    }
}

#[test]
fn a_capital_x_is_what_the_file_says() {
    let table = [
        ("<!-- loopwright:tasks 1 -->\n- [X] 1.1 x", XMeans::Ask, Status::Failed),
        ("| `[X]` | failed |\n\n- [X] 1.1 x", XMeans::Ask, Status::Failed),
        ("| `[X]` | 失败 |\n\n- [X] 1.1 x", XMeans::Done, Status::Failed),
        ("```\n<!-- loopwright:tasks 1 -->\n```\n- [X] 1.1 x", XMeans::Ask, Status::Uncertain),
        ("- [X] 1.1 x", XMeans::Ask, Status::Uncertain),
        ("- [X] 1.1 x", XMeans::Failed, Status::Failed),
        ("- [X] 1.1 x", XMeans::Done, Status::Completed),
    ];
    for (text, x, expected) in table {
        let tasks = Tasks::read(Text::parse(text), x);
        assert_eq!(tasks.tasks[0].status(), expected, "{text} {x:?}");
    }
}

#[test]
fn a_task_has_what_stands_below_it() {
    let tasks = list(
        "### 1. 登录接口\n- [√] 1.1 在 `src/auth/login.rs` 中实现 `check()`\n  - 验证: `cargo test -p \
         auth`\n  - Verify： look at it\n- [ ] T-10: 限流\n  - 依赖: 1.1，2\n  - 文件: `a b.rs`, \
         `c.rs`\n  > 备注: 验证失败 3 次\n\ntext\n  - 依赖: 9\n",
    );
    let [first, second] = &tasks.tasks[..] else { panic!("{tasks:?}") };
    assert_eq!(
        (first.id.as_str(), first.files.clone()),
        ("1.1", ["src/auth/login.rs"].map(String::from).to_vec())
    );
    let verify = [Verify::Command("cargo test -p auth".into()), Verify::Words("look at it".into())];
    assert_eq!(first.verify, verify);
    assert_eq!((second.id.as_str(), second.title.as_str()), ("T-10", "限流"));
    assert_eq!(second.depends, ["1.1", "2"]);
    assert_eq!(second.files, ["a b.rs", "c.rs"]);
    assert_eq!(second.notes, ["验证失败 3 次"]);
}

#[test]
fn only_the_task_that_is_named_changes() {
    let text = "\u{feff}- [ ] 1.1 a\r\n- [ ] 1.10 b\r\n- [ ] 1.1.1 c\n- [~] x\r- [ ] 1.11 d";
    let mut tasks = list(text);
    assert!(tasks.set_status("1.1", Status::Completed));
    let expected = text.replacen("[ ] 1.1 a", "[√] 1.1 a", 1);
    assert_eq!(tasks.text().render(), expected);
    assert!(!tasks.set_status("1.2", Status::Completed));
    assert!(tasks.add_note("1.11", "why\nnot", Tongue::En));
    assert_eq!(tasks.text().render(), format!("{expected}\r\n  > Note: why not"));
    assert!(tasks.add_note("1.11", "why not", Tongue::En), "once");
    assert_eq!(tasks.text().render(), format!("{expected}\r\n  > Note: why not"));
}

#[test]
fn fenced_and_commented_lines_are_no_tasks() {
    let text = "```\n- [ ] 1.1 a\n```\n<!--\n- [ ] 1.2 b\n-->\n~~~~\n- [ ] 1.3\n~~~\n~~~~\n`<!--`\n\
                - [ ] 1.4 d\n";
    let ids: Vec<String> = list(text).tasks.into_iter().map(|task| task.id).collect();
    assert_eq!(ids, ["1.4"]);
}

#[test]
fn counters_are_written_where_they_stand() {
    let text = "## 执行状态\n```yaml\n总任务:   9   \n已完成：x\n完成率: 1%\n```\n- [√] 1 a\n- [ ] 2 b\n- [ ] \
                3 c\n";
    let mut tasks = list(text);
    assert!(!tasks.counters_fit());
    tasks.recount();
    let drawn = tasks.text().render();
    let expected = text.replace("9", "3").replace("：x", "：1").replace("1%", "33%");
    assert_eq!(drawn, expected);
    assert!(tasks.counters_fit());
}

fn proposal(meta: &str) -> String {
    format!(
        "# 变更提案: login\n\n## 元信息\n```yaml\n{meta}\n```\n## 1. 需求\n### 背景\nsee: overview of \
         auth\n### 目标\n登录\n## 2. 方案 (草案)\n### 影响范围\n- 涉及模块: `auth`, a|b\n## 5. 技术决策\n### \
         login#D001: 用 JWT\n- 状态: ✅采纳\n### login#D002: 不用 Cookie\n- 状态: ❌废弃\n"
    )
}

fn tasks(body: &str) -> String {
    format!(
        "# 任务清单: login\n<!-- loopwright:tasks 1 -->\n## 执行状态\n```yaml\n总任务: \
         1\n```\n## 任务列表\n{body}\n## 执行备注\n"
    )
}

#[test]
fn the_type_stands_in_the_facts_only() {
    let table = [
        ("方案类型: implementation", Type::Implementation),
        ("方案类型: Overview", Type::Overview),
        ("package type: overview", Type::Overview),
        ("优先级: overview", Type::Implementation),
        ("", Type::Implementation),
    ];
    for (meta, expected) in table {
        let read = Proposal::read(Text::parse(&proposal(meta)));
        assert_eq!(read.package_type(), expected, "{meta}");
    }
    let read = Proposal::read(Text::parse(&proposal("")));
    assert_eq!(read.summary(Tongue::En), "登录");
    let ids: Vec<(String, bool)> =
        read.decisions().into_iter().map(|it| (it.id, it.adopted)).collect();
    assert_eq!(ids, [("#D001".to_string(), true), ("#D002".to_string(), false)]);
    assert_eq!(read.modules(), ["auth", "a|b"]);
}

#[test]
fn a_summary_is_never_a_fence() {
    let table = [
        ("```yaml\na: b\n```\n## Goal\nSign in\n", "Sign in"),
        ("```yaml\na: b\n```\n# t\nfirst words\n", "first words"),
        ("```yaml\na: b\n```\n", "(no description)"),
        ("## Background\nwhy\n## Goal\n\n", "why"),
    ];
    for (text, expected) in table {
        assert_eq!(Proposal::read(Text::parse(text)).summary(Tongue::En), expected, "{text}");
    }
}

fn checked(proposal: &str, tasks: &str) -> check::Checked {
    check::package(&Given {
        name: "202601221030_login",
        path: "loopwright/plan/202601221030_login",
        proposal: Some(proposal.as_bytes()),
        tasks: Some(tasks.as_bytes()),
        x: XMeans::Ask,
    })
}

/// What it is, its facts, its tasks; valid, executable, codes of issues and of warnings.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    bool,
    bool,
    &'static [&'static str],
    &'static [&'static str],
);

#[test]
fn a_package_is_checked_as_the_page_says() {
    let fine = "- [ ] 1.1 a\n  - verify: `true`";
    let table: [Case; 13] = [
        ("fine", "", fine, true, true, &[], &[]),
        ("overview", "方案类型: overview", fine, true, false, &[], &[]),
        ("no tasks", "", "", true, false, &["no_tasks"], &["counter_mismatch"]),
        ("all left out", "", "- [-] 1 a\n  - verify: x", true, false, &[], &["all_closed"]),
        ("done", "", "- [√] 1 a\n  - verify: x", true, false, &[], &["all_closed"]),
        ("failed", "", "- [X] 1 a\n  - verify: x", true, true, &[], &["failed_task"]),
        ("unknown", "", "- [~] 1 a\n  - verify: x", true, true, &[], &["unknown_mark"]),
        (
            "foreign",
            "",
            "- [x] 1 a\n  - verify: x",
            true,
            false,
            &[],
            &["foreign_mark", "all_closed"],
        ),
        (
            "twice",
            "",
            "- [ ] 1 a\n- [ ] 1 b",
            false,
            false,
            &["duplicate_task_id"],
            &["task_without_verify", "task_without_verify", "counter_mismatch"],
        ),
        (
            "no id, no proof",
            "",
            "- [ ] a",
            true,
            true,
            &[],
            &["task_without_id", "task_without_verify"],
        ),
        (
            "waits for nobody",
            "",
            "- [ ] 1 a\n  - verify: x\n  - depends: 2",
            false,
            false,
            &["unknown_dependency"],
            &[],
        ),
        (
            "waits for itself",
            "",
            "- [ ] 1 a\n  - verify: x\n  - depends: 1",
            false,
            false,
            &["dependency_cycle"],
            &[],
        ),
        (
            "blank",
            "",
            "- [ ] 1 {what} `{x}`\n  - verify: x",
            true,
            true,
            &[],
            &["placeholder_left"],
        ),
    ];
    for (what, meta, body, valid, executable, issues, warnings) in table {
        let found = checked(&proposal(meta), &tasks(body));
        let codes = |all: &[String]| -> Vec<String> {
            all.iter().map(|it| it.split(':').next().unwrap_or_default().to_string()).collect()
        };
        assert_eq!(codes(&found.issues), issues, "{what}");
        assert_eq!(codes(&found.warnings), warnings, "{what}");
        assert_eq!((found.valid, found.executable), (valid, executable), "{what}");
    }
}

#[test]
fn a_word_in_the_text_is_no_heading() {
    let text = proposal("").replace("## 2. 方案 (草案)", "这里的 方案 是文字");
    let found = checked(&text, &tasks("- [ ] 1 a\n  - verify: x"));
    assert!(found.valid && !found.executable);
    assert_eq!(found.issues, ["missing_section: proposal.md 方案 / Solution"]);
    let found = check::package(&Given {
        name: "nonsense",
        path: "p",
        proposal: None,
        tasks: Some(b"\xff\xfe"),
        x: XMeans::Ask,
    });
    assert_eq!(
        found.issues,
        ["name_invalid: nonsense", "missing_file: proposal.md", "unreadable: tasks.md byte 0"]
    );
    assert!(!found.valid && found.tasks.is_none() && found.proposal.is_none());
}

#[test]
fn the_marks_decide_how_a_package_ended() {
    let table = [
        ("- [√] 1 a\n- [√] 2 b", Ended::Completed),
        ("- [√] 1 a\n- [-] 2 b", Ended::Partial),
        ("- [√] 1 a\n- [ ] 2 b", Ended::Partial),
        ("- [X] 1 a\n- [ ] 2 b", Ended::Failed),
        ("- [-] 1 a\n- [-] 2 b", Ended::Skipped),
        ("- [?] 1 a", Ended::Skipped),
        ("", Ended::Skipped),
    ];
    for (body, expected) in table {
        let read = list(&tasks(body));
        assert_eq!(Ended::of(Some(&read), Type::Implementation), expected, "{body}");
        assert_eq!(Ended::of(Some(&read), Type::Overview), Ended::Overview);
    }
    let open = list(&tasks("- [√] 1 a\n- [ ] 2 b"));
    assert_eq!(archive::not_done(Some(&open)), ["2"]);
}

#[test]
fn a_finished_list_says_so_once() {
    let mut read = list(&tasks("- [√] 1 a\n- [ ] 2 b\n- [X] 3 c\n  > 备注: x"));
    archive::finish(&mut read, Ended::Partial, "2026-01-22 10:30", Tongue::Zh);
    let once = read.text().render();
    assert!(
        once.starts_with("# 任务清单: login\n> **@status:** partial | 2026-01-22 10:30\n"),
        "{once}"
    );
    assert!(once.contains("- [ ] 2 b\n  > 备注: 未执行\n- [X] 3 c\n  > 备注: x\n"), "{once}");
    archive::finish(&mut read, Ended::Partial, "2026-01-22 10:30", Tongue::Zh);
    assert_eq!(read.text().render(), once, "twice is once");
}

#[test]
fn invariant_six_cells() {
    let mut row = Row {
        name: Name::parse("202601221030_login").expect("a name"),
        kind: "fix".into(),
        modules: [String::from("a|b"), String::from("c")].to_vec(),
        decisions: [String::from("#D001"), String::from("#D002")].to_vec(),
        ended: Ended::Completed,
    };
    let drawn = row.render(Tongue::En);
    assert_eq!(drawn, "| 202601221030 | login | fix | a\\|b, c | login#D001,#D002 | ✅Done |");
    assert_eq!(archive::cells(&drawn).len(), 6);
    let above = "# i\n\n| other | table |\n|---|---|\n\n## 快速索引\n\n| t | f | k | m | d | r \
                 |\n|:--|---|---|---|---|---|\n| 202501010000 | x | - | - | - | ✅完成 |\n\n## \
                 按月归档\n\n## 结果状态说明\n";
    let mut index = Text::parse(above);
    assert!(archive::enter(&mut index, &row, Tongue::En));
    let first = index.render();
    assert!(
        first.contains(&format!("|:--|---|---|---|---|---|\n{drawn}\n| 202501010000")),
        "{first}"
    );
    assert!(
        first.contains("### 2026-01\n\n- [202601221030_login](2026-01/202601221030_login/)"),
        "{first}"
    );
    assert!(archive::enter(&mut index, &row, Tongue::En));
    assert_eq!(index.render(), first, "entered once");
    row.ended = Ended::RolledBack;
    assert!(archive::enter(&mut index, &row, Tongue::Zh));
    assert_eq!(index.render(), first.replace("✅Done", "🔄已回滚"));
    assert!(!archive::enter(&mut Text::parse("# nothing\n"), &row, Tongue::En));
}
