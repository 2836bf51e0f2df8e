//! The changelog, the knowledge base and the layout of old.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::packages::changelog::{self, About, Entry, Group, Put, Risk};
use crate::packages::check::{self, Given};
use crate::packages::draft::{self, Draft, Placed};
use crate::packages::kb::{self, CreateMode, Does, File, Flow, State};
use crate::packages::proposal::Type;
use crate::packages::template::{self, Facts};
use crate::packages::upgrade::{self, Old, Operation};
use crate::packages::{Grade, Text, Tongue, XMeans, check_kb, list_modules, listed_modules};

fn entry(package: &str) -> Entry {
    Entry {
        group: Group::Fixed,
        module: "auth".into(),
        description: "空密码\n不再 panic".into(),
        about: About::Package {
            package: package.into(),
            month: "2026-01".into(),
            decisions: [(String::from("login#D001"), String::from("JWT"))].to_vec(),
        },
        risks: Vec::new(),
    }
}

#[test]
fn an_entry_finds_its_place() {
    let (zh, date) = (Tongue::Zh, "2026-01-22");
    let mut text = Text::parse(&changelog::empty(zh));
    assert_eq!(changelog::put(&mut text, &entry("p1"), "1.0.0", date, zh), Put::Placed);
    let first = text.render();
    assert_eq!(
        first,
        "# 变更日志\n\n## [Unreleased]\n\n## [1.0.0] - 2026-01-22\n\n### 修复\n- **[auth]**: 空密码 不再 \
         panic\n  - 方案: [p1](archive/2026-01/p1/)\n  - 决策: login#D001(JWT)\n"
    );
    assert_eq!(changelog::put(&mut text, &entry("p1"), "1.0.0", date, zh), Put::Replaced);
    assert_eq!(text.render(), first, "one entry");
    assert_eq!(changelog::put(&mut text, &entry("p2"), "1.0.0", date, zh), Put::Placed);
    assert_eq!(changelog::put(&mut text, &entry("p3"), "1.1.0", date, zh), Put::Placed);
    let drawn = text.render();
    let order: Vec<usize> =
        ["[1.1.0]", "[p3]", "[1.0.0]", "[p2]", "[p1]"].map(|it| drawn.find(it).expect(it)).to_vec();
    assert!(order.is_sorted(), "{drawn}");
    assert_eq!(changelog::newest(&text).as_deref(), Some("1.1.0"));
    let mut odd = Text::parse("notes\r\n");
    assert_eq!(changelog::put(&mut odd, &entry("p"), "1.0.0", date, zh), Put::Appended);
    assert!(odd.render().starts_with("notes\r\n- **[auth]**"));
}

#[test]
fn every_kind_of_entry_says_what_it_must() {
    let tweak = Entry {
        group: Group::Tweaked,
        module: "net".into(),
        description: "longer wait".into(),
        about: About::Tweak {
            call: "call-1".into(),
            files: [String::from("src/a.rs:1-2")].to_vec(),
            forced: false,
        },
        risks: [Risk { kind: "destructive".into(), evidence: "rm -rf".into() }].to_vec(),
    };
    assert_eq!(
        tweak.render(Tongue::En),
        [
            "- **[net]**: longer wait <!-- call-1 -->",
            "  - Kind: tweak (no package) · File: src/a.rs:1-2",
            "  - ⚠️ EHRB: destructive - risk accepted by user · Evidence: rm -rf",
        ]
    );
    let package = (String::from("p1"), String::from("2026-01"));
    let back = Entry {
        group: Group::RolledBack,
        about: About::Rollback {
            call: "call-2".into(),
            package: Some(package),
            to: "chk-1".into(),
        },
        risks: Vec::new(),
        ..tweak.clone()
    };
    let mut text = Text::parse(&changelog::empty(Tongue::Zh));
    for one in [&entry("p1"), &back, &tweak, &entry("p1"), &back, &tweak] {
        changelog::put(&mut text, one, "1.0.0", "2026-01-22", Tongue::Zh);
    }
    let drawn = text.render();
    assert_eq!(drawn.matches("- **[").count(), 3, "each once: {drawn}");
    assert!(drawn.contains("### 回滚\n") && drawn.contains("回滚至 chk-1"), "{drawn}");
}

fn base(tongue: Tongue) -> Vec<(String, String)> {
    let facts = Facts { project: "x".into(), ..Facts::default() };
    [
        (kb::INDEX, template::index(&facts, "2026-01-22 10:30", tongue)),
        (kb::CONTEXT, template::context(&facts, tongue)),
        (kb::MODULES_INDEX, template::modules(&facts, tongue)),
        (kb::ARCHIVE_INDEX, template::archive_index(tongue)),
    ]
    .map(|(path, text)| (path.to_string(), text))
    .to_vec()
}

fn files(all: &[(String, String)]) -> Vec<File<'_>> {
    all.iter().map(|(path, text)| File { path, bytes: text.as_bytes() }).collect()
}

#[test]
fn our_pages_have_what_pages_must_have() {
    for tongue in [Tongue::En, Tongue::Zh] {
        let all = base(tongue);
        for (path, text) in &all {
            assert!(
                !kb::required(path).is_empty() && kb::missing(path, &Text::parse(text)).is_empty(),
                "{path}"
            );
        }
        assert_eq!(check_kb(&files(&all)), [], "{tongue:?}");
        let top = ["INDEX.md", "context.md", "modules", "archive"].map(String::from);
        assert_eq!(State::of(&top, &files(&all)), State::Ok);
    }
}

/// Names at the top of a whole base.
const NAMES: [&str; 6] = ["INDEX.md", "context.md", "modules", "CHANGELOG.md", "plan", "archive"];

/// What it is, names at its top, its files; its state.
type Case = (&'static str, &'static [&'static str], Vec<(String, String)>, State);

#[test]
fn the_state_of_the_base_is_told_by_what_is_there() {
    let whole = base(Tongue::Zh);
    let without = |path: &str| -> Vec<(String, String)> {
        whole.iter().filter(|(it, _)| it != path).cloned().collect()
    };
    let blank = || {
        let mut all = whole.clone();
        all[0].1 = "  \n".into();
        all
    };
    let lacking = || {
        let mut all = whole.clone();
        all[1].1 = all[1].1.replace("## 5. 当前约束", "当前约束");
        all
    };
    let table: [Case; 8] = [
        ("nothing", &[], Vec::new(), State::Absent),
        (
            "only packages",
            &["plan", "archive", "CHANGELOG.md", "modules"],
            Vec::new(),
            State::Absent,
        ),
        ("whole", &NAMES, whole.clone(), State::Ok),
        ("old", &["wiki", "project.md"], Vec::new(), State::Old),
        ("no index", &NAMES, without(kb::INDEX), State::Heavy),
        ("blank index", &NAMES, blank(), State::Heavy),
        ("no module list", &NAMES, without(kb::MODULES_INDEX), State::Partial),
        ("a section lacks", &NAMES, lacking(), State::Partial),
    ];
    for (what, top, all, expected) in table {
        let top: Vec<String> = top.iter().map(ToString::to_string).collect();
        assert_eq!(State::of(&top, &files(&all)), expected, "{what}");
    }
}

#[test]
fn a_mode_decides_about_every_state() {
    use CreateMode::{Always, ForCoding, Off, OnDemand};
    let states = [State::Absent, State::Heavy, State::Partial, State::Ok, State::Old];
    let writes = Does::Writes;
    let table = [
        (Off, Flow::Coding, [Does::Reads; 5]),
        (Off, Flow::Documents, [Does::Reads; 5]),
        (OnDemand, Flow::Coding, [Does::Asks, Does::Notes, writes, writes, writes]),
        (ForCoding, Flow::Coding, [Does::Creates, Does::Rebuilds, writes, writes, writes]),
        (ForCoding, Flow::Documents, [Does::Asks, Does::Notes, writes, writes, writes]),
        (Always, Flow::Documents, [Does::Creates, Does::Rebuilds, writes, writes, writes]),
    ];
    for (mode, flow, expected) in table {
        let found = states.map(|state| kb::on_flow(mode, state, flow));
        assert_eq!(found, expected, "{mode:?} {flow:?}");
    }
    for mode in [Off, OnDemand, ForCoding, Always] {
        for state in states {
            let does = kb::on_flow(mode, state, Flow::Tweak);
            assert_eq!((does, does.skips()), (Does::ChangelogOnly, true), "invariant_tweak_light");
        }
    }
}

#[test]
fn a_check_of_the_base_grades_what_it_finds() {
    let mut all = base(Tongue::En);
    all[1].1.push_str("\n[dead](modules/gone.md) [out](https://x) `[code](no.md)`\n");
    all.push((String::from("modules/extra.md"), String::from("# extra\n")));
    all.push((String::from("plan.md"), String::new()));
    all.push((String::from("modules/board.xls"), String::from("\0")));
    all[2].1.push_str("\n| a | b |\n|---|---|\n| 1 |\n");
    all.remove(0);
    let found = check_kb(&files(&all));
    let told: Vec<(Grade, &str, &str)> =
        found.iter().map(|it| (it.grade, it.code.as_str(), it.path.as_str())).collect();
    assert_eq!(
        told,
        [
            (Grade::Critical, "missing_file", "INDEX.md"),
            (Grade::Warning, "dead_link", "context.md"),
            (Grade::Warning, "document_without_module", "modules/_index.md"),
            (Grade::Warning, "missing_section", "modules/extra.md"),
            (Grade::Warning, "missing_section", "modules/extra.md"),
            (Grade::Warning, "missing_section", "modules/extra.md"),
            (Grade::Info, "table_alignment", "modules/_index.md"),
            (Grade::Info, "unknown_format", "modules/board.xls"),
            (Grade::Info, "empty_file", "plan.md"),
        ]
    );
}

#[test]
fn the_list_of_modules_follows_the_directories() {
    let of = |names: &[&str]| -> Vec<(String, String)> {
        names.iter().map(|name| (name.to_string(), format!("`crates/{name}/`"))).collect()
    };
    for tongue in [Tongue::Zh, Tongue::En] {
        let facts = Facts { modules: of(&["api", "web"]), ..Facts::default() };
        let drawn = template::modules(&facts, tongue);
        // What somebody wrote stays, whatever lies there.
        let own = drawn.replace("| api | `crates/api/` | 📝 | - |", "| api | 登录 | ✅ | - |");
        let mut text = Text::parse(&own);
        assert!(list_modules(&mut text, &of(&["api", "web"])));
        assert_eq!(text.render(), own, "nothing changed");
        assert!(list_modules(&mut text, &of(&["cli"])));
        let told = text.render();
        assert!(told.contains("| api | 登录 | ✅ | - |"), "{told}");
        assert!(told.contains("| cli | `crates/cli/` | 📝 | - |"), "{told}");
        assert!(!told.contains("| web |"), "{told}");
        assert_eq!(listed_modules(&text), ["api", "cli"]);
    }
    assert!(!list_modules(&mut Text::parse("# no list\n"), &of(&["a"])));
    let mut index =
        Text::parse(&template::index(&Facts::default(), "2026-01-22 10:30", Tongue::En));
    let facts = Facts { pending: 2, modules: of(&["a"]), ..Facts::default() };
    assert_eq!(template::miscounted(&index, &facts), ["modules: 0", "pending packages: 0"]);
    template::count(&mut index, &facts, "2026-01-22 10:31");
    assert!(template::miscounted(&index, &facts).is_empty());
}

#[test]
fn a_draft_becomes_a_package_that_checks_well() {
    let task = |id: &str, depends: &[&str]| draft::Task {
        id: id.into(),
        title: "do it\nwell".into(),
        files: [String::from("src/a.rs")].to_vec(),
        verify: Some("cargo test".into()),
        depends: depends.iter().map(ToString::to_string).collect(),
    };
    let decision = draft::Decision {
        title: "JWT".into(),
        decision: "use it".into(),
        reason: "small".into(),
        options: String::new(),
    };
    let draft = Draft {
        goal: "# not a heading\n```\nnot a fence".into(),
        modules: [String::from("auth")].to_vec(),
        tasks: [task("1.1", &[]), task("1.2", &["1.1"])].to_vec(),
        decisions: [decision].to_vec(),
        ..Draft::default()
    };
    for tongue in [Tongue::En, Tongue::Zh] {
        let placed =
            Placed { feature: "login", dir: "loopwright/plan/x", at: "2026-01-22 10:30", tongue };
        let (proposal, tasks) =
            (draft::proposal(&draft, &placed), draft::task_list(&draft, &placed));
        let given = Given {
            name: "202601221030_login",
            path: "p",
            proposal: Some(proposal.as_bytes()),
            tasks: Some(tasks.as_bytes()),
            x: XMeans::Ask,
        };
        let found = check::package(&given);
        assert!(found.valid && found.executable, "{found:?}\n{proposal}\n{tasks}");
        assert_eq!((found.issues.len(), found.warnings.len()), (0, 0), "{found:?}");
        assert_eq!(
            found.proposal.as_ref().map(|it| it.decisions.clone()),
            Some([String::from("#D001")].to_vec())
        );
        let empty = Draft { package_type: Type::Overview, ..Draft::default() };
        let tasks = draft::task_list(&empty, &placed);
        assert!(tasks.contains("N/A") && tasks.contains("> "), "{tasks}");
    }
}

fn old(path: &str, text: &str) -> Old {
    Old { path: path.into(), bytes: text.as_bytes().to_vec() }
}

#[test]
fn an_old_layout_is_moved_whole() {
    let files = [
        old("project.md", "# mine\r\n"),
        old("wiki/auth.md", "auth"),
        old("history/2025-01/202501011200_old/why.md", "why\n"),
        old("history/2025-01/202501011200_old/how.md", "how"),
        old("history/2025-01/202501011200_old/task.md", "- [√] 1 a\n"),
        old("plan/202502011200_open/why.md", "why"),
        old("plan/202502011200_open/task.md", "- [ ] 1 a\n"),
        old("plan/202502011201_done/proposal.md", "p"),
        old("plan/202502011201_done/tasks.md", "- [√] 1 a\n"),
        old("changelog.md", "log"),
        old("CHANGELOG.md", "mine"),
        old("notes.txt", "?"),
    ];
    let plan = upgrade::plan(&files, &Facts::default(), "2026-01-22 10:30", Tongue::En);
    let told: Vec<String> = plan
        .operations
        .iter()
        .map(|operation| match operation {
            Operation::Write { path, .. } => format!("write {path}"),
            Operation::Rename { from, to } => format!("{from} > {to}"),
            Operation::Mkdir { path } => format!("mkdir {path}"),
            Operation::Delete { path } => format!("delete {path}"),
        })
        .collect();
    assert_eq!(
        told,
        [
            "mkdir plan",
            "mkdir archive",
            "mkdir modules",
            "write context.md",
            "delete project.md",
            "write archive/2025-01/202501011200_old/proposal.md",
            "delete history/2025-01/202501011200_old/why.md",
            "delete history/2025-01/202501011200_old/how.md",
            "history/2025-01/202501011200_old/task.md > archive/2025-01/202501011200_old/tasks.md",
            "write plan/202502011200_open/proposal.md",
            "delete plan/202502011200_open/why.md",
            "plan/202502011200_open/task.md > plan/202502011200_open/tasks.md",
            "plan/202502011201_done/proposal.md > archive/2025-02/202502011201_done/proposal.md",
            "plan/202502011201_done/tasks.md > archive/2025-02/202502011201_done/tasks.md",
            "wiki/auth.md > modules/auth.md",
            "write INDEX.md",
            "write modules/_index.md",
        ]
    );
    assert_eq!(plan.conflicts, ["CHANGELOG.md"]);
    assert_eq!(plan.left, ["changelog.md", "notes.txt"]);
    let Operation::Write { content, .. } = &plan.operations[3] else { panic!("{plan:?}") };
    assert!(
        content.starts_with("# mine\r\n")
            && kb::missing(kb::CONTEXT, &Text::parse(content)).is_empty()
    );
    let Operation::Write { content, .. } = &plan.operations[5] else { panic!("{plan:?}") };
    assert_eq!(content, "## 1. Requirement\n\nwhy\n\n## 2. Solution\n\nhow\n");
}
