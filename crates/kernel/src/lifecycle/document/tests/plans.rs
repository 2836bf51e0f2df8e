//! Plan documents: both languages and every spelling, each problem at its line, and what is drawn
//! reads back the same.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::super::Status;
use super::super::plan::{Doubt, Item, Labels, Outline, Wrong, draw, problems, read};
use super::dice::Dice;
use crate::lifecycle::Priority;

/// A task on one line.
fn told(item: &Item) -> String {
    let list = |name: &str, words: &[String]| match words.is_empty() {
        true => String::new(),
        false => format!(" {name}={}", words.join("|")),
    };
    let priority = item.priority.map_or_else(String::new, |p| format!(" {p:?}"));
    format!(
        "{} {}{priority} <{}>{}{}{}{}{}",
        item.line,
        item.id,
        item.title,
        list("files", &item.files),
        list("depends", &item.depends),
        list("verify", &item.verify),
        list("accept", &item.acceptance),
        if item.status == Status::Pending {
            String::new()
        } else {
            format!(" {}", item.status.said())
        },
    )
}

#[test]
fn both_languages_and_every_spelling() {
    let text = "# Login\n\
        <!-- loopwright:tasks 1 -->\n\
        We want people to log in.\n\
        ## 3. Atomic Task List (任务清单)\n\
        - [ ] Task-001: [P0] Create the form (`lib/login.dart`)\n\
        \x20 - Verify: `flutter test`, `flutter analyze`\n\
        \x20 - Files: lib/a.dart, `lib/b.dart`\n\
        \x20 - It must be small.\n\
        * [√] 1.1 登录接口\n\
        \x20\x20* 验证：密码错误时提示\n\
        \x20\x20* 依赖：Task-001、1.2\n\
        \x20\x20* 文件: `src/a.rs`\n\
        - [🔄 IN_PROGRESS] 1.2 more\n\
        \t- **Depends**: none\n\
        - [X] T-4: crossed\n\
        - [x] T-5: ticked\n\
        - [~] T-6: odd\n\
        \x20 - Verify: run `make`\n\
        - [ ] **T-7**: bold\n\
        - [link](x) no task\n\
        - plain bullet\n\
        ```\n\
        - [ ] T-9: in a code block\n\
        ```\n\
        ### Part two\n\
        - [?] T-8：full-width colon（`a b.md`）\n\
        ## 4. Risks (风险)\n\
        - [ ] the session expires\n";
    let outline = read(text.as_bytes()).unwrap();
    assert_eq!(outline.goal, "Login");
    assert_eq!(outline.risks, ["- [ ] the session expires"]);
    let tasks: Vec<String> = outline.tasks.iter().map(told).collect();
    assert_eq!(
        tasks,
        [
            "5 Task-001 P0 <Create the form> files=lib/login.dart|lib/a.dart|lib/b.dart \
             verify=flutter test|flutter analyze",
            "9 1.1 <登录接口> files=src/a.rs depends=Task-001|1.2 accept=密码错误时提示 DONE",
            "13 1.2 <more> IN_PROGRESS",
            "15 T-4 <crossed> FAILED",
            "16 T-5 <ticked> DONE",
            "17 T-6 <odd> accept=run `make`",
            "19 T-7 <bold>",
            "26 T-8 <full-width colon> files=a b.md BLOCKED",
        ]
    );
    assert_eq!(outline.tasks[0].detail, ["It must be small."]);
    assert!(outline.tasks[1].claimed() && !outline.tasks[2].claimed());
    let warnings: Vec<(usize, &str)> =
        outline.warnings.iter().map(|w| (w.line, w.what.word())).collect();
    assert_eq!(warnings, [(16, "foreign_mark"), (17, "unknown_mark"), (18, "command_in_prose")]);
    assert_eq!(outline.warnings[2].what, Doubt::CommandInProse);
    assert_eq!(problems(&outline.tasks), []);
}

#[test]
fn without_a_list_of_its_own_tasks_are_read_anywhere() {
    let text = "Add login\n\n- [ ] 1 one\n\n## Later\n- [X] 2 two\n  - Depends: 1\n";
    let outline = read(text.as_bytes()).unwrap();
    assert_eq!(outline.goal, "Add login");
    let tasks: Vec<String> = outline.tasks.iter().map(told).collect();
    assert_eq!(tasks, ["3 1 <one>", "6 2 <two> depends=1"]);
    assert_eq!(outline.warnings[0].what.word(), "ambiguous_mark");
}

#[test]
fn every_problem_is_told_at_its_line() {
    let many: String = (1..=201).map(|n| format!("- [ ] T-{n}: x\n")).collect();
    let limit: String = (1..=200).map(|n| format!("- [ ] T-{n}: x\n")).collect();
    let long = format!("- [ ] {}: x\n", "a".repeat(65));
    let table: &[(&str, &[&str])] = &[
        ("# A page without tasks\n", &["1: no_tasks"]),
        ("", &["1: no_tasks"]),
        (&limit, &[]),
        (&many, &["201: too_many_tasks 201"]),
        ("- [ ] write it\n", &["1: no_id write it"]),
        ("- [ ] -a: x\n", &["1: bad_id -a"]),
        ("- [ ] 任务: x\n", &["1: bad_id 任务"]),
        (&long, &[&format!("1: bad_id {}", "a".repeat(65))]),
        ("- [ ] T-1:\n", &["1: no_title T-1"]),
        ("- [ ] T-1: x\n\n- [ ] T-1: y\n", &["3: duplicate_id T-1 (1)"]),
        ("- [ ] 1.2.3 ok\n- [ ] 1.2.3.4 deep\n", &["2: too_deep 1.2.3.4"]),
        (
            "- [ ] T-1: x\n  - Depends: T-2, T-10\n",
            &["1: unknown_dependency T-2", "1: unknown_dependency T-10"],
        ),
        ("- [ ] T-1: x\n  - Depends: T-1\n", &["1: cycle T-1 → T-1"]),
        (
            "- [ ] T-0: waits\n  - Depends: T-3\n- [ ] T-1: x\n  - Depends: T-2\n\
             - [ ] T-2: x\n  - Depends: T-3\n- [ ] T-3: x\n  - Depends: T-1\n",
            &["3: cycle T-1 → T-2 → T-3 → T-1"],
        ),
        ("- [ ] T-1: x (`../y`)\n", &["1: bad_path ../y (dot_part)"]),
        ("- [ ] T-1: x\n  - Files: /etc/passwd\n", &["1: bad_path /etc/passwd (absolute)"]),
        ("- [ ] T-1: x\n  - Verify: `a \"b`\n", &["1: bad_command a \"b (an open quote)"]),
        ("- [ ] T-1: x\n  - Verify: `a; b`\n", &["1: bad_command a; b (a shell operator)"]),
        ("- [ ] T-2: x\n- [ ] T-2: y\n- [ ] z\n", &["2: duplicate_id T-2 (1)", "3: no_id z"]),
    ];
    for (text, expected) in table {
        let outline = read(text.as_bytes()).unwrap();
        let found: Vec<String> = problems(&outline.tasks).iter().map(|p| p.coded()).collect();
        assert_eq!(found, *expected, "{text}");
    }
    let no_text = |bytes: &[u8]| read(bytes).expect_err("it must not be read");
    let big = alloc::vec![b'x'; 1024 * 1024 + 1];
    assert_eq!(no_text(&big).what, Wrong::TooLarge);
    assert_eq!(no_text(b"a\n\xff").coded(), "2: not_utf8");
    let known: String = table.iter().flat_map(|(_, found)| found.iter()).copied().collect();
    for wrong in Wrong::ALL {
        let told = matches!(wrong, Wrong::TooLarge | Wrong::NotUtf8);
        assert!(told || known.contains(wrong.word()), "{wrong:?} has no case");
    }
}

/// Texts that a section may hold.
fn section(dice: &mut Dice) -> String {
    const LINES: [&str; 10] = [
        "## 3. Atomic Task List (任务清单)",
        "# x",
        "\\# y",
        "```",
        "~~~",
        "- [ ] T-1: x",
        "",
        "text",
        "  indented",
        "背景",
    ];
    (0..dice.below(6)).map(|_| format!("{}\n", dice.one_of(&LINES))).collect()
}

fn item(dice: &mut Dice, n: usize) -> Item {
    let titles = ["Create the form", "登录接口", "a: b", "x (see y)", "use `z` here"];
    let words = |dice: &mut Dice, of: &[&str]| -> Vec<String> {
        let all = of.iter().filter(|_| dice.below(3) == 0);
        all.map(|word| (*word).to_owned()).collect()
    };
    let mut item = Item::new(&format!("T-{n}"), dice.one_of::<&str>(&titles));
    item.priority = dice.some(|dice| *dice.one_of(&[Priority::P0, Priority::P3]));
    item.files = words(dice, &["src/a.rs", "b c.md", "目录/文件"]);
    item.verify = words(dice, &["cargo test", "npm run 'a b'"]);
    item.acceptance = words(dice, &["it is small", "密码错误时提示"]);
    item.depends = (0..n).filter(|_| dice.below(4) == 0).map(|n| format!("T-{n}")).collect();
    item.detail = words(dice, &["a detail", "still: more", "细节"]);
    item.status = *dice.one_of(&Status::ALL);
    item.tidied()
}

#[test]
fn invariant_what_is_drawn_reads_back() {
    for seed in 0..10_000 {
        let mut dice = Dice(seed);
        let risks: Vec<String> = (0..dice.below(3)).map(|n| format!("risk {n}")).collect();
        let mut outline =
            Outline::new("Add login", &section(&mut dice), &section(&mut dice), &risks);
        outline.tasks = (0..dice.below(6)).map(|n| item(&mut dice, n)).collect();
        let labels = *dice.one_of(&[Labels::EN, Labels::ZH]);
        let text = draw(&outline, labels);
        let mut found = read(text.as_bytes()).unwrap();
        for item in &mut found.tasks {
            item.line = 0;
        }
        // A code block that was left open is closed.
        let text_again = draw(&found, labels);
        assert_eq!(text_again, text, "seed {seed}");
        assert_eq!(found.tasks, outline.tasks, "seed {seed}: {text}");
        assert_eq!((&found.goal, &found.risks), (&outline.goal, &outline.risks), "seed {seed}");
        assert_eq!(found.warnings, [], "seed {seed}: {text}");
        let heads = |lines: &[String]| lines.iter().filter(|line| line.contains('#')).count();
        assert_eq!(heads(&found.context), heads(&outline.context), "seed {seed}: {text}");
    }
}

#[test]
fn a_drawn_plan_has_its_four_sections() {
    let mut outline = Outline::new("Add\nlogin", "People want in.", "", &["expiry".to_string()]);
    let mut item = Item::new("T-1", "Create the form");
    item.files = ["lib/login.dart".to_owned()].into();
    item.verify = ["flutter test".to_owned()].into();
    outline.tasks.push(item);
    assert_eq!(
        draw(&outline, Labels::EN),
        "# Add login\n\n## 1. Context & Goals (背景与目标)\nPeople want in.\n\n\
         ## 2. Technical Specs (技术规格)\n\n## 3. Atomic Task List (任务清单)\n\
         - [⏳ PENDING] T-1: Create the form (`lib/login.dart`)\n  - Verify: `flutter test`\n\n\
         ## 4. Risks (风险)\n- expiry\n"
    );
}
