//! Commit messages and versions.

use alloc::string::String;
use alloc::vec::Vec;

use crate::packages::Tongue;
use crate::packages::commit::{Change, File, Told, message, wrapped};
use crate::packages::version::{Bump, Sources, choose, of_manifest};

fn files(all: &[(&str, Change)]) -> Vec<File> {
    all.iter().map(|(path, change)| File { path: String::from(*path), change: *change }).collect()
}

fn told<'a>(given: Option<&'a str>, files: &'a [File], tongue: Tongue) -> Told<'a> {
    Told { given, files, branch: None, first: false, blanks_only: false, tongue, bilingual: true }
}

#[test]
fn a_message_has_one_block_or_two() {
    let one = files(&[("crates/cli/src/a.rs", Change::Modified)]);
    let new = files(&[("src/a.rs", Change::Added), ("src/b.rs", Change::Added)]);
    let docs = files(&[("README.md", Change::Modified)]);
    let table: [(Option<&str>, &[File], Tongue, &str); 9] = [
        (
            None,
            &one,
            Tongue::Zh,
            "🐳 chore(cli): 更新 crates/cli/src/a.rs\n\n---\n\n🐳 chore(cli): update \
             crates/cli/src/a.rs",
        ),
        (None, &one, Tongue::En, "🐳 chore(cli): update crates/cli/src/a.rs"),
        (None, &new, Tongue::En, "✨ feat: add 2 files"),
        (None, &docs, Tongue::En, "📃 docs: update README.md"),
        (Some("fix: x"), &one, Tongue::Zh, "fix: x"),
        (Some("✨ feat(a)!: x"), &one, Tongue::Zh, "✨ feat(a)!: x"),
        (Some("say it plainly."), &docs, Tongue::Zh, "📃 docs: say it plainly"),
        (
            Some("说明用法。"),
            &docs,
            Tongue::Zh,
            "📃 docs: 说明用法\n\n---\n\n📃 docs: update README.md",
        ),
        (
            Some("keep the list sorted, because people look for names by letter"),
            &one,
            Tongue::En,
            "🐳 chore(cli): keep the list sorted\n\nbecause people look for names by letter",
        ),
    ];
    for (given, files, tongue, expected) in table {
        assert_eq!(message(&told(given, files, tongue)), expected);
    }
    let single = Told { bilingual: false, ..told(None, &one, Tongue::Zh) };
    assert_eq!(message(&single), "🐳 chore(cli): 更新 crates/cli/src/a.rs");
}

#[test]
fn the_first_rule_that_fits_is_the_type() {
    let source = files(&[("src/a.rs", Change::Modified)]);
    let docs = files(&[("docs/a.txt", Change::Added)]);
    let tests = files(&[("tests/a.rs", Change::Added)]);
    let pipeline = files(&[(".github/workflows/a.yml", Change::Modified)]);
    let build = files(&[("Cargo.toml", Change::Modified), ("Cargo.lock", Change::Modified)]);
    let base = told(None, &source, Tongue::En);
    let table = [
        (Told { first: true, files: &docs, ..base }, "🎉 init"),
        (Told { files: &docs, branch: Some("feat/x"), ..base }, "📃 docs"),
        (Told { files: &tests, ..base }, "🧪 test"),
        (Told { files: &pipeline, ..base }, "🐎 ci"),
        (Told { files: &build, ..base }, "🔧 build"),
        (Told { blanks_only: true, ..base }, "🌈 style"),
        (Told { branch: Some("hotfix/x"), ..base }, "🐞 fix"),
        (Told { branch: Some("perf/x"), ..base }, "🎈 perf"),
        (Told { branch: Some("refactor/x"), ..base }, "🦄 refactor"),
        (Told { branch: Some("main"), ..base }, "🐳 chore"),
    ];
    for (told, expected) in table {
        let text = message(&told);
        assert!(text.starts_with(expected), "{text} / {expected}");
    }
}

#[test]
fn a_body_is_as_wide_as_it_may_be() {
    let text = "字".repeat(80);
    let lines: Vec<String> = wrapped(&text).lines().map(String::from).collect();
    assert_eq!(lines.iter().map(|line| line.chars().count()).collect::<Vec<_>>(), [36, 36, 8]);
    assert_eq!(wrapped("#12 stays\n--- stays"), "#12 stays\n--- stays");
}

#[test]
fn the_version_is_the_first_that_fits() {
    let base = Sources {
        given: None,
        manifest: Some(("package.json", "1.2")),
        tag: Some("v2.0.0"),
        changelog: Some("3.1.4"),
        tags_first: false,
    };
    let table = [
        (base, Bump::Patch, "2.0.0", 1),
        (Sources { given: Some("9.9.9"), ..base }, Bump::Patch, "9.9.9", 0),
        (Sources { manifest: Some(("Cargo.toml", "1.2.3")), ..base }, Bump::Patch, "1.2.3", 0),
        (
            Sources { manifest: Some(("go", "1.2.3")), tags_first: true, ..base },
            Bump::Patch,
            "2.0.0",
            0,
        ),
        (Sources { tag: None, ..base }, Bump::Major, "4.0.0", 1),
        (Sources { tag: None, ..base }, Bump::Minor, "3.2.0", 1),
        (Sources { tag: None, manifest: None, ..base }, Bump::Patch, "3.1.5", 0),
        (
            Sources { tag: Some("nightly"), manifest: None, changelog: None, ..base },
            Bump::Patch,
            "0.1.0",
            1,
        ),
    ];
    for (sources, bump, expected, passed) in table {
        let chosen = choose(&sources, bump);
        assert_eq!(
            (chosen.version.as_str(), chosen.passed.len()),
            (expected, passed),
            "{sources:?}"
        );
    }
    let manifests = [
        ("package.json", "{\"version\": \"1.0.0\"}", Some("1.0.0")),
        (
            "Cargo.toml",
            "[dependencies]\nversion = \"9\"\n[package]\nversion = \"0.2.0\" # x\n",
            Some("0.2.0"),
        ),
        ("Cargo.toml", "[workspace.package]\nversion = \"0.3.0\"\n", Some("0.3.0")),
        ("pyproject.toml", "[tool.poetry]\nversion = '4.5.6'\n", Some("4.5.6")),
        ("pubspec.yaml", "name: x\nversion: 1.0.0\n", Some("1.0.0")),
        ("package.json", "{", None),
    ];
    for (name, text, expected) in manifests {
        assert_eq!(of_manifest(name, text).as_deref(), expected, "{name} {text}");
    }
}
