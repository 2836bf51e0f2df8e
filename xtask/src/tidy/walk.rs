//! Goes through the files that git knows or would take in, and hands each to the rules.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};

use super::finding::Finding;
use super::source::Source;
use super::{exceptions, lines, messages, modfile, names, places, rooms, size};
use crate::root::root;

/// Where the catalogues are, one folder a language.
const LOCALES: &str = "crates/runtime/locales";
/// Their languages.
const LANGS: [&str; 2] = ["en", "zh-CN"];
/// Endings of files that are text; of others only their absence of rules is known.
const TEXT: [&str; 11] =
    ["rs", "toml", "md", "ftl", "txt", "sh", "yml", "yaml", "json", "svg", "sql"];

/// Checks the repository and prints every finding.
pub fn run(args: &[String]) -> Result<ExitCode> {
    ensure!(args.is_empty(), "tidy takes no arguments");
    let found = check(&root())?;
    for finding in &found {
        println!("{finding}");
    }
    if found.is_empty() {
        println!("tidy: nothing found");
        return Ok(ExitCode::SUCCESS);
    }
    println!("tidy: {} findings", found.len());
    Ok(ExitCode::FAILURE)
}

/// Every finding of the repository at this root, exceptions applied, sorted.
pub fn check(root: &Path) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    let mut sources = Vec::new();
    for path in listed(root)? {
        let ending = path.rsplit('.').next().unwrap_or_default();
        if !TEXT.contains(&ending) {
            continue;
        }
        // A listed file that is gone was deleted and not yet committed.
        let Ok(text) = std::fs::read_to_string(root.join(&path)) else { continue };
        places::check(&path, &text, &mut found);
        if path.ends_with("/Cargo.toml") {
            rooms::check(&path, &text, &mut found);
        }
        if ending == "rs" {
            sources.push(Source::new(&path, &text));
        }
    }
    for source in &sources {
        for rule in [lines::check, size::check, modfile::check, names::check] {
            rule(source, &mut found);
        }
    }
    for lang in LANGS {
        let known = catalogue(&root.join(LOCALES).join(lang))?;
        sources.iter().for_each(|source| messages::check(source, lang, &known, &mut found));
    }
    let list = std::fs::read_to_string(root.join(exceptions::FILE)).context(exceptions::FILE)?;
    let mut left = exceptions::apply(&list, found);
    left.sort();
    Ok(left)
}

/// Files that git knows or would take in, below the root.
fn listed(root: &Path) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard"]).current_dir(root);
    let output = git.output().context("git ls-files")?;
    ensure!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn catalogue(folder: &Path) -> Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        all.extend(messages::keys(&std::fs::read_to_string(entry?.path())?));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a tiny repository and gives back what the rules say of it.
    fn found(files: &[(&str, &str)]) -> Vec<(String, &'static str)> {
        let dir = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for lang in LANGS {
            put(&format!("{LOCALES}/{lang}/a.ftl"), "a-b = Text\n");
        }
        put(exceptions::FILE, "# None.\n");
        files.iter().for_each(|(path, text)| put(path, text));
        let git =
            Command::new("git").args(["init", "-q"]).current_dir(dir.path()).status().unwrap();
        assert!(git.success());
        check(dir.path()).unwrap().into_iter().map(|f| (f.path, f.rule)).collect()
    }

    #[test]
    fn a_good_repository_has_no_findings() {
        let code = "//! Doc.\nfn f() { say(lang, \"a-b\", &[]); }\n";
        let manifest = "[dependencies]\nserde = \"1\"\n";
        let files = [("crates/kernel/src/a.rs", code), ("crates/kernel/Cargo.toml", manifest)];
        assert_eq!(found(&files), []);
    }

    #[test]
    fn every_kind_of_file_is_looked_at() {
        let files = [
            ("README.md", concat!("See /wo", "rk/x.\n")),
            ("crates/kernel/Cargo.toml", "[dependencies]\ntokio = \"1\"\n"),
            ("crates/kernel/src/b/mod.rs", "//! Doc.\nfn f() {}\n"),
            ("crates/kernel/src/util.rs", "fn f() { say(lang, \"a-c\", &[]); }\n"),
        ];
        let rules: Vec<_> = found(&files).into_iter().map(|(_, rule)| rule).collect();
        let util = ["empty-name", "message", "message", "module-doc"];
        assert_eq!(rules, [["machine-path", "rooms", "mod-logic"].as_slice(), &util].concat());
    }
}
