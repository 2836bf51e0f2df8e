//! Finding the root, lists and checks.

use kernel::packages::kb::State;
use kernel::packages::{Grade, Tongue, XMeans};

use super::yard::Yard;
use crate::packages::{Listed, check_all, check_kb, find, has_source, kb_status, list, show};
use crate::redact::{Redactor, Secrets};

/// Files, the root that is named, candidates; the root, and how many others.
type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a [String], &'a str, usize);

#[test]
fn the_root_is_the_first_that_bears_the_marker() {
    let both: [(&str, &str); 4] = [
        ("loopwright/INDEX.md", "x"),
        ("loopwright/context.md", "x"),
        ("kb/plan/a", ""),
        ("kb/archive/b", ""),
    ];
    let kb = [String::from("kb")];
    let table: [Case<'_>; 5] = [
        (&[], "", &[], "loopwright", 0),
        (&both, "", &kb, "loopwright", 1),
        (&both[2..], "", &kb, "kb", 0),
        (&both, "kb", &[], "kb", 0),
        (&both, "docs/kb/", &[], "docs/kb", 0),
    ];
    for (files, named, candidates, expected, others) in table {
        let yard = Yard::new(files);
        let found = find(yard.path(), named, candidates).unwrap();
        assert_eq!(found.root.path.as_str(), expected, "{files:?} {named}");
        assert_eq!(found.ambiguous.len(), others, "{files:?} {named}");
    }
    for bad in ["/tmp", "../x", "~/x", "a/../b"] {
        let why = find(Yard::new(&[]).path(), bad, &[]).unwrap_err();
        assert_eq!(why.misfit().code.to_string(), "session.outside_workspace", "{bad}");
    }
}

fn yard() -> Yard {
    Yard::new(&[
        ("loopwright/plan/202601221030_a/proposal.md", "# p\n## Goal\nSign in\n"),
        ("loopwright/plan/202601221030_a/tasks.md", "- [ ] 1 a\n"),
        ("loopwright/plan/202601221031_b_v2/tasks.md", ""),
        ("loopwright/archive/2026-01/202601221029_c/proposal.md", "# c\nold one\n"),
    ])
}

#[test]
fn packages_are_listed_newest_first() {
    let yard = yard();
    std::fs::create_dir_all(yard.path().join("loopwright/plan/202601221032_empty")).unwrap();
    std::fs::create_dir_all(yard.path().join("loopwright/plan/.new-x")).unwrap();
    let base = find(yard.path(), "", &[]).unwrap().root;
    let all = list(yard.path(), &base, Tongue::En).unwrap();
    let told: Vec<(&str, &str, u32, bool, usize, &str)> = all
        .iter()
        .map(|it| {
            let Listed { name, feature, version, complete, task_count, summary, .. } = it;
            (name.as_str(), feature.as_str(), *version, *complete, *task_count, summary.as_str())
        })
        .collect();
    assert_eq!(
        told,
        [
            ("202601221031_b_v2", "b", 2, false, 0, "(no description)"),
            ("202601221030_a", "a", 1, true, 1, "Sign in"),
        ]
    );
    let shown = show(yard.path(), &base, "202601221029_c", Tongue::En).unwrap();
    assert!(shown.archived && shown.proposal.as_deref() == Some("# c\nold one\n"));
    for none in ["gone", "", "../a", "202601221030_a/.."] {
        let why = show(yard.path(), &base, none, Tongue::En).unwrap_err();
        assert_eq!(why.misfit().code.to_string(), "session.no_such", "{none}");
    }
}

#[test]
fn checks_count_what_they_find() {
    let yard = yard();
    let base = find(yard.path(), "", &[]).unwrap().root;
    let all = check_all(yard.path(), &base, &[], XMeans::Ask, "now").unwrap();
    assert_eq!((all.total, all.valid, all.invalid, all.executable), (2, 1, 1, 0));
    let status = kb_status(yard.path(), &base, 2, Tongue::En).unwrap();
    assert_eq!((status.state, status.packages.len()), (State::Absent, 2));
    yard.write("loopwright/context.md", "token = \"ghp_abcdefghijklmnopqrstuvwxyz0123456789\"\n");
    let redactor = Redactor::new(&Secrets::default()).unwrap();
    let found = check_kb(yard.path(), &base, XMeans::Ask, &redactor).unwrap();
    let codes: Vec<&str> =
        found.iter().filter(|it| it.grade == Grade::Critical).map(|it| it.code.as_str()).collect();
    assert_eq!(codes, ["missing_file", "secret_found", "package_broken"], "{found:?}");
}

#[test]
fn any_text_that_is_no_document_and_no_setting_is_something_to_work_on() {
    let table = [
        ("index.html", "<p>\n", true),
        ("app/App.vue", "<template/>\n", true),
        ("src/Main.scala", "object Main\n", true),
        ("lib/a.ex", "defmodule A\n", true),
        ("init.lua", "print()\n", true),
        ("schema.sql", "create table a();\n", true),
        ("app/Main.hs", "main = pure ()\n", true),
        ("src/main.zig", "const a = 1;\n", true),
        ("tools/strange.q9", "x\n", true),
        ("Makefile", "all:\n", true),
        ("package.json", "{}\n", true),
        ("README.md", "# a\n", false),
        ("LICENSE", "free\n", false),
        ("deploy/settings.yaml", "a: 1\n", false),
        ("picture.png", "\u{0}PNG", false),
        (".editorconfig", "root\n", false),
        ("node_modules/a/index.js", "1\n", false),
        ("loopwright/modules/notes.q9", "x\n", false),
    ];
    for (path, text, expected) in table {
        let yard = Yard::new(&[(path, text)]);
        let base = find(yard.path(), "", &[]).unwrap().root;
        assert_eq!(has_source(yard.path(), &base), expected, "{path}");
    }
}
